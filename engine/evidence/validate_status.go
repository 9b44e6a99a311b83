package evidence

import "slices"

// IsDegradeCode says whether a warning code justifies status degraded, which nothing else does (contract 2.2).
func IsDegradeCode(code string) bool {
	switch code {
	case CodeServedStale, CodeContentTruncated, CodeURLsOmitted, CodeExtractPartial, CodeBudgetLimited, CodeMethodDegraded:
		return true
	}
	return false
}

// checkStatus holds rules 17 and 18.
func (c *checker) checkStatus() {
	r := c.r
	degraded := slices.ContainsFunc(r.Warnings, func(w Warning) bool { return IsDegradeCode(w.Code) })
	switch {
	case r.Status == StatusFailed && len(r.Results) > 0:
		c.add(row{17, "2.3"}, "/status", "failed with %d results", len(r.Results))
	case r.Status == StatusDegraded && !degraded:
		c.add(row{17, "2.3"}, "/status", "degraded without a warning that says why")
	case r.Status == StatusOK && degraded:
		c.add(row{17, "2.3"}, "/status", "ok with a warning that degrades")
	case r.Status != StatusFailed && c.allFailed():
		c.add(row{17, "2.3"}, "/status", "%q, but every candidate failed or was skipped and there is no result", r.Status)
	}
	if failed := r.Status == StatusFailed; failed != (r.Error != nil) {
		c.add(row{17, "2.3"}, "/error", "stands only and always when the status is failed, it is %q", r.Status)
	}
	if e := r.Engine; e != nil && (e.Name == "" || e.Version == "" || e.BuildCommit == "") {
		c.add(row{18, "2.1"}, "/engine", "has name, version and build_commit or is left out")
	}
}

// allFailed says whether there were attempts, none of them gave anything, and the cache did not either.
func (c *checker) allFailed() bool {
	if c.isHit() || len(c.r.Results) > 0 || len(c.r.ProviderAttempts) == 0 {
		return false
	}
	return !slices.ContainsFunc(c.r.ProviderAttempts, func(a Attempt) bool {
		return a.Outcome != OutcomeFailed && a.Outcome != OutcomeSkipped
	})
}

// checkCache holds rule 25 and what contract 2.11 says of hits.
func (c *checker) checkCache() {
	s := c.r.CacheStatus
	if s.ServedStale != nil && *s.ServedStale != (s.Disposition == StaleHit) {
		c.add(row{25, "2.11"}, "/cache_status/served_stale", "%t with disposition %q", *s.ServedStale, s.Disposition)
	}
	if !c.isHit() {
		return
	}
	if s.AgeSeconds == nil {
		c.add(row{25, "2.11"}, "/cache_status/age_seconds", "is missing on a hit")
	}
	if s.OriginExecutionID == "" && s.SourceContractVersion != "2.x" {
		c.add(row{25, "2.11"}, "/cache_status/origin_execution_id", "is missing on a hit")
	}
	if s.OriginExecutionID == c.r.ExecutionID {
		c.add(row{25, "2.14"}, "/execution_id", "%q is the origin's, every execution has its own", c.r.ExecutionID)
	}
	for i, attempt := range c.r.ProviderAttempts {
		switch {
		case s.Disposition == FreshHit:
			c.add(row{25, "2.14"}, at("provider_attempts", i), "an attempt on a fresh hit")
		case attempt.Outcome == OutcomeSuccess || attempt.Outcome == OutcomePartial:
			c.add(row{25, "2.14"}, at("provider_attempts", i, "outcome"), "%q, a hit is served only where nothing succeeded now", attempt.Outcome)
		}
	}
}
