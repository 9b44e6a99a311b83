package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// builder makes a pack step by step, in the shapes that a frozen pack has.
type builder struct {
	t    testing.TB
	pack *pack.Pack
}

func newBuilder(t testing.TB, id string) *builder {
	return &builder{t, &pack.Pack{
		Name: id, ID: evidence.TextDigest(id),
		Case: &casefile.Case{ID: id, AsOf: "2026-11-30T12:00:00Z"},
		Versions: pack.Versions{
			Format: pack.VersionsFormat, PackFormat: "1.0", MustUnderstand: []string{}, Casebook: pack.Casebook{Version: "0.1.0"},
			Engine:   evidence.Engine{Name: "casebook", Version: "0.1.0", BuildCommit: "pending"},
			Contract: evidence.ContractVersion, CanonicalJSON: "RFC8785", Normaliser: "1",
			RedactionRules: pack.RedactionRules{Name: "casebook", Version: "1", SHA256: evidence.TextDigest("rules"), Rules: map[string]bool{}},
			Release:        pack.Release{SourceCommit: "0f3c", BuildInputs: "pending", ImageDigest: "pending", DocsVersion: "pending"},
		},
		Provenance: pack.Provenance{
			Format: pack.ProvenanceFormat, CaseID: id, FrozenAt: "2026-11-30T12:00:00Z", Regenerate: []string{"casebook", "build", id},
		},
		Ledger: evidence.Ledger{Format: evidence.LedgerFormat, Commitment: "hmac-sha256-v1"},
	}}
}

func (b *builder) file(path, content string) {
	b.pack.Files = append(b.pack.Files, pack.FileEntry{
		Path: "data/" + path, Bytes: int64(len(content)), SHA256: evidence.FileDigest([]byte(content)),
	})
}

// step adds a step without results; the caller fills in what it needs.
func (b *builder) step(id, mode string, capability evidence.Capability, request string) *pack.Step {
	executed := evidence.ModePinned
	if mode == evidence.ModeReplay {
		executed = evidence.ModeLive
	}
	maximum := 5
	b.pack.Steps = append(b.pack.Steps, pack.Step{
		Spec: casefile.Step{ID: id, Kind: string(capability), Request: json.RawMessage(request)}, Mode: mode,
		Recording: &evidence.Recording{
			Step: id, Request: evidence.RecordedRequest{Format: evidence.RequestFormat, Step: id, Request: json.RawMessage(request)},
			Execution: evidence.Execution{
				Format: evidence.ExecutionFormat, Step: id, Mode: executed, ExecutionID: "exec_" + id, RequestID: "exec_" + id,
				FinishedAt: "2026-11-30T12:00:00Z", Engine: evidence.Engine{Name: "casebook", Version: "0.1.0", BuildCommit: "pending"},
			},
		},
		Response: &evidence.Response{
			ContractVersion: evidence.ContractVersion, ExecutionID: "exec_" + id, Capability: capability, Status: evidence.StatusOK,
			SourceDiversity: evidence.Diversity{Method: "component_count", MethodVersion: "1"},
			CacheStatus:     evidence.CacheStatus{Disposition: evidence.Miss},
			LimitsApplied:   evidence.Limits{MaxResults: &maximum},
			RoutingReceipt: evidence.Receipt{
				PolicyID: "classic", PolicyRevision: "routing-v2", Mode: "classic", FallbackReason: "none",
				Completion: &evidence.Completion{Authority: "classic", ExecutionScope: "current"},
			},
		},
	})
	b.pack.Provenance.Steps = append(b.pack.Provenance.Steps, pack.StepMode{Step: id, Mode: mode})
	b.file("recordings/"+id+"/request.json", request)
	b.file("recordings/"+id+"/execution.json", id)
	b.file("evidence/"+id+"/response.json", id)
	b.file("evidence/"+id+"/observations.ndjson", id)
	return &b.pack.Steps[len(b.pack.Steps)-1]
}

