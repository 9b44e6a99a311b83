package quote

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// subject is a pack with one step of two results over three observations.
func subject() *pack.Pack {
	text := func(s string) *evidence.ProjectedText { return &evidence.ProjectedText{Text: s} }
	literal := func(s string) *string { return &s }
	return &pack.Pack{Steps: []pack.Step{{
		Spec: casefile.Step{ID: "find"},
		Response: &evidence.Response{
			Observations: []evidence.Observation{
				{ObservationID: "obs_a", URL: evidence.URL{Observed: "https://a.example/"}, Title: literal("Port of A"), Snippet: literal("at eight and at noon")},
				{ObservationID: "obs_b", URL: evidence.URL{Observed: "https://a.example/#b"}, Snippet: literal("café at  noon")},
				{ObservationID: "obs_c", URL: evidence.URL{Observed: "https://c.example/"}, Snippet: literal("")},
			},
			Results: []evidence.Result{
				{EngineRank: 1, RepresentativeObservationID: "obs_a", ObservationIDs: []string{"obs_a", "obs_b"}, URL: evidence.URL{Observed: "https://a.example/"},
					Title: text("Port of A"), Snippet: text("at eight and at noon\n\ncafé at  noon")},
				{EngineRank: 2, RepresentativeObservationID: "obs_c", ObservationIDs: []string{"obs_c"}, URL: evidence.URL{Observed: "https://c.example/"}, Snippet: text("")},
			},
		},
	}}}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		link, text string
		want       Place
	}{
		{"evidence:find/1#title", "of A", Place{Step: "find", ObservationID: "obs_a", Rank: 1, Field: "title", Start: 5, End: 9}},
		{"evidence:find/1#snippet", "eight", Place{Step: "find", ObservationID: "obs_a", Rank: 1, Field: "snippet", Start: 3, End: 8}},
		{"evidence:find/1#snippet@1", "at noon", Place{Step: "find", ObservationID: "obs_a", Rank: 1, Field: "snippet", Start: 13, End: 20}},
		{"evidence:find/1#snippet@2", "at noon", Place{Step: "find", ObservationID: "obs_a", Rank: 1, Field: "snippet", Start: 27, End: 35}},
		{"evidence:find/1#snippet@1", "eight", Place{Step: "find", ObservationID: "obs_a", Rank: 1, Field: "snippet", Start: 3, End: 8}},
		{"evidence:find/2#url", "c.example", Place{Step: "find", ObservationID: "obs_c", Rank: 2, Field: "url", Start: 8, End: 17}},
		{"evidence:find/obs:obs_b#snippet", "at noon", Place{Step: "find", ObservationID: "obs_b", Field: "snippet", Start: 5, End: 13}},
		{"evidence:find/obs:obs_b#url", "https://a.example/#b", Place{Step: "find", ObservationID: "obs_b", Field: "url", Start: 0, End: 20}},
		{"evidence:find/obs:obs_a#title", "Port", Place{Step: "find", ObservationID: "obs_a", Field: "title", Start: 0, End: 4}},
	} {
		ref, err := Parse(tt.link)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Resolve(subject(), ref, tt.text)
		if err != nil {
			t.Errorf("Resolve(%s, %q): %v", tt.link, tt.text, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Resolve(%s, %q) (-want +got):\n%s", tt.link, tt.text, diff)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, tt := range []struct{ link, text, want string }{
		{"evidence:other/1#title", "x", `evidence:other/1#title: the case has no step "other"`},
		{"evidence:find/3#title", "x", "evidence:find/3#title: the step has 2 results"},
		{"evidence:find/2#title", "x", "evidence:find/2#title: the result has no title"},
		{"evidence:find/1#text", "x", "evidence:find/1#text: the result has no text"},
		{"evidence:find/obs:obs_z#title", "x", "evidence:find/obs:obs_z#title: the step has no such observation"},
		{"evidence:find/obs:obs_b#title", "x", "evidence:find/obs:obs_b#title: the observation has no title"},
		{"evidence:find/1#title", "Port of B", `evidence:find/1#title: the quote is not there; nearest is "Port of A"`},
		{"evidence:find/1#title", "zzzzzzzz", "evidence:find/1#title: the quote is not there"},
		{"evidence:find/2#snippet", "x", "evidence:find/2#snippet: the quote is not there"},
		{"evidence:find/1#snippet", "at noon", "evidence:find/1#snippet: the quote is there 2 times, at code points [13 27]; add @n to say which"},
		{"evidence:find/1#snippet@3", "at noon", "evidence:find/1#snippet@3: there is no occurrence 3 of the quote, the last is 2"},
		{"evidence:find/1#snippet@1", "at midnight", `evidence:find/1#snippet@1: the quote is not there; nearest is "at eight"`},
	} {
		ref, err := Parse(tt.link)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Resolve(subject(), ref, tt.text); err == nil || err.Error() != tt.want || got.End != 0 {
			t.Errorf("Resolve(%s, %q) = %v, %v, want %s", tt.link, tt.text, got, err, tt.want)
		}
	}
}

// Callers tell the two kinds of failure apart.
func TestResolveErrors(t *testing.T) {
	var absent *AbsentError
	if _, err := Resolve(subject(), Ref{Step: "find", Rank: 1, Field: "title"}, "Port of B"); !errors.As(err, &absent) || absent.Nearest != "Port of A" {
		t.Errorf("Resolve = %v, want an AbsentError with the nearest text", err)
	}
	var ambiguous *AmbiguousError
	if _, err := Resolve(subject(), Ref{Step: "find", Rank: 1, Field: "snippet"}, "noon"); !errors.As(err, &ambiguous) || !cmp.Equal(ambiguous.Places, []int{16, 31}) {
		t.Errorf("Resolve = %v, want an AmbiguousError with both places", err)
	}
}
