package corpus

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenKind says how a token came about, and so how it is searched and counted.
type tokenKind int

const (
	word       tokenKind = iota // a run of letters, digits and marks of a script that puts blanks between words
	single                      // one character of a script without blanks
	pair                        // two such characters side by side
	symbol                      // one symbol that means something alone, such as $ or ~
	symbolPair                  // two symbols side by side
)

// token is one entry of the index. Text is folded; Start is the byte of the source where it begins. Alone says of a
// single or a symbol that it has no neighbour of its kind.
type token struct {
	Kind  tokenKind
	Text  string
	Start int
	Alone bool
}

// maxWord bounds a word, so that an encoded image in a text is no word of a million letters. Both sides are cut alike.
const maxWord = 64

// class is what a character does to the run that it meets.
type class int

const (
	separating class = iota
	ignored          // invisible inside a word: joiners, soft hyphens, variation selectors
	spaced           // letters, digits and marks of scripts with blanks between words
	dense            // characters of scripts without
	symbolic         // punctuation and symbols
)

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass(byte(r))
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return ignored
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar), r == 'ー':
		return dense
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return spaced
	case unicode.In(r, unicode.P, unicode.S):
		return symbolic
	}
	return separating
}

func asciiClass(c byte) class {
	switch {
	case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
		return spaced
	case c > ' ' && c < 0x7F:
		return symbolic
	}
	return separating
}

// tokens gives the tokens of s in the order of their places; of tokens at one place the single comes before the pair.
func tokens(s string) iter.Seq[token] {
	return func(yield func(token) bool) {
		t := tokenizer{yield: yield}
		for at := 0; at < len(s) && !t.done; {
			if t.run != spaced {
				if n := asciiWord(s[at:]); n > 0 {
					t.flush()
					t.emit(token{word, strings.ToLower(s[at : at+min(n, maxWord)]), at, false})
					at += n
					continue
				}
			}
			if s[at] < utf8.RuneSelf && (at+1 == len(s) || s[at+1] < utf8.RuneSelf) {
				t.take(asciiClass(s[at]), rune(lower(s[at])), at)
				at++
				continue
			}
			n := norm.NFKC.NextBoundaryInString(s[at:], true)
			for _, r := range fold(s[at : at+n]) {
				t.take(classOf(r), r, at)
			}
			at += n
		}
		t.flush()
	}
}

// asciiWord is the length of the word that s begins with, 0 where the character behind it may change its last letter
// or go on with it. It is the common case, done without looking at each character apart.
func asciiWord(s string) int {
	n := 0
	for n < len(s) && s[n] < utf8.RuneSelf && asciiClass(s[n]) == spaced {
		n++
	}
	if n < len(s) && s[n] >= utf8.RuneSelf {
		return 0
	}
	return n
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// fold is the form in which one character with its marks is compared: compatibility forms resolved (full-width and
// half-width, ligatures), lower case, and without the accents of Latin and Greek letters. Marks of other scripts
// make other letters (は and ば, и and й) and stay.
func fold(unit string) string {
	unit = norm.NFKC.String(unit)
	if unicode.In(firstRune(unit), unicode.Latin, unicode.Greek) {
		unit = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(unit))
	}
	// Upper case first brings together what has one capital: σ and ς, s and ſ.
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, unit)
}

// tokenizer gathers the run of characters of one class that it is in.
type tokenizer struct {
	yield func(token) bool
	done  bool

	run     class
	letters []byte // of a word
	length  int    // of the word in characters
	start   int    // of the word

	last      rune // of a dense or symbolic run; 0 before its first
	lastStart int
	lastAlone bool
}

func (t *tokenizer) take(kind class, r rune, at int) {
	if kind == ignored {
		return
	}
	if kind != t.run {
		t.flush()
		t.run = kind
	}
	switch kind {
	case spaced:
		if t.length == 0 {
			t.start = at
		}
		if t.length++; t.length <= maxWord {
			t.letters = utf8.AppendRune(t.letters, r)
		}
	case dense, symbolic:
		if t.last == 0 {
			t.last, t.lastStart, t.lastAlone = r, at, true
			return
		}
		t.emitLast(false)
		t.emit(token{t.pairKind(), string([]rune{t.last, r}), t.lastStart, false})
		t.last, t.lastStart, t.lastAlone = r, at, false
	}
}

func (t *tokenizer) flush() {
	switch t.run {
	case spaced:
		t.emit(token{word, string(t.letters), t.start, false})
		t.letters, t.length = t.letters[:0], 0
	case dense, symbolic:
		t.emitLast(t.lastAlone)
		t.last = 0
	}
	t.run = separating
}

// emitLast gives the last character of the run by itself; punctuation is none.
func (t *tokenizer) emitLast(alone bool) {
	switch {
	case t.run == dense:
		t.emit(token{single, string(t.last), t.lastStart, alone})
	case unicode.Is(unicode.S, t.last):
		t.emit(token{symbol, string(t.last), t.lastStart, alone})
	}
}

func (t *tokenizer) pairKind() tokenKind {
	if t.run == dense {
		return pair
	}
	return symbolPair
}

func (t *tokenizer) emit(next token) {
	t.done = t.done || !t.yield(next)
}

// terms are the tokens that a query is searched by, each once, in the order of the query. Characters without blanks
// are searched by pairs, and alone only where they stand alone. Symbols count only in a part of the query, between
// blanks, that has nothing else: the slash of text/javascript says nothing, ->> says all.
func terms(query string) []string {
	var all []string
	seen := map[string]bool{}
	for _, part := range strings.Fields(query) {
		var words, symbols []string
		for t := range tokens(part) {
			switch {
			case t.Kind == word, t.Kind == pair, t.Kind == single && t.Alone:
				words = append(words, t.Text)
			case t.Kind == symbolPair, t.Kind == symbol && t.Alone:
				symbols = append(symbols, t.Text)
			}
		}
		if len(words) == 0 {
			words = symbols
		}
		for _, text := range words {
			if !seen[text] {
				seen[text] = true
				all = append(all, text)
			}
		}
	}
	return all
}