// attempt adds an attempt with its outcome to recording and response; tries are added by the caller.
func (b *builder) attempt(s *pack.Step, provider string, outcome evidence.Outcome) *evidence.RecordedAttempt {
	n := len(s.Recording.Attempts) + 1
	record := evidence.AttemptRecord{
		Format: evidence.AttemptFormat, AttemptID: fmt.Sprintf("attempt_%04x_%s", n, s.Spec.ID), Provider: provider,
		EndpointID: provider + ":" + string(s.Response.Capability), Capability: s.Response.Capability,
		Decision: evidence.Attempted, Outcome: outcome, StartedAt: "2026-11-30T12:00:00Z", DurationMS: 412,
		CircuitStateBefore: "closed", CircuitStateAfter: "closed", BudgetDecision: "allowed",
	}
	s.Recording.Attempts = append(s.Recording.Attempts, evidence.RecordedAttempt{Folder: evidence.AttemptFolder(n), Record: record})
	s.Response.ProviderAttempts = append(s.Response.ProviderAttempts, evidence.Attempt{
		AttemptID: record.AttemptID, Provider: provider, EndpointID: record.EndpointID, Capability: record.Capability,
		Decision: record.Decision, Outcome: outcome,
	})
	b.file("recordings/"+s.Spec.ID+"/"+evidence.AttemptFolder(n)+"/attempt.json", record.AttemptID)
	return &s.Recording.Attempts[n-1]
}

func (b *builder) try(s *pack.Step, a *evidence.RecordedAttempt, t evidence.TryRecord) {
	t.Format, t.AttemptID, t.TryNumber, t.StartedAt = evidence.TryFormat, a.Record.AttemptID, len(a.Tries)+1, "2026-11-30T12:00:00Z"
	a.Tries = append(a.Tries, t)
	a.Record.Tries = append(a.Record.Tries, evidence.TryStem(t.TryNumber))
	b.file("recordings/"+s.Spec.ID+"/"+a.Folder+"/"+evidence.TryStem(t.TryNumber)+".json", string(t.Outcome))
}

// observe adds what an attempt returned; a nil title, snippet or text is null.
func (b *builder) observe(s *pack.Step, a *evidence.RecordedAttempt, o evidence.Observation) string {
	n := len(s.Response.Observations)
	o.ObservationID, o.ProviderAttemptID, o.ProviderResultIndex = evidence.ObservationID(a.Record.AttemptID, n), a.Record.AttemptID, n
	o.Provider, o.EndpointID, o.Kind = a.Record.Provider, a.Record.EndpointID, evidence.SearchResult
	if s.Response.Capability == evidence.Extract {
		o.Kind = evidence.ExtractedDocument
	}
	rank := n + 1
	o.ProviderRank = &rank
	if o.ProviderFields == nil {
		o.ProviderFields = map[string]json.RawMessage{}
	}
	if o.URL.Canonical == "" {
		o.URL.Canonical = o.URL.Observed
	}
	s.Response.Observations = append(s.Response.Observations, o)
	for i := range s.Response.ProviderAttempts {
		if s.Response.ProviderAttempts[i].AttemptID == a.Record.AttemptID {
			s.Response.ProviderAttempts[i].ResultCount++
		}
	}
	return o.ObservationID
}

// result makes a result of observations, the first being shown.
func (b *builder) result(s *pack.Step, ids ...string) *evidence.Result {
	var shown evidence.Observation
	for _, o := range s.Response.Observations {
		if o.ObservationID == ids[0] {
			shown = o
		}
	}
	s.Response.Results = append(s.Response.Results, evidence.Result{
		ResultID: evidence.ResultID(ids[0]), Kind: shown.Kind, EngineRank: len(s.Response.Results) + 1,
		RepresentativeObservationID: ids[0], ObservationIDs: ids, DedupClusterID: evidence.ClusterID(shown.URL.Canonical), URL: shown.URL,
		Title: projectedOf(&shown, evidence.FieldTitle), Snippet: projectedOf(&shown, evidence.FieldSnippet),
		Text:       projectedOf(&shown, evidence.FieldText),
		SourceType: &evidence.SourceType{Value: "docs", Method: "url_heuristic", MethodVersion: "1", Confidence: "high"},
		FetchPriority: &evidence.FetchPriority{
			Tier: "medium", ReasonCodes: []string{"cluster_single_observation", "rank_top_3", "source_type_authoritative"},
		},
	})
	s.Response.PolicyActions = append(s.Response.PolicyActions, evidence.PolicyAction{
		Action: evidence.ActionSelected, ObservationID: ids[0], Reason: evidence.ReasonRepresentative,
	})
	return &s.Response.Results[len(s.Response.Results)-1]
}

