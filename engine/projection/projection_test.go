package projection

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
)

func ptr[T any](v T) *T { return &v }

// page makes the observation of a search; the attempt is named after the provider.
func page(provider string, index int, url, snippet string) evidence.Observation {
	attempt := "attempt_" + provider
	return evidence.Observation{
		ObservationID: evidence.ObservationID(attempt, index), ProviderAttemptID: attempt, ProviderResultIndex: index,
		Provider: provider, EndpointID: provider + ":search", Kind: evidence.SearchResult,
		URL:     evidence.URL{Observed: url, Canonical: evidence.CanonicalURL(url, false)},
		Snippet: &snippet, ProviderRank: ptr(index + 1), ProviderFields: map[string]json.RawMessage{},
	}
}

func document(provider string, index int, url, text string) evidence.Observation {
	o := page(provider, index, url, "")
	o.EndpointID, o.Kind, o.Snippet, o.Text = provider+":extract", evidence.ExtractedDocument, nil, &text
	return o
}

// searching is the input of a search by one provider whose items have these URLs.
func searching(query string, max int, urls ...string) Input {
	in := Input{
		Request: evidence.Request{Capability: evidence.Search, Input: evidence.Input{Query: query}, Options: evidence.Options{MaxResults: &max}},
		Quality: evidence.DefaultQuality(), Order: []string{"attempt_serper"},
	}
	for i, url := range urls {
		in.Observations = append(in.Observations, page("serper", i, url, "s"))
	}
	return in
}

// shown gives the observed URLs of the results.
func shown(out Output) []string {
	urls := []string{}
	for _, r := range out.Results {
		urls = append(urls, r.URL.Observed)
	}
	return urls
}

// acted gives the actions as "action url", in order, without the representatives.
func acted(out Output) []string {
	urls := map[string]string{}
	for _, o := range out.Observations {
		urls[o.ObservationID] = o.URL.Observed
	}
	lines := []string{}
	for _, a := range out.Actions {
		if a.Action != evidence.ActionSelected {
			lines = append(lines, fmt.Sprintf("%s %s", a.Action, urls[a.ObservationID]))
		}
	}
	return lines
}

