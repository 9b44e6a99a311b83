package render

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, markdown string) []*node {
	t.Helper()
	nodes, err := readNarrative(authorParser(), []byte(markdown), func(target, quoted string) (string, error) {
		if quoted == "absent" {
			return "", errors.New("absent")
		}
		return "#place", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// TestNarrativeIsWrittenAnew reads Markdown and writes it; the wanted text is what the twin may hold of it.
func TestNarrativeIsWrittenAnew(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"paragraphs", "one\ntwo\n\nthree", "one two\n\nthree"},
		{"emphasis", "*a* **b** `c`", "*a* **b** `c`"},
		{"heading", "# A\n\n## B\n\n#### C", "### A\n\n### B\n\n##### C"},
		{"quote", "[a b](evidence:s/1#text)", "[a b](<index.html#place>)"},
		{"web", "[a](https://a.example/?b=1&c=2)", "[a](<https://a.example/?b=1&amp;c=2>)"},
		{"script", "[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd)", "a b c"},
		{"user", "[a](https://user:pass@a.example/)", "a"},
		{"other host", "[a](//evil.example/x) [b](/root)", "a b"},
		{"own folder", "[a](notes.html#b)", "[a](<notes.html#b>)"},
		{"image", "![a](https://a.example/x.png)", "[a](<https://a.example/x.png>)"},
		{"address", "<https://a.example/>", `[https\://a.example/](<https://a.example/>)`},
		{"mail", "<a@b.example>", `a\@b.example`},
		{"markup", "a <b onclick=x>c</b>", `a \<b onclick=x\>c\</b\>`},
		{"block", "<div>\n<script>x</script>\n</div>", "```text\n<div>\n<script>x</script>\n</div>\n```"},
		{"entities", `&lt;b&gt; \<i\> \&amp;`, `\<b\> \<i\> \&amp;`},
		{"list", "- a\n- b\n  - c", "- a\n- b\n  - c"},
		{"ordered", "3. a\n4. b", "3. a\n4. b"},
		{"loose list", "- a\n\n  b\n- c", "- a\n\n  b\n- c"},
		{"quotation", "> a\n>\n> b", "> a\n>\n> b"},
		{"code", "```go\na\n````b\n```", "`````text\na\n````b\n`````"},
		{"code in list", "- a\n\n      x\n      y", "- a\n\n  ```text\n  x\n  y\n  ```"},
		{"table", "| a | b |\n|---|---|\n| `x\\|y` | c |", "| a | b |\n| --- | --- |\n| `x\\|y` | c |"},
		{"rule", "a\n\n---\n\nb", "a\n\n* * *\n\nb"},
		{"break", "a  \nb", "a / b"},
		{"number", "1986\\. A year", `1986\. A year`},
	} {
		if got := nodesMarkdown(read(t, tt.in), "index.html"); got != tt.want {
			t.Errorf("%s: %q is written %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestNarrativeStaysItself(t *testing.T) {
	source := "A *b* `c`\n\n- d\n- [e](<https://a.example/>)\n\n| f | g |\n| --- | --- |\n| h | i |"
	once := nodesMarkdown(read(t, source), "index.html")
	if twice := nodesMarkdown(read(t, once), "index.html"); twice != once {
		t.Errorf("written twice:\n%s", cmp.Diff(once, twice))
	}
}

func TestQuoteErrorsComeBack(t *testing.T) {
	_, err := readNarrative(authorParser(), []byte("> - [absent](evidence:s/1#text)"), func(string, string) (string, error) {
		return "", errors.New("absent")
	})
	if err == nil {
		t.Error("a quote that isn't there was taken")
	}
}

func TestOutcomeIsTheFirstParagraph(t *testing.T) {
	for _, tt := range []struct{ in, outcome, rest string }{
		{"One *two*.\n\nThree", "One two.", "Three"},
		{"# Head\n\nText", "", "HeadText"},
		{"", "", ""},
	} {
		story := split("en", read(t, tt.in))
		if got := plainNodes(story.outcome); got != tt.outcome {
			t.Errorf("outcome of %q = %q, want %q", tt.in, got, tt.outcome)
		}
		if got := plainNodes(story.rest); got != tt.rest {
			t.Errorf("rest of %q = %q, want %q", tt.in, got, tt.rest)
		}
	}
}

func TestExcerpt(t *testing.T) {
	text := strings.Repeat("中", 50) // three bytes each, so that bytes and code points differ
	for _, tt := range []struct {
		name   string
		text   string
		places []span
		limit  int
		want   []segment
		whole  bool
	}{
		{"short", "abc", nil, 10, []segment{{Text: "abc"}}, true},
		{"exactly the limit", "abc", nil, 3, []segment{{Text: "abc"}}, true},
		{"place", "abcde", []span{{1, 3, "p"}}, 10, []segment{{Text: "a"}, {Text: "bc", Mark: true, IDs: []string{"p"}}, {Text: "de"}}, true},
		{"whole text", "abc", []span{{0, 3, "p"}}, 10, []segment{{Text: "abc", Mark: true, IDs: []string{"p"}}}, true},
		{"overlap", "abcde", []span{{2, 5, "q"}, {1, 4, "p"}}, 10, []segment{
			{Text: "a"}, {Text: "b", Mark: true, IDs: []string{"p"}}, {Text: "cd", Mark: true, IDs: []string{"q"}}, {Text: "e", Mark: true},
		}, true},
		{"one start", "abcde", []span{{1, 2, "p"}, {1, 4, "q"}}, 10, []segment{
			{Text: "a"}, {Text: "b", Mark: true, IDs: []string{"p", "q"}}, {Text: "cd", Mark: true}, {Text: "e"},
		}, true},
		{"code points", "é😀z", []span{{1, 2, "p"}}, 10, []segment{{Text: "é"}, {Text: "😀", Mark: true, IDs: []string{"p"}}, {Text: "z"}}, true},
		{"cut", text, nil, 20, []segment{{Text: text[:60]}, {Missing: 30}}, false},
		{"empty", "", nil, 10, []segment{{}}, true},
	} {
		got := excerpt(tt.text, tt.places, tt.limit)
		if diff := cmp.Diff(tt.want, got); diff != "" || whole(got) != tt.whole {
			t.Errorf("%s: whole %v, want %v (-want +got):\n%s", tt.name, whole(got), tt.whole, diff)
		}
	}
}

func TestExcerptShowsPlacesBeyondTheLimit(t *testing.T) {
	text := strings.Repeat("a", 5000) + "quote" + strings.Repeat("b", 5000)
	got := excerpt(text, []span{{5000, 5005, "p"}}, 1000)
	want := []segment{
		{Text: strings.Repeat("a", 1000)}, {Missing: 5000 - excerptMargin - 1000}, {Text: strings.Repeat("a", excerptMargin)},
		{Text: "quote", Mark: true, IDs: []string{"p"}}, {Text: strings.Repeat("b", excerptMargin)}, {Missing: 5000 - excerptMargin},
	}
	if diff := cmp.Diff(want, got); diff != "" || whole(got) {
		t.Errorf("whole %v (-want +got):\n%s", whole(got), diff)
	}
	near := excerpt(text, []span{{1100, 1101, "p"}}, 1000)
	if len(near) != 4 || near[1].IDs == nil || near[3].Missing != 10_005-1101-excerptMargin {
		t.Errorf("a place near the limit: %d segments", len(near))
	}
}

// Chinese lines go on without a blank, others with one.
func TestSoftBreaks(t *testing.T) {
	for source, want := range map[string]string{
		"萨摩亚没有\n十二月三十日。":      "萨摩亚没有十二月三十日。",
		"时钟不再\n  调整，见记录":      "时钟不再调整，见记录",
		"The clock\nstopped.": "The clock stopped.",
		"时区 Apia\n没有变":        "时区 Apia 没有变",
		"没有变\nApia":           "没有变 Apia",
		"见**记录**\n与*说明*\n的":   "见记录与说明的",
		"> 时钟不再\n> 调整":        "时钟不再调整",
		"시계는\n바뀌지 않는다":        "시계는 바뀌지 않는다",
	} {
		nodes, err := readNarrative(authorParser(), []byte(source), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := plainNodes(nodes); strings.TrimSpace(got) != want {
			t.Errorf("%q reads %q, want %q", source, got, want)
		}
		plain := strings.NewReplacer("*", "", "> ", "").Replace(nodesMarkdown(nodes, "index.html"))
		if plain != want {
			t.Errorf("%q is written %q, want %q", source, plain, want)
		}
	}
}
