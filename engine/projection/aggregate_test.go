package projection

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
)

// aggregated projects one page that the given observations found.
func aggregated(observations ...evidence.Observation) (evidence.Result, Output) {
	in := searching("x", 5)
	in.Order = []string{"attempt_aaaaaaaaaaaaaaaa", "attempt_bbbbbbbbbbbbbbbb"}
	in.Observations = observations
	out := Project(in)
	return out.Results[0], out
}

// guide is an observation of the example of contract 3.9.
func guide(provider, letter string, index int, snippet string) evidence.Observation {
	o := page(provider, index, "https://docs.example.org/guide", snippet)
	o.ProviderAttemptID = "attempt_" + strings.Repeat(letter, 16)
	o.ObservationID = evidence.ObservationID(o.ProviderAttemptID, index)
	return o
}

func TestAggregateExample(t *testing.T) {
	result, out := aggregated(
		guide("brave", "b", 0, "Set the limit to 10."), guide("serper", "a", 0, "set the  LIMIT to 10."),
		guide("serper", "a", 1, "Restart the service afterwards."))
	steps := []evidence.Transformation{evidence.MechanicalSegmentation}
	want := &evidence.ProjectedText{
		Text:       "Set the limit to 10.\n\nRestart the service afterwards.",
		TextSHA256: "457a7de9d5251457d21752143f69e76afa9b5dc9763bc5bdfe7f4f85beef4205",
		Origin:     evidence.FromEngine,
		Provenance: evidence.Provenance{Separator: "\n\n", Fragments: []evidence.Fragment{
			{ObservationID: "obs_3fe2a245b250e182", SourceField: "snippet", Text: "Set the limit to 10.", Transformations: steps},
			{ObservationID: "obs_d244c11a13494d6d", SourceField: "snippet", Text: "Restart the service afterwards.", Transformations: steps},
		}},
		Segments: []evidence.Segment{{Start: 0, End: 53, Text: "Set the limit to 10.\n\nRestart the service afterwards."}},
	}
	if diff := cmp.Diff(want, result.Snippet); diff != "" {
		t.Error(diff)
	}
	if result.DedupClusterID != "cluster_7b196f8b455c3459" || len(result.ObservationIDs) != 3 || len(acted(out)) != 0 {
		t.Errorf("cluster %s of %v, actions %v", result.DedupClusterID, result.ObservationIDs, acted(out))
	}
}

// The cap counts code points, separators included.
func TestAggregateCap(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second int
		fragments     []int // code points
		cut           bool
	}{
		{"second is cut", 590, 100, []int{590, 8}, true},
		{"no room for a second", 599, 100, []int{599}, false},
		{"room for the separator alone", 598, 100, []int{598}, false},
		{"room for one", 597, 100, []int{597, 1}, true},
		{"fits exactly", 500, 98, []int{500, 98}, false},
		{"one too many", 500, 99, []int{500, 98}, true},
		{"first fills it", 600, 100, []int{600}, false},
		{"first is cut", 601, 100, []int{600}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, out := aggregated(guide("brave", "b", 0, strings.Repeat("ä", tt.first)), guide("serper", "a", 0, strings.Repeat("B", tt.second)))
			got := []int{}
			cut := 0
			for i, fragment := range result.Snippet.Provenance.Fragments {
				got = append(got, evidence.Length(fragment.Text))
				if evidence.Cuts(fragment.Transformations) {
					cut++
					if i != len(result.Snippet.Provenance.Fragments)-1 {
						t.Errorf("fragment %d is cut and not the last", i)
					}
				}
			}
			if !slices.Equal(got, tt.fragments) || (cut == 1) != tt.cut || cut > 1 {
				t.Errorf("fragments of %v code points, %d cut, want %v, %v", got, cut, tt.fragments, tt.cut)
			}
			actions := slices.DeleteFunc(out.Actions, func(a evidence.PolicyAction) bool { return a.Reason != evidence.ReasonMaxContent })
			if len(actions) != cut || cut == 1 && actions[0].ObservationID != result.Snippet.Provenance.Fragments[len(got)-1].ObservationID {
				t.Errorf("actions %v on %d cuts", actions, cut)
			}
			if len(out.Truncated) != 0 || out.ReturnedChars != 0 {
				t.Errorf("a snippet counts as inline text: %v, %d", out.Truncated, out.ReturnedChars)
			}
		})
	}
}

func TestAggregateCandidates(t *testing.T) {
	for _, tt := range []struct {
		name     string
		snippets []string // of brave, serper 0, serper 1
		want     string   // "null" for null
	}{
		{"none", []string{"", "", ""}, "null"},
		{"one left keeps the shape", []string{"", "b", ""}, "b"},
		{"contained", []string{"limit to 10", "Set the limit to 10.", "x"}, "Set the limit to 10.\n\nx"},
		{"folded", []string{"STRASSE", "straße 1", "ﬁ"}, "straße 1\n\nﬁ"},
		{"equal ones keep the first by provider", []string{"A  b", "a b", "A b"}, "A  b"},
		{"only blanks", []string{" ", "", ""}, " "},
		{"blanks beside text", []string{" ", "a", ""}, "a"},
		{"order is by provider, not by length", []string{"a", "bbb", "cc"}, "a\n\nbbb\n\ncc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, _ := aggregated(guide("serper", "a", 1, tt.snippets[2]), guide("brave", "b", 0, tt.snippets[0]), guide("serper", "a", 0, tt.snippets[1]))
			got := "null"
			if result.Snippet != nil {
				got = result.Snippet.Text
				if !result.Snippet.Provenance.IsAggregate() {
					t.Error("the shape is not that of an aggregate")
				}
			}
			if got != tt.want {
				t.Errorf("snippet %q, want %q", got, tt.want)
			}
		})
	}
}

// The snippet of one member is never cut and keeps its shape.
func TestSingleSnippetIsWhole(t *testing.T) {
	long := strings.Repeat("ä", 2000)
	result, out := aggregated(guide("brave", "b", 0, long))
	if result.Snippet.Text != long || result.Snippet.Provenance.IsAggregate() || result.Snippet.Origin != evidence.FromProvider || len(acted(out)) != 0 {
		t.Errorf("snippet of %d code points, %+v", evidence.Length(result.Snippet.Text), result.Snippet.Provenance)
	}
}
