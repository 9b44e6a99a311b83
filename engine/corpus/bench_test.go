package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// twenty is a corpus of the size that most cases have: 20 documents of 2 kB.
func twenty(b *testing.B) *Corpus {
	b.Helper()
	const sentence = "The harbour office opens at eight; the board voted 5-2 to defer the dredging contract until April. "
	c := &Corpus{}
	for i := range 20 {
		title := fmt.Sprintf("Minutes of meeting %d", i)
		c.Documents = append(c.Documents, Document{
			Path: fmt.Sprintf("minutes-%02d.txt", i), URL: fmt.Sprintf("https://harbour.example/%d", i), Title: &title,
			Text: strings.Repeat(sentence, 20) + fmt.Sprintf("Item %d.\n", i),
		})
	}
	return c
}

func BenchmarkOpen20(b *testing.B) {
	c := twenty(b)
	b.ReportAllocs()
	for b.Loop() {
		x, err := Open(c)
		if err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	x, err := Open(twenty(b))
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	b.ReportAllocs()
	for b.Loop() {
		if hits, err := x.search("harbour dredging vote 7"); err != nil || len(hits) != 20 {
			b.Fatalf("search = %d hits, %v, want 20", len(hits), err)
		}
	}
}
