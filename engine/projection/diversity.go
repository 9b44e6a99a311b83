package projection

import (
	"slices"

	"casebook/engine/evidence"
)

// diversify keeps the first results of each domain in the head and moves the others behind it, in order. A domain
// that the caller named switches it off (contract 3.6). So does a list of fewer than three, which has nothing to move:
// its first result is in the head, and behind it no other can be passed.
func (p *projector) diversify(clusters []cluster) []cluster {
	limit := p.in.Quality.MaxResultsPerDomain
	if limit < 1 || len(p.domains) > 0 {
		return clusters
	}
	var head, tail []cluster
	var places []int // of the tail's clusters, before
	count := map[string]int{}
	for i, c := range clusters {
		domain := evidence.Domain(c.canonical)
		if count[domain]++; domain != "" && count[domain] > limit {
			tail = append(tail, c)
			places = append(places, i)
			continue
		}
		head = append(head, c)
	}
	for i, c := range tail {
		if len(head)+i > places[i] {
			p.act(c.representative().ObservationID, evidence.ActionDemoted, evidence.ReasonDomainDiversity)
		}
	}
	return slices.Concat(head, tail)
}
