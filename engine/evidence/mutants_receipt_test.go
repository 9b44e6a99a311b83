package evidence_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

func attemptMutants() []mutant {
	a := "/provider_attempts/0"
	return []mutant{
		{19, "skipped without reason", research, func(r *evidence.Response) { r.ProviderAttempts[2].SkipReason = "" }, at("/provider_attempts/2/skip_reason")},
		{19, "skipped with tries", research, func(r *evidence.Response) { r.ProviderAttempts[2].Tries = []evidence.Try{tried(1)} }, at("/provider_attempts/2/tries")},
		{19, "skipped and successful", minimal, func(r *evidence.Response) {
			r.ProviderAttempts[1].Outcome = evidence.OutcomeSuccess
			r.RoutingReceipt.CandidateDecisions[1] = decided("brave", 2, "not_attempted", "provider_unavailable", "")
		}, at("/provider_attempts/1/outcome")},
		{19, "attempted with reason", minimal, func(r *evidence.Response) { r.ProviderAttempts[0].SkipReason = "disabled" }, at(a + "/skip_reason")},
		{19, "attempted without try", minimal, func(r *evidence.Response) { r.ProviderAttempts[0].Tries = []evidence.Try{} }, at(a + "/tries")},
		{19, "attempted and outcome skipped", totalFailure, func(r *evidence.Response) {
			r.ProviderAttempts[0].Outcome, r.ProviderAttempts[0].Error = evidence.OutcomeSkipped, nil
			r.RoutingReceipt.CandidateDecisions[0] = decided("serper", 1, "skipped", "circuit_open", attemptA)
		}, at(a + "/outcome")},
		{19, "retries", research, func(r *evidence.Response) { r.ProviderAttempts[0].RetryCount = 2 }, at(a + "/retry_count")},
		{19, "failed without error", totalFailure, func(r *evidence.Response) { r.ProviderAttempts[0].Error = nil }, at(a + "/error")},
		{19, "success with error", minimal, func(r *evidence.Response) { r.ProviderAttempts[0].Error = failure() }, at(a + "/error")},
		{19, "try numbers", research, func(r *evidence.Response) { r.ProviderAttempts[0].Tries[1].TryNumber = 3 }, at(a + "/tries/1/try_number")},
		{19, "successful try with error", research, func(r *evidence.Response) { r.ProviderAttempts[0].Tries[0].Outcome = evidence.TrySuccess }, at(a + "/tries/0/error")},
		{19, "failed try without error", research, func(r *evidence.Response) { r.ProviderAttempts[0].Tries[0].Error = nil }, at(a + "/tries/0/error")},
	}
}

