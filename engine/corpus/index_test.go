package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"casebook/engine/canon"
	"casebook/engine/wire"
)

func open(t testing.TB, c *Corpus) *Index {
	t.Helper()
	x, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// corpusOf makes documents a.txt, b.txt, … with the given titles ("" for none) and texts.
func corpusOf(t testing.TB, titlesAndTexts ...string) *Corpus {
	t.Helper()
	files := map[string]string{}
	for i := 0; i < len(titlesAndTexts); i += 2 {
		name := string(rune('a' + i/2))
		header := "---\nurl: https://port.example/" + name + "\ndate: \"2026-01-05\"\n"
		if title := titlesAndTexts[i]; title != "" {
			header += "title: \"" + title + "\"\n"
		}
		files["corpus/"+name+".txt"] = header + "---\n" + titlesAndTexts[i+1]
	}
	return mustLoad(t, files)
}

func send(t testing.TB, x *Index, url string, body any) string {
	t.Helper()
	data, err := canon.Encode(body)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := x.Send(context.Background(), wire.Request{URL: url, Body: data})
	if err != nil {
		t.Fatalf("Send(%s %s): %v", url, data, err)
	}
	if !canon.IsCanonical(reply.Body) || reply.Status != 0 || reply.Header != nil {
		t.Errorf("Send(%s %s) = %+v, want canonical JSON and no HTTP", url, data, reply)
	}
	return string(reply.Body)
}

func query(text string) map[string]string { return map[string]string{"query": text} }

// ranking is the paths that a search gives, with the scores.
func ranking(t testing.TB, x *Index, text string) []string {
	t.Helper()
	var reply struct{ Documents []found }
	if err := json.Unmarshal([]byte(send(t, x, SearchURL, query(text))), &reply); err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for i, d := range reply.Documents {
		if d.Rank != i+1 {
			t.Errorf("document %d has rank %d", i, d.Rank)
		}
		all = append(all, fmt.Sprintf("%s %s", x.corpus.Documents[x.places[d.URL]].Path, d.Score))
	}
	return all
}

func TestSendSearch(t *testing.T) {
	x := open(t, corpusOf(t, "Harbour office", "The harbour office opens at eight.\n"))
	// One document: ln(4/3)·3·2.2/(3+1.2) for a word that is once in the title and once in the text.
	const want = `{"documents":[{"date":"2026-01-05","excerpt":"The harbour office opens at eight.","rank":1,"score":0.452072,"title":"Harbour office","url":"https://port.example/a"}]}`
	if got := send(t, x, SearchURL, query("harbour")); got != want {
		t.Errorf("search = %s,\nwant %s", got, want)
	}
	if got, want := send(t, x, SearchURL, query("lighthouse")), `{"documents":[]}`; got != want {
		t.Errorf("search for what is not there = %s, want %s", got, want)
	}
}

func TestSendSearchWithoutTitleAndDate(t *testing.T) {
	x := open(t, mustLoad(t, map[string]string{"corpus/a.txt": document("https://a.example/")}))
	const want = `{"documents":[{"date":null,"excerpt":"Text.","rank":1,"score":0.287682,"title":null,"url":"https://a.example/"}]}`
	if got := send(t, x, SearchURL, query("text")); got != want {
		t.Errorf("search = %s, want %s", got, want)
	}
}

func TestSendExtract(t *testing.T) {
	x := open(t, corpusOf(t, "Harbour office", "The harbour office opens at eight.\n", "", " e\u0301\n"))
	got := send(t, x, ExtractURL, map[string][]string{"urls": {
		"https://port.example/b", "https://port.example/missing", "https://PORT.example/a", "https://port.example/a",
	}})
	const want = `{"documents":[{"date":"2026-01-05","text":" e` + "\u0301" + `\n","title":null,"url":"https://port.example/b"},` +
		`{"date":"2026-01-05","text":"The harbour office opens at eight.\n","title":"Harbour office","url":"https://port.example/a"}]}`
	if got != want {
		t.Errorf("extract = %s,\nwant %s", got, want)
	}
}

func TestSendRefuses(t *testing.T) {
	x := open(t, corpusOf(t, "", "x"))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name, url, body string
		ctx             context.Context
		want            string
	}{
		{"other address", "local:answer", "{}", context.Background(), `corpus request "local:answer": want local:search or local:extract`},
		{"no JSON", SearchURL, "x", context.Background(), `corpus request local:search: byte 0: 'x' where a value is expected`},
		{"cancelled", SearchURL, `{"query":"x"}`, cancelled, "context canceled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply, err := x.Send(tt.ctx, wire.Request{URL: tt.url, Body: []byte(tt.body)})
			if err == nil || err.Error() != tt.want || reply.Body != nil {
				t.Errorf("Send = %s, %v, want %s", reply.Body, err, tt.want)
			}
		})
	}
}

