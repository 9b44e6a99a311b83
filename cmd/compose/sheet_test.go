package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestSheetFile(t *testing.T) {
	s := sheet{
		url: "https://tea.example/#pot", title: `A "pot" of \tea`, date: "2026", from: "npm tea 1.0.0, a.txt (sha256 01234567…)",
		lines: "1-2, 5", licence: "public domain", text: "---\ntext\n",
	}
	const want = `---
url: https://tea.example/#pot
title: "A \"pot\" of \\tea"
date: "2026"
from: "npm tea 1.0.0, a.txt (sha256 01234567…)"
lines: "1-2, 5"
licence: public domain
---
---
text
`
	if got := string(s.file()); got != want {
		t.Errorf("file() = %s; want %s", got, want)
	}
	got, err := parseSheet([]byte(want))
	if err != nil || got != s {
		t.Errorf("parseSheet = %+v, %v; want %+v", got, err, s)
	}
	s.lines = ""
	if got := string(s.file()); strings.Contains(got, "lines:") {
		t.Errorf("file() without lines = %s; want no lines key", got)
	}
}

func TestParseSheetRefuses(t *testing.T) {
	const head = "url: u\ntitle: \"t\"\ndate: \"2026\"\nfrom: \"f\"\nlicence: l\n"
	if _, err := parseSheet([]byte("---\n" + head + "---\ntext\n")); err != nil {
		t.Fatalf("the sheet that the others spoil: %v", err)
	}
	for name, data := range map[string]string{
		"no header":          "text\n",
		"no first line":      head + "---\ntext\n",
		"no second line":     "---\n" + head,
		"an unknown key":     "---\n" + head + "author: a\n---\ntext\n",
		"keys out of order":  "---\ntitle: \"t\"\nurl: u\ndate: \"2026\"\nfrom: \"f\"\nlicence: l\n---\ntext\n",
		"a key left out":     "---\nurl: u\ntitle: \"t\"\ndate: \"2026\"\nlicence: l\n---\ntext\n",
		"a date not quoted":  "---\nurl: u\ntitle: \"t\"\ndate: 2026\nfrom: \"f\"\nlicence: l\n---\ntext\n",
		"a quote not closed": "---\nurl: u\ntitle: \"t\ndate: \"2026\"\nfrom: \"f\"\nlicence: l\n---\ntext\n",
	} {
		if got, err := parseSheet([]byte(data)); err == nil {
			t.Errorf("%s: parseSheet = %+v, want an error", name, got)
		}
	}
}

func FuzzSheet(f *testing.F) {
	f.Add([]byte("---\nurl: u\ntitle: \"t\"\ndate: \"2026\"\nfrom: \"f\"\nlines: \"1\"\nlicence: l\n---\ntext\n---\n"))
	f.Add([]byte("---\nurl: u\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseSheet(data)
		if err == nil && !bytes.Equal(s.file(), data) {
			t.Errorf("%q came back as %q", data, s.file())
		}
	})
}

func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		fine       bool
	}{
		{"a text", "Háo — 🫖\n", true},
		{"empty lines inside", "a\n\nb\n", true},
		{"empty", "", false},
		{"only LF", "\n", false},
		{"no LF at the end", "a", false},
		{"two LFs at the end", "a\n\n", false},
		{"CR", "a\r\n", false},
		{"not NFC", "Ha\u0301o\n", false},
		{"not UTF-8", "a\xff\n", false},
	} {
		if err := checkText(c.text); (err == nil) != c.fine {
			t.Errorf("%s: checkText(%q) = %v, want fine %t", c.name, c.text, err, c.fine)
		}
	}
}
