package evidence

import "slices"

// Candidate decisions (contract 2.10).
const (
	decisionSelected     = "selected"
	decisionFailed       = "attempted_failed"
	decisionNoSelection  = "attempted_no_selection"
	decisionSkipped      = "skipped"
	decisionNotAttempted = "not_attempted"
	decisionOrigin       = "origin_selected"
)

// Fallback reasons that an earlier candidate has to explain, and the one that says there was no fallback.
const (
	fallbackNone         = "none"
	fallbackFailed       = "selected_failed"
	fallbackSkipped      = "selected_skipped"
	fallbackInsufficient = "insufficient_results"
)

// checkReceipt holds the part of rule 19 that contract 2.10 says.
func (c *checker) checkReceipt() {
	receipt := &c.r.RoutingReceipt
	if hasTwice(receipt.CandidateOrder) {
		c.add(row{19, "2.10"}, "/routing_receipt/candidate_order", "names a provider twice")
	}
	c.checkSelection(receipt)
	if receipt.Completion == nil {
		return
	}
	if receipt.Authority != "classic" || receipt.ExecutionScope != "current" {
		c.add(row{19, "2.10"}, "/routing_receipt/authority", "authority and scope are classic and current, not %q and %q", receipt.Authority, receipt.ExecutionScope)
	}
	if s := receipt.ShadowObservation; s != nil && (!s.Observed || s.AffectedExecution) {
		c.add(row{19, "2.10"}, "/routing_receipt/shadow_observation", "a shadow is observed and affects nothing")
	}
	c.checkDecisions(receipt)
	c.checkOrigin(receipt)
}

// checkSelection compares the selected provider with the order, and with the decisions where they are given.
func (c *checker) checkSelection(receipt *Receipt) {
	if receipt.SelectedProvider == nil {
		return
	}
	selected := *receipt.SelectedProvider
	position := slices.Index(receipt.CandidateOrder, selected)
	switch {
	case c.isHit():
		c.add(row{19, "2.10"}, "/routing_receipt/selected_provider", "%q on a cache hit", selected)
	case position < 0:
		c.add(row{19, "2.10"}, "/routing_receipt/selected_provider", "%q is no candidate", selected)
	case (position == 0) != (receipt.FallbackReason == fallbackNone):
		c.add(row{19, "2.10"}, "/routing_receipt/fallback_reason", "%q with candidate %d selected", receipt.FallbackReason, position+1)
	case receipt.Completion != nil && !explained(receipt.FallbackReason, receipt.CandidateDecisions, position):
		c.add(row{19, "2.10"}, "/routing_receipt/fallback_reason", "%q, which no earlier candidate explains", receipt.FallbackReason)
	}
}

// explained says whether a candidate before the selected one has the decision that a fallback reason tells of.
func explained(reason string, decisions []CandidateDecision, position int) bool {
	var needed string
	switch reason {
	case fallbackFailed:
		needed = decisionFailed
	case fallbackSkipped:
		needed = decisionSkipped
	case fallbackInsufficient:
		needed = decisionNoSelection
	default:
		return true
	}
	earlier := decisions[:min(position, len(decisions))]
	return slices.ContainsFunc(earlier, func(d CandidateDecision) bool { return d.Decision == needed })
}

func (c *checker) checkDecisions(receipt *Receipt) {
	if len(receipt.CandidateDecisions) != len(receipt.CandidateOrder) {
		c.add(row{19, "2.10"}, "/routing_receipt/candidate_decisions", "%d decisions on %d candidates", len(receipt.CandidateDecisions), len(receipt.CandidateOrder))
		return
	}
	selected := []string{}
	for i, d := range receipt.CandidateDecisions {
		if d.Provider != receipt.CandidateOrder[i] {
			c.add(row{19, "2.10"}, at("routing_receipt", "candidate_decisions", i, "provider"), "%q, the candidate there is %q", d.Provider, receipt.CandidateOrder[i])
		}
		if d.Position != i+1 {
			c.add(row{19, "2.10"}, at("routing_receipt", "candidate_decisions", i, "position"), "%d, want %d", d.Position, i+1)
		}
		if !d.allows() {
			c.add(row{19, "2.10"}, at("routing_receipt", "candidate_decisions", i, "reason_code"), "%q is no reason for %q at position %d", d.ReasonCode, d.Decision, i+1)
		}
		if d.Decision == decisionSelected {
			selected = append(selected, d.Provider)
		}
		c.checkDecisionAttempt(i, d)
	}
	if want := optional(receipt.SelectedProvider); !slices.Equal(selected, want) {
		c.add(row{19, "2.10"}, "/routing_receipt/selected_provider", "is %q, the decisions select %q", want, selected)
	}
}

