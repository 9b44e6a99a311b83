package evidence_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/projection"
)

const (
	now      = "2026-03-01T10:00:00Z"
	attemptA = "attempt_0001aaaaaaaaaaaa"
	attemptB = "attempt_0002bbbbbbbbbbbb"
	attemptC = "attempt_0003cccccccccccc"
	attemptD = "attempt_0004dddddddddddd"
)

// registry knows the providers of the responses below.
func registry(provider string) (evidence.ProviderRules, bool) {
	endpoints := []string{provider + ":search", provider + ":extract"}
	switch provider {
	case "serper":
		return evidence.ProviderRules{Endpoints: endpoints, Fields: []string{"position", "source", "tags", "score"}}, true
	case "brave", "tavily", "linkup":
		return evidence.ProviderRules{Endpoints: endpoints}, true
	}
	return evidence.ProviderRules{}, false
}

var known = evidence.ValidateOptions{Registry: registry}

func ptr[T any](v T) *T { return &v }

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// found makes the observation of a search.
func found(attempt, provider string, index int, url, snippet string) evidence.Observation {
	return evidence.Observation{
		ObservationID: evidence.ObservationID(attempt, index), ProviderAttemptID: attempt, ProviderResultIndex: index,
		Provider: provider, EndpointID: provider + ":search", Kind: evidence.SearchResult,
		URL:   evidence.URL{Observed: url, Canonical: evidence.CanonicalURL(url, false)},
		Title: ptr("Page " + url), Snippet: &snippet, ProviderRank: ptr(index + 1), ProviderFields: map[string]json.RawMessage{},
	}
}

// document makes the observation of an extraction.
func document(attempt, provider string, index int, url, text string) evidence.Observation {
	o := found(attempt, provider, index, url, "")
	o.EndpointID, o.Kind = provider+":extract", evidence.ExtractedDocument
	o.Title, o.Snippet, o.Text = nil, nil, &text
	return o
}

func attempted(id, provider string, capability evidence.Capability, outcome evidence.Outcome, tries ...evidence.Try) evidence.Attempt {
	return evidence.Attempt{
		AttemptID: id, Provider: provider, EndpointID: provider + ":" + string(capability), Capability: capability,
		Decision: evidence.Attempted, Outcome: outcome, Tries: tries, RetryCount: len(tries) - 1,
		CircuitStateBefore: "closed", CircuitStateAfter: "closed", StartedAt: now, DurationMS: ptr(int64(7)), BudgetDecision: "reserved",
	}
}

func skipped(id, provider string, capability evidence.Capability, reason string) evidence.Attempt {
	a := attempted(id, provider, capability, evidence.OutcomeSkipped)
	a.Decision, a.SkipReason, a.Tries, a.RetryCount, a.BudgetDecision = evidence.Skipped, reason, []evidence.Try{}, 0, "unknown"
	return a
}

func tried(number int) evidence.Try {
	return evidence.Try{TryNumber: number, StartedAt: now, DurationMS: 5, Outcome: evidence.TrySuccess}
}

func failedTry(number int) evidence.Try {
	return evidence.Try{TryNumber: number, StartedAt: now, DurationMS: 5, Outcome: evidence.TryError, Error: &evidence.TryFault{
		ErrorClass: "transient", Code: "wsp.provider.transient", HTTPStatus: ptr(503), Retryable: true, RetryAfterMS: ptr(int64(0)),
	}}
}

func failure() *evidence.Error {
	return &evidence.Error{
		ErrorClass: "transient", Code: "wsp.provider.transient", Message: "temporarily unavailable", Retryable: true,
		Provider: "serper", HTTPStatus: ptr(503), RetryAfterSeconds: ptr(json.Number("0.5")), Details: raw(`{"provider_code":"E7"}`),
	}
}

func decided(provider string, position int, decision, reason, attempt string) evidence.CandidateDecision {
	d := evidence.CandidateDecision{Provider: provider, Position: position, Decision: decision, ReasonCode: reason}
	if attempt != "" {
		d.AttemptID = &attempt
	}
	return d
}

