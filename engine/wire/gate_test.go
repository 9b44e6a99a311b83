package wire

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckSourceOnly(t *testing.T) {
	const search = "https://a.example/search"
	for _, tt := range []struct {
		name, url, body string
		want            string // of the error, "" for none
	}{
		{"plain", search, `{"q":"x","num":5,"on":true,"none":null,"deep":[[{"a":"b"}]]}`, ""},
		{"no body", search + "?q=x", "", ""},
		{"in process", "local:search", `{"query":"x"}`, ""},
		{"switched off", search, `{"include_answer":false}`, ""},
		{"switched off in other letters", search, `{"Include_Answer":false}`, ""},
		{"the user's words", search, `{"q":"synthesize","query":"provide an answer","objective":"verify the claim","search_queries":["answer the user"],"url":"https://b.example/synthesize","urls":["https://b.example/synthesize"]}`, ""},
		{"the user's words as parameters", search + "?q=synthesize&query=synthesize&url=synthesize", "", ""},
		{"answers on the way", "https://a.example/answer/search", "", ""},

		{"messages", search, `{"messages":[]}`, "outbound request: body /messages: a forbidden member"},
		{"capitals", search, `{"System_Prompt":""}`, "outbound request: body /System_Prompt: a forbidden member"},
		{"deep", search, `{"a":[1,{"b~/c":{"system":null}}]}`, "outbound request: body /a/1/b~0~1c/system: a forbidden member"},
		{"answer", search, `{"answer":false}`, "outbound request: body /answer: a forbidden member"},
		{"synthesis", search, `{"synthesis":false}`, "outbound request: body /synthesis: a forbidden member"},
		{"reasoning", search, `{"reasoning":false}`, "outbound request: body /reasoning: a forbidden member"},
		{"claim", search, `{"claim":false}`, "outbound request: body /claim: a forbidden member"},
		{"verification", search, `{"verification":false}`, "outbound request: body /verification: a forbidden member"},
		{"answers on", search, `{"include_answer":true}`, "outbound request: body /include_answer: a forbidden member"},
		{"off in a word", search, `{"include_answer":"false"}`, "outbound request: body /include_answer: a forbidden member"},
		{"hidden twice", search, `{"include_answer":true,"include_answer":false}`, `outbound request: body: byte 23: duplicate member "include_answer"`},
		{"no JSON", search, `q=x`, "outbound request: body: byte 0: 'q' where a value is expected"},
		{"parameter", search + "?q=x&Include_Answer=false", "", `outbound request: url: parameter "Include_Answer" is forbidden`},
		{"escaped parameter", search + "?%73ystem=x", "", `outbound request: url: parameter "system" is forbidden`},
		{"instruction", search, `{"style":"Please ANSWER the user."}`, "outbound request: body /style: an instruction where an option is expected"},
		{"provide", search, `{"style":"provide an answer"}`, "outbound request: body /style: an instruction where an option is expected"},
		{"synthesize", search, `{"style":["x","Synthesize"]}`, "outbound request: body /style/1: an instruction where an option is expected"},
		{"reason", search, `{"style":"reason step by step"}`, "outbound request: body /style: an instruction where an option is expected"},
		{"verify", search, `{"style":"verify the claim"}`, "outbound request: body /style: an instruction where an option is expected"},
		{"instruction in an escaped letter", search, `{"style":"\u0073ynthesize"}`, "outbound request: body /style: an instruction where an option is expected"},
		{"query below the top", search, `{"a":{"query":"synthesize"}}`, "outbound request: body /a/query: an instruction where an option is expected"},
		{"object for a query", search, `{"query":{"a":"synthesize"}}`, "outbound request: body /query/a: an instruction where an option is expected"},
		{"object in queries", search, `{"urls":[{"a":"synthesize"}]}`, "outbound request: body /urls/0/a: an instruction where an option is expected"},
		{"instruction as a parameter", search + "?q=x&style=synthesize", "", `outbound request: url: parameter "style" holds an instruction`},
		{"chat", "https://a.example/v1/chat/completions", "", "outbound request: url: is that of a service for answers"},
		{"chat in capitals", "https://a.example/v1/Chat/Completions/?x=1", "", "outbound request: url: is that of a service for answers"},
		{"answer service", "https://a.example/answer", "", "outbound request: url: is that of a service for answers"},
		{"no address", "https://a.example/%zz", "", "outbound request: url: can't be taken apart"},
		{"no parameters", search + "?a=%zz", "", "outbound request: url: has a query that can't be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckSourceOnly(Request{URL: tt.url, Body: []byte(tt.body)})
			if tt.want == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			var refused *RefusedError
			if !errors.As(err, &refused) || err.Error() != tt.want {
				t.Errorf("CheckSourceOnly = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestSaysAnswer(t *testing.T) {
	for label, want := range map[string]bool{
		"source_results": false, "web": false, "Answers": true, "deep-reasoning": true, "synthesis": true, "claim": true, "Verification": true,
	} {
		if got := SaysAnswer(label); got != want {
			t.Errorf("SaysAnswer(%q) = %t, want %t", label, got, want)
		}
	}
}

func FuzzCheckSourceOnly(f *testing.F) {
	f.Add("https://a.example/?q=x", `{"q":"x","a":[{}]}`)
	f.Add("local:search", `[]`)
	f.Fuzz(func(t *testing.T, url, body string) {
		if err := CheckSourceOnly(Request{URL: url, Body: []byte(body)}); err != nil {
			return
		}
		// Whatever passes can't hold these members in plain letters.
		for _, name := range []string{`"messages":`, `"system":`, `"answer":`} {
			if strings.Contains(body, name) && !strings.Contains(body, `\`) {
				t.Errorf("%s passes", body)
			}
		}
	})
}