// allows says whether the reason code is one of the decision's.
func (d CandidateDecision) allows() bool {
	switch d.Decision {
	case decisionSelected:
		return d.ReasonCode == "classic_selected" && d.Position == 1 || d.ReasonCode == "fallback_selected" && d.Position > 1
	case decisionFailed:
		return d.ReasonCode == "attempt_failed"
	case decisionNoSelection:
		return d.ReasonCode == "insufficient_results"
	case decisionSkipped:
		return slices.Contains([]string{"blocked_auth", "blocked_quota", "circuit_open", "budget_denied", "provider_unavailable"}, d.ReasonCode)
	case decisionNotAttempted:
		return slices.Contains([]string{"provider_unavailable", "not_attempted_after_success", "budget_denied"}, d.ReasonCode)
	}
	return false
}

// outcomesOf lists the outcomes that the attempt behind a decision may have.
func outcomesOf(decision string) []Outcome {
	switch decision {
	case decisionSelected, decisionNoSelection:
		return []Outcome{OutcomeSuccess, OutcomePartial}
	case decisionFailed:
		return []Outcome{OutcomeFailed, OutcomeCancelled}
	case decisionSkipped:
		return []Outcome{OutcomeSkipped}
	}
	return nil
}

func (c *checker) checkDecisionAttempt(i int, d CandidateDecision) {
	pointer := func() string { return at("routing_receipt", "candidate_decisions", i, "attempt_id") }
	if d.AttemptID == nil {
		if d.Decision != decisionSelected && d.Decision != decisionNotAttempted {
			c.add(row{19, "2.10"}, pointer(), "is null, %q has an attempt", d.Decision)
		}
		return
	}
	attempt := c.attempts[*d.AttemptID]
	switch {
	case d.Decision == decisionNotAttempted:
		c.add(row{19, "2.10"}, pointer(), "%q of a candidate that was not attempted", *d.AttemptID)
	case attempt == nil:
		c.add(row{19, "2.10"}, pointer(), "no attempt %q", *d.AttemptID)
	case attempt.Provider != d.Provider:
		c.add(row{19, "2.10"}, pointer(), "%q asked %q, not %q", *d.AttemptID, attempt.Provider, d.Provider)
	case !slices.Contains(outcomesOf(d.Decision), attempt.Outcome):
		c.add(row{19, "2.10"}, pointer(), "%q had the outcome %q, which is not %q", *d.AttemptID, attempt.Outcome, d.Decision)
	}
}

// checkOrigin holds what a receipt says of the execution whose evidence a hit serves.
func (c *checker) checkOrigin(receipt *Receipt) {
	origin := receipt.CacheOrigin
	served := c.isHit() && c.r.CacheStatus.SourceContractVersion != "2.x"
	if (origin != nil) != served {
		c.add(row{19, "2.10"}, "/routing_receipt/cache_origin", "stands only and always on a hit of an entry of 3.0")
		return
	}
	if origin == nil {
		return
	}
	if len(receipt.CandidateOrder) > 0 || receipt.FallbackReason != fallbackNone {
		c.add(row{19, "2.10"}, "/routing_receipt/candidate_order", "a hit has no candidates of now and no fallback")
	}
	if origin.ExecutionID != c.r.CacheStatus.OriginExecutionID {
		c.add(row{19, "2.10"}, "/routing_receipt/cache_origin/execution_id", "%q, cache_status says %q", origin.ExecutionID, c.r.CacheStatus.OriginExecutionID)
	}
	want := optional(origin.SelectedProvider)
	got := []string{}
	for _, d := range origin.CandidateDecisions {
		got = append(got, d.Provider)
		if d.Decision != decisionOrigin || d.ReasonCode != "cache_origin_selected" || d.AttemptID != nil ||
			slices.Index(origin.CandidateOrder, d.Provider) != d.Position-1 {
			c.add(row{19, "2.10"}, "/routing_receipt/cache_origin/candidate_decisions", "%q: want origin_selected at its position, without an attempt", d.Provider)
		}
	}
	if !slices.Equal(got, want) {
		c.add(row{19, "2.10"}, "/routing_receipt/cache_origin/candidate_decisions", "decide on %q, selected was %q", got, want)
	}
}

// optional is a list of the string that p points to, empty for nil.
func optional(p *string) []string {
	if p == nil {
		return []string{}
	}
	return []string{*p}
}

func hasTwice(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) != len(names)
}
