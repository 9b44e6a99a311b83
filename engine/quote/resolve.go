package quote

import (
	"fmt"

	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// Place is where a checked quote stands: [Start, End) in code points of one field.
type Place struct {
	Step          string
	ObservationID string // of the representative where the target was a result
	Rank          int    // of the result, 0 where the target was an observation
	Field         string // title, snippet, text or url
	Start, End    int
}

// AbsentError says that a quote isn't where its link points.
type AbsentError struct {
	Ref     string
	Nearest string // text there that comes closest, "" if none does
}

func (e *AbsentError) Error() string {
	if e.Nearest == "" {
		return e.Ref + ": the quote is not there"
	}
	return fmt.Sprintf("%s: the quote is not there; nearest is %q", e.Ref, e.Nearest)
}

// AmbiguousError says that a quote stands there more than once and the link doesn't say which is meant.
type AmbiguousError struct {
	Ref    string
	Places []int
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s: the quote is there %d times, at code points %v; add @n to say which", e.Ref, len(e.Places), e.Places)
}

// Resolve finds the quote that a link of the narrative makes. The error is an [*AbsentError], an [*AmbiguousError],
// or says what the link names that the pack doesn't have.
func Resolve(p *pack.Pack, ref Ref, text string) (Place, error) {
	place, field, err := target(p, ref)
	if err != nil {
		return place, err
	}
	matches := FindAll(field, text)
	switch {
	case len(matches) == 0:
		return place, &AbsentError{ref.String(), Nearest(field, text)}
	case ref.N == 0 && len(matches) > 1:
		e := &AmbiguousError{Ref: ref.String()}
		for _, m := range matches {
			e.Places = append(e.Places, m.Start)
		}
		return place, e
	case ref.N > len(matches):
		return place, fmt.Errorf("%s: there is no occurrence %d of the quote, the last is %d", ref, ref.N, len(matches))
	}
	match := matches[max(ref.N, 1)-1]
	place.Start, place.End = match.Start, match.End
	return place, nil
}

// target finds the text that a link points into.
func target(p *pack.Pack, ref Ref) (Place, string, error) {
	place := Place{Step: ref.Step, Field: ref.Field}
	step := p.Step(ref.Step)
	if step == nil {
		return place, "", fmt.Errorf("%s: the case has no step %q", ref, ref.Step)
	}
	if ref.ObservationID != "" {
		return inObservation(place, step.Response, ref)
	}
	if ref.Rank > len(step.Response.Results) {
		return place, "", fmt.Errorf("%s: the step has %d results", ref, len(step.Response.Results))
	}
	result := &step.Response.Results[ref.Rank-1]
	place.Rank, place.ObservationID = ref.Rank, result.RepresentativeObservationID
	if ref.Field == "url" {
		return place, result.URL.Observed, nil
	}
	text := result.Field(evidence.SourceField(ref.Field))
	if text == nil {
		return place, "", fmt.Errorf("%s: the result has no %s", ref, ref.Field)
	}
	return place, text.Text, nil
}

func inObservation(place Place, response *evidence.Response, ref Ref) (Place, string, error) {
	place.ObservationID = ref.ObservationID
	for i := range response.Observations {
		o := &response.Observations[i]
		if o.ObservationID != ref.ObservationID {
			continue
		}
		if ref.Field == "url" {
			return place, o.URL.Observed, nil
		}
		text := o.Field(evidence.SourceField(ref.Field))
		if text == nil {
			return place, "", fmt.Errorf("%s: the observation has no %s", ref, ref.Field)
		}
		return place, *text, nil
	}
	return place, "", fmt.Errorf("%s: the step has no such observation", ref)
}