func receiptMutants() []mutant {
	d := "/routing_receipt/candidate_decisions"
	decision := func(i int, new evidence.CandidateDecision) func(r *evidence.Response) {
		return func(r *evidence.Response) { r.RoutingReceipt.CandidateDecisions[i] = new }
	}
	return []mutant{
		{19, "candidate twice", minimal, func(r *evidence.Response) {
			r.RoutingReceipt.CandidateOrder[1] = "serper"
			r.RoutingReceipt.CandidateDecisions[1] = decided("serper", 2, "not_attempted", "budget_denied", "")
		}, at("/routing_receipt/candidate_order")},
		{19, "selected on a hit", freshHit, func(r *evidence.Response) {
			r.RoutingReceipt.SelectedProvider, r.RoutingReceipt.Completion = ptr("serper"), nil
		}, at("/routing_receipt/selected_provider")},
		{19, "selected is no candidate", minimal, func(r *evidence.Response) {
			r.RoutingReceipt.SelectedProvider, r.RoutingReceipt.Completion = ptr("exa"), nil
		}, at("/routing_receipt/selected_provider")},
		{19, "first selected by fallback", minimal, func(r *evidence.Response) { r.RoutingReceipt.FallbackReason = "partial_content" }, at("/routing_receipt/fallback_reason")},
		{19, "second selected without fallback", extraction, func(r *evidence.Response) { r.RoutingReceipt.FallbackReason = "none" }, at("/routing_receipt/fallback_reason")},
		{19, "nobody was skipped before", extraction, func(r *evidence.Response) { r.RoutingReceipt.FallbackReason = "selected_skipped" }, at("/routing_receipt/fallback_reason")},
		{19, "nobody was insufficient before", extraction, func(r *evidence.Response) { r.RoutingReceipt.FallbackReason = "insufficient_results" }, at("/routing_receipt/fallback_reason")},
		{19, "nobody failed before", extraction, func(r *evidence.Response) {
			r.RoutingReceipt.CandidateDecisions[0] = decided("linkup", 1, "not_attempted", "provider_unavailable", "")
		}, at("/routing_receipt/fallback_reason")},
		{19, "authority", minimal, func(r *evidence.Response) { r.RoutingReceipt.Authority = "shadow" }, at("/routing_receipt/authority")},
		{19, "scope", minimal, func(r *evidence.Response) { r.RoutingReceipt.ExecutionScope = "origin" }, at("/routing_receipt/authority")},
		{19, "shadow not observed", research, func(r *evidence.Response) { r.RoutingReceipt.ShadowObservation.Observed = false }, at("/routing_receipt/shadow_observation")},
		{19, "shadow with effect", research, func(r *evidence.Response) { r.RoutingReceipt.ShadowObservation.AffectedExecution = true }, at("/routing_receipt/shadow_observation")},
		{19, "a decision missing", research, func(r *evidence.Response) {
			r.RoutingReceipt.CandidateDecisions = r.RoutingReceipt.CandidateDecisions[:3]
		}, at(d)},
		{19, "decision on another", extraction, decision(2, decided("brave", 3, "not_attempted", "budget_denied", "")), at(d + "/2/provider")},
		{19, "position", extraction, decision(2, decided("serper", 2, "not_attempted", "budget_denied", "")), at(d + "/2/position")},
		{19, "selected first by fallback", minimal, decision(0, decided("serper", 1, "selected", "fallback_selected", attemptOf(minimal, 0))), at(d + "/0/reason_code")},
		{19, "selected second as classic", extraction, decision(1, decided("tavily", 2, "selected", "classic_selected", attemptB)), at(d + "/1/reason_code")},
		{19, "reason of failed", extraction, decision(0, decided("linkup", 1, "attempted_failed", "circuit_open", attemptA)), at(d + "/0/reason_code")},
		{19, "reason of no selection", research, decision(0, decided("serper", 1, "attempted_no_selection", "attempt_failed", attemptA)), at(d + "/0/reason_code")},
		{19, "reason of skipped", research, decision(2, decided("tavily", 3, "skipped", "not_attempted_after_success", attemptC)), at(d + "/2/reason_code")},
		{19, "reason of not attempted", extraction, decision(2, decided("serper", 3, "not_attempted", "circuit_open", "")), at(d + "/2/reason_code")},
		{19, "origin among the decisions of now", legacyHit, decision(0, decided("serper", 1, "origin_selected", "cache_origin_selected", "")), at(d+"/0/attempt_id", d+"/0/reason_code")},
		{19, "selected by nobody", minimal, func(r *evidence.Response) { r.RoutingReceipt.SelectedProvider = nil }, at("/routing_receipt/selected_provider")},
		{19, "two selected", research, func(r *evidence.Response) {
			r.RoutingReceipt.CandidateDecisions[0] = decided("serper", 1, "selected", "classic_selected", attemptA)
		}, at("/routing_receipt/selected_provider")},
		{19, "failed without an attempt", extraction, decision(0, decided("linkup", 1, "attempted_failed", "attempt_failed", "")), at(d + "/0/attempt_id")},
		{19, "attempt of the not attempted", extraction, decision(2, decided("serper", 3, "not_attempted", "budget_denied", attemptA)), at(d + "/2/attempt_id")},
		{19, "attempt unknown", extraction, decision(1, decided("tavily", 2, "selected", "fallback_selected", "attempt_x")), at(d + "/1/attempt_id")},
		{19, "attempt of another provider", research, decision(0, decided("serper", 1, "attempted_no_selection", "insufficient_results", attemptB)), at(d + "/0/attempt_id")},
		{19, "selected failed", minimal, func(r *evidence.Response) {
			r.ProviderAttempts[0].Outcome, r.ProviderAttempts[0].Error = evidence.OutcomeCancelled, failure()
		}, at(d + "/0/attempt_id")},
		{19, "skipped succeeded", research, decision(1, decided("brave", 2, "skipped", "circuit_open", attemptB)), at(d + "/1/attempt_id")},
		{19, "failed was skipped", research, decision(2, decided("tavily", 3, "attempted_failed", "attempt_failed", attemptC)), at(d + "/2/attempt_id")},
		{19, "origin without a hit", minimal, func(r *evidence.Response) { r.RoutingReceipt.CacheOrigin = cacheReceipt().CacheOrigin }, at("/routing_receipt/cache_origin")},
		{19, "hit without origin", freshHit, func(r *evidence.Response) { r.RoutingReceipt.CacheOrigin = nil }, at("/routing_receipt/cache_origin")},
		{19, "origin of a legacy entry", legacyHit, func(r *evidence.Response) { r.RoutingReceipt.CacheOrigin = cacheReceipt().CacheOrigin }, at("/routing_receipt/cache_origin")},
		{19, "candidates on a hit", freshHit, func(r *evidence.Response) {
			r.RoutingReceipt.CandidateOrder = []string{"serper"}
			r.RoutingReceipt.CandidateDecisions = []evidence.CandidateDecision{decided("serper", 1, "not_attempted", "budget_denied", "")}
		}, at("/routing_receipt/candidate_order")},
		{19, "fallback on a hit", freshHit, func(r *evidence.Response) { r.RoutingReceipt.FallbackReason = "selected_failed" }, at("/routing_receipt/candidate_order")},
		{19, "another origin", freshHit, func(r *evidence.Response) { r.RoutingReceipt.CacheOrigin.ExecutionID = "exec_x" }, at("/routing_receipt/cache_origin/execution_id")},
		{19, "origin decides on nobody", freshHit, func(r *evidence.Response) { r.RoutingReceipt.CacheOrigin.CandidateDecisions = nil }, at("/routing_receipt/cache_origin/candidate_decisions")},
		{19, "origin selected nobody", freshHit, func(r *evidence.Response) { r.RoutingReceipt.CacheOrigin.SelectedProvider = nil }, at("/routing_receipt/cache_origin/candidate_decisions")},
		originMutant("decision", func(d *evidence.CandidateDecision) { d.Decision = "selected" }),
		originMutant("reason", func(d *evidence.CandidateDecision) { d.ReasonCode = "classic_selected" }),
		originMutant("attempt", func(d *evidence.CandidateDecision) { d.AttemptID = ptr(attemptA) }),
		originMutant("position", func(d *evidence.CandidateDecision) { d.Position = 1 }),
	}
}

