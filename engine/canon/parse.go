package canon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits on input, pack format section 10.
const (
	MaxDepth   = 64
	MaxMembers = 10_000
)

// SyntaxError says what is wrong with a JSON text and at which byte, counted from 0.
type SyntaxError struct {
	Offset int
	Reason string
}

// Error names the byte and what is wrong there.
func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// Parse reads one JSON value. The tree is made of nil, bool, string, [json.Number], []any and map[string]any, so a
// number keeps its spelling. A fault is a [*SyntaxError].
func Parse(data []byte) (any, error) {
	p := &parser{data: data}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos != len(p.data) {
		return nil, p.fault("more text after the value")
	}
	return v, nil
}

// Decode reads one JSON value as strictly as [Parse] into the Go value that into points to.
// Members that into has no field for are ignored; whoever must refuse them checks a schema first.
func Decode(data []byte, into any) error {
	if _, err := Parse(data); err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// IsCanonical says whether data is canonical JSON, byte for byte.
func IsCanonical(data []byte) bool {
	tree, err := Parse(data)
	if err != nil {
		return false
	}
	again, err := appendValue(nil, tree, 0)
	return err == nil && bytes.Equal(again, data)
}

type parser struct {
	data []byte
	pos  int
}

func (p *parser) fault(format string, args ...any) error {
	return &SyntaxError{p.pos, fmt.Sprintf(format, args...)}
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

func (p *parser) value(depth int) (any, error) {
	if depth > MaxDepth {
		return nil, p.fault("depth over %d", MaxDepth)
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.text()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return true, p.word("true")
	case c == 'f':
		return false, p.word("false")
	case c == 'n':
		return nil, p.word("null")
	}
	if p.pos >= len(p.data) {
		return nil, p.fault("the text ends where a value is expected")
	}
	return nil, p.fault("%q where a value is expected", p.data[p.pos])
}

func (p *parser) word(word string) error {
	if !bytes.HasPrefix(p.data[p.pos:], []byte(word)) {
		return p.fault("a word that is not %s", word)
	}
	p.pos += len(word)
	return nil
}

func (p *parser) object(depth int) (any, error) {
	object := map[string]any{}
	p.pos++
	p.space()
	if p.peek() == '}' {
		p.pos++
		return object, nil
	}
	for {
		at := p.pos
		if p.peek() != '"' {
			return nil, p.fault("a member name in quotes is expected")
		}
		name, err := p.text()
		if err != nil {
			return nil, err
		}
		if _, twice := object[name]; twice {
			return nil, &SyntaxError{at, fmt.Sprintf("duplicate member %q", name)}
		}
		p.space()
		if p.peek() != ':' {
			return nil, p.fault("a colon is expected after the member name")
		}
		p.pos++
		p.space()
		if object[name], err = p.value(depth + 1); err != nil {
			return nil, err
		}
		if len(object) > MaxMembers {
			return nil, p.fault("more than %d members in one object", MaxMembers)
		}
		if done, err := p.next('}'); done || err != nil {
			return object, err
		}
	}
}

func (p *parser) array(depth int) (any, error) {
	items := []any{}
	p.pos++
	p.space()
	if p.peek() == ']' {
		p.pos++
		return items, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if done, err := p.next(']'); done || err != nil {
			return items, err
		}
	}
}

// next passes a comma, or the closing mark and says that it did.
func (p *parser) next(closing byte) (bool, error) {
	p.space()
	switch p.peek() {
	case closing:
		p.pos++
		return true, nil
	case ',':
		p.pos++
		p.space()
		return false, nil
	}
	return false, p.fault("a comma or %q is expected", closing)
}

func (p *parser) number() (any, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	whole := p.digits()
	if whole == 0 || whole > 1 && p.data[p.pos-whole] == '0' {
		return nil, p.fault("not a JSON number")
	}
	if p.peek() == '.' {
		p.pos++
		if p.digits() == 0 {
			return nil, p.fault("a digit is expected after the point")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if p.digits() == 0 {
			return nil, p.fault("a digit is expected in the exponent")
		}
	}
	text := string(p.data[start:p.pos])
	if _, err := appendNumber(nil, text); err != nil {
		return nil, &SyntaxError{start, err.Error()}
	}
	return json.Number(text), nil
}

func (p *parser) digits() int {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos - start
}

func (p *parser) text() (string, error) {
	p.pos++
	var out strings.Builder
	for {
		start := p.pos
		for p.pos < len(p.data) && p.data[p.pos] != '"' && p.data[p.pos] != '\\' && p.data[p.pos] >= 0x20 {
			p.pos++
		}
		run := p.data[start:p.pos]
		if !utf8.Valid(run) {
			return "", &SyntaxError{start, "invalid UTF-8 in a string"}
		}
		out.Write(run)
		switch {
		case p.pos >= len(p.data):
			return "", p.fault("the text ends inside a string")
		case p.data[p.pos] == '"':
			p.pos++
			return out.String(), nil
		case p.data[p.pos] == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out.WriteRune(r)
		default:
			return "", p.fault("a control character in a string")
		}
	}
}

func (p *parser) escape() (rune, error) {
	p.pos++
	c := p.peek()
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 && p.pos < len(p.data) {
		p.pos++
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		return 0, p.fault("an unknown escape")
	}
	at := p.pos - 1
	r, err := p.unit()
	if err != nil {
		return 0, err
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if p.pos+1 < len(p.data) && p.data[p.pos] == '\\' && p.data[p.pos+1] == 'u' {
		p.pos++
		low, err := p.unit()
		if err != nil {
			return 0, err
		}
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, nil
		}
	}
	return 0, &SyntaxError{at, "a lone surrogate"}
}

// unit reads the four digits behind a u.
func (p *parser) unit() (rune, error) {
	p.pos++
	if p.pos+4 > len(p.data) {
		return 0, p.fault("four hex digits are expected")
	}
	n, err := strconv.ParseUint(string(p.data[p.pos:p.pos+4]), 16, 16)
	if err != nil {
		return 0, p.fault("four hex digits are expected")
	}
	p.pos += 4
	return rune(n), nil
}