func TestSendKeepsTheLimit(t *testing.T) {
	const plain, escaped = "https://a.example/plain", "https://a.example/escaped"
	x := open(t, &Corpus{Documents: []Document{
		{Path: "a.txt", URL: plain, Text: strings.Repeat("x", wire.MaxBodyBytes/20)},
		{Path: "b.txt", URL: escaped, Text: strings.Repeat("\x01", wire.MaxBodyBytes/6)}, // six bytes each in JSON
	}})
	for _, tt := range []struct {
		urls []string
		want string
	}{
		{slices.Repeat([]string{plain}, 1), ""},
		{slices.Repeat([]string{plain}, 21), "corpus reply of 11010048 bytes: body over the limit of 10 MiB"},
		{[]string{escaped}, "corpus reply of 10485842 bytes: body over the limit of 10 MiB"},
	} {
		body, err := canon.Encode(map[string][]string{"urls": tt.urls})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := x.Send(context.Background(), wire.Request{URL: ExtractURL, Body: body})
		if tt.want == "" {
			if err != nil || len(reply.Body) == 0 {
				t.Errorf("extraction of %d documents: %v", len(tt.urls), err)
			}
			continue
		}
		if !errors.Is(err, wire.ErrBodyTooLarge) || err.Error() != tt.want || reply.Body != nil {
			t.Errorf("extraction of %d documents = %d bytes, %v, want %s", len(tt.urls), len(reply.Body), err, tt.want)
		}
	}
}

func TestAClosedIndexSaysSo(t *testing.T) {
	x, err := Open(corpusOf(t, "", "harbour"))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	reply, err := x.Send(context.Background(), wire.Request{URL: SearchURL, Body: []byte(`{"query":"harbour"}`)})
	if err == nil || !strings.HasPrefix(err.Error(), "corpus search: ") || reply.Body != nil {
		t.Errorf("Send = %s, %v, want an error", reply.Body, err)
	}
}

func TestIndexVersion(t *testing.T) {
	if version, err := IndexVersion(); err != nil || !strings.HasPrefix(version, "3.") {
		t.Errorf("IndexVersion = %q, %v", version, err)
	}
}

// The scores come from another program, which computes the formula in floating point.
func TestRanking(t *testing.T) {
	x := open(t, corpusOf(t,
		"Harbour office", "The harbour office opens at eight.\n",
		"", "The office is closed. Office hours: none.\n",
		"Tides", "High water at six.\n"))
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"harbour office", []string{"a.txt 2.186187", "b.txt 0.637293"}},
		{"OFFICE office", []string{"a.txt 0.708225", "b.txt 0.637293"}},
		{"at", []string{"c.txt 0.523548", "a.txt 0.434457"}},
		{"none at all", []string{"b.txt 0.961169", "c.txt 0.523548", "a.txt 0.434457"}},
		{"", []string{}},
	} {
		if got := ranking(t, x, tt.query); !slices.Equal(got, tt.want) {
			t.Errorf("search %q = %v, want %v", tt.query, got, tt.want)
		}
	}
}

func TestEqualScoresAreOrderedByPath(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"b.txt", "a/z.txt", "a-z.txt", "B.txt", "é.txt", "z.txt"} {
		files["corpus/"+name] = document("https://a.example/" + name)
	}
	got := ranking(t, open(t, mustLoad(t, files)), "text")
	want := []string{"B.txt", "a-z.txt", "a/z.txt", "b.txt", "z.txt", "é.txt"}
	if len(got) != len(want) {
		t.Fatalf("search = %v", got)
	}
	for i, line := range got {
		if path, score, _ := strings.Cut(line, " "); path != want[i] || score != strings.Fields(got[0])[1] {
			t.Errorf("place %d = %s, want %s with the score of all", i, line, want[i])
		}
	}
}

func TestLogarithm(t *testing.T) {
	n := 0
	for _, above := range []uint64{1, 2, 3, 4, 7, 10, 22, 1000, 1 << 31, 3_141_592_653} {
		for below := uint64(1); below <= above; below = below*3 + 1 {
			n++
			want := math.Log(float64(above)/float64(below)) * 1e9
			if got := lnNano(above, below); math.Abs(float64(got)-want) > 1 {
				t.Errorf("lnNano(%d, %d) = %d, want %.1f", above, below, got, want)
			}
		}
	}
	if n < 50 {
		t.Errorf("compared %d logarithms", n)
	}
}

