package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines writes violations one a line, as the tests below expect them.
func lines(violations []Violation) string {
	var out strings.Builder
	for _, v := range violations {
		fmt.Fprintf(&out, "%s [%s] %s\n", v.Pointer, v.Keyword, v.Message)
	}
	return out.String()
}

func tree(t *testing.T, text string) any {
	t.Helper()
	parsed, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return parsed
}

func TestMessages(t *testing.T) {
	for _, tt := range []struct{ name, schema, document, want string }{
		{"fits", `{"type":"object","required":["a"]}`, `{"a":1}`, ""},
		{"minimum", `{"minimum":1}`, `0`, " [minimum] 0 is below 1\n"},
		{"maximum", `{"maximum":50}`, `51.5`, " [maximum] 51.5 is above 50\n"},
		{"exclusive minimum", `{"exclusiveMinimum":0}`, `0`, " [exclusiveMinimum] 0 is not above 0\n"},
		{"exclusive maximum", `{"exclusiveMaximum":2}`, `2`, " [exclusiveMaximum] 2 is not below 2\n"},
		{"multiple", `{"multipleOf":2}`, `3`, " [multipleOf] 3 is no multiple of 2\n"},
		{"type", `{"type":"integer"}`, `"a"`, " [type] is a string, must be an integer\n"},
		{"fraction", `{"type":"integer"}`, `1.5`, " [type] 1.5 is no integer\n"},
		{"types", `{"type":["string","null"]}`, `[]`, " [type] is an array, must be a string or null\n"},
		{"null", `{"type":"object"}`, `null`, " [type] is null, must be an object\n"},
		{"boolean", `{"type":"array"}`, `true`, " [type] is a boolean, must be an array\n"},
		{"object", `{"type":"boolean"}`, `{}`, " [type] is an object, must be a boolean\n"},
		{"enum", `{"enum":["a","b",null,true,1]}`, `"x"`, ` [enum] "x" is none of "a", "b", null, true, 1` + "\n"},
		{"const", `{"const":"3.0"}`, `"2.0"`, ` [const] is "2.0", must be "3.0"` + "\n"},
		{"required", `{"required":["id","a"]}`, `{"a":1}`, ` [required] member "id" is missing` + "\n"},
		{"two missing", `{"required":["id","a"]}`, `{}`, ` [required] member "a" is missing` + "\n" + ` [required] member "id" is missing` + "\n"},
		{"unknown", `{"properties":{"a":true},"patternProperties":{"^x-":true},"additionalProperties":false}`, `{"a":1,"x-b":2,"c/d~":3,"e":4}`,
			`/c~1d~0 [additionalProperties] unknown member "c/d~"` + "\n" + `/e [additionalProperties] unknown member "e"` + "\n"},
		{"odd names", `{"properties":{"ä b%20":{"minimum":1}}}`, `{"ä b%20":0}`, "/ä b%20 [minimum] 0 is below 1\n"},
		{"names with pointer signs", `{"properties":{"a~b/c":{"minimum":1}}}`, `{"a~b/c":0}`, "/a~0b~1c [minimum] 0 is below 1\n"},
		{"sorted by pointer", `{"allOf":[{"properties":{"b":{"minimum":1}}},{"properties":{"a":{"items":{"minimum":1}}}}]}`, `{"a":[1,0],"b":0}`, "/a/1 [minimum] 0 is below 1\n/b [minimum] 0 is below 1\n"},
		{"nothing is allowed", `{"if":true,"then":false}`, `1`, " [then] is not allowed here\n"},
		{"empty string", `{"minLength":1}`, `""`, " [minLength] is empty\n"},
		{"short", `{"minLength":3}`, `"é"`, " [minLength] has 1 character, at least 3 are needed\n"},
		{"long", `{"maxLength":1}`, `"éé"`, " [maxLength] has 2 characters, at most 1 is allowed\n"},
		{"empty array", `{"minItems":1}`, `[]`, " [minItems] is empty\n"},
		{"few items", `{"minItems":2}`, `[1]`, " [minItems] has 1 item, at least 2 are needed\n"},
		{"many items", `{"maxItems":2}`, `[1,2,3]`, " [maxItems] has 3 items, at most 2 are allowed\n"},
		{"empty object", `{"minProperties":1}`, `{}`, " [minProperties] is empty\n"},
		{"many members", `{"maxProperties":1}`, `{"a":1,"b":2}`, " [maxProperties] has 2 members, at most 1 is allowed\n"},
		{"pattern", `{"pattern":"^a$"}`, `"b"`, ` [pattern] "b" does not match ^a$` + "\n"},
		{"own words for a pattern", `{"pattern":"^a$","patternErrorMessage":"is no a"}`, `"b"`, ` [pattern] "b" is no a` + "\n"},
		{"own words", `{"const":1,"errorMessage":"is not the one"}`, `2`, " [const] is not the one\n"},
		{"long text is cut", `{"enum":["a","b"]}`, `"` + strings.Repeat("é", 61) + `"`, ` [enum] "` + strings.Repeat("é", 60) + `…" is none of "a", "b"` + "\n"},
		{"name", `{"propertyNames":{"pattern":"^a$"}}`, `{"b":1}`, `/b [pattern] name "b" does not match ^a$` + "\n"},
		{"twins", `{"uniqueItems":true}`, `["a",{"x":1,"y":2},"a",{"y":2,"x":1},"a"]`,
			`/2 [uniqueItems] "a" is there twice, first as item 1` + "\n" + "/3 [uniqueItems] an object is there twice, first as item 2\n" + `/4 [uniqueItems] "a" is there twice, first as item 1` + "\n"},
		{"twins of two spellings", `{"uniqueItems":true}`, `[1,1.0]`, " [uniqueItems] has two equal items\n"},
		{"not a value", `{"not":{"const":"auto"}}`, `"auto"`, ` [not] must not be "auto"` + "\n"},
		{"not together", `{"not":{"required":["a","b"]}}`, `{"a":1,"b":2}`, ` [not] members "a", "b" are not allowed here together` + "\n"},
		{"not otherwise", `{"not":{"minimum":3}}`, `4`, " [not] 4 is not allowed here\n"},
		{"member refused", `{"properties":{"urls":false}}`, `{"urls":1}`, `/urls [properties] member "urls" is not allowed here` + "\n"},
		{"item refused", `{"prefixItems":[true],"items":false}`, `[1,2]`, "/1 [items] is not allowed here\n"},
		{"contains", `{"contains":{"const":1}}`, `[2]`, " [contains] has no item of the form that is needed\n"},
		{"needs another", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, ` [dependentRequired] member "b" is missing beside "a"` + "\n"},
		{"indexes sort as numbers", `{"items":{"minimum":1}}`, `[1,1,0,1,1,1,1,1,1,1,0]`, "/2 [minimum] 0 is below 1\n/10 [minimum] 0 is below 1\n"},
		{"said once", `{"allOf":[{"minimum":1},{"minimum":1}]}`, `0`, " [minimum] 0 is below 1\n"},
		{"unevaluated", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, `/b [unevaluatedProperties] unknown member "b"` + "\n"},
		{"unevaluated beside a fault", `{"allOf":[{"properties":{"a":{"minimum":1}}}],"unevaluatedProperties":false}`, `{"a":0}`, "/a [minimum] 0 is below 1\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lines(against(t, tt.schema, tt.document))
			if got != tt.want {
				t.Errorf("%s against %s:\n%swant:\n%s", tt.document, tt.schema, got, tt.want)
			}
		})
	}
}

