package provider

import (
	"strings"

	"casebook/engine/evidence"
	"casebook/engine/wire"
)

// serper is Google's results by way of serper.dev (contract section 6.1).
func serper() Provider {
	return Provider{
		ID:      "serper",
		Fields:  serperFields(),
		KeyEnv:  "SERPER_API_KEY",
		BaseURL: "https://google.serper.dev",
		Endpoints: []Endpoint{
			{Capability: evidence.Search, Semantics: SourceResults, Label: "search", Build: buildSerper, Decode: decodeSerper},
		},
	}
}

func serperFields() []string { return []string{"position", "source", "imageUrl"} }

type serperSearch struct {
	Query       string `json:"q"`
	Country     string `json:"gl"`
	Language    string `json:"hl"`
	Number      int    `json:"num"`
	Autocorrect bool   `json:"autocorrect"`
	Period      string `json:"tbs,omitempty"` // absent: no recency filter
}

func buildSerper(q Query) (wire.Request, error) {
	path := "/search"
	if q.Request.Options.SearchType == "news" {
		path = "/news"
	}
	return post(q.Options.BaseURL+path, map[string]string{"x-api-key": q.Key}, serperSearch{
		Query:    q.Request.Input.Query,
		Country:  strings.ToLower(q.Locale.Country),
		Language: strings.ToLower(q.Locale.Language),
		Number:   q.Request.MaxResults(), Autocorrect: true,
		Period: serperPeriod(q.Recency()),
	})
}

func serperPeriod(recency string) string {
	switch recency {
	case "day", "week", "month", "year":
		return "qdr:" + recency[:1]
	}
	return ""
}

func decodeSerper(body []byte) ([]Item, error) {
	reply, err := readObject(body)
	if err != nil {
		return nil, err
	}
	array := "organic"
	if !reply.has(array) {
		array = "news" // a reply to a news search has no organic results
	}
	results, err := reply.list(array)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(results))
	for i, r := range results {
		items[i] = Item{
			URL: r.text("link"), Title: r.stringAt("title"), Text: r.text("snippet"), Date: r.text("date"),
			Fields: r.fields(serperFields()),
		}
	}
	return items, nil
}
