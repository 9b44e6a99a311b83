package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"casebook/engine/canon"
	"casebook/engine/wire"
)

// The addresses of the two operations, and the bodies that they take.
const (
	SearchURL  = "local:search"  // {"query": text}
	ExtractURL = "local:extract" // {"urls": [URL, ...]}
)

// found is a document in the reply to a search.
type found struct {
	Date    *string     `json:"date"`
	Excerpt string      `json:"excerpt"`
	Rank    int         `json:"rank"`
	Score   json.Number `json:"score"`
	Title   *string     `json:"title"`
	URL     string      `json:"url"`
}

// whole is a document in the reply to an extraction.
type whole struct {
	Date  *string `json:"date"`
	Text  string  `json:"text"`
	Title *string `json:"title"`
	URL   string  `json:"url"`
}

// Send answers a request in process: every matching document, best first, or the documents with the given URLs, equal
// as written, in the order of the request. The body is canonical JSON.
func (x *Index) Send(ctx context.Context, request wire.Request) (wire.Reply, error) {
	if err := ctx.Err(); err != nil {
		return wire.Reply{}, err
	}
	var asked struct {
		Query string   `json:"query"`
		URLs  []string `json:"urls"`
	}
	if err := canon.Decode(request.Body, &asked); err != nil {
		return wire.Reply{}, fmt.Errorf("corpus request %s: %w", request.URL, err)
	}
	switch request.URL {
	case SearchURL:
		documents, err := x.search(asked.Query)
		if err != nil {
			return wire.Reply{}, fmt.Errorf("corpus search: %w", err)
		}
		return reply(documents)
	case ExtractURL:
		documents, size := x.extract(asked.URLs)
		if size > wire.MaxBodyBytes {
			return wire.Reply{}, tooLarge(size)
		}
		return reply(documents)
	}
	return wire.Reply{}, fmt.Errorf("corpus request %q: want %s or %s", request.URL, SearchURL, ExtractURL)
}

func reply[T any](documents []T) (wire.Reply, error) {
	body, err := canon.Encode(struct {
		Documents []T `json:"documents"`
	}{documents})
	if err != nil {
		return wire.Reply{}, fmt.Errorf("corpus reply: %w", err)
	}
	if len(body) > wire.MaxBodyBytes {
		return wire.Reply{}, tooLarge(len(body))
	}
	return wire.Reply{Body: body}, nil
}

func tooLarge(size int) error {
	return fmt.Errorf("corpus reply of %d bytes: %w", size, wire.ErrBodyTooLarge)
}

func (x *Index) search(query string) ([]found, error) {
	hits, err := x.find(query)
	if err != nil {
		return nil, err
	}
	documents := make([]found, len(hits))
	for i, h := range hits {
		d := x.corpus.Documents[h.document]
		at := 0
		if h.best >= 0 {
			at = int(x.stats[h.document].starts[h.place])
		}
		documents[i] = found{d.Date, excerpt(d.Text, at), i + 1, decimal(h.score), d.Title, d.URL}
	}
	return documents, nil
}

// extract also gives the size of the texts, so that a reply over the limit need not be encoded to be refused.
func (x *Index) extract(urls []string) (documents []whole, size int) {
	documents = []whole{}
	for _, url := range urls {
		if i, ok := x.places[url]; ok {
			d := x.corpus.Documents[i]
			documents = append(documents, whole{d.Date, d.Text, d.Title, d.URL})
			size += len(d.Text)
		}
	}
	return documents, size
}

// decimal writes millionths as a number.
func decimal(millionths int64) json.Number {
	return json.Number(strconv.FormatInt(millionths/1_000_000, 10) + fmt.Sprintf(".%06d", millionths%1_000_000))
}
