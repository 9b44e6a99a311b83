package main

import (
	"strings"
	"testing"
)

func TestDictd(t *testing.T) {
	testRule(t, "dictd/1", "tea.dict", "tea.index", []ruleCase{
		{"the first entry, one LF at its end", pick{Entry: "hop"}, "  hop\n  a plant\n", nil},
		{"the last entry, lengths in bytes", pick{Entry: "tea"}, "  tea\n  a drink “of leaves”\n", nil},
		{"no such entry", pick{Entry: "te"}, "", nil},
		{"an entry with two places", pick{Entry: "twice"}, "", nil},
		{"longer than the dictionary", pick{Entry: "wide"}, "", nil},
		{"an offset that is no number", pick{Entry: "odd"}, "", nil},
		{"a length that is no number", pick{Entry: "even"}, "", nil},
		{"an offset past the end", pick{Entry: "far"}, "", nil},
		{"an index line of two fields", pick{Entry: "short"}, "", nil},
		{"an index line that stands twice", pick{Entry: "again"}, "  hop\n", nil},
		{"no entry", pick{}, "", nil},
	})
}

func TestDictdWithoutIndex(t *testing.T) {
	if got, err := cutDictd(source{data: []byte("tea\n")}, pick{Entry: "tea"}); err == nil {
		t.Errorf("cutDictd without an index = %q, want an error", got.text)
	}
}

func TestIndexNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
		ok   bool
	}{
		{"A", 0, true},
		{"B", 1, true},
		{"/", 63, true},
		{"BA", 64, true},
		{"xNY", 49<<12 | 13<<6 | 24, true},
		{"/////", 1<<30 - 1, true},
		{"", 0, false},
		{"BAAAAA", 0, false},
		{"-", 0, false},
	} {
		got, ok := indexNumber(c.text)
		if got != c.want || ok != c.ok {
			t.Errorf("indexNumber(%q) = %d, %t; want %d, %t", c.text, got, ok, c.want, c.ok)
		}
	}
}

func FuzzDictd(f *testing.F) {
	f.Add("tea", "  tea\n  a drink\n", "tea\tA\tQ\n")
	f.Add("tea", "  tea\n", "tea\tB\t//\nhop\tA\tA\n")
	f.Add("", "", "\t\t\n")
	f.Fuzz(func(t *testing.T, entry, data, index string) {
		got, err := cutDictd(source{[]byte(data), []byte(index)}, pick{Entry: entry})
		if err == nil && !strings.Contains(data+"\n", strings.TrimRight(got.text, "\n")) {
			t.Errorf("entry %q: %q is not in %q", entry, got.text, data)
		}
	})
}
