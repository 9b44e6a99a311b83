package projection

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// drawInput draws observations of several attempts that meet on few pages, and rules.
func drawInput(t *rapid.T) Input {
	capability := rapid.SampledFrom([]evidence.Capability{evidence.Search, evidence.Extract}).Draw(t, "capability")
	query := rapid.SampledFrom([]string{"x", "official docs", "nvidia earnings", "cve 1", "nist pdf", "openai release", "site:a.example x"}).Draw(t, "query")
	in := Input{
		Request: evidence.Request{ContractVersion: "3.0", Capability: capability, RequestID: "r", Input: evidence.Input{Query: query}},
		Quality: evidence.Quality{
			FilterSpam:          rapid.Bool().Draw(t, "spam"),
			BlockedDomains:      []string{"b.example"},
			MaxResultsPerDomain: rapid.IntRange(0, 3).Draw(t, "per domain"),
		},
		Limits: evidence.ExecutionLimit{MaxResults: ptr(rapid.IntRange(1, 6).Draw(t, "max")), MaxContextChars: ptr(rapid.IntRange(1000, 1500).Draw(t, "chars"))},
	}
	for a, provider := range []string{"serper", "brave", "exa"} {
		attempt := fmt.Sprintf("attempt_%04d%s", a+1, provider)
		if rapid.Bool().Draw(t, "in order") {
			in.Order = append(in.Order, attempt)
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "items") {
			in.Observations = append(in.Observations, drawObservation(t, capability, provider, attempt, i))
		}
	}
	return in
}

func drawObservation(t *rapid.T, capability evidence.Capability, provider, attempt string, index int) evidence.Observation {
	host := rapid.SampledFrom([]string{"a.example", "www.a.example", "b.example", "docs.c.example", "github.com", "reddit.com", "newbedev.com"}).Draw(t, "host")
	url := "https://" + host + rapid.SampledFrom([]string{"/1", "/2.pdf", "/1?utm_source=x", "/2.pdf#top"}).Draw(t, "path")
	text := evidence.NFC(strings.Repeat(rapid.StringN(0, 12, -1).Draw(t, "text"), rapid.SampledFrom([]int{1, 80}).Draw(t, "times")))
	o := page(provider, index, url, text)
	o.ProviderAttemptID, o.ObservationID = attempt, evidence.ObservationID(attempt, index)
	if rapid.Bool().Draw(t, "title") {
		o.Title = ptr("title " + text)
	}
	if capability == evidence.Extract {
		o.Kind, o.EndpointID, o.Snippet, o.Text = evidence.ExtractedDocument, provider+":extract", nil, &text
	}
	return o
}

// respond wraps a projection in a response: its attempts, and nothing that the projection does not decide.
func respond(in Input, out Output) *evidence.Response {
	r := &evidence.Response{
		ContractVersion: "3.0", RequestID: "r", ExecutionID: "exec_1", Capability: in.Request.Capability, Status: evidence.StatusOK,
		Results: out.Results, Observations: out.Observations, PolicyActions: out.Actions, SourceDiversity: out.Diversity,
		ProviderAttempts: []evidence.Attempt{}, DedupClusters: out.Clusters, Warnings: []evidence.Warning{},
		RoutingReceipt: evidence.Receipt{
			PolicyID: "classic", PolicyRevision: "routing-v2", Mode: "classic", CandidateOrder: []string{}, FallbackReason: "none",
		},
		CacheStatus: evidence.CacheStatus{Disposition: evidence.Miss},
	}
	seen := map[string]bool{}
	for _, o := range out.Observations {
		if seen[o.ProviderAttemptID] {
			continue
		}
		seen[o.ProviderAttemptID] = true
		r.ProviderAttempts = append(r.ProviderAttempts, evidence.Attempt{
			AttemptID: o.ProviderAttemptID, Provider: o.Provider, EndpointID: o.EndpointID, Capability: in.Request.Capability,
			Decision: evidence.Attempted, Outcome: evidence.OutcomeSuccess, CircuitStateBefore: "closed", CircuitStateAfter: "closed",
			Tries: []evidence.Try{{TryNumber: 1, StartedAt: "2026-03-01T10:00:00Z", Outcome: evidence.TrySuccess}},
		})
	}
	if in.Request.Capability == evidence.Search {
		r.LimitsApplied.MaxResults = in.Limits.MaxResults
		return r
	}
	r.LimitsApplied.Extract = &evidence.ExtractLimits{
		RequestedURLCount: 1, ProcessedURLs: []string{"https://a.example/1"}, OmittedURLs: []string{}, MaxURLs: 10,
		MaxContextChars: *in.Limits.MaxContextChars, ContextCharsReturned: out.ReturnedChars, Truncated: len(out.Truncated) > 0,
	}
	if len(out.Truncated) > 0 {
		r.Status, r.Warnings = evidence.StatusDegraded, []evidence.Warning{{Code: evidence.CodeContentTruncated, Message: "text was cut"}}
	}
	return r
}

