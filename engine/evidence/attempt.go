package evidence

import "encoding/json"

// Attempt is the record of one considered provider, skipped ones included [A §6].
type Attempt struct {
	AttemptID          string     `json:"attempt_id"`
	Provider           string     `json:"provider"`
	EndpointID         string     `json:"endpoint_id"`
	Capability         Capability `json:"capability"`
	Decision           Decision   `json:"decision"`
	Outcome            Outcome    `json:"outcome"`
	SkipReason         string     `json:"skip_reason,omitempty"` // absent: written only when skipped
	Tries              []Try      `json:"tries"`
	RetryCount         int        `json:"retry_count"`
	ResultCount        int        `json:"result_count"`
	CircuitStateBefore string     `json:"circuit_state_before"`
	CircuitStateAfter  string     `json:"circuit_state_after"`
	StartedAt          string     `json:"started_at,omitempty"`      // absent: optional in 3.0
	DurationMS         *int64     `json:"duration_ms,omitempty"`     // absent: optional in 3.0
	BudgetDecision     string     `json:"budget_decision,omitempty"` // absent: optional in 3.0
	Error              *Error     `json:"error,omitempty"`           // absent: no failure
}

// Try is one go at an attempt's request.
type Try struct {
	TryNumber  int        `json:"try_number"`
	StartedAt  string     `json:"started_at"`
	DurationMS int64      `json:"duration_ms"`
	Outcome    TryOutcome `json:"outcome"`
	Error      *TryFault  `json:"error"`
}

// TryFault says why a try failed.
type TryFault struct {
	ErrorClass   string `json:"error_class"`
	Code         string `json:"code"`
	HTTPStatus   *int   `json:"http_status"`
	Retryable    bool   `json:"retryable"`
	RetryAfterMS *int64 `json:"retry_after_ms"`
}

// Error is ErrorV3: fixed words of ours, never upstream text.
type Error struct {
	ErrorClass        string          `json:"error_class"`
	Code              string          `json:"code"`
	Message           string          `json:"message"`
	Retryable         bool            `json:"retryable"`
	Provider          string          `json:"provider,omitempty"`            // absent: no single provider
	HTTPStatus        *int            `json:"http_status,omitempty"`         // absent: no reply
	RetryAfterSeconds *json.Number    `json:"retry_after_seconds,omitempty"` // absent: not said
	Details           json.RawMessage `json:"details,omitempty"`             // absent: none
}

// Warning is WarningV3. The legacy warning of [A §10] alone has no message.
type Warning struct {
	Code    string          `json:"code"`
	Message string          `json:"message,omitempty"` // absent: the legacy warning
	Reason  string          `json:"reason,omitempty"`  // absent: none
	Details json.RawMessage `json:"details,omitempty"` // absent: none
}