// against checks a document with a schema of the test's own, beside which other.schema.json can be referred to.
func against(t *testing.T, schema, document string) []Violation {
	t.Helper()
	sources := map[string]string{
		"own.schema.json":   schema,
		"other.schema.json": `{"$id":"https://casebook.example/other.schema.json","$defs":{"positive":{"minimum":1}}}`,
	}
	read := func(name string) ([]byte, error) {
		if source, ok := sources[name]; ok {
			return []byte(source), nil
		}
		return nil, fs.ErrNotExist
	}
	c, err := compile(read, "own.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	violations, err := c.check(tree(t, document))
	if err != nil {
		t.Fatal(err)
	}
	return violations
}

func TestAlternatives(t *testing.T) {
	const kinds = `{"oneOf":[
		{"type":"object","required":["n"],"properties":{"kind":{"const":"a"},"n":{"minimum":1}}},
		{"type":"object","required":["t"],"properties":{"kind":{"const":"b"},"t":{"type":"string"}}},
		{"type":"string"}]}`
	for _, tt := range []struct{ name, schema, document, want string }{
		{"types are joined", `{"anyOf":[{"type":"string"},{"type":"null"},{"type":["null","array"]}]}`, `1`, " [type] is a number, must be a string or null or an array\n"},
		{"words are joined", `{"anyOf":[{"const":"a"},{"enum":["b","c"]}]}`, `"x"`, ` [enum] "x" is none of "a", "b", "c"` + "\n"},
		{"missing members are joined", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, ` [required] has none of the members "a", "b"` + "\n"},
		{"the kind chooses", kinds, `{"kind":"b","n":0}`, ` [required] member "t" is missing` + "\n"},
		{"the kind chooses over fewer faults", `{"oneOf":[{"properties":{"kind":{"const":"a"}}},{"required":["t","u"],"properties":{"kind":{"enum":["b","c"]}}}]}`, `{"kind":"b"}`,
			` [required] member "t" is missing` + "\n" + ` [required] member "u" is missing` + "\n"},
		{"the other kind", kinds, `{"kind":"a","n":0,"t":1}`, "/n [minimum] 0 is below 1\n"},
		{"two fit", `{"oneOf":[{"type":"number"},{"minimum":1}]}`, `2`, ` [oneOf] fits two of the forms that exclude each other` + "\n"},
		{"the branch that applies", `{"if":{"properties":{"k":{"const":1}}},"then":{"required":["a"]},"else":{"required":["b"]}}`, `{"k":2}`, ` [required] member "b" is missing` + "\n"},
		{"through a reference", `{"properties":{"a":{"$ref":"other.schema.json#/$defs/positive"}}}`, `{"a":0}`, "/a [minimum] 0 is below 1\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := lines(against(t, tt.schema, tt.document)); got != tt.want {
				t.Errorf("%s against %s:\n%swant:\n%s", tt.document, tt.schema, got, tt.want)
			}
		})
	}
}

