package search

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
	"casebook/engine/wire"
)

// recorder keeps what an execution records, by kind.
type recorder struct {
	tries    []evidence.TryRecord
	outcomes []evidence.TryRecord
	attempts []evidence.AttemptRecord
	folders  []string
}

func (r *recorder) RecordTry(_ string, try evidence.TryRecord) error {
	r.tries = append(r.tries, try)
	return nil
}

func (r *recorder) RecordOutcome(_ string, try evidence.TryRecord) error {
	r.outcomes = append(r.outcomes, try)
	return nil
}

func (r *recorder) RecordAttempt(folder string, a evidence.AttemptRecord) error {
	r.folders, r.attempts = append(r.folders, folder), append(r.attempts, a)
	return nil
}

// reply is a transport that gives one body with a status, 0 for a reply made in process.
type reply struct {
	status int
	body   string
}

func (r reply) Send(context.Context, wire.Request) (wire.Reply, error) {
	return wire.Reply{Status: r.status, Body: []byte(r.body)}, nil
}

var asked = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func query(t *testing.T, capability evidence.Capability, provider string) Query {
	t.Helper()
	q := Query{
		ExecutionID: "exec_00000000000000000000000000000001", Policy: evidence.DefaultPolicy(evidence.DefaultQuality()),
		Origin: evidence.OriginRecorded, Key: func(string) string { return "0123456789abcdef" },
	}
	q.Request = evidence.Request{ContractVersion: "3.0", Capability: capability, Routing: evidence.Routing{Mode: "fixed", Provider: provider}}
	if capability == evidence.Search {
		q.Request.Input.Query = "harbour"
	} else {
		q.Request.Input.URLs = []string{"https://port.example/a", "https://port.example/b"}
	}
	return q
}

func run(t *testing.T, transport wire.Transport, q Query) (Ran, *recorder) {
	t.Helper()
	r := &recorder{}
	ran, err := Run(t.Context(), &wire.Client{Transport: transport, Now: func() time.Time { return asked }}, r, q)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.attempts) != 1 || r.folders[0] != "a0001" {
		t.Fatalf("attempts = %+v in %v, want one in a0001", r.attempts, r.folders)
	}
	return ran, r
}

// The attempt id of a serper search at position 1 is that of contract section 3.3.
const serperAttempt = "attempt_0001ebbbb4d95590"

func TestRunSuccess(t *testing.T) {
	ran, r := run(t, reply{200, `{"organic":[{"title":"T","link":"https://a.example/","snippet":"s"}]}`}, query(t, evidence.Search, "serper"))
	want := evidence.AttemptRecord{
		Format: "casebook-attempt/1", AttemptID: serperAttempt, Provider: "serper", EndpointID: "serper:search", Capability: "search",
		Decision: "attempted", Outcome: "success", StartedAt: "2026-03-01T10:00:00Z", CircuitStateBefore: "closed",
		CircuitStateAfter: "closed", BudgetDecision: "reserved", Tries: []string{"t01"},
	}
	if diff := cmp.Diff(want, r.attempts[0]); diff != "" {
		t.Errorf("attempt (-want +got):\n%s", diff)
	}
	if got := ran.Receipt; *got.SelectedProvider != "serper" || got.FallbackReason != "none" || got.CandidateDecisions[0].ReasonCode != "classic_selected" {
		t.Errorf("receipt = %+v", got)
	}
	if *ran.Limits.MaxResults != 5 || ran.Limits.MaxURLs != nil || *ran.Budget.Used.MaxProviderAttempts != 1 || *ran.Budget.Clamped.MaxProviderAttempts != 3 {
		t.Errorf("limits %+v, budget %+v", ran.Limits, ran.Budget)
	}
}

// Nothing found is a success that selects nobody.
func TestRunNothingFound(t *testing.T) {
	ran, r := run(t, reply{200, `{"organic":[]}`}, query(t, evidence.Search, "serper"))
	if r.attempts[0].Outcome != evidence.OutcomeSuccess || r.attempts[0].Error != nil {
		t.Errorf("attempt = %+v, want a success", r.attempts[0])
	}
	decision := ran.Receipt.CandidateDecisions[0]
	if ran.Receipt.SelectedProvider != nil || ran.Receipt.FallbackReason != "none" || decision.Decision != "attempted_no_selection" || decision.ReasonCode != "insufficient_results" {
		t.Errorf("receipt = %+v, %+v", ran.Receipt, decision)
	}
}

