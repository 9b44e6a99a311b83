package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a text on a page, in code points: a longer one shows its beginning and what stands around quoted places.
const (
	excerptLimit  = 20_000
	excerptMargin = 400
)

// span is a quoted place in a text, in code points, half-open, and the id that links to it.
type span struct {
	start, end int
	id         string
}

// segment is a piece of a text as a page shows it.
type segment struct {
	Text    string
	Mark    bool
	IDs     []string // of the places that begin here
	Missing int      // code points left out here; Text is then what to say about it
}

// excerpt cuts a text at the bounds of its quoted places. Text beyond limit is left out, but not what stands around a
// place; what is left out is counted.
func excerpt(text string, places []span, limit int) []segment {
	places = slices.Clone(places)
	slices.SortFunc(places, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	total := 0
	for range text {
		total++
	}
	cuts := map[int]bool{}
	for _, p := range places {
		cuts[p.start], cuts[p.end] = true, true
	}
	shown := windows(places, total, limit)
	for _, w := range shown {
		cuts[w.start], cuts[w.end] = true, true
	}
	if len(places) == 0 && total <= limit {
		return []segment{{Text: text}}
	}
	return slice(text, places, shown, cuts)
}

// whole says whether nothing of a text is left out.
func whole(segments []segment) bool {
	return !slices.ContainsFunc(segments, func(s segment) bool { return s.Missing > 0 })
}

// windows are the ranges that are shown: all of a short text, else its beginning and the surroundings of each place.
func windows(places []span, total, limit int) []span {
	if total <= limit {
		return []span{{start: 0, end: total}}
	}
	shown := []span{{start: 0, end: limit}}
	for _, p := range places {
		last := &shown[len(shown)-1]
		start, end := max(p.start-excerptMargin, 0), min(p.end+excerptMargin, total)
		if start <= last.end {
			last.end = max(last.end, end)
			continue
		}
		shown = append(shown, span{start: start, end: end})
	}
	return shown
}

// slice walks the text once and cuts it at the given code points.
func slice(text string, places, shown []span, cuts map[int]bool) []segment {
	var segments []segment
	begin, beginByte, at := 0, 0, 0
	flush := func(endByte int) {
		if at == begin {
			return
		}
		segments = appendPiece(segments, span{start: begin, end: at}, text[beginByte:endByte], places, shown)
		begin, beginByte = at, endByte
	}
	for i := range text {
		if cuts[at] {
			flush(i)
		}
		at++
	}
	flush(len(text))
	return segments
}

// appendPiece adds the piece of text at one place, or the count of it where no window shows it.
func appendPiece(segments []segment, at span, text string, places, shown []span) []segment {
	within := func(s span) bool { return s.start <= at.start && at.end <= s.end }
	if !slices.ContainsFunc(shown, within) {
		return append(segments, segment{Missing: at.end - at.start})
	}
	piece := segment{Text: text}
	for _, p := range places {
		if !within(p) {
			continue
		}
		piece.Mark = true
		if p.start == at.start && !slices.Contains(piece.IDs, p.id) {
			piece.IDs = append(piece.IDs, p.id)
		}
	}
	return append(segments, piece)
}

// fieldText joins the segments of a text, what is left out told in its place.
func fieldText(segments []segment) string {
	var b strings.Builder
	for _, s := range segments {
		if s.Missing > 0 {
			b.WriteString("\n[" + s.Text + "]\n")
			continue
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

// anchor joins the parts of a fragment id. Ids of steps hold no dot, so two ids are never equal by chance.
func anchor(parts ...string) string { return strings.Join(parts, ".") }

func rankAnchor(step string, rank int) string { return anchor(step, "r"+strconv.Itoa(rank)) }

func observationAnchor(step string, position int) string {
	return anchor(step, "o"+strconv.Itoa(position))
}
