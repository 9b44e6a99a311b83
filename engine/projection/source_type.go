package projection

import (
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// The values of source_type that this heuristic gives.
const (
	typeDocs      = "docs"
	typePaper     = "paper"
	typeRepo      = "repo"
	typeBlog      = "blog"
	typeForum     = "forum"
	typeReference = "reference"
	typeNews      = "news"
	typeOther     = "other"
)

// Confidence and tier words.
const (
	high   = "high"
	medium = "medium"
	low    = "low"
)

// sourceTypeOf sorts a page by its address; the first rule that holds wins (contract 3.12).
func sourceTypeOf(observed string, f folder) evidence.SourceType {
	value, confidence := sortAddress(f.fold(evidence.Host(observed)), f.fold(evidence.Path(observed)))
	return evidence.SourceType{Value: value, Method: "url_heuristic", MethodVersion: "1", Confidence: confidence}
}

func sortAddress(host, path string) (value, confidence string) {
	is := func(hosts ...string) bool { return slices.Contains(hosts, host) }
	hostHas := func(part string) bool { return strings.Contains(host, part) }
	switch {
	case is("github.com", "gitlab.com", "bitbucket.org"):
		return typeRepo, high
	case is("arxiv.org", "doi.org", "semanticscholar.org", "pubmed.ncbi.nlm.nih.gov") || strings.HasSuffix(path, ".pdf"):
		return typePaper, high
	case strings.HasPrefix(host, "docs.") || strings.Contains(path, "/docs") || strings.Contains(path, "/documentation"):
		return typeDocs, high
	case is("wikipedia.org", "en.wikipedia.org", "developer.mozilla.org"):
		return typeReference, high
	case slices.ContainsFunc([]string{"reddit.", "stackoverflow.", "discourse.", "forum.", "community."}, hostHas):
		return typeForum, high
	case strings.HasPrefix(host, "news.") || strings.Contains(path, "/news"):
		return typeNews, medium
	case strings.HasPrefix(host, "blog.") || strings.Contains(path, "/blog"):
		return typeBlog, medium
	}
	return typeOther, low
}

// lastTopRank is the last engine rank that counts as high.
const lastTopRank = 3

// fetchPriorityOf says in closed codes which results to open first.
func fetchPriorityOf(c cluster, rank int, sourceType evidence.SourceType) *evidence.FetchPriority {
	points := 0
	codes := []string{"cluster_single_observation", "rank_beyond_top_3", "source_type_general"}
	if manyProviders(c) {
		points += 2
		codes[0] = "cluster_consensus"
	}
	if rank <= lastTopRank {
		points++
		codes[1] = "rank_top_3"
	}
	if slices.Contains([]string{typeDocs, typePaper, typeRepo, typeReference}, sourceType.Value) {
		points++
		codes[2] = "source_type_authoritative"
	}
	priority := &evidence.FetchPriority{Tier: low, ReasonCodes: codes}
	switch {
	case points >= 3:
		priority.Tier = high
	case points >= 1:
		priority.Tier = medium
	}
	return priority
}

func manyProviders(c cluster) bool {
	other := func(o *evidence.Observation) bool { return o.Provider != c.members[0].Provider }
	return slices.ContainsFunc(c.members, other)
}