func attemptOf(of func() *evidence.Response, i int) string { return of().ProviderAttempts[i].AttemptID }

func originMutant(name string, change func(*evidence.CandidateDecision)) mutant {
	return mutant{19, "origin's " + name, freshHit, func(r *evidence.Response) {
		change(&r.RoutingReceipt.CacheOrigin.CandidateDecisions[0])
	}, at("/routing_receipt/cache_origin/candidate_decisions")}
}

func limitMutants() []mutant {
	l := "/limits_applied/extract"
	extract := func(change func(*evidence.ExtractLimits)) func(*evidence.Response) {
		return func(r *evidence.Response) { change(r.LimitsApplied.Extract) }
	}
	return []mutant{
		{19, "more results than the cap", research, func(r *evidence.Response) { r.LimitsApplied.MaxResults = ptr(3) }, at("/limits_applied/max_results")},
		{19, "cap of results in an extraction", extraction, func(r *evidence.Response) { r.LimitsApplied.MaxResults = ptr(5) }, at("/limits_applied/max_results")},
		{19, "limits of an extraction in a search", minimal, func(r *evidence.Response) { r.LimitsApplied = extraction().LimitsApplied }, at(l)},
		{19, "omitted count", extraction, extract(func(e *evidence.ExtractLimits) { e.OmittedURLCount = 0 }), at(l + "/omitted_url_count")},
		{19, "requested count", extraction, extract(func(e *evidence.ExtractLimits) { e.RequestedURLCount = 2 }), at(l + "/requested_url_count")},
		{19, "code points", extraction, extract(func(e *evidence.ExtractLimits) { e.ContextCharsReturned = 1001 }), at(l + "/context_chars_returned")},
		{19, "not truncated", extraction, extract(func(e *evidence.ExtractLimits) { e.Truncated = false }), at(l + "/truncated")},
		{19, "stored for nothing", extraction, func(r *evidence.Response) {
			r.StoredContent = raw(strings.ReplaceAll(string(r.StoredContent), r.Observations[0].ObservationID, "obs_x"))
		}, at("/stored_content/0/observation_id")},
		{19, "stored twice", extraction, func(r *evidence.Response) {
			entry := strings.Trim(string(r.StoredContent), "[]")
			r.StoredContent = raw("[" + entry + "," + entry + "]")
		}, at("/stored_content/1/observation_id")},
		{19, "stored as an object", extraction, func(r *evidence.Response) { r.StoredContent = raw(`{}`) }, at("/stored_content")},
	}
}

