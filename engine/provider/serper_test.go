package provider

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

const testAttempt = "attempt_0123456789abcdef"

func source(t *testing.T, id string, capability evidence.Capability) Source {
	t.Helper()
	p, e, err := Select(id, capability)
	if err != nil {
		t.Fatal(err)
	}
	return Source{p, e}
}

// observeFile gives the observations of a reply of serper.
func observeFile(t *testing.T, name string) Observed {
	t.Helper()
	body, err := os.ReadFile("testdata/serper/" + name)
	if err != nil {
		t.Fatal(err)
	}
	s := source(t, "serper", evidence.Search)
	items, fault := s.Read(body, nil)
	if fault != nil {
		t.Fatalf("Read(%s) = %+v", name, fault)
	}
	observed := s.Observe(testAttempt, nil, items)
	checkObserved(t, s, items, observed)
	return observed
}

// want makes an observation of serper with what is the same for all.
func want(index int, observed, canonical string, title *string, snippet, date, fields string) evidence.Observation {
	o := evidence.Observation{
		ObservationID: evidence.ObservationID(testAttempt, index), ProviderAttemptID: testAttempt, ProviderResultIndex: index,
		Provider: "serper", EndpointID: "serper:search", Kind: evidence.SearchResult,
		URL: evidence.URL{Observed: observed, Canonical: canonical}, Title: title, Snippet: &snippet, ProviderRank: pointer(index + 1),
		ProviderFields: map[string]json.RawMessage{"serper": json.RawMessage(fields)},
	}
	if date != "" {
		o.PublishedAt = &evidence.Date{Raw: date}
	}
	return o
}

func TestSerperSearch(t *testing.T) {
	got := observeFile(t, "search.json")
	expected := []evidence.Observation{
		want(0, "https://harbour.example/minutes/2026-02-18", "https://harbour.example/minutes/2026-02-18",
			pointer("Harbour board defers dredging &amp; widens quay"),
			"The board voted 5–2 to defer the dredging contract &quot;until April&quot; ...", "3 days ago", `{"position":1}`),
		want(1, "https://tide.example/%E6%BD%AE%E4%BD%8D?lang=ja", "https://tide.example/%E6%BD%AE%E4%BD%8D?lang=ja",
			nil, "満潮 04:12、干潮 10:40。🐟🌊 観測は桟橋から。", "", `{"position":2}`),
		want(2, "https://harbour.example/minutes/2026-02-18?utm_source=news&utm_medium=email&gclid=Cj0K", "https://harbour.example/minutes/2026-02-18",
			pointer("Harbour board defers dredging & widens quay"), "Minutes of 18 February.", "Feb 18, 2026", `{"position":3}`),
		want(3, "https://Gazette.Example:443/b/77#art-4", "https://gazette.example/b/77",
			pointer("Caf\u00e9 du Port — proc\u00e8s-verbal"), "Avis n° 77.", "Yesterday", `{"position":4}`),
	}
	if diff := cmp.Diff(expected, got.Observations); diff != "" {
		t.Errorf("observations differ (-want +got):\n%s", diff)
	}
	if len(got.WithoutURL) != 0 {
		t.Errorf("items without URL = %v, want none", got.WithoutURL)
	}
}

func TestSerperNews(t *testing.T) {
	got := observeFile(t, "news.json")
	expected := []evidence.Observation{
		want(0, "https://news.example/2026/02/19/dredging?ref=rss", "https://news.example/2026/02/19/dredging?ref=rss",
			pointer("Dredging vote: what happened"), "Councillors split 5–2.", "2 hours ago",
			`{"imageUrl":"https://news.example/i/1.jpg","position":1,"source":"Harbour News"}`),
		want(1, "https://news.example/ja/88", "https://news.example/ja/88", pointer("港湾委員会、浚渫を延期 🚢"), "", "1日前",
			`{"position":2,"source":"潮新聞"}`),
		want(2, "https://news.example/2026/02/19/dredging?fbclid=IwAR0", "https://news.example/2026/02/19/dredging",
			pointer("Dredging vote: what happened"), "Councillors split 5–2.", "19 Feb 2026", `{"position":3,"source":"Harbour News"}`),
	}
	if diff := cmp.Diff(expected, got.Observations); diff != "" {
		t.Errorf("observations differ (-want +got):\n%s", diff)
	}
}

