package casefile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const name = "cases/x/case.yaml"

// whole is a case without fault; tests change one line of it.
const whole = `casebook: 1
id: x
title: {en: Samoa skips a day, zh-CN: 萨摩亚跳过一天}
question: {en: "Which day?"}
as_of: 2026-11-30T12:00:00Z
tags: [time-zones, no]
sources:
  - {name: tz database, url: "https://www.iana.org/time-zones", licence: public domain}
corpora:
  tz: {path: corpus}
  b: {path: more/of-it}
steps:
  - id: find
    kind: search
    corpus: tz
    request:
      input: {query: Apia}
      options: {max_results: 5}
      routing: {mode: fixed, provider: local}
    expect:
      - {rank: 1, url: "https://a.example/", note: the first}
      - {results: 0}
      - {cluster: ["https://a.example/", "https://b.example/"]}
      - {status: ok}
      - {attempt: local, outcome: skipped, tries: 0, skip_reason: disabled}
      - {warning: wsp.cache.served_stale}
      - {action: truncated_by_limit, reason: max_results, url: "https://a.example/"}
  - id: record
    kind: extract
    corpus: tz
    request:
      input: {urls: ["https://a.example/"]}
      routing: {provider: local}
    expect:
      - quote: |
          two
          lines
        in: text
        rank: 2
        count: 1
        at: [0, 9]
contested:
  - between: ["[a](evidence:find/1#title)", "[b](evidence:find/2#title)"]
    note: they differ
    resolved: {by: {en: a count, zh-CN: 数}, note: {en: so}}
redact: {rules: {email: false, cookie: true}}
`

// with is the whole case with one text replaced.
func with(t *testing.T, from, to string) string {
	t.Helper()
	if strings.Count(whole, from) != 1 {
		t.Fatalf("%q is not once in the whole case", from)
	}
	return strings.Replace(whole, from, to, 1)
}

func joined(faults []Fault) string {
	var out strings.Builder
	for _, f := range faults {
		out.WriteString(f.String() + "\n")
	}
	return out.String()
}

func TestParse(t *testing.T) {
	c, faults := Parse(name, []byte(whole))
	if len(faults) > 0 {
		t.Fatal(joined(faults))
	}
	zero, one := 0, 1
	c.tree = nil
	want := &Case{
		ID: "x", AsOf: "2026-11-30T12:00:00Z", Tags: []string{"time-zones", "no"}, YAML: []byte(whole),
		Title:    Text{{"en", "Samoa skips a day"}, {"zh-CN", "萨摩亚跳过一天"}},
		Question: Text{{"en", "Which day?"}},
		Sources:  []Source{{"tz database", "https://www.iana.org/time-zones", "public domain"}},
		Corpora:  []Corpus{{"tz", "corpus", 10, 7}, {"b", "more/of-it", 11, 6}},
		Steps: []Step{
			{ID: "find", Kind: "search", Corpus: "tz", Line: 13, Column: 5,
				Request: []byte(`{"capability":"search","contract_version":"3.0","input":{"query":"Apia"},"options":{"max_results":5},"routing":{"mode":"fixed","provider":"local"}}`),
				Expect: []Expect{
					{Rank: 1, URL: "https://a.example/", Note: "the first", Line: 21, Column: 9},
					{Results: &zero, Line: 22, Column: 9},
					{Cluster: []string{"https://a.example/", "https://b.example/"}, Line: 23, Column: 9},
					{Status: "ok", Line: 24, Column: 9},
					{Attempt: "local", Outcome: "skipped", Tries: &zero, SkipReason: "disabled", Line: 25, Column: 9},
					{Warning: "wsp.cache.served_stale", Line: 26, Column: 9},
					{Action: "truncated_by_limit", Reason: "max_results", URL: "https://a.example/", Line: 27, Column: 9},
				}},
			{ID: "record", Kind: "extract", Corpus: "tz", Line: 28, Column: 5,
				Request: []byte(`{"capability":"extract","contract_version":"3.0","input":{"urls":["https://a.example/"]},"routing":{"provider":"local"}}`),
				Expect: []Expect{
					{Quote: "two\nlines\n", In: "text", Rank: 2, Count: &one, At: &[2]int{0, 9}, Line: 35, Column: 9},
				}},
		},
		Contested: []Contest{{
			Between: [2]string{"[a](evidence:find/1#title)", "[b](evidence:find/2#title)"}, Note: Text{{"en", "they differ"}},
			Resolved: &Resolution{By: Text{{"en", "a count"}, {"zh-CN", "数"}}, Note: Text{{"en", "so"}}}, Line: 43, Column: 5,
		}},
		Redact: Redact{Rules: map[string]bool{"email": false, "cookie": true}},
	}
	if diff := cmp.Diff(want, c, cmp.AllowUnexported(Case{})); diff != "" {
		t.Error(diff)
	}
}

