package derive

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/search"
)

// The ids of contract section 3.3: the execution, and the attempt of serper at its position 1.
const (
	execution     = "exec_00000000000000000000000000000001"
	serperAttempt = "attempt_0001ebbbb4d95590"
)

// attempted is one attempt of a recording under test.
type attempted struct {
	provider string
	outcome  evidence.Outcome
	reply    string // of its one try, "" for a try without a body
	skip     string // reason of a skipped one
	fault    *evidence.TryFault
	items    int // that the reply holds, for the receipt
}

// fataler is a test, of testing or of rapid.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// recording makes the recording that an execution of these attempts leaves.
func recording(t fataler, request string, attempts ...attempted) *evidence.Recording {
	t.Helper()
	tree, err := canon.Parse([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := canon.Encode(tree)
	if err != nil {
		t.Fatal(err)
	}
	var asked evidence.Request
	if err := canon.Decode(raw, &asked); err != nil {
		t.Fatal(err)
	}
	asked = asked.Normalized()
	policy := evidence.DefaultPolicy(evidence.DefaultQuality())
	r := &evidence.Recording{Step: "find", Request: evidence.RecordedRequest{Format: evidence.RequestFormat, Step: "find", Request: raw}}
	var order []string
	var settled []search.Settled
	for i, a := range attempts {
		recorded := a.record(i+1, asked.Capability)
		r.Attempts = append(r.Attempts, recorded)
		order = append(order, a.provider)
		settled = append(settled, search.Settled{
			Provider: a.provider, AttemptID: recorded.Record.AttemptID, Outcome: a.outcome, SkipReason: recorded.Record.SkipReason, Items: a.items,
		})
	}
	limits := evidence.ExecutionLimit{}
	if asked.Capability == evidence.Search {
		n := asked.MaxResults()
		limits.MaxResults = &n
	} else {
		urls, chars := asked.MaxURLs(policy.Limits.MaxURLs), asked.MaxContextChars(policy.Limits.MaxContextChars)
		limits.MaxURLs, limits.MaxContextChars = &urls, &chars
	}
	r.Execution = evidence.Execution{
		Format: evidence.ExecutionFormat, Step: "find", Mode: evidence.ModeLive, ExecutionID: execution, RequestID: execution,
		RoutingReceipt: search.Receipt(order, settled), CacheStatus: evidence.CacheStatus{Disposition: evidence.Bypassed},
		Policy: policy, Warnings: []evidence.Warning{}, Limits: limits, Engine: evidence.Engine{Name: "casebook", Version: "0.1.0", BuildCommit: "pending"},
		FinishedAt: "2026-03-01T10:00:01Z",
	}
	return r
}

func (a attempted) record(position int, capability evidence.Capability) evidence.RecordedAttempt {
	const started = "2026-03-01T10:00:00Z"
	record := evidence.AttemptRecord{
		Format: evidence.AttemptFormat, AttemptID: evidence.AttemptID(execution, position, a.provider, capability), Provider: a.provider,
		EndpointID: a.provider + ":" + string(capability), Capability: capability, Decision: evidence.Attempted, Outcome: a.outcome,
		StartedAt: started, DurationMS: 210, CircuitStateBefore: "closed", CircuitStateAfter: "closed", BudgetDecision: "reserved", Tries: []string{},
	}
	recorded := evidence.RecordedAttempt{Folder: evidence.AttemptFolder(position)}
	if a.skip != "" {
		record.Decision, record.SkipReason, record.BudgetDecision = evidence.Skipped, &a.skip, "unknown"
		recorded.Record = record
		return recorded
	}
	try := evidence.TryRecord{
		Format: evidence.TryFormat, AttemptID: record.AttemptID, TryNumber: 1, Origin: evidence.OriginAuthored, StartedAt: started,
		DurationMS: 208, Outcome: evidence.TrySuccess,
	}
	if a.reply != "" {
		try.Body = evidence.NewBody([]byte(a.reply))
	}
	if a.fault != nil {
		try.Outcome, try.Error = evidence.TryError, a.fault
		record.Error = &evidence.Error{
			ErrorClass: a.fault.ErrorClass, Code: a.fault.Code, Message: "it went wrong", Retryable: a.fault.Retryable, Provider: a.provider,
		}
	}
	record.Tries = []string{"t01"}
	recorded.Tries, recorded.Record = []evidence.TryRecord{try}, record
	return recorded
}

func respond(t testing.TB, r *evidence.Recording) *evidence.Response {
	t.Helper()
	response, err := Response(r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

const searchRequest = `{"capability":"search","contract_version":"3.0","input":{"query":"harbour"},"routing":{"mode":"fixed","provider":"serper"}}`

func extractRequest(options string, urls ...string) string {
	return fmt.Sprintf(`{"capability":"extract","contract_version":"3.0","input":{"urls":["%s"]},"options":{%s},"routing":{"mode":"fixed","provider":"local"}}`,
		strings.Join(urls, `","`), options)
}

// document is one entry of a reply of the local provider.
func document(url, text string) string {
	return fmt.Sprintf(`{"date":null,"text":%q,"title":null,"url":%q}`, text, url)
}

func documents(all ...string) string { return `{"documents":[` + strings.Join(all, ",") + `]}` }

// The response of contract section 2.15 but for its second candidate: equal request facts give equal ids, digests and
// members. The ids and digests in it were computed by the peer.
func TestResponseOfTheContract(t *testing.T) {
	named := strings.Replace(searchRequest, `"routing"`, `"request_id":"case-7","routing"`, 1)
	r := recording(t, named, attempted{provider: "serper", outcome: "success", items: 1,
		reply: `{"organic":[{"title":"Port policy","link":"https://ports.example/policy","snippet":"Ports below 1024 are reserved.","date":"3 days ago"}]}`})
	r.Execution.RequestID = "case-7"
	response := respond(t, r)
	response.Engine = nil // the contract's example has none
	got, err := canon.Encode(response)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := canon.Parse([]byte(contractResponse))
	if err != nil {
		t.Fatal(err)
	}
	want, err := canon.Encode(tree)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("response (-want +got):\n%s", cmp.Diff(strings.Split(string(want), ","), strings.Split(string(got), ",")))
	}
}

const contractResponse = `{"contract_version":"3.0","request_id":"case-7","execution_id":"exec_00000000000000000000000000000001","capability":"search","status":"ok",
"results":[
  {"result_id":"result_032f7a3a5524ae10","kind":"search_result","engine_rank":1,
   "representative_observation_id":"obs_710c8c4b493da688","observation_ids":["obs_710c8c4b493da688"],
   "dedup_cluster_id":"cluster_03f78f1d3e6a0acb",
   "url":{"observed":"https://ports.example/policy","canonical":"https://ports.example/policy"},
   "title":{"text":"Port policy","text_sha256":"d8de76d0b732e70ba2413f3a07c2e1d6360e6dd907add9241f763cb37a141d1f","origin":"provider","provenance":{"observation_id":"obs_710c8c4b493da688","source_field":"title","transformations":["mechanical_segmentation"]},"segments":[{"start":0,"end":11,"text":"Port policy"}]},
   "snippet":{"text":"Ports below 1024 are reserved.","text_sha256":"fbe5fe467dbc729049e96d6943ee1f906ac94b369b3c9d5538cf86424015b750","origin":"provider","provenance":{"observation_id":"obs_710c8c4b493da688","source_field":"snippet","transformations":["mechanical_segmentation"]},"segments":[{"start":0,"end":30,"text":"Ports below 1024 are reserved."}]},
   "text":null,"source_type":{"value":"other","method":"url_heuristic","method_version":"1","confidence":"low"},
   "fetch_priority":{"tier":"medium","reason_codes":["cluster_single_observation","rank_top_3","source_type_general"]}}],
"observations":[
  {"observation_id":"obs_710c8c4b493da688","provider_attempt_id":"attempt_0001ebbbb4d95590","provider_result_index":0,
   "provider":"serper","endpoint_id":"serper:search","kind":"search_result",
   "url":{"observed":"https://ports.example/policy","canonical":"https://ports.example/policy"},"title":"Port policy",
   "snippet":"Ports below 1024 are reserved.","text":null,"provider_rank":1,"provider_score":null,
   "published_at":{"raw":"3 days ago","normalized":null},"provider_fields":{}}],
"policy_actions":[{"action":"selected_as_representative","observation_id":"obs_710c8c4b493da688","reason":"dedup_representative"}],
"source_diversity":{"method":"component_count","method_version":"1","method_degraded":false,"provider_count":1,"host_count":1,"source_family_count":1,"unique_cluster_count":1},
"provider_attempts":[
  {"attempt_id":"attempt_0001ebbbb4d95590","provider":"serper","endpoint_id":"serper:search","capability":"search",
   "decision":"attempted","outcome":"success","retry_count":0,"result_count":1,"started_at":"2026-03-01T10:00:00Z",
   "duration_ms":210,"budget_decision":"reserved","circuit_state_before":"closed","circuit_state_after":"closed",
   "tries":[{"try_number":1,"started_at":"2026-03-01T10:00:00Z","duration_ms":208,"outcome":"success","error":null}]}],
"routing_receipt":{"policy_id":"classic","policy_revision":"routing-v2","mode":"classic","candidate_order":["serper"],
  "selected_provider":"serper","fallback_reason":"none","authority":"classic","execution_scope":"current",
  "candidate_decisions":[{"provider":"serper","position":1,"decision":"selected","reason_code":"classic_selected","attempt_id":"attempt_0001ebbbb4d95590"}],
  "cache_origin":null,"shadow_observation":null},
"cache_status":{"disposition":"bypassed"},"limits_applied":{"max_results":5},
"dedup_clusters":[{"dedup_cluster_id":"cluster_03f78f1d3e6a0acb","observation_ids":["obs_710c8c4b493da688"],"representative_observation_id":"obs_710c8c4b493da688"}],
"warnings":[]}`

// Items that can't be observations are counted and told, one warning each, after what was recorded.
func TestItemsWithoutURL(t *testing.T) {
	r := recording(t, searchRequest, attempted{provider: "serper", outcome: "success", items: 4, reply: `{"organic":[
		{"title":"lost"},{"title":"B","link":"https://b.example/","snippet":"b"},{"link":"mailto:x"},{"title":"D","link":"https://d.example/","snippet":"d"}]}`})
	r.Execution.Warnings = []evidence.Warning{{Code: "wsp.state.store_unavailable", Message: "no store"}}
	response := respond(t, r)
	var places []int
	for _, o := range response.Observations {
		places = append(places, o.ProviderResultIndex)
	}
	if !slices.Equal(places, []int{1, 3}) || response.ProviderAttempts[0].ResultCount != 4 || response.Status != evidence.StatusOK {
		t.Errorf("observations %v, result_count %d, status %s, want 1 and 3 of 4, ok", places, response.ProviderAttempts[0].ResultCount, response.Status)
	}
	lost := func(index int) evidence.Warning {
		return evidence.Warning{
			Code: "wsp.provider.item_without_url", Message: fmt.Sprintf("item %d of the reply has no URL, so it is no observation", index),
			Details: json.RawMessage(fmt.Sprintf(`{"attempt_id":"%s","provider":"serper","provider_result_index":%d}`, serperAttempt, index)),
		}
	}
	want := []evidence.Warning{{Code: "wsp.state.store_unavailable", Message: "no store"}, lost(0), lost(2)}
	if diff := cmp.Diff(want, response.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// The order of pack format section 5.5: recorded, then what has no attempt by code, then by attempt, then by index.
func TestOrderOfWarnings(t *testing.T) {
	long := strings.Repeat("x", 1500)
	urls := []string{"https://p.example/a", "https://p.example/b", "https://p.example/c"}
	r := recording(t, extractRequest(`"max_urls":2,"max_context_chars":1000`, urls...), attempted{provider: "local", outcome: "partial", items: 1,
		reply: documents(document(urls[0], long))})
	r.Execution.Warnings = []evidence.Warning{{Code: "wsp.state.store_unavailable", Message: "no store"}}
	response := respond(t, r)
	id := response.Observations[0].ObservationID
	want := []evidence.Warning{
		{Code: "wsp.state.store_unavailable", Message: "no store"},
		{Code: "wsp.content.truncated", Message: "text was cut to the context budget", Details: json.RawMessage(`{"observation_ids":["` + id + `"]}`)},
		{Code: "wsp.extract.urls_omitted", Message: "URLs beyond the cap were not processed", Details: json.RawMessage(`{"omitted_url_count":1}`)},
		{Code: "wsp.extract.partial", Message: "not every URL gave a document",
			Details: json.RawMessage(`{"attempt_id":"` + response.ProviderAttempts[0].AttemptID + `","provider":"local","urls":["https://p.example/b"]}`)},
	}
	if diff := cmp.Diff(want, response.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	limits := response.LimitsApplied.Extract
	wantLimits := evidence.ExtractLimits{
		RequestedURLCount: 3, ProcessedURLs: urls[:2], OmittedURLs: urls[2:], OmittedURLCount: 1, MaxURLs: 2, MaxContextChars: 1000,
		ContextCharsReturned: 1000, Truncated: true,
	}
	if diff := cmp.Diff(wantLimits, *limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if response.Status != evidence.StatusDegraded || response.Error != nil {
		t.Errorf("status %s, want degraded without error", response.Status)
	}
}

func TestStatus(t *testing.T) {
	fault := &evidence.TryFault{ErrorClass: "transient", Code: "wsp.provider.transient", Retryable: true}
	quota := &evidence.TryFault{ErrorClass: "quota", Code: "wsp.provider.quota"}
	const a, b = "https://p.example/a", "https://p.example/b"
	for _, tt := range []struct {
		name     string
		request  string
		warning  string // recorded
		attempts []attempted
		status   evidence.Status
		code     string // of the error
	}{
		{"nothing found is no failure", searchRequest, "", []attempted{{provider: "serper", outcome: "success", reply: `{"organic":[]}`}}, "ok", ""},
		{"recorded degrade code", searchRequest, "wsp.budget.limited", []attempted{{provider: "serper", outcome: "success", reply: `{"organic":[]}`}}, "degraded", ""},
		{"every document there", extractRequest("", a), "", []attempted{{provider: "local", outcome: "success", items: 1, reply: documents(document(a, "A"))}}, "ok", ""},
		{"a document missing", extractRequest("", a, b), "", []attempted{{provider: "local", outcome: "partial", items: 1, reply: documents(document(b, "B"))}}, "degraded", ""},
		{"more URLs than allowed", extractRequest(`"max_urls":1`, a, b), "", []attempted{{provider: "local", outcome: "success", items: 1, reply: documents(document(a, "A"))}}, "degraded", ""},
		{"failed", searchRequest, "", []attempted{{provider: "serper", outcome: "failed", reply: "down", fault: fault}}, "failed", "wsp.provider.transient"},
		{"the first candidate's error counts", searchRequest, "",
			[]attempted{{provider: "serper", outcome: "failed", fault: fault}, {provider: "local", outcome: "failed", fault: quota}}, "failed", "wsp.provider.transient"},
		{"else the last one's", searchRequest, "",
			[]attempted{{provider: "serper", outcome: "skipped", skip: "disabled"}, {provider: "local", outcome: "failed", fault: quota}}, "failed", "wsp.provider.quota"},
		{"no key", searchRequest, "", []attempted{{provider: "serper", outcome: "skipped", skip: "missing_credentials"}}, "failed", "wsp.config.missing_credentials"},
		{"not configured", searchRequest, "", []attempted{{provider: "serper", outcome: "skipped", skip: "not_configured"}}, "failed", "wsp.config.missing_credentials"},
		{"skipped for another reason", searchRequest, "", []attempted{{provider: "serper", outcome: "skipped", skip: "disabled"}}, "failed", "wsp.provider.failed"},
		{"after a fallback", searchRequest, "",
			[]attempted{{provider: "serper", outcome: "failed", fault: fault}, {provider: "local", outcome: "success", items: 1, reply: `{"documents":[{"date":null,"excerpt":"e","rank":1,"score":1.5,"title":"T","url":"https://p.example/a"}]}`}}, "ok", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := recording(t, tt.request, tt.attempts...)
			if tt.warning != "" {
				r.Execution.Warnings = []evidence.Warning{{Code: tt.warning, Message: "w"}}
			}
			response := respond(t, r)
			code := ""
			if response.Error != nil {
				code = response.Error.Code
			}
			if response.Status != tt.status || code != tt.code {
				t.Errorf("status %s, error %q, want %s, %q", response.Status, code, tt.status, tt.code)
			}
			if len(response.ProviderAttempts) != len(tt.attempts) {
				t.Errorf("%d attempts, want %d", len(response.ProviderAttempts), len(tt.attempts))
			}
			if diff := cmp.Diff(receiptOf(response), response.RoutingReceipt); diff != "" {
				t.Errorf("receipt recomputed from the attempts (-recomputed +recorded):\n%s", diff)
			}
		})
	}
}

// receiptOf computes a receipt from the attempts of a response alone.
func receiptOf(r *evidence.Response) evidence.Receipt {
	var order []string
	var settled []search.Settled
	for i := range r.ProviderAttempts {
		a := &r.ProviderAttempts[i]
		s := search.Settled{Provider: a.Provider, AttemptID: a.AttemptID, Outcome: a.Outcome, Items: a.ResultCount}
		if a.SkipReason != "" {
			s.SkipReason = &a.SkipReason
		}
		order, settled = append(order, a.Provider), append(settled, s)
	}
	return search.Receipt(order, settled)
}

// The errors that say why nobody was asked, whole.
func TestErrorOfNobodyAsked(t *testing.T) {
	for skip, want := range map[string]evidence.Error{
		"not_configured": {ErrorClass: "config", Code: "wsp.config.missing_credentials", Message: "no usable credential for the planned provider"},
		"circuit_open":   {ErrorClass: "transient", Code: "wsp.provider.failed", Message: "every candidate was skipped", Retryable: true},
	} {
		response := respond(t, recording(t, searchRequest, attempted{provider: "serper", outcome: "skipped", skip: skip}))
		if diff := cmp.Diff(&want, response.Error); diff != "" {
			t.Errorf("%s: error (-want +got):\n%s", skip, diff)
		}
	}
	if response := respond(t, recording(t, searchRequest)); response.Status != evidence.StatusFailed || response.Error.Code != "wsp.provider.failed" {
		t.Errorf("without a candidate: status %s, error %+v", response.Status, response.Error)
	}
}

// Several replies of one execution: observations interleave by index in the order of the candidates, whatever the ids of
// their attempts, and each attempt's warnings stand together.
func TestTwoReplies(t *testing.T) {
	r := recording(t, searchRequest,
		attempted{provider: "serper", outcome: "success", items: 3,
			reply: `{"organic":[{"title":"A","link":"https://a.example/","snippet":"a"},{"title":"lost"},{"title":"C","link":"https://c.example/","snippet":"c"}]}`},
		attempted{provider: "local", outcome: "success", items: 2, reply: `{"documents":[
			{"date":null,"excerpt":"b","rank":1,"score":1.5,"title":"B","url":"https://b.example/"},{"date":null,"excerpt":"x","rank":2,"score":1.5,"title":"X","url":""}]}`})
	decisions := r.Execution.RoutingReceipt.CandidateDecisions
	for i, id := range []string{"attempt_zz", "attempt_aa"} {
		r.Attempts[i].Record.AttemptID, r.Attempts[i].Tries[0].AttemptID, decisions[i].AttemptID = id, id, &id
	}
	response := respond(t, r)
	var titles, lost []string
	for _, o := range response.Observations {
		titles = append(titles, *o.Title)
	}
	for _, w := range response.Warnings {
		lost = append(lost, string(w.Details))
	}
	if !slices.Equal(titles, []string{"A", "B", "C"}) {
		t.Errorf("observations = %v, want A, B, C", titles)
	}
	want := []string{
		`{"attempt_id":"attempt_zz","provider":"serper","provider_result_index":1}`,
		`{"attempt_id":"attempt_aa","provider":"local","provider_result_index":1}`,
	}
	if diff := cmp.Diff(want, lost); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// Two partial extractions each name the URLs that they lack.
func TestTwoPartialReplies(t *testing.T) {
	const a, b = "https://p.example/a", "https://p.example/b"
	first := attempted{provider: "local", outcome: "partial", items: 1, reply: documents(document(a, "A"))}
	second := attempted{provider: "local", outcome: "partial", items: 1, reply: documents(document(b, "B"))}
	r := recording(t, extractRequest("", a, b), first, second)
	decoded, err := decode(r, evidence.Request{Capability: evidence.Extract, Input: evidence.Input{URLs: []string{a, b}}}.Normalized())
	if err != nil {
		t.Fatal(err)
	}
	for i, url := range []string{b, a} {
		got := decoded.missingDocuments(r.Attempts[i].Record.AttemptID)
		if len(got) != 1 || !strings.Contains(string(got[0].Details), `"urls":["`+url+`"]`) {
			t.Errorf("attempt %d: warnings = %+v, want one that names %s", i, got, url)
		}
	}
}

// All provider_fields of a response have at most 131072 bytes (contract section 2.14): later observations give theirs up.
func TestFieldsOfTheWholeResponse(t *testing.T) {
	const items, each = 40, 4000
	var organic []string
	for i := range items {
		organic = append(organic, fmt.Sprintf(`{"title":"T","link":"https://s%d.example/","snippet":"s","source":"%s"}`, i, strings.Repeat("x", each)))
	}
	response := respond(t, recording(t, searchRequest, attempted{provider: "serper", outcome: "success", items: items, reply: `{"organic":[` + strings.Join(organic, ",") + `]}`}))
	// {"serper":{"source":"…"}} has 24 bytes round the 4000, so 32 of them fit and 33 don't.
	for i, o := range response.Observations {
		if empty := len(o.ProviderFields) == 0; empty != (i >= 32) {
			t.Errorf("observation %d: provider_fields empty: %v", i, empty)
		}
	}
	if len(response.Observations) != items {
		t.Errorf("%d observations, want %d", len(response.Observations), items)
	}
}

// A failed attempt gives nothing, whatever its reply holds.
func TestFailedAttemptGivesNoObservation(t *testing.T) {
	fault := &evidence.TryFault{ErrorClass: "rate_limit", Code: "wsp.provider.rate_limit", Retryable: true}
	response := respond(t, recording(t, searchRequest, attempted{provider: "serper", outcome: "failed", fault: fault,
		reply: `{"organic":[{"title":"A","link":"https://a.example/","snippet":"a"},{"title":"lost"}]}`}))
	a := response.ProviderAttempts[0]
	if len(response.Observations) != 0 || len(response.Warnings) != 0 || a.ResultCount != 0 || a.Error == nil || a.Tries[0].Error == nil {
		t.Errorf("response = %+v", response)
	}
}

// Retries are counted, and the last try's reply is the one that counts.
func TestRetry(t *testing.T) {
	r := recording(t, searchRequest, attempted{provider: "serper", outcome: "success", items: 1, reply: `{"organic":[{"title":"A","link":"https://a.example/","snippet":"a"}]}`})
	first := r.Attempts[0].Tries[0]
	second := first
	second.TryNumber = 2
	first.Outcome, first.Error, first.Body = evidence.TryError, &evidence.TryFault{ErrorClass: "timeout", Code: "wsp.provider.timeout", Retryable: true}, nil
	r.Attempts[0].Tries, r.Attempts[0].Record.Tries = []evidence.TryRecord{first, second}, []string{"t01", "t02"}
	response := respond(t, r)
	if a := response.ProviderAttempts[0]; a.RetryCount != 1 || len(a.Tries) != 2 || a.Tries[0].Error.Code != "wsp.provider.timeout" || len(response.Observations) != 1 {
		t.Errorf("attempt = %+v with %d observations", a, len(response.Observations))
	}
}

func TestResponseRefuses(t *testing.T) {
	ok := attempted{provider: "serper", outcome: "success", reply: `{"organic":[]}`}
	for _, tt := range []struct {
		name string
		edit func(r *evidence.Recording)
		want string
	}{
		{"no reply", func(r *evidence.Recording) { r.Attempts[0].Tries[0].Body = nil }, "step find: attempt a0001: outcome success without a reply"},
		{"no try", func(r *evidence.Recording) { r.Attempts[0].Tries = nil }, "step find: attempt a0001: outcome success without a reply"},
		{"no reply to read", func(r *evidence.Recording) { r.Attempts[0].Tries[0].Body = evidence.NewBody([]byte("<html>")) },
			"step find: attempt a0001: outcome success, but its reply reads as wsp.provider.transient"},
		{"a body of no encoding", func(r *evidence.Recording) { r.Attempts[0].Tries[0].Body.Encoding = "gzip" },
			`step find: attempt a0001: body encoding "gzip": want utf8 or base64`},
		{"a provider that nobody knows", func(r *evidence.Recording) { r.Attempts[0].Record.Provider = "alpha" },
			`step find: attempt a0001: provider "alpha" for search: no such provider; there are local, serper`},
		{"a request that is none", func(r *evidence.Recording) { r.Request.Request = []byte(`{"input":1}`) }, "step find: request: "},
		{"another request's recording", func(r *evidence.Recording) { r.Execution.RequestID = "other" },
			`step find: response breaks the contract: "/request_id": "other" is not "exec_00000000000000000000000000000001"`},
		{"a broken contract", func(r *evidence.Recording) {
			other := "local"
			r.Execution.RoutingReceipt.SelectedProvider = &other
		}, "step find: response breaks the contract: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := recording(t, searchRequest, ok)
			tt.edit(r)
			if got, err := Response(r); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Response = %v, %v, want %s", got, err, tt.want)
			}
		})
	}
}
