package derive

import (
	"encoding/json"
	"strconv"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/projection"
)

// warnings are the recorded ones, then those that follow from the replies: by attempt, then index, what has none of
// them first, ties by code (pack format, section 5.5).
func warnings(r *evidence.Recording, request evidence.Request, d *decoded, projected projection.Output) []evidence.Warning {
	all := append([]evidence.Warning{}, r.Execution.Warnings...)
	if request.Capability == evidence.Extract {
		if len(projected.Truncated) > 0 {
			all = append(all, evidence.Warning{
				Code: evidence.CodeContentTruncated, Message: "text was cut to the context budget",
				Details: details(struct {
					IDs []string `json:"observation_ids"`
				}{projected.Truncated}),
			})
		}
		if _, omitted := request.ProcessedURLs(r.Execution.Policy.Limits.MaxURLs); len(omitted) > 0 {
			all = append(all, evidence.Warning{
				Code: evidence.CodeURLsOmitted, Message: "URLs beyond the cap were not processed",
				Details: details(struct {
					Count int `json:"omitted_url_count"`
				}{len(omitted)}),
			})
		}
	}
	for _, attempt := range d.attempts {
		all = append(all, d.missingDocuments(attempt.AttemptID)...)
		all = append(all, d.lostItems(attempt.AttemptID)...)
	}
	return all
}

func (d *decoded) lostItems(attemptID string) []evidence.Warning {
	var all []evidence.Warning
	for _, lost := range d.lost {
		if lost.attempt.AttemptID != attemptID {
			continue
		}
		all = append(all, evidence.Warning{
			Code: evidence.CodeItemWithoutURL, Message: "item " + strconv.Itoa(lost.index) + " of the reply has no URL, so it is no observation",
			Details: details(struct {
				Provider  string `json:"provider"`
				AttemptID string `json:"attempt_id"`
				Index     int    `json:"provider_result_index"`
			}{lost.attempt.Provider, lost.attempt.AttemptID, lost.index}),
		})
	}
	return all
}

func (d *decoded) missingDocuments(attemptID string) []evidence.Warning {
	var all []evidence.Warning
	for _, missing := range d.missing {
		if missing.attempt.AttemptID != attemptID {
			continue
		}
		all = append(all, evidence.Warning{
			Code: evidence.CodeExtractPartial, Message: "not every URL gave a document",
			Details: details(struct {
				Provider  string   `json:"provider"`
				AttemptID string   `json:"attempt_id"`
				URLs      []string `json:"urls"`
			}{missing.attempt.Provider, missing.attempt.AttemptID, missing.urls}),
		})
	}
	return all
}

// details can't fail: its values are strings, numbers and lists of strings in valid UTF-8.
func details(v any) json.RawMessage {
	data, err := canon.Encode(v)
	if err != nil {
		return nil
	}
	return data
}
