package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// bench is a shelf with the packages of teaRecipe and a folder that the case was composed into.
type bench struct {
	shelf
	recipe string
}

func newBench(t *testing.T) *bench {
	b := &bench{newShelf(t), teaRecipe}
	b.put("npm/tea/package.json", `{"version": "1.0.0"}`)
	b.put("npm/tea/leaf.txt", "one\ntwo\n🍵 é leaf\nfour\n")
	b.put("npm/tea/LICENSE", "You may drink.\n")
	b.put("npm/bag/package.json", `{"version": "3.0.0"}`)
	b.put("npm/bag/NOTICE", "The bag\nis free.\nSo is the string.\n")
	b.put("deb/usr/share/doc/pot/changelog.Debian.gz", "pot (2-1) stable; urgency=low\n")
	b.put("deb/usr/share/doc/pot/notes.gz", "a pot\n\n")
	if code, stdout, stderr := b.run("-out", b.path("cases")); code != exitDone || stdout != "tea: 2 documents\n" || stderr != "" {
		t.Fatalf("compose -out = %d, %q, %q", code, stdout, stderr)
	}
	return b
}

func (b *bench) run(args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	args = append([]string{"-npm", b.path("npm"), "-deb", b.path("deb")}, args...)
	code = run(args, teaTree(b.recipe), &out, &err)
	return code, out.String(), err.String()
}

// want runs a mode and compares its exit code and what it prints; of stderr it asks only that it names something.
func (b *bench) want(code int, stdout, stderr string, args ...string) {
	b.t.Helper()
	gotCode, out, err := b.run(args...)
	if gotCode != code || out != stdout || !strings.Contains(err, stderr) || (stderr == "") != (err == "") {
		b.t.Errorf("compose %v = %d\nstdout %q\nstderr %q\nwant %d\nstdout %q\nstderr with %q", args, gotCode, out, err, code, stdout, stderr)
	}
}

func TestOut(t *testing.T) {
	b := newBench(t)
	for name, want := range map[string]string{
		// The digest of the source is from sha256sum.
		"cases/tea/corpus/leaf.txt": `---
url: https://tea.example/leaf
title: "Leaf"
date: "2026"
from: "npm tea 1.0.0, leaf.txt (sha256 3685528f…); two lines kept"
lines: "2-3"
licence: MIT
---
two
🍵 é leaf
`,
		"cases/tea/corpus/pot.txt": `---
url: https://tea.example/pot?a=1&b=<2>
title: "Pot"
date: "2025-01"
from: "Debian pot 2-1, usr/share/doc/pot/notes.gz (gunzipped sha256 e2d2a4aa…)"
licence: public domain
---
a pot
`,
		"cases/tea/LICENSES.txt": "== MIT: tea ==\n\nTea. Its licence:\n\nYou may drink.\n\n== public domain: bag, pot ==\n\nNobody owns the pot.\n\n" +
			"== public domain: bag ==\n\nis free.\n",
		"cases/tea/case.yaml": "casebook: 1\n",
	} {
		if got := b.read(name); got != want {
			t.Errorf("%s = %s\nwant %s", name, got, want)
		}
	}
	sources := b.read("cases/tea/corpus/SOURCES.json")
	for _, part := range []string{
		`"file": "leaf.txt"`, `"registry": "npm"`, `"version": "1.0.0"`, `"rule": "lines/1"`, `"first_line": 2,`, `"last_line": 3`, `"first_line": null,`,
		`"range": "2-3"`, `"date": "2025-01"`, `"url": "https://tea.example/pot?a=1&b=<2>"`, `"licence": "public domain"`,
	} {
		if !strings.Contains(sources, part) {
			t.Errorf("SOURCES.json has no %s:\n%s", part, sources)
		}
	}
}

func TestOutAgain(t *testing.T) {
	b := newBench(t)
	b.put("cases/tea/case.md", "mine")
	b.put("cases/tea/corpus/picture.png", "mine")
	first := b.read("cases/tea/corpus/SOURCES.json")
	b.want(exitDone, "tea: 2 documents\n", "", "-out", b.path("cases"))
	if second := b.read("cases/tea/corpus/SOURCES.json"); second != first {
		t.Errorf("composed twice: %s, want %s", second, first)
	}
	b.recipe = strings.Replace(teaRecipe, "slug: pot", "slug: kettle", 1)
	b.want(exitDone, "tea: 2 documents\n", "", "-out", b.path("cases"))
	if _, err := os.Stat(b.path("cases/tea/corpus/pot.txt")); !os.IsNotExist(err) {
		t.Errorf("a document that the recipe dropped: %v, want it gone", err)
	}
	if b.read("cases/tea/case.md") != "mine" || b.read("cases/tea/corpus/picture.png") != "mine" {
		t.Error("a file of another maker was touched")
	}
}