func projectedOf(o *evidence.Observation, field evidence.SourceField) *evidence.ProjectedText {
	text := o.Field(field)
	if text == nil {
		return nil
	}
	return &evidence.ProjectedText{
		Text: *text, TextSHA256: string(evidence.TextDigest(*text)), Origin: evidence.FromProvider,
		Provenance: evidence.Provenance{
			ObservationID: o.ObservationID, SourceField: field, Transformations: []evidence.Transformation{evidence.MechanicalSegmentation},
		},
		Segments: []evidence.Segment{{Start: 0, End: 1, Text: *text}},
	}
}

func ptr[T any](v T) *T { return &v }

func texts(lang string, text string, more ...string) casefile.Text {
	made := casefile.Text{{Lang: lang, Text: text}}
	for i := 0; i+1 < len(more); i += 2 {
		made = append(made, casefile.Translation{Lang: more[i], Text: more[i+1]})
	}
	return made
}

const (
	samoaURL = "https://data.iana.org/time-zones/tzdb/tzdata.zi#Pacific/Apia"
	samoaRow = "Z Pacific/Apia 12:33:4 - LMT 1892 Jul 5\n-11:26:56 - LMT 1911\n-11:30 - -1130 1950\n-11 WS %z 2011 D 29 24\n13 WS %z"
)

// samoa is a small case: a search with a cluster of two, an extraction, a disagreement, both languages.
func samoa(t testing.TB) *pack.Pack {
	b := newBuilder(t, "samoa-skips-a-day")
	c := b.pack.Case
	c.Title = texts("en", "Samoa skips a day", "zh-CN", "萨摩亚跳过一天")
	c.Question = texts("en", "Which calendar day did Samoa leave out in 2011?")
	c.Tags = []string{"time-zones", "calendars"}
	c.Sources = []casefile.Source{{Name: "tz database", URL: "https://www.iana.org/time-zones", Licence: "public domain"}}
	for _, name := range []string{"case.yaml", "case.json", "case.md", "versions.json", "provenance.json", "redactions.json"} {
		b.file(name, name)
	}
	find := b.step("find", evidence.ModePinned, evidence.Search, `{"capability":"search","contract_version":"3.0","input":{"query":"Samoa Apia date line 2011"},"options":{"max_results":5},"routing":{"mode":"fixed","provider":"local"}}`)
	find.Recording.Execution.Corpus = &evidence.CorpusRef{Name: "tz", SHA256: evidence.TextDigest("corpus")}
	a := b.attempt(find, "local", evidence.OutcomeSuccess)
	b.try(find, a, evidence.TryRecord{Origin: evidence.OriginLocal, DurationMS: 3, Outcome: evidence.TrySuccess, Body: evidence.NewBody([]byte(`{"documents":[]}`))})
	apia := evidence.Observation{
		URL: evidence.URL{Observed: samoaURL, Canonical: "https://data.iana.org/time-zones/tzdb/tzdata.zi"}, Title: ptr("Pacific/Apia"),
		Snippet: ptr("… -11 WS %z 2011 D 29 24 …"), ProviderScore: &evidence.Score{Value: "12.25", Semantics: evidence.ProviderLocalRelevance},
		PublishedAt: &evidence.Date{Raw: "2026"}, ProviderFields: map[string]json.RawMessage{"local": json.RawMessage(`{"document":"apia.txt"}`)},
	}
	first := b.observe(find, a, apia)
	apia.URL.Observed += "?utm_source=mirror"
	second := b.observe(find, a, apia)
	fakaofo := b.observe(find, a, evidence.Observation{
		URL: evidence.URL{Observed: "https://data.iana.org/time-zones/tzdb/tzdata.zi#Pacific/Fakaofo"}, Title: ptr("Pacific/Fakaofo"),
		Snippet: ptr("Tokelau went with Samoa:\n-11 - %z 2011 D 30"),
	})
	left := b.observe(find, a, evidence.Observation{URL: evidence.URL{Observed: "https://tz.example/list"}, Snippet: ptr("")})
	b.result(find, first, second)
	b.result(find, fakaofo)
	r := find.Response
	r.PolicyActions = append(r.PolicyActions, evidence.PolicyAction{Action: evidence.ActionTruncated, ObservationID: left, Reason: evidence.ReasonMaxResults})
	r.SourceDiversity = evidence.Diversity{Method: "component_count", MethodVersion: "1", ProviderCount: 1, HostCount: 2, SourceFamilyCount: 2, UniqueClusterCount: 2}
	r.RoutingReceipt.SelectedProvider = ptr("local")
	r.RoutingReceipt.CandidateOrder = []string{"local"}
	r.RoutingReceipt.CandidateDecisions = []evidence.CandidateDecision{
		{Provider: "local", Position: 1, Decision: "selected", ReasonCode: "classic_selected", AttemptID: &a.Record.AttemptID},
	}
	find.Spec.Expect = []casefile.Expect{
		{Rank: 1, URL: samoaURL, Line: 24}, {Results: ptr(3), Line: 25, Note: "three rows name the day"},
	}
	samoaRecord(b)
	samoaWords(b)
	return b.pack
}

