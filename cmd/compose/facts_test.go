package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestFacts(t *testing.T) {
	// The text is "two\n🍵 é leaf\n": the quote "leaf" begins after 8 code points; the cup counts one more in UTF-16
	// and three more in bytes, the é one more in bytes. The digest is from sha256sum.
	const digest = "614e5cd6cd0e"
	fine := `{slug: leaf, at: [8, 9, 12], text: "` + digest + `", quote: "leaf"}`
	for _, c := range []struct {
		name, fact string
		code       int
		want       string
	}{
		{"stands there", fine, exitDone, "1 of 1 facts\n"},
		{"another byte place", strings.Replace(fine, "12]", "11]", 1), exitFault, "miss: tea/leaf: \"leaf\": not at byte 11; first at [8 9 12]\n0 of 1 facts\n"},
		{"another UTF-16 place", strings.Replace(fine, "9,", "8,", 1), exitFault, "miss: tea/leaf: \"leaf\": stands at [8 9 12], want [8 8 12]\n0 of 1 facts\n"},
		{"another code point place", strings.Replace(fine, "[8", "[7", 1), exitFault, "miss: tea/leaf: \"leaf\": stands at [8 9 12], want [7 9 12]\n0 of 1 facts\n"},
		{"a place past the end", strings.Replace(fine, "12]", "99]", 1), exitFault, "miss: tea/leaf: \"leaf\": not at byte 99; first at [8 9 12]\n0 of 1 facts\n"},
		{"a place before the start", strings.Replace(fine, "12]", "-1]", 1), exitFault, "miss: tea/leaf: \"leaf\": not at byte -1; first at [8 9 12]\n0 of 1 facts\n"},
		{"another quote", strings.Replace(fine, `"leaf"`, `"bud"`, 1), exitFault, "miss: tea/leaf: \"bud\": not at byte 12; first at [-1 -1 -1]\n0 of 1 facts\n"},
		{"another text", strings.Replace(fine, digest, "000000000000", 1), exitFault, "miss: tea/leaf: \"leaf\": text sha256 is " + digest + ", want 000000000000\n0 of 1 facts\n"},
		{"a digest too short to mean one text", strings.Replace(fine, digest, digest[:11], 1), exitFault, "miss: tea/leaf: \"leaf\": text sha256 is " + digest + ", want " + digest[:11] + "\n0 of 1 facts\n"},
		{"one of two", fine + "\n  - " + strings.Replace(fine, "[8", "[7", 1), exitFault, "miss: tea/leaf: \"leaf\": stands at [8 9 12], want [7 9 12]\n1 of 2 facts\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			head, _, _ := strings.Cut(teaRecipe, "facts:")
			b.recipe = head + "facts:\n  - " + c.fact + "\n"
			b.want(c.code, c.want, "", "-facts", b.path("cases"))
		})
	}
	t.Run("another version", func(t *testing.T) {
		b := newBench(t)
		head, _, _ := strings.Cut(teaRecipe, "facts:")
		b.recipe = head + "facts:\n  - " + fine + "\n"
		b.put("npm/tea/package.json", `{"version": "1.1.0"}`)
		b.want(exitDone, "tea: 2 documents\n", "", "-out", b.path("cases"))
		b.want(exitDone, "1 of 1 facts\n", "", "-facts", b.path("cases"))
		b.put("npm/tea/leaf.txt", "one\ntwo\nbud\n")
		b.want(exitDone, "tea: 2 documents\n", "", "-out", b.path("cases"))
		// The digest is from sha256sum.
		b.want(exitDone, "changed upstream: tea/leaf: \"leaf\": version 1.1.0: text sha256 is 25db8b342f23, want "+digest+"\n0 of 1 facts, 1 changed upstream\n", "", "-facts", b.path("cases"))
		b.remove("cases/tea/corpus/SOURCES.json")
		b.want(exitFault, "miss: tea/leaf: \"leaf\": text sha256 is 25db8b342f23, want "+digest+"\n0 of 1 facts\n", "", "-facts", b.path("cases"))
	})
	t.Run("no facts", func(t *testing.T) {
		b := newBench(t)
		b.recipe, _, _ = strings.Cut(teaRecipe, "facts:")
		b.want(exitFault, "0 of 0 facts\n", "", "-facts", b.path("cases"))
	})
	t.Run("no corpus", func(t *testing.T) {
		b := newBench(t)
		if code, out, _ := b.run("-facts", t.TempDir()); code != exitFault || !strings.HasSuffix(out, "0 of 1 facts\n") || !strings.HasPrefix(out, "miss: ") {
			t.Errorf("-facts = %d, %q; want a miss", code, out)
		}
	})
	t.Run("a spoilt header", func(t *testing.T) {
		b := newBench(t)
		b.put("cases/tea/corpus/leaf.txt", "leaf\n")
		if code, out, _ := b.run("-facts", b.path("cases")); code != exitFault || !strings.Contains(out, "no header") {
			t.Errorf("-facts = %d, %q; want a miss that names the header", code, out)
		}
	})
}

// TestCommitted looks the facts of every records case up in the committed corpora and holds these against their own
// SOURCES.json; no package is needed for either.
func TestCommitted(t *testing.T) {
	cases := filepath.Join("..", "..", "cases")
	var out, stderr strings.Builder
	if code := run([]string{"-kind", "records", "-facts", cases}, recipes, &out, &stderr); code != exitDone {
		t.Errorf("-facts = %d\n%s%s", code, out.String(), stderr.String())
	}
	out.Reset()
	if code := run([]string{"-kind", "records", "-check", cases}, recipes, &out, &stderr); code != exitDone {
		t.Errorf("-check = %d\n%s%s", code, out.String(), stderr.String())
	}
	lines := strings.Count(out.String(), "\n")
	if notHere := strings.Count(out.String(), ": package not here\n"); lines < 70 || notHere != lines {
		t.Errorf("-check without packages: %d of %d documents are not here, want all of at least 70:\n%s", notHere, lines, out.String())
	}
}
