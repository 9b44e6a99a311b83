package render

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
	"casebook/engine/quote"
)

// parsed is a page with its ids and links.
type parsed struct {
	root  *html.Node
	ids   []string
	links []string
}

func parsePage(t *testing.T, data []byte) parsed {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	p := parsed{root: root}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				p.ids = append(p.ids, a.Val)
			case "href", "src":
				p.links = append(p.links, a.Val)
			}
		}
	}
	return p
}

// packPaths are the files that the copies of packs put into the site.
func packPaths(packs ...*pack.Pack) map[string]bool {
	paths := map[string]bool{"site.css": true, "site.js": true}
	for _, p := range packs {
		paths["packs/"+p.Name+".zip"] = true
		for _, name := range []string{"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"} {
			paths["packs/"+p.Name+"/"+name] = true
		}
		for _, f := range p.Files {
			paths["packs/"+p.Name+"/"+f.Path] = true
		}
	}
	return paths
}

func TestLinksLeadSomewhere(t *testing.T) {
	packs := []*pack.Pack{samoa(t), quiet(t)}
	files := site(t, renderer(t), packs...)
	paths, ids := packPaths(packs...), map[string][]string{}
	for _, f := range files {
		paths[f.Path] = true
		if strings.HasSuffix(f.Path, ".html") {
			ids[f.Path] = parsePage(t, f.Data).ids
		}
	}
	followed := 0
	follow := func(from, link string) {
		if outward(link) {
			return
		}
		target, fragment, _ := strings.Cut(link, "#")
		if target == "" {
			target = path.Base(from)
		}
		to := path.Join(path.Dir(from), target)
		if !paths[to] {
			t.Errorf("%s links to %s, which is not in the site", from, link)
		}
		if fragment != "" && !slices.Contains(ids[to], fragment) {
			t.Errorf("%s links to %s: there is no such place", from, link)
		}
		followed++
	}
	for _, f := range files {
		switch path.Ext(f.Path) {
		case ".html":
			for _, link := range parsePage(t, f.Data).links {
				follow(f.Path, link)
			}
		case ".md":
			for _, link := range markdownLinks(f.Data) {
				follow(f.Path, link)
			}
		}
	}
	if followed < 200 {
		t.Errorf("only %d links were followed", followed)
	}
}

func markdownLinks(data []byte) []string {
	var links []string
	for n := range markdownNodes(data) {
		if link, ok := n.(*ast.Link); ok {
			links = append(links, string(link.Destination))
		}
	}
	return links
}

func markdownNodes(data []byte) func(func(ast.Node) bool) {
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(data))
	return func(yield func(ast.Node) bool) {
		err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			return
		}
	}
}

func TestIDs(t *testing.T) {
	for _, p := range []*pack.Pack{samoa(t), quiet(t)} {
		pages := casePages(t, renderer(t), p)
		if len(pages.Files) != 4 {
			t.Errorf("%d files", len(pages.Files))
		}
		var first []string
		for _, f := range pages.Files {
			if !strings.HasSuffix(f.Path, ".html") {
				continue
			}
			ids := parsePage(t, f.Data).ids
			if len(ids) < 20 {
				t.Errorf("%s has only %d ids", f.Path, len(ids))
			}
			for _, id := range ids {
				if n := len(slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return other != id })); n > 1 {
					t.Errorf("%s: id %s stands %d times", f.Path, id, n)
				}
			}
			if first == nil {
				first = ids
			}
			if diff := cmp.Diff(first, ids); diff != "" {
				t.Errorf("%s has other ids:\n%s", f.Path, diff)
			}
		}
	}
}

