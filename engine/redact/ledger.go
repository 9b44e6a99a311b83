package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// The ledger and its rows are nouns of evidence, since packs and pages show them; here is what makes and checks one.
type (
	// Ledger is [evidence.Ledger].
	Ledger = evidence.Ledger
	// Target is one string that was changed.
	Target = evidence.RedactedString
	// Entry is one span that was removed.
	Entry = evidence.RedactedSpan
	// Recomputed is one value that was calculated anew.
	Recomputed = evidence.RecomputedValue
)

// ReadLedger reads redactions.json and checks what can be told from it alone: form of the ids, order, links.
func ReadLedger(data []byte) (Ledger, error) {
	l := evidence.NewLedger()
	if err := canon.Decode(data, &l); err != nil {
		return Ledger{}, fmt.Errorf("redactions.json: %w", err)
	}
	if l.Format != evidence.LedgerFormat {
		return Ledger{}, fmt.Errorf("redactions.json: format %q, want %q", l.Format, evidence.LedgerFormat)
	}
	if l.Commitment != evidence.CommitmentScheme {
		return Ledger{}, fmt.Errorf("redactions.json: commitment %q, want %q", l.Commitment, evidence.CommitmentScheme)
	}
	if err := checkLedger(l); err != nil {
		return Ledger{}, fmt.Errorf("redactions.json: %w", err)
	}
	return l, nil
}

// checkLedger holds ids, links, order and spans against each other.
func checkLedger(l Ledger) error {
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
func standsIn(e Entry, text string) bool {
	if e.Start < 0 || e.Length < 0 || e.Start+e.Length > len(text) {
		return false
	}
	mark := text[e.Start : e.Start+e.Length]
	return mark == placeholder(e.ID) || mark == strconv.Quote(placeholder(e.ID))
}

// sortLedger puts the three lists into the order that the format asks for.
func sortLedger(l *Ledger) {
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
