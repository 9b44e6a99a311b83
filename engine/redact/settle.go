package redact

import (
	"cmp"
	"slices"
	"strings"
)

// maxRounds bounds how often a string is searched until nothing new is found.
const maxRounds = 8

// standIn has the shape of every placeholder while ids aren't issued yet.
const standIn = "[redacted:rd0000]"

// settle finds what has to go from a stored string, until a search of what is left finds nothing: removing one span
// can lay another one bare. kept are the placeholders that already stand there. When it doesn't come to rest, all
// that isn't kept goes.
func (f *finder) settle(text string, at site, kept []span) []hit {
	var taken []hit
	for range maxRounds {
		now, holes := withHoles(text, taken, kept)
		var fresh []hit
		for _, h := range f.find(now, at) {
			for _, piece := range subtract(h.span, holes) {
				part := h
				part.span = originOf(piece, holes)
				// A value that holds placeholders can't be removed whole without breaking the text around them.
				part.doubt = h.doubt || h.quoted && piece != h.span
				part.quoted = h.quoted && !part.doubt && !at.base64
				fresh = append(fresh, part)
			}
		}
		if len(fresh) == 0 {
			return taken
		}
		for _, h := range fresh {
			if h.doubt {
				return wholly(text, h, kept)
			}
		}
		at.base64 = false // such a body goes whole, and its placeholder is text
		taken = append(taken, fresh...)
		slices.SortFunc(taken, func(a, b hit) int { return cmp.Compare(a.start, b.start) })
	}
	return wholly(text, taken[0], kept)
}

// wholly removes all of a string but the placeholders that stand there.
func wholly(text string, h hit, kept []span) []hit {
	var holes []hole
	for _, k := range kept {
		holes = append(holes, hole{span: k, from: k})
	}
	var out []hit
	for _, piece := range subtract(span{0, len(text)}, holes) {
		out = append(out, hit{span: piece, rule: h.rule, doubt: true, value: text[piece.start:piece.end]})
	}
	return out
}

// hole is a placeholder in a text under way, and the span of the stored text that it stands for.
type hole struct {
	span
	from span
}

// withHoles puts a stand-in in place of each hit and says where the holes of the outcome are.
func withHoles(text string, hits []hit, kept []span) (string, []hole) {
	if len(hits) == 0 {
		holes := make([]hole, len(kept))
		for i, k := range kept {
			holes[i] = hole{k, k}
		}
		return text, holes
	}
	var out strings.Builder
	var holes []hole
	from := 0
	put := func(s span, stands string) {
		out.WriteString(text[from:s.start])
		holes = append(holes, hole{span{out.Len(), out.Len() + len(stands)}, s})
		out.WriteString(stands)
		from = s.end
	}
	for len(hits) > 0 || len(kept) > 0 {
		if len(kept) == 0 || len(hits) > 0 && hits[0].start < kept[0].start {
			put(hits[0].span, standInFor(hits[0]))
			hits = hits[1:]
			continue
		}
		put(kept[0], text[kept[0].start:kept[0].end])
		kept = kept[1:]
	}
	out.WriteString(text[from:])
	return out.String(), holes
}

func standInFor(h hit) string {
	if h.quoted {
		return `"` + standIn + `"`
	}
	return standIn
}

// subtract is what of s lies outside the holes.
func subtract(s span, holes []hole) []span {
	var out []span
	for _, h := range holes {
		if h.end <= s.start || h.start >= s.end {
			continue
		}
		if h.start > s.start {
			out = append(out, span{s.start, h.start})
		}
		s.start = h.end
	}
	if s.start < s.end {
		out = append(out, s)
	}
	return out
}

// originOf maps a span between holes back to the stored text.
func originOf(s span, holes []hole) span {
	shift := 0
	for _, h := range holes {
		if h.start >= s.end {
			break
		}
		shift = h.from.end - h.end
	}
	return span{s.start + shift, s.end + shift}
}