func receipt(selected, fallback string, decisions ...evidence.CandidateDecision) evidence.Receipt {
	r := evidence.Receipt{
		PolicyID: "classic", PolicyRevision: "routing-v2", Mode: "classic", CandidateOrder: []string{}, FallbackReason: fallback,
		Completion: &evidence.Completion{Authority: "classic", ExecutionScope: "current", CandidateDecisions: []evidence.CandidateDecision{}},
	}
	if selected != "" {
		r.SelectedProvider = &selected
	}
	for _, d := range decisions {
		r.CandidateOrder = append(r.CandidateOrder, d.Provider)
		r.CandidateDecisions = append(r.CandidateDecisions, d)
	}
	return r
}

// assemble projects the observations and fills in what every response has.
func assemble(r evidence.Response, in projection.Input) *evidence.Response {
	out := projection.Project(in)
	r.ContractVersion, r.Capability = evidence.ContractVersion, in.Request.Capability
	r.ExecutionID = "exec_00000000000000000000000000000001"
	if r.RequestID == "" {
		r.RequestID = r.ExecutionID
	}
	r.Results, r.Observations, r.PolicyActions = out.Results, out.Observations, out.Actions
	r.SourceDiversity, r.DedupClusters = out.Diversity, out.Clusters
	if r.ProviderAttempts == nil {
		r.ProviderAttempts = []evidence.Attempt{}
	}
	if r.Warnings == nil {
		r.Warnings = []evidence.Warning{}
	}
	if in.Request.Capability == evidence.Search {
		r.LimitsApplied.MaxResults = ptr(in.Request.MaxResults())
	}
	return &r
}

func searchFor(query string, max int) evidence.Request {
	return evidence.Request{
		ContractVersion: "3.0", Capability: evidence.Search, Input: evidence.Input{Query: query},
		Options: evidence.Options{MaxResults: &max},
	}
}

// research is a search that holds every policy pair, an aggregate with a cut fragment, a retry, a skip, a
// cancelled attempt, fields, a score, a date, an engine and a shadow.
func research() *evidence.Response {
	long := strings.Repeat("ä", 590)
	scored := found(attemptA, "serper", 0, "https://a.example/1", long)
	scored.ProviderScore = &evidence.Score{Value: "0.75", Semantics: evidence.ProviderLocalRelevance}
	scored.PublishedAt = evidence.NewDate("2026-01-05T00:00:00Z")
	scored.ProviderFields["serper"] = raw(`{"position":1,"source":null,"tags":["x","y"]}`)
	in := projection.Input{
		Request: searchFor("official docs for x", 4), Quality: evidence.DefaultQuality(), Order: []string{attemptA, attemptB},
		Observations: []evidence.Observation{
			scored,
			found(attemptB, "brave", 0, "https://a.example/1?utm_source=b", strings.Repeat("b", 100)),
			found(attemptA, "serper", 1, "https://newbedev.com/x", "copied"),
			found(attemptA, "serper", 2, "https://a.example/2", "two"),
			found(attemptA, "serper", 3, "https://a.example/3", "three"),
			found(attemptB, "brave", 4, "https://docs.example.org/x", ""),
			found(attemptB, "brave", 5, "https://medium.com/x", "late"),
		},
	}
	r := evidence.Response{
		RequestID: "case-1", Status: evidence.StatusDegraded,
		Engine: &evidence.Engine{Name: "casebook", Version: "1", BuildCommit: "abc"},
		ProviderAttempts: []evidence.Attempt{
			attempted(attemptA, "serper", evidence.Search, evidence.OutcomeSuccess, failedTry(1), tried(2)),
			attempted(attemptB, "brave", evidence.Search, evidence.OutcomePartial, tried(1)),
			skipped(attemptC, "tavily", evidence.Search, "missing_credentials"),
			attempted(attemptD, "linkup", evidence.Search, evidence.OutcomeCancelled, failedTry(1)),
		},
		RoutingReceipt: receipt("", "none",
			decided("serper", 1, "attempted_no_selection", "insufficient_results", attemptA),
			decided("brave", 2, "attempted_no_selection", "insufficient_results", attemptB),
			decided("tavily", 3, "skipped", "provider_unavailable", attemptC),
			decided("linkup", 4, "attempted_failed", "attempt_failed", attemptD)),
		CacheStatus: evidence.CacheStatus{Disposition: evidence.Bypassed},
		Warnings:    []evidence.Warning{{Code: evidence.CodeBudgetLimited, Message: "time ran out", Details: raw(`{"left":1}`)}},
	}
	r.ProviderAttempts[3].Error = failure()
	r.RoutingReceipt.ShadowObservation = &evidence.ShadowObservation{
		Observed: true, PolicyID: "p", PolicyRevision: "1", SelectedProvider: ptr("brave"),
		ShadowExtension: &evidence.ShadowExtension{ShadowProvider: ptr("brave"), Agreement: false},
	}
	return assemble(r, in)
}

