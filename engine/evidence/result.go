package evidence

import "encoding/json"

// Result is one page of the consumer projection: a cluster of observations under the best of them [A §3].
type Result struct {
	ResultID                    string         `json:"result_id"`
	Kind                        Kind           `json:"kind"`
	EngineRank                  int            `json:"engine_rank"`
	RepresentativeObservationID string         `json:"representative_observation_id"`
	ObservationIDs              []string       `json:"observation_ids"`
	DedupClusterID              string         `json:"dedup_cluster_id,omitempty"` // absent: extracted documents of other software
	URL                         URL            `json:"url"`
	Title                       *ProjectedText `json:"title"`
	Snippet                     *ProjectedText `json:"snippet"`
	Text                        *ProjectedText `json:"text"`
	SourceType                  *SourceType    `json:"source_type,omitempty"`    // absent: optional in 3.1
	FetchPriority               *FetchPriority `json:"fetch_priority,omitempty"` // absent: optional in 3.1
}

// ProjectedText is a text with its origin, its digest and its code-point segments [A §3, §4].
type ProjectedText struct {
	Text       string     `json:"text"`
	TextSHA256 string     `json:"text_sha256"`
	Origin     Origin     `json:"origin"`
	Provenance Provenance `json:"provenance"`
	Segments   []Segment  `json:"segments"`
}

// Segment is a half-open range of code points of the NFC text, and the text there.
type Segment struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Provenance names where a projected text comes from: one field of one observation, or, when Fragments is not nil,
// several joined by Separator [A §3.1]. It is written in the shape of the one or the other.
type Provenance struct {
	ObservationID   string
	SourceField     SourceField
	Transformations []Transformation
	Separator       string
	Fragments       []Fragment
}

// Fragment is one piece of an aggregate snippet.
type Fragment struct {
	ObservationID   string           `json:"observation_id"`
	SourceField     SourceField      `json:"source_field"`
	Text            string           `json:"text"`
	Transformations []Transformation `json:"transformations"`
}

type singleProvenance struct {
	ObservationID   string           `json:"observation_id"`
	SourceField     SourceField      `json:"source_field"`
	Transformations []Transformation `json:"transformations"`
}

type aggregateProvenance struct {
	Aggregation string     `json:"aggregation"`
	Separator   string     `json:"separator"`
	Fragments   []Fragment `json:"fragments"`
}

// IsAggregate says whether the text was joined from several observations.
func (p Provenance) IsAggregate() bool { return p.Fragments != nil }

// MarshalJSON writes the single or the aggregate shape.
func (p Provenance) MarshalJSON() ([]byte, error) {
	if p.IsAggregate() {
		return json.Marshal(aggregateProvenance{"concat", p.Separator, p.Fragments})
	}
	return json.Marshal(singleProvenance{p.ObservationID, p.SourceField, p.Transformations})
}

// UnmarshalJSON reads either shape; a schema tells whether it is one of them.
func (p *Provenance) UnmarshalJSON(data []byte) error {
	var both struct {
		singleProvenance
		aggregateProvenance
	}
	if err := json.Unmarshal(data, &both); err != nil {
		return err
	}
	*p = Provenance{
		ObservationID: both.ObservationID, SourceField: both.SourceField, Transformations: both.Transformations,
		Separator: both.Separator, Fragments: both.Fragments,
	}
	return nil
}

// SourceType is a heuristic sort of a page; method and confidence are always shown with it.
type SourceType struct {
	Value         string `json:"value"`
	Method        string `json:"method"`
	MethodVersion string `json:"method_version"`
	Confidence    string `json:"confidence"`
}

// FetchPriority explains in closed codes which result to open first.
type FetchPriority struct {
	Tier        string   `json:"tier"`
	ReasonCodes []string `json:"reason_codes"`
}

// PolicyAction is one thing that shaped the results [A §5].
type PolicyAction struct {
	Action        Action `json:"action"`
	ObservationID string `json:"observation_id"`
	Reason        Reason `json:"reason"`
}

// Diversity counts components; there is no score in 3.0 [A §7].
type Diversity struct {
	Method             string `json:"method"`
	MethodVersion      string `json:"method_version"`
	MethodDegraded     bool   `json:"method_degraded"`
	ProviderCount      int    `json:"provider_count"`
	HostCount          int    `json:"host_count"`
	SourceFamilyCount  int    `json:"source_family_count"`
	UniqueClusterCount int    `json:"unique_cluster_count"`
}

// Field returns the projected text in the named field, nil where there is none.
func (r *Result) Field(name SourceField) *ProjectedText {
	switch name {
	case FieldTitle:
		return r.Title
	case FieldSnippet:
		return r.Snippet
	case FieldText:
		return r.Text
	}
	return nil
}
