// Package search executes one request of the source-only engine: who is a candidate, who was asked and what became
// of it.
//
// A [Query] goes in, with the policy in force; attempts and tries go to a [Recorder] as they happen, each try before
// its bytes are parsed. What comes out is the receipt and the use of the budget. What the replies hold is not
// returned: observations are derived from the recordings, after redaction, by whoever publishes them.
package search

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"casebook/engine/evidence"
	"casebook/engine/provider"
	"casebook/engine/wire"
)

// Recorder stores attempts beside their tries.
type Recorder interface {
	wire.Recorder
	RecordAttempt(folder string, attempt evidence.AttemptRecord) error
}

// Query is one execution to be made.
type Query struct {
	Request     evidence.Request // normalized
	ExecutionID string
	Policy      evidence.Policy
	Origin      string              // of its tries
	Key         func(string) string // gives the key in the named environment variable, "" for none
}

// Ran is what an execution leaves beside its attempts.
type Ran struct {
	Receipt evidence.Receipt
	Budget  evidence.BudgetUse
	Limits  evidence.ExecutionLimit
	// Cache is what the cache did: there is none yet, so it is passed by, or has nothing where nobody else may be asked.
	Cache evidence.CacheDisposition
}

// Run asks the candidates in order until one replies. The error is of recording or of a request that no candidate
// can be found for; failed attempts are no error.
func Run(ctx context.Context, client *wire.Client, recorder Recorder, q Query) (Ran, error) {
	order, err := Candidates(q.Request)
	if err != nil {
		return Ran{}, err
	}
	if q.Request.Cache.Mode == "only" {
		return Ran{Receipt: Unasked(order), Budget: (&execution{query: q}).budget(), Limits: limits(q), Cache: evidence.Miss}, nil
	}
	run := execution{client: client, recorder: recorder, query: q}
	for i, id := range order {
		if err := run.attempt(ctx, i+1, id); err != nil {
			return Ran{}, err
		}
	}
	return Ran{Receipt: Receipt(order, run.settled), Budget: run.budget(), Limits: limits(q), Cache: evidence.Bypassed}, nil
}

// execution is one Run at work.
type execution struct {
	client   *wire.Client
	recorder Recorder
	query    Query
	settled  []Settled
	tries    int
}

func (x *execution) attempt(ctx context.Context, position int, id string) error {
	p, endpoint, err := provider.Select(id, x.query.Request.Capability)
	if err != nil {
		return err
	}
	folder := evidence.AttemptFolder(position)
	started := x.client.Now()
	record := evidence.AttemptRecord{
		Format:    evidence.AttemptFormat,
		AttemptID: evidence.AttemptID(x.query.ExecutionID, position, id, x.query.Request.Capability),
		Provider:  id, EndpointID: provider.EndpointID(p, endpoint), Capability: x.query.Request.Capability,
		Decision: evidence.Attempted, StartedAt: wire.FormatTime(started),
		CircuitStateBefore: "closed", CircuitStateAfter: "closed", BudgetDecision: "reserved", Tries: []string{},
	}
	settled := Settled{Provider: id, AttemptID: record.AttemptID}
	if reason := x.skipReason(p); reason != "" {
		record.Decision, record.Outcome, record.SkipReason = evidence.Skipped, evidence.OutcomeSkipped, &reason
		record.BudgetDecision = "unknown"
	} else {
		settled.Items, err = x.ask(ctx, folder, &record, provider.Source{Provider: p, Endpoint: endpoint})
		if err != nil {
			return err
		}
	}
	record.DurationMS = x.since(started)
	settled.Outcome, settled.SkipReason = record.Outcome, record.SkipReason
	x.settled = append(x.settled, settled)
	return x.recorder.RecordAttempt(folder, record)
}

func (x *execution) skipReason(p provider.Provider) string {
	for _, s := range x.settled {
		if s.Outcome == evidence.OutcomeSuccess || s.Outcome == evidence.OutcomePartial {
			return "policy_excluded"
		}
	}
	if p.KeyEnv != "" && x.query.Key(p.KeyEnv) == "" {
		return "missing_credentials"
	}
	return ""
}

// ask sends the request of one attempt and settles its outcome; it returns how many items came.
func (x *execution) ask(ctx context.Context, folder string, record *evidence.AttemptRecord, source provider.Source) (int, error) {
	query, err := source.Provider.Query(x.query.Request, x.query.Policy)
	if err != nil {
		return 0, err
	}
	if source.Provider.KeyEnv != "" {
		query.Key = x.query.Key(source.Provider.KeyEnv)
	}
	request, err := source.Endpoint.Build(query)
	if err != nil {
		return 0, fmt.Errorf("provider %s: %w", source.Provider.ID, err)
	}
	var items []provider.Item
	exchange, err := x.client.Do(ctx, wire.Call{
		Endpoint: wire.Endpoint{
			ID: record.EndpointID, Origin: x.query.Origin,
			Gate: func(r wire.Request) error { return provider.CheckOutbound(source.Provider.ID, r) },
		},
		AttemptID: record.AttemptID, Folder: folder, Request: request,
		Read: func(reply wire.Reply) (fault *evidence.TryFault) {
			items, fault = source.Read(reply.Body, query.URLs)
			return fault
		},
	}, x.recorder)
	if err != nil {
		return 0, err
	}
	x.tries += len(exchange.Tries)
	for i := range exchange.Tries {
		record.Tries = append(record.Tries, evidence.TryStem(i+1))
	}
	switch {
	case exchange.Fault != nil:
		record.Outcome, record.Error = evidence.OutcomeFailed, attemptError(source.Provider.ID, exchange.Fault)
	case record.Capability == evidence.Extract && len(provider.Missing(query.URLs, items)) > 0:
		record.Outcome = evidence.OutcomePartial
	default:
		record.Outcome = evidence.OutcomeSuccess
	}
	return len(items), nil
}

func (x *execution) since(started time.Time) int64 { return x.client.Now().Sub(started).Milliseconds() }

func (x *execution) budget() evidence.BudgetUse {
	asked := x.query.Request.Budget
	allowed := x.query.Policy.Limits.MaxProviderAttempts
	if asked.MaxProviderAttempts != nil {
		allowed = *asked.MaxProviderAttempts
	}
	return evidence.BudgetUse{
		Asked: asked, Clamped: evidence.Budget{MaxProviderAttempts: &allowed}, Used: evidence.Budget{MaxProviderAttempts: &x.tries},
	}
}

func limits(q Query) evidence.ExecutionLimit {
	if q.Request.Capability == evidence.Search {
		n := q.Request.MaxResults()
		return evidence.ExecutionLimit{MaxResults: &n}
	}
	urls := q.Request.MaxURLs(q.Policy.Limits.MaxURLs)
	chars := q.Request.MaxContextChars(q.Policy.Limits.MaxContextChars)
	return evidence.ExecutionLimit{MaxURLs: &urls, MaxContextChars: &chars}
}

// attemptError words a fault for the response; upstream text is never copied.
func attemptError(id string, fault *evidence.TryFault) *evidence.Error {
	e := &evidence.Error{
		ErrorClass: fault.ErrorClass, Code: fault.Code, Message: provider.FaultMessage(fault.Code), Retryable: fault.Retryable,
		Provider: id, HTTPStatus: fault.HTTPStatus,
	}
	if fault.RetryAfterMS != nil {
		seconds := json.Number(fmt.Sprint(*fault.RetryAfterMS / 1000))
		e.RetryAfterSeconds = &seconds
	}
	return e
}
