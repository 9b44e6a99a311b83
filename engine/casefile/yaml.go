package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"casebook/engine/canon"
)

// Limits on a YAML file. Aliases are bounded by their number and by what they stand for, so that no file of a few
// lines becomes millions of members.
const (
	MaxYAMLBytes     = 1 << 20
	maxAliases       = 100
	maxAliasedValues = 10_000
)

// object is a JSON object of a tree; this alias is the one place that spells the type out.
type object = map[string]any

// mark is where a value stands, and its member's name if it has one. Lines and columns count from 1.
type mark struct{ line, column, nameLine, nameColumn int }

// document is a YAML file as a tree of JSON values, with the place of each by its JSON Pointer.
type document struct {
	file   string
	tree   any
	marks  map[string]mark
	names  map[string][]string // of each object, in the order of the file
	paths  map[string]string   // as faults write them
	faults []Fault
}

// read parses the bytes of a file. The document has no tree where the file isn't YAML at all.
func read(file string, data []byte) *document {
	d := &document{file: file, marks: map[string]mark{}, names: map[string][]string{}, paths: map[string]string{}}
	if fault := checkBytes(file, data); fault != nil {
		d.faults = append(d.faults, *fault)
		return d
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var root, more yaml.Node
	err := decoder.Decode(&root)
	if errors.Is(err, io.EOF) {
		d.add(mark{line: 1, column: 1}, "", emptyFile)
		return d
	}
	if err == nil {
		err = decoder.Decode(&more)
	}
	switch {
	case err == nil:
		d.add(mark{line: more.Line, column: more.Column}, "", "a second document; a file holds one")
	case !errors.Is(err, io.EOF):
		d.syntax(data, err)
	default:
		c := converter{document: d, open: map[*yaml.Node]bool{}}
		d.tree = c.value(root.Content[0], "", 0)
		switch {
		case c.stopped:
			d.tree = nil
		case d.tree == nil && len(d.faults) == 0:
			d.add(mark{line: 1, column: 1}, "", emptyFile)
		}
	}
	return d
}

func (d *document) add(at mark, path, format string, args ...any) {
	d.faults = append(d.faults, Fault{d.file, at.line, at.column, path, fmt.Sprintf(format, args...)})
}

// checkBytes refuses what the YAML reader would take differently from other readers, or without naming the place.
func checkBytes(file string, data []byte) *Fault {
	if len(data) > MaxYAMLBytes {
		return &Fault{File: file, Message: fmt.Sprintf("has %d bytes, at most %d are allowed", len(data), MaxYAMLBytes)}
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		message := ""
		switch {
		case r == utf8.RuneError && size == 1:
			return invalidUTF8(file, data)
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			message = fmt.Sprintf("%U ends a line for some readers and not for others; write it as \"\\u%04x\" in double quotes", r, r)
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r >= 0x7f && r < 0xa0, r == '\ufffe', r == '\uffff', r == '\ufeff' && at > 0:
			message = fmt.Sprintf("%U is not allowed; write it as \"\\u%04x\" in double quotes", r, r)
		}
		if message != "" {
			line, column := position(data[:at])
			return &Fault{file, line, column, "", message}
		}
		at += size
	}
	return nil
}

// converter turns YAML nodes into JSON values.
type converter struct {
	*document
	open    map[*yaml.Node]bool // anchored nodes that are being expanded
	aliases int
	values  int // made by aliases
	stopped bool
}

func (c *converter) value(n *yaml.Node, pointer string, depth int) any {
	if c.stopped {
		return nil
	}
	at := c.marks[pointer]
	at.line, at.column = n.Line, n.Column
	c.marks[pointer] = at
	if len(c.open) > 0 {
		c.values++
	}
	switch {
	case depth > canon.MaxDepth:
		return c.stop(n, pointer, "is nested deeper than %d", canon.MaxDepth)
	case c.values > maxAliasedValues:
		return c.stop(n, pointer, "aliases stand for more than %d values", maxAliasedValues)
	case n.Kind == yaml.AliasNode:
		return c.alias(n, pointer, depth)
	case n.Kind == yaml.MappingNode:
		return c.mapping(n, pointer, depth)
	case n.Kind == yaml.SequenceNode:
		return c.sequence(n, pointer, depth)
	}
	value, err := scalar(n)
	if err != nil {
		c.add(at, c.paths[pointer], "%v", err)
	}
	return value
}

// stop ends the conversion: the file is hostile or broken beyond a useful list of faults.
func (c *converter) stop(n *yaml.Node, pointer, format string, args ...any) any {
	c.stopped = true
	c.add(mark{line: n.Line, column: n.Column}, c.paths[pointer], format, args...)
	return nil
}

func (c *converter) alias(n *yaml.Node, pointer string, depth int) any {
	c.aliases++
	switch {
	case c.aliases > maxAliases:
		return c.stop(n, pointer, "more than %d aliases", maxAliases)
	case c.open[n.Alias]:
		return c.stop(n, pointer, "alias *%s stands inside what it names", n.Value)
	}
	c.open[n.Alias] = true
	defer delete(c.open, n.Alias)
	return c.value(n.Alias, pointer, depth)
}

func (c *converter) sequence(n *yaml.Node, pointer string, depth int) any {
	c.checkTag(n, pointer, "!!seq")
	items := make([]any, 0, len(n.Content))
	for i, item := range n.Content {
		below := pointer + canon.Pointer(strconv.Itoa(i))
		c.paths[below] = joinIndex(c.paths[pointer], i)
		items = append(items, c.value(item, below, depth+1))
	}
	return items
}

func (c *converter) mapping(n *yaml.Node, pointer string, depth int) any {
	c.checkTag(n, pointer, "!!map")
	members := make(object, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name, ok := c.name(key, pointer)
		if !ok {
			continue
		}
		below := pointer + canon.Pointer(name)
		if _, twice := members[name]; twice {
			c.add(mark{line: key.Line, column: key.Column}, c.paths[pointer], "member %q is there twice, first in line %d", name, c.marks[below].nameLine)
			continue
		}
		c.paths[below] = joinName(c.paths[pointer], name)
		c.marks[below] = mark{nameLine: key.Line, nameColumn: key.Column}
		c.names[pointer] = append(c.names[pointer], name)
		members[name] = c.value(value, below, depth+1)
	}
	return members
}

// name reads a member's name, which must be a string written out.
func (c *converter) name(key *yaml.Node, pointer string) (string, bool) {
	at := mark{line: key.Line, column: key.Column}
	if key.Kind != yaml.ScalarNode {
		c.add(at, c.paths[pointer], "a member's name must be a string")
		return "", false
	}
	if key.Value == "<<" && key.Style == 0 {
		c.add(at, c.paths[pointer], "merge keys (<<) are not part of YAML 1.2")
		return "", false
	}
	value, err := scalar(key)
	if err != nil {
		c.add(at, c.paths[pointer], "%v", err)
		return "", false
	}
	name, ok := value.(string)
	if !ok {
		c.add(at, c.paths[pointer], "a member's name must be a string; put %s in quotes", key.Value)
	}
	return name, ok
}

// checkTag refuses tags but the one that the collection has anyway.
func (c *converter) checkTag(n *yaml.Node, pointer, tag string) {
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != tag {
		c.add(mark{line: n.Line, column: n.Column}, c.paths[pointer], "tag %s is not allowed here", n.Tag)
	}
}
