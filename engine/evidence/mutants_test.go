package evidence_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// mutant is a valid response with one thing wrong, and the places at which the validator must find its rule, and
// nothing else.
type mutant struct {
	rule   int
	name   string
	of     func() *evidence.Response
	change func(r *evidence.Response)
	want   []string
}

// at lists pointers.
func at(pointers ...string) []string { return pointers }

// replaceText sets a projected text and everything that follows from it.
func replaceText(p *evidence.ProjectedText, text string) {
	*p = *evidence.NewProjectedText(text, p.Provenance)
}

// withFields sets the fields of an observation under the name of its provider.
func withFields(r *evidence.Response, i int, object string) {
	r.Observations[i].ProviderFields = map[string]json.RawMessage{r.Observations[i].Provider: raw(object)}
}

// many is a search with n observations, each with fields of size bytes.
func many(n, size int) *evidence.Response {
	in := cachedInput()
	in.Request = searchFor("x", 50)
	in.Order = []string{attemptA}
	in.Quality.MaxResultsPerDomain = 0
	in.Observations = nil
	for i := range n {
		o := found(attemptA, "serper", i, fmt.Sprintf("https://a.example/%d", i), "s")
		o.ProviderFields["serper"] = raw(`{"source":"` + strings.Repeat("x", size-len(`{"serper":{"source":""}}`)) + `"}`)
		in.Observations = append(in.Observations, o)
	}
	return assemble(evidence.Response{
		Status: evidence.StatusOK, RoutingReceipt: receipt("serper", "none", decided("serper", 1, "selected", "classic_selected", attemptA)),
		ProviderAttempts: []evidence.Attempt{attempted(attemptA, "serper", evidence.Search, evidence.OutcomeSuccess, tried(1))},
		CacheStatus:      evidence.CacheStatus{Disposition: evidence.Miss},
	}, in)
}

