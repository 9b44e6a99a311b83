package evidence

// checkResults holds rules 6, 7 and 22, and through the texts 8 to 13 and 26.
func (c *checker) checkResults() {
	for i := range c.r.Results {
		result := &c.r.Results[i]
		if result.EngineRank != i+1 {
			c.add(row{7, "2.5"}, at("results", i, "engine_rank"), "%d, the ranks are dense: want %d", result.EngineRank, i+1)
		}
		c.checkMembers(i, result)
		if representative := c.observations[result.RepresentativeObservationID]; representative == nil {
			c.add(row{6, "2.5"}, at("results", i, "representative_observation_id"), "no observation %q", result.RepresentativeObservationID)
		} else if result.URL != representative.URL {
			c.add(row{7, "2.5"}, at("results", i, "url"), "is not the url of the representative")
		} else if result.Kind != representative.Kind {
			c.add(row{7, "2.5"}, at("results", i, "kind"), "%q, the representative is %q", result.Kind, representative.Kind)
		}
		for _, field := range []SourceField{FieldTitle, FieldSnippet, FieldText} {
			if text := result.Field(field); text != nil {
				c.checkText(textPlace{i, field, noFragment}, text)
			}
		}
	}
}

// checkMembers holds rule 22 and the membership of rule 6.
func (c *checker) checkMembers(i int, result *Result) {
	hasRepresentative := false
	for k, id := range result.ObservationIDs {
		hasRepresentative = hasRepresentative || id == result.RepresentativeObservationID
		observation := c.observations[id]
		if observation == nil {
			c.add(row{6, "2.5"}, at("results", i, "observation_ids", k), "no observation %q", id)
			continue
		}
		if observation.Kind != result.Kind && id != result.RepresentativeObservationID {
			c.add(row{22, "2.14"}, at("results", i, "observation_ids", k), "%q is %q, the result %q", id, observation.Kind, result.Kind)
		}
		if first, twice := c.members[id]; twice {
			c.add(row{22, "2.14"}, at("results", i, "observation_ids", k), "%q is a member of result %d already", id, first+1)
			continue
		}
		c.members[id] = i
	}
	if !hasRepresentative {
		c.add(row{6, "2.5"}, at("results", i, "observation_ids"), "the representative %q is no member", result.RepresentativeObservationID)
	}
}
