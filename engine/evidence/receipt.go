package evidence

import "encoding/json"

// Receipt says how the candidates were ordered, which one served and why the others did not.
// The five members of Completion stand all together or not at all; this engine always writes them.
type Receipt struct {
	PolicyID         string          `json:"policy_id"`
	PolicyRevision   string          `json:"policy_revision"`
	Mode             string          `json:"mode"`
	CandidateOrder   []string        `json:"candidate_order"`
	SelectedProvider *string         `json:"selected_provider"`
	FallbackReason   string          `json:"fallback_reason"`
	Shadow           json.RawMessage `json:"shadow,omitempty"`           // absent: optional metadata
	BudgetPreflight  json.RawMessage `json:"budget_preflight,omitempty"` // absent: 3.1 scope, read and never written
	*Completion
}

// Completion is the group of five members that make a receipt complete.
type Completion struct {
	Authority          string              `json:"authority"`
	ExecutionScope     string              `json:"execution_scope"`
	CandidateDecisions []CandidateDecision `json:"candidate_decisions"`
	CacheOrigin        *CacheOrigin        `json:"cache_origin"`
	ShadowObservation  *ShadowObservation  `json:"shadow_observation"`
}

// CandidateDecision says what became of one candidate.
type CandidateDecision struct {
	Provider   string  `json:"provider"`
	Position   int     `json:"position"`
	Decision   string  `json:"decision"`
	ReasonCode string  `json:"reason_code"`
	AttemptID  *string `json:"attempt_id"`
}

// CacheOrigin repeats the receipt of the execution whose observations a cache hit serves.
type CacheOrigin struct {
	ExecutionID        string              `json:"execution_id"`
	PolicyID           string              `json:"policy_id"`
	PolicyRevision     string              `json:"policy_revision"`
	CandidateOrder     []string            `json:"candidate_order"`
	SelectedProvider   *string             `json:"selected_provider"`
	FallbackReason     string              `json:"fallback_reason"`
	CandidateDecisions []CandidateDecision `json:"candidate_decisions"`
}

// ShadowObservation tells what another policy would have chosen; it never affects the execution.
type ShadowObservation struct {
	Observed          bool    `json:"observed"`
	PolicyID          string  `json:"policy_id"`
	PolicyRevision    string  `json:"policy_revision"`
	SelectedProvider  *string `json:"selected_provider"`
	AffectedExecution bool    `json:"affected_execution"`
	*ShadowExtension
}

// ShadowExtension is what the longer form of a shadow observation adds.
type ShadowExtension struct {
	ShadowProvider *string `json:"shadow_provider"`
	Agreement      bool    `json:"agreement"`
}
