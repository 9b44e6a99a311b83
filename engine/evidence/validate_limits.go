package evidence

import (
	"encoding/json"
	"slices"
)

// checkLimits holds the part of rule 19 that contract 2.12 says.
func (c *checker) checkLimits() {
	limits := c.r.LimitsApplied
	if limits.MaxResults != nil && c.r.Capability == Search && len(c.r.Results) > *limits.MaxResults {
		c.add(row{19, "2.12"}, "/limits_applied/max_results", "%d, there are %d results", *limits.MaxResults, len(c.r.Results))
	}
	if limits.MaxResults != nil && c.r.Capability != Search {
		c.add(row{19, "2.12"}, "/limits_applied/max_results", "is a limit of searches")
	}
	if limits.Extract != nil && c.r.Capability != Extract {
		c.add(row{19, "2.12"}, "/limits_applied/extract", "is a limit of extractions")
	} else if limits.Extract != nil {
		c.checkExtractLimits(limits.Extract)
	}
	c.checkStored()
}

func (c *checker) checkExtractLimits(l *ExtractLimits) {
	const here = "/limits_applied/extract"
	if l.OmittedURLCount != len(l.OmittedURLs) {
		c.add(row{19, "2.12"}, here+"/omitted_url_count", "%d, listed are %d", l.OmittedURLCount, len(l.OmittedURLs))
	}
	if want := len(l.ProcessedURLs) + len(l.OmittedURLs); l.RequestedURLCount != want {
		c.add(row{19, "2.12"}, here+"/requested_url_count", "%d, processed and omitted are %d", l.RequestedURLCount, want)
	}
	if request := c.opts.Request; request != nil && !slices.Equal(slices.Concat(l.ProcessedURLs, l.OmittedURLs), request.Input.URLs) {
		c.add(row{19, "2.12"}, here+"/processed_urls", "processed and omitted are not the URLs of the request in its order")
	}
	chars, truncated := 0, false
	for i := range c.r.Results {
		if text := c.r.Results[i].Text; text != nil {
			chars += Length(text.Text)
			truncated = truncated || Cuts(text.Provenance.Transformations)
		}
	}
	if l.ContextCharsReturned != chars {
		c.add(row{19, "2.12"}, here+"/context_chars_returned", "%d, the texts have %d code points", l.ContextCharsReturned, chars)
	}
	if l.Truncated != truncated {
		c.add(row{19, "2.12"}, here+"/truncated", "%t, the texts say %t", l.Truncated, truncated)
	}
}

// checkStored looks at stored_content of other software: each entry is of one observation, and of another.
func (c *checker) checkStored() {
	if len(c.r.StoredContent) == 0 {
		return
	}
	var stored []struct {
		ObservationID string `json:"observation_id"`
	}
	if err := json.Unmarshal(c.r.StoredContent, &stored); err != nil {
		c.add(row{19, "2.12"}, "/stored_content", "%v", err)
		return
	}
	seen := make(map[string]bool, len(stored))
	for i, entry := range stored {
		if c.observations[entry.ObservationID] == nil {
			c.add(row{19, "2.12"}, at("stored_content", i, "observation_id"), "no observation %q", entry.ObservationID)
		}
		if seen[entry.ObservationID] {
			c.add(row{19, "2.12"}, at("stored_content", i, "observation_id"), "%q stands twice", entry.ObservationID)
		}
		seen[entry.ObservationID] = true
	}
}
