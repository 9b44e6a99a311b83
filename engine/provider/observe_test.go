package provider

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"casebook/engine/evidence"
)

func TestMatching(t *testing.T) {
	const a, b, c = "https://a.example/", "https://b.example/", "https://c.example/"
	for _, tt := range []struct {
		name     string
		urls     []string
		returned []string
		missing  []string
		observed []string // of each item
	}{
		{"equal bytes in any order", []string{a, b}, []string{b, a}, []string{}, []string{b, a}},
		{"one missing", []string{a, b}, []string{b}, []string{a}, []string{b}},
		{"none", []string{a, b}, nil, []string{a, b}, nil},
		{"equal canonical", []string{a, b}, []string{"https://B.example:443", "HTTPS://a.example"}, []string{}, []string{"https://B.example:443", "HTTPS://a.example"}},
		{"bytes before canonical", []string{"https://A.example/", a}, []string{a}, []string{"https://A.example/"}, []string{a}},
		{"equal canonical before what is left", []string{a, b}, []string{"https://B.example", ""}, []string{}, []string{"https://B.example", a}},
		{"left over in order", []string{a, b, c}, []string{"https://x.example/", b}, []string{c}, []string{"https://x.example/", b}},
		{"without a URL", []string{a, b}, []string{b, ""}, []string{}, []string{b, a}},
		{"more than asked", []string{a}, []string{a, c, ""}, []string{}, []string{a, c}},
		{"no URL but a word", []string{a}, []string{"a.example"}, []string{}, []string{a}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var items []Item
			for _, url := range tt.returned {
				items = append(items, Item{URL: url, Text: "text"})
			}
			if got := Missing(tt.urls, items); !slices.Equal(got, tt.missing) || got == nil {
				t.Errorf("Missing = %v, want %v", got, tt.missing)
			}
			var observed []string
			result := source(t, "local", evidence.Extract).Observe(testAttempt, tt.urls, items)
			for _, o := range result.Observations {
				observed = append(observed, o.URL.Observed)
			}
			if !slices.Equal(observed, tt.observed) || len(observed)+len(result.WithoutURL) != len(items) {
				t.Errorf("observed = %v, lost %v, want %v", observed, result.WithoutURL, tt.observed)
			}
		})
	}
}

func TestFragmentsAreKeptForRecordsOnly(t *testing.T) {
	items := []Item{{URL: "https://a.example/x#y"}}
	for id, want := range map[string]string{"local": "https://a.example/x#y", "serper": "https://a.example/x"} {
		got := source(t, id, evidence.Search).Observe(testAttempt, nil, items).Observations
		if len(got) != 1 || got[0].URL.Canonical != want {
			t.Errorf("%s: %+v, want canonical %s", id, got, want)
		}
	}
}

func TestTextIsNFCAndOtherwiseLiteral(t *testing.T) {
	item := Item{URL: "https://a.example/e\u0301", Title: pointer(" e\u0301&amp; "), Text: "\te\u0301\r\n<b>", Date: "2026-01-05T00:00:00Z"}
	got := source(t, "serper", evidence.Search).Observe(testAttempt, nil, []Item{item}).Observations[0]
	if *got.Title != " \u00e9&amp; " || *got.Snippet != "\t\u00e9\r\n<b>" || got.URL.Observed != item.URL {
		t.Errorf("title %q, snippet %q, url %q", *got.Title, *got.Snippet, got.URL.Observed)
	}
	if got.PublishedAt.Raw != item.Date || *got.PublishedAt.Normalized != item.Date {
		t.Errorf("date = %+v", got.PublishedAt)
	}
	document := source(t, "local", evidence.Extract).Observe(testAttempt, nil, []Item{item}).Observations[0]
	if *document.Text != *got.Snippet || document.Snippet != nil || document.Kind != evidence.ExtractedDocument {
		t.Errorf("document = %+v", document)
	}
}

func TestFieldsAreBounded(t *testing.T) {
	s := source(t, "serper", evidence.Search)
	// {"serper":{"imageUrl":"","position":1,"source":""}} has 51 bytes.
	text := func(n int) json.RawMessage {
		return json.RawMessage(`"` + strings.Repeat("é", n/2) + strings.Repeat("x", n%2) + `"`)
	}
	item := func(source, image int) []Field {
		return []Field{{"position", json.RawMessage("1")}, {"source", text(source)}, {"imageUrl", text(image)}}
	}
	for _, tt := range []struct {
		name          string
		source, image int
		want          []string
	}{
		{"all fit", 44, MaxFieldBytes - 51 - 44, []string{"imageUrl", "position", "source"}},
		{"one byte too many", 45, MaxFieldBytes - 51 - 44, []string{"position", "source"}},
		{"the second too large", MaxFieldBytes, 0, []string{"position"}},
	} {
		packed := s.fields(item(tt.source, tt.image))
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(packed["serper"], &inner); err != nil {
			t.Fatal(err)
		}
		var names []string
		for name := range inner {
			names = append(names, name)
		}
		slices.Sort(names)
		if !slices.Equal(names, tt.want) {
			t.Errorf("%s: kept %v, want %v", tt.name, names, tt.want)
		}
		if whole, err := json.Marshal(packed); err != nil || len(whole) != fieldBytes(packed) {
			t.Errorf("%s: counted %d bytes of %d", tt.name, fieldBytes(packed), len(whole))
		}
	}
	if got := s.fields([]Field{{"position", text(MaxFieldBytes)}}); got == nil || len(got) != 0 {
		t.Errorf("a field that does not fit = %v, want {}", got)
	}
	if got := s.fields(nil); got == nil || len(got) != 0 {
		t.Errorf("no fields = %v, want {}", got)
	}
}