// The rules that hold where a Go value can break them, one mutant or more for each.
func TestMutantsAreRefused(t *testing.T) {
	rules := map[int]int{}
	mutants := slices.Concat(observationMutants(), resultMutants(), textMutants(), responseMutants(), attemptMutants(), receiptMutants(), limitMutants())
	for _, m := range mutants {
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
			r := m.of()
			if m.change != nil {
				m.change(r)
			}
			got := []string{}
			for _, v := range r.Validate(known) {
				if !aSection.MatchString(v.Section) || v.Message == "" {
					t.Errorf("%+v is incomplete", v)
				}
				if v.Rule != m.rule {
					t.Errorf("also rule %d: %s", v.Rule, v)
					continue
				}
				got = append(got, v.Pointer)
			}
			slices.Sort(got)
			slices.Sort(m.want)
			if !slices.Equal(got, m.want) {
				t.Errorf("rule %d found at %q, want %q", m.rule, got, m.want)
			}
		})
		rules[m.rule]++
	}
	for _, m := range shapeMutants() {
		rules[m.rule]++
	}
	for rule := 1; rule <= 27; rule++ {
		if rules[rule] == 0 {
			t.Errorf("rule %d has no mutant", rule)
		}
	}
	if len(rules) != 27 {
		t.Errorf("mutants of rules %v, the contract has 27", rules)
	}
}

// shapeMutant is a change of the encoded response that only the schema can refuse.
type shapeMutant struct {
	rule     int
	of       func() *evidence.Response
	old, new string
	want     string // pointer
}

func shapeMutants() []shapeMutant {
	return []shapeMutant{
		{20, minimal, `"status":"ok"`, `"status":"ok","timing":{"total_ms":1}`, "/timing"},
		{20, minimal, `"status":"ok"`, `"source_independence_estimate":null,"status":"ok"`, "/source_independence_estimate"},
		{20, minimal, `"result_id":`, `"canonical_url":"https://a.example","result_id":`, "/results/0/canonical_url"},
		{20, minimal, `"result_id":`, `"spans":[],"result_id":`, "/results/0/spans"},
		{20, minimal, `"result_id":`, `"span_contract_version":1,"result_id":`, "/results/0/span_contract_version"},
		{20, minimal, `"try_number":`, `"url":"x","try_number":`, "/provider_attempts/0/tries/0/url"},
		{20, minimal, `"disposition":`, `"x":1,"disposition":`, "/cache_status/x"},
		{16, minimal, `"method":"component_count"`, `"confidence":0.5,"method":"component_count"`, "/source_diversity/confidence"},
		{16, minimal, `"host_count":1`, `"host_count":1.5`, "/source_diversity/host_count"},
		{18, research, `"build_commit":"abc",`, ``, "/engine"},
		{19, minimal, `"authority":"classic",`, ``, "/routing_receipt"},
		{10, research, `"aggregation":"concat"`, `"aggregation":"merge"`, "/results/1/snippet/provenance/aggregation"},
		{15, minimal, `"reason":"dedup_representative"`, `"reason":"max_context_chars"`, "/policy_actions/0/reason"},
		{15, minimal, `"action":"selected_as_representative"`, `"action":"budget_preflight"`, "/policy_actions/0/action"},
		{14, minimal, `"dedup_clusters":[{`, `"dedup_clusters":[{"x":{"answer":"42"},`, "/dedup_clusters/0/x/answer"},
	}
}

func TestShapeMutantsAreRefused(t *testing.T) {
	tried := 0
	for _, m := range shapeMutants() {
		valid := string(encode(t, m.of()))
		in := strings.Replace(valid, m.old, m.new, 1)
		if in == valid {
			t.Fatalf("%s: nothing was replaced", m.old)
		}
		tried++
		wantFault(t, in, m.want)
	}
	if tried == 0 {
		t.Error("no mutant was tried")
	}
}

