package pack

import (
	"fmt"
	"slices"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// ReportFormat is the format name of a verify report; its schema is verify-report.schema.json.
const ReportFormat = "casebook-verify-report/1"

// Status of one check.
type Status string

// The four states of a check. Not checked is never a pass.
const (
	StatusOK         Status = "ok"
	StatusFailed     Status = "failed"
	StatusWarning    Status = "warning"
	StatusNotChecked Status = "not checked"
)

// States that a report comes to. Several may hold at once; intact holds alone.
const (
	StateIntact       = "intact"       // every byte is the listed one
	StateAltered      = "altered"      // bytes of a listed file are others
	StateIncomplete   = "incomplete"   // a listed file is missing
	StateAdded        = "added to"     // there is a file that isn't listed
	StateInconsistent = "inconsistent" // the bag contradicts its own rules
	StateOther        = "another pack" // not the pack whose id was given
	StatePartly       = "partly checked"
	StateUnreadable   = "unreadable" // no bag that can be used
)

// Check is the outcome of one check at one place. A check without fault has one entry, others one for each place.
type Check struct {
	ID     string  `json:"id"`
	Status Status  `json:"status"`
	Path   *string `json:"path"` // null: the pack as a whole
	Reason string  `json:"reason"`
}

// Counts says how much was looked at.
type Counts struct {
	Listed int   `json:"listed"` // files that the manifests list
	Found  int   `json:"found"`  // of them, present
	Intact int   `json:"intact"` // of them, with the listed digest
	Bytes  int64 `json:"bytes"`  // of the files that were hashed
}

// Report is what verify found.
type Report struct {
	Format     string           `json:"format"`
	Name       string           `json:"name"` // of the folder or the archive's top directory
	Form       string           `json:"form"` // folder, zip, tar; empty: none of them
	PackFormat *string          `json:"pack_format"`
	PackID     *evidence.Digest `json:"pack_id"`
	Strict     bool             `json:"strict"`
	States     []string         `json:"states"`
	ExitCode   int              `json:"exit"`
	Counts     Counts           `json:"counts"`
	Checks     []Check          `json:"checks"`      // sorted by id, then path
	NotChecked []string         `json:"not_checked"` // in plain words what was not asked for, or not looked at
}

// Exit is the exit code that the report comes to: 2 without a readable bag, 1 when a check failed or something asked
// for was not checked, else 0; in strict reports a warning counts as a fault.
func (r *Report) Exit() int { return r.ExitCode }

// JSON is the report as canonical JSON with one LF.
func (r *Report) JSON() ([]byte, error) { return canon.EncodeLine(r) }

// Add takes in further checks, such as those of the contents, and comes to states and exit code anew.
func (r *Report) Add(checks ...Check) {
	r.Checks = append(r.Checks, checks...)
	if slices.ContainsFunc(checks, func(c Check) bool { return strings.HasPrefix(c.ID, "D") }) {
		r.NotChecked = slices.DeleteFunc(r.NotChecked, func(s string) bool { return s == notCheckedContents })
	}
	r.conclude()
}

// Summary is one line that says what the checks came to.
func (r *Report) Summary() string {
	line := fmt.Sprintf("%s: %s", strings.Join(r.States, ", "), r.Name)
	if slices.Contains(r.States, StateUnreadable) {
		return line
	}
	line += fmt.Sprintf("; %d of %d files, %d bytes", r.Counts.Intact, r.Counts.Listed, r.Counts.Bytes)
	if r.PackID != nil {
		line += "; pack id " + string(*r.PackID)
	}
	return line
}

// conclude sorts the checks and derives states and exit code from them.
func (r *Report) conclude() {
	slices.SortStableFunc(r.Checks, func(a, b Check) int {
		if a.ID != b.ID {
			return strings.Compare(a.ID, b.ID)
		}
		if at, bt := a.place(), b.place(); at != bt {
			return strings.Compare(at, bt)
		}
		return strings.Compare(a.Reason, b.Reason)
	})
	states := map[string]bool{}
	warned := false
	for _, c := range r.Checks {
		switch c.Status {
		case StatusFailed:
			states[stateOf(c.ID)] = true
		case StatusNotChecked:
			states[StatePartly] = true
		case StatusWarning:
			warned = true
		}
	}
	r.States = []string{}
	for _, s := range []string{StateUnreadable, StateAltered, StateIncomplete, StateAdded, StateInconsistent, StateOther, StatePartly} {
		if states[s] {
			r.States = append(r.States, s)
		}
	}
	switch {
	case states[StateUnreadable]:
		r.ExitCode = 2
	case len(r.States) > 0 || r.Strict && warned:
		r.ExitCode = 1
	default:
		r.ExitCode = 0
	}
	if len(r.States) == 0 {
		r.States = []string{StateIntact}
	}
}

func (c Check) place() string {
	if c.Path == nil {
		return ""
	}
	return *c.Path
}

// stateOf says what a pack is when the check fails.
func stateOf(id string) string {
	switch id {
	case "B01", "B02":
		return StateUnreadable
	case "B06":
		return StateIncomplete
	case "B07", "B08":
		return StateAdded
	case "B10", "B11":
		return StateAltered
	case "B14":
		return StateOther
	}
	return StateInconsistent
}
