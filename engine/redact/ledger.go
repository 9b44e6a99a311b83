package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"casebook/engine/canon"
)

// LedgerFormat names the form of redactions.json.
const LedgerFormat = "casebook-redactions/1"

// commitmentScheme names how commitments are made.
const commitmentScheme = "hmac-sha256-v1"

// Ledger is redactions.json: every string that was changed, every span removed from it, and every value that was
// calculated anew because of it. It holds no removed value and no length of one.
type Ledger struct {
	Format     string       `json:"format"`
	Commitment string       `json:"commitment"`
	Targets    []Target     `json:"targets"`    // by number
	Entries    []Entry      `json:"entries"`    // by target, then start
	Recomputed []Recomputed `json:"recomputed"` // by file, then pointer
}

// Target is one string that was changed.
type Target struct {
	ID                 string  `json:"id"`
	Run                *string `json:"run"` // nil: pinned
	File               string  `json:"file"`
	Pointer            string  `json:"pointer"`
	OriginalCommitment *string `json:"original_commitment"` // nil: pinned, or no key was at hand
}

// Entry is one span that was removed; Start and Length are bytes of the redacted string.
type Entry struct {
	ID         string  `json:"id"`
	Target     string  `json:"target"`
	Start      int     `json:"start"`
	Length     int     `json:"length"`
	Class      string  `json:"class"`
	Rule       string  `json:"rule"`
	Reason     string  `json:"reason"`
	Commitment *string `json:"commitment"`        // nil: pinned, or no key was at hand
	SameAs     string  `json:"same_as,omitempty"` // absent: whether values are equal isn't told
	Note       string  `json:"note,omitempty"`    // absent: nothing to add
}

// Recomputed is one value that was calculated anew.
type Recomputed struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"`
}

// NewLedger returns the ledger of recordings from which nothing was removed.
func NewLedger() Ledger {
	return Ledger{
		Format: LedgerFormat, Commitment: commitmentScheme,
		Targets: []Target{}, Entries: []Entry{}, Recomputed: []Recomputed{},
	}
}

// Encode writes the ledger as redactions.json: canonical JSON and LF.
func (l Ledger) Encode() ([]byte, error) {
	out := NewLedger()
	out.Targets = append(out.Targets, l.Targets...)
	out.Entries = append(out.Entries, l.Entries...)
	out.Recomputed = append(out.Recomputed, l.Recomputed...)
	return canon.EncodeLine(out)
}

// ReadLedger reads redactions.json and checks what can be told from it alone: form of the ids, order, links.
func ReadLedger(data []byte) (Ledger, error) {
	l := NewLedger()
	if err := canon.Decode(data, &l); err != nil {
		return Ledger{}, fmt.Errorf("redactions.json: %w", err)
	}
	if l.Format != LedgerFormat {
		return Ledger{}, fmt.Errorf("redactions.json: format %q, want %q", l.Format, LedgerFormat)
	}
	if l.Commitment != commitmentScheme {
		return Ledger{}, fmt.Errorf("redactions.json: commitment %q, want %q", l.Commitment, commitmentScheme)
	}
	if err := l.check(); err != nil {
		return Ledger{}, fmt.Errorf("redactions.json: %w", err)
	}
	return l, nil
}

// Clone returns a copy that shares nothing with l.
func (l Ledger) Clone() Ledger {
	l.Targets, l.Entries, l.Recomputed = slices.Clone(l.Targets), slices.Clone(l.Entries), slices.Clone(l.Recomputed)
	for i := range l.Targets {
		l.Targets[i].Run = clonePointer(l.Targets[i].Run)
		l.Targets[i].OriginalCommitment = clonePointer(l.Targets[i].OriginalCommitment)
	}
	for i := range l.Entries {
		l.Entries[i].Commitment = clonePointer(l.Entries[i].Commitment)
	}
	return l
}

func clonePointer(s *string) *string {
	if s == nil {
		return nil
	}
	c := *s
	return &c
}

// check holds ids, links, order and spans against each other.
func (l Ledger) check() error {
	number, place := 0, map[string]bool{}
	targets := map[string]int{}
	for _, t := range l.Targets {
		n, ok := idNumber("ot", t.ID)
		if !ok || n <= number {
			return fmt.Errorf("target %q: ids count up from ot0001", t.ID)
		}
		if at := placeKey(t.File, t.Pointer); place[at] {
			return fmt.Errorf("target %s: a second target for %s#%s", t.ID, t.File, t.Pointer)
		} else {
			place[at] = true
		}
		number, targets[t.ID] = n, n
	}
	ids := map[string]bool{}
	lastTarget, lastEnd := 0, 0
	for _, e := range l.Entries {
		target, known := targets[e.Target]
		if _, ok := idNumber("rd", e.ID); !ok || ids[e.ID] {
			return fmt.Errorf("entry %q: an id is rd and four or more digits, each once", e.ID)
		}
		if !known {
			return fmt.Errorf("entry %s: there is no target %q", e.ID, e.Target)
		}
		if target > lastTarget {
			lastEnd = 0
		}
		if target < lastTarget || e.Start < lastEnd || e.Length <= 0 {
			return fmt.Errorf("entry %s: entries stand by target and start and don't overlap", e.ID)
		}
		ids[e.ID], lastTarget, lastEnd = true, target, e.Start+e.Length
	}
	return nil
}

// idNumber is the number of an id of the given prefix: rd0012 is 12.
func idNumber(prefix, id string) (int, bool) {
	digits, ok := strings.CutPrefix(id, prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && makeID(prefix, n) == id
}

func makeID(prefix string, n int) string { return fmt.Sprintf("%s%04d", prefix, n) }

// placeKey is one key for a file and a pointer; no path holds a zero byte.
func placeKey(file, pointer string) string { return file + "\x00" + pointer }

// placeholder is the text that stands in place of a removed span.
func placeholder(id string) string { return "[redacted:" + id + "]" }

// standsIn says whether the entry's placeholder stands at its span of the text, quoted where a value was removed whole.
func (e Entry) standsIn(text string) bool {
	if e.Start < 0 || e.Length < 0 || e.Start+e.Length > len(text) {
		return false
	}
	mark := text[e.Start : e.Start+e.Length]
	return mark == placeholder(e.ID) || mark == strconv.Quote(placeholder(e.ID))
}

// sort puts the three lists into the order that the format asks for.
func (l *Ledger) sort() {
	number := func(id string) int {
		n, err := strconv.Atoi(id[2:])
		if err != nil {
			return 0
		}
		return n
	}
	slices.SortFunc(l.Targets, func(a, b Target) int { return cmp.Compare(number(a.ID), number(b.ID)) })
	slices.SortFunc(l.Entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(number(a.Target), number(b.Target)), cmp.Compare(a.Start, b.Start))
	})
	slices.SortFunc(l.Recomputed, func(a, b Recomputed) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Pointer, b.Pointer))
	})
	l.Recomputed = slices.Compact(l.Recomputed)
}
