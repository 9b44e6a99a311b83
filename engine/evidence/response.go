package evidence

import "encoding/json"

// Response is ResponseV3 with Amendment 002. Arrays are written even when empty; Encode with [canon.Encode].
type Response struct {
	ContractVersion  string          `json:"contract_version"`
	RequestID        string          `json:"request_id"`
	ExecutionID      string          `json:"execution_id"`
	Capability       Capability      `json:"capability"`
	Status           Status          `json:"status"`
	Results          []Result        `json:"results"`
	Observations     []Observation   `json:"observations"`
	PolicyActions    []PolicyAction  `json:"policy_actions"`
	SourceDiversity  Diversity       `json:"source_diversity"`
	Engine           *Engine         `json:"engine,omitempty"` // absent: optional
	ProviderAttempts []Attempt       `json:"provider_attempts"`
	RoutingReceipt   Receipt         `json:"routing_receipt"`
	CacheStatus      CacheStatus     `json:"cache_status"`
	LimitsApplied    Limits          `json:"limits_applied"`
	StoredContent    json.RawMessage `json:"stored_content,omitempty"` // absent: 3.1 scope, read and never written
	DedupClusters    []Cluster       `json:"dedup_clusters"`
	Warnings         []Warning       `json:"warnings"`
	Error            *Error          `json:"error,omitempty"` // absent: unless failed
}

// Engine names the software that executed the request, all three members or none.
type Engine struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	BuildCommit string `json:"build_commit"`
}

// CacheStatus says what the cache did; the members after the first are those of a hit or of a failed write.
type CacheStatus struct {
	Disposition           CacheDisposition `json:"disposition"`
	EntryID               string           `json:"entry_id,omitempty"`                // absent: no hit
	AgeSeconds            *int64           `json:"age_seconds,omitempty"`             // absent: no hit
	TTLSeconds            *int64           `json:"ttl_seconds,omitempty"`             // absent: no hit
	ServedStale           *bool            `json:"served_stale,omitempty"`            // absent: no hit
	SourceContractVersion string           `json:"source_contract_version,omitempty"` // absent: no hit
	OriginExecutionID     string           `json:"origin_execution_id,omitempty"`     // absent: no v3 hit
	WriteError            string           `json:"write_error,omitempty"`             // absent: no failed write
}

// Limits is limits_applied: one of the members, by capability, or {} where nothing was limited.
type Limits struct {
	MaxResults *int           `json:"max_results,omitempty"` // absent: extract
	Extract    *ExtractLimits `json:"extract,omitempty"`     // absent: search
}

// ExtractLimits says which URLs were processed and how much text was returned, in code points.
type ExtractLimits struct {
	RequestedURLCount    int      `json:"requested_url_count"`
	ProcessedURLs        []string `json:"processed_urls"`
	OmittedURLs          []string `json:"omitted_urls"`
	OmittedURLCount      int      `json:"omitted_url_count"`
	MaxURLs              int      `json:"max_urls"`
	MaxContextChars      int      `json:"max_context_chars"`
	ContextCharsReturned int      `json:"context_chars_returned"`
	Truncated            bool     `json:"truncated"`
}

// Cluster lists the observations of one page. Other software writes other members, which are read and dropped.
type Cluster struct {
	DedupClusterID              string   `json:"dedup_cluster_id"`
	ObservationIDs              []string `json:"observation_ids"`
	RepresentativeObservationID string   `json:"representative_observation_id"`
}
