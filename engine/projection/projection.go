// Package projection makes results of observations: the consumer's view of contract section 3.
//
// In go the observations of one execution, in any order, and the rules in force; out come the same observations in
// engine order, results, the policy actions that say what shaped them, and the counts of the components. The output
// depends on the input alone. Every observation is a member of one result or has an action that says why not. Text is
// cut or joined, never written.
package projection

import (
	"cmp"
	"slices"

	"casebook/engine/evidence"
)

// Input is everything that results depend on.
type Input struct {
	Request evidence.Request
	Quality evidence.Quality
	// Limits are those in force: the cap of the results of a search, the code points of an extraction.
	Limits evidence.ExecutionLimit
	// Order lists the ids of the attempts that gave observations, in the order of the candidates. Attempts that it
	// does not name follow, in the order of their ids.
	Order        []string
	Observations []evidence.Observation
}

// Output is the projection. Every slice is non-nil.
type Output struct {
	Observations []evidence.Observation // in engine order, before anything was left out
	Results      []evidence.Result
	Actions      []evidence.PolicyAction
	Diversity    evidence.Diversity
	Clusters     []evidence.Cluster // one a result, same order
	// ReturnedChars is the number of code points of inline text in the results.
	ReturnedChars int
	// Truncated lists the observations whose inline text was cut to the limit, in the order of the results.
	Truncated []string
}

// Project is a pure function: the input is not changed, and the order of its observations does not matter.
func Project(in Input) Output {
	p := &projector{in: in, domains: explicitDomains(in.Request), folder: folder{}}
	ordered := p.ordered()
	list := make([]*evidence.Observation, len(ordered))
	for i := range ordered {
		list[i] = &ordered[i]
	}
	var clusters []cluster
	if in.Request.Capability == evidence.Search {
		clusters = p.search(list)
	} else {
		clusters = clustersOf(list)
	}
	out := Output{Observations: ordered, Results: make([]evidence.Result, len(clusters)), Clusters: make([]evidence.Cluster, len(clusters))}
	for i, c := range clusters {
		p.act(c.representative().ObservationID, evidence.ActionSelected, evidence.ReasonRepresentative)
		out.Results[i], out.Clusters[i] = p.result(c, i+1)
	}
	out.ReturnedChars, out.Truncated = p.boundTexts(out.Results)
	p.reportCuts(out.Results)
	out.Actions = p.actions
	if out.Actions == nil {
		out.Actions = []evidence.PolicyAction{}
	}
	out.Diversity = evidence.CountDiversity(ordered, out.Results)
	return out
}

// projector collects the actions while the steps of contract 3.5 are taken.
type projector struct {
	in      Input
	domains []string // that the caller named
	folder  folder
	actions []evidence.PolicyAction
}

func (p *projector) act(observation string, action evidence.Action, reason evidence.Reason) {
	p.actions = append(p.actions, evidence.PolicyAction{Action: action, ObservationID: observation, Reason: reason})
}

// ordered is the engine list before any rule: by place in the provider's list, then by candidate, then by attempt id
// [A §3].
func (p *projector) ordered() []evidence.Observation {
	rank := make(map[string]int, len(p.in.Order))
	for i, attempt := range p.in.Order {
		rank[attempt] = i - len(p.in.Order) // below 0, so that an attempt without a rank stands behind
	}
	type place struct {
		o    *evidence.Observation
		rank int
	}
	places := make([]place, len(p.in.Observations))
	for i := range places {
		o := &p.in.Observations[i]
		places[i] = place{o, rank[o.ProviderAttemptID]}
	}
	slices.SortFunc(places, func(a, b place) int {
		if byIndex := cmp.Compare(a.o.ProviderResultIndex, b.o.ProviderResultIndex); byIndex != 0 {
			return byIndex
		}
		return cmp.Or(
			cmp.Compare(a.rank, b.rank),
			cmp.Compare(a.o.ProviderAttemptID, b.o.ProviderAttemptID),
			cmp.Compare(a.o.ObservationID, b.o.ObservationID),
		)
	})
	list := make([]evidence.Observation, len(places))
	for i, place := range places {
		list[i] = *place.o
	}
	return list
}

// search takes steps 2 to 7 of contract 3.5.
func (p *projector) search(list []*evidence.Observation) []cluster {
	list = p.withoutSpam(list)
	before := clustersOf(list)
	clusters := before
	if class := classOf(p.query()); class != noClass {
		clusters = clustersOf(rerank(list, class, p.query()))
		p.reportMoves(before, clusters)
	}
	clusters = p.diversify(clusters)
	return p.cut(clusters)
}

func (p *projector) query() string { return p.in.Request.Normalized().Input.Query }

// reportMoves acts on the representatives whose cluster stands elsewhere than before.
func (p *projector) reportMoves(before, after []cluster) {
	position := make(map[string]int, len(before))
	for i, c := range before {
		position[c.canonical] = i
	}
	for i, c := range after {
		if position[c.canonical] != i {
			p.act(c.representative().ObservationID, evidence.ActionReranked, evidence.ReasonIntentAuthority)
		}
	}
}

// cut keeps as many clusters as the caller wants; every member of the others gets its action, since nothing else
// tells of it.
func (p *projector) cut(clusters []cluster) []cluster {
	limit := p.in.Request.MaxResults()
	if p.in.Limits.MaxResults != nil {
		limit = *p.in.Limits.MaxResults
	}
	if len(clusters) <= limit {
		return clusters
	}
	for _, c := range clusters[limit:] {
		for _, member := range c.members {
			p.act(member.ObservationID, evidence.ActionTruncated, evidence.ReasonMaxResults)
		}
	}
	return clusters[:limit]
}
