package evidence

import (
	"encoding/json"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Request is RequestV3. A nil pointer or empty string is an absent member; the methods give the contract's defaults.
type Request struct {
	ContractVersion string          `json:"contract_version"`
	Capability      Capability      `json:"capability"`
	Input           Input           `json:"input"`
	RequestID       string          `json:"request_id,omitempty"` // absent: the response repeats its execution id
	Options         Options         `json:"options,omitzero"`     // absent: all defaults
	Cache           CachePolicy     `json:"cache,omitzero"`       // absent: all defaults
	Routing         Routing         `json:"routing,omitzero"`     // absent: all defaults
	Budget          Budget          `json:"budget,omitzero"`      // absent: all defaults
	Client          json.RawMessage `json:"client,omitempty"`     // absent: none; validated by schema, otherwise unused
}

// Input is what is asked: a query to search for, or URLs to extract.
type Input struct {
	Query string   `json:"query,omitempty"` // absent: extract
	URLs  []string `json:"urls,omitempty"`  // absent: search
}

// Options of a search and of an extraction; a schema keeps the two apart.
type Options struct {
	MaxResults         *int         `json:"max_results,omitempty"`          // absent: 5
	Freshness          string       `json:"freshness,omitempty"`            // absent: no filter
	TimeRange          string       `json:"time_range,omitempty"`           // absent: no filter
	SearchType         string       `json:"search_type,omitempty"`          // absent: search
	Depth              string       `json:"depth,omitempty"`                // absent: normal
	Mode               string       `json:"mode,omitempty"`                 // absent: normal
	QualityReport      *bool        `json:"quality_report,omitempty"`       // absent: false
	ResearchTimeBudget *json.Number `json:"research_time_budget,omitempty"` // absent: 55 s
	IncludeDomains     []string     `json:"include_domains,omitempty"`      // absent: no filter
	ExcludeDomains     []string     `json:"exclude_domains,omitempty"`      // absent: no filter
	Locale             *Locale      `json:"locale,omitempty"`               // absent: the configured one
	OutputFormat       string       `json:"output_format,omitempty"`        // absent: markdown
	IncludeImages      *bool        `json:"include_images,omitempty"`       // absent: false
	IncludeRawHTML     *bool        `json:"include_raw_html,omitempty"`     // absent: false
	RenderJS           *bool        `json:"render_js,omitempty"`            // absent: false
	MaxURLs            *int         `json:"max_urls,omitempty"`             // absent: 10
	MaxContextChars    *int         `json:"max_context_chars,omitempty"`    // absent: 60000
	Spans              *bool        `json:"spans,omitempty"`                // absent: false
	SpansQuery         string       `json:"spans_query,omitempty"`          // absent: none
}

// Locale is a country and a language, two letters each.
type Locale struct {
	Country  string `json:"country,omitempty"`  // absent: the configured one
	Language string `json:"language,omitempty"` // absent: the configured one
}

// CachePolicy says how the cache may be used.
type CachePolicy struct {
	Mode              string `json:"mode,omitempty"`                // absent: prefer
	TTLSeconds        *int64 `json:"ttl_seconds,omitempty"`         // absent: 3600
	AllowStaleSeconds *int64 `json:"allow_stale_seconds,omitempty"` // absent: 0
}

// Routing says who may be asked.
type Routing struct {
	Mode          string `json:"mode,omitempty"`           // absent: fixed when a provider is named, else auto
	Provider      string `json:"provider,omitempty"`       // absent: auto
	AllowFallback *bool  `json:"allow_fallback,omitempty"` // absent: by capability and provider
	PolicyMode    string `json:"policy_mode,omitempty"`    // absent: classic
}

// Budget limits what an execution may use.
type Budget struct {
	MaxProviderAttempts *int   `json:"max_provider_attempts,omitempty"` // absent: 3
	MaxWallTimeMS       *int64 `json:"max_wall_time_ms,omitempty"`      // absent: none
	MaxCostMicrounits   *int64 `json:"max_cost_microunits,omitempty"`   // absent: none
}

// Defaults and bounds of the request, contract sections 1.3 and 1.4.
const (
	DefaultMaxResults      = 5
	DefaultMaxURLs         = 10
	LargestMaxURLs         = 50
	DefaultContextChars    = 60_000
	SmallestContextChars   = 1_000
	LargestContextChars    = 200_000
	DefaultProviderTries   = 3
	AutomaticProvider      = "auto"
	DefaultCountry         = "us"
	DefaultLanguage        = "en"
	DefaultMaxPerDomain    = 2
	DefaultTriesPerAttempt = 2
)

// Normalized returns the request with its query in NFC and without white space around it; URLs are never rewritten.
func (r Request) Normalized() Request {
	r.Input.Query = strings.TrimSpace(norm.NFC.String(r.Input.Query))
	r.Options.SpansQuery = strings.TrimSpace(norm.NFC.String(r.Options.SpansQuery))
	return r
}

// MaxResults is the cap of results[], 5 unless asked otherwise.
func (r Request) MaxResults() int { return valueOr(r.Options.MaxResults, DefaultMaxResults) }

// MaxURLs is the number of URLs that are processed: the asked one, at least 1, at most ceiling and 50.
func (r Request) MaxURLs(ceiling int) int {
	return min(max(valueOr(r.Options.MaxURLs, DefaultMaxURLs), 1), ceiling, LargestMaxURLs)
}

// MaxContextChars is the budget of inline extract text in code points, clamped to 1,000–200,000.
func (r Request) MaxContextChars(configured int) int {
	return min(max(valueOr(r.Options.MaxContextChars, configured), SmallestContextChars), LargestContextChars)
}

// ProcessedURLs splits the URLs of an extraction into those processed and those beyond the cap, order kept.
func (r Request) ProcessedURLs(ceiling int) (processed, omitted []string) {
	n := min(len(r.Input.URLs), r.MaxURLs(ceiling))
	return r.Input.URLs[:n:n], r.Input.URLs[n:]
}

// NamedProvider is the provider that the request names, "auto" if none.
func (r Request) NamedProvider() string {
	if r.Routing.Provider == "" {
		return AutomaticProvider
	}
	return r.Routing.Provider
}

func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
