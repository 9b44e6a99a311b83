package render

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"
	texttemplate "text/template"
)

// htmlTemplates are the pages in HTML of one language, markdownTemplates their twins.
type (
	htmlTemplates struct {
		all   *template.Template
		pages *buffers
	}
	markdownTemplates struct {
		all   *texttemplate.Template
		pages *buffers
	}
)

// parseHTML reads the templates of HTML and fills in the words of a language. Words go in before the templates are
// parsed: they are ours, escaped here once and not at every page.
func parseHTML(files fs.FS, w *words) (htmlTemplates, error) {
	t := template.New("pages")
	err := eachTemplate(files, "*.html.tmpl", w, html.EscapeString, func(name, source string) error {
		_, err := t.New(name).Parse(source)
		return err
	})
	return htmlTemplates{t, &buffers{}}, err
}

// parseMarkdown does the same for Markdown, whose links to places lead to page, and puts the escaper behind every value.
func parseMarkdown(files fs.FS, w *words, page string) (markdownTemplates, error) {
	t := texttemplate.New("pages").Funcs(markdownFuncs(page, w))
	err := eachTemplate(files, "*.md.tmpl", w, plainMarkdown, func(name, source string) error {
		_, err := t.New(name).Parse(source)
		return err
	})
	escapeValues(t)
	return markdownTemplates{t, &buffers{}}, err
}

// eachTemplate reads the templates of a pattern with their words filled in.
func eachTemplate(files fs.FS, pattern string, w *words, escape func(string) string, parse func(name, source string) error) error {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		filled, err := fillWords(string(source), w, escape)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := parse(name, filled); err != nil {
			return err
		}
	}
	return nil
}

// wordPattern matches a place in a template where a message without arguments goes: {{t "page.skip"}}, or as an argument
// of a function (t "page.skip").
const wordPattern = `(\{\{|\()t "([a-z0-9_.]+)"(\}\}|\))`

func fillWords(source string, w *words, escape func(string) string) (string, error) {
	var missing error
	filled := regexp.MustCompile(wordPattern).ReplaceAllStringFunc(source, func(place string) string {
		key := strings.Split(place, `"`)[1]
		message, ok := w.plain[key]
		if !ok {
			missing = fmt.Errorf("no message %q in %s", key, w.tag)
		}
		if place[0] == '(' {
			return "(" + strconv.Quote(message) + ")"
		}
		return escape(message)
	})
	return filled, missing
}

// render executes a template; what can't be seen is made visible behind every escaper.
func (t htmlTemplates) render(name string, view any) ([]byte, error) {
	return t.pages.write(func(page *bytes.Buffer) error { return t.all.ExecuteTemplate(page, name, view) })
}

func (t markdownTemplates) render(name string, view any) ([]byte, error) {
	return t.pages.write(func(page *bytes.Buffer) error { return t.all.ExecuteTemplate(page, name, view) })
}

// buffers are kept from page to page, since one grows to the size of a whole page.
type buffers struct{ pool sync.Pool }

func (b *buffers) write(execute func(*bytes.Buffer) error) ([]byte, error) {
	page, ok := b.pool.Get().(*bytes.Buffer)
	if !ok {
		page = &bytes.Buffer{}
	}
	defer b.pool.Put(page)
	page.Reset()
	if err := execute(page); err != nil {
		return nil, err
	}
	return visible(page.Bytes()), nil
}
