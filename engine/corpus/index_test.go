package corpus

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
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
	const url = "https://a.example/"
	x := open(t, &Corpus{Documents: []Document{{Path: "a.txt", URL: url, Text: strings.Repeat("x", wire.MaxBodyBytes/2-100)}}})
	for n, fits := range map[int]bool{1: true, 2: true, 3: false} {
		body, err := canon.Encode(map[string][]string{"urls": slices.Repeat([]string{url}, n)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = x.Send(context.Background(), wire.Request{URL: ExtractURL, Body: body})
		if errors.Is(err, wire.ErrBodyTooLarge) == fits {
			t.Errorf("extraction of %d documents: %v", n, err)
		}
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

// eastern are documents and queries of one, two and more characters, each with the document that must come first.
func eastern() (documents []string, queries []struct{ query, first string }) {
	documents = []string{
		"港湾局", "東京都の港湾局は、毎朝八時に潮位を発表する。",
		"京都の水", "京都市の水道は琵琶湖から来る。",
		"", "第二に、船は北京と上海の間を走る。",
		"北京的水", "北京市水务局每天公布水位。",
		"", "上海港的吞吐量世界第一。2026年仍在增长。",
		"", "ﾗｰﾒﾝとカレーの店。",
	}
	queries = []struct{ query, first string }{
		{"港", "a.txt"}, {"潮", "a.txt"}, {"湖", "b.txt"}, {"店", "f.txt"}, {"务", "d.txt"},
		{"東京", "a.txt"}, {"京都", "b.txt"}, {"北京", "d.txt"}, {"水位", "d.txt"}, {"海港", "e.txt"}, {"船", "c.txt"},
		{"潮位を発表", "a.txt"}, {"琵琶湖", "b.txt"}, {"吞吐量", "e.txt"}, {"水务局每天", "d.txt"}, {"ラーメン", "f.txt"}, {"カレーの店", "f.txt"},
		{"2026年", "e.txt"}, {"北京 水位", "d.txt"}, {"東京の潮位", "a.txt"},
	}
	return documents, queries
}

func TestEasternQueries(t *testing.T) {
	documents, queries := eastern()
	x := open(t, corpusOf(t, documents...))
	for _, q := range queries {
		if got := ranking(t, x, q.query); len(got) == 0 || !strings.HasPrefix(got[0], q.first+" ") {
			t.Errorf("search %q = %v, want %s first", q.query, got, q.first)
		}
	}
	for _, missing := range []string{"鯨", "大阪", "湾港", "海上"} {
		if got := ranking(t, x, missing); len(got) > 0 {
			t.Errorf("search %q = %v, want nothing", missing, got)
		}
	}
}

// The tokenizers that FTS5 brings are the reason for our own: this says what they would not find.
func TestTokenizersOfSQLiteFindLess(t *testing.T) {
	documents, queries := eastern()
	for tokenizer, missed := range map[string]int{"trigram": 14, "unicode61": 20} {
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		if _, err := db.Exec("CREATE VIRTUAL TABLE documents USING fts5(title, text, tokenize=" + tokenizer + ")"); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(documents); i += 2 {
			if _, err := db.Exec("INSERT INTO documents VALUES (?, ?)", documents[i], documents[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		got := 0
		for _, q := range queries {
			quoted := `"` + strings.Join(strings.Fields(q.query), `" OR "`) + `"`
			var n int
			if err := db.QueryRow("SELECT count(*) FROM documents WHERE documents MATCH ?", quoted).Scan(&n); err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				got++
			}
		}
		if got != missed {
			t.Errorf("%s finds nothing for %d of %d queries, want %d", tokenizer, got, len(queries), missed)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The corpora are those of the repository; the first hits are those of the table of real cases.
func TestCommittedCases(t *testing.T) {
	tests := []struct{ name, query, first string }{
		{"go-api-since", "os OpenRoot", "go1.24.txt"},
		{"go-api-since", "os.OpenRoot", "go1.24.txt"},
		{"go-api-since", "sync.WaitGroup.Go", "go1.25.txt"},
		{"browser-overscroll", "overscroll-behavior chrome version scroll containers", "bcd-overscroll-behavior.txt"},
		{"mime-javascript", "text/javascript .mjs extension application/javascript", "db-excerpt.txt"},
		{"mime-javascript", ".mjs", "db-excerpt.txt"},
		{"unicode-brakcet", "vertical right white lenticular brakcet misspelling", "names-list.txt"},
		{"debian-support-end", "version codename release eol bookworm", "debian.txt"},
		{"largest-country", "largest total area sq km Russia", "russia.txt"},
		{"tokyo-population", "Tokyo population million", "japan.txt"},
		{"samoa-skips-a-day", "Samoa Apia date line 2011", "zone-apia.txt"},
		{"node-eol", "Iron maintenance end", "release-schedule.txt"},
		{"spdx-osi", "Server Side Public License", "SSPL-1.0.txt"},
		{"vuln-x-text", "x/text ParseAcceptLanguage fixed 0.3.8", "GO-2022-1059-reports.txt"},
		{"leap-seconds", "expires 28 June 2027", "leap-seconds-list.txt"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.query, func(t *testing.T) {
			c, faults := Load(os.DirFS("../../cases/"+tt.name), "corpus")
			if faults != nil {
				t.Fatal(faults)
			}
			if got := ranking(t, open(t, c), tt.query); len(got) == 0 || !strings.HasPrefix(got[0], tt.first+" ") {
				t.Errorf("search %q = %.120v, want %s first", tt.query, got, tt.first)
			}
		})
	}
}

func TestCodePointIsFound(t *testing.T) {
	c, faults := Load(os.DirFS("../../cases/unicode-brakcet"), "corpus")
	if faults != nil {
		t.Fatal(faults)
	}
	got := ranking(t, open(t, c), "FE18")
	want := 0
	for _, d := range c.Documents {
		if strings.Contains(d.Text, "FE18") {
			want++
		}
	}
	if len(got) != want || want < 2 {
		t.Errorf("search FE18 = %v, want the %d documents that hold it", got, want)
	}
}

func TestSymbolsAreFound(t *testing.T) {
	x := open(t, corpusOf(t,
		"", "Added the -> and ->> operators for easier processing of JSON.\n",
		"", "func SortFunc[$0 interface{ ~[]$1 }]($0)\n",
		"", "Added support for ALTER TABLE, and so on.\n"))
	for text, first := range map[string]string{"->>": "a.txt", "->": "a.txt", "~": "b.txt", "$": "b.txt", "~[]$": "b.txt"} {
		if got := ranking(t, x, text); len(got) != 1 || !strings.HasPrefix(got[0], first+" ") {
			t.Errorf("search %q = %v, want %s alone", text, got, first)
		}
	}
}
