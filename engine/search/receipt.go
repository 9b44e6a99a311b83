package search

import "casebook/engine/evidence"

// PolicyRevision is written in every receipt.
const PolicyRevision = "routing-v2"

// Settled is what became of one candidate, as far as the receipt needs it.
type Settled struct {
	Provider   string
	AttemptID  string
	Outcome    evidence.Outcome
	SkipReason *string
	Items      int // that the provider returned
}

// Receipt is the routing receipt of an execution whose candidates all have an attempt, in plan order (contract
// section 2.10). It is recomputed from the attempts by whoever checks a pack.
func Receipt(order []string, settled []Settled) evidence.Receipt {
	receipt := evidence.Receipt{
		PolicyID: "classic", PolicyRevision: PolicyRevision, Mode: "classic", CandidateOrder: order,
		FallbackReason: "none",
		Completion: &evidence.Completion{
			Authority: "classic", ExecutionScope: "current", CandidateDecisions: []evidence.CandidateDecision{},
		},
	}
	for i, s := range settled {
		decision := decide(s, i+1, receipt.SelectedProvider != nil)
		if decision.Decision == "selected" {
			receipt.SelectedProvider = &settled[i].Provider
			receipt.FallbackReason = fallbackReason(receipt.CandidateDecisions)
		}
		receipt.CandidateDecisions = append(receipt.CandidateDecisions, decision)
	}
	if receipt.SelectedProvider == nil && allFailed(settled) {
		receipt.FallbackReason = "selected_failed"
	}
	return receipt
}

// Unasked is the receipt of an execution that may ask nobody.
func Unasked(order []string) evidence.Receipt {
	receipt := Receipt(order, nil)
	for i, id := range order {
		receipt.CandidateDecisions = append(receipt.CandidateDecisions, evidence.CandidateDecision{
			Provider: id, Position: i + 1, Decision: "not_attempted", ReasonCode: "provider_unavailable",
		})
	}
	return receipt
}

func decide(s Settled, position int, served bool) evidence.CandidateDecision {
	decision := evidence.CandidateDecision{Provider: s.Provider, Position: position, AttemptID: &s.AttemptID}
	switch {
	case s.Outcome == evidence.OutcomeSkipped:
		decision.Decision, decision.ReasonCode = "skipped", skipCode(s.SkipReason)
	case s.Outcome == evidence.OutcomeFailed || s.Outcome == evidence.OutcomeCancelled:
		decision.Decision, decision.ReasonCode = "attempted_failed", "attempt_failed"
	case s.Items == 0 || served:
		decision.Decision, decision.ReasonCode = "attempted_no_selection", "insufficient_results"
	case position == 1:
		decision.Decision, decision.ReasonCode = "selected", "classic_selected"
	default:
		decision.Decision, decision.ReasonCode = "selected", "fallback_selected"
	}
	return decision
}

func skipCode(reason *string) string {
	if reason == nil {
		return "provider_unavailable"
	}
	switch *reason {
	case "auth_blocked":
		return "blocked_auth"
	case "quota_blocked":
		return "blocked_quota"
	case "circuit_open":
		return "circuit_open"
	case "budget_blocked":
		return "budget_denied"
	}
	return "provider_unavailable"
}

// fallbackReason looks at the candidates before the selected one.
func fallbackReason(earlier []evidence.CandidateDecision) string {
	for _, rule := range []struct{ decision, reason string }{
		{"attempted_no_selection", "insufficient_results"},
		{"attempted_failed", "selected_failed"},
		{"skipped", "selected_skipped"},
	} {
		for _, d := range earlier {
			if d.Decision == rule.decision {
				return rule.reason
			}
		}
	}
	return "none"
}

func allFailed(settled []Settled) bool {
	for _, s := range settled {
		if s.Outcome == evidence.OutcomeSuccess || s.Outcome == evidence.OutcomePartial {
			return false
		}
	}
	return len(settled) > 0
}