func TestQuotesAreMarkedWhereTheyStand(t *testing.T) {
	pages := casePages(t, renderer(t), samoa(t))
	if len(pages.Files) != 4 {
		t.Errorf("%d files", len(pages.Files))
	}
	// Counted by hand in samoaRow: 39 + 21 + 18 code points with their line breaks lie before the fourth line.
	for _, f := range pages.Files {
		if !strings.HasSuffix(f.Path, ".html") {
			continue
		}
		got := map[string]string{}
		for n := range parsePage(t, f.Data).root.Descendants() {
			if n.Data == "mark" && n.FirstChild != nil {
				got[attribute(n, "id")] = n.FirstChild.Data
			}
		}
		want := map[string]string{
			"record.r1.text.81-103":  "-11 WS %z 2011 D 29 24",
			"record.r1.text.104-112": " %z",
			"record.r1.text.104-109": "13 WS",
			"find.r1.title.0-12":     "Pacific/Apia",
			"find.r1.snippet.2-8":    "-11 WS",
			"find.r1.snippet.12-24":  "2011 D 29 24",
			"find.r2.snippet.34-43":  "2011 D 30",
		}
		delete(want, "record.r1.text.104-112") // it begins where the shorter one does, whose mark is first
		delete(got, "")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Path, diff)
		}
	}
}

func TestAbsentQuoteIsRefused(t *testing.T) {
	p := samoa(t)
	p.Case.Narratives[0].Source = []byte("It says [31 December](evidence:record/1#text).")
	_, err := renderer(t).CasePages(p)
	var absent *quote.AbsentError
	if !errors.As(err, &absent) {
		t.Errorf("CasePages = %v, want an AbsentError", err)
	}
}

func TestRenderingTogetherIsRenderingAlone(t *testing.T) {
	r := renderer(t)
	const n = 16
	alone, together := make([]Pages, n), make([]Pages, n)
	packs := make([]*pack.Pack, n)
	for i := range packs {
		packs[i] = samoa(t)
		packs[i].ID = evidence.TextDigest(fmt.Sprint("pack", i))
		alone[i] = casePages(t, r, packs[i])
	}
	var group sync.WaitGroup
	for i := range packs {
		group.Go(func() {
			pages, err := r.CasePages(packs[i])
			if err != nil {
				t.Error(err)
			}
			together[i] = pages
		})
	}
	group.Wait()
	if len(together[0].Files) != 4 {
		t.Errorf("%d files", len(together[0].Files))
	}
	for i, pages := range together {
		for j, f := range pages.Files {
			if want := alone[i].Files[j]; f.Path != want.Path || !bytes.Equal(f.Data, want.Data) {
				t.Errorf("%s of pack %d differs when others are rendered beside it", f.Path, i)
			}
		}
		for _, f := range pages.Files {
			if !bytes.Contains(f.Data, []byte(packs[i].ID)) {
				t.Errorf("%s does not name its pack %s", f.Path, packs[i].ID)
			}
		}
	}
}