func TestDecimal(t *testing.T) {
	for millionths, want := range map[int64]string{0: "0", 1: "0.000001", 1_250_000: "1.25", 12_000_000: "12", 999_999: "0.999999"} {
		if got, err := canon.Encode(decimal(millionths)); err != nil || string(got) != want {
			t.Errorf("decimal(%d) = %s, %v, want %s", millionths, got, err, want)
		}
	}
}

func TestNoSyntaxGetsThrough(t *testing.T) {
	x := open(t, corpusOf(t, "Title", "harbour office\n", "", "tide\n", "", "table\n"))
	for _, text := range []string{
		`"harbour`, `harbour"`, `har*`, `NEAR(harbour office)`, `title: harbour`, `-harbour`, `harbour AND tide`, `^harbour`,
		`{title} : harbour`, `'; DROP TABLE documents; --`, "harbour\x00tide", `harbour NOT office`, `+`, `(`, `%`, `?`, `?1`,
	} {
		got := ranking(t, x, text)
		want := 0
		for _, word := range []string{"harbour", "tide", "table"} {
			if slices.Contains(terms(text), word) {
				want++
			}
		}
		if len(got) != want {
			t.Errorf("search %q = %v, want %d documents", text, got, want)
		}
	}
}

func TestExcerptIsRoundTheBestTerm(t *testing.T) {
	filler := strings.Repeat("Common words fill this line again.\n", 30)
	x := open(t, corpusOf(t,
		"", filler+"A rare sight: the beacon.\n"+filler+"Beacon again.\n",
		"Beacon", filler,
		"", filler))
	var reply struct{ Documents []found }
	if err := json.Unmarshal([]byte(send(t, x, SearchURL, query("common beacon"))), &reply); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"https://port.example/a": "A rare sight: the beacon.\nCommon", // the rarer term, at its first place
		"https://port.example/b": "Common words",                      // the title alone has it, so the next best
		"https://port.example/c": "Common words",
	}
	if len(reply.Documents) != len(want) {
		t.Fatalf("search gave %d documents", len(reply.Documents))
	}
	for _, d := range reply.Documents {
		if !strings.HasPrefix(d.Excerpt, want[d.URL]) {
			t.Errorf("excerpt of %s = %q, want it to begin with %q", d.URL, d.Excerpt, want[d.URL])
		}
	}
}

func TestExcerptOfATitleMatch(t *testing.T) {
	x := open(t, corpusOf(t, "Beacon", "First line.\nSecond.\n"))
	if got := send(t, x, SearchURL, query("beacon")); !strings.Contains(got, `"excerpt":"First line.\nSecond."`) {
		t.Errorf("search = %s, want the beginning of the text", got)
	}
}

// FTS5 must cut at the blanks between our words and nowhere else: the places of its postings index our own.
func TestPostingsAreOurWords(t *testing.T) {
	text := "os.OpenRoot(x) ->> `a` \"q\" 'r' {$~[]} ÀÉ_1 東京都の水 ｶﾞｽ 🫠 don't\\n %s ?1 #! a||b\u00a0c -- ;; <<>>"
	x := open(t, corpusOf(t, "", text))
	first := map[string]int{}
	count := map[string]int{}
	ordinal := 0
	for token := range tokens(text) {
		if count[token.Text] == 0 {
			first[token.Text] = ordinal
		}
		count[token.Text]++
		ordinal++
	}
	if len(count) < 40 {
		t.Fatalf("the text has %d different words", len(count))
	}
	for term, n := range count {
		got, err := x.lookUp(term)
		want := []posting{{document: 0, text: n, first: first[term]}}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("lookUp(%q) = %v, %v, want %v", term, got, err, want)
		}
	}
}

func TestIndexesSideBySide(t *testing.T) {
	c := corpusOf(t, "Harbour office", "The harbour office opens at eight.\n", "", "The office is closed.\n")
	want := send(t, open(t, c), SearchURL, query("harbour office"))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			x, err := Open(c)
			if err != nil {
				t.Error(err)
				return
			}
			for range 5 {
				if got := send(t, x, SearchURL, query("harbour office")); got != want {
					t.Errorf("search = %s, want %s", got, want)
				}
			}
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}
