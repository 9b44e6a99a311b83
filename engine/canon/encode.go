package canon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Encode returns the canonical JSON of v, without a line break at the end.
// v is a tree of [Parse] or any Go value that encoding/json can write; it is not changed.
func Encode(v any) ([]byte, error) {
	switch v.(type) {
	case nil, bool, string, json.Number, []any, map[string]any:
		return appendValue(nil, v, 0)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	tree, err := Parse(buf.Bytes())
	if err != nil {
		return nil, err
	}
	return appendValue(nil, tree, 0)
}

// EncodeLine is [Encode] with one LF at the end, the form of every JSON file and every NDJSON line in a pack.
func EncodeLine(v any) ([]byte, error) {
	b, err := Encode(v)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

func appendValue(dst []byte, v any, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("depth over %d", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendString(dst, v)
	case json.Number:
		return appendNumber(dst, string(v))
	case []any:
		return appendArray(dst, v, depth)
	case map[string]any:
		return appendObject(dst, v, depth)
	}
	return nil, fmt.Errorf("a %T in a JSON tree", v)
}

func appendArray(dst []byte, items []any, depth int) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, item, depth+1); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, object map[string]any, depth int) ([]byte, error) {
	dst = append(dst, '{')
	for i, name := range SortedNames(object) {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendString(dst, name); err != nil {
			return nil, err
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, object[name], depth+1); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// SortedNames returns the member names of an object in canonical order: by UTF-16 code units.
func SortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, compareUTF16)
	return names
}

// compareUTF16 differs from byte order only where one side has a character above U+FFFF, whose first surrogate sorts
// below U+E000.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			return int(firstUnit(ra)) - int(firstUnit(rb)) + tieUnit(ra, rb)
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

func firstUnit(r rune) rune {
	if high, _ := utf16.EncodeRune(r); r > 0xFFFF {
		return high
	}
	return r
}

// tieUnit orders two characters with one high surrogate by their low ones.
func tieUnit(a, b rune) int {
	if firstUnit(a) != firstUnit(b) {
		return 0
	}
	return int(a) - int(b)
}

const hexDigits = "0123456789abcdef"

func appendString(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("string %.40q: invalid UTF-8", s)
	}
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if short := shortEscape(c); short != 0 {
			dst = append(dst, '\\', short)
			continue
		}
		if c < 0x20 {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			continue
		}
		dst = append(dst, c)
	}
	return append(dst, '"'), nil
}

func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\t':
		return 't'
	case '\n':
		return 'n'
	case '\f':
		return 'f'
	case '\r':
		return 'r'
	}
	return 0
}

// MaxInteger is the largest integer that every JSON reader keeps exactly, 2^53-1.
const MaxInteger = 1<<53 - 1

// appendNumber writes a number as ECMAScript does: the shortest decimal digits that give the same double back,
// plain between 1e-6 and 1e21, with an exponent elsewhere.
func appendNumber(dst []byte, s string) ([]byte, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, fmt.Errorf("number %.40s: beyond a double", s)
	}
	if isInteger(s) && math.Abs(f) > MaxInteger {
		return nil, fmt.Errorf("number %.40s: an integer beyond ±(2^53-1); write it as a string", s)
	}
	if f == 0 {
		return append(dst, '0'), nil
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
	}
	mark := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads the exponent to two digits, ECMAScript doesn't.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') && n-3 > mark {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst, nil
}

func isInteger(s string) bool {
	for _, c := range []byte(s) {
		if c == '.' || c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}
