package render

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"text/template"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	nethtml "golang.org/x/net/html"
)

func TestPlainMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"words", "a word", "a word"},
		{"marks", "*a* _b_ `c` [d] <e> f|g ~h~ &amp;", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\] \\<e\\> f\\|g \\~h\\~ \\&amp;"},
		{"backslash", `\*`, `\\\*`},
		{"heading", "# a", `\# a`},
		{"hash word", "#a", "#a"},
		{"item", "- a", `\- a`},
		{"number", "-11 WS", "-11 WS"},
		{"plus", "+", `\+`},
		{"rule", "---", `\---`},
		{"underline", "===", `\===`},
		{"ordered", "1. a", `1\. a`},
		{"bracket", "12) a", `12\) a`},
		{"decimal", "12.25", "12.25"},
		{"digits", "2011", "2011"},
		{"lines", "a\n# b\tc", "a # b c"},
		{"address", "see https://a.example/", `see https\://a.example/`},
		{"bare host", "WWW.a.example", `WWW\.a.example`},
		{"mail", "mailto:a@b.example", `mailto\:a\@b.example`},
		{"time", "12:33:4", "12:33:4"},
		{"empty", "", ""},
	} {
		if got := plainMarkdown(tt.in); got != tt.want {
			t.Errorf("%s: plainMarkdown(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestCodeAndFence(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"plain", codeMarkdown("a"), "`a`"},
		{"tick", codeMarkdown("a`b"), "``a`b``"},
		{"edge", codeMarkdown("`a"), "`` `a ``"},
		{"blank edge", codeMarkdown(" a"), "`  a `"},
		{"lines", codeMarkdown("a\nb\tc"), "`a b c`"},
		{"blank", codeMarkdown(" \n"), ""},
		{"cell", cellMarkdown("a|b"), "`a\\|b`"},
		{"fence", fenceMarkdown("a\nb"), "```text\na\nb\n```"},
		{"line end", fenceMarkdown("a\n"), "```text\na\n```"},
		{"long fence", fenceMarkdown("````"), "`````text\n````\n`````"},
		{"link", linkMarkdown("a]", "https://a.example/(b) c>", "index.html"), `[a\]](<https://a.example/%28b%29%20c%3E>)`},
		{"place", linkMarkdown("a", "#b", "index.html"), "[a](<index.html#b>)"},
		{"ampersand", linkMarkdown("a", "x?b=1&copy=2", "index.html"), "[a](<x?b=1&amp;copy=2>)"},
		{"line", lineMarkdown("index.html", "*a*", "b", "c", "d", ""), `\*a\* [b](<index.html#c>)`},
		{"nowhere", linkMarkdown("*a*", "", "index.html"), `\*a\*`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestVisible(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain\tand\nlines 中文 e\u0301", "plain\tand\nlines 中文 e\u0301"},
		{"a\u202eb", "a⟦U+202E⟧b"},
		{"\x00\x1b\x7f\u0085\r", "⟦U+0000⟧⟦U+001B⟧⟦U+007F⟧⟦U+0085⟧⟦U+000D⟧"},
		{"\u2028\u2029\ufeff\u200b\u2066\u00ad\U000e0041", "⟦U+2028⟧⟦U+2029⟧⟦U+FEFF⟧⟦U+200B⟧⟦U+2066⟧⟦U+00AD⟧⟦U+E0041⟧"},
		{"👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم"},
		{"a\xffb", "a\ufffdb"},
		{"a\ufffdb", "a\ufffdb"},
		{"", ""},
	} {
		if got := string(visible([]byte(tt.in))); got != tt.want {
			t.Errorf("visible(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestNoHiddenCharacterIsMissed compares the short way of hidden with the table of Unicode.
func TestNoHiddenCharacterIsMissed(t *testing.T) {
	found := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Cf, r) {
			continue
		}
		found++
		if joiner := r == '\u200c' || r == '\u200d'; hidden(r) == joiner {
			t.Errorf("hidden(%U) = %v", r, hidden(r))
		}
	}
	if found < 100 {
		t.Errorf("only %d characters were looked at", found)
	}
}

// TestEveryValueIsEscaped writes a template as a careless author would.
func TestEveryValueIsEscaped(t *testing.T) {
	source := `{{.}}{{range .}}{{.}}{{else}}{{"<x>"}}{{end}}{{if .}}{{.}}{{end}}{{with .}}{{.}}{{end}}{{$a := .}}{{$a}}{{define "b"}}{{.}}{{end}}{{template "b" .}}{{printf "%s" "*"}}`
	tmpl := template.Must(template.New("a").Funcs(markdownFuncs("index.html", nil)).Parse(source))
	escapeValues(tmpl)
	var out strings.Builder
	if err := tmpl.Execute(&out, []string{"<b>"}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(strings.ReplaceAll(got, `\<`, ""), "<") || strings.Count(got, `\<b\>`) != 6 || !strings.HasSuffix(got, `\*`) {
		t.Errorf("the template wrote %s", got)
	}
}

// FuzzPlainMarkdown holds the escaper to what a reader of Markdown makes of its text: the text itself and nothing else.
func FuzzPlainMarkdown(f *testing.F) {
	for _, h := range hostile {
		f.Add(h)
	}
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM))
	f.Fuzz(func(t *testing.T, text string) {
		for _, frame := range [][2]string{{"", ""}, {"- ", ""}, {"**a** ", " b"}, {"| a |\n| --- |\n| ", " |"}} {
			source := visible([]byte(frame[0] + plainMarkdown(text) + frame[1]))
			var out bytes.Buffer
			if err := markdown.Convert(source, &out); err != nil {
				t.Fatal(err)
			}
			root, err := nethtml.Parse(&out)
			if err != nil {
				t.Fatal(err)
			}
			for n := range root.Descendants() {
				if strings.Contains(" a img script h1 h2 pre code blockquote hr del input ol em ", " "+n.Data+" ") && n.Type == nethtml.ElementNode {
					t.Fatalf("plainMarkdown(%q) made %s", text, n.Data)
				}
			}
			want := squeeze(string(visible([]byte(text))))
			if got := squeeze(plainHTML(root)); !strings.Contains(got, html.UnescapeString(html.EscapeString(want))) {
				t.Fatalf("plainMarkdown(%q) reads %q", text, got)
			}
		}
	})
}

// FuzzFence: a block holds exactly its text, whatever fences stand in it.
func FuzzFence(f *testing.F) {
	for _, h := range hostile {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(visible([]byte(fenceMarkdown(text))), &out); err != nil {
			t.Fatal(err)
		}
		want := string(visible([]byte(strings.TrimSuffix(text, "\n")))) + "\n"
		got := strings.TrimSuffix(strings.TrimPrefix(out.String(), `<pre><code class="language-text">`), "</code></pre>\n")
		if html.UnescapeString(got) != want {
			t.Fatalf("fenceMarkdown(%q) reads %q", text, got)
		}
	})
}
