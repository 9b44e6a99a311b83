package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// An excerpt has at most excerptLength code points, and begins at most leadLength before the match.
const (
	excerptLength = 240
	leadLength    = 80
)

// excerpt is a literal slice of text with the byte at in it, near its beginning. It begins and ends between sentences
// or lines if any end within reach, else between words, else between two characters, and never between a character
// and its marks. White space at its ends is left off.
func excerpt(text string, at int) string {
	start := cutAfter(text, back(text, at, leadLength), at)
	limit := forward(text, start, excerptLength)
	end := len(text)
	if limit < len(text) {
		// The last third is given up for a better end; what matched stays inside.
		end = cutBefore(text, max(forward(text, start, excerptLength*2/3), at), limit)
	}
	return strings.TrimSpace(text[start:end])
}

// back is the byte n code points before at, forward the byte n code points after; they stop at the ends of the text.
func back(text string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return at
}

func forward(text string, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

// cutAfter is the best place to begin between low and at: the last end of a sentence, else the first end of a word,
// else the first place between characters. The beginning of the text is the best of all.
func cutAfter(text string, low, at int) int {
	if low == 0 {
		return 0
	}
	sentence, blank, character := -1, -1, -1
	for i := low; i <= at; i = forward(text, i, 1) {
		if !separable(text, i) {
			continue
		}
		if character < 0 {
			character = i
		}
		if blank < 0 && wordEnds(text, i) {
			blank = i
		}
		if sentenceEnds(text, i) {
			sentence = i
		}
		if i == len(text) {
			break
		}
	}
	return firstPlace(at, sentence, blank, character)
}

// cutBefore is the best place to end between low and high: the last end of a sentence, of a word, of a character.
func cutBefore(text string, low, high int) int {
	sentence, blank, character := -1, -1, -1
	for i := low; i <= high; i = forward(text, i, 1) {
		if separable(text, i) {
			character = i
			if wordEnds(text, i) {
				blank = i
			}
			if sentenceEnds(text, i) {
				sentence = i
			}
		}
		if i == len(text) {
			break
		}
	}
	return firstPlace(high, sentence, blank, character)
}

func firstPlace(otherwise int, places ...int) int {
	for _, place := range places {
		if place >= 0 {
			return place
		}
	}
	return otherwise
}

// separable says whether a cut at i leaves characters whole: marks, joined emoji and CR LF stay together.
func separable(text string, i int) bool {
	if i == 0 || i >= len(text) {
		return true
	}
	next, last := firstRune(text[i:]), lastRune(text[:i])
	const joiner = '\u200d'
	switch {
	case last == '\r' && next == '\n', last == joiner, next == joiner:
		return false
	case unicode.Is(unicode.M, next), next >= 0x1F3FB && next <= 0x1F3FF: // skin tones
		return false
	}
	return norm.NFC.PropertiesString(text[i:]).BoundaryBefore()
}

// wordEnds says whether white space is on one side of i.
func wordEnds(text string, i int) bool {
	return unicode.IsSpace(firstRune(text[i:])) || unicode.IsSpace(lastRune(text[:i]))
}

// sentenceEnds says whether a line or a sentence ends before i: a full stop ends one only before white space.
func sentenceEnds(text string, i int) bool {
	switch lastRune(text[:i]) {
	case '\n', '。', '！', '？', '．':
		return true
	case ' ':
		return strings.ContainsRune(".!?", lastRune(text[:i-1]))
	}
	return false
}

// firstRune and lastRune are 0 for an empty text.
func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func lastRune(s string) rune {
	r, size := utf8.DecodeLastRuneInString(s)
	if size == 0 {
		return 0
	}
	return r
}