// extraction is served by its second candidate, has omitted URLs and a text that was cut.
func extraction() *evidence.Response {
	in := projection.Input{
		Request: evidence.Request{
			ContractVersion: "3.0", Capability: evidence.Extract, RequestID: "case-2",
			Input:   evidence.Input{URLs: []string{"https://a.example/1", "https://a.example/2", "https://a.example/3"}},
			Options: evidence.Options{MaxURLs: ptr(2), MaxContextChars: ptr(1000)},
		},
		Quality: evidence.DefaultQuality(), Order: []string{attemptB},
		Observations: []evidence.Observation{
			document(attemptB, "tavily", 0, "https://a.example/1", strings.Repeat("é\n", 750)),
			document(attemptB, "tavily", 1, "https://a.example/2", "short"),
		},
	}
	r := evidence.Response{
		RequestID: "case-2", Status: evidence.StatusDegraded,
		ProviderAttempts: []evidence.Attempt{
			attempted(attemptA, "linkup", evidence.Extract, evidence.OutcomeFailed, failedTry(1), failedTry(2)),
			attempted(attemptB, "tavily", evidence.Extract, evidence.OutcomeSuccess, tried(1)),
		},
		RoutingReceipt: receipt("tavily", "selected_failed",
			decided("linkup", 1, "attempted_failed", "attempt_failed", attemptA),
			decided("tavily", 2, "selected", "fallback_selected", attemptB),
			decided("serper", 3, "not_attempted", "not_attempted_after_success", "")),
		CacheStatus: evidence.CacheStatus{Disposition: evidence.Miss, WriteError: "write_failed"},
		Warnings: []evidence.Warning{
			{Code: evidence.CodeURLsOmitted, Message: "1 URL is beyond the cap"},
			{Code: evidence.CodeContentTruncated, Message: "text was cut"},
		},
		StoredContent: raw(`[{"full_text_chars":null,"full_text_sha256":null,"observation_id":"` + evidence.ObservationID(attemptB, 0) +
			`","reference":null,"storage_attempted":true,"storage_succeeded":false}]`),
	}
	r.ProviderAttempts[0].Error = failure()
	r.LimitsApplied.Extract = &evidence.ExtractLimits{
		RequestedURLCount: 3, ProcessedURLs: in.Request.Input.URLs[:2], OmittedURLs: in.Request.Input.URLs[2:], OmittedURLCount: 1,
		MaxURLs: 2, MaxContextChars: 1000, ContextCharsReturned: 1000, Truncated: true,
	}
	return assemble(r, in)
}

func cached(disposition evidence.CacheDisposition) evidence.CacheStatus {
	return evidence.CacheStatus{
		Disposition: disposition, EntryID: "search_1", AgeSeconds: ptr(int64(9000)), TTLSeconds: ptr(int64(3600)),
		ServedStale: ptr(disposition == evidence.StaleHit), SourceContractVersion: "3.0", OriginExecutionID: "exec_origin",
	}
}