func observationMutants() []mutant {
	return []mutant{
		{1, "attempt unknown", minimal, func(r *evidence.Response) { r.Observations[0].ProviderAttemptID = "attempt_x" }, at("/observations/0/provider_attempt_id")},
		{1, "attempt of now on a stale hit", staleHit, func(r *evidence.Response) { r.Observations[0].ProviderAttemptID = attemptA }, at("/observations/0/provider_attempt_id")},
		{2, "observation id twice", extraction, func(r *evidence.Response) {
			// Only in the list: an id that stands twice cannot be told apart, so it stays out of the results.
			r.Observations = append(r.Observations, r.Observations[1])
			r.Observations[2].ProviderResultIndex = 2
		}, at("/observations/2/observation_id")},
		{2, "prefix", legacyHit, func(r *evidence.Response) {
			rename(r, "obs_legacy_0", "o_legacy_0")
		}, at("/observations/0/observation_id")},
		{3, "search result without snippet", research, func(r *evidence.Response) {
			i := slices.IndexFunc(r.Observations, func(o evidence.Observation) bool { return o.URL.Observed == "https://newbedev.com/x" })
			r.Observations[i].Snippet = nil
			r.Observations[0], r.Observations[i] = r.Observations[i], r.Observations[0]
		}, at("/observations/0/snippet")},
		{3, "search result with text", minimal, func(r *evidence.Response) { r.Observations[0].Text = ptr("t") }, at("/observations/0/text")},
		{3, "document without text", extraction, func(r *evidence.Response) {
			r.Observations[1].Text, r.Results[1].Text = nil, nil
			r.LimitsApplied.Extract.ContextCharsReturned -= 5
		}, at("/observations/1/text")},
		{3, "document with snippet", extraction, func(r *evidence.Response) { r.Observations[1].Snippet = ptr("s") }, at("/observations/1/snippet")},
		{3, "kind of another capability", minimal, func(r *evidence.Response) { r.Capability = evidence.Extract; r.LimitsApplied = evidence.Limits{} }, at("/observations/0/kind")},
		{4, "fields of another provider", minimal, func(r *evidence.Response) {
			r.Observations[0].ProviderFields = map[string]json.RawMessage{"brave": raw(`{}`)}
		}, at("/observations/0/provider_fields/brave")},
		{4, "field not allowed", minimal, func(r *evidence.Response) { withFields(r, 0, `{"body":"x"}`) }, at("/observations/0/provider_fields/serper/body")},
		{4, "field is an object", minimal, func(r *evidence.Response) { withFields(r, 0, `{"source":{}}`) }, at("/observations/0/provider_fields/serper/source")},
		{4, "field is an array of numbers", minimal, func(r *evidence.Response) { withFields(r, 0, `{"tags":["a",1]}`) }, at("/observations/0/provider_fields/serper/tags")},
		{4, "fields are an array", minimal, func(r *evidence.Response) { withFields(r, 0, `[]`) }, at("/observations/0/provider_fields/serper")},
		{4, "fields are no JSON", minimal, func(r *evidence.Response) { withFields(r, 0, `{"source":1,"source":2}`) }, at("/observations/0/provider_fields/serper")},
		{4, "one byte too many", func() *evidence.Response { return many(1, 4097) }, nil, at("/observations/0/provider_fields")},
		{4, "bytes, not letters", func() *evidence.Response { return many(1, 4000) }, func(r *evidence.Response) {
			withFields(r, 0, `{"source":"`+strings.Repeat("ä", 3000)+`"}`)
		}, at("/observations/0/provider_fields")},
		{5, "one byte too many", func() *evidence.Response { return many(33, 4096) }, func(r *evidence.Response) {
			r.Observations[32].ProviderFields = map[string]json.RawMessage{}
			withFields(r, 31, `{"source":"`+strings.Repeat("x", 4096-len(`{"serper":{"source":""}}`)-1)+`"}`)
		}, at("/observations")},
		{23, "item twice", extraction, func(r *evidence.Response) { r.Observations[1].ProviderResultIndex = 0 }, at("/observations/1/provider_result_index")},
		{23, "attempt id twice", totalFailure, func(r *evidence.Response) {
			r.ProviderAttempts = append(r.ProviderAttempts, skipped(attemptB, "brave", evidence.Search, "circuit_open"))
		}, at("/provider_attempts/2/attempt_id")},
		{24, "provider not registered", freshHit, func(r *evidence.Response) { r.Observations[0].Provider = "nobody" }, at("/observations/0/provider")},
		{24, "endpoint not registered", freshHit, func(r *evidence.Response) { r.Observations[0].EndpointID = "serper:news" }, at("/observations/0/endpoint_id")},
		{24, "provider of another attempt", extraction, func(r *evidence.Response) {
			r.Observations[1].Provider, r.Observations[1].EndpointID = "serper", "serper:extract"
			r.SourceDiversity.ProviderCount = 2
		}, at("/observations/1/provider")},
		{24, "endpoint of another attempt", minimal, func(r *evidence.Response) { r.Observations[0].EndpointID = "serper:extract" }, at("/observations/0/endpoint_id")},
		{27, "observed is no URL", minimal, func(r *evidence.Response) { setURL(r, "mailto:a@ports.example", r.Observations[0].URL.Canonical) }, at("/observations/0/url/observed")},
		{27, "canonical is no URL", minimal, func(r *evidence.Response) { setURL(r, r.Observations[0].URL.Observed, " https://ports.example/policy") }, at("/observations/0/url/canonical")},
	}
}

func setURL(r *evidence.Response, observed, canonical string) {
	r.Observations[0].URL = evidence.URL{Observed: observed, Canonical: canonical}
	r.Results[0].URL = r.Observations[0].URL
}

// rename gives an observation another id everywhere.
func rename(r *evidence.Response, from, to string) {
	data, err := json.Marshal(r)
	if err == nil {
		*r = evidence.Response{}
		err = json.Unmarshal([]byte(strings.ReplaceAll(string(data), `"`+from+`"`, `"`+to+`"`)), r)
	}
	if err != nil {
		panic(err)
	}
}

