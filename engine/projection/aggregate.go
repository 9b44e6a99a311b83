package projection

import (
	"cmp"
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// The cap of an aggregate snippet in code points, and what stands between its fragments (contract 3.9).
const (
	aggregateChars     = 600
	aggregateSeparator = "\n\n"
)

// candidate is a snippet with its comparison form.
type candidate struct {
	o      *evidence.Observation
	form   string
	length int // of the form, in code points
}

// aggregate joins the snippets of a cluster that say something of their own; nil where no member has any.
func aggregate(members []*evidence.Observation, f folder) *evidence.ProjectedText {
	kept := distinct(candidatesOf(members, f))
	if len(kept) == 0 {
		return nil
	}
	slices.SortFunc(kept, func(a, b candidate) int { return byPlace(a.o, b.o) })
	var fragments []evidence.Fragment
	var texts []string
	used := 0
	for i, c := range kept {
		if i > 0 {
			used += len(aggregateSeparator)
		}
		remaining := aggregateChars - used
		if remaining <= 0 {
			break
		}
		fragment := fragmentOf(c.o, remaining)
		fragments = append(fragments, fragment)
		texts = append(texts, fragment.Text)
		if evidence.Cuts(fragment.Transformations) {
			break
		}
		used += evidence.Length(fragment.Text)
	}
	return evidence.NewProjectedText(strings.Join(texts, aggregateSeparator), evidence.Provenance{
		Separator: aggregateSeparator, Fragments: fragments,
	})
}

func candidatesOf(members []*evidence.Observation, f folder) []candidate {
	candidates := make([]candidate, 0, len(members))
	for _, o := range members {
		if o.Snippet != nil && *o.Snippet != "" {
			form, length := f.comparison(*o.Snippet)
			candidates = append(candidates, candidate{o, form, length})
		}
	}
	return candidates
}

// distinct visits the longest first and drops a snippet that is contained in, or contains, one already kept.
func distinct(candidates []candidate) []candidate {
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.length, a.length), byPlace(a.o, b.o))
	})
	var kept []candidate
	for _, c := range candidates {
		// No kept form is shorter, so "contains" can only mean equality, which Contains covers.
		repeats := func(k candidate) bool { return strings.Contains(k.form, c.form) }
		if !slices.ContainsFunc(kept, repeats) {
			kept = append(kept, c)
		}
	}
	return kept
}

func byPlace(a, b *evidence.Observation) int {
	return cmp.Or(
		cmp.Compare(a.Provider, b.Provider),
		cmp.Compare(a.ProviderResultIndex, b.ProviderResultIndex),
		cmp.Compare(a.ObservationID, b.ObservationID),
	)
}

// fragmentOf is a snippet, cut where it is longer than the code points that remain.
func fragmentOf(o *evidence.Observation, remaining int) evidence.Fragment {
	text := evidence.Prefix(*o.Snippet, remaining)
	steps := []evidence.Transformation{evidence.MechanicalSegmentation}
	if len(text) < len(*o.Snippet) {
		steps = append(steps, evidence.DeterministicTruncation)
	}
	return evidence.Fragment{ObservationID: o.ObservationID, SourceField: evidence.FieldSnippet, Text: text, Transformations: steps}
}
