package render

import (
	"os"
	"testing"

	"casebook/engine/evidence"
	"casebook/engine/pack"
	"casebook/engine/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunGolden(m)) }

func renderer(t testing.TB) *Renderer {
	t.Helper()
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func casePages(t testing.TB, r *Renderer, p *pack.Pack) Pages {
	t.Helper()
	pages, err := r.CasePages(p)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// site renders packs and their index, as the files of a whole site.
func site(t testing.TB, r *Renderer, packs ...*pack.Pack) []evidence.File {
	t.Helper()
	var files []evidence.File
	var cards []Card
	for _, p := range packs {
		pages := casePages(t, r, p)
		files, cards = append(files, pages.Files...), append(cards, pages.Card)
	}
	index, err := r.IndexPages(cards)
	if err != nil {
		t.Fatal(err)
	}
	return append(files, index...)
}

func TestGoldenPages(t *testing.T) {
	files := site(t, renderer(t), samoa(t), quiet(t))
	if len(files) != 2*4+4+1 { // two cases and the index, each in two languages and two forms, and the list of packs
		t.Errorf("%d files", len(files))
	}
	for _, f := range files {
		testkit.Golden(t, f.Path, f.Data)
	}
}
