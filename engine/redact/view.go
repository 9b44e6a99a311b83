package redact

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// span is a range of bytes, end excluded.
type span struct{ start, end int }

// view is a decoded form of a part of another text, able to say which bytes of that text stand behind its own.
type view struct {
	text   string
	parent *view // nil: the stored text itself
	// at[i] is the first byte of the parent's text behind byte i, and at[len(text)] where the decoded part ends.
	// nil: the text stands in the parent's as it is, from base on.
	at    []int
	base  int
	whole *span // every byte stands for this part of the parent's text, which can't be cut
}

// stored maps a non-empty span of the view to the stored text; a span that cuts an escape grows over it.
func (v *view) stored(s span) span {
	for ; v.parent != nil; v = v.parent {
		switch {
		case v.whole != nil:
			s = *v.whole
		case v.at == nil:
			s = span{s.start + v.base, s.end + v.base}
		default:
			end := s.end
			for end < len(v.text) && v.at[end] == v.at[s.end-1] {
				end++
			}
			s = span{v.at[s.start], v.at[end]}
		}
	}
	return s
}

// part is the view of a piece of v.
func (v *view) part(start, end int) *view {
	return &view{text: v.text[start:end], parent: v, base: start}
}

// viewBuilder writes a decoded text beside its origin.
type viewBuilder struct {
	text []byte
	at   []int
}

func (b *viewBuilder) put(origin int, decoded ...byte) {
	for _, c := range decoded {
		b.text = append(b.text, c)
		b.at = append(b.at, origin)
	}
}

func (b *viewBuilder) putRune(origin int, r rune) {
	b.put(origin, utf8.AppendRune(nil, r)...)
}

func (b *viewBuilder) view(parent *view, end int) *view {
	return &view{text: string(b.text), parent: parent, at: append(b.at, end)}
}

// unescape decodes backslash escapes as JSON and most languages write them between start and end of v; what is no
// escape stays as it is.
func (v *view) unescape(start, end int) *view {
	if strings.IndexByte(v.text[start:end], '\\') < 0 {
		return v.part(start, end)
	}
	b := viewBuilder{make([]byte, 0, end-start), make([]int, 0, end-start+1)}
	for i := start; i < end; {
		if v.text[i] != '\\' {
			b.put(i, v.text[i])
			i++
			continue
		}
		r, n := readEscape(v.text[i:end])
		if n == 0 {
			b.put(i, '\\')
			n = 1
		} else {
			b.putRune(i, r)
		}
		i += n
	}
	return b.view(v, end)
}

// readEscape reads the escape at the start of s: its character and its length, 0 when it is none.
func readEscape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt'`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t'"[i]), 2
	}
	switch s[1] {
	case 'u':
		r, ok := hexRune(s, 2, 4)
		if !ok {
			return 0, 0
		}
		if low, isPair := lowSurrogate(s, r); isPair {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
		}
		return r, 6
	case 'x':
		if r, ok := hexRune(s, 2, 2); ok {
			return r, 4
		}
	}
	return 0, 0
}

// lowSurrogate is the second half of a pair whose first half is r.
func lowSurrogate(s string, r rune) (rune, bool) {
	if r < 0xD800 || r > 0xDBFF || len(s) < 12 || s[6] != '\\' || s[7] != 'u' {
		return 0, false
	}
	low, ok := hexRune(s, 8, 4)
	return low, ok && low >= 0xDC00 && low <= 0xDFFF
}

func hexRune(s string, from, digits int) (rune, bool) {
	if len(s) < from+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[from:from+digits], 16, 32)
	return rune(n), err == nil
}

// percentDecode decodes percent-encoded bytes; nil when there are none.
func (v *view) percentDecode() *view {
	if strings.IndexByte(v.text, '%') < 0 {
		return nil
	}
	var b viewBuilder
	found := false
	for i := 0; i < len(v.text); {
		if n, ok := percentByte(v.text[i:]); ok {
			b.put(i, n)
			i, found = i+3, true
			continue
		}
		b.put(i, v.text[i])
		i++
	}
	if !found {
		return nil
	}
	return b.view(v, len(v.text))
}