func TestFieldsOfAResponseAreBounded(t *testing.T) {
	var all []evidence.Observation
	for range 34 {
		// {"serper":"…"} of 4,096 bytes: 32 of them are the bound.
		value := json.RawMessage(`"` + strings.Repeat("x", MaxFieldBytes-13) + `"`)
		all = append(all, evidence.Observation{ProviderFields: map[string]json.RawMessage{"serper": value}})
	}
	all[3].ProviderFields = map[string]json.RawMessage{}
	BoundFields(all)
	if len(all[32].ProviderFields) != 1 || len(all[33].ProviderFields) != 0 {
		t.Errorf("the last two fields = %v, %v, want the first kept and the second dropped", all[32].ProviderFields, all[33].ProviderFields)
	}
	for i, o := range all {
		kept := len(o.ProviderFields) == 1
		if want := i != 3 && i < 33; kept != want || o.ProviderFields == nil {
			t.Errorf("fields of observation %d kept: %t, want %t", i, kept, want)
		}
	}
}

func TestReplyObject(t *testing.T) {
	o, err := readObject([]byte(`{"t":"x","e":"","n":null,"a":["y"],"i":1.50,"big":9007199254740993,"o":{"k":1},"l":[1],"b":true,"T":"capital","s":"e\u0301","no":{"type":"synthesis"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := o.text("missing", "n", "e", "a", "i", "t", "s"); got != "x" {
		t.Errorf("text = %q, want the first text that is not empty", got)
	}
	if got := o.text("missing", "n", "e"); got != "" {
		t.Errorf("text = %q, want none", got)
	}
	for name, want := range map[string]bool{"t": true, "e": true, "n": false, "a": false, "i": false, "missing": false} {
		if got := o.stringAt(name) != nil; got != want {
			t.Errorf("stringAt(%q) is there: %t, want %t", name, got, want)
		}
	}
	for name, want := range map[string]string{"i": "1.50", "big": "", "t": "", "n": "", "missing": ""} {
		got := o.score(name)
		if (got == nil) != (want == "") || got != nil && got.String() != want {
			t.Errorf("score(%q) = %v, want %q", name, got, want)
		}
	}
	var fields []string
	for _, f := range o.fields([]string{"t", "e", "n", "a", "i", "big", "o", "l", "b", "s", "missing"}) {
		fields = append(fields, f.Name+"="+string(f.Value))
	}
	if want := []string{`t="x"`, `e=""`, `a=["y"]`, `i=1.5`, `b=true`, "s=\"e\u0301\""}; !slices.Equal(fields, want) {
		t.Errorf("fields = %q, want %q", fields, want)
	}
}

func TestReplyLists(t *testing.T) {
	o, err := readObject([]byte(`{"web":{"results":[{"a":1},3,null,{"type":"synthesis"},{"type":"text"}],"none":null,"text":"x"},"s":"x","g":{"type":"synthesis","results":[]}}`))
	if err != nil {
		t.Fatal(err)
	}
	items, err := o.list("web", "results")
	var there []bool
	for _, item := range items {
		there = append(there, item != nil)
	}
	if err != nil || !slices.Equal(there, []bool{true, false, false, false, true}) {
		t.Errorf("list = %v, %v: places of objects %v", items, err, there)
	}
	for _, path := range [][]string{{"web", "none"}, {"web", "missing"}, {"missing", "results"}} {
		if items, err := o.list(path...); err != nil || len(items) != 0 {
			t.Errorf("list %v = %v, %v, want an empty one", path, items, err)
		}
	}
	for _, path := range [][]string{{"web"}, {"s"}, {"web", "text"}, {"s", "results"}, {"g", "results"}} {
		_, err := o.list(path...)
		var reply *ReplyError
		if !errors.As(err, &reply) || reply.Class != "provider_contract" {
			t.Errorf("list %v = %v, want provider_contract", path, err)
		}
	}
}

func TestFaultOfAnotherError(t *testing.T) {
	if got := fault(errors.New("x")); got.ErrorClass != "internal" || got.Code != "wsp.provider.internal" || got.Retryable {
		t.Errorf("fault = %+v", got)
	}
}
