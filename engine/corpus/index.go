package corpus

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo
)

// Index answers searches and extractions over one corpus, in memory. It may be used by one goroutine at a time; any
// number of indexes may be used side by side.
type Index struct {
	corpus *Corpus
	places map[string]int // of documents, by URL
	stats  []documentStats
	total  int // tokens counted in all documents

	db       *sql.DB
	postings *sql.Stmt
}

// documentStats is what ranking and excerpts need beside the postings.
type documentStats struct {
	length int     // counted tokens of title and text
	starts []int32 // byte in the text of each indexed token, in order
}

// The words are cut by [tokens] and handed over with one blank between two; all that SQLite's tokenizer may do is to
// cut at these blanks, so every other ASCII character is declared part of a word. Table columns are called by the
// names of the fields. The index keeps no copy of the documents and no lengths: both are here already.
const tableFormat = `
PRAGMA journal_mode = OFF;
CREATE VIRTUAL TABLE documents USING fts5(title, text, content='', columnsize=0, tokenize="ascii tokenchars '%s'");
CREATE VIRTUAL TABLE postings USING fts5vocab(documents, instance);`

func schema() string {
	var symbols strings.Builder
	for c := byte('!'); c < 0x7F; c++ {
		if asciiClass(c) == symbolic {
			symbols.WriteByte(c)
		}
	}
	// One quote stands inside two kinds of quotes.
	return fmt.Sprintf(tableFormat, strings.NewReplacer(`'`, `''`, `"`, `""`).Replace(symbols.String()))
}

// Open indexes a corpus. The caller closes the index.
func Open(c *Corpus) (*Index, error) {
	x := &Index{corpus: c, places: map[string]int{}, stats: make([]documentStats, len(c.Documents))}
	for i, d := range c.Documents {
		x.places[d.URL] = i
	}
	var err error
	if x.db, err = sql.Open("sqlite", ":memory:"); err != nil {
		return nil, fmt.Errorf("corpus index: %w", err)
	}
	// Each connection would have a memory of its own.
	x.db.SetMaxOpenConns(1)
	if err := x.fill(); err != nil {
		return nil, fmt.Errorf("corpus index: %w", errors.Join(err, x.Close()))
	}
	return x, nil
}

// Close frees the index.
func (x *Index) Close() error {
	var err error
	if x.postings != nil {
		err = x.postings.Close()
	}
	return errors.Join(err, x.db.Close())
}

func (x *Index) fill() (err error) {
	if _, err := x.db.Exec(schema()); err != nil {
		return err
	}
	tx, err := x.db.Begin()
	if err != nil {
		return err
	}
	if err := x.insert(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	x.postings, err = x.db.Prepare(`SELECT doc, col = 'title', count(*), min(offset) FROM postings WHERE term = ? GROUP BY doc, col ORDER BY doc`)
	return err
}

func (x *Index) insert(tx *sql.Tx) (err error) {
	row, err := tx.Prepare("INSERT INTO documents (rowid, title, text) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, row.Close()) }()
	var titleWords, textWords strings.Builder
	for i, d := range x.corpus.Documents {
		titleWords.Reset()
		textWords.Reset()
		s := &x.stats[i]
		if d.Title != nil {
			for t := range tokens(*d.Title) {
				appendToken(&titleWords, t)
				s.count(t)
			}
		}
		s.starts = make([]int32, 0, len(d.Text)/4)
		for t := range tokens(d.Text) {
			appendToken(&textWords, t)
			s.count(t)
			s.starts = append(s.starts, int32(t.Start)) // a document has at most 5 MiB
		}
		x.total += s.length
		if _, err := row.Exec(i, titleWords.String(), textWords.String()); err != nil {
			return err
		}
	}
	return nil
}

func appendToken(b *strings.Builder, t token) {
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(t.Text)
}

// count measures a document in words and characters; pairs and symbols would count a place twice.
func (s *documentStats) count(t token) {
	if t.Kind == word || t.Kind == single {
		s.length++
	}
}

// IndexVersion opens an empty index and says which SQLite keeps it, so that a missing FTS5 shows before a build.
func IndexVersion() (version string, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Exec("CREATE VIRTUAL TABLE probe USING fts5(body)"); err != nil {
		return "", err
	}
	err = db.QueryRow("SELECT sqlite_version()").Scan(&version)
	return version, err
}