func cachedInput() projection.Input {
	return projection.Input{
		Request: searchFor("x", 5), Quality: evidence.DefaultQuality(), Order: []string{"attempt_origin"},
		Observations: []evidence.Observation{found("attempt_origin", "serper", 0, "https://a.example/1", "kept")},
	}
}

func cacheReceipt() evidence.Receipt {
	r := receipt("", "none")
	r.CacheOrigin = &evidence.CacheOrigin{
		ExecutionID: "exec_origin", PolicyID: "classic", PolicyRevision: "routing-v2", CandidateOrder: []string{"brave", "serper"},
		SelectedProvider: ptr("serper"), FallbackReason: "selected_failed",
		CandidateDecisions: []evidence.CandidateDecision{decided("serper", 2, "origin_selected", "cache_origin_selected", "")},
	}
	return r
}

func freshHit() *evidence.Response {
	return assemble(evidence.Response{Status: evidence.StatusOK, RoutingReceipt: cacheReceipt(), CacheStatus: cached(evidence.FreshHit)}, cachedInput())
}

func staleHit() *evidence.Response {
	r := evidence.Response{
		Status: evidence.StatusDegraded, RoutingReceipt: cacheReceipt(), CacheStatus: cached(evidence.StaleHit),
		ProviderAttempts: []evidence.Attempt{attempted(attemptA, "serper", evidence.Search, evidence.OutcomeFailed, failedTry(1))},
		Warnings:         []evidence.Warning{{Code: evidence.CodeServedStale, Message: "served from the cache"}},
	}
	r.ProviderAttempts[0].Error = failure()
	return assemble(r, cachedInput())
}

func legacyHit() *evidence.Response {
	in := cachedInput()
	in.Observations[0].ObservationID, in.Observations[0].ProviderAttemptID = "obs_legacy_0", "attempt_legacy_cache"
	r := evidence.Response{
		Status:         evidence.StatusOK,
		RoutingReceipt: receipt("", "none", decided("serper", 1, "not_attempted", "provider_unavailable", "")),
		CacheStatus:    cached(evidence.FreshHit),
		Warnings:       []evidence.Warning{{Code: evidence.CodeLegacyDropped, Reason: "LEGACY_FIELD_DROPPED"}},
	}
	r.CacheStatus.SourceContractVersion, r.CacheStatus.OriginExecutionID = "2.x", ""
	return assemble(r, in)
}

func totalFailure() *evidence.Response {
	r := evidence.Response{
		Status: evidence.StatusFailed, Error: failure(),
		ProviderAttempts: []evidence.Attempt{
			attempted(attemptA, "serper", evidence.Search, evidence.OutcomeFailed, failedTry(1), failedTry(2)),
			skipped(attemptB, "brave", evidence.Search, "circuit_open"),
		},
		RoutingReceipt: receipt("", "selected_failed",
			decided("serper", 1, "attempted_failed", "attempt_failed", attemptA),
			decided("brave", 2, "skipped", "circuit_open", attemptB)),
		CacheStatus: evidence.CacheStatus{Disposition: evidence.Miss},
	}
	r.ProviderAttempts[0].Error = failure()
	r.Error.Details = nil
	return assemble(r, projection.Input{Request: searchFor("x", 5)})
}

// minimal is the response of contract 2.15.
func minimal() *evidence.Response {
	data, err := os.ReadFile(filepath.Join("testdata", "minimal_response.json"))
	if err != nil {
		panic(err)
	}
	r := new(evidence.Response)
	if err := canon.Decode(data, r); err != nil {
		panic(err)
	}
	return r
}

// responses are valid, and together hold whatever a response can hold.
func responses() map[string]func() *evidence.Response {
	return map[string]func() *evidence.Response{
		"minimal": minimal, "research": research, "extraction": extraction, "fresh hit": freshHit, "stale hit": staleHit,
		"legacy hit": legacyHit, "total failure": totalFailure,
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := canon.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
