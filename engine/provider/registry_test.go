package provider

import (
	"errors"
	"testing"

	"casebook/engine/evidence"
	"casebook/engine/wire"
)

func TestSelectRefuses(t *testing.T) {
	for _, tt := range []struct {
		id         string
		capability evidence.Capability
		want       string
	}{
		{"nobody", evidence.Search, `provider "nobody" for search: no such provider; there are local, serper`},
		{"auto", evidence.Search, `provider "auto" for search: no such provider; there are local, serper`},
		{"perplexity", evidence.Search, `provider "perplexity" for search: rejected: no_verified_source_only_endpoint`},
		{"kilo-perplexity", evidence.Extract, `provider "kilo-perplexity" for extract: rejected: no_verified_source_only_endpoint`},
		{"serper", "answer", `provider "serper" for answer: the provider does not offer it`},
		{"serper", evidence.Extract, `provider "serper" for extract: the provider does not offer it`},
	} {
		_, _, err := Select(tt.id, tt.capability)
		var selectError *SelectError
		if !errors.As(err, &selectError) || err.Error() != tt.want {
			t.Errorf("Select(%q, %q) = %v, want %s", tt.id, tt.capability, err, tt.want)
		}
	}
}

func TestRejectedRecords(t *testing.T) {
	for id, key := range map[string]string{"perplexity": "PERPLEXITY_API_KEY", "kilo-perplexity": "KILOCODE_API_KEY"} {
		p, ok := Find(id)
		if !ok || p.KeyEnv != key || len(p.Endpoints) > 0 || p.RejectedReason == "" {
			t.Errorf("Find(%q) = %+v, %t", id, p, ok)
		}
		if _, ok := Rules().Registry(id); ok {
			t.Errorf("a response may hold observations of %s", id)
		}
		if err := CheckOutbound(id, wire.Request{URL: "https://a.example/search"}); err == nil {
			t.Errorf("a request to %s passes the gate", id)
		}
	}
	if _, ok := Rules().Registry("nobody"); ok {
		t.Error("a response may hold observations of nobody")
	}
}

// fake is a provider that may be registered.
func fake() Provider {
	return Provider{ID: "fake", Fields: []string{"position"}, Endpoints: []Endpoint{{
		Capability: evidence.Search, Semantics: SourceResults, Label: "web",
		Build:  func(Query) (wire.Request, error) { return wire.Request{}, nil },
		Decode: func([]byte) ([]Item, error) { return nil, nil },
	}}}
}

func TestCheck(t *testing.T) {
	if err := Check(fake()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Provider){
		"no id":                 func(p *Provider) { p.ID = "" },
		"id in capitals":        func(p *Provider) { p.ID = "Fake" },
		"id with a separator":   func(p *Provider) { p.ID = "fake:search" },
		"the id of no provider": func(p *Provider) { p.ID = "auto" },
		"no endpoint":           func(p *Provider) { p.Endpoints = nil },
		"no semantics":          func(p *Provider) { p.Endpoints[0].Semantics = "" },
		"no label":              func(p *Provider) { p.Endpoints[0].Label = "" },
		"answers":               func(p *Provider) { p.Endpoints[0].Semantics = "Answers" },
		"unknown semantics":     func(p *Provider) { p.Endpoints[0].Semantics = "links" },
		"text for a search":     func(p *Provider) { p.Endpoints[0].Semantics = SourceText },
		"label: answer":         func(p *Provider) { p.Endpoints[0].Label = "quick-Answer" },
		"label: synthesis":      func(p *Provider) { p.Endpoints[0].Label = "synthesis" },
		"label: reasoning":      func(p *Provider) { p.Endpoints[0].Label = "deep-reasoning" },
		"label: claim":          func(p *Provider) { p.Endpoints[0].Label = "claims" },
		"label: verification":   func(p *Provider) { p.Endpoints[0].Label = "verification" },
		"unknown capability":    func(p *Provider) { p.Endpoints[0].Capability = "watch" },
		"no builder":            func(p *Provider) { p.Endpoints[0].Build = nil },
		"no decoder":            func(p *Provider) { p.Endpoints[0].Decode = nil },
		"two of a capability":   func(p *Provider) { p.Endpoints = append(p.Endpoints, p.Endpoints[0]) },
		"banned field":          func(p *Provider) { p.Fields = []string{"position", "score"} },
		"field twice":           func(p *Provider) { p.Fields = []string{"position", "position"} },
	} {
		p := fake()
		spoil(&p)
		if err := Check(p); err == nil {
			t.Errorf("%s: may be registered", name)
		}
	}
}