// The response of contract 2.15, whole: what is projected from its observations is what it holds.
func TestMinimalResponse(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "evidence", "testdata", "minimal_response.json"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := evidence.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	out := Project(Input{
		Request: evidence.Request{Capability: evidence.Search, Input: evidence.Input{Query: "port policy"}},
		Quality: evidence.DefaultQuality(), Order: []string{"attempt_0001ebbbb4d95590"}, Observations: want.Observations,
	})
	got := *want
	got.Observations, got.Results, got.PolicyActions = out.Observations, out.Results, out.Actions
	got.SourceDiversity, got.DedupClusters = out.Diversity, out.Clusters
	if diff := cmp.Diff(want, &got); diff != "" {
		t.Error(diff)
	}
	if found := got.Validate(evidence.ValidateOptions{}); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// Every step of a search in one run, by hand: the authority list of official_docs puts docs.b first, the spam goes,
// the third page of a.example stands behind, and the cap takes the last two clusters with all members.
func TestSearchPipeline(t *testing.T) {
	in := searching("official docs of x", 4,
		"https://a.example/1", "https://a.example/2", "https://newbedev.com/", "https://a.example/3", "https://docs.b.example/",
		"https://c.example/", "https://medium.com/")
	in.Order = []string{"attempt_serper", "attempt_brave"}
	in.Observations = append(in.Observations,
		page("brave", 0, "https://a.example/1?gclid=1", "t"), page("brave", 7, "https://medium.com/#x", "t"))
	slices.Reverse(in.Observations)
	out := Project(in)

	order := []string{}
	for _, o := range out.Observations {
		order = append(order, fmt.Sprint(o.Provider, o.ProviderResultIndex))
	}
	if want := strings.Fields("serper0 brave0 serper1 serper2 serper3 serper4 serper5 serper6 brave7"); !slices.Equal(order, want) {
		t.Errorf("observations %v, want %v", order, want)
	}
	wantShown := []string{"https://docs.b.example/", "https://a.example/1", "https://a.example/2", "https://c.example/"}
	if diff := cmp.Diff(wantShown, shown(out)); diff != "" {
		t.Errorf("results %s", diff)
	}
	wantActed := []string{
		"excluded https://newbedev.com/",
		"reranked https://docs.b.example/", "reranked https://a.example/1", "reranked https://a.example/2", "reranked https://a.example/3",
		"demoted https://a.example/3",
		"truncated_by_limit https://medium.com/", "truncated_by_limit https://medium.com/#x", "truncated_by_limit https://a.example/3",
	}
	if diff := cmp.Diff(wantActed, acted(out)); diff != "" {
		t.Errorf("actions %s", diff)
	}
	kinds := []evidence.Action{}
	for _, a := range out.Actions {
		kinds = append(kinds, a.Action)
	}
	if kinds = slices.Compact(kinds); !slices.Equal(kinds, []evidence.Action{"excluded", "reranked", "demoted", "truncated_by_limit", "selected_as_representative"}) {
		t.Errorf("actions in the order %v", kinds)
	}
	for i, r := range out.Results {
		if r.EngineRank != i+1 || out.Clusters[i].DedupClusterID != r.DedupClusterID ||
			!slices.Equal(out.Clusters[i].ObservationIDs, r.ObservationIDs) || out.Clusters[i].RepresentativeObservationID != r.RepresentativeObservationID {
			t.Errorf("result %d: rank %d, cluster %v", i, r.EngineRank, out.Clusters[i])
		}
	}
	wantMembers := []string{evidence.ObservationID("attempt_serper", 0), evidence.ObservationID("attempt_brave", 0)}
	if got := out.Results[1]; !slices.Equal(got.ObservationIDs, wantMembers) || got.RepresentativeObservationID != wantMembers[0] {
		t.Errorf("members %v of %s, want %v", got.ObservationIDs, got.RepresentativeObservationID, wantMembers)
	}
	if want := (evidence.Diversity{
		Method: "component_count", MethodVersion: "1", ProviderCount: 2, HostCount: 5, SourceFamilyCount: 5, UniqueClusterCount: 4,
	}); out.Diversity != want {
		t.Errorf("diversity %+v, want %+v", out.Diversity, want)
	}
}

// The candidate order decides between equal places, not the order of the names; who is in no order comes behind.
func TestCandidateOrder(t *testing.T) {
	in := searching("x", 9)
	in.Order = []string{"attempt_serper", "attempt_brave"}
	for _, provider := range []string{"zeta", "exa", "brave", "serper"} {
		in.Observations = append(in.Observations, page(provider, 0, "https://"+provider+".example/", "s"))
	}
	want := []string{"https://serper.example/", "https://brave.example/", "https://exa.example/", "https://zeta.example/"}
	if got := shown(Project(in)); !slices.Equal(got, want) {
		t.Errorf("results %v, want %v", got, want)
	}
}

// Extraction knows no spam, no rerank, no diversity and no cap of results: the caller named the URLs.
func TestExtractPipeline(t *testing.T) {
	in := Input{
		Request: evidence.Request{Capability: evidence.Extract},
		Quality: evidence.DefaultQuality(), Limits: evidence.ExecutionLimit{MaxContextChars: ptr(1000), MaxResults: ptr(1)},
		Order: []string{"attempt_tavily", "attempt_exa"},
		Observations: []evidence.Observation{
			document("tavily", 1, "https://newbedev.com/1", strings.Repeat("ä", 1500)),
			document("tavily", 0, "https://newbedev.com/0", "Zürich"),
			document("exa", 2, "https://newbedev.com/2", ""),
			document("tavily", 3, "https://newbedev.com/0#again", "again"),
		},
	}
	in.Observations[1].Title = ptr("")
	out := Project(in)
	if got, want := shown(out), []string{"https://newbedev.com/0", "https://newbedev.com/1", "https://newbedev.com/2"}; !slices.Equal(got, want) {
		t.Fatalf("results %v, want %v", got, want)
	}
	cut := out.Results[1]
	if cut.Text.Text != strings.Repeat("ä", 994) || cut.Text.Origin != evidence.FromEngine ||
		!slices.Equal(cut.Text.Provenance.Transformations, []evidence.Transformation{"mechanical_segmentation", "deterministic_truncation"}) {
		t.Errorf("cut text %d code points, %s, %v", evidence.Length(cut.Text.Text), cut.Text.Origin, cut.Text.Provenance.Transformations)
	}
	if out.ReturnedChars != 1000 || !slices.Equal(out.Truncated, []string{evidence.ObservationID("attempt_tavily", 1)}) {
		t.Errorf("returned %d, truncated %v", out.ReturnedChars, out.Truncated)
	}
	if got, want := acted(out), []string{"truncated_by_limit https://newbedev.com/1"}; !slices.Equal(got, want) {
		t.Errorf("actions %v, want %v", got, want)
	}
	if last := out.Actions[len(out.Actions)-1]; last.Reason != evidence.ReasonMaxContent {
		t.Errorf("last action %v", last)
	}
	// An empty text and an empty title stay, what is null stays null, two members without snippets make no aggregate.
	if out.Results[2].Text.Text != "" || len(out.Results[2].Text.Segments) != 0 || out.Results[0].Title == nil || out.Results[1].Title != nil || out.Results[0].Snippet != nil {
		t.Errorf("empty and null are mixed up: %+v", out.Results)
	}
	if len(out.Results[0].ObservationIDs) != 2 || out.Results[0].Text.Text != "Zürich" {
		t.Errorf("the first result is %+v", out.Results[0])
	}
}

func TestLimits(t *testing.T) {
	in := searching("x", 2, "https://a.example/", "https://b.example/", "https://c.example/")
	if got := len(Project(in).Results); got != 2 {
		t.Errorf("%d results by the request's cap, want 2", got)
	}
	in.Limits.MaxResults = ptr(1)
	if got := len(Project(in).Results); got != 1 {
		t.Errorf("%d results by the cap in force, want 1", got)
	}
	in.Limits.MaxResults = ptr(3)
	if out := Project(in); len(out.Results) != 3 || len(acted(out)) != 0 {
		t.Errorf("%d results and %v, want 3 and none", len(out.Results), acted(out))
	}
	extract := Input{Request: evidence.Request{Capability: evidence.Extract, Options: evidence.Options{MaxContextChars: ptr(1200)}}}
	extract.Observations = []evidence.Observation{document("exa", 0, "https://a.example/", strings.Repeat("x", 70_000))}
	if got := Project(extract).ReturnedChars; got != 1200 {
		t.Errorf("%d code points, want 1200", got)
	}
	extract.Request.Options.MaxContextChars = nil
	if got := Project(extract).ReturnedChars; got != 60_000 {
		t.Errorf("%d code points by default, want 60000", got)
	}
}

// Nothing comes of nothing, and arrays are there.
func TestEmpty(t *testing.T) {
	for _, capability := range []evidence.Capability{evidence.Search, evidence.Extract} {
		out := Project(Input{Request: evidence.Request{Capability: capability}})
		want := Output{
			Observations: []evidence.Observation{}, Results: []evidence.Result{}, Actions: []evidence.PolicyAction{},
			Diversity: evidence.Diversity{Method: "component_count", MethodVersion: "1"}, Clusters: []evidence.Cluster{}, Truncated: []string{},
		}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Error(diff)
		}
	}
}
