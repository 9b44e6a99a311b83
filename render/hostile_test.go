package render

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// hostile are texts that a corpus or a provider may hold and no page may obey.
var hostile = []string{
	`<script>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`,
	`"><svg onload=alert(1)>`,
	`' onmouseover='alert(1)`,
	`</details></pre></textarea></title><script src=//evil.example/x.js></script>`,
	`javascript:alert(1)`,
	"java\nscript:alert(1)",
	`data:text/html,<script>alert(1)</script>`,
	`[click](javascript:alert(1)) ![x](https://evil.example/x.png)`,
	`](javascript:alert(1)) <https://evil.example/> <javascript:alert(1)>`,
	"``` ```` ````` `code\n```html\n<script>alert(1)</script>\n```",
	"~~~\n<b>x</b>\n~~~",
	"# heading\n- list\n> quote\n1. one\n===\n---\n| a | b |\n| - | - |",
	"\u202etxt.exe\u2066x\u2069\u200b\ufeff\u00ad",
	"nul\x00 bell\x07 esc\x1b[31m del\x7f nel\u0085 cr\rlf",
	"line\u2028para\u2029end",
	"{{template \"x\"}} {{.}} ${x} <%= x %>",
	"<!-- --> <![CDATA[x]]> <?php ?> &lt;b&gt; &#60;b&#62;",
	"www.evil.example ftp://evil.example mailto:a@evil.example someone@evil.example xmpp:a@b.c",
	"[ref]: javascript:alert(1)\n\n[ref]",
	"\\", "`", "*", "_", "|", "<", "[", "]", "&",
	strings.Repeat("x", 2_500),
	strings.Repeat("`", 300),
}

// fixed are the strings that the rules of a pack keep to letters, digits and hyphens, and those that are checked where
// they are read: authors' Markdown has a test of its own.
func fixed(path string) bool {
	for _, name := range []string{".Name", ".Spec.ID", ".Folder", ".Path", ".Source", ".Between", ".YAML", ".Case.ID"} {
		if strings.HasSuffix(path, name) || strings.Contains(path, name+"[") {
			return true
		}
	}
	return false
}

// poison changes every string below v; equal strings stay equal, so that what belongs together still does.
func poison(v reflect.Value, path string, change func(string) string) int {
	if fixed(path) {
		return 0
	}
	n := 0
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return poison(v.Elem(), path, change)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				n += poison(v.Field(i), path+"."+v.Type().Field(i).Name, change)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			return poisonJSON(v, change)
		}
		for i := range v.Len() {
			n += poison(v.Index(i), path+"[]", change)
		}
	case reflect.Map:
		changed := reflect.MakeMap(v.Type())
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			n += 1 + poison(value, path+"{}", change)
			changed.SetMapIndex(reflect.ValueOf(change(key.String())).Convert(key.Type()), value)
		}
		if v.Len() > 0 {
			v.Set(changed)
		}
	case reflect.String:
		if v.Type() != reflect.TypeFor[json.Number]() {
			v.SetString(change(v.String()))
			n++
		}
	}
	return n
}

func poisonJSON(v reflect.Value, change func(string) string) int {
	if v.Len() == 0 {
		return 0
	}
	data, err := json.Marshal(change("x"))
	if err != nil {
		return 0
	}
	v.Set(reflect.ValueOf(json.RawMessage(data)))
	return 1
}

// unquoted are the fixtures with nothing that quotes them, so that poisoned evidence still renders.
func unquoted(t *testing.T) []*pack.Pack {
	packs := []*pack.Pack{samoa(t), quiet(t)}
	packs[0].Case.Narratives, packs[0].Case.Contested = nil, nil
	return packs
}

func TestHostileEvidence(t *testing.T) {
	changes := map[string]func(h string) func(string) string{
		"behind":  func(h string) func(string) string { return func(s string) string { return s + h } },
		"instead": func(h string) func(string) string { return func(string) string { return h } },
	}
	pages, r := 0, renderer(t)
	for name, make := range changes {
		for _, h := range hostile {
			packs := unquoted(t)
			for _, p := range packs {
				if n := poison(reflect.ValueOf(p), "", make(h)); n < 100 {
					t.Fatalf("%s: only %d strings were changed", name, n)
				}
			}
			for _, f := range site(t, r, packs...) {
				checkSafe(t, f, h)
				pages++
			}
		}
	}
	if pages < 100 {
		t.Errorf("%d pages were checked", pages)
	}
}