func TestUnknownNamesWhatIsAllowed(t *testing.T) {
	got := against(t, `{"properties":{"b":true,"a":true},"additionalProperties":false}`, `{"c":1}`)
	want := []Violation{{"/c", "additionalProperties", `unknown member "c"`, []string{"a", "b"}, true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Nothing outside the embedded files can be reached by a reference.
func TestCompileStaysInside(t *testing.T) {
	read := func(name string) ([]byte, error) {
		if name == "own.schema.json" {
			return []byte(`{"$ref":"https://elsewhere.example/x.schema.json"}`), nil
		}
		return nil, fs.ErrNotExist
	}
	if _, err := compile(read, "own.schema.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("compile = %v, want that the other schema does not exist", err)
	}
}

func TestNamesAndSources(t *testing.T) {
	names := Names()
	for _, want := range []string{"case", "casebook", "request-v3"} {
		if !contains(names, want) {
			t.Errorf("Names() = %v, without %q", names, want)
		}
	}
	for i, name := range names {
		if i > 0 && names[i-1] >= name {
			t.Errorf("Names() = %v, not sorted", names)
		}
		source, ok := Source(name)
		if !ok || !json.Valid(source) {
			t.Errorf("Source(%q) = %.40q, %v", name, source, ok)
		}
		// Every schema is an object with required members, so an array fits none.
		if got, err := Check(name, []any{}); err != nil || len(got) == 0 {
			t.Errorf("Check(%q, []) = %v, %v, want violations", name, got, err)
		}
	}
	if _, ok := Source("../schema/case"); ok {
		t.Error("Source took a path")
	}
	if _, err := Check("nothing", nil); fmt.Sprint(err) != `schema "nothing": there is none of that name` {
		t.Errorf("Check of an unknown schema: %v", err)
	}
	if _, err := Check("case", struct{}{}); err == nil {
		t.Error("Check took a Go struct for a tree")
	}
}

func contains(list []string, word string) bool {
	for _, other := range list {
		if other == word {
			return true
		}
	}
	return false
}

// With -race this shows that the table and the schemas may be asked for by several at once.
func TestCheckConcurrently(t *testing.T) {
	var wait sync.WaitGroup
	document := tree(t, `{"contract_version":"3.0","capability":"search","input":{"query":"a"}}`)
	for range 8 {
		wait.Go(func() {
			if got, err := Check("request-v3", document); err != nil || len(got) > 0 {
				t.Errorf("Check = %v, %v", got, err)
			}
		})
	}
	wait.Wait()
}
