// Package derive computes what follows from recordings.
//
// [Response] turns one recording into the response of its step: replies are decoded into observations, these are
// projected into results, and the receipt of the attempts is told. It is a pure function: equal recordings give equal
// bytes on every machine, whoever holds them and whenever. Recordings that were redacted give evidence about the
// redacted bytes, so every public offset and digest holds on what is public.
package derive

import (
	"fmt"
	"slices"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/projection"
	"casebook/engine/provider"
)

// Response derives the response of a step of kind search or extract.
func Response(r *evidence.Recording) (*evidence.Response, error) {
	var request evidence.Request
	if err := canon.Decode(r.Request.Request, &request); err != nil {
		return nil, fmt.Errorf("step %s: request: %w", r.Step, err)
	}
	request = request.Normalized() // as the execution did before it asked
	decoded, err := decode(r, request)
	if err != nil {
		return nil, fmt.Errorf("step %s: %w", r.Step, err)
	}
	policy := r.Execution.Policy
	projected := projection.Project(projection.Input{
		Request: request, Quality: policy.Quality, Limits: r.Execution.Limits,
		Order: decoded.order, Observations: decoded.observations,
	})
	provider.BoundFields(projected.Observations)
	response := &evidence.Response{
		ContractVersion: evidence.ContractVersion, RequestID: r.Execution.RequestID, ExecutionID: r.Execution.ExecutionID,
		Capability: request.Capability, Results: projected.Results, Observations: projected.Observations,
		PolicyActions: projected.Actions, SourceDiversity: projected.Diversity, Engine: &r.Execution.Engine,
		ProviderAttempts: decoded.attempts, RoutingReceipt: r.Execution.RoutingReceipt, CacheStatus: r.Execution.CacheStatus,
		LimitsApplied: limits(request, policy, projected), DedupClusters: projected.Clusters,
		Warnings: warnings(r, request, decoded, projected),
	}
	response.Status, response.Error = outcome(response, decoded)
	rules := provider.Rules()
	rules.Request = &request
	if faults := response.Validate(rules); len(faults) > 0 {
		return nil, fmt.Errorf("step %s: response breaks the contract: %s", r.Step, faults[0])
	}
	return response, nil
}

// decoded is what the replies of a recording hold.
type decoded struct {
	attempts     []evidence.Attempt
	order        []string // attempt ids in candidate order
	observations []evidence.Observation
	lost         []lostItem
	missing      []missingURLs
	errors       []*evidence.Error
}

type lostItem struct {
	attempt *evidence.AttemptRecord
	index   int
}

type missingURLs struct {
	attempt *evidence.AttemptRecord
	urls    []string
}

func decode(r *evidence.Recording, request evidence.Request) (*decoded, error) {
	d := &decoded{attempts: []evidence.Attempt{}}
	for i := range r.Attempts {
		recorded := &r.Attempts[i]
		items, err := d.read(recorded, request, r.Execution.Policy)
		if err != nil {
			return nil, fmt.Errorf("attempt %s: %w", recorded.Folder, err)
		}
		d.attempts = append(d.attempts, attempt(recorded, items))
		d.order = append(d.order, recorded.Record.AttemptID)
		if recorded.Record.Error != nil {
			d.errors = append(d.errors, recorded.Record.Error)
		}
	}
	return d, nil
}

// read decodes the last try of an attempt that succeeded and returns how many items the provider returned.
func (d *decoded) read(recorded *evidence.RecordedAttempt, request evidence.Request, policy evidence.Policy) (int, error) {
	record := &recorded.Record
	if record.Outcome != evidence.OutcomeSuccess && record.Outcome != evidence.OutcomePartial {
		return 0, nil
	}
	p, endpoint, err := provider.Select(record.Provider, record.Capability)
	if err != nil {
		return 0, err
	}
	source := provider.Source{Provider: p, Endpoint: endpoint}
	if len(recorded.Tries) == 0 || recorded.Tries[len(recorded.Tries)-1].Body == nil {
		return 0, fmt.Errorf("outcome %s without a reply", record.Outcome)
	}
	last := &recorded.Tries[len(recorded.Tries)-1]
	body, err := last.Body.Data()
	if err != nil {
		return 0, err
	}
	urls, _ := request.ProcessedURLs(policy.Limits.MaxURLs)
	items, fault := source.Read(body, urls)
	if fault != nil {
		return 0, fmt.Errorf("outcome %s, but its reply reads as %s", record.Outcome, fault.Code)
	}
	observed := source.Observe(record.AttemptID, urls, items)
	d.observations = append(d.observations, observed.Observations...)
	for _, index := range observed.WithoutURL {
		d.lost = append(d.lost, lostItem{record, index})
	}
	if record.Capability == evidence.Extract {
		if failed := provider.Missing(urls, items); len(failed) > 0 {
			d.missing = append(d.missing, missingURLs{record, failed})
		}
	}
	return len(items), nil
}

func attempt(recorded *evidence.RecordedAttempt, items int) evidence.Attempt {
	record := recorded.Record
	a := evidence.Attempt{
		AttemptID: record.AttemptID, Provider: record.Provider, EndpointID: record.EndpointID, Capability: record.Capability,
		Decision: record.Decision, Outcome: record.Outcome, Tries: []evidence.Try{}, RetryCount: max(len(recorded.Tries)-1, 0),
		ResultCount: items, CircuitStateBefore: record.CircuitStateBefore, CircuitStateAfter: record.CircuitStateAfter,
		StartedAt: record.StartedAt, DurationMS: &record.DurationMS, BudgetDecision: record.BudgetDecision, Error: record.Error,
	}
	if record.SkipReason != nil {
		a.SkipReason = *record.SkipReason
	}
	for _, t := range recorded.Tries {
		a.Tries = append(a.Tries, evidence.Try{
			TryNumber: t.TryNumber, StartedAt: t.StartedAt, DurationMS: t.DurationMS, Outcome: t.Outcome, Error: t.Error,
		})
	}
	return a
}

func limits(request evidence.Request, policy evidence.Policy, projected projection.Output) evidence.Limits {
	if request.Capability == evidence.Search {
		n := request.MaxResults()
		return evidence.Limits{MaxResults: &n}
	}
	processed, omitted := request.ProcessedURLs(policy.Limits.MaxURLs)
	return evidence.Limits{Extract: &evidence.ExtractLimits{
		RequestedURLCount: len(request.Input.URLs), ProcessedURLs: slices.Clone(processed), OmittedURLs: append([]string{}, omitted...),
		OmittedURLCount: len(omitted), MaxURLs: request.MaxURLs(policy.Limits.MaxURLs),
		MaxContextChars:      request.MaxContextChars(policy.Limits.MaxContextChars),
		ContextCharsReturned: projected.ReturnedChars, Truncated: len(projected.Truncated) > 0,
	}}
}
