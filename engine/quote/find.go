package quote

import (
	"strings"
	"unicode"
)

// Match is a place [Start, End) in code points.
type Match struct{ Start, End int }

// FindAll returns every place of the quote in the text, in order, overlapping ones too. Runs of white space count as
// one blank on both sides, and white space around the quote doesn't count; everything else is equal code point by code
// point. A blank quote is nowhere. The time is linear in both lengths, whatever they hold.
func FindAll(text, quote string) []Match {
	pattern := collapse(quote, keep)
	if len(pattern) == 0 {
		return nil
	}
	var found []Match
	s := newSearch(pattern)
	scan(text, keep, func(c rune, at int) bool {
		if s.step(c, at) {
			found = append(found, Match{s.start(), at + 1})
			s.state = s.border[s.state]
		}
		return true
	})
	return found
}

func keep(c rune) rune { return c }

// scan gives each code point of a text with its number, mapped by fold, a run of white space as the one blank at its
// first; it ends when each says so.
func scan(text string, fold func(rune) rune, each func(c rune, at int) bool) {
	at, inSpace := 0, false
	for _, c := range text {
		space := unicode.IsSpace(c)
		if space {
			c = ' '
		}
		if !space || !inSpace {
			if !each(fold(c), at) {
				return
			}
		}
		inSpace = space
		at++
	}
}

// collapse lists the code points of a quote as scan gives them, without white space around it.
func collapse(quote string, fold func(rune) rune) []rune {
	pattern := make([]rune, 0, len(quote))
	scan(strings.TrimSpace(quote), fold, func(c rune, _ int) bool {
		pattern = append(pattern, c)
		return true
	})
	return pattern
}

// search finds a pattern by the method of Knuth, Morris and Pratt. Since a run of blanks may be longer in the text than
// in the pattern, the places of the last code points are kept.
type search struct {
	pattern []rune
	border  []int // of each prefix: the length of the longest proper prefix that also ends it
	state   int   // length of the longest prefix that ends here
	places  []int // of the last len(pattern) code points, as a ring
	seen    int
}

func newSearch(pattern []rune) *search {
	s := &search{pattern: pattern, border: make([]int, len(pattern)+1), places: make([]int, len(pattern))}
	for i, k := 1, 0; i < len(pattern); i++ {
		for k > 0 && pattern[k] != pattern[i] {
			k = s.border[k]
		}
		if pattern[k] == pattern[i] {
			k++
		}
		s.border[i+1] = k
	}
	return s
}

// step takes the next code point and says whether the whole pattern ends with it. Before the next step the caller must
// then leave the full state.
func (s *search) step(c rune, at int) bool {
	s.places[s.seen%len(s.places)] = at
	s.seen++
	for s.state > 0 && s.pattern[s.state] != c {
		s.state = s.border[s.state]
	}
	if s.pattern[s.state] == c {
		s.state++
	}
	return s.state == len(s.pattern)
}

// start is the place of the first code point of the prefix that ends here.
func (s *search) start() int { return s.places[(s.seen-s.state)%len(s.places)] }
