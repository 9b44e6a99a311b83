package render

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/yuin/goldmark/parser"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/expect"
	"casebook/engine/pack"
	"casebook/engine/quote"
	"casebook/templates"
)

// Options are the settings of the site.
type Options struct {
	Title     casefile.Text // of the site; empty: the name of the program
	Languages []string      // of the pages, the first one being that of index.html; empty: every language there is
}

// Renderer holds the templates and words of the site's languages. It may be used from several goroutines at once.
type Renderer struct {
	title     casefile.Text
	languages []*edition
	author    parser.Parser
	check     func(*pack.Pack) []expect.Outcome
	resolve   resolver
}

type resolver func(*pack.Pack, quote.Ref, string) (quote.Place, error)

// edition is what pages of one language are made from.
type edition struct {
	*words
	html htmlTemplates
	md   markdownTemplates
}

// New prepares a renderer. A language without words is an error.
func New(o Options) (*Renderer, error) {
	return newRenderer(templates.Files(), o)
}

func newRenderer(files fs.FS, o Options) (*Renderer, error) {
	r := &Renderer{title: o.Title, author: authorParser(), check: expect.Check, resolve: quote.Resolve}
	known, err := readLanguages(files)
	if err != nil {
		return nil, err
	}
	wanted := o.Languages
	if len(wanted) == 0 {
		for _, w := range known {
			wanted = append(wanted, w.tag)
		}
	}
	for n, tag := range wanted {
		i := slices.IndexFunc(known, func(w *words) bool { return strings.EqualFold(w.tag, tag) })
		if i < 0 {
			return nil, fmt.Errorf("site language %q: there are no words for it", tag)
		}
		l := &edition{words: known[i]}
		if l.html, err = parseHTML(files, l.words); err != nil {
			return nil, err
		}
		if l.md, err = parseMarkdown(files, l.words, fileName(n, l.tag, ".html")); err != nil {
			return nil, err
		}
		r.languages = append(r.languages, l)
	}
	return r, nil
}

// readLanguages reads every file of words, in the order of their names.
func readLanguages(files fs.FS) ([]*words, error) {
	names, err := fs.Glob(files, "messages.*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*words
	for _, name := range names {
		w, err := readWords(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// frame is what a page in the i-th language has around its content; title is the page's own.
func (r *Renderer) frame(i int, root, title string) pageView {
	l := r.languages[i]
	site := l.author(r.title).Text
	if site == "" {
		site = l.text("site.name")
	}
	page := pageView{
		Lang: l.tag, Title: title, Root: root, Site: site,
		HTML: r.fileName(i, ".html"), Markdown: r.fileName(i, ".md"), Home: root + r.fileName(i, ".html"),
	}
	for j, other := range r.languages {
		page.Languages = append(page.Languages, languageView{
			Tag: other.tag, Name: other.name, HTML: r.fileName(j, ".html"), Markdown: r.fileName(j, ".md"), Current: i == j,
		})
	}
	return page
}

// fileName is that of a page in the i-th language: index.html in the first, index.zh-cn.html in another.
func (r *Renderer) fileName(i int, extension string) string {
	return fileName(i, r.languages[i].tag, extension)
}

func fileName(i int, tag, extension string) string {
	if i == 0 {
		return "index" + extension
	}
	return "index." + strings.ToLower(tag) + extension
}

// Assets returns the style sheet and the script, which every page links.
func Assets() []evidence.File {
	return []evidence.File{
		{Path: "site.css", Data: []byte(templates.Style())},
		{Path: "site.js", Data: []byte(templates.Script())},
	}
}

// CasePages makes the pages of a pack with a renderer of its own; who makes many keeps one, see [New].
func CasePages(p *pack.Pack, o Options) (Pages, error) {
	r, err := New(o)
	if err != nil {
		return Pages{}, err
	}
	return r.CasePages(p)
}

// IndexPages makes the pages that list all cases with a renderer of its own, see [New].
func IndexPages(cards []Card, o Options) ([]evidence.File, error) {
	r, err := New(o)
	if err != nil {
		return nil, err
	}
	return r.IndexPages(cards)
}