func samoaRecord(b *builder) {
	record := b.step("record", evidence.ModePinned, evidence.Extract, `{"capability":"extract","contract_version":"3.0","input":{"urls":["`+samoaURL+`"]}}`)
	record.Response.LimitsApplied = evidence.Limits{Extract: &evidence.ExtractLimits{
		RequestedURLCount: 1, ProcessedURLs: []string{samoaURL}, MaxURLs: 10, MaxContextChars: 60_000, ContextCharsReturned: 128,
	}}
	a := b.attempt(record, "local", evidence.OutcomeSuccess)
	b.try(record, a, evidence.TryRecord{Origin: evidence.OriginLocal, DurationMS: 1, Outcome: evidence.TrySuccess, Body: evidence.NewBody([]byte(samoaRow))})
	id := b.observe(record, a, evidence.Observation{URL: evidence.URL{Observed: samoaURL}, Title: ptr("Pacific/Apia"), Text: ptr(samoaRow)})
	b.result(record, id)
}

func samoaWords(b *builder) {
	c := b.pack.Case
	c.Narratives = []casefile.Narrative{
		{Lang: "en", File: "case.md", Source: []byte(`Samoa left out **30 December 2011**: its zone jumps at [-11 WS %z 2011 D 29 24](evidence:record/1#text), the end of the 29th.

## How to read the row

The *until* column ` + "`2011 D 29 24`" + ` means midnight at the end of the 29th. See [the source](https://www.iana.org/time-zones).

- first, the [old offset](javascript:alert(1))
- then [13 WS %z](evidence:record/1#text)

| column | means |
| --- | --- |
| ` + "`D`" + ` | December |

![map](https://images.example/map.png) <b>no markup</b>
`)},
		{Lang: "zh-CN", File: "case.zh-cn.md", Source: []byte("萨摩亚跳过了 **2011 年 12 月 30 日**，见 [-11 WS %z 2011 D 29 24](evidence:record/1#text)。\n\n时区名为 [Pacific/Apia](evidence:find/1#title)。\n")},
	}
	c.Contested = []casefile.Contest{
		{
			Between: [2]string{"[2011 D 29 24](evidence:find/1#snippet)", "[2011 D 30](evidence:find/2#snippet)"},
			Note:    texts("en", "The two rows name the same moment by different days.", "zh-CN", "两行用不同的日期表示同一时刻。"),
		},
		{
			Between:  [2]string{"[-11 WS](evidence:find/1#snippet)", "[13 WS](evidence:record/1#text)"},
			Note:     texts("en", "Which offset holds?"),
			Resolved: &casefile.Resolution{By: texts("en", "The table itself"), Note: texts("en", "Both, one after the other.")},
		},
	}
}

