package provider

import (
	"encoding/json"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// Bounds of provider_fields, contract section 2.14, rules 4 and 5: bytes of compact JSON.
const (
	MaxFieldBytes    = 4096
	MaxAllFieldBytes = 131072
)

// Source is a provider and the one of its endpoints that is asked.
type Source struct {
	Provider Provider
	Endpoint Endpoint
}

// Observed is what one reply gives: observations in the provider's order, and the places of the items that can be
// none for want of a URL.
type Observed struct {
	Observations []evidence.Observation
	WithoutURL   []int
}

// Read gives the items in the body of a successful reply to a request for urls, nil for a search, or what is wrong
// with it. The fault names no HTTP status: that is known where the reply came in.
func (s Source) Read(body []byte, urls []string) ([]Item, *evidence.TryFault) {
	items, err := s.Endpoint.Decode(body)
	if err == nil && len(urls) > 0 && len(items) == 0 {
		err = unusable("none of the URLs has a document")
	}
	if err != nil {
		return nil, fault(err)
	}
	return items, nil
}

// Observe makes the observations of an attempt from the items of its reply. Every item with a URL becomes one, under
// its own place in the provider's list; a document without one has the URL that was asked for.
func (s Source) Observe(attemptID string, urls []string, items []Item) Observed {
	observed := Observed{Observations: []evidence.Observation{}, WithoutURL: []int{}}
	partner := match(urls, items)
	for i, item := range items {
		if !evidence.IsURL(item.URL) {
			if partner[i] < 0 {
				observed.WithoutURL = append(observed.WithoutURL, i)
				continue
			}
			item.URL = urls[partner[i]]
		}
		observed.Observations = append(observed.Observations, s.observation(attemptID, i, item))
	}
	return observed
}

func (s Source) observation(attemptID string, index int, item Item) evidence.Observation {
	rank := index + 1
	o := evidence.Observation{
		ObservationID: evidence.ObservationID(attemptID, index), ProviderAttemptID: attemptID, ProviderResultIndex: index,
		Provider: s.Provider.ID, EndpointID: EndpointID(s.Provider, s.Endpoint),
		URL:          evidence.URL{Observed: item.URL, Canonical: evidence.CanonicalURL(item.URL, s.Provider.RecordURLs)},
		ProviderRank: &rank, PublishedAt: evidence.NewDate(item.Date), ProviderFields: s.fields(item.Fields),
	}
	if item.Title != nil {
		title := evidence.NFC(*item.Title)
		o.Title = &title
	}
	text := evidence.NFC(item.Text)
	if s.Endpoint.Capability == evidence.Extract {
		o.Kind, o.Text = evidence.ExtractedDocument, &text
	} else {
		o.Kind, o.Snippet = evidence.SearchResult, &text
	}
	if item.Score != nil {
		o.ProviderScore = &evidence.Score{Value: *item.Score, Semantics: evidence.ProviderLocalRelevance}
	}
	return o
}

// fields packs the kept members under the provider's name, and drops from the end what is over the bound.
func (s Source) fields(fields []Field) map[string]json.RawMessage {
	for ; len(fields) > 0; fields = fields[:len(fields)-1] {
		members := map[string]json.RawMessage{}
		for _, f := range fields {
			members[f.Name] = f.Value
		}
		// Values are canonical already, so that only their order is made here.
		inner, err := canon.Encode(members)
		packed := map[string]json.RawMessage{s.Provider.ID: inner}
		if err == nil && fieldBytes(packed) <= MaxFieldBytes {
			return packed
		}
	}
	return map[string]json.RawMessage{}
}

// fieldBytes is the length of provider_fields on the wire.
func fieldBytes(fields map[string]json.RawMessage) int {
	n := len("{}")
	for name, value := range fields {
		n += len(`"":`) + len(name) + len(value)
	}
	return n
}

// BoundFields empties provider_fields of the observations of a response from the one on that passes the bound of all.
func BoundFields(observations []evidence.Observation) {
	sum := 0
	for i := range observations {
		o := &observations[i]
		if len(o.ProviderFields) == 0 {
			continue
		}
		if sum += fieldBytes(o.ProviderFields); sum > MaxAllFieldBytes {
			o.ProviderFields = map[string]json.RawMessage{}
		}
	}
}