func TestSerperNearTwins(t *testing.T) {
	got := observeFile(t, "search-near-twins.json")
	if len(got.Observations) != 16 {
		t.Fatalf("%d observations, want 16", len(got.Observations))
	}
	first := map[string]int{}
	for i, o := range got.Observations {
		owner, seen := first[o.URL.Canonical]
		if twin := i == 8 || i == 9; seen != twin || twin && owner != 0 {
			t.Errorf("item %d is %s, which item %d is too: %t", i, o.URL.Canonical, owner, seen)
		}
		if !seen {
			first[o.URL.Canonical] = i
		}
	}
}

func TestSerperItemWithoutURL(t *testing.T) {
	got := observeFile(t, "search-item-without-url.json")
	var indexes []int
	for _, o := range got.Observations {
		indexes = append(indexes, o.ProviderResultIndex)
	}
	if !slices.Equal(indexes, []int{0, 2}) || !slices.Equal(got.WithoutURL, []int{1}) {
		t.Errorf("indexes %v, without URL %v, want [0 2] and [1]", indexes, got.WithoutURL)
	}
}

func TestSerperBadPort(t *testing.T) {
	got := observeFile(t, "search-bad-port.json")
	expected := []evidence.URL{
		{Observed: "https://a.example/ok", Canonical: "https://a.example/ok"},
		{Observed: "https://b.example:99999/x", Canonical: "https://b.example:99999/x"},
		{Observed: "https://[2001:db8::1/x", Canonical: "https://[2001:db8::1/x"},
	}
	var urls []evidence.URL
	for _, o := range got.Observations {
		urls = append(urls, o.URL)
	}
	if !slices.Equal(urls, expected) {
		t.Errorf("urls = %v, want %v", urls, expected)
	}
}

func TestSerperAnswersNeverAppear(t *testing.T) {
	n := 0
	for _, name := range []string{"search.json", "news.json"} {
		data, err := canon.Encode(observeFile(t, name).Observations)
		if err != nil {
			t.Fatal(err)
		}
		for _, banned := range []string{"Deferred to April", "was deferred", "A port authority", "Because of cost", "Agenda", "€€", "shard", "credits"} {
			n++
			if strings.Contains(string(data), banned) {
				t.Errorf("%s: %q reached an observation", name, banned)
			}
		}
	}
	if n != 16 {
		t.Errorf("looked %d times", n)
	}
}

func TestSerperRequest(t *testing.T) {
	s := source(t, "serper", evidence.Search)
	full := fullRequest(evidence.Search)
	full.Input.Query = "harbour"
	plain := evidence.Request{Capability: evidence.Search, Input: evidence.Input{Query: "harbour <&> 港"}}
	weekly := plain
	weekly.Options.Freshness = "week"
	for _, tt := range []struct {
		name      string
		request   evidence.Request
		url, body string
	}{
		{"plain", plain, "https://google.serper.dev/search", `{"autocorrect":true,"gl":"us","hl":"en","num":5,"q":"harbour <&> 港"}`},
		{"freshness", weekly, "https://google.serper.dev/search", `{"autocorrect":true,"gl":"us","hl":"en","num":5,"q":"harbour <&> 港","tbs":"qdr:w"}`},
		{"all options", full, "https://google.serper.dev/news", `{"autocorrect":true,"gl":"jp","hl":"ja","num":7,"q":"harbour","tbs":"qdr:m"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := build(t, s.Provider, s.Endpoint, tt.request)
			if r.Method != "POST" || r.URL != tt.url || string(r.Body) != tt.body {
				t.Errorf("request = %s %s %s,\nwant POST %s %s", r.Method, r.URL, r.Body, tt.url, tt.body)
			}
			header := map[string]string{"content-type": "application/json", "user-agent": "casebook", "x-api-key": testKey}
			if diff := cmp.Diff(header, r.Header); diff != "" {
				t.Errorf("header differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSerperPeriods(t *testing.T) {
	for recency, period := range map[string]string{"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y", "": "", "hour": ""} {
		if got := serperPeriod(recency); got != period {
			t.Errorf("period of %q = %q, want %q", recency, got, period)
		}
	}
}