func resultMutants() []mutant {
	return []mutant{
		{6, "representative unknown", research, func(r *evidence.Response) { r.Results[1].RepresentativeObservationID = "obs_x" }, at("/results/1/representative_observation_id", "/results/1/observation_ids")},
		{6, "representative is no member", extraction, func(r *evidence.Response) {
			r.Results[0].RepresentativeObservationID = r.Results[1].RepresentativeObservationID
			r.Results[0].URL = r.Results[1].URL
		}, at("/results/0/observation_ids")},
		{6, "member unknown", minimal, func(r *evidence.Response) { r.Results[0].ObservationIDs = append(r.Results[0].ObservationIDs, "obs_x") }, at("/results/0/observation_ids/1")},
		{7, "url observed", minimal, func(r *evidence.Response) { r.Results[0].URL.Observed += "#x" }, at("/results/0/url")},
		{7, "url canonical", minimal, func(r *evidence.Response) { r.Results[0].URL.Canonical += "x" }, at("/results/0/url")},
		{7, "rank of the first", minimal, func(r *evidence.Response) { r.Results[0].EngineRank = 2 }, at("/results/0/engine_rank")},
		{7, "ranks with a gap", extraction, func(r *evidence.Response) { r.Results[1].EngineRank = 3 }, at("/results/1/engine_rank")},
		{7, "ranks descending", extraction, func(r *evidence.Response) { r.Results[0].EngineRank, r.Results[1].EngineRank = 2, 1 }, at("/results/0/engine_rank", "/results/1/engine_rank")},
		{7, "kind", minimal, func(r *evidence.Response) { r.Results[0].Kind = evidence.ExtractedDocument }, at("/results/0/kind")},
		{21, "left silently", research, func(r *evidence.Response) { dropActions(r, evidence.ActionExcluded) }, at("/observations/2")},
		{21, "demotion explains no absence", extraction, func(r *evidence.Response) {
			r.PolicyActions[1] = evidence.PolicyAction{Action: evidence.ActionDemoted, ObservationID: r.Observations[1].ObservationID, Reason: evidence.ReasonDomainDiversity}
			r.Results = r.Results[:1]
			r.LimitsApplied.Extract.ContextCharsReturned -= 5
		}, at("/observations/1")},
		{21, "stands for two without an action", research, func(r *evidence.Response) { dropActions(r, evidence.ActionSelected) }, at("/results/1/representative_observation_id")},
		{22, "member of two results", extraction, func(r *evidence.Response) {
			r.Results[1].ObservationIDs = append(r.Results[1].ObservationIDs, r.Results[0].ObservationIDs[0])
		}, at("/results/1/observation_ids/1")},
		{22, "member twice", minimal, func(r *evidence.Response) {
			r.Results[0].ObservationIDs = append(r.Results[0].ObservationIDs, r.Results[0].ObservationIDs[0])
		}, at("/results/0/observation_ids/1")},
	}
}

func dropActions(r *evidence.Response, action evidence.Action) {
	r.PolicyActions = slices.DeleteFunc(r.PolicyActions, func(a evidence.PolicyAction) bool { return a.Action == action })
}

