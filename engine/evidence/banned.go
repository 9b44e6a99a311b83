package evidence

import (
	"strconv"

	"casebook/engine/canon"
)

// object is a JSON object of a tree of [canon.Parse]; this alias is the one place of the package that spells it out.
type object = map[string]any

// isBanned holds the names that no request and no response of the source-only core may carry at any depth
// [A §8, contract 2.14 rule 14]. This is the one file of the package in which they stand.
func isBanned(name string, value any) bool {
	switch name {
	case "answer", "full_synthesis", "claim", "verification", "truth_confidence", "score":
		return true
	case "type":
		return value == "synthesis"
	}
	return false
}

// isSpan says whether an object has exactly the members of a semantic span, the one place for a score of the engine.
func isSpan(members object) bool {
	for _, name := range []string{"start", "end", "text", "score", "within_preview"} {
		if _, ok := members[name]; !ok {
			return false
		}
	}
	return len(members) == 5
}

// CheckBanned finds every banned name in a tree of [canon.Parse], be it of a request, a response or a part of one, in
// the order of the pointers.
func CheckBanned(tree any) []Violation {
	found := bannedBelow(tree, "")
	sortViolations(found)
	return found
}

// bannedBelow gives what it finds in no certain order.
func bannedBelow(tree any, pointer string) []Violation {
	var found []Violation
	switch node := tree.(type) {
	case object:
		for name, value := range node {
			if isBanned(name, value) && !(name == "score" && isSpan(node)) {
				found = append(found, Violation{pointer + canon.Pointer(name), 14, "2.14", "a member that source evidence never has"})
			}
			if isComposite(value) {
				found = append(found, bannedBelow(value, pointer+canon.Pointer(name))...)
			}
		}
	case []any:
		for i, item := range node {
			if isComposite(item) {
				found = append(found, bannedBelow(item, pointer+canon.Pointer(strconv.Itoa(i)))...)
			}
		}
	}
	return found
}

// isComposite says whether anything can stand below a value; the others need no pointer.
func isComposite(value any) bool {
	switch value.(type) {
	case object, []any:
		return true
	}
	return false
}