func TestNothingFoundIsNotCouldNotLook(t *testing.T) {
	pages := casePages(t, renderer(t), quiet(t))
	for _, want := range []string{
		"Nothing found. The source was asked, and it answered with an empty list.",
		"Could not look. Every source was skipped, so this says nothing about what is there.",
		"There are no results. The source was asked and had none.",
		"There are no results, since every source was skipped; the attempts say why.",
		"No item came back, since every source was skipped.",
		"2 steps are archive replays of what was recorded on 2026-11-30 12:00:00 UTC, never new measurements.",
		"Archive replay of what was recorded on 2026-11-30 12:00:00 UTC, never a new measurement.", "no key for it", "missing_credentials",
		"2 spans were removed before the freeze", "rd0001",
	} {
		if !bytes.Contains(pages.Files[0].Data, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	want := Card{NothingFound: 1, CouldNotLook: 1, Attempts: 4, Failed: 1, Skipped: 2, Redactions: 2, Steps: 2}
	got := pages.Card
	got = Card{NothingFound: got.NothingFound, CouldNotLook: got.CouldNotLook, Attempts: got.Attempts, Failed: got.Failed,
		Skipped: got.Skipped, Redactions: got.Redactions, Steps: got.Steps}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
}

// TestWordsThatClaimTooMuch holds pages to the vocabulary: a heuristic is no certainty, and nothing is summed up as proved.
func TestWordsThatClaimTooMuch(t *testing.T) {
	files := site(t, renderer(t), samoa(t), quiet(t))
	if len(files) < 13 {
		t.Errorf("%d files", len(files))
	}
	for _, f := range files {
		for _, word := range []string{"official", "authoritative", "verified", "authentic", "immutable", "secret key"} {
			if bytes.Contains(bytes.ToLower(f.Data), []byte(word)) {
				t.Errorf("%s says %q", f.Path, word)
			}
		}
	}
}

func TestAuthorTextInTheFirstLanguage(t *testing.T) {
	pages := casePages(t, renderer(t), quiet(t))
	if want := `<h1><span lang="zh-CN">安静的来源</span></h1>`; !bytes.Contains(pages.Files[0].Data, []byte(want)) {
		t.Errorf("the English page lacks %s", want)
	}
	if want := `<h1>安静的来源</h1>`; !bytes.Contains(pages.Files[2].Data, []byte(want)) {
		t.Errorf("the Chinese page lacks %s", want)
	}
}

func TestPageNamesFollowTheSite(t *testing.T) {
	r, err := New(Options{Languages: []string{"zh-CN", "en"}, Title: casefile.Text{{Lang: "en", Text: "Time"}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range casePages(t, r, samoa(t)).Files {
		got = append(got, f.Path)
	}
	want := []string{"index.html", "index.md", "index.en.html", "index.en.md"}
	for i := range want {
		want[i] = "cases/samoa-skips-a-day/" + want[i]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := New(Options{Languages: []string{"tlh"}}); err == nil {
		t.Error("a language without words was taken")
	}
}

func TestEmptyIndexSaysSo(t *testing.T) {
	files, err := renderer(t).IndexPages(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(files[0].Data, []byte("There is no evidence here.")) {
		t.Error("the index of no cases does not say that there is no evidence")
	}
	if got, want := string(files[len(files)-1].Data), `{"format":"casebook-pack-list/1","packs":[]}`+"\n"; got != want {
		t.Errorf("packs/index.json = %s, want %s", got, want)
	}
}

func TestAssetsLoadNothing(t *testing.T) {
	assets := Assets()
	if len(assets) != 2 {
		t.Fatalf("%d assets", len(assets))
	}
	for _, f := range assets {
		if regexp.MustCompile(`//[a-z]+\.|@import|url\(|fetch|XMLHttpRequest|innerHTML|eval`).Match(f.Data) {
			t.Errorf("%s loads something or makes markup", f.Path)
		}
	}
}

func BenchmarkCase(b *testing.B) {
	r := renderer(b)
	p := many(b, 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.CasePages(p); err != nil {
			b.Fatal(err)
		}
	}
}

// many is a case with n observations, each with its result.
func many(t testing.TB, n int) *pack.Pack {
	b := newBuilder(t, "many")
	b.pack.Case.Title = texts("en", "Many observations", "zh-CN", "许多观察记录")
	s := b.step("find", evidence.ModePinned, evidence.Search, `{"capability":"search"}`)
	a := b.attempt(s, "local", evidence.OutcomeSuccess)
	for i := range n {
		b.result(s, b.observe(s, a, evidence.Observation{
			URL: evidence.URL{Observed: fmt.Sprintf("https://docs.example/page-%d", i)}, Title: ptr(fmt.Sprintf("Page %d", i)),
			Snippet: ptr(strings.Repeat("A sentence of an ordinary snippet, with *marks* and [brackets]. ", 6)),
		}))
	}
	return b.pack
}

// TestRenderTimeIsLinear counts allocations, which don't depend on the machine.
func TestRenderTimeIsLinear(t *testing.T) {
	r := renderer(t)
	cost := func(n int) float64 {
		p := many(t, n)
		return testing.AllocsPerRun(1, func() { casePages(t, r, p) })
	}
	if small, large := cost(50), cost(200); large > 5*small {
		t.Errorf("50 observations take %.0f allocations, 200 take %.0f", small, large)
	}
}
