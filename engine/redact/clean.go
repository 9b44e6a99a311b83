package redact

import (
	"fmt"
	"io"
	"slices"

	"casebook/engine/evidence"
)

// Options say how recordings are scrubbed.
type Options struct {
	// Rules switches rules by id, as case.yaml and casebook.yaml do. A mandatory rule can't be switched off.
	Rules map[string]bool
	// Key is that of the run that the fresh recordings come from; nil when all steps are pinned or committed.
	Key Key
	// Run names that run in the ledger; nil when all steps are pinned or committed.
	Run *string
	// Known is the ledger of recordings that are committed: ids and order are kept, new ids count on from there. nil:
	// nothing is committed. A finding in a committed recording that Known doesn't explain is an error.
	Known *Ledger
	// Fresh names the recorded steps that Known doesn't cover although it is there.
	Fresh []string
	// Append lets new findings in committed recordings be removed and added to the ledger, with the run's key or
	// without a commitment. With an empty Known it redacts recordings without any key, to compare them with others.
	Append bool
}

// Clean is the outcome of [Scrub]: recordings that may be published, and their ledger. No other function makes one,
// and its zero value holds nothing.
type Clean struct{ content *cleanContent }

type cleanContent struct {
	steps  []stepFiles
	ledger Ledger
}

// stepFiles is one recording as files, paths from the bag root.
type stepFiles struct {
	step  string
	files []evidence.File
}

// Recordings returns the redacted recordings in the order they were given. Each call decodes them anew, so a caller
// may change what it gets.
func (c Clean) Recordings() []evidence.Recording {
	if c.content == nil {
		return nil
	}
	out := make([]evidence.Recording, 0, len(c.content.steps))
	for _, step := range c.content.steps {
		recording, err := step.decode()
		if err != nil {
			return nil // can't be: Scrub decoded the same bytes
		}
		out = append(out, *recording)
	}
	return out
}

// Files returns the redacted recordings as files, paths from the bag root: data/recordings/<step>/…, in the order of
// the recordings. Each call copies them.
func (c Clean) Files() []evidence.File {
	if c.content == nil {
		return nil
	}
	var out []evidence.File
	for _, step := range c.content.steps {
		for _, file := range step.files {
			out = append(out, evidence.File{Path: file.Path, Data: slices.Clone(file.Data)})
		}
	}
	return out
}

// Ledger returns the ledger, a copy of its own.
func (c Clean) Ledger() Ledger {
	if c.content == nil {
		return evidence.NewLedger()
	}
	return c.content.ledger.Clone()
}

// String tells sizes only.
func (c Clean) String() string {
	if c.content == nil {
		return "[clean recordings: none]"
	}
	return fmt.Sprintf("[clean recordings: %d steps, %d redactions]", len(c.content.steps), len(c.content.ledger.Entries))
}

// GoString is [Clean.String].
func (c Clean) GoString() string { return c.String() }

// Format is [Clean.String] under every verb.
func (c Clean) Format(state fmt.State, _ rune) { writeState(state, c.String()) }

// MarshalJSON writes the text of [Clean.String].
func (c Clean) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%q", c.String()), nil }

// writeState prints a fixed text; fmt has no use for a write error of its own buffer.
func writeState(state fmt.State, text string) {
	if _, err := io.WriteString(state, text); err != nil {
		return
	}
}
