package projection

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// folder does the full case folding of Unicode, character by character as it is defined, and remembers what it has
// seen: a text has few different characters.
type folder map[rune]string

func (f folder) fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var out strings.Builder
	out.Grow(len(s))
	for _, r := range s {
		if r < utf8.RuneSelf {
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			out.WriteByte(byte(r))
			continue
		}
		folded, known := f[r]
		if !known {
			folded = cases.Fold().String(string(r))
			f[r] = folded
		}
		out.WriteString(folded)
	}
	return out.String()
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
