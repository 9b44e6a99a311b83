package provider

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/wire"
)

const testKey = "key-of-the-conformance-suite"

func pointer[T any](v T) *T { return &v }

// fullRequest has every option set that a request of the capability may have.
func fullRequest(capability evidence.Capability) evidence.Request {
	r := evidence.Request{ContractVersion: evidence.ContractVersion, Capability: capability, RequestID: "r"}
	if capability == evidence.Extract {
		r.Input.URLs = []string{"https://a.example/1?answer=verify+the+claim", "https://a.example/2"}
		r.Options = evidence.Options{
			OutputFormat: "html", IncludeImages: pointer(true), IncludeRawHTML: pointer(true), RenderJS: pointer(true),
			MaxURLs: pointer(2), MaxContextChars: pointer(1000), Spans: pointer(true), SpansQuery: "synthesize",
		}
		return r
	}
	r.Input.Query = "provide an answer: how to synthesize \"aspirin\" & verify the claim"
	r.Options = evidence.Options{
		MaxResults: pointer(7), Freshness: "week", TimeRange: "month", SearchType: "news", Depth: "normal", Mode: "normal",
		QualityReport: pointer(true), IncludeDomains: []string{"a.example"}, ExcludeDomains: []string{"b.example"},
		Locale: &evidence.Locale{Country: "JP", Language: "JA"},
	}
	return r
}

// requests are one with every option and one with none.
func requests(capability evidence.Capability) []evidence.Request {
	full := fullRequest(capability)
	return []evidence.Request{full, {ContractVersion: full.ContractVersion, Capability: capability, Input: full.Input}}
}

func build(t *testing.T, p Provider, e Endpoint, request evidence.Request) wire.Request {
	t.Helper()
	q, err := p.Query(request, evidence.DefaultPolicy(evidence.DefaultQuality()))
	if err != nil {
		t.Fatal(err)
	}
	if p.KeyEnv != "" {
		q.Key = testKey
	}
	r, err := e.Build(q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// forEach runs a test for every endpoint of every provider, and proves that there were some.
func forEach(t *testing.T, test func(t *testing.T, p Provider, e Endpoint)) {
	t.Helper()
	n := 0
	for _, p := range All() {
		for _, e := range p.Endpoints {
			n++
			t.Run(EndpointID(p, e), func(t *testing.T) { test(t, p, e) })
		}
	}
	if n < 3 {
		t.Errorf("saw %d endpoints", n)
	}
}

func TestRegistryIsSortedAndFit(t *testing.T) {
	all := ids()
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) || len(all) < 2 {
		t.Errorf("registry = %v, want it sorted, without doubles", all)
	}
	for _, p := range All() {
		if err := Check(p); err != nil {
			t.Error(err)
		}
	}
}

func TestEndpointsCanBeSelected(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		gotP, gotE, err := Select(p.ID, e.Capability)
		if err != nil || gotP.ID != p.ID || gotE.Label != e.Label {
			t.Errorf("Select = %s, %s, %v", gotP.ID, gotE.Label, err)
		}
		rules, ok := Rules().Registry(p.ID)
		if !ok || !slices.Contains(rules.Endpoints, EndpointID(p, e)) || !slices.Equal(rules.Fields, p.Fields) {
			t.Errorf("rules of a response = %+v, %t", rules, ok)
		}
	})
}

func TestBuildersArePure(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		for _, request := range requests(e.Capability) {
			first, second := build(t, p, e, request), build(t, p, e, request)
			if !bytes.Equal(first.Body, second.Body) || first.URL != second.URL || first.Method != second.Method {
				t.Errorf("two requests for one query: %+v, %+v", first, second)
			}
		}
	})
}

func TestKeysStayOutOfURLs(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		for _, request := range requests(e.Capability) {
			r := build(t, p, e, request)
			if strings.Contains(r.URL, testKey) {
				t.Errorf("url %s holds the key", r.URL)
			}
			found := bytes.Contains(r.Body, []byte(testKey))
			for name, value := range r.Header {
				found = found || strings.Contains(value, testKey)
				if name != strings.ToLower(name) {
					t.Errorf("header %q is not in lower case", name)
				}
			}
			if found != (p.KeyEnv != "") {
				t.Errorf("the request holds a key: %t, the provider has one: %t", found, p.KeyEnv != "")
			}
		}
	})
}

func TestRequestsHaveTheCommonForm(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		for _, request := range requests(e.Capability) {
			r := build(t, p, e, request)
			if len(r.Body) > 0 && !canon.IsCanonical(r.Body) {
				t.Errorf("body %s is not canonical", r.Body)
			}
			if p.BaseURL == "" {
				continue
			}
			if !strings.HasPrefix(r.URL, p.BaseURL+"/") || r.Header["user-agent"] != "casebook" {
				t.Errorf("request to %s with user-agent %q", r.URL, r.Header["user-agent"])
			}
			if r.Method == "POST" && r.Header["content-type"] != "application/json" {
				t.Errorf("content-type %q", r.Header["content-type"])
			}
		}
	})
}

func TestBaseURLCanBeConfigured(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		if p.BaseURL == "" {
			return
		}
		policy := evidence.DefaultPolicy(evidence.DefaultQuality())
		policy.Options[p.ID] = json.RawMessage(`{"base_url":"https://fake.example"}`)
		q, err := p.Query(fullRequest(e.Capability), policy)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := e.Build(q); err != nil || !strings.HasPrefix(r.URL, "https://fake.example/") {
			t.Errorf("url = %s, %v, want the configured one", r.URL, err)
		}
	})
}

