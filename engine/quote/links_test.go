package quote

import (
	"fmt"
	"strings"
	"testing"
)

// show writes links one a line: place, target, text, error.
func show(links []Link) string {
	var out strings.Builder
	for _, l := range links {
		if l.Err != nil {
			fmt.Fprintf(&out, "%d:%d %q: %v\n", l.Line, l.Column, l.Text, l.Err)
			continue
		}
		fmt.Fprintf(&out, "%d:%d %s %q\n", l.Line, l.Column, l.Ref, l.Text)
	}
	return out.String()
}

func TestLinks(t *testing.T) {
	const noText = "a checked quote needs the quoted words as its text, [the words](evidence:find/1#snippet)\n"
	for _, tt := range []struct{ name, markdown, want string }{
		{"none", "A [link](https://a.example/) and evidence:find/1#text alone.", ""},
		{"plain", "Samoa [left out a day](evidence:find/1#text).\n", "1:7 evidence:find/1#text \"left out a day\"\n"},
		{"column in code points", "萨摩亚é [x](evidence:find/1#text)", "1:6 evidence:find/1#text \"x\"\n"},
		{"line", "# A\n\ntext\nmore [x](evidence:find/2#url@3) [y](<evidence:b/1#text>)", "4:6 evidence:find/2#url@3 \"x\"\n4:33 evidence:b/1#text \"y\"\n"},
		{"emphasis and code", "[a *b* **c** `d  e` f](evidence:find/1#text)", "1:1 evidence:find/1#text \"a b c d  e f\"\n"},
		{"begins with markup", "x [*b*](evidence:find/1#text)", "1:3 evidence:find/1#text \"b\"\n"},
		{"soft line break", "[a\nb](evidence:find/1#text)", "1:1 evidence:find/1#text \"a b\"\n"},
		{"hard line break", "[a  \nb\\\nc](evidence:find/1#text)", "1:1 evidence:find/1#text \"a b c\"\n"},
		{"code over two lines", "[`a\nb`](evidence:find/1#text)", "1:1 evidence:find/1#text \"a b\"\n"},
		{"escapes and entities", `[\[a\] &amp; &eacute; &#x41; \&amp; <](evidence:find/1#text)`, "1:1 evidence:find/1#text \"[a] & é A &amp; <\"\n"},
		{"escapes in code stay", "[`\\* &amp;`](evidence:find/1#text)", "1:1 evidence:find/1#text \"\\\\* &amp;\"\n"},
		{"raw markup is text", "[a <b>c</b>](evidence:find/1#text)", "1:1 evidence:find/1#text \"a <b>c</b>\"\n"},
		{"reference", "see [the words][w]\n\n[w]: evidence:find/1#title\n", "1:5 evidence:find/1#title \"the words\"\n"},
		{"in a list and a quotation", "- a\n  - [x](evidence:find/1#text)\n\n> [y](evidence:find/2#text)\n", "2:5 evidence:find/1#text \"x\"\n4:3 evidence:find/2#text \"y\"\n"},
		{"in a table", "| a | b |\n|---|---|\n| c | [x](evidence:find/1#text) |\n", "3:7 evidence:find/1#text \"x\"\n"},
		{"in a heading", "## [x](evidence:find/1#text)\n", "1:4 evidence:find/1#text \"x\"\n"},
		{"in code it is no link", "`[x](evidence:find/1#text)`\n\n    [x](evidence:find/1#text)\n", ""},
		{"image", "![x](evidence:find/1#text)", "1:1 evidence:find/1#text \"x\"\n"},
		{"wrong target", "[x](evidence:find#text)", "1:1 \"x\": evidence:find#text: a checked quote points to evidence:<step>/<target>#<field>, where <target> is a rank or obs:<observation_id>\n"},
		{"scheme in capitals", "[x](EVIDENCE:find/1#text)", "1:1 \"x\": EVIDENCE:find/1#text: a checked quote points to evidence:<step>/<target>#<field>, where <target> is a rank or obs:<observation_id>\n"},
		{"no text", "a [](evidence:find/1#text)", "1:3 \"\": " + noText},
		{"blank text", "a [&nbsp;](evidence:find/1#text)", "1:3 \"\\u00a0\": " + noText},
		{"autolink", "a\n<evidence:find/1#text>", "2:1 \"\": " + noText},
		{"CR LF", "a\r\n[x\r\ny](evidence:find/1#text)\r\n", "2:1 evidence:find/1#text \"x y\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := show(Links([]byte(tt.markdown))); got != tt.want {
				t.Errorf("Links(%q) =\n%swant\n%s", tt.markdown, got, tt.want)
			}
		})
	}
}