func textMutants() []mutant {
	snippet := "/results/0/snippet"
	return []mutant{
		{8, "observation unknown", minimal, func(r *evidence.Response) { r.Results[0].Snippet.Provenance.ObservationID = "obs_x" }, at(snippet + "/provenance/observation_id")},
		{8, "observation of another result", extraction, func(r *evidence.Response) {
			text := *r.Results[1].Text
			r.Results[0].Text = &text
			r.LimitsApplied.Extract.ContextCharsReturned, r.LimitsApplied.Extract.Truncated = 10, false
		}, at("/results/0/text/provenance/observation_id")},
		{8, "another field", minimal, func(r *evidence.Response) {
			title := *r.Results[0].Title
			r.Results[0].Snippet = &title
		}, at(snippet + "/provenance/source_field")},
		{8, "field without text", minimal, func(r *evidence.Response) { r.Observations[0].Title = nil }, at("/results/0/title/provenance/source_field")},
		{9, "rewritten", minimal, func(r *evidence.Response) { replaceText(r.Results[0].Snippet, "Ports below 1024 are free.") }, at(snippet + "/text")},
		{9, "cut without saying so", minimal, func(r *evidence.Response) { replaceText(r.Results[0].Snippet, "Ports") }, at(snippet + "/text")},
		{9, "transformation without effect", minimal, func(r *evidence.Response) {
			p := &r.Results[0].Snippet.Provenance
			p.Transformations = []evidence.Transformation{evidence.WhitespaceNorm}
			replaceText(r.Results[0].Snippet, "Ports  below 1024 are reserved.")
		}, at(snippet + "/text")},
		{9, "fragment rewritten", research, func(r *evidence.Response) {
			p := &r.Results[1].Snippet.Provenance
			p.Fragments[0].Text = "c" + p.Fragments[0].Text[1:]
			replaceText(r.Results[1].Snippet, p.Fragments[0].Text+p.Separator+p.Fragments[1].Text)
		}, at("/results/1/snippet/provenance/fragments/0/text")},
		{10, "no fragment", research, func(r *evidence.Response) {
			r.Results[1].Snippet.Provenance.Fragments = []evidence.Fragment{}
			replaceText(r.Results[1].Snippet, "")
		}, at("/results/1/snippet/provenance/fragments")},
		{10, "fragment twice", research, func(r *evidence.Response) {
			p := &r.Results[1].Snippet.Provenance
			p.Fragments[1] = p.Fragments[0]
			replaceText(r.Results[1].Snippet, p.Fragments[0].Text+p.Separator+p.Fragments[0].Text)
		}, at("/results/1/snippet/provenance/fragments/1")},
		{10, "fragment unknown", research, func(r *evidence.Response) { r.Results[1].Snippet.Provenance.Fragments[0].ObservationID = "obs_x" }, at("/results/1/snippet/provenance/fragments/0/observation_id")},
		{10, "fragment of another cluster", research, func(r *evidence.Response) {
			p := &r.Results[1].Snippet.Provenance
			p.Fragments[0].ObservationID, p.Fragments[0].Text = r.Results[2].RepresentativeObservationID, "two"
			replaceText(r.Results[1].Snippet, "two"+p.Separator+p.Fragments[1].Text)
		}, at("/results/1/snippet/provenance/fragments/0/observation_id")},
		{10, "fragment of an empty field", research, func(r *evidence.Response) {
			r.Results[1].Snippet.Provenance.Fragments[0].SourceField = evidence.FieldText
		}, at("/results/1/snippet/provenance/fragments/0/source_field")},
		{10, "joined by something else", research, func(r *evidence.Response) {
			replaceText(r.Results[1].Snippet, strings.ReplaceAll(r.Results[1].Snippet.Text, "\n\n", "\n"))
		}, at("/results/1/snippet/text")},
		{10, "no separator", research, func(r *evidence.Response) {
			p := &r.Results[1].Snippet.Provenance
			p.Separator = ""
			replaceText(r.Results[1].Snippet, p.Fragments[0].Text+p.Fragments[1].Text)
		}, at("/results/1/snippet/provenance/separator")},
		{10, "aggregate in a title", research, func(r *evidence.Response) { r.Results[1].Title = r.Results[1].Snippet }, at("/results/1/title/provenance")},
		{11, "digest", minimal, func(r *evidence.Response) { r.Results[0].Title.TextSHA256 = strings.Repeat("0", 64) }, at("/results/0/title/text_sha256")},
		{11, "digest in capitals", minimal, func(r *evidence.Response) {
			r.Results[0].Title.TextSHA256 = strings.ToUpper(r.Results[0].Title.TextSHA256)
		}, at("/results/0/title/text_sha256")},
		{12, "not NFC", minimal, func(r *evidence.Response) {
			r.Observations[0].Snippet = ptr("Cafe\u0301")
			replaceText(r.Results[0].Snippet, "Cafe\u0301")
		}, at(snippet + "/text")},
		{12, "first segment begins late", minimal, func(r *evidence.Response) {
			r.Results[0].Snippet.Segments = []evidence.Segment{{Start: 1, End: 30, Text: "orts below 1024 are reserved."}}
		}, at(snippet + "/segments/0/start")},
		{12, "a gap", minimal, func(r *evidence.Response) {
			r.Results[0].Snippet.Segments = []evidence.Segment{{Start: 0, End: 5, Text: "Ports"}, {Start: 6, End: 30, Text: "below 1024 are reserved."}}
		}, at(snippet + "/segments/1/start")},
		{12, "an empty segment", minimal, func(r *evidence.Response) {
			r.Results[0].Snippet.Segments = slices.Insert(r.Results[0].Snippet.Segments, 0, evidence.Segment{})
		}, at(snippet + "/segments/0/text")},
		{12, "end", minimal, func(r *evidence.Response) { r.Results[0].Snippet.Segments[0].End-- }, at(snippet + "/segments/0/end")},
		{12, "offsets in bytes", extraction, func(r *evidence.Response) { r.Results[0].Text.Segments[0].End = len(r.Results[0].Text.Text) }, at("/results/0/text/segments/0/end")},
		{12, "another text", minimal, func(r *evidence.Response) { r.Results[0].Snippet.Segments[0].Text = "Ports below 1024 are reserved?" }, at(snippet + "/segments/0/text")},
		{12, "the end missing", minimal, func(r *evidence.Response) {
			r.Results[0].Snippet.Segments = []evidence.Segment{{Start: 0, End: 5, Text: "Ports"}}
		}, at(snippet + "/segments")},
		{12, "no segments", minimal, func(r *evidence.Response) { r.Results[0].Snippet.Segments = []evidence.Segment{} }, at(snippet + "/segments")},
		{12, "a segment of nothing", minimal, func(r *evidence.Response) {
			r.Observations[0].Snippet = ptr("")
			replaceText(r.Results[0].Snippet, "")
			r.Results[0].Snippet.Segments = []evidence.Segment{{Start: 0, End: 1, Text: "x"}}
		}, at(snippet + "/segments/0/text")},
		{13, "cut without an action", extraction, func(r *evidence.Response) { dropActions(r, evidence.ActionTruncated) }, at("/results/0/text/provenance/transformations")},
		{13, "fragment cut without an action", research, func(r *evidence.Response) {
			r.PolicyActions = slices.DeleteFunc(r.PolicyActions, func(a evidence.PolicyAction) bool { return a.Reason == evidence.ReasonMaxContent })
		}, at("/results/1/snippet/provenance/fragments/1/transformations")},
		{26, "engine says provider", extraction, func(r *evidence.Response) { r.Results[0].Text.Origin = evidence.FromProvider }, at("/results/0/text/origin")},
		{26, "provider says engine", minimal, func(r *evidence.Response) { r.Results[0].Title.Origin = evidence.FromEngine }, at("/results/0/title/origin")},
		{26, "aggregate says provider", research, func(r *evidence.Response) { r.Results[1].Snippet.Origin = evidence.FromProvider }, at("/results/1/snippet/origin")},
	}
}