func TestOutRefuses(t *testing.T) {
	b := newBench(t)
	b.put("npm/tea/leaf.txt", "one\ntwo\nHa\u0301o\n")
	b.want(exitFault, "", "leaf: text is not NFC", "-out", b.path("other"))
	if _, err := os.Stat(b.path("other")); !os.IsNotExist(err) {
		t.Errorf("a refused case left files: %v", err)
	}
	b.remove("npm/tea")
	b.want(exitFault, "", "npm tea: package not here", "-out", b.path("other"))
}

func TestCheck(t *testing.T) {
	const same = "tea/leaf: same\ntea/pot: same\n"
	for _, c := range []struct {
		name   string
		change func(*bench)
		code   int
		want   string
	}{
		{"nothing changed", func(*bench) {}, exitDone, same},
		{
			"a newer version with the same text", func(b *bench) { b.put("npm/tea/package.json", `{"version": "1.1.0"}`) },
			exitDone, "tea/leaf: same (the text, at version 1.1.0)\ntea/pot: same\n",
		},
		{
			"a newer version with another text", func(b *bench) {
				b.put("npm/tea/package.json", `{"version": "1.1.0"}`)
				b.put("npm/tea/leaf.txt", "one\ntwo\nthree\n")
			},
			exitDone, "tea/leaf: changed upstream (version 1.1.0, recorded 1.0.0)\ntea/pot: same\n",
		},
		{
			"a newer version that the rule cannot cut", func(b *bench) {
				b.put("npm/tea/package.json", `{"version": "1.1.0"}`)
				b.put("npm/tea/leaf.txt", "one\n")
			},
			exitDone, "tea/leaf: changed upstream (version 1.1.0, recorded 1.0.0)\ntea/pot: same\n",
		},
		{
			"other bytes at the recorded version", func(b *bench) { b.put("npm/tea/leaf.txt", "one\ntwo\nthree\n") },
			exitFault, "tea/leaf: differs (from version 1.0.0)\ntea/pot: same\n",
		},
		{
			"other bytes beside the text at the recorded version", func(b *bench) { b.put("npm/tea/leaf.txt", "ONE\ntwo\n🍵 é leaf\nfour\n") },
			exitFault, "tea/leaf: differs (from version 1.0.0)\ntea/pot: same\n",
		},
		{
			"a package gone", func(b *bench) { b.remove("npm/tea") },
			exitDone, "tea/leaf: package not here\ntea/pot: same\n",
		},
		{
			"a file of the package left out", func(b *bench) { b.remove("deb/usr/share/doc/pot/notes.gz") },
			exitDone, "tea/leaf: same\ntea/pot: package not here (usr/share/doc/pot/notes.gz is not in version 2-1)\n",
		},
		{
			"a document edited", func(b *bench) {
				b.put("cases/tea/corpus/pot.txt", strings.Replace(b.read("cases/tea/corpus/pot.txt"), "a pot", "my pot", 1))
			},
			exitFault, "tea/leaf: same\ntea/pot: differs (header or bytes are not those of SOURCES.json)\n",
		},
		{
			"a document edited, and no package to compare", func(b *bench) {
				b.remove("deb/usr")
				b.put("cases/tea/corpus/pot.txt", strings.Replace(b.read("cases/tea/corpus/pot.txt"), "2025-01", "2025-02", 1))
			},
			exitFault, "tea/leaf: same\ntea/pot: differs (header or bytes are not those of SOURCES.json)\n",
		},
		{
			"a document that nothing lists", func(b *bench) { b.put("cases/tea/corpus/cup.md", "cup\n") },
			exitFault, same + "tea/cup.md: differs (not in SOURCES.json)\n",
		},
		{
			"a file that is no document", func(b *bench) { b.put("cases/tea/corpus/cup.png", "cup\n") },
			exitDone, same,
		},
		{
			"a document that the recipe lost", func(b *bench) { b.recipe = strings.Replace(teaRecipe, "slug: pot", "slug: kettle", 1) },
			exitFault, "tea/leaf: same\ntea/kettle: differs (in the recipe, not in SOURCES.json)\ntea/pot.txt: differs (in SOURCES.json, not in the recipe)\n",
		},
		{
			"a notice lost", func(b *bench) { b.put("cases/tea/LICENSES.txt", "== MIT: tea ==\n") },
			exitFault, same + "tea/LICENSES.txt: differs (no notice for licence public domain)\ntea/LICENSES.txt: differs (not what the packages give)\n",
		},
		{
			"a notice edited, and its package gone", func(b *bench) {
				b.remove("npm/bag")
				b.put("cases/tea/LICENSES.txt", b.read("cases/tea/LICENSES.txt")+"more\n")
			},
			exitDone, same,
		},
		{
			"a notice edited, and a package newer", func(b *bench) {
				b.put("npm/tea/package.json", `{"version": "1.1.0"}`)
				b.put("cases/tea/LICENSES.txt", b.read("cases/tea/LICENSES.txt")+"more\n")
			},
			exitDone, "tea/leaf: same (the text, at version 1.1.0)\ntea/pot: same\n",
		},
		{
			"a notice edited", func(b *bench) {
				b.put("cases/tea/LICENSES.txt", b.read("cases/tea/LICENSES.txt")+"more\n")
			},
			exitFault, same + "tea/LICENSES.txt: differs (not what the packages give)\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			c.change(b)
			b.want(c.code, c.want, "", "-check", b.path("cases"))
		})
	}
	t.Run("no corpus", func(t *testing.T) { newBench(t).want(exitFault, "", "SOURCES.json", "-check", t.TempDir()) })
}

