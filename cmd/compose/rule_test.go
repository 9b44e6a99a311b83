package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ruleCase is one row of a rule's table: what it picks out of a file of testdata, and what it must give. An empty
// text means that the rule must refuse.
type ruleCase struct {
	name  string
	pick  pick
	text  string
	spans []span
}

func testRule(t *testing.T, id, file, index string, cases []ruleCase) {
	t.Helper()
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	r, err := ruleByID(id)
	if err != nil {
		t.Fatal(err)
	}
	src := source{data: read(t, file)}
	if index != "" {
		src.index = read(t, index)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := r.cut(src, c.pick)
			if (err != nil) != (c.text == "") {
				t.Fatalf("cut(%+v) = %q, %v; want %q", c.pick, got.text, err, c.text)
			}
			if diff := cmp.Diff(c.text, got.text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if !slices.Equal(got.spans, c.spans) {
				t.Errorf("spans = %v, want %v", got.spans, c.spans)
			}
			if err == nil && checkText(got.text) != nil {
				t.Errorf("a corpus would refuse the text: %v", checkText(got.text))
			}
		})
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRuleByID(t *testing.T) {
	ids := []string{"dictd/1", "html-text/1", "json-keys/1", "lines/1", "split-release/1", "whole/1"}
	var got []string
	for _, r := range rules() {
		got = append(got, r.id)
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if _, err := ruleByID("lines/2"); err == nil {
		t.Error("lines/2 is known, want an error")
	}
}
