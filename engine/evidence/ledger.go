package evidence

// LedgerFormat is the format name of redactions.json.
const LedgerFormat = "casebook-redactions/1"

// Ledger is redactions.json: every span that was removed, where, by which rule and with which commitment
// (pack format, section 6.3). Arrays are written even when empty.
type Ledger struct {
	Format     string            `json:"format"`
	Commitment string            `json:"commitment"`
	Targets    []RedactedString  `json:"targets"`
	Entries    []RedactedSpan    `json:"entries"`
	Recomputed []RecomputedValue `json:"recomputed"`
}

// RedactedString is a string that was changed; Pointer is an RFC 6901 JSON Pointer to it in File.
type RedactedString struct {
	ID                 string  `json:"id"`
	Run                *string `json:"run"`
	File               string  `json:"file"`
	Pointer            string  `json:"pointer"`
	OriginalCommitment *string `json:"original_commitment"`
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
	Commitment *string `json:"commitment"`
	SameAs     string  `json:"same_as,omitempty"` // absent: whether it equals another span is not told
}

// RecomputedValue is a value that was calculated anew because of a redaction.
type RecomputedValue struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"`
}
