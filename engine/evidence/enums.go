package evidence

// ContractVersion is the wire value of RequestV3 and ResponseV3.
const ContractVersion = "3.0"

// Capability is what a request asks a provider for.
type Capability string

// The capabilities of contract 3.0.
const (
	Search  Capability = "search"
	Extract Capability = "extract"
)

// Status of a response.
type Status string

// The statuses: degraded carries at least one degrade code, failed carries an error.
const (
	StatusOK       Status = "ok"
	StatusDegraded Status = "degraded"
	StatusFailed   Status = "failed"
)

// Kind of an observation and of a result.
type Kind string

// The kinds: a search gives results, an extraction gives documents.
const (
	SearchResult      Kind = "search_result"
	ExtractedDocument Kind = "extracted_document"
)

// Decision says whether a considered provider was asked.
type Decision string

// The decisions on a considered provider.
const (
	Attempted Decision = "attempted"
	Skipped   Decision = "skipped"
)

// Outcome of an attempt.
type Outcome string

// The outcomes of an attempt; partial is of an extraction with documents and failed URLs.
const (
	OutcomeSuccess   Outcome = "success"
	OutcomePartial   Outcome = "partial"
	OutcomeSkipped   Outcome = "skipped"
	OutcomeFailed    Outcome = "failed"
	OutcomeCancelled Outcome = "cancelled"
)

// TryOutcome is success or error.
type TryOutcome string

// The outcomes of one try.
const (
	TrySuccess TryOutcome = "success"
	TryError   TryOutcome = "error"
)

// CacheDisposition says what the cache did for a request.
type CacheDisposition string

// The dispositions of the cache.
const (
	FreshHit    CacheDisposition = "fresh_hit"
	StaleHit    CacheDisposition = "stale_hit"
	Miss        CacheDisposition = "miss"
	Bypassed    CacheDisposition = "bypassed"
	Unavailable CacheDisposition = "unavailable"
)

// IsHit says whether the observations were served from the cache.
func (d CacheDisposition) IsHit() bool { return d == FreshHit || d == StaleHit }

// Origin of a projected text: provider bytes, or bytes that a named deterministic transformation changed.
type Origin string

// The origins of a projected text.
const (
	FromProvider Origin = "provider"
	FromEngine   Origin = "engine"
)

// SourceField names the field of an observation that a text was taken from.
type SourceField string

// The fields that hold text.
const (
	FieldTitle   SourceField = "title"
	FieldSnippet SourceField = "snippet"
	FieldText    SourceField = "text"
)

// Transformation is one of the closed list of deterministic changes, applied left to right.
type Transformation string

// The transformations of 3.0.
const (
	WhitespaceNorm          Transformation = "whitespace_norm"
	DeterministicTruncation Transformation = "deterministic_truncation"
	MechanicalSegmentation  Transformation = "mechanical_segmentation"
	ImageBase64Replace      Transformation = "image_base64_replace"
)

// Action is what shaped the results.
type Action string

// The policy actions of 3.0.
const (
	ActionExcluded  Action = "excluded"
	ActionReranked  Action = "reranked"
	ActionDemoted   Action = "demoted"
	ActionSelected  Action = "selected_as_representative"
	ActionTruncated Action = "truncated_by_limit"
)

// Reason says why an action was taken; the pairs are closed.
type Reason string

// The reasons of 3.0.
const (
	ReasonSpamDomain      Reason = "spam_domain"
	ReasonIntentAuthority Reason = "intent_authority"
	ReasonDomainDiversity Reason = "domain_diversity"
	ReasonRepresentative  Reason = "dedup_representative"
	ReasonMaxResults      Reason = "max_results"
	ReasonMaxContent      Reason = "max_content_bytes"
)

// Score semantics: provider_local_relevance compares nothing across providers.
const (
	ProviderLocalRelevance = "provider_local_relevance"
	UnknownSemantics       = "unknown"
)

// Warning codes that this engine writes. The first four justify status degraded.
const (
	CodeServedStale      = "wsp.cache.served_stale"
	CodeContentTruncated = "wsp.content.truncated"
	CodeURLsOmitted      = "wsp.extract.urls_omitted"
	CodeExtractPartial   = "wsp.extract.partial"
	CodeBudgetLimited    = "wsp.budget.limited"
	CodeMethodDegraded   = "wsp.independence.method_degraded"
	CodeItemWithoutURL   = "wsp.provider.item_without_url"
	CodeLegacyDropped    = "wsp.cache.legacy_field_dropped"
)