// quiet is a replayed case where one source failed, one was skipped and the last had nothing, beside a step where nobody
// could be asked; spans were removed.
func quiet(t testing.TB) *pack.Pack {
	b := newBuilder(t, "quiet-sources")
	b.pack.Case.Title = texts("zh-CN", "安静的来源")
	b.pack.Case.Question = texts("zh-CN", "有没有关于它的页面？")
	s := b.step("look", evidence.ModeReplay, evidence.Search, `{"capability":"search","contract_version":"3.0","input":{"query":"nothing | at all"}}`)
	failed := b.attempt(s, "brave", evidence.OutcomeFailed)
	failed.Record.Error = &evidence.Error{ErrorClass: "rate_limit", Code: "wsp.provider.rate_limit", Message: "the provider limits the rate", Retryable: true}
	failed.Record.CircuitStateAfter = "open"
	for range 2 {
		b.try(s, failed, evidence.TryRecord{
			Origin: evidence.OriginRecorded, DurationMS: 120, Outcome: evidence.TryError,
			Error:   &evidence.TryFault{ErrorClass: "rate_limit", Code: "wsp.provider.rate_limit", HTTPStatus: ptr(429), Retryable: true, RetryAfterMS: ptr(int64(3000))},
			Request: &evidence.SentRequest{Method: "GET", URL: "https://api.search.brave.com/res/v1/web/search?q=nothing", Headers: map[string]string{"x-subscription-token": "[redacted:rd0001]"}},
			HTTP:    &evidence.ReceivedHead{Status: 429, ContentType: "application/json"},
		})
	}
	skipped := b.attempt(s, "tavily", evidence.OutcomeSkipped)
	skipped.Record.Decision, skipped.Record.SkipReason = evidence.Skipped, ptr("missing_credentials")
	empty := b.attempt(s, "searxng", evidence.OutcomeSuccess)
	body := evidence.NewBody([]byte(`{"results":[]}`))
	b.try(s, empty, evidence.TryRecord{
		Origin: evidence.OriginAuthored, DurationMS: 80, Outcome: evidence.TrySuccess, Body: body.WithText(`{"results":[],"note":"[redacted:rd0002]"}`),
		Request: &evidence.SentRequest{Method: "GET", URL: "https://searx.example/search?q=nothing"},
		HTTP:    &evidence.ReceivedHead{Status: 200, ContentType: "application/json"},
	})
	s.Response.Warnings = []evidence.Warning{{Code: "wsp.provider.item_without_url", Message: "one item had no URL", Details: json.RawMessage(`{"provider":"searxng"}`)}}
	s.Response.RoutingReceipt.CandidateDecisions = []evidence.CandidateDecision{
		{Provider: "brave", Position: 1, Decision: "attempted_failed", ReasonCode: "attempt_failed", AttemptID: &failed.Record.AttemptID},
		{Provider: "tavily", Position: 2, Decision: "skipped", ReasonCode: "provider_unavailable", AttemptID: &skipped.Record.AttemptID},
		{Provider: "searxng", Position: 3, Decision: "attempted_no_selection", ReasonCode: "insufficient_results", AttemptID: &empty.Record.AttemptID},
		{Provider: "exa", Position: 4, Decision: "not_attempted", ReasonCode: "budget_denied"},
	}
	blind := b.step("again", evidence.ModeReplay, evidence.Search, `{"capability":"search","contract_version":"3.0","input":{"query":"again"}}`)
	blind.Response.Status = evidence.StatusFailed
	blind.Response.Error = &evidence.Error{ErrorClass: "config", Code: "wsp.config.missing_credentials", Message: "no usable credential for the planned provider"}
	unasked := b.attempt(blind, "tavily", evidence.OutcomeSkipped)
	unasked.Record.Decision, unasked.Record.SkipReason = evidence.Skipped, ptr("missing_credentials")
	blind.Response.ProviderAttempts[0].Decision = evidence.Skipped
	b.pack.Ledger.Targets = []evidence.RedactedString{
		{ID: "ot0001", File: "data/recordings/look/a0001/t01.json", Pointer: "/request/headers/x-subscription-token"},
		{ID: "ot0002", File: "data/recordings/look/a0003/t01.json", Pointer: "/body/text"},
	}
	b.pack.Ledger.Entries = []evidence.RedactedSpan{
		{ID: "rd0001", Target: "ot0001", Length: 17, Class: "secret", Rule: "auth_header", Reason: "credential header", Commitment: ptr(strings.Repeat("c7", 32))},
		{ID: "rd0002", Target: "ot0002", Start: 23, Length: 17, Class: "personal", Rule: "email", Reason: "e-mail address"},
	}
	return b.pack
}