func TestRunFailure(t *testing.T) {
	for _, tt := range []struct {
		name     string
		reply    reply
		class    string
		status   int
		outcomes int
	}{
		{"status", reply{503, "down"}, "transient", 503, 0},
		{"no JSON", reply{200, "<html>"}, "transient", 200, 1},
		{"wrong shape", reply{200, `{"organic":{}}`}, "provider_contract", 200, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran, r := run(t, tt.reply, query(t, evidence.Search, "serper"))
			a := r.attempts[0]
			if a.Outcome != evidence.OutcomeFailed || a.Error == nil || a.Error.ErrorClass != tt.class || *a.Error.HTTPStatus != tt.status || a.Error.Provider != "serper" {
				t.Errorf("attempt = %+v, error %+v", a, a.Error)
			}
			if len(r.outcomes) != tt.outcomes {
				t.Errorf("%d outcomes recorded after the reply, want %d", len(r.outcomes), tt.outcomes)
			}
			if d := ran.Receipt.CandidateDecisions[0]; d.Decision != "attempted_failed" || ran.Receipt.FallbackReason != "selected_failed" {
				t.Errorf("receipt = %+v", ran.Receipt)
			}
		})
	}
}

func TestRunWithoutKey(t *testing.T) {
	q := query(t, evidence.Search, "serper")
	q.Key = func(string) string { return "" }
	ran, r := run(t, reply{200, "{}"}, q)
	a := r.attempts[0]
	if a.Decision != evidence.Skipped || a.Outcome != evidence.OutcomeSkipped || *a.SkipReason != "missing_credentials" || len(a.Tries) != 0 || len(r.tries) != 0 {
		t.Errorf("attempt = %+v, tries %v", a, r.tries)
	}
	if d := ran.Receipt.CandidateDecisions[0]; d.Decision != "skipped" || d.ReasonCode != "provider_unavailable" || *ran.Budget.Used.MaxProviderAttempts != 0 {
		t.Errorf("decision = %+v, budget %+v", d, ran.Budget)
	}
}

// Where only the cache may answer, nobody is asked; there is no cache yet, so that is a miss.
func TestRunCacheOnly(t *testing.T) {
	q := query(t, evidence.Search, "serper")
	q.Request.Cache.Mode = "only"
	r := &recorder{}
	ran, err := Run(t.Context(), &wire.Client{Transport: reply{200, "{}"}, Now: func() time.Time { return asked }}, r, q)
	if err != nil || len(r.attempts) != 0 || len(r.tries) != 0 || ran.Cache != evidence.Miss {
		t.Fatalf("Run = %+v, %v with %d attempts, want a miss with none", ran, err, len(r.attempts))
	}
	want := []evidence.CandidateDecision{{Provider: "serper", Position: 1, Decision: "not_attempted", ReasonCode: "provider_unavailable"}}
	if diff := cmp.Diff(want, ran.Receipt.CandidateDecisions); diff != "" || ran.Receipt.FallbackReason != "none" || *ran.Budget.Used.MaxProviderAttempts != 0 {
		t.Errorf("receipt %+v (-want +got):\n%s", ran.Receipt, diff)
	}
}

func TestRunExtract(t *testing.T) {
	const a, b = `{"text":"A","title":null,"date":null,"url":"https://port.example/a"}`, `{"text":"B","title":null,"date":null,"url":"https://port.example/b"}`
	for _, tt := range []struct {
		name, documents string
		outcome         evidence.Outcome
	}{
		{"all", a + "," + b, "success"},
		{"one missing", a, "partial"},
		{"none", "", "failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := query(t, evidence.Extract, "local")
			q.Origin = evidence.OriginLocal
			ran, r := run(t, reply{0, `{"documents":[` + tt.documents + `]}`}, q)
			if got := r.attempts[0].Outcome; got != tt.outcome {
				t.Errorf("outcome = %s, want %s", got, tt.outcome)
			}
			if *ran.Limits.MaxURLs != 10 || *ran.Limits.MaxContextChars != 60000 || ran.Limits.MaxResults != nil {
				t.Errorf("limits = %+v", ran.Limits)
			}
		})
	}
}

