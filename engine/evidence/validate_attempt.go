package evidence

// checkAttempts holds rule 23 for attempts and the part of rule 19 that contract 2.6 says.
func (c *checker) checkAttempts() {
	seen := make(map[string]bool, len(c.r.ProviderAttempts))
	for i := range c.r.ProviderAttempts {
		attempt := &c.r.ProviderAttempts[i]
		if seen[attempt.AttemptID] {
			c.add(row{23, "2.14"}, at("provider_attempts", i, "attempt_id"), "%q stands twice", attempt.AttemptID)
		}
		seen[attempt.AttemptID] = true
		if attempt.Decision == Skipped {
			c.checkSkipped(i, attempt)
		} else {
			c.checkAttempted(i, attempt)
		}
		if hasError := attempt.Error != nil; attempt.Outcome != OutcomeCancelled && hasError != (attempt.Outcome == OutcomeFailed) {
			c.add(row{19, "2.6"}, at("provider_attempts", i, "error"), "stands only and always where the outcome is failed or cancelled, it is %q", attempt.Outcome)
		}
		for k := range attempt.Tries {
			c.checkTry(i, k, &attempt.Tries[k])
		}
	}
}

func (c *checker) checkSkipped(i int, attempt *Attempt) {
	if attempt.SkipReason == "" {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "skip_reason"), "is missing, the provider was skipped")
	}
	if len(attempt.Tries) > 0 {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "tries"), "%d tries of a skipped provider", len(attempt.Tries))
	}
	if attempt.Outcome != OutcomeSkipped {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "outcome"), "%q of a skipped provider", attempt.Outcome)
	}
}

func (c *checker) checkAttempted(i int, attempt *Attempt) {
	if attempt.SkipReason != "" {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "skip_reason"), "%q, but the provider was asked", attempt.SkipReason)
	}
	if attempt.Outcome == OutcomeSkipped {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "outcome"), "skipped, but the provider was asked")
	}
	if len(attempt.Tries) == 0 {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "tries"), "is empty, but the provider was asked")
		return
	}
	if want := len(attempt.Tries) - 1; attempt.RetryCount != want {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "retry_count"), "%d, there were %d tries", attempt.RetryCount, len(attempt.Tries))
	}
}

func (c *checker) checkTry(i, k int, try *Try) {
	if try.TryNumber != k+1 {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "tries", k, "try_number"), "%d, the numbers are dense: want %d", try.TryNumber, k+1)
	}
	if failed := try.Outcome == TryError; failed != (try.Error != nil) {
		c.add(row{19, "2.6"}, at("provider_attempts", i, "tries", k, "error"), "stands only and always where the outcome is error, it is %q", try.Outcome)
	}
}
