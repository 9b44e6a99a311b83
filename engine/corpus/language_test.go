package corpus

import (
	"database/sql"
	"os"
	"strings"
	"testing"
)

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