func TestBuiltRequestsPassTheGate(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		for _, request := range requests(e.Capability) {
			if err := CheckOutbound(p.ID, build(t, p, e, request)); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestDecodersNameWhatIsWrong(t *testing.T) {
	cut, err := os.ReadFile("testdata/serper/errors/malformed.json")
	if err != nil {
		t.Fatal(err)
	}
	var envelope struct {
		Body []byte `json:"body_base64"`
	}
	if err := json.Unmarshal(cut, &envelope); err != nil || len(envelope.Body) == 0 {
		t.Fatalf("%v, body %q", err, envelope.Body)
	}
	tests := []struct{ name, body, class, code string }{
		{"empty", "", "transient", "wsp.provider.transient"},
		{"cut off", string(envelope.Body), "transient", "wsp.provider.transient"},
		{"a page", "<html></html>", "transient", "wsp.provider.transient"},
		{"NaN", "NaN", "transient", "wsp.provider.transient"},
		{"not UTF-8", "{\"a\":\"\xff\"}", "transient", "wsp.provider.transient"},
		{"deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "transient", "wsp.provider.transient"},
		{"a string", `"x"`, "provider_contract", "wsp.provider.contract"},
		{"null", "null", "provider_contract", "wsp.provider.contract"},
		{"an array", "[1]", "provider_contract", "wsp.provider.contract"},
	}
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		for _, tt := range tests {
			items, fault := Source{p, e}.Read([]byte(tt.body), nil)
			if fault == nil || fault.ErrorClass != tt.class || fault.Code != tt.code || fault.Retryable != (tt.class == "transient") || items != nil {
				t.Errorf("%s: items %v, fault %+v, want %s", tt.name, items, fault, tt.class)
			}
		}
	})
}

func TestAResultArrayIsAList(t *testing.T) {
	for id, body := range map[string]string{"local": `{"documents":{}}`, "serper": `{"organic":"x"}`} {
		items, fault := source(t, id, evidence.Search).Read([]byte(body), nil)
		if fault == nil || fault.ErrorClass != "provider_contract" || items != nil {
			t.Errorf("%s: items %v, fault %+v, want provider_contract", id, items, fault)
		}
	}
}

func TestAnEmptyReplyIsASuccess(t *testing.T) {
	forEach(t, func(t *testing.T, p Provider, e Endpoint) {
		for _, body := range []string{"{}", "\uFEFF{}"} {
			items, fault := Source{p, e}.Read([]byte(body), nil)
			if fault != nil || len(items) != 0 {
				t.Errorf("%q = %v, %+v, want no items and no fault", body, items, fault)
			}
		}
	})
}

func TestAnExtractionWithoutDocumentsFails(t *testing.T) {
	p, e, err := Select("local", evidence.Extract)
	if err != nil {
		t.Fatal(err)
	}
	items, fault := Source{p, e}.Read([]byte(`{"documents":[]}`), []string{"https://a.example/"})
	if fault == nil || fault.ErrorClass != "provider_contract" || fault.Code != "wsp.provider.contract" || fault.Retryable || items != nil {
		t.Errorf("items %v, fault %+v, want provider_contract", items, fault)
	}
}

// seeds are the bodies under testdata and the two of the contract for local.
func seeds(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/serper/*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("Glob = %v, %v", files, err)
	}
	all := []string{localSearchReply, localExtractReply, `{"organic":[null,{"link":"https://a.example","title":["x"]},3]}`}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	return all
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(localSearchReply))
	for _, seed := range seeds(f) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, p := range All() {
			for _, e := range p.Endpoints {
				source := Source{p, e}
				items, fault := source.Read(body, nil)
				if fault != nil {
					continue
				}
				observed := source.Observe("attempt_0123456789abcdef", nil, items)
				checkObserved(t, source, items, observed)
			}
		}
	})
}

// checkObserved holds what is true of every reply: each item is an observation or reported as lost, in order.
func checkObserved(t *testing.T, source Source, items []Item, observed Observed) {
	t.Helper()
	if len(observed.Observations)+len(observed.WithoutURL) != len(items) {
		t.Fatalf("%d items gave %d observations and %d losses", len(items), len(observed.Observations), len(observed.WithoutURL))
	}
	last := -1
	for _, o := range observed.Observations {
		if o.ProviderResultIndex <= last || slices.Contains(observed.WithoutURL, o.ProviderResultIndex) {
			t.Errorf("index %d behind %d", o.ProviderResultIndex, last)
		}
		last = o.ProviderResultIndex
		if !evidence.IsURL(o.URL.Observed) || o.URL.Observed != items[last].URL {
			t.Errorf("observed url %q of item %q", o.URL.Observed, items[last].URL)
		}
		data, err := canon.Encode(o)
		if err != nil {
			t.Fatalf("observation %d can't be written: %v", last, err)
		}
		tree, err := canon.Parse(data)
		if err != nil || len(evidence.CheckBanned(tree)) > 0 {
			t.Errorf("observation %s: %v, %v", data, err, evidence.CheckBanned(tree))
		}
		if (o.Snippet == nil) != (source.Endpoint.Capability == evidence.Extract) || (o.Text == nil) == (o.Snippet == nil) {
			t.Errorf("observation %d has snippet %v and text %v", last, o.Snippet, o.Text)
		}
	}
}
