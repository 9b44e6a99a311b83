package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestQuote bounds how much of a value a message repeats, in characters.
const longestQuote = 60

// leaf says in words what one keyword found wrong. A schema may say it better itself: errorMessage replaces the words of
// any keyword beside it, patternErrorMessage those of pattern; editors know both names.
func (x explainer) leaf(at place) []Violation {
	one := func(format string, args ...any) []Violation {
		return []Violation{{Pointer: at.pointer, Keyword: at.keyword, Message: at.subject() + fmt.Sprintf(format, args...), Name: at.name}}
	}
	if own, ok := memberText(at.holder, "errorMessage"); ok && at.keyword != "additionalProperties" {
		return []Violation{{Pointer: at.pointer, Keyword: at.keyword, Message: own}}
	}
	switch at.keyword {
	case "required":
		return at.missing()
	case "additionalProperties":
		return at.unknown()
	case "type":
		return one("%s", typeMessage(at.instance, listOf(at.value)))
	case "enum", "const":
		return one("%s", enumMessage(at.instance, listOf(at.value)))
	case "pattern":
		if own, ok := memberText(at.holder, "patternErrorMessage"); ok {
			return one("%s %s", show(at.instance), own)
		}
		return one("%s does not match %s", show(at.instance), at.value)
	case "uniqueItems":
		return at.twins()
	case "not":
		return one("%s", at.forbidden())
	case "oneOf":
		return one("fits two of the forms that exclude each other")
	case "dependentRequired":
		return one("member %q is missing beside %q", at.value, at.needs)
	}
	if message, ok := at.bound(); ok {
		return one("%s", message)
	}
	if allowed, ok := at.value.(bool); ok && !allowed {
		return at.refused()
	}
	return one("breaks the rule %q", at.keyword)
}

// subject names what is at fault where it isn't the value itself.
func (at place) subject() string {
	if at.name {
		return "name "
	}
	return ""
}

func (at place) missing() []Violation {
	members := membersOf(at.instance)
	var all []Violation
	for _, name := range listOf(at.value) {
		if _, ok := members[fmt.Sprint(name)]; !ok {
			all = append(all, Violation{Pointer: at.pointer, Keyword: at.keyword, Message: fmt.Sprintf("member %q is missing", name)})
		}
	}
	return all
}

func (at place) unknown() []Violation {
	members := membersOf(at.instance)
	known := membersOf(at.holder["properties"])
	patterns := membersOf(at.holder["patternProperties"])
	allowed := make([]string, 0, len(known))
	for name := range known {
		allowed = append(allowed, name)
	}
	slices.Sort(allowed)
	var all []Violation
	for name := range members {
		if _, ok := known[name]; !ok && !matchesAny(patterns, name) {
			all = append(all, Violation{at.pointer + "/" + point(name), at.keyword, "unknown member " + show(name), allowed, true})
		}
	}
	return all
}

