package casefile

import (
	"fmt"
	"strings"

	"casebook/engine/canon"
	"casebook/schema"
)

// value is a place in a document. A value that isn't there answers every question with nothing, so that the rules
// below can look at a document whose shape is wrong elsewhere and report all its faults in one go.
type value struct {
	d       *document
	pointer string
	node    any
	present bool
}

func (d *document) root() value { return value{d, "", d.tree, d.tree != nil} }

// get is the member of an object.
func (v value) get(names ...string) value {
	for _, name := range names {
		members, ok := v.node.(object)
		node, found := members[name]
		v = value{v.d, v.pointer + canon.Pointer(name), node, ok && found}
	}
	return v
}

// items are those of an array.
func (v value) items() []value {
	list, ok := v.node.([]any)
	if !ok {
		return nil
	}
	all := make([]value, len(list))
	for i, node := range list {
		all[i] = value{v.d, v.pointer + canon.Pointer(fmt.Sprint(i)), node, true}
	}
	return all
}

// members are those of an object, in the order of the file.
func (v value) members() []member {
	if _, ok := v.node.(object); !ok {
		return nil
	}
	var all []member
	for _, name := range v.d.names[v.pointer] {
		all = append(all, member{name, v.get(name)})
	}
	return all
}

// member is one of an object.
type member struct {
	name string
	value
}

// text is a string, "" for anything else.
func (v value) text() string {
	s, ok := v.node.(string)
	if !ok {
		return ""
	}
	return s
}

// mark is the place of the value in the file.
func (v value) mark() mark { return v.d.marks[v.pointer] }

// fault reports something about the value.
func (v value) fault(format string, args ...any) {
	v.d.add(v.mark(), v.d.paths[v.pointer], format, args...)
}

// checkShape holds the document against a schema. A missing member is reported where its object begins, an unknown one
// where its name stands.
func (d *document) checkShape(name string) error {
	violations, err := schema.Check(name, d.tree)
	if err != nil {
		return err
	}
	for _, v := range violations {
		d.violation(v)
	}
	return nil
}

func (d *document) violation(v schema.Violation) {
	at, known := d.marks[v.Pointer]
	if !known {
		at = d.marks[""]
	}
	path, message := d.paths[v.Pointer], v.Message
	if v.Name {
		at = mark{line: at.nameLine, column: at.nameColumn}
		path = d.paths[parentOf(v.Pointer)]
	}
	if len(v.Allowed) > 0 {
		message += ", allowed are " + strings.Join(v.Allowed, ", ")
	}
	d.add(at, path, "%s", message)
}

func parentOf(pointer string) string { return pointer[:max(0, strings.LastIndexByte(pointer, '/'))] }
