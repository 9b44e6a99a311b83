package projection

import "casebook/engine/evidence"

// boundTexts cuts the inline texts of an extraction to the limit (contract 3.13) and says how many code points are
// returned and whose text was cut. Results stand in engine order.
func (p *projector) boundTexts(results []evidence.Result) (returned int, truncated []string) {
	truncated = []string{}
	var texts []*evidence.ProjectedText
	var lengths []int
	for i := range results {
		if text := results[i].Text; text != nil {
			texts = append(texts, text)
			lengths = append(lengths, evidence.Length(text.Text))
		}
	}
	for i, granted := range grants(lengths, p.contextChars()) {
		returned += granted
		if granted == lengths[i] {
			continue
		}
		truncated = append(truncated, texts[i].Provenance.ObservationID)
		provenance := texts[i].Provenance
		provenance.Transformations = []evidence.Transformation{evidence.MechanicalSegmentation, evidence.DeterministicTruncation}
		*texts[i] = *evidence.NewProjectedText(evidence.Prefix(texts[i].Text, granted), provenance)
	}
	return returned, truncated
}

func (p *projector) contextChars() int {
	if p.in.Limits.MaxContextChars != nil {
		return *p.in.Limits.MaxContextChars
	}
	return p.in.Request.MaxContextChars(evidence.DefaultContextChars)
}

// grants shares a budget among texts: whoever needs no more than an equal share is satisfied, and what is left is
// shared anew among the others.
func grants(lengths []int, budget int) []int {
	granted := make([]int, len(lengths))
	active := make([]int, len(lengths)) // places of the texts that still wait
	for i := range active {
		active[i] = i
	}
	for remaining := budget; len(active) > 0; {
		share, rest := remaining/len(active), remaining%len(active)
		var waiting []int
		for _, i := range active {
			if lengths[i] > share {
				waiting = append(waiting, i)
				continue
			}
			granted[i] = lengths[i]
			remaining -= lengths[i]
		}
		if len(waiting) == len(active) {
			for k, i := range active {
				granted[i] = share
				if k < rest {
					granted[i]++
				}
			}
			return granted
		}
		active = waiting
	}
	return granted
}

// reportCuts acts on every observation of which the results show less than it has, in the order of the results.
func (p *projector) reportCuts(results []evidence.Result) {
	for i := range results {
		if snippet := results[i].Snippet; snippet != nil {
			for _, fragment := range snippet.Provenance.Fragments {
				p.reportCut(fragment.ObservationID, fragment.Transformations)
			}
		}
		if text := results[i].Text; text != nil {
			p.reportCut(text.Provenance.ObservationID, text.Provenance.Transformations)
		}
	}
}

func (p *projector) reportCut(observation string, steps []evidence.Transformation) {
	if evidence.Cuts(steps) {
		p.act(observation, evidence.ActionTruncated, evidence.ReasonMaxContent)
	}
}
