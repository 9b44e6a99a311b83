package evidence

import "encoding/json"

// Format names of the files of a recording, pack format sections 5.3 and 5.4.
const (
	RequestFormat   = "casebook-request/1"
	ExecutionFormat = "casebook-execution/1"
	AttemptFormat   = "casebook-attempt/1"
	TryFormat       = "casebook-try/1"
)

// Execution modes: how a step came to its recordings.
const (
	ModeLive     = "live"
	ModePinned   = "pinned"
	ModeImported = "imported"
)

// ModeReplay is the mode of a step that goes on from committed recordings.
const ModeReplay = "replay"

// Origins of a recorded try.
const (
	OriginRecorded = "recorded"
	OriginAuthored = "authored"
	OriginImported = "imported"
	OriginLocal    = "local"
)

// Recording is all that is stored of one step of kind search or extract: what was seen and what can't be derived
// from replies. Everything else follows from it.
type Recording struct {
	Step      string
	Request   RecordedRequest
	Execution Execution
	Attempts  []RecordedAttempt // in the order of their folders a0001, a0002, …
}

// RecordedRequest is request.json: the whole request as it was given, in canonical JSON, nothing added.
type RecordedRequest struct {
	Format  string          `json:"format"`
	Step    string          `json:"step"`
	Request json.RawMessage `json:"request"`
}

// Execution is execution.json: what happened and can't be derived from replies.
type Execution struct {
	Format         string         `json:"format"`
	Step           string         `json:"step"`
	Mode           string         `json:"mode"`
	ExecutionID    string         `json:"execution_id"`
	RequestID      string         `json:"request_id"`
	RoutingReceipt Receipt        `json:"routing_receipt"`
	CacheStatus    CacheStatus    `json:"cache_status"`
	Budget         BudgetUse      `json:"budget"`
	Policy         Policy         `json:"policy"`
	Warnings       []Warning      `json:"warnings"`
	Limits         ExecutionLimit `json:"limits"`
	Engine         Engine         `json:"engine"`
	FinishedAt     string         `json:"finished_at"`
	Corpus         *CorpusRef     `json:"corpus,omitempty"` // absent: not pinned
}

// CorpusRef names the corpus of a pinned step and its digest.
type CorpusRef struct {
	Name   string `json:"name"`
	SHA256 Digest `json:"sha256"`
}

// BudgetUse is what was asked for, what was allowed and what was used. Absent members were not asked for.
type BudgetUse struct {
	Asked   Budget `json:"asked"`
	Clamped Budget `json:"clamped"`
	Used    Budget `json:"used"`
}

// ExecutionLimit is the limit in force by capability.
type ExecutionLimit struct {
	MaxResults      *int `json:"max_results,omitempty"`       // absent: extract
	MaxURLs         *int `json:"max_urls,omitempty"`          // absent: search
	MaxContextChars *int `json:"max_context_chars,omitempty"` // absent: search
}

// Policy is the configuration in force when a step was executed; every member is always written.
type Policy struct {
	PolicyMode       string                     `json:"policy_mode"`
	KillSwitches     []string                   `json:"kill_switches"`
	Priority         []string                   `json:"priority"`
	Disabled         []string                   `json:"disabled"`
	AutoAllow        []string                   `json:"auto_allow"`
	Quality          Quality                    `json:"quality"`
	Limits           PolicyLimits               `json:"limits"`
	AllowPrivateURLs bool                       `json:"allow_private_urls"`
	Locale           PolicyLocale               `json:"locale"`
	ProviderFields   map[string][]string        `json:"provider_fields"`
	Options          map[string]json.RawMessage `json:"options"`
}

// Quality holds the switches of the projection.
type Quality struct {
	FilterSpam          bool     `json:"filter_spam"`
	BlockedDomains      []string `json:"blocked_domains"`
	MaxResultsPerDomain int      `json:"max_results_per_domain"`
}

