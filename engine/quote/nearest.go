package quote

import (
	"slices"
	"strings"
	"unicode"
)

// Bounds of the nearest text: how much is shown, and how long a common piece must be to be no accident.
const (
	longestNearest  = 200
	shortestPiece   = 4
	leastOfTheQuote = 4 // a quarter
)

// Nearest returns the piece of the text that shares the longest beginning or end with the quote, "" where none shares
// a quarter of it. Case and the shapes of quotation marks and dashes don't count, since these are what authors
// usually get wrong. The piece is as long as the quote but at most 200 code points, white space collapsed. The text is
// read a few times, whatever it holds.
func Nearest(text, quote string) string {
	pattern := collapse(quote, alike)
	if len(pattern) == 0 {
		return ""
	}
	folded := make([]rune, 0, len(text))
	plain := make([]rune, 0, len(text))
	scan(text, keep, func(c rune, _ int) bool {
		plain, folded = append(plain, c), append(folded, alike(c))
		return true
	})
	start, length := longestPrefix(folded, pattern)
	slices.Reverse(pattern)
	slices.Reverse(folded)
	if end, fromEnd := longestPrefix(folded, pattern); fromEnd > length {
		start, length = len(plain)-end-len(pattern), fromEnd
	}
	if length < min(shortestPiece, len(pattern)) || length*leastOfTheQuote < len(pattern) {
		return ""
	}
	end := min(max(start+len(pattern), start+length), len(plain))
	start = max(start, 0)
	return strings.TrimSpace(string(plain[start:min(end, start+longestNearest)]))
}

// longestPrefix is where in the text the longest beginning of the pattern stands first, and how long it is.
func longestPrefix(text, pattern []rune) (start, length int) {
	s := newSearch(pattern)
	for at, c := range text {
		full := s.step(c, at)
		if s.state > length {
			start, length = s.start(), s.state
		}
		if full {
			break
		}
	}
	return start, length
}

// alike maps characters that authors mix up to one.
func alike(c rune) rune {
	switch c {
	case '‘', '’', '‚', '‛', '′', '`', '´':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	return unicode.ToLower(c)
}
