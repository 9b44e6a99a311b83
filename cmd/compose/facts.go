package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"casebook/engine/evidence"
)

// verifyFacts looks every fact of the recipes up in the documents below dir, prints each that is not at its place and
// the count, and says whether none is missed. Where a corpus was composed from another version than the facts were
// counted at, a fact may have moved or gone: that is a change upstream and no miss. No facts at all is a miss, as a
// check of nothing proves nothing.
func verifyFacts(list []recipe, dir string, out io.Writer) bool {
	found, changed, total := 0, 0, 0
	for _, r := range list {
		corpus := filepath.Join(dir, r.Case, corpusFolder)
		moved := changedVersions(r, corpus)
		for _, f := range r.Facts {
			total++
			why := f.miss(filepath.Join(corpus, f.Slug+".txt"))
			switch {
			case why == "":
				found++
			case moved[f.Slug] != "":
				changed++
				fmt.Fprintf(out, "changed upstream: %s/%s: %q: version %s: %s\n", r.Case, f.Slug, f.Quote, moved[f.Slug], why)
			default:
				fmt.Fprintf(out, "miss: %s/%s: %q: %s\n", r.Case, f.Slug, f.Quote, why)
			}
		}
	}
	fmt.Fprintf(out, "%d of %d facts", found, total)
	if changed > 0 {
		fmt.Fprintf(out, ", %d changed upstream", changed)
	}
	fmt.Fprintln(out)
	return total > 0 && found+changed == total
}

// changedVersions gives the documents of a composed corpus that come from another version than the recipe's facts,
// with that version. A corpus that does not say where it is from is held to the recipe's.
func changedVersions(r recipe, corpus string) map[string]string {
	moved := make(map[string]string)
	entries, err := readSources(corpus)
	if err != nil {
		return moved
	}
	for _, e := range entries {
		for _, p := range r.Packages {
			if p.Registry == e.From.Registry && p.Name == e.From.Name && p.Version != e.From.Version {
				moved[strings.TrimSuffix(e.File, ".txt")] = e.From.Version
			}
		}
	}
	return moved
}

// miss says why a fact does not hold in the document at name, or nothing if it does.
func (f fact) miss(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	s, err := parseSheet(data)
	if err != nil {
		return err.Error()
	}
	if digest := string(evidence.TextDigest(s.text)); len(f.Text) < 12 || !strings.HasPrefix(digest, f.Text) {
		return fmt.Sprintf("text sha256 is %s, want %s", digest[:12], f.Text)
	}
	// The byte place is the one that can be wrong without a second occurrence, so it leads.
	at := f.At[2]
	if at < 0 || at > len(s.text) || !strings.HasPrefix(s.text[at:], f.Quote) {
		return fmt.Sprintf("not at byte %d; first at %v", at, place(s.text, strings.Index(s.text, f.Quote)))
	}
	if got := place(s.text, at); got != f.At {
		return fmt.Sprintf("stands at %v, want %v", got, f.At)
	}
	return ""
}

// place gives a byte offset of text in code points, UTF-16 units and bytes; a negative offset stays what it is.
func place(text string, at int) [3]int {
	if at < 0 {
		return [3]int{at, at, at}
	}
	units := 0
	for _, r := range text[:at] {
		units++
		if r > 0xFFFF { // beyond the BMP: a surrogate pair
			units++
		}
	}
	return [3]int{utf8.RuneCountInString(text[:at]), units, at}
}