// Whatever is projected is a valid response by validator and schema, and comes back equal from its bytes.
func TestProjectionIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		r := respond(in, Project(in))
		if found := r.Validate(evidence.ValidateOptions{}); len(found) > 0 {
			t.Fatalf("%v", found)
		}
		data, err := canon.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := evidence.DecodeResponse(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Nothing is lost: every observation is in the output and either a member of one result or left out by an action.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		out := Project(in)
		if len(out.Observations) != len(in.Observations) {
			t.Fatalf("%d observations of %d", len(out.Observations), len(in.Observations))
		}
		members := map[string]int{}
		for _, r := range out.Results {
			for _, id := range r.ObservationIDs {
				members[id]++
			}
		}
		left := map[string]int{}
		for _, a := range out.Actions {
			if a.Action == evidence.ActionExcluded || a.Reason == evidence.ReasonMaxResults {
				left[a.ObservationID]++
			}
		}
		for _, o := range in.Observations {
			if members[o.ObservationID]+left[o.ObservationID] != 1 {
				t.Fatalf("%s is a member %d times and left out %d times", o.ObservationID, members[o.ObservationID], left[o.ObservationID])
			}
		}
	})
}

// Answers may arrive in any order: the projection is the same, and its input untouched.
func TestArrivalOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		before, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		want := Project(in)
		if after, err := json.Marshal(in); err != nil || string(after) != string(before) {
			t.Fatal("the input was changed", err)
		}
		shuffled := in
		shuffled.Observations = rapid.Permutation(in.Observations).Draw(t, "arrival")
		if diff := cmp.Diff(want, Project(shuffled)); diff != "" {
			t.Fatal(diff)
		}
		// The observations of the output are in engine order, so a cache hit that starts from them projects alike.
		again := in
		again.Observations = want.Observations
		if diff := cmp.Diff(want, Project(again)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Segments rebuild each text, each text is within its limit, and a limit is used up where it cuts.
func TestTextsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		out := Project(in)
		chars := 0
		for _, r := range out.Results {
			for _, field := range []evidence.SourceField{evidence.FieldTitle, evidence.FieldSnippet, evidence.FieldText} {
				text := r.Field(field)
				if text == nil {
					continue
				}
				var joined strings.Builder
				for _, segment := range text.Segments {
					joined.WriteString(segment.Text)
				}
				if joined.String() != text.Text {
					t.Fatalf("segments of %q give %q", text.Text, joined.String())
				}
				if text.Provenance.IsAggregate() && evidence.Length(text.Text) > aggregateChars {
					t.Fatalf("an aggregate of %d code points", evidence.Length(text.Text))
				}
				if field == evidence.FieldText {
					chars += evidence.Length(text.Text)
				}
			}
		}
		limit := *in.Limits.MaxContextChars
		if chars != out.ReturnedChars || chars > limit || len(out.Truncated) > 0 && chars != limit {
			t.Fatalf("%d code points, returned %d, limit %d, truncated %v", chars, out.ReturnedChars, limit, out.Truncated)
		}
	})
}

// thousand is an input of 1,000 observations of four providers on 700 pages.
func thousand() Input {
	in := searching("official docs of a library", 1000)
	in.Order, in.Observations = nil, nil
	for _, provider := range []string{"serper", "brave", "exa", "you"} {
		in.Order = append(in.Order, "attempt_"+provider)
		for i := range 250 {
			n := (i*4 + len(in.Order)) % 700
			o := page(provider, i, fmt.Sprintf("https://host%d.example/path/%d?utm_source=%s", n%90, n, provider),
				fmt.Sprintf("%s says on page %d: %s", provider, n, strings.Repeat("größer als zuvor ", 9)+"."))
			o.Title = ptr(fmt.Sprintf("Title of page %d", n))
			o.ProviderFields[provider] = json.RawMessage(`{"position":1,"source":"x"}`)
			in.Observations = append(in.Observations, o)
		}
	}
	return in
}

func TestThousandIsValid(t *testing.T) {
	in := thousand()
	out := Project(in)
	if found := respond(in, out).Validate(evidence.ValidateOptions{}); len(found) > 0 || len(out.Results) != 700 {
		t.Errorf("%d results, %v", len(out.Results), found)
	}
}

func BenchmarkProjectAndValidate(b *testing.B) {
	in := thousand()
	b.ReportAllocs()
	for b.Loop() {
		if found := respond(in, Project(in)).Validate(evidence.ValidateOptions{}); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkProject(b *testing.B) {
	in := thousand()
	b.ReportAllocs()
	for b.Loop() {
		Project(in)
	}
}
