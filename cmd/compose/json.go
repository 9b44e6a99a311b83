package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

type jsonKind int

const (
	jsonScalar jsonKind = iota
	jsonArray
	jsonObject
)

// jsonValue is a JSON value that remembers the order of members and the digits of numbers, which encoding/json's
// maps and floats do not.
type jsonValue struct {
	kind    jsonKind
	scalar  string // as it is written
	items   []*jsonValue
	members []jsonMember
}

type jsonMember struct {
	name  string
	value *jsonValue
}

func parseJSON(data []byte) (*jsonValue, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	value, err := parseValue(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return value, nil
}

func parseValue(dec *json.Decoder) (*jsonValue, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return parseArray(dec)
		}
		return parseObject(dec)
	case string:
		return &jsonValue{scalar: quoteJSON(t)}, nil
	case nil:
		return &jsonValue{scalar: "null"}, nil
	default:
		return &jsonValue{scalar: fmt.Sprint(t)}, nil
	}
}

func parseArray(dec *json.Decoder) (*jsonValue, error) {
	array := &jsonValue{kind: jsonArray}
	for dec.More() {
		item, err := parseValue(dec)
		if err != nil {
			return nil, err
		}
		array.items = append(array.items, item)
	}
	_, err := dec.Token()
	return array, err
}

func parseObject(dec *json.Decoder) (*jsonValue, error) {
	object := &jsonValue{kind: jsonObject}
	seen := make(map[string]bool)
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, ok := token.(string)
		if !ok || seen[name] {
			return nil, fmt.Errorf("member %q: twice in one object", name)
		}
		seen[name] = true
		value, err := parseValue(dec)
		if err != nil {
			return nil, err
		}
		object.members = append(object.members, jsonMember{name, value})
	}
	_, err := dec.Token()
	return object, err
}

// at follows a JSON Pointer; "" is the value itself.
func (v *jsonValue) at(pointer string) (*jsonValue, error) {
	names, err := pointerNames(pointer)
	if err != nil {
		return nil, err
	}
	return v.walk(names)
}

func (v *jsonValue) walk(names []string) (*jsonValue, error) {
	for _, name := range names {
		if v = v.member(name); v == nil {
			return nil, fmt.Errorf("nothing at %q", name)
		}
	}
	return v, nil
}

func (v *jsonValue) member(name string) *jsonValue {
	if v.kind == jsonArray {
		if i, ok := arrayIndex(name, len(v.items)); ok {
			return v.items[i]
		}
	}
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// arrayIndex reads a reference token of a JSON Pointer as an index below count.
func arrayIndex(name string, count int) (int, bool) {
	i, err := strconv.Atoi(name)
	return i, err == nil && i >= 0 && i < count && strconv.Itoa(i) == name
}

func pointerNames(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, errors.New("a JSON Pointer begins with a slash")
	}
	names := strings.Split(pointer[1:], "/")
	for i, name := range names {
		names[i] = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
	}
	return names, nil
}

func (v *jsonValue) write(out *strings.Builder, depth int) {
	line := func(n int) { out.WriteString("\n" + strings.Repeat(" ", n)) }
	switch {
	case v.kind == jsonScalar:
		out.WriteString(v.scalar)
	case v.kind == jsonArray && len(v.items) == 0:
		out.WriteString("[]")
	case v.kind == jsonObject && len(v.members) == 0:
		out.WriteString("{}")
	case v.kind == jsonArray:
		for i, item := range v.items {
			out.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
			line(depth + 1)
			item.write(out, depth+1)
		}
		line(depth)
		out.WriteString("]")
	default:
		for i, m := range v.members {
			out.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
			line(depth + 1)
			out.WriteString(quoteJSON(m.name) + ": ")
			m.value.write(out, depth+1)
		}
		line(depth)
		out.WriteString("}")
	}
}

// quoteJSON writes a string with the escapes that JSON asks for and no others: encoding/json would also escape
// U+2028 and U+2029.
func quoteJSON(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r == '\r':
			out.WriteString(`\r`)
		case r < 0x20:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
