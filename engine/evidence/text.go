package evidence

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// imagePlaceholder stands where an image inside a text was.
const imagePlaceholder = "[inline image removed]"

var inlineImage = regexp.MustCompile(`data:image/[^;]+;base64,[A-Za-z0-9+/=]+`)

// NFC returns s in Normalization Form C, the one change to a provider's text.
func NFC(s string) string {
	if norm.NFC.IsNormalString(s) {
		return s
	}
	return norm.NFC.String(s)
}

// IsNFC says whether s is in Normalization Form C.
func IsNFC(s string) bool { return norm.NFC.IsNormalString(s) }

// Length is the number of code points of s.
func Length(s string) int { return utf8.RuneCountInString(s) }

// Prefix is the first n code points of s, all of s where it has no more.
func Prefix(s string, n int) string {
	if len(s) <= n { // no more bytes than that are no more code points
		return s
	}
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Segments is the mechanical segmentation: one segment over the whole text, none over an empty one (contract 3.8).
func Segments(text string) []Segment {
	if text == "" {
		return []Segment{}
	}
	return []Segment{{Start: 0, End: Length(text), Text: text}}
}

// NewProjectedText makes the projected form of a text: digest, origin and segments follow from it and its provenance.
func NewProjectedText(text string, provenance Provenance) *ProjectedText {
	return &ProjectedText{
		Text: text, TextSHA256: string(TextDigest(text)), Origin: provenance.Origin(),
		Provenance: provenance, Segments: Segments(text),
	}
}

// Origin is engine for an aggregate and where a named transformation changes a text, else provider (contract 3.7).
func (p Provenance) Origin() Origin {
	changes := func(t Transformation) bool { return t != MechanicalSegmentation }
	if p.IsAggregate() || slices.ContainsFunc(p.Transformations, changes) {
		return FromEngine
	}
	return FromProvider
}

// Cuts says whether the transformations shorten a text.
func Cuts(steps []Transformation) bool { return slices.Contains(steps, DeterministicTruncation) }

// Replay applies the transformations to a source text, left to right, and says whether they give the projected one
// (contract 3.7).
func Replay(source string, steps []Transformation, projected string) bool {
	value := source
	for _, step := range steps {
		switch step {
		case WhitespaceNorm:
			value = NormalizeSpace(value)
		case DeterministicTruncation:
			if !strings.HasPrefix(value, projected) {
				return false
			}
			value = projected
		case MechanicalSegmentation:
		case ImageBase64Replace:
			value = inlineImage.ReplaceAllLiteralString(value, imagePlaceholder)
		default:
			return false
		}
	}
	return value == projected
}

// NormalizeSpace splits at white space, drops what is empty and joins with one blank.
func NormalizeSpace(s string) string {
	if isSpaceNormal(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, IsSpace), " ")
}

// isSpaceNormal says whether single blanks inside are the only white space of s.
func isSpaceNormal(s string) bool {
	blank := true // before the first character, where no blank may stand
	for _, r := range s {
		if r == ' ' && !blank {
			blank = true
			continue
		}
		if r == ' ' || (r < ' ' || r > '~') && IsSpace(r) {
			return false
		}
		blank = false
	}
	return !blank || s == ""
}

// IsSpace is the white space of contract 3.7: that of Unicode and the four separators U+001C to U+001F. ASCII is
// asked first because nearly every character is.
func IsSpace(r rune) bool {
	if r < 0x80 {
		return r == ' ' || r >= 0x09 && r <= 0x0D || r >= 0x1C && r <= 0x1F
	}
	return unicode.IsSpace(r)
}
