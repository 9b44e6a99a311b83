package render

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"

	"casebook/engine/pack"
)

// squeeze makes texts comparable that differ in white space alone.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestTwinsHaveTheSameContent(t *testing.T) {
	compared := 0
	for _, p := range []*pack.Pack{samoa(t), quiet(t)} {
		pages := casePages(t, renderer(t), p)
		for i := 0; i < len(pages.Files); i += 2 {
			page, twin := pages.Files[i], pages.Files[i+1]
			var rendered bytes.Buffer
			if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(twin.Data, &rendered); err != nil {
				t.Fatal(err)
			}
			markdown := squeeze(plainHTML(parsePage(t, rendered.Bytes()).root))
			main := find(parsePage(t, page.Data).root, "main")
			for n := range main.Descendants() {
				if n.Type != html.TextNode || squeeze(n.Data) == "" || marginal(n) {
					continue
				}
				compared++
				if !strings.Contains(markdown, squeeze(n.Data)) {
					t.Errorf("%s lacks %q of %s", twin.Path, n.Data, page.Path)
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d texts were compared", compared)
	}
}

// marginal says whether a text is no content: the sign of a link to its own place.
func marginal(n *html.Node) bool {
	return n.Parent != nil && attribute(n.Parent, "class") == "pin"
}

func find(root *html.Node, name string) *html.Node {
	for n := range root.Descendants() {
		if n.Data == name {
			return n
		}
	}
	return &html.Node{}
}

func plainHTML(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

func TestCountsOfTwins(t *testing.T) {
	p := samoa(t)
	pages := casePages(t, renderer(t), p)
	page, twin := string(pages.Files[0].Data), string(pages.Files[1].Data)
	for name, pair := range map[string][2]int{
		"results":      {strings.Count(page, `<li class="result"`), 3},
		"observations": {strings.Count(page, `<details class="observation"`), 5},
		"attempts":     {strings.Count(page, `<div class="attempt `), 2},
		"tries":        {strings.Count(page, `<div class="try"`), 2},
		"twin results": {len(regexp.MustCompile(`(?m)^#### \d+\. `).FindAllString(twin, -1)), 3},
		"twin observations": {
			strings.Count(twin, "\n#### Observation "), 5,
		},
		"twin attempts": {strings.Count(twin, "\n#### a0001 "), 2},
		"twin tries":    {strings.Count(twin, "\n**Try t01**"), 2},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %d, want %d", name, pair[0], pair[1])
		}
	}
}
