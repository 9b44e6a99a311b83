package evidence

import "encoding/json"

// Observation is one item that a provider returned, as it returned it, before anything was dropped [A §2].
// Every member is always written; a nil pointer is null.
type Observation struct {
	ObservationID       string  `json:"observation_id"`
	ProviderAttemptID   string  `json:"provider_attempt_id"`
	ProviderResultIndex int     `json:"provider_result_index"`
	Provider            string  `json:"provider"`
	EndpointID          string  `json:"endpoint_id"`
	Kind                Kind    `json:"kind"`
	URL                 URL     `json:"url"`
	Title               *string `json:"title"`
	Snippet             *string `json:"snippet"`
	Text                *string `json:"text"`
	ProviderRank        *int    `json:"provider_rank"`
	ProviderScore       *Score  `json:"provider_score"`
	PublishedAt         *Date   `json:"published_at"`
	// ProviderFields is {} or holds one member, named after the provider, with allow-listed scalars and string lists.
	ProviderFields map[string]json.RawMessage `json:"provider_fields"`
	SourceType     *SourceType                `json:"source_type,omitempty"` // absent: read from other software, never written
}

// URL is an address as the provider spelt it and as it is compared.
type URL struct {
	Observed  string `json:"observed"`
	Canonical string `json:"canonical"`
}

// Score is a number that the provider itself returned.
type Score struct {
	Value     json.Number `json:"value"`
	Semantics string      `json:"semantics"`
}

// Date is a date as the provider spelt it; Normalized is set only where Raw is a complete RFC 3339 time.
type Date struct {
	Raw        string  `json:"raw"`
	Normalized *string `json:"normalized"`
}

// Field returns the observation's text in the named field, nil where it has none.
func (o *Observation) Field(name SourceField) *string {
	switch name {
	case FieldTitle:
		return o.Title
	case FieldSnippet:
		return o.Snippet
	case FieldText:
		return o.Text
	}
	return nil
}