// wantFault decodes what must be refused at the pointer, or at a member that is missing or unknown there.
func wantFault(t *testing.T, in, pointer string) {
	t.Helper()
	_, err := evidence.DecodeResponse([]byte(in))
	if err == nil {
		t.Errorf("taken: a fault at %q", pointer)
		return
	}
	if !strings.Contains(err.Error(), `"`+pointer+`"`) && !strings.Contains(err.Error(), `"`+pointer+`/`) {
		t.Errorf("no fault at %q in %v", pointer, err)
	}
}

// optionalMembers may be left out, each in its place.
const optionalMembers = ` engine stored_content error source_type fetch_priority started_at duration_ms budget_decision skip_reason
	provider http_status retry_after_seconds details reason entry_id age_seconds ttl_seconds served_stale source_contract_version
	origin_execution_id write_error max_results extract dedup_cluster_id `

// TestMemberMutants leaves out, retypes and doubles the members of the valid responses, each once in every place
// where the contract lists it.
func TestMemberMutants(t *testing.T) {
	changed := map[string]bool{}
	for name, of := range responses() {
		data := encode(t, of())
		tree, err := canon.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		walk(tree, "", func(object map[string]any, member, pointer string) {
			place := anyIndex.ReplaceAllString(pointer, "/*$1") + fmt.Sprintf(" %T", object[member])
			if changed[place] {
				return
			}
			changed[place] = true
			mutateMember(t, tree, object, pointer)
		})
		if again := encode(t, tree); string(again) != string(data) {
			t.Fatalf("%s was not restored", name)
		}
	}
	if len(changed) < 150 {
		t.Errorf("only %d members were changed: %v", len(changed), changed)
	}
}

var aSection = regexp.MustCompile(`^[23]\.[0-9]{1,2}$`)

var anyIndex = regexp.MustCompile(`/[0-9](/|$)`)

func mutateMember(t *testing.T, tree any, object map[string]any, pointer string) {
	t.Helper()
	parts, _ := canon.SplitPointer(pointer)
	member := parts[len(parts)-1]
	value := object[member]
	for _, other := range []any{map[string]any{"x": json.Number("1")}, json.Number("-7"), []any{nil}} {
		if _, number := other.(json.Number); number && member == "value" && strings.Contains(pointer, "provider_score") {
			continue // any number is a score
		}
		object[member] = other
		wantFault(t, string(encode(t, tree)), pointer)
	}
	delete(object, member)
	_, err := evidence.DecodeResponse(encode(t, tree))
	optional := slices.Contains(strings.Fields(optionalMembers), member)
	if !optional && err == nil {
		t.Errorf("taken without %s", pointer)
	}
	object[member] = value
}

// A cluster of several observations in a search needs its id [A §3].
func TestClusterIDOfSeveral(t *testing.T) {
	r := research()
	r.Results[1].DedupClusterID = ""
	wantFault(t, string(encode(t, r)), "/results/1")
}

func TestDoubledMembers(t *testing.T) {
	doubled := 0
	for _, member := range strings.Fields("status observation_id segments outcome reason tries position disposition") {
		in := string(encode(t, research()))
		doubled++
		if _, err := evidence.DecodeResponse([]byte(strings.Replace(in, `"`+member+`":`, `"`+member+`":0,"`+member+`":`, 1))); err == nil {
			t.Errorf("taken with %s twice", member)
		}
	}
	if doubled != 8 {
		t.Errorf("%d members were doubled", doubled)
	}
}

// walk visits every member of every object whose members the contract lists.
func walk(tree any, pointer string, visit func(object map[string]any, member, pointer string)) {
	switch node := tree.(type) {
	case map[string]any:
		for _, member := range canon.SortedNames(node) {
			below := pointer + canon.Pointer(member)
			if free := member == "details" || member == "provider_fields" || member == "dedup_clusters" || member == "reference"; !free {
				visit(node, member, below)
				walk(node[member], below, visit)
			}
		}
	case []any:
		for i, item := range node {
			if i < 2 {
				walk(item, pointer+canon.Pointer(string(rune('0'+i))), visit)
			}
		}
	}
}
