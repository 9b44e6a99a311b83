package derive

import (
	"slices"

	"casebook/engine/evidence"
)

// degradeCodes are the warnings that alone justify status degraded (contract section 2.2).
func degradeCodes() []string {
	return []string{
		evidence.CodeServedStale, evidence.CodeContentTruncated, evidence.CodeURLsOmitted, evidence.CodeExtractPartial,
		evidence.CodeBudgetLimited, evidence.CodeMethodDegraded,
	}
}

// outcome is failed when no candidate replied, degraded when a degrade code says so, else ok: a reply without items
// is ok, since nothing found and could not look are different things (contract section 2.3).
func outcome(r *evidence.Response, d *decoded) (evidence.Status, *evidence.Error) {
	replied := slices.ContainsFunc(r.ProviderAttempts, func(a evidence.Attempt) bool {
		return a.Outcome == evidence.OutcomeSuccess || a.Outcome == evidence.OutcomePartial
	})
	if !replied && !r.CacheStatus.Disposition.IsHit() {
		return evidence.StatusFailed, failure(r, d)
	}
	for _, w := range r.Warnings {
		if slices.Contains(degradeCodes(), w.Code) {
			return evidence.StatusDegraded, nil
		}
	}
	return evidence.StatusOK, nil
}

// failure is the error of the first candidate, else of the last attempt that has one, else says why nobody was asked.
func failure(r *evidence.Response, d *decoded) *evidence.Error {
	if len(r.ProviderAttempts) == 0 && r.CacheStatus.Disposition == evidence.Miss {
		return &evidence.Error{ErrorClass: "config", Code: "wsp.cache.miss", Message: "the cache has no entry and nobody else may be asked"}
	}
	if len(r.ProviderAttempts) > 0 && r.ProviderAttempts[0].Error != nil {
		return r.ProviderAttempts[0].Error
	}
	if n := len(d.errors); n > 0 {
		return d.errors[n-1]
	}
	if len(r.ProviderAttempts) > 0 {
		switch r.ProviderAttempts[0].SkipReason {
		case "missing_credentials", "not_configured":
			return &evidence.Error{ErrorClass: "config", Code: "wsp.config.missing_credentials", Message: "no usable credential for the planned provider"}
		}
	}
	return &evidence.Error{ErrorClass: "transient", Code: "wsp.provider.failed", Message: "every candidate was skipped", Retryable: true}
}
