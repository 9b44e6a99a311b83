package projection

import "casebook/engine/evidence"

// cluster is all observations of one canonical URL, the best first.
type cluster struct {
	canonical string
	members   []*evidence.Observation
}

// representative is the member with the lowest engine rank: the engine list gives every observation a rank of its
// own, so the tie-breakers behind it [A §3] have been applied when the list was ordered.
func (c cluster) representative() *evidence.Observation { return c.members[0] }

// clustersOf groups an engine list by canonical URL; clusters stand in the order of their best members.
func clustersOf(list []*evidence.Observation) []cluster {
	at := make(map[string]int, len(list))
	clusters := make([]cluster, 0, len(list))
	for i, o := range list {
		k, seen := at[o.URL.Canonical]
		if !seen {
			at[o.URL.Canonical] = len(clusters)
			clusters = append(clusters, cluster{o.URL.Canonical, list[i : i+1 : i+1]})
			continue
		}
		clusters[k].members = append(clusters[k].members, o)
	}
	return clusters
}

// result is the projection of a cluster at an engine rank, before its text is bounded.
func (p *projector) result(c cluster, rank int) (evidence.Result, evidence.Cluster) {
	representative := c.representative()
	ids := make([]string, len(c.members))
	for i, member := range c.members {
		ids[i] = member.ObservationID
	}
	sourceType := sourceTypeOf(representative.URL.Observed, p.folder)
	result := evidence.Result{
		ResultID:                    evidence.ResultID(representative.ObservationID),
		Kind:                        representative.Kind,
		EngineRank:                  rank,
		RepresentativeObservationID: representative.ObservationID,
		ObservationIDs:              ids,
		DedupClusterID:              evidence.ClusterID(c.canonical),
		URL:                         representative.URL,
		Title:                       projected(representative, evidence.FieldTitle),
		Text:                        projected(representative, evidence.FieldText),
		SourceType:                  &sourceType,
		FetchPriority:               fetchPriorityOf(c, rank, sourceType),
	}
	if len(c.members) == 1 {
		result.Snippet = projected(representative, evidence.FieldSnippet)
	} else {
		result.Snippet = aggregate(c.members, p.folder)
	}
	return result, evidence.Cluster{
		DedupClusterID: result.DedupClusterID, ObservationIDs: ids, RepresentativeObservationID: representative.ObservationID,
	}
}

// projected is a field of an observation as it is, nil where the observation has none.
func projected(o *evidence.Observation, field evidence.SourceField) *evidence.ProjectedText {
	text := o.Field(field)
	if text == nil {
		return nil
	}
	return evidence.NewProjectedText(*text, evidence.Provenance{
		ObservationID: o.ObservationID, SourceField: field,
		Transformations: []evidence.Transformation{evidence.MechanicalSegmentation},
	})
}
