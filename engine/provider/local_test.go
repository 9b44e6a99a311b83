package provider

import (
	"context"
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/corpus"
	"casebook/engine/evidence"
)

// The replies of contract section 6.14.
const (
	localSearchReply = `{"documents":[{"date":"2026-01-05","excerpt":"The harbour office opens at eight.","rank":1,` +
		`"score":1.25,"title":"Harbour office","url":"https://port.example/a"}]}`
	localExtractReply = `{"documents":[{"date":"2026-01-05","text":"The harbour office opens at eight.\n",` +
		`"title":"Harbour office","url":"https://port.example/a"}]}`
)

func TestLocalReplies(t *testing.T) {
	common := evidence.Observation{
		ObservationID: "obs_a7a6f56b79c6bffd", ProviderAttemptID: testAttempt, Provider: "local",
		URL: evidence.URL{Observed: "https://port.example/a", Canonical: "https://port.example/a"}, Title: pointer("Harbour office"),
		ProviderRank: pointer(1), PublishedAt: &evidence.Date{Raw: "2026-01-05"}, ProviderFields: map[string]json.RawMessage{},
	}
	searched, extracted := common, common
	searched.EndpointID, searched.Kind, searched.Snippet = "local:search", evidence.SearchResult, pointer("The harbour office opens at eight.")
	searched.ProviderScore = &evidence.Score{Value: "1.25", Semantics: "provider_local_relevance"}
	extracted.EndpointID, extracted.Kind, extracted.Text = "local:extract", evidence.ExtractedDocument, pointer("The harbour office opens at eight.\n")
	for _, tt := range []struct {
		capability evidence.Capability
		body       string
		want       evidence.Observation
	}{{evidence.Search, localSearchReply, searched}, {evidence.Extract, localExtractReply, extracted}} {
		s := source(t, "local", tt.capability)
		items, fault := s.Read([]byte(tt.body), nil)
		if fault != nil {
			t.Fatal(fault)
		}
		got := s.Observe(testAttempt, nil, items)
		if diff := cmp.Diff([]evidence.Observation{tt.want}, got.Observations); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", tt.capability, diff)
		}
	}
}

func TestLocalRequests(t *testing.T) {
	for capability, expected := range map[evidence.Capability]string{
		evidence.Search:  `local:search {"query":"provide an answer: how to synthesize \"aspirin\" & verify the claim"}`,
		evidence.Extract: `local:extract {"urls":["https://a.example/1?answer=verify+the+claim","https://a.example/2"]}`,
	} {
		s := source(t, "local", capability)
		r := build(t, s.Provider, s.Endpoint, fullRequest(capability))
		if got := r.URL + " " + string(r.Body); got != expected || r.Method != "" || r.Header != nil {
			t.Errorf("request = %s %s %v, want %s", r.Method, got, r.Header, expected)
		}
	}
}

// The corpus answers what the adapter asks, and the adapter reads what it answers.
func TestLocalOverACorpus(t *testing.T) {
	c, faults := corpus.Load(fstest.MapFS{
		"corpus/a.txt": {Data: []byte("---\nurl: https://port.example/a#one\ntitle: \"Cafe\u0301\"\n---\nThe harbour office.\n")},
		"corpus/b.txt": {Data: []byte("---\nurl: https://port.example/a#two\n---\nTides.\n")},
	}, "corpus")
	if faults != nil {
		t.Fatal(faults)
	}
	index, err := corpus.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	ask := func(capability evidence.Capability, input evidence.Input) ([]string, Observed) {
		s := source(t, "local", capability)
		r := build(t, s.Provider, s.Endpoint, evidence.Request{Capability: capability, Input: input})
		reply, err := index.Send(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		items, fault := s.Read(reply.Body, input.URLs)
		if fault != nil {
			t.Fatal(fault)
		}
		return Missing(input.URLs, items), s.Observe(testAttempt, input.URLs, items)
	}
	_, found := ask(evidence.Search, evidence.Input{Query: "harbour"})
	if len(found.Observations) != 1 || *found.Observations[0].Snippet != "The harbour office." || *found.Observations[0].Title != "Caf\u00e9" {
		t.Errorf("search = %+v", found.Observations)
	}
	if u := found.Observations[0].URL; u.Canonical != "https://port.example/a#one" {
		t.Errorf("canonical url = %s, want the fragment kept: it names a record", u.Canonical)
	}
	missing, got := ask(evidence.Extract, evidence.Input{URLs: []string{"https://port.example/none", "https://port.example/a#two"}})
	if len(got.Observations) != 1 || *got.Observations[0].Text != "Tides.\n" || got.Observations[0].Title != nil {
		t.Errorf("extract = %+v", got.Observations)
	}
	if diff := cmp.Diff([]string{"https://port.example/none"}, missing); diff != "" {
		t.Errorf("missing differs (-want +got):\n%s", diff)
	}
}