func responseMutants() []mutant {
	banned := func(name string) mutant {
		return mutant{14, "warning with " + name, research, func(r *evidence.Response) {
			r.Warnings[0].Details = raw(`{"a":[{"` + name + `":0}]}`)
		}, at("/warnings/0/details/a/0/" + name)}
	}
	return []mutant{
		banned("answer"), banned("full_synthesis"), banned("claim"), banned("verification"), banned("truth_confidence"), banned("score"),
		{14, "type synthesis", research, func(r *evidence.Response) { r.Warnings[0].Details = raw(`{"type":"synthesis"}`) }, at("/warnings/0/details/type")},
		{14, "span with one member more", research, func(r *evidence.Response) {
			r.Warnings[0].Details = raw(`{"end":1,"score":1,"start":0,"text":"x","within_preview":true,"x":0}`)
		}, at("/warnings/0/details/score")},
		{14, "fields that a list allows", minimal, func(r *evidence.Response) { withFields(r, 0, `{"score":1}`) }, at("/observations/0/provider_fields/serper/score")},
		{14, "error of an attempt", totalFailure, func(r *evidence.Response) { r.ProviderAttempts[0].Error.Details = raw(`{"claim":1}`) }, at("/provider_attempts/0/error/details/claim")},
		{14, "error", totalFailure, func(r *evidence.Response) { r.Error.Details = raw(`{"claim":1}`) }, at("/error/details/claim")},
		{14, "shadow", minimal, func(r *evidence.Response) { r.RoutingReceipt.Shadow = raw(`{"claim":1}`) }, at("/routing_receipt/shadow/claim")},
		{14, "preflight", minimal, func(r *evidence.Response) { r.RoutingReceipt.BudgetPreflight = raw(`{"claim":1}`) }, at("/routing_receipt/budget_preflight/claim")},
		{14, "stored content", extraction, func(r *evidence.Response) {
			r.StoredContent = raw(strings.Replace(string(r.StoredContent), `"reference":null`, `"reference":{"claim":1}`, 1))
		}, at("/stored_content/0/reference/claim")},
		{15, "pair", minimal, func(r *evidence.Response) { r.PolicyActions[0].Reason = evidence.ReasonMaxResults }, at("/policy_actions/0/reason")},
		{15, "observation", extraction, func(r *evidence.Response) { r.PolicyActions[1].ObservationID = "obs_x" }, at("/policy_actions/1/observation_id")},
		{16, "providers", minimal, func(r *evidence.Response) { r.SourceDiversity.ProviderCount = 2 }, at("/source_diversity/provider_count")},
		{16, "hosts", research, func(r *evidence.Response) { r.SourceDiversity.HostCount-- }, at("/source_diversity/host_count")},
		{17, "failed without error", totalFailure, func(r *evidence.Response) { r.Error = nil }, at("/error")},
		{17, "error without failed", minimal, func(r *evidence.Response) { r.Error = failure() }, at("/error")},
		{17, "failed with results", minimal, func(r *evidence.Response) { r.Status, r.Error = evidence.StatusFailed, failure() }, at("/status")},
		{17, "degraded without code", minimal, func(r *evidence.Response) { r.Status = evidence.StatusDegraded }, at("/status")},
		{17, "degraded by another code", minimal, func(r *evidence.Response) {
			r.Status, r.Warnings = evidence.StatusDegraded, []evidence.Warning{{Code: evidence.CodeItemWithoutURL, Message: "m"}}
		}, at("/status")},
		{17, "code without degraded", staleHit, func(r *evidence.Response) { r.Status = evidence.StatusOK }, at("/status")},
		{17, "all failed and ok", totalFailure, func(r *evidence.Response) { r.Status, r.Error = evidence.StatusOK, nil }, at("/status")},
		{18, "engine without a name", research, func(r *evidence.Response) { r.Engine.Name = "" }, at("/engine")},
		{18, "engine without a version", research, func(r *evidence.Response) { r.Engine.Version = "" }, at("/engine")},
		{18, "engine without a commit", research, func(r *evidence.Response) { r.Engine.BuildCommit = "" }, at("/engine")},
		{25, "execution of the origin", freshHit, func(r *evidence.Response) {
			r.CacheStatus.OriginExecutionID, r.RoutingReceipt.CacheOrigin.ExecutionID = r.ExecutionID, r.ExecutionID
		}, at("/execution_id")},
		{25, "no age", freshHit, func(r *evidence.Response) { r.CacheStatus.AgeSeconds = nil }, at("/cache_status/age_seconds")},
		{25, "no origin", freshHit, func(r *evidence.Response) {
			r.CacheStatus.OriginExecutionID, r.RoutingReceipt.CacheOrigin.ExecutionID = "", ""
		}, at("/cache_status/origin_execution_id")},
		{25, "attempt on a fresh hit", freshHit, func(r *evidence.Response) { r.ProviderAttempts = staleHit().ProviderAttempts }, at("/provider_attempts/0")},
		{25, "success on a stale hit", staleHit, func(r *evidence.Response) {
			r.ProviderAttempts[0].Outcome, r.ProviderAttempts[0].Error = evidence.OutcomeSuccess, nil
		}, at("/provider_attempts/0/outcome")},
		{25, "partial on a stale hit", staleHit, func(r *evidence.Response) {
			r.ProviderAttempts[0].Outcome, r.ProviderAttempts[0].Error = evidence.OutcomePartial, nil
		}, at("/provider_attempts/0/outcome")},
		{25, "stale and not said", staleHit, func(r *evidence.Response) { r.CacheStatus.ServedStale = ptr(false) }, at("/cache_status/served_stale")},
		{25, "said and not stale", freshHit, func(r *evidence.Response) { r.CacheStatus.ServedStale = ptr(true) }, at("/cache_status/served_stale")},
	}
}