func TestHostileNarrative(t *testing.T) {
	pages, r := 0, renderer(t)
	for _, h := range hostile {
		for _, markdown := range []string{h, "first " + h + "\n\n" + h, "- " + h + "\n\n> " + h, "| a |\n|---|\n| " + h + " |", "[" + h + "](<" + h + ">)"} {
			p := quiet(t)
			p.Case.Narratives = []casefile.Narrative{{Lang: "zh-CN", File: "case.md", Source: []byte(markdown)}}
			for _, f := range site(t, r, p) {
				checkSafe(t, f, markdown)
				pages++
			}
		}
	}
	if pages < 100 {
		t.Errorf("%d pages were checked", pages)
	}
}

func checkSafe(t *testing.T, f evidence.File, input string) {
	t.Helper()
	if bytes.ContainsFunc(f.Data, hidden) && strings.HasPrefix(f.Path, "cases/") {
		t.Errorf("%.60q: %s has characters that can't be seen", input, f.Path)
	}
	switch {
	case strings.HasSuffix(f.Path, ".html"):
		checkHTML(t, f, input)
	case strings.HasSuffix(f.Path, ".md"):
		checkMarkdown(t, f, input)
	}
}

// checkHTML allows one script, one sheet, no handler, no style, no scheme but that of the web, nothing that loads.
func checkHTML(t *testing.T, f evidence.File, input string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(f.Data))
	if err != nil {
		t.Fatal(err)
	}
	scripts := 0
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("%.60q: %s has a comment", input, f.Path)
		}
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script":
			scripts++
			if !strings.HasSuffix(attribute(n, "src"), "site.js") || n.FirstChild != nil {
				t.Errorf("%.60q: %s has another script: %s", input, f.Path, attribute(n, "src"))
			}
		case "img", "iframe", "object", "embed", "svg", "style", "form", "base", "b-", "video", "audio", "template":
			t.Errorf("%.60q: %s has an element %s", input, f.Path, n.Data)
		}
		for _, a := range n.Attr {
			checkAttribute(t, f, input, a)
		}
		if outward(attribute(n, "href")) && (n.Data != "a" || attribute(n, "rel") != "noreferrer noopener") {
			t.Errorf("%.60q: %s: %s href=%q: only a link with rel leads outward", input, f.Path, n.Data, attribute(n, "href"))
		}
	}
	if scripts != 1 {
		t.Errorf("%.60q: %s has %d scripts", input, f.Path, scripts)
	}
}

func checkAttribute(t *testing.T, f evidence.File, input string, a html.Attribute) {
	t.Helper()
	if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcset" || a.Key == "integrity" {
		t.Errorf("%.60q: %s has an attribute %s", input, f.Path, a.Key)
	}
	if a.Key == "src" && outward(a.Val) || a.Key == "href" && !allowed(a.Val) {
		t.Errorf("%.60q: %s: %s=%q", input, f.Path, a.Key, a.Val)
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func outward(target string) bool {
	return strings.Contains(target, "://") || strings.HasPrefix(target, "//")
}

// allowed says whether a link's target is of the web, or a place of the site that its rules name.
func allowed(target string) bool {
	lower := strings.ToLower(target)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return true
	}
	return !strings.Contains(strings.SplitN(target, "#", 2)[0], ":") && !strings.HasPrefix(target, "//") && !strings.Contains(target, "\\")
}

// checkMarkdown parses the twin as the most willing reader would, with raw HTML and bare addresses on.
func checkMarkdown(t *testing.T, f evidence.File, input string) {
	t.Helper()
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(f.Data))
	links := 0
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML, *ast.Image, *ast.AutoLink, *ast.CodeBlock:
			t.Errorf("%.60q: %s has a %s", input, f.Path, n.Kind())
		case *ast.Link:
			links++
			if !allowed(string(n.Destination)) {
				t.Errorf("%.60q: %s links to %q", input, f.Path, n.Destination)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil || links == 0 {
		t.Errorf("%.60q: %s has %d links, %v", input, f.Path, links, err)
	}
}
