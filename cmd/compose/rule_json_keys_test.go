package main

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestJSONKeys(t *testing.T) {
	const leaf = "{\n \"name\": \"Bai Háo — \u2028 <&>\",\n \"age\": 10000000000000000001\n}\n"
	testRule(t, "json-keys/1", "keys.json", "", []ruleCase{
		{"the value at a place", pick{At: "/tea/leaf"}, leaf, nil},
		{
			"keys in the order of the recipe, members in that of the source", pick{Keys: []string{"/tea/cup", "/b~1c"}},
			"{\n \"tea/cup\": \"\\\"\\\\\\u0001\",\n \"b/c\": {\n  \"z\": 1.50,\n  \"a\": [\n   true,\n   null,\n   {},\n   []\n  ],\n  \"long\": \"line\\nend\"\n }\n}\n", nil,
		},
		{"keys below a place", pick{At: "/tea/leaf", Keys: []string{"/age"}}, "{\n \"age\": 10000000000000000001\n}\n", nil},
		{"through an array", pick{At: "/b~1c/a/0"}, "true\n", nil},
		{"objects in an array", pick{At: "/list"}, "[\n {\n  \"a\": [\n   {\n    \"b\": 1\n   },\n   2\n  ]\n }\n]\n", nil},
		{"past an array", pick{At: "/b~1c/a/4"}, "", nil},
		{"an index with a zero before it", pick{At: "/b~1c/a/00"}, "", nil},
		{"no such place", pick{At: "/coffee"}, "", nil},
		{"no such key", pick{Keys: []string{"/coffee"}}, "", nil},
		{"a key twice", pick{Keys: []string{"/tea", "/tea"}}, "", nil},
		{"the whole as a key", pick{Keys: []string{""}}, "", nil},
		{"no pointer", pick{At: "xtea"}, "", nil},
		{"no pointer as a key", pick{Keys: []string{"xtea"}}, "", nil},
	})
}

func TestQuoteJSON(t *testing.T) {
	for text, want := range map[string]string{
		`a "b" \ /`:         `"a \"b\" \\ /"`,
		"a\nb\tc\rd":        `"a\nb\tc\rd"`,
		"\b\f\x00\x1f":      `"\u0008\u000c\u0000\u001f"`,
		"\x20\x7f é\u2029🍵": "\"\x20\x7f é\u2029🍵\"",
	} {
		if got := quoteJSON(text); got != want {
			t.Errorf("quoteJSON(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestParseJSONRefuses(t *testing.T) {
	for _, text := range []string{"", "{", "[1", `{"a": 1, "a": 2}`, "1 2", "{} x", `{"a"}`} {
		if _, err := parseJSON([]byte(text)); err == nil {
			t.Errorf("parseJSON(%q) is fine, want an error", text)
		}
	}
}

// FuzzJSON holds the ordered reader against encoding/json: what it writes means the same, and written twice it is the
// same bytes.
func FuzzJSON(f *testing.F) {
	f.Add(`{"b": [1.50, {"a": null}], "é\u2028": "\"\\\u0001"}`)
	f.Add(`[]`)
	f.Add(`"<&>"`)
	f.Fuzz(func(t *testing.T, text string) {
		value, err := parseJSON([]byte(text))
		if err != nil {
			return
		}
		var first extract
		if first, err = cutJSONKeys(source{data: []byte(text)}, pick{}); err != nil || value == nil {
			t.Fatal(err)
		}
		second, err := cutJSONKeys(source{data: []byte(first.text)}, pick{})
		if err != nil || second.text != first.text {
			t.Fatalf("%q came back as %q, %v", first.text, second.text, err)
		}
		var want, got any
		if json.Unmarshal([]byte(text), &want) == nil {
			if err := json.Unmarshal([]byte(first.text), &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q means %v, want %v (%v)", first.text, got, want, err)
			}
		}
	})
}