func (b *bench) remove(name string) {
	b.t.Helper()
	if err := os.RemoveAll(b.path(name)); err != nil {
		b.t.Fatal(err)
	}
}

func TestFlags(t *testing.T) {
	args := []string{
		"-deb", "a", "--deb", "b", "-npm", "c", "-mod", "d", "-mod", "e", "-go", "f", "-kind", "prose", "-case", "g", "-case", "h", "-check", "i",
	}
	want := options{
		folders: folders{deb: []string{"a", "b"}, npm: []string{"c"}, mod: []string{"d", "e"}, dist: []string{"f"}},
		check:   "i", kind: "prose", cases: many{"g", "h"},
	}
	var stderr strings.Builder
	got, err := parseFlags(args, &stderr)
	if err != nil || stderr.String() != "" || !reflect.DeepEqual(got, want) {
		t.Errorf("parseFlags(%q) = %+v, %v; want %+v", args, got, err, want)
	}
}

func TestOuter(t *testing.T) {
	for _, c := range []struct {
		name        string
		spans       []span
		first, last int
	}{
		{"in order", []span{{2, 3}, {5, 8}}, 2, 8},
		{"the rules before the zone", []span{{5, 8}, {2, 3}}, 2, 8},
		{"one in the middle", []span{{4, 9}, {1, 12}, {5, 6}}, 1, 12},
	} {
		if first, last := outer(c.spans); first == nil || last == nil || *first != c.first || *last != c.last {
			t.Errorf("%s: outer(%v) = %v, %v; want %d, %d", c.name, c.spans, first, last, c.first, c.last)
		}
	}
	if first, last := outer(nil); first != nil || last != nil {
		t.Errorf("outer of no spans = %v, %v; want none", first, last)
	}
}

func TestUsage(t *testing.T) {
	b := newBench(t)
	b.want(exitUsage, "", "one of -out, -check and -facts")
	b.want(exitUsage, "", "one of -out, -check and -facts", "-out", "a", "-check", "b")
	b.want(exitUsage, "", "rumours", "-out", "a", "-kind", "rumours")
	b.want(exitUsage, "", "coffee", "-out", "a", "-case", "coffee")
	b.want(exitUsage, "", "no case is meant", "-out", "a", "-kind", "prose")
	b.want(exitUsage, "", "more", "-out", "a", "more")
	b.want(exitUsage, "", "-nonsense", "-nonsense")
	b.want(exitUsage, "", "is empty", "-case", "", "-out", "a")
	b.want(exitDone, "", "Usage of compose", "-help")
	b.recipe = "kind: rumours\n"
	b.want(exitFault, "", "rumours", "-out", b.path("other"))
	if _, err := os.Stat(filepath.Join(b.dir, "other")); !os.IsNotExist(err) {
		t.Errorf("usage faults left files: %v", err)
	}
}
