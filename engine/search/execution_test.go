package search

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
	"casebook/engine/provider"
	"casebook/engine/wire"
)

// watching is a transport that keeps the last request.
type watching struct {
	reply
	last wire.Request
}

func (w *watching) Send(ctx context.Context, r wire.Request) (wire.Reply, error) {
	w.last = r
	return w.reply.Send(ctx, r)
}

func TestRunSendsTheKeyOfItsProvider(t *testing.T) {
	q := query(t, evidence.Search, "serper")
	q.Key = func(name string) string { return "key in " + name }
	transport := &watching{reply: reply{200, `{"organic":[]}`}}
	run(t, transport, q)
	if got := transport.last.Header["x-api-key"]; got != "key in SERPER_API_KEY" {
		t.Errorf("x-api-key = %q, want the key of serper", got)
	}
}

func TestRunTakesTime(t *testing.T) {
	now, r := asked, &recorder{}
	clock := func() time.Time { now = now.Add(7 * time.Millisecond); return now }
	if _, err := Run(t.Context(), &wire.Client{Transport: reply{200, `{"organic":[]}`}, Now: clock}, r, query(t, evidence.Search, "serper")); err != nil {
		t.Fatal(err)
	}
	// The clock is looked at four times: as the attempt begins and ends, and as its try does.
	if a := r.attempts[0]; a.StartedAt != "2026-03-01T10:00:00.007Z" || a.DurationMS != 21 || r.tries[0].DurationMS != 7 {
		t.Errorf("attempt from %s for %d ms, try for %d ms, want 21 and 7", a.StartedAt, a.DurationMS, r.tries[0].DurationMS)
	}
}

func TestSkippedAttemptReservesNothing(t *testing.T) {
	q := query(t, evidence.Search, "serper")
	q.Key = func(string) string { return "" }
	_, r := run(t, reply{}, q)
	if got := r.attempts[0].BudgetDecision; got != "unknown" {
		t.Errorf("budget_decision = %q, want unknown", got)
	}
}

// The whole receipt of a search that one candidate served.
func TestReceiptWhole(t *testing.T) {
	attempt, served := serperAttempt, "serper"
	ran, _ := run(t, reply{200, `{"organic":[{"title":"T","link":"https://a.example/","snippet":"s"}]}`}, query(t, evidence.Search, "serper"))
	want := evidence.Receipt{
		PolicyID: "classic", PolicyRevision: "routing-v2", Mode: "classic", CandidateOrder: []string{"serper"}, SelectedProvider: &served,
		FallbackReason: "none", Completion: &evidence.Completion{
			Authority: "classic", ExecutionScope: "current", CandidateDecisions: []evidence.CandidateDecision{
				{Provider: "serper", Position: 1, Decision: "selected", ReasonCode: "classic_selected", AttemptID: &attempt},
			},
		},
	}
	if diff := cmp.Diff(want, ran.Receipt); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
}

// A skipped attempt without a reason, as other software may list one.
func TestReceiptOfASkipWithoutReason(t *testing.T) {
	got := Receipt([]string{"a"}, []Settled{{Provider: "a", AttemptID: "attempt_a", Outcome: evidence.OutcomeSkipped}})
	if d := got.CandidateDecisions[0]; d.Decision != "skipped" || d.ReasonCode != "provider_unavailable" {
		t.Errorf("decision = %+v", d)
	}
}

func TestRunRefusesOptionsThatAreNone(t *testing.T) {
	q := query(t, evidence.Search, "serper")
	q.Policy.Options = map[string]json.RawMessage{"serper": json.RawMessage(`{"base_url":1}`)}
	r := &recorder{}
	if _, err := Run(t.Context(), &wire.Client{Transport: reply{}, Now: func() time.Time { return asked }}, r, q); err == nil || len(r.tries) != 0 {
		t.Errorf("Run = %v after %d tries, want an error and none", err, len(r.tries))
	}
	q = query(t, evidence.Search, "serper")
	q.Request.Routing = evidence.Routing{}
	if _, err := Run(t.Context(), nil, r, q); err == nil || len(r.attempts) != 0 {
		t.Errorf("Run without a candidate = %v", err)
	}
}

// Once a candidate has replied the others are listed and not asked.
func TestSkipReason(t *testing.T) {
	for outcome, want := range map[evidence.Outcome]string{
		evidence.OutcomeSuccess: "policy_excluded", evidence.OutcomePartial: "policy_excluded",
		evidence.OutcomeFailed: "", evidence.OutcomeSkipped: "", evidence.OutcomeCancelled: "",
	} {
		x := execution{settled: []Settled{{Outcome: evidence.OutcomeFailed}, {Outcome: outcome}}}
		if got := x.skipReason(provider.Provider{}); got != want {
			t.Errorf("after %s: skip reason %q, want %q", outcome, got, want)
		}
	}
}

func TestAttemptError(t *testing.T) {
	status, wait := 429, int64(7500)
	seconds := json.Number("7")
	want := &evidence.Error{
		ErrorClass: "rate_limit", Code: "wsp.provider.rate_limit", Message: provider.FaultMessage("wsp.provider.rate_limit"), Retryable: true,
		Provider: "alpha", HTTPStatus: &status, RetryAfterSeconds: &seconds,
	}
	got := attemptError("alpha", &evidence.TryFault{ErrorClass: "rate_limit", Code: "wsp.provider.rate_limit", Retryable: true, HTTPStatus: &status, RetryAfterMS: &wait})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}
