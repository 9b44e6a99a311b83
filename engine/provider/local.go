package provider

import (
	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/wire"
)

// local is the corpus of a case (contract section 6.14). Its requests are answered in process.
func local() Provider {
	return Provider{
		ID:         "local",
		RecordURLs: true,
		Endpoints: []Endpoint{
			{
				Capability: evidence.Search, Semantics: SourceResults, Label: "search",
				Build: func(q Query) (wire.Request, error) {
					return inProcess("local:search", localSearch{q.Request.Input.Query})
				},
				Decode: func(body []byte) ([]Item, error) { return localItems(body, "excerpt") },
			},
			{
				Capability: evidence.Extract, Semantics: SourceText, Label: "extract",
				Build: func(q Query) (wire.Request, error) {
					return inProcess("local:extract", localExtract{q.URLs})
				},
				Decode: func(body []byte) ([]Item, error) { return localItems(body, "text") },
			},
		},
	}
}

type localSearch struct {
	Query string `json:"query"`
}

type localExtract struct {
	URLs []string `json:"urls"`
}

// inProcess is a request that never becomes an exchange, so it has neither method nor header.
func inProcess(url string, body any) (wire.Request, error) {
	data, err := canon.Encode(body)
	return wire.Request{URL: url, Body: data}, err
}

func localItems(body []byte, text string) ([]Item, error) {
	reply, err := readObject(body)
	if err != nil {
		return nil, err
	}
	documents, err := reply.list("documents")
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(documents))
	for i, d := range documents {
		items[i] = Item{
			URL: d.text("url"), Title: d.stringAt("title"), Text: d.text(text), Date: d.text("date"), Score: d.score("score"),
		}
	}
	return items, nil
}