func matchesAny(patterns object, name string) bool {
	for pattern := range patterns {
		if ok, err := regexp.MatchString(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// refused is for a value whose schema is false: a member that is unknown, or known and not allowed in this form.
func (at place) refused() []Violation {
	v := Violation{Pointer: at.pointer, Keyword: at.keyword, Message: "is not allowed here"}
	switch {
	case at.keyword == "unevaluatedProperties":
		v.Message, v.Name = "unknown member "+show(lastName(at.pointer)), true
	case at.keyword == lastName(at.pointer):
		v.Keyword, v.Message, v.Name = "properties", fmt.Sprintf("member %s is not allowed here", show(lastName(at.pointer))), true
	}
	return []Violation{v}
}

// twins names each item that repeats an earlier one.
func (at place) twins() []Violation {
	first := map[string]int{}
	var all []Violation
	for i, item := range listOf(at.instance) {
		// A tree of canon always has a JSON text; map members are written sorted, so equal items have one text.
		text, err := json.Marshal(item)
		if err != nil {
			continue
		}
		if j, ok := first[string(text)]; ok {
			all = append(all, Violation{Pointer: at.pointer + "/" + strconv.Itoa(i), Keyword: at.keyword, Message: fmt.Sprintf("%s is there twice, first as item %d", show(item), j+1)})
			continue
		}
		first[string(text)] = i
	}
	if len(all) == 0 {
		return []Violation{{Pointer: at.pointer, Keyword: at.keyword, Message: "has two equal items"}}
	}
	return all
}

func (at place) forbidden() string {
	rule := membersOf(at.value)
	if value, ok := rule["const"]; ok {
		return "must not be " + show(value)
	}
	if names, ok := rule["required"].([]any); ok {
		return fmt.Sprintf("members %s are not allowed here together", quoteAll(names))
	}
	return show(at.instance) + " is not allowed here"
}

// bound words the keywords that compare a value or a count with a limit.
func (at place) bound() (string, bool) {
	limit := fmt.Sprint(at.value)
	switch at.keyword {
	case "minimum":
		return fmt.Sprintf("%s is below %s", show(at.instance), limit), true
	case "maximum":
		return fmt.Sprintf("%s is above %s", show(at.instance), limit), true
	case "exclusiveMinimum":
		return fmt.Sprintf("%s is not above %s", show(at.instance), limit), true
	case "exclusiveMaximum":
		return fmt.Sprintf("%s is not below %s", show(at.instance), limit), true
	case "multipleOf":
		return fmt.Sprintf("%s is no multiple of %s", show(at.instance), limit), true
	case "minLength", "minItems", "minProperties":
		if limit == "1" {
			return "is empty", true
		}
		return fmt.Sprintf("has %s, at least %s are needed", at.count(), limit), true
	case "maxLength", "maxItems", "maxProperties":
		return fmt.Sprintf("has %s, at most %s allowed", at.count(), areOrIs(limit)), true
	}
	return "", false
}

func areOrIs(limit string) string {
	if limit == "1" {
		return "1 is"
	}
	return limit + " are"
}

func (at place) count() string {
	n, unit := 0, "items"
	switch value := at.instance.(type) {
	case string:
		n, unit = utf8.RuneCountInString(value), "characters"
	case []any:
		n = len(value)
	case object:
		n, unit = len(value), "members"
	}
	if n == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// listOf are the items of an array; any other value is a list of one.
func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

func typeMessage(instance any, wanted []any) string {
	var types []string
	for _, t := range wanted {
		if word := withArticle(fmt.Sprint(t)); !slices.Contains(types, word) {
			types = append(types, word)
		}
	}
	want := strings.Join(types, " or ")
	if number, ok := instance.(json.Number); ok && want == "an integer" {
		return fmt.Sprintf("%s is no integer", number)
	}
	return fmt.Sprintf("is %s, must be %s", typeOf(instance), want)
}

func typeOf(instance any) string {
	switch instance.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

func withArticle(name string) string {
	switch name {
	case "null":
		return name
	case "integer", "object", "array":
		return "an " + name
	}
	return "a " + name
}

func enumMessage(instance any, wanted []any) string {
	if len(wanted) == 1 {
		return fmt.Sprintf("is %s, must be %s", show(instance), show(wanted[0]))
	}
	return fmt.Sprintf("%s is none of %s", show(instance), quoteAll(wanted))
}

func quoteAll(values []any) string {
	var words []string
	for _, value := range values {
		if word := show(value); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// show writes a value as a message repeats it: strings quoted and cut, numbers as written, objects and arrays by type.
func show(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return quote(value)
	case bool:
		return strconv.FormatBool(value)
	case json.Number:
		return value.String()
	}
	return typeOf(value)
}

func quote(text string) string {
	n := 0
	for i := range text {
		if n == longestQuote {
			return strconv.Quote(text[:i] + "…")
		}
		n++
	}
	return strconv.Quote(text)
}