func percentByte(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// softBreaks are what a mail program or a typesetter puts inside a word without meaning to part it, and the zero
// bytes of ASCII in UTF-16.
var softBreaks = [...]string{"=\r\n", "=\n", "\\\n", "\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\x00"}

// join drops soft line breaks and invisible characters; nil when there are none.
func (v *view) join() *view {
	if !hasSoftBreak(v.text) {
		return nil
	}
	var b viewBuilder
	for i := 0; i < len(v.text); {
		if n := softBreak(v.text[i:]); n > 0 {
			i += n
			continue
		}
		b.put(i, v.text[i])
		i++
	}
	return b.view(v, len(v.text))
}

func hasSoftBreak(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case 0, '=', '\\', 0xC2, 0xE2, 0xEF: // the first bytes of all
			if softBreak(s[i:]) > 0 {
				return true
			}
		}
	}
	return false
}

// softBreak is the length of the soft break that s begins with, 0 when there is none.
func softBreak(s string) int {
	for _, mark := range softBreaks {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}

// Limits of base64 detection: a shorter run holds no secret worth the name, and decoded bytes without that much
// readable text in a row hold no text.
const (
	minBase64Run = 16
	minReadable  = 12
)

// base64Views decodes every run of base64 in v that holds readable text. A run may stand behind other letters of
// the alphabet (a path, a word), so it is read from each of four starts.
func (v *view) base64Views() []*view {
	var views []*view
	for i := 0; i < len(v.text); {
		if !isBase64(v.text[i]) {
			i++
			continue
		}
		end, letters := base64Run(v.text, i)
		for shift := 0; shift < 4 && letters-shift >= minBase64Run; shift++ {
			if decoded := decodeRun(v.text[i:end], shift); decoded != "" {
				views = append(views, &view{text: decoded, parent: v, whole: &span{i, end}})
			}
		}
		i = end
	}
	return views
}

func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_' }

// base64Run is the end of the run that starts at i, padding included, and the number of its letters. A run goes on
// over the line breaks of folded base64.
func base64Run(s string, i int) (end, letters int) {
	line := 0
	for end = i; end < len(s); {
		if isBase64(s[end]) {
			end, letters, line = end+1, letters+1, line+1
			continue
		}
		if line < 40 || line%4 != 0 {
			break
		}
		n := foldedBreak(s[end:])
		if n == 0 {
			break
		}
		end, line = end+n, 0
	}
	for end < len(s) && s[end] == '=' && line > 0 {
		end++
	}
	return end, letters
}

// foldedBreak is the length of a line break and blanks that base64 goes on behind, else 0.
func foldedBreak(s string) int {
	rest := strings.TrimLeft(strings.TrimPrefix(s, "\r"), " \t")
	if !strings.HasPrefix(rest, "\n") {
		return 0
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if rest == "" || !isBase64(rest[0]) {
		return 0
	}
	return len(s) - len(rest)
}

// decodeRun decodes as many whole groups of the run as there are, skipping the first letters; "" when no text comes out.
func decodeRun(run string, skip int) string {
	letters := make([]byte, 0, len(run))
	for _, c := range []byte(run) {
		switch {
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		case !isBase64(c):
			continue
		}
		letters = append(letters, c)
	}
	letters = letters[skip:]
	if len(letters)%4 == 1 {
		letters = letters[:len(letters)-1]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(letters)))
	n, err := base64.RawStdEncoding.Decode(out, letters)
	if err != nil {
		return ""
	}
	return readable(out[:n])
}

// readable is decoded text, and of other bytes what can be read: runs of ASCII, in UTF-16 too, with blanks for the
// rest. "" when there is nothing to read. Random bytes would give addresses by chance otherwise.
func readable(data []byte) string {
	found, isText := false, utf8.Valid(data)
	for i := 0; i < len(data); {
		end := i
		for end < len(data) && (isPrintable(data[end]) || data[end] == 0 && end > i && data[end-1] != 0) {
			end++
		}
		if end-i >= minReadable {
			found = true
		} else if !isText {
			for k := i; k < end; k++ {
				data[k] = unreadable
			}
		}
		if i = end; i < len(data) {
			if !isText {
				data[i] = unreadable
			}
			i++
		}
	}
	if !found {
		return ""
	}
	return string(data)
}

// unreadable stands for bytes that are no text; no rule takes it for a letter.
const unreadable = 0x01

func isPrintable(c byte) bool { return c >= 0x20 && c < 0x7f || c == '\n' || c == '\r' || c == '\t' }