// PolicyLimits are the operator's limits.
type PolicyLimits struct {
	MaxURLs                int `json:"max_urls"`
	MaxContextChars        int `json:"max_context_chars"`
	MaxProviderAttempts    int `json:"max_provider_attempts"`
	MaxAttemptsPerProvider int `json:"max_attempts_per_provider"`
}

// PolicyLocale is the locale of requests that name none.
type PolicyLocale struct {
	Country  string `json:"country"`
	Language string `json:"language"`
}

// DefaultPolicy is the policy of a pinned step under the given switches: built-in limits and locale, nothing
// prioritised, disabled or allowed, whatever environment and configuration say.
func DefaultPolicy(quality Quality) Policy {
	return Policy{
		PolicyMode: "classic", KillSwitches: []string{}, Priority: []string{}, Disabled: []string{}, AutoAllow: []string{},
		Quality: quality,
		Limits: PolicyLimits{
			MaxURLs: DefaultMaxURLs, MaxContextChars: DefaultContextChars,
			MaxProviderAttempts: DefaultProviderTries, MaxAttemptsPerProvider: DefaultTriesPerAttempt,
		},
		Locale:         PolicyLocale{Country: DefaultCountry, Language: DefaultLanguage},
		ProviderFields: map[string][]string{}, Options: map[string]json.RawMessage{},
	}
}

// DefaultQuality is the quality policy without configuration.
func DefaultQuality() Quality {
	return Quality{FilterSpam: true, BlockedDomains: []string{}, MaxResultsPerDomain: DefaultMaxPerDomain}
}

// RecordedAttempt is one attempt's folder.
type RecordedAttempt struct {
	Folder string // a0001
	Record AttemptRecord
	Tries  []TryRecord
}

// AttemptRecord is attempt.json of a search or an extraction.
type AttemptRecord struct {
	Format             string     `json:"format"`
	AttemptID          string     `json:"attempt_id"`
	Provider           string     `json:"provider"`
	EndpointID         string     `json:"endpoint_id"`
	Capability         Capability `json:"capability"`
	Decision           Decision   `json:"decision"`
	SkipReason         *string    `json:"skip_reason"`
	Outcome            Outcome    `json:"outcome"`
	StartedAt          string     `json:"started_at"`
	DurationMS         int64      `json:"duration_ms"`
	CircuitStateBefore string     `json:"circuit_state_before"`
	CircuitStateAfter  string     `json:"circuit_state_after"`
	BudgetDecision     string     `json:"budget_decision"`
	Error              *Error     `json:"error"`
	Tries              []string   `json:"tries"` // file stems in order: t01, t02, …
}

// TryRecord is tNN.json: one go at the request, as sent and as received.
type TryRecord struct {
	Format     string        `json:"format"`
	AttemptID  string        `json:"attempt_id"`
	TryNumber  int           `json:"try_number"`
	Origin     string        `json:"origin"`
	StartedAt  string        `json:"started_at"`
	DurationMS int64         `json:"duration_ms"`
	Outcome    TryOutcome    `json:"outcome"`
	Error      *TryFault     `json:"error"`
	Request    *SentRequest  `json:"request,omitempty"` // absent: local, or an import without it
	HTTP       *ReceivedHead `json:"http"`
	Body       *Body         `json:"body"`
}

// SentRequest is an outbound request, header names in lower case.
type SentRequest struct {
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Body    *Body             `json:"body"`
}

// ReceivedHead is the head of a reply; Headers holds the allow-listed ones.
type ReceivedHead struct {
	Status      int               `json:"status"`
	ContentType string            `json:"content_type"`
	Headers     map[string]string `json:"headers"`
}

// Body is a stored body: the text itself when it is UTF-8, else base64. Bytes and BodySHA256 are over the decoded
// stored body, after redaction.
type Body struct {
	Encoding   string `json:"encoding"`
	Text       string `json:"text"`
	Bytes      int    `json:"bytes"`
	BodySHA256 Digest `json:"body_sha256"`
	Redacted   bool   `json:"redacted"`
}