func TestJSON(t *testing.T) {
	const file = "casebook: 0x1\nid: x\ntitle: {zh-CN: b, en: a}\nquestion: {zh-CN: 问, en: q}\nas_of: 2026-11-30T12:00:00Z\n" +
		"steps:\n  - {id: a, kind: search, request: {input: {query: no}, options: {max_results: 0o5, research_time_budget: 1.50}}}\n"
	c, faults := Parse(name, []byte(file))
	if len(faults) > 0 {
		t.Fatal(joined(faults))
	}
	const want = `{"as_of":"2026-11-30T12:00:00Z","casebook":1,"id":"x","question":{"en":"q","zh-CN":"问"},"steps":[{"id":"a","kind":"search",` +
		`"request":{"input":{"query":"no"},"options":{"max_results":5,"research_time_budget":1.5}}}],"title":{"en":"a","zh-CN":"b"}}` + "\n"
	if got, err := c.JSON(); err != nil || string(got) != want {
		t.Errorf("JSON = %s, %v, want %s", got, err, want)
	}
}

func TestTextIn(t *testing.T) {
	text := Text{{"en", "a"}, {"zh-CN", "b"}}
	for _, tt := range []struct{ lang, text, in string }{{"en", "a", "en"}, {"zh-cn", "b", "zh-CN"}, {"fr", "a", "en"}} {
		if got, lang := text.In(tt.lang); got != tt.text || lang != tt.in {
			t.Errorf("In(%q) = %q, %q, want %q, %q", tt.lang, got, lang, tt.text, tt.in)
		}
	}
	if got, lang := Text(nil).In("en"); got != "" || lang != "" {
		t.Errorf("In of no text = %q, %q", got, lang)
	}
}

