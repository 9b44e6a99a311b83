package freeze

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/provider"
	"casebook/engine/redact"
	"casebook/engine/wire"
)

// MismatchError says that a recorded request is not the one that would be sent today, so the recording is no answer
// to what the case asks. Both values are redacted.
type MismatchError struct {
	File     string // of the try, from the case's folder
	Member   string
	Recorded string
	Rebuilt  string
}

// Error shows both values.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %s was recorded as %q and would now be sent as %q; record the step anew", e.File, e.Member, e.Recorded, e.Rebuilt)
}

// CheckRequests builds the request of every recorded and authored try again, redacts it and compares it with the
// recorded one (pack format, section 15). Two placeholders are equal whatever their ids.
func CheckRequests(clean redact.Clean, rules map[string]bool) error {
	for _, r := range clean.Recordings() {
		if r.Execution.Mode != evidence.ModeLive {
			continue // pinned: nothing is sent; imported: other software built the request
		}
		var request evidence.Request
		if err := canon.Decode(r.Request.Request, &request); err != nil {
			return fmt.Errorf("step %s: request: %w", r.Step, err)
		}
		for i := range r.Attempts {
			if err := checkAttempt(&r, &r.Attempts[i], request.Normalized(), rules); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkAttempt(r *evidence.Recording, a *evidence.RecordedAttempt, request evidence.Request, rules map[string]bool) error {
	if len(a.Tries) == 0 {
		return nil
	}
	rebuilt, err := rebuild(r, a, request, rules)
	if err != nil {
		return fmt.Errorf("step %s: attempt %s: %w", r.Step, a.Folder, err)
	}
	for i := range a.Tries {
		if mismatch := compare(a.Tries[i].Request, rebuilt); mismatch != nil {
			mismatch.File = path.Join("recordings", r.Step, a.Folder, evidence.TryStem(i+1)+".json")
			return mismatch
		}
	}
	return nil
}

// anyKey stands for the key that a rebuilt request lacks; redaction removes it like a real one.
const anyKey = "key-that-a-replay-lacks-0123456789"

// rebuild makes the request of an attempt as it would be sent today, and redacts it as its recording was.
func rebuild(r *evidence.Recording, a *evidence.RecordedAttempt, request evidence.Request, rules map[string]bool) (*evidence.SentRequest, error) {
	p, endpoint, err := provider.Select(a.Record.Provider, a.Record.Capability)
	if err != nil {
		return nil, err
	}
	query, err := p.Query(request, r.Execution.Policy)
	if err != nil {
		return nil, err
	}
	query.Key = anyKey
	built, err := endpoint.Build(query)
	if err != nil {
		return nil, err
	}
	alone := evidence.Recording{Step: r.Step, Request: r.Request, Execution: r.Execution, Attempts: []evidence.RecordedAttempt{{
		Folder: a.Folder, Record: a.Record, Tries: []evidence.TryRecord{{
			Format: evidence.TryFormat, AttemptID: a.Record.AttemptID, TryNumber: 1, Origin: evidence.OriginAuthored,
			StartedAt: a.Record.StartedAt, Outcome: evidence.TrySuccess, Request: wire.Sent(built),
		}},
	}}}
	// A ledger without entries to which all is appended: the key of the run isn't at hand, and no commitment is wanted.
	nothing := evidence.NewLedger()
	clean, err := redact.Scrub([]evidence.Recording{alone}, redact.Options{Rules: rules, Known: &nothing, Append: true})
	if err != nil {
		return nil, err
	}
	return clean.Recordings()[0].Attempts[0].Tries[0].Request, nil
}

var placeholder = regexp.MustCompile(`\[redacted:rd[0-9]{4,}\]`)

// member is one part of two requests; nil is absent, which is not the same as empty.
type member struct {
	name    string
	was, is *string
}

func compare(recorded, rebuilt *evidence.SentRequest) *MismatchError {
	if recorded == nil {
		return &MismatchError{Member: "request", Recorded: shown(nil), Rebuilt: rebuilt.Method + " " + rebuilt.URL}
	}
	members := []member{{"method", &recorded.Method, &rebuilt.Method}, {"url", &recorded.URL, &rebuilt.URL}}
	names := maps.Clone(recorded.Headers)
	if names == nil {
		names = map[string]string{}
	}
	maps.Copy(names, rebuilt.Headers)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		members = append(members, member{"header " + name, header(recorded, name), header(rebuilt, name)})
	}
	members = append(members, member{"body", bodyText(recorded.Body), bodyText(rebuilt.Body)})
	for _, m := range members {
		if was, is := shown(m.was), shown(m.is); was != is || (m.was == nil) != (m.is == nil) {
			return &MismatchError{Member: m.name, Recorded: was, Rebuilt: is}
		}
	}
	return nil
}

// shown is a value as it is compared and told: without the numbers of placeholders, since ids are issued anew.
func shown(value *string) string {
	if value == nil {
		return "nothing"
	}
	return placeholder.ReplaceAllString(*value, "[redacted]")
}

func header(r *evidence.SentRequest, name string) *string {
	if value, ok := r.Headers[name]; ok {
		return &value
	}
	return nil
}

func bodyText(body *evidence.Body) *string {
	if body == nil {
		return nil
	}
	return &body.Text
}
