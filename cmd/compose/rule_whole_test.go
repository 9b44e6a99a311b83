package main

import "testing"

func TestWhole(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"as it is", "a\n\nb\n", "a\n\nb\n"},
		{"one LF added", "a", "a\n"},
		{"LFs at the end become one", "a\n\n\n", "a\n"},
		{"blanks stay", " a \t\n", " a \t\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := cutWhole(source{data: []byte(c.data)}, pick{})
			if err != nil || got.text != c.want || got.spans != nil {
				t.Errorf("cutWhole(%q) = %q, %v, %v; want %q", c.data, got.text, got.spans, err, c.want)
			}
		})
	}
}