// Each row breaks the whole case in one way.
func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"version", "casebook: 1", "casebook: 2", ":1:11: casebook: is 2, must be 1"},
		{"member missing", "question: {en: \"Which day?\"}\n", "", `:1:1: member "question" is missing`},
		{"member missing deeper", "      input: {query: Apia}\n", "      input: {}\n", `:17:14: steps[0].request.input: member "query" is missing`},
		{"unknown member", "tags:", "tag:", `:6:1: unknown member "tag", allowed are as_of, casebook, contested, corpora, id, question, redact, sources, steps, tags, title`},
		{"unknown member deeper", "max_results: 5", "max_result: 5", `:18:17: steps[0].request.options: unknown member "max_result", allowed are depth, exclude_domains, freshness, include_domains, locale, max_results, mode, quality_report, research_time_budget, search_type, time_range`},
		{"bound", "max_results: 5", "max_results: 0", ":18:30: steps[0].request.options.max_results: 0 is below 1"},
		{"type", "max_results: 5", "max_results: five", ":18:30: steps[0].request.options.max_results: is a string, must be an integer"},
		{"a leading zero is decimal", "max_results: 5", "max_results: 0777", ":18:30: steps[0].request.options.max_results: 777 is above 50"},
		{"duplicate member", "tags: [", "id: y\ntags: [", `:6:1: member "id" is there twice, first in line 2`},
		{"duplicate by quotes", "{query: Apia}", `{query: Apia, "query": b}`, `:17:28: steps[0].request.input: member "query" is there twice, first in line 17`},
		{"id", "id: x", "id: X_y", `:2:5: id: "X_y" is no id: a-z, 0-9 and "-", not first "-", at most 64 characters`},
		{"id too long", "id: x", "id: " + strings.Repeat("a", 65), `:2:5: id: "` + strings.Repeat("a", 60) + `…" is no id: a-z, 0-9 and "-", not first "-", at most 64 characters`},
		{"reserved id", "id: x", "id: com7", `:2:5: id: is a reserved name on Windows, so no folder can have it there`},
		{"reserved step", "id: find", "id: aux", `:13:9: steps[0].id: is a reserved name on Windows, so no folder can have it there`},
		{"tag in another spelling", "zh-CN: 萨", "zh-cn: 萨", `:3:32: title: language tag "zh-cn" must be written "zh-CN"`},
		{"tag with an underscore", "zh-CN: 萨", "zh_CN: 萨", `:3:32: title: language tag "zh_CN" must be written "zh-CN"`},
		{"old tag", "zh-CN: 萨", "iw: 萨", `:3:32: title: language tag "iw" must be written "he"`},
		{"no tag", "zh-CN: 萨", "chinese: 萨", `:3:32: title: "chinese" is no language tag (BCP 47), such as "en" or "zh-CN"`},
		{"tag of a note", "{en: so}", "{EN: so}", `:45:52: contested[0].resolved.note: language tag "EN" must be written "en"`},
		{"first languages", `{en: "Which day?"}`, `{zh-CN: "哪一天？"}`, `:4:11: question: its first language is "zh-CN", that of title is "en"`},
		{"title of two lines", "en: Samoa skips a day", `en: "a\nb"`, `:3:13: title.en: "a\nb" is blank or has a line break`},
		{"blank question", `{en: "Which day?"}`, `{en: "\u3000"}`, `:4:16: question.en: "\u3000" is blank`},
		{"time zone", "T12:00:00Z", "T12:00:00+00:00", `:5:8: as_of: "2026-11-30T12:00:00+00:00" is no RFC 3339 time in UTC, such as 2026-11-30T12:00:00Z`},
		{"no such day", "2026-11-30T", "2026-11-31T", `:5:8: as_of: "2026-11-31T12:00:00Z" is no time that exists`},
		{"tag twice", "[time-zones, no]", "[no, no]", `:6:12: tags[1]: "no" is there twice, first as item 1`},
		{"source without web address", `"https://www.iana.org/time-zones"`, "iana.org", `:8:30: sources[0].url: "iana.org" does not begin with http:// or https://, or has a blank`},
		{"corpus outside", "more/of-it", "../more", `:11:13: corpora.b.path: "../more" is outside the case's folder`},
		{"corpus outside by a detour", "more/of-it", "more/../../of-it", `:11:13: corpora.b.path: "more/../../of-it" is outside the case's folder`},
		{"absolute corpus", "more/of-it", "/etc", `:11:13: corpora.b.path: "/etc" must be relative to the case's folder and written with /`},
		{"corpus on a drive", "more/of-it", "C:/x", `:11:13: corpora.b.path: "C:/x" must be relative to the case's folder and written with /`},
		{"corpus with backslash", "more/of-it", `more\of-it`, `:11:13: corpora.b.path: "more\\of-it" must be relative to the case's folder and written with /`},
		{"the case itself", "more/of-it", "./", `:11:13: corpora.b.path: "./" must name a folder below the case's, without . and needless /`},
		{"corpus with detour", "more/of-it", "more//of-it/", `:11:13: corpora.b.path: "more//of-it/" must name a folder below the case's, without . and needless /`},
		{"corpus that is decomposed", "more/of-it", "e\u0301", ":11:13: corpora.b.path: \"e\u0301\" is not in Unicode normal form C"},
		{"corpus name", "  b: {", "  B: {", `:11:3: corpora: name "B" is no id: a-z, 0-9 and "-", not first "-", at most 64 characters`},
		{"no step", whole[strings.Index(whole, "steps:"):], "steps: []\n", ":12:8: steps: is empty"},
		{"kind", "kind: search", "kind: recognition", `:14:11: steps[0].kind: "recognition" is none of "search", "extract"`},
		{"request of the other kind", "kind: search", "kind: extract", `:17:14: steps[0].request.input: member "urls" is missing` + "\n" +
			`:17:15: steps[0].request.input: unknown member "query", allowed are urls` + "\n" +
			`:18:17: steps[0].request.options: unknown member "max_results", allowed are include_images, include_raw_html, max_context_chars, max_urls, output_format, render_js, spans, spans_query`},
		{"step twice", "id: record", "id: find", `:28:9: steps[1].id: "find" is the id of two steps, first in line 13`},
		{"no such corpus", "corpus: tz\n    request:\n      input: {query", "corpus: zz\n    request:\n      input: {query", `:15:13: steps[0].corpus: "zz" is none of the corpora "tz", "b"`},
		{"corpus without name", "corpus: tz\n    request:\n      input: {query", "corpus: \"\"\n    request:\n      input: {query", `:15:13: steps[0].corpus: "" is none of the corpora "tz", "b"`},
		{"no corpora", "corpora:\n  tz: {path: corpus}\n  b: {path: more/of-it}\n", "corpora: {}\n", `:13:13: steps[0].corpus: "tz" is none of the corpora: the case has none` + "\n" + `:28:13: steps[1].corpus: "tz" is none of the corpora: the case has none`},
		{"local without corpus", "    corpus: tz\n    request:\n      input: {query", "    request:\n      input: {query", `:13:5: steps[0]: provider "local" needs a corpus`},
		{"corpus without local", "mode: fixed, provider: local", "mode: fixed, provider: brave", `:15:13: steps[0].corpus: a corpus is for provider "local" alone: the request needs routing: {mode: fixed, provider: local}`},
		{"local in mode auto", "mode: fixed, provider: local", "mode: auto, provider: local", `:19:23: steps[0].request.routing.mode: mode "auto" never asks provider "local"; it must be "fixed"`},
		{"fixed without provider", "{provider: local}", "{mode: fixed}", `:30:13: steps[1].corpus: a corpus is for provider "local" alone: the request needs routing: {mode: fixed, provider: local}` + "\n" + `:33:16: steps[1].request.routing: member "provider" is missing`},
		{"blank query", "{query: Apia}", `{query: " "}`, `:17:22: steps[0].request.input.query: " " is blank`},
		{"url that is none", `{urls: ["https://a.example/"]}`, `{urls: ["https://[::1"]}`, `:32:22: steps[1].request.input.urls[0]: "https://[::1" is no absolute URL`},
		{"url twice", `{urls: ["https://a.example/"]}`, `{urls: ["https://a/", "https://a/"]}`, `:32:36: steps[1].request.input.urls[1]: "https://a/" is there twice, first as item 1`},
		{"version of the contract", "input: {query", "contract_version: \"2.0\"\n      input: {query", `:17:25: steps[0].request.contract_version: is "2.0", must be "3.0"`},
		{"rank 0", "{rank: 1,", "{rank: 0,", ":21:16: steps[0].expect[0].rank: 0 is below 1"},
		{"rank alone", `{rank: 1, url: "https://a.example/", note: the first}`, "{rank: 1}", `:21:9: steps[0].expect[0]: member "url" is missing`},
		{"no kind of expectation", "{results: 0}", "{note: b}", ":22:9: steps[0].expect[1]: is no kind of expectation; a kind has one of the members action, attempt, cluster, quote, rank, results, status, warning"},
		{"two kinds", "{results: 0}", "{results: 0, status: ok}", `:22:22: steps[0].expect[1]: unknown member "status", allowed are note, results`},
		{"later kind", "{results: 0}", "{metric: a, results: 0}", `:22:10: steps[0].expect[1]: unknown member "metric", allowed are note, results`},
		{"field of an answer", "in: text", "in: answer", `:38:13: steps[1].expect[0].in: "answer" is none of "title", "snippet", "text"`},
		{"field of the other kind", "in: text", "in: snippet", `:38:13: steps[1].expect[0].in: a step of kind "extract" has no snippet`},
		{"place that is empty", "at: [0, 9]", "at: [9, 9]", ":41:13: steps[1].expect[0].at: [9, 9) holds nothing: the end must be above the start"},
		{"place of one number", "at: [0, 9]", "at: [9]", ":41:13: steps[1].expect[0].at: has 1 item, at least 2 are needed"},
		{"rank and attempt", "rank: 2", "rank: 2\n        attempt: a0001", `:35:9: steps[1].expect[0]: members "attempt", "rank" are not allowed here together`},
		{"reason that belongs to another action", "reason: max_results", "reason: spam_domain", `:27:46: steps[0].expect[6].reason: "spam_domain" is none of "max_results", "max_content_bytes"`},
		{"skip reason", "outcome: skipped", "outcome: failed", `:25:35: steps[0].expect[4].outcome: only an attempt with outcome "skipped" has a skip_reason`},
		{"warning", "wsp.cache.served_stale", "served", `:26:19: steps[0].expect[5].warning: "served" is no warning code; these begin with wsp.`},
		{"contest without quote", "[b](evidence:find/2#title)", "b", ":43:45: contested[0].between[1]: has no checked quote, such as [the words](evidence:find/1#snippet)"},
		{"contest of one", `, "[b](evidence:find/2#title)"`, "", ":43:14: contested[0].between: has 1 item, at least 2 are needed"},
		{"mandatory rule", "cookie: true", "cookie: false", ":46:40: redact.rules.cookie: is a mandatory rule, it can't be switched off"},
		{"unknown rule", "cookie: true", "zip: true", `:46:32: redact.rules: unknown member "zip", allowed are api_key, auth_header, cookie, email, private_key, source_only, url_credentials, url_parameter`},
		{"null", `question: {en: "Which day?"}`, "question:", ":4:10: question: is null, must be an object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, faults := Parse(name, []byte(with(t, tt.from, tt.to)))
			got := strings.ReplaceAll(joined(faults), name, "")
			if got != tt.want+"\n" {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestParseReportsAllAtOnce(t *testing.T) {
	const file = `casebook: 1
id: nul
title: {zh-cn: a}
as_of: yesterday
foo: 1
foo: 2
1: x
corpora:
  tz: {path: ../x}
steps:
  - id: a
    kind: search
    corpus: zz
    request: {input: {query: a}, options: {max_results: 0}, routing: {mode: fixed, provider: local}}
    expect:
      - {rank: 0, url: x}
  - 5
`
	want := strings.TrimPrefix(`
cases/x/case.yaml:1:1: member "question" is missing
cases/x/case.yaml:2:5: id: is a reserved name on Windows, so no folder can have it there
cases/x/case.yaml:3:9: title: language tag "zh-cn" must be written "zh-CN"
cases/x/case.yaml:4:8: as_of: "yesterday" is no RFC 3339 time in UTC, such as 2026-11-30T12:00:00Z
cases/x/case.yaml:5:1: unknown member "foo", allowed are as_of, casebook, contested, corpora, id, question, redact, sources, steps, tags, title
cases/x/case.yaml:6:1: member "foo" is there twice, first in line 5
cases/x/case.yaml:7:1: a member's name must be a string; put 1 in quotes
cases/x/case.yaml:9:14: corpora.tz.path: "../x" is outside the case's folder
cases/x/case.yaml:13:13: steps[0].corpus: "zz" is none of the corpora "tz"
cases/x/case.yaml:14:57: steps[0].request.options.max_results: 0 is below 1
cases/x/case.yaml:16:16: steps[0].expect[0].rank: 0 is below 1
cases/x/case.yaml:17:5: steps[1]: is a number, must be an object
`, "\n")
	c, faults := Parse(name, []byte(file))
	if got := joined(faults); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c == nil || c.ID != "nul" || len(c.Steps) != 2 || len(c.Corpora) != 1 || c.Steps[1].Request != nil {
		t.Errorf("beside the faults the case is %+v", c)
	}
}

func TestParseNotYAML(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'i'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	wide := "a: &a [" + strings.TrimSuffix(strings.Repeat("1, ", 200), ", ") + "]\nb: [" + strings.TrimSuffix(strings.Repeat("*a, ", 60), ", ") + "]\n"
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", ":1:1: is empty; a case has at least casebook, id, title, question, as_of and steps"},
		{"comment alone", "# later\n", ":1:1: is empty; a case has at least casebook, id, title, question, as_of and steps"},
		{"empty document", "---\n", ":1:1: is empty; a case has at least casebook, id, title, question, as_of and steps"},
		{"text alone", "hello\n", ":1:1: is a string, must be an object"},
		{"open bracket", "a: 1\nb: [1,\n  2\nc: 3\n", ":2:1: not YAML: did not find expected ',' or ']'"},
		{"wrong indentation", "a:\n  b: 1\n c: 2\n", ":3:2: not YAML: did not find expected key"},
		{"open quote", "a: 1\nb: \"x\n\nc: 1\n", ":2:1: not YAML: found unexpected end of stream"},
		{"two colons", "a: 1\n\nb: c: d\n", ":3:1: not YAML: mapping values are not allowed in this context"},
		{"tab", "a:\n  b: 1\n\tc: 2\n", ":3:1: a tab as indentation; use blanks"},
		{"tab behind a blank", "a:\n \tb: 1\n", ":2:2: a tab as indentation; use blanks"},
		{"unknown anchor", "a: *b\n", ":1:1: not YAML: unknown anchor 'b' referenced"},
		{"two documents", "a: 1\n---\nb: 1\n", ":2:1: a second document; a file holds one"},
		{"broken second document", "a: 1\n---\nb: [\n", ":3:1: not YAML: did not find expected node content"},
		{"invalid UTF-8", "a: 1\nb: é\xff\n", ":2:5: invalid UTF-8 at byte 10"},
		{"control character", "a: 1\nb: é\x07\n", `:2:5: U+0007 is not allowed; write it as "\u0007" in double quotes`},
		{"line separator", "a: x\u2028y\n", `:1:5: U+2028 ends a line for some readers and not for others; write it as "\u2028" in double quotes`},
		{"alias bomb", bomb, ":2:12: c[8][1]: more than 100 aliases"},
		{"aliases of much", wide, ":1:458: b[49][150]: aliases stand for more than 10000 values"},
		{"alias inside itself", "a: &x [1, *x]\n", ":1:11: a[1][1]: alias *x stands inside what it names"},
		{"too deep", strings.Repeat("[", 70) + strings.Repeat("]", 70), ":1:66: " + strings.Repeat("[0]", 65) + ": is nested deeper than 64"},
		{"objects too deep", strings.Repeat("{a: ", 70) + strings.Repeat("}", 70), ":1:261: a" + strings.Repeat(".a", 64) + ": is nested deeper than 64"},
		{"invalid UTF-8 behind CR", "a\r\xff", ":2:1: invalid UTF-8 at byte 2"},
		{"merge key", "a: &x {b: 1}\nc: {<<: *x}\n", ":2:5: c: merge keys (<<) are not part of YAML 1.2"},
		{"tag of one's own", "a: !secret b\n", ":1:4: a: tag !secret is not allowed here"},
		{"binary", "a: !!binary aGk=\n", ":1:4: a: tag !!binary is not allowed here"},
		{"set", "a: !!set {b}\n", ":1:4: a: tag !!set is not allowed here"},
		{"ordered map", "a: !!omap [b: 1]\n", ":1:4: a: tag !!omap is not allowed here"},
		{"tag that does not fit", "a: !!int b\n", ":1:4: a: tag !!int is not allowed here"},
		{"infinity", "a: -.inf\n", ":1:4: a: -.inf is no number that JSON can hold; put it in quotes"},
		{"integer too large", "a: 9007199254740992\n", ":1:4: a: 9007199254740992 is an integer beyond ±(2^53-1); put it in quotes"},
		{"float too large", "a: 1e999\n", ":1:4: a: 1e999 is beyond a double; put it in quotes"},
		{"name that is a list", "? [a]\n: 1\n", ":1:3: a member's name must be a string"},
		{"name that is null", "~: 1\n", ":1:1: a member's name must be a string; put ~ in quotes"},
		{"name that is a boolean", "true: 1\n", ":1:1: a member's name must be a string; put true in quotes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, faults := Parse(name, []byte(tt.file))
			var got []string
			for _, f := range faults {
				// What the file lacks to be a case is not the point here.
				if !strings.Contains(f.Message, "unknown member") && !strings.HasSuffix(f.Message, "is missing") {
					got = append(got, strings.TrimPrefix(f.String(), name))
				}
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
			if len(faults) == 1 && c != nil {
				t.Errorf("a case came out: %+v", c)
			}
		})
	}
}

func TestParseTooLarge(t *testing.T) {
	for _, tt := range []struct {
		bytes int
		want  string
	}{{MaxYAMLBytes, ""}, {MaxYAMLBytes + 1, "has 1048577 bytes, at most 1048576 are allowed"}} {
		_, faults := Parse(name, []byte(whole+"#"+strings.Repeat("x", tt.bytes-len(whole)-1)))
		got := ""
		if len(faults) > 0 {
			got = faults[0].Message
		}
		if got != tt.want {
			t.Errorf("%d bytes: %q, want %q", tt.bytes, got, tt.want)
		}
	}
}

// The forms of the core schema, YAML 1.2.2 section 10.3.2, and those of YAML 1.1 that it leaves strings.
func TestScalars(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"", "null"}, {"~", "null"}, {"null", "null"}, {"NULL", "null"}, {"nULL", `"nULL"`},
		{"true", "true"}, {"False", "false"}, {"FALSE", "false"}, {"True", "true"}, {"TRUE", "true"}, {"Null", "null"}, {"yes", `"yes"`}, {"no", `"no"`}, {"on", `"on"`}, {"Y", `"Y"`},
		{"12", "12"}, {"+12", "12"}, {"-012", "-12"}, {"0777", "777"}, {"0o17", "15"}, {"0x1F", "31"}, {"-0", "0"},
		{"0b11", `"0b11"`}, {"1_000", `"1_000"`}, {"12:30", `"12:30"`}, {"-0x1", `"-0x1"`},
		{"1.5", "1.5"}, {".5", "0.5"}, {"5.", "5"}, {"-1e3", "-1000"}, {"1.", "1"}, {"1e", `"1e"`}, {".", `"."`},
		{"2026-11-30T12:00:00Z", `"2026-11-30T12:00:00Z"`}, {"2026-11-30", `"2026-11-30"`}, {"=", `"="`},
		{`"12"`, `"12"`}, {"'true'", `"true"`}, {"!!str 12", `"12"`}, {"!!int 12", "12"}, {"!!float 12", "12"}, {"!!bool true", "true"}, {"!!null ~", "null"},
		{"|\n  12\n", `"12\n"`}, {">-\n  a\n  b\n", `"a b"`},
		{"!!seq [1]", "[1]"}, {"!!map {b: 1}", `{"b":1}`}, {"[&x 1, *x]", "[1,1]"},
		{"9007199254740991", "9007199254740991"}, {"-9007199254740991", "-9007199254740991"}, {`"\u2028"`, "\"\u2028\""},
	} {
		d := read(name, []byte("a: "+tt.yaml+"\n"))
		got, err := (&Case{tree: d.tree}).JSON()
		if want := `{"a":` + tt.want + "}\n"; err != nil || string(got) != want || len(d.faults) > 0 {
			t.Errorf("%s = %s, %v, %v, want %s", tt.yaml, got, err, d.faults, want)
		}
	}
}

func TestByteOrderMarkAndLineEnds(t *testing.T) {
	for _, file := range []string{"\uFEFF" + whole, strings.ReplaceAll(whole, "\n", "\r\n"), strings.ReplaceAll(whole, "\n", "\r")} {
		c, faults := Parse(name, []byte(file))
		if len(faults) > 0 || string(c.YAML) != file {
			t.Errorf("%.20q: %s", file, joined(faults))
		}
	}
	_, faults := Parse(name, []byte(strings.ReplaceAll(strings.Replace(whole, "rank: 1", "rank: 0", 1), "\n", "\r\n")))
	if got, want := joined(faults), name+":21:16: steps[0].expect[0].rank: 0 is below 1\n"; got != want {
		t.Errorf("with CR LF: %s, want %s", got, want)
	}
}
