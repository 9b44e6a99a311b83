package schema

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Violation is one way in which a document breaks its schema.
type Violation struct {
	Pointer string   // RFC 6901, of the value at fault; of the object for a missing member, of the member itself for an unknown one
	Keyword string   // of JSON Schema that was broken: "minimum", "required", "additionalProperties" and so on
	Message string   // in plain words, without the pointer: "0 is below 1"
	Allowed []string // for an unknown member: the names that the object may have, sorted
	Name    bool     // the name of the member at Pointer is at fault, not its value
}

// explainer turns the library's tree of errors into violations.
type explainer struct {
	texts object // URL to schema
	tree  any
}

func explain(texts object, tree any, top *jsonschema.ValidationError) []Violation {
	x := explainer{texts, tree}
	all := withoutEchoes(x.walk(top))
	slices.SortStableFunc(all, func(a, b Violation) int {
		// Of two that say the same, the one that allows less is of the form that applies.
		return cmp.Or(comparePointers(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message), cmp.Compare(len(a.Allowed), len(b.Allowed)))
	})
	return slices.CompactFunc(all, func(a, b Violation) bool { return a.Pointer == b.Pointer && a.Message == b.Message })
}

// withoutEchoes drops "unevaluated" faults of objects that have another fault: a branch that fails says nothing about
// its members, so the library takes all of them for unknown.
func withoutEchoes(all []Violation) []Violation {
	real := map[string]bool{}
	for _, v := range all {
		if v.Keyword != "unevaluatedProperties" {
			for p := v.Pointer; ; p = parent(p) {
				real[p] = true
				if p == "" {
					break
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(v Violation) bool {
		return v.Keyword == "unevaluatedProperties" && real[parent(v.Pointer)]
	})
}

// walk returns the violations at the leaves below err.
func (x explainer) walk(err *jsonschema.ValidationError) []Violation {
	at := x.locate(err)
	if len(err.Causes) == 0 {
		return x.leaf(at)
	}
	// The keyword ends the location; behind a number it is a group of faults of one branch.
	switch {
	case strings.HasSuffix(err.AbsoluteKeywordLocation, "/anyOf"), strings.HasSuffix(err.AbsoluteKeywordLocation, "/oneOf"):
		return x.alternatives(at, err.Causes)
	case strings.HasSuffix(err.AbsoluteKeywordLocation, "/minContains"):
		return []Violation{{Pointer: at.pointer, Keyword: "contains", Message: "has no item of the form that is needed"}}
	}
	return x.walkAll(err.Causes)
}

func (x explainer) walkAll(causes []*jsonschema.ValidationError) []Violation {
	var all []Violation
	for _, cause := range causes {
		all = append(all, x.walk(cause)...)
	}
	return all
}

// alternatives says what is wrong with a value that fits none of several forms. Where all forms want another type or
// another word at one place, their wishes are joined; elsewhere the form that comes closest speaks.
func (x explainer) alternatives(at place, causes []*jsonschema.ValidationError) []Violation {
	branches := make([][]Violation, len(causes))
	for i, cause := range causes {
		branches[i] = x.walk(cause)
	}
	if joined, ok := x.join(at, causes); ok {
		return []Violation{joined}
	}
	return slices.MinFunc(branches, func(a, b []Violation) int {
		return cmp.Or(cmp.Compare(distance(at.pointer, a), distance(at.pointer, b)), cmp.Compare(len(a), len(b)))
	})
}

// distance is large for a form that is ruled out by its type or by a word that marks it, and 0 otherwise.
func distance(pointer string, branch []Violation) int {
	far := 0
	for _, v := range branch {
		switch {
		case v.Pointer == pointer && v.Keyword == "type":
			far += 2
		case (v.Keyword == "const" || v.Keyword == "enum") && (v.Pointer == pointer || parent(v.Pointer) == pointer):
			far++
		}
	}
	return far
}

// join joins branches that each fail by one leaf of one keyword at one place.
func (x explainer) join(at place, causes []*jsonschema.ValidationError) (Violation, bool) {
	var keyword string
	var wanted []any
	for _, cause := range causes {
		leaf := cause
		for len(leaf.Causes) == 1 {
			leaf = leaf.Causes[0]
		}
		found := x.locate(leaf)
		word := found.keyword
		if word == "const" {
			word = "enum"
		}
		if len(leaf.Causes) > 0 || found.pointer != at.pointer || keyword != "" && word != keyword {
			return Violation{}, false
		}
		keyword = word
		if list, ok := found.value.([]any); ok {
			wanted = append(wanted, list...)
		} else {
			wanted = append(wanted, found.value)
		}
	}
	switch keyword {
	case "type":
		return Violation{Pointer: at.pointer, Keyword: keyword, Message: typeMessage(at.instance, wanted)}, true
	case "enum":
		return Violation{Pointer: at.pointer, Keyword: keyword, Message: enumMessage(at.instance, wanted)}, true
	case "required":
		return Violation{Pointer: at.pointer, Keyword: keyword, Message: "has none of the members " + quoteAll(wanted)}, true
	}
	return Violation{}, false
}

// place is where an error of the library stands: in the document, and in the schema.
type place struct {
	pointer  string // into the document
	instance any    // the value there
	keyword  string // the last name in the schema that isn't an index
	value    any    // of the keyword in the schema
	holder   object // the schema that holds the keyword, nil if unknown
	needs    string // for dependentRequired: the member that needs the missing one
	name     bool   // the value at fault is the member's name, not its value
}

func (x explainer) locate(err *jsonschema.ValidationError) place {
	at := place{pointer: unescape(err.InstanceLocation)}
	at.instance = lookup(x.tree, at.pointer)
	for _, word := range strings.Split(err.KeywordLocation, "/") {
		at.name = at.name || word == "propertyNames"
	}
	file, fragment, inside := strings.Cut(err.AbsoluteKeywordLocation, "#")
	if !inside {
		return at
	}
	fragment = unescape(fragment)
	at.value = lookup(x.texts[file], fragment)
	up := parent(fragment)
	at.keyword = fragment[len(up):]
	if _, isIndex := strconv.Atoi(strings.TrimPrefix(at.keyword, "/")); isIndex == nil {
		up, at.keyword = parent(up), strings.TrimPrefix(up, parent(up))
	}
	at.keyword = strings.TrimPrefix(at.keyword, "/")
	if above := parent(up); strings.HasSuffix(up, "/dependentRequired") {
		at.keyword, at.needs, up = "dependentRequired", at.keyword, above
	}
	at.holder = membersOf(lookup(x.texts[file], up))
	if at.name {
		at.instance = lastName(at.pointer)
	}
	return at
}

// unescape undoes the percent-encoding that the library adds to pointers.
func unescape(pointer string) string {
	if plain, err := url.PathUnescape(pointer); err == nil {
		return plain
	}
	return pointer
}

func parent(pointer string) string {
	if i := strings.LastIndexByte(pointer, '/'); i >= 0 {
		return pointer[:i]
	}
	return ""
}

func lastName(pointer string) string {
	return unpoint(pointer[strings.LastIndexByte(pointer, '/')+1:])
}

func unpoint(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

func point(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~", "~0"), "/", "~1")
}

// membersOf are those of an object, none for any other value.
func membersOf(value any) object {
	if members, ok := value.(object); ok {
		return members
	}
	return nil
}

// lookup follows a pointer, to nil where it leads nowhere.
func lookup(tree any, pointer string) any {
	if pointer == "" {
		return tree
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if list, ok := tree.([]any); ok {
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(list) {
				return nil
			}
			tree = list[i]
			continue
		}
		tree = membersOf(tree)[unpoint(part)]
	}
	return tree
}

// comparePointers sorts as a reader walks the document's names: part by part, indexes as numbers.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		i, errA := strconv.Atoi(a)
		j, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			return cmp.Compare(i, j)
		}
		return strings.Compare(a, b)
	})
}
