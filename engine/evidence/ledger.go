package evidence

import (
	"slices"

	"casebook/engine/canon"
)

// LedgerFormat is the format name of redactions.json.
const LedgerFormat = "casebook-redactions/1"

// CommitmentScheme names how the commitments of a ledger are made.
const CommitmentScheme = "hmac-sha256-v1"

// Ledger is redactions.json: every string that was changed, every span removed from it, and every value that was
// calculated anew because of it (pack format, section 6.3). It holds no removed value and no length of one.
type Ledger struct {
	Format     string            `json:"format"`
	Commitment string            `json:"commitment"`
	Targets    []RedactedString  `json:"targets"`    // by number
	Entries    []RedactedSpan    `json:"entries"`    // by target, then start
	Recomputed []RecomputedValue `json:"recomputed"` // by file, then pointer
}

// RedactedString is a string that was changed; Pointer is an RFC 6901 JSON Pointer to it in File.
type RedactedString struct {
	ID                 string  `json:"id"`
	Run                *string `json:"run"` // nil: pinned
	File               string  `json:"file"`
	Pointer            string  `json:"pointer"`
	OriginalCommitment *string `json:"original_commitment"` // nil: pinned, or no key was at hand
}

// RedactedSpan is one removed span: Start and Length are UTF-8 bytes of its placeholder in the redacted string.
type RedactedSpan struct {
	ID         string  `json:"id"`
	Target     string  `json:"target"`
	Start      int     `json:"start"`
	Length     int     `json:"length"`
	Class      string  `json:"class"`
	Rule       string  `json:"rule"`
	Reason     string  `json:"reason"`
	Commitment *string `json:"commitment"`        // nil: pinned, or no key was at hand
	SameAs     string  `json:"same_as,omitempty"` // absent: whether it equals another span is not told
	Note       string  `json:"note,omitempty"`    // absent: nothing to add
}

// RecomputedValue is a value that was calculated anew because of a redaction.
type RecomputedValue struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"`
}

// NewLedger returns the ledger of recordings from which nothing was removed.
func NewLedger() Ledger {
	return Ledger{
		Format: LedgerFormat, Commitment: CommitmentScheme,
		Targets: []RedactedString{}, Entries: []RedactedSpan{}, Recomputed: []RecomputedValue{},
	}
}

// Encode writes the ledger as redactions.json: canonical JSON and LF, arrays also where they are empty.
func (l Ledger) Encode() ([]byte, error) {
	out := NewLedger()
	out.Targets = append(out.Targets, l.Targets...)
	out.Entries = append(out.Entries, l.Entries...)
	out.Recomputed = append(out.Recomputed, l.Recomputed...)
	return canon.EncodeLine(out)
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