func TestSemanticsAreCheckedAtSelectionToo(t *testing.T) {
	p := fake()
	p.Endpoints[0].Semantics = SourceText
	if _, err := p.endpoint(evidence.Search); err == nil {
		t.Error("an endpoint with other semantics is selected")
	}
}

func TestGate(t *testing.T) {
	fine := wire.Request{URL: "https://a.example/search", Body: []byte(`{"q":"x"}`)}
	if err := CheckOutbound("nobody", fine); err == nil {
		t.Error("a request of an unknown provider passes")
	}
	if err := CheckOutbound("serper", fine); err != nil {
		t.Error(err)
	}
	if err := CheckOutbound("serper", wire.Request{URL: fine.URL, Body: []byte(`{"messages":[]}`)}); err == nil {
		t.Error("a request with messages passes")
	}
	guarded := fake()
	refusal := errors.New("depth must be basic")
	guarded.Guard = func(wire.Request) error { return refusal }
	if err := guarded.checkOutbound(fine); !errors.Is(err, refusal) {
		t.Errorf("the provider's own guard gives %v", err)
	}
}

func TestLocaleOfAQuery(t *testing.T) {
	request := evidence.Request{Capability: evidence.Search, Input: evidence.Input{Query: "x"}}
	both := request
	both.Options.Locale = &evidence.Locale{Country: "JP", Language: "ja"}
	country := request
	country.Options.Locale = &evidence.Locale{Country: "FR"}
	for _, tt := range []struct {
		name    string
		request evidence.Request
		options string
		want    evidence.PolicyLocale
	}{
		{"defaults", request, "", evidence.PolicyLocale{Country: "us", Language: "en"}},
		{"options", request, `{"country":"DE","language":"de"}`, evidence.PolicyLocale{Country: "DE", Language: "de"}},
		{"request over options", both, `{"country":"DE","language":"de"}`, evidence.PolicyLocale{Country: "JP", Language: "ja"}},
		{"each part by itself", country, `{"language":"de"}`, evidence.PolicyLocale{Country: "FR", Language: "de"}},
	} {
		policy := evidence.DefaultPolicy(evidence.DefaultQuality())
		if tt.options != "" {
			policy.Options["fake"] = []byte(tt.options)
		}
		q, err := fake().Query(tt.request, policy)
		if err != nil || q.Locale != tt.want {
			t.Errorf("%s: locale = %+v, %v, want %+v", tt.name, q.Locale, err, tt.want)
		}
	}
	policy := evidence.DefaultPolicy(evidence.DefaultQuality())
	policy.Options["fake"] = []byte(`{"country":1}`)
	if _, err := fake().Query(request, policy); err == nil {
		t.Error("options of a wrong type are taken")
	}
}

func TestURLsOfAQueryAreTheProcessedOnes(t *testing.T) {
	request := evidence.Request{Capability: evidence.Extract, Input: evidence.Input{URLs: []string{"https://a.example/1", "https://a.example/2"}}}
	request.Options.MaxURLs = pointer(1)
	q, err := fake().Query(request, evidence.DefaultPolicy(evidence.DefaultQuality()))
	if err != nil || len(q.URLs) != 1 || q.URLs[0] != "https://a.example/1" {
		t.Errorf("URLs = %v, %v, want the first", q.URLs, err)
	}
}

func TestFaultMessages(t *testing.T) {
	for code, want := range map[string]string{
		"wsp.provider.auth": "authentication failed", "wsp.provider.quota": "quota exhausted", "wsp.provider.rate_limit": "rate limited",
		"wsp.provider.transient": "temporarily unavailable", "wsp.provider.timeout": "timed out",
		"wsp.provider.contract": "unusable response shape", "wsp.provider.internal": "execution failed",
		"wsp.config.provider_invalid":     "provider configuration invalid",
		"wsp.config.missing_credentials":  "no usable credential for the planned provider",
		"wsp.security.request_blocked":    "URL safety rule",
		"wsp.something.that.is.not.known": "execution failed",
	} {
		if got := FaultMessage(code); got != want {
			t.Errorf("FaultMessage(%q) = %q, want %q", code, got, want)
		}
	}
}
