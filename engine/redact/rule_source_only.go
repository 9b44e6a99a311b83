package redact

import "regexp"

// sourceOnlyRule removes what a source-only pack may not hold: answers of a provider. It works on the structure of a
// reply (see jsonWalk) and so has neither a text nor a member matcher. Only members of the reply itself count: a JSON
// document that a page consists of is source text.
func sourceOnlyRule() *rule {
	return &rule{
		id: "source_only", class: classSourceOnly, mandatory: true, rank: 0,
		match: words("in replies of search and extract steps, at any depth: the value of the members answer, answerBox, " +
			"answers, knowledgeGraph, infoboxes, summary, full_synthesis, claim, verification, truth_confidence; " +
			"each object with type: synthesis, of the reply's root the value of type only"),
		reason: fixed("answer of the provider"),
	}
}

// sourceOnlyMember says whether a reply's member of that name is removed.
func sourceOnlyMember(name string) bool {
	switch name {
	case "answer", "answerBox", "answers", "knowledgeGraph", "infoboxes", "summary",
		"full_synthesis", "claim", "verification", "truth_confidence":
		return true
	}
	return false
}

// The mark of a synthesis: an object with this member and value is removed whole.
const (
	synthesisMember = "type"
	synthesisValue  = "synthesis"
)

// sourceOnlyTrace is what such a member looks like in a reply that is no JSON: cut off, or lines of JSON. Where the
// value ends can't be told there.
var sourceOnlyTrace = regexp.MustCompile(
	`"(?:answer|answerBox|answers|knowledgeGraph|infoboxes|summary|full_synthesis|claim|verification|truth_confidence)"\s*:` +
		`|"type"\s*:\s*"synthesis"`)