func TestCandidates(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name     string
		routing  evidence.Routing
		want     []string
		capacity evidence.Capability
	}{
		{"local alone", evidence.Routing{Provider: "local"}, []string{"local"}, evidence.Search},
		{"local in spite of fallback", evidence.Routing{Provider: "local", AllowFallback: &yes}, []string{"local"}, evidence.Extract},
		{"named", evidence.Routing{Provider: "serper"}, []string{"serper"}, evidence.Search},
		{"named without fallback", evidence.Routing{Provider: "serper", AllowFallback: &no}, []string{"serper"}, evidence.Extract},
		{"named with fallback", evidence.Routing{Provider: "serper", AllowFallback: &yes}, nil, evidence.Search},
		{"an extraction falls back by itself", evidence.Routing{Provider: "serper"}, nil, evidence.Extract},
		{"automatic", evidence.Routing{}, nil, evidence.Search},
	} {
		got, err := Candidates(evidence.Request{Capability: tt.capacity, Routing: tt.routing})
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != (tt.want == nil) {
			t.Errorf("%s: Candidates = %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
}

func TestRunUnknownProvider(t *testing.T) {
	_, err := Run(t.Context(), &wire.Client{Transport: reply{}, Now: func() time.Time { return asked }}, &recorder{}, query(t, evidence.Search, "nobody"))
	if err == nil {
		t.Error("an unknown provider was asked")
	}
}

// The order of candidates, what became of each, and what the receipt makes of it (contract section 2.10).
func TestReceipt(t *testing.T) {
	quota, open, blocked, auth, other := "quota_blocked", "circuit_open", "budget_blocked", "auth_blocked", "disabled"
	s := func(id string, outcome evidence.Outcome, items int, skip *string) Settled {
		return Settled{Provider: id, AttemptID: "attempt_" + id, Outcome: outcome, Items: items, SkipReason: skip}
	}
	for _, tt := range []struct {
		name      string
		settled   []Settled
		selected  string
		fallback  string
		decisions []string
	}{
		{"first", []Settled{s("a", "success", 3, nil), s("b", "skipped", 0, &other)}, "a", "none",
			[]string{"selected classic_selected", "skipped provider_unavailable"}},
		{"after a failure", []Settled{s("a", "failed", 0, nil), s("b", "success", 1, nil)}, "b", "selected_failed",
			[]string{"attempted_failed attempt_failed", "selected fallback_selected"}},
		{"after a skip", []Settled{s("a", "skipped", 0, &quota), s("b", "partial", 1, nil)}, "b", "selected_skipped",
			[]string{"skipped blocked_quota", "selected fallback_selected"}},
		{"failure before skip counts", []Settled{s("a", "skipped", 0, &open), s("b", "cancelled", 0, nil), s("c", "success", 1, nil)}, "c", "selected_failed",
			[]string{"skipped circuit_open", "attempted_failed attempt_failed", "selected fallback_selected"}},
		{"no results before failure counts", []Settled{s("a", "failed", 0, nil), s("b", "success", 0, nil), s("c", "success", 1, nil)}, "c", "insufficient_results",
			[]string{"attempted_failed attempt_failed", "attempted_no_selection insufficient_results", "selected fallback_selected"}},
		{"all failed", []Settled{s("a", "skipped", 0, &blocked), s("b", "skipped", 0, &auth)}, "", "selected_failed",
			[]string{"skipped budget_denied", "skipped blocked_auth"}},
		{"nothing found", []Settled{s("a", "success", 0, nil)}, "", "none", []string{"attempted_no_selection insufficient_results"}},
		{"nobody", nil, "", "none", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Receipt([]string{"x"}, tt.settled)
			selected := ""
			if got.SelectedProvider != nil {
				selected = *got.SelectedProvider
			}
			var decisions []string
			for i, d := range got.CandidateDecisions {
				decisions = append(decisions, d.Decision+" "+d.ReasonCode)
				if d.Position != i+1 || *d.AttemptID != tt.settled[i].AttemptID || d.Provider != tt.settled[i].Provider {
					t.Errorf("decision %d = %+v", i, d)
				}
			}
			if selected != tt.selected || got.FallbackReason != tt.fallback || !cmp.Equal(decisions, tt.decisions) {
				t.Errorf("Receipt = %q %q %q, want %q %q %q", selected, got.FallbackReason, decisions, tt.selected, tt.fallback, tt.decisions)
			}
			if got.PolicyRevision != "routing-v2" || got.CandidateDecisions == nil || got.CacheOrigin != nil {
				t.Errorf("receipt = %+v", got)
			}
		})
	}
}

func TestRecordingFault(t *testing.T) {
	full := errors.New("disk full")
	_, err := Run(t.Context(), &wire.Client{Transport: reply{200, "{}"}, Now: func() time.Time { return asked }}, fullDisk{full}, query(t, evidence.Search, "serper"))
	if !errors.Is(err, full) {
		t.Errorf("Run = %v, want the fault of the disk", err)
	}
}

type fullDisk struct{ err error }

func (d fullDisk) RecordTry(string, evidence.TryRecord) error         { return d.err }
func (d fullDisk) RecordOutcome(string, evidence.TryRecord) error     { return d.err }
func (d fullDisk) RecordAttempt(string, evidence.AttemptRecord) error { return d.err }
