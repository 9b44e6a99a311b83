package main

import (
	"html"
	"regexp"
	"strings"
)

// cutHTMLText is html-text/1: the words of a page. Comments, head, script and style go; the end of p, li, h1 to h6,
// div, tr and pre and each br become LF; tags go; entities are decoded; runs of blanks become one, those beside an LF
// none, and runs of LF one.
//
// It is no parser of HTML: a page that needs one (a ">" inside an attribute) is no source for a corpus.
func cutHTMLText(src source, _ pick) (extract, error) {
	text := string(src.data)
	for _, step := range []struct{ pattern, by string }{
		{`(?s)<!--.*?-->`, ""},
		{`(?is)<head\b.*?</head\s*>|<script\b.*?</script\s*>|<style\b.*?</style\s*>`, ""},
		{`(?i)</(?:p|li|h[1-6]|div|tr|pre)\s*>|<br\s*/?>`, "\n"},
		{`<[^>]*>`, ""},
	} {
		text = regexp.MustCompile(step.pattern).ReplaceAllLiteralString(text, step.by)
	}
	text = html.UnescapeString(text)
	text = regexp.MustCompile(`[\t \x{a0}\r]+`).ReplaceAllLiteralString(text, " ")
	text = regexp.MustCompile(` *\n *`).ReplaceAllLiteralString(text, "\n")
	text = regexp.MustCompile(`\n+`).ReplaceAllLiteralString(text, "\n")
	return extract{text: strings.TrimSpace(text) + "\n"}, nil
}
