package projection

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"casebook/engine/evidence"
)

// folder does the full case folding of Unicode, character by character as it is defined, and remembers what it has
// seen: a text has few different characters.
type folder map[rune]string

// fold is the full case folding of s.
func (f folder) fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var out []byte
	for _, r := range s {
		out = append(out, f.folded(r)...)
	}
	return string(out)
}

// comparison is the form in which snippets are compared, folded and with single blanks inside, and its length in code
// points.
func (f folder) comparison(s string) (form string, length int) {
	out := make([]byte, 0, len(s)+len(s)/8)
	blank := false // stands before the next character
	for _, r := range s {
		inside := r > ' ' && r < utf8.RuneSelf // the most frequent first
		if !inside && evidence.IsSpace(r) {
			blank = len(out) > 0
			continue
		}
		if blank {
			out = append(out, ' ')
			length++
			blank = false
		}
		if inside {
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			out = append(out, byte(r))
			length++
			continue
		}
		folded := f.folded(r)
		out = append(out, folded...)
		length += utf8.RuneCountInString(folded)
	}
	return string(out), length
}

// folded is what one character folds to.
func (f folder) folded(r rune) string {
	folded, known := f[r]
	if !known {
		folded = cases.Fold().String(string(r))
		f[r] = folded
	}
	return folded
}

// isASCII says whether lower case and case folding are the same for s.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
