// Package quote checks what an author quotes against the evidence.
//
// A checked quote is a link of a narrative with the scheme evidence. [Parse] reads its grammar, [Links] finds all of
// them in a CommonMark text, [FindAll] says where a quote stands in a text, and [Resolve] joins the three over a pack.
// The package changes no text and guesses nothing: a quote that isn't there is an error that shows what is.
package quote

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Scheme begins every checked quote's target.
const Scheme = "evidence:"

// Ref is the target of a checked quote, evidence:<step>/<target>#<field>[@n].
type Ref struct {
	Step          string
	Rank          int    // of a result, 0 where the target is an observation
	ObservationID string // "" where the target is a result
	Field         string // title, snippet, text or url
	N             int    // which occurrence is meant, from 1; 0: the only one
}

// String writes the link that [Parse] reads as r.
func (r Ref) String() string {
	target := strconv.Itoa(r.Rank)
	if r.ObservationID != "" {
		target = observationPrefix + r.ObservationID
	}
	link := Scheme + r.Step + "/" + target + "#" + r.Field
	if r.N > 0 {
		link += "@" + strconv.Itoa(r.N)
	}
	return link
}

const observationPrefix = "obs:"

var (
	stepForm        = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)
	observationForm = regexp.MustCompile(`^obs_[A-Za-z0-9_-]{1,128}$`)
	numberForm      = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	otherTarget     = regexp.MustCompile(`^(?:a[0-9]{4,}|metric/.+)$`)
)

// Parse reads the target of a checked quote.
func Parse(link string) (Ref, error) {
	ref, err := parse(link)
	if err != nil {
		return Ref{}, fmt.Errorf("%.200s: %w", link, err)
	}
	return ref, nil
}

var errForm = errors.New("a checked quote points to evidence:<step>/<target>#<field>, where <target> is a rank or obs:<observation_id>")

func parse(link string) (Ref, error) {
	var ref Ref
	rest, ok := strings.CutPrefix(link, Scheme)
	if !ok {
		return ref, errForm
	}
	address, field, hasField := strings.Cut(rest, "#")
	step, target, hasTarget := strings.Cut(address, "/")
	if !hasTarget {
		return ref, errForm
	}
	if !stepForm.MatchString(step) {
		return ref, fmt.Errorf("%.80q is no id of a step", step)
	}
	ref.Step = step
	observation, isObservation := strings.CutPrefix(target, observationPrefix)
	switch {
	case otherTarget.MatchString(target):
		return ref, fmt.Errorf("%.80q is not a target of this version; it is a rank or obs:<observation_id>", target)
	case isObservation && observationForm.MatchString(observation):
		ref.ObservationID = observation
	default:
		if ref.Rank = number(target); ref.Rank == 0 {
			return ref, fmt.Errorf("%.80q is neither a rank, counted from 1, nor obs:<observation_id>", target)
		}
	}
	if !hasField {
		return ref, errForm
	}
	return ref, ref.setField(field)
}

func (r *Ref) setField(field string) error {
	name, n, hasN := strings.Cut(field, "@")
	switch name {
	case "title", "snippet", "text", "url":
		r.Field = name
	default:
		return fmt.Errorf("%.80q is none of the fields title, snippet, text, url", name)
	}
	if hasN {
		if r.N = number(n); r.N == 0 {
			return fmt.Errorf("%.80q is no number of an occurrence, counted from 1", n)
		}
	}
	return nil
}

// number reads a number from 1 in its one spelling, 0 for anything else.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || !numberForm.MatchString(text) {
		return 0
	}
	return n
}
