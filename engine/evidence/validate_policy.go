package evidence

// allows says whether the pair of action and reason is one of the closed list [A §5].
func (a PolicyAction) allows() bool {
	switch a.Action {
	case ActionExcluded:
		return a.Reason == ReasonSpamDomain
	case ActionReranked:
		return a.Reason == ReasonIntentAuthority
	case ActionDemoted:
		return a.Reason == ReasonDomainDiversity
	case ActionSelected:
		return a.Reason == ReasonRepresentative
	case ActionTruncated:
		return a.Reason == ReasonMaxResults || a.Reason == ReasonMaxContent
	}
	return false
}

// checkActions holds rule 15.
func (c *checker) checkActions() {
	for i, action := range c.r.PolicyActions {
		if !action.allows() {
			c.add(row{15, "2.7"}, at("policy_actions", i, "reason"), "%q is no reason for action %q", action.Reason, action.Action)
		}
		if c.observations[action.ObservationID] == nil {
			c.add(row{15, "2.7"}, at("policy_actions", i, "observation_id"), "no observation %q", action.ObservationID)
		}
	}
}

// checkCompleteness holds rule 21: nothing leaves silently. It needs the members that checkResults collects.
func (c *checker) checkCompleteness() {
	for i := range c.r.Observations {
		id := c.r.Observations[i].ObservationID
		if _, shown := c.members[id]; !shown && !c.took(id, ActionExcluded) && !c.took(id, ActionTruncated) {
			c.add(row{21, "2.14"}, at("observations", i), "%q is in no result, and no action says why", id)
		}
	}
	for i := range c.r.Results {
		result := &c.r.Results[i]
		id := result.RepresentativeObservationID
		if len(result.ObservationIDs) > 1 && c.observations[id] != nil && !c.took(id, ActionSelected) {
			c.add(row{21, "2.14"}, at("results", i, "representative_observation_id"), "%q stands for %d observations without an action %s",
				id, len(result.ObservationIDs), ActionSelected)
		}
	}
}

// checkDiversity holds rule 16. The families are a recommendation of the contract, so only the two counts that it
// defines for everybody are compared.
func (c *checker) checkDiversity() {
	got, want := c.r.SourceDiversity, CountDiversity(c.r.Observations, c.r.Results)
	if got.ProviderCount != want.ProviderCount {
		c.add(row{16, "3.10"}, "/source_diversity/provider_count", "%d, the observations have %d", got.ProviderCount, want.ProviderCount)
	}
	if got.HostCount != want.HostCount {
		c.add(row{16, "3.10"}, "/source_diversity/host_count", "%d, the observations have %d", got.HostCount, want.HostCount)
	}
}

// CountDiversity counts the components of contract 3.10: of all observations, excluded ones included, and the
// clusters of the results.
func CountDiversity(observations []Observation, results []Result) Diversity {
	providers, hosts, families := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range observations {
		if i == 0 || observations[i].Provider != observations[i-1].Provider {
			providers[observations[i].Provider] = true
		}
		if host := Host(observations[i].URL.Canonical); host != "" && !hosts[host] {
			hosts[host] = true
			families[familyOf(host)] = true
		}
	}
	clusters := make(map[string]bool, len(results))
	for i := range results {
		if id := results[i].DedupClusterID; id != "" {
			clusters[id] = true
		}
	}
	return Diversity{
		Method: "component_count", MethodVersion: "1",
		ProviderCount: len(providers), HostCount: len(hosts),
		SourceFamilyCount: len(families), UniqueClusterCount: len(clusters),
	}
}
