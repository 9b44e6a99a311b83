package schema

import (
	"fmt"
	"strings"
	"testing"
)

// request puts members into a request that is right without them.
func request(capability, input, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return fmt.Sprintf(`{"contract_version":"3.0","capability":%q,"input":%s%s}`, capability, input, rest)
}

const query, urls = `{"query":"a"}`, `{"urls":["https://a.example/"]}`

// The bounds and words are those of the contract, sections 1.1 to 1.8.
func TestRequestAccepts(t *testing.T) {
	for _, document := range []string{
		request("search", query, ""),
		request("extract", urls, ""),
		request("search", query, `"request_id":"r","options":{"max_results":1,"freshness":"day","time_range":"year","search_type":"news","depth":"normal","mode":"research","quality_report":true,"research_time_budget":1,"include_domains":["a"],"exclude_domains":[],"locale":{"country":"US","language":"en"}},
			"cache":{"mode":"only","ttl_seconds":0,"allow_stale_seconds":0},"routing":{"mode":"fixed","provider":"local","allow_fallback":false,"policy_mode":"shadow"},
			"budget":{"max_provider_attempts":1,"max_wall_time_ms":1,"max_cost_microunits":0},"client":{"accept_contract_versions":["3.0","2.x"],"accept_features":["stale_cache"]}`),
		request("search", query, `"options":{"max_results":50,"research_time_budget":75},"budget":{"max_provider_attempts":32},"routing":{"mode":"auto","provider":"auto"},"client":{}`),
		request("extract", urls, `"options":{"output_format":"html","include_images":true,"include_raw_html":true,"render_js":true,"max_urls":-3,"max_context_chars":1,"spans":true,"spans_query":""}`),
		request("extract", urlList(50), ""),
	} {
		if got, err := Check("request-v3", tree(t, document)); err != nil || len(got) > 0 {
			t.Errorf("Check(%s) = %v, %v", document, got, err)
		}
	}
}

func urlList(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"https://a.example/%d"`, i))
	}
	return `{"urls":[` + strings.Join(list, ",") + `]}`
}

func TestRequestRefuses(t *testing.T) {
	for _, tt := range []struct{ name, document, want string }{
		{"version missing", `{"capability":"search","input":{"query":"a"}}`, ` [required] member "contract_version" is missing`},
		{"version", `{"contract_version":"2.0","capability":"search","input":{"query":"a"}}`, `/contract_version [const] is "2.0", must be "3.0"`},
		{"capability missing", `{"contract_version":"3.0"}`, ` [required] member "capability" is missing`},
		{"capability", `{"contract_version":"3.0","capability":"verify"}`, `/capability [enum] "verify" is none of "search", "extract"`},
		{"input missing", `{"contract_version":"3.0","capability":"extract"}`, ` [required] member "input" is missing`},
		{"unknown at the top", request("search", query, `"foo":1`), `/foo [additionalProperties] unknown member "foo"`},
		{"blank query", request("search", `{"query":" \u3000\u00a0\u0085\t"}`, ""), `/input/query [pattern] " \u3000\u00a0\u0085\t" is blank`},
		{"query with urls", request("search", `{"query":"a","urls":[]}`, ""), `/input/urls [additionalProperties] unknown member "urls"`},
		{"extract with query", request("extract", `{"urls":["https://a/"],"query":"a"}`, ""), `/input/query [additionalProperties] unknown member "query"`},
		{"no url", request("extract", `{"urls":[]}`, ""), `/input/urls [minItems] is empty`},
		{"51 urls", request("extract", urlList(51), ""), `/input/urls [maxItems] has 51 items, at most 50 are allowed`},
		{"url of another scheme", request("extract", `{"urls":["ftp://a/"]}`, ""), `/input/urls/0 [pattern] "ftp://a/" does not begin with http:// or https://`},
		{"url twice", request("extract", `{"urls":["http://a/","http://a/"]}`, ""), `/input/urls/1 [uniqueItems] "http://a/" is there twice, first as item 1`},
		{"request id", request("search", query, `"request_id":""`), `/request_id [minLength] is empty`},
		{"max_results 0", request("search", query, `"options":{"max_results":0}`), `/options/max_results [minimum] 0 is below 1`},
		{"max_results 51", request("search", query, `"options":{"max_results":51}`), `/options/max_results [maximum] 51 is above 50`},
		{"max_results true", request("search", query, `"options":{"max_results":true}`), `/options/max_results [type] is a boolean, must be an integer`},
		{"freshness", request("search", query, `"options":{"freshness":"hour"}`), `/options/freshness [enum] "hour" is none of "day", "week", "month", "year"`},
		{"time_range", request("search", query, `"options":{"time_range":"x"}`), `/options/time_range [enum] "x" is none of "day", "week", "month", "year"`},
		{"search_type", request("search", query, `"options":{"search_type":"x"}`), `/options/search_type [enum] "x" is none of "search", "news"`},
		{"depth", request("search", query, `"options":{"depth":"deep"}`), `/options/depth [enum] is "deep", must be "normal"`},
		{"mode", request("search", query, `"options":{"mode":"deep"}`), `/options/mode [enum] "deep" is none of "normal", "research"`},
		{"research below", request("search", query, `"options":{"research_time_budget":0.5}`), `/options/research_time_budget [minimum] 0.5 is below 1`},
		{"research above", request("search", query, `"options":{"research_time_budget":76}`), `/options/research_time_budget [maximum] 76 is above 75`},
		{"empty domain", request("search", query, `"options":{"include_domains":[""]}`), `/options/include_domains/0 [minLength] is empty`},
		{"domain twice", request("search", query, `"options":{"exclude_domains":["a","a"]}`), `/options/exclude_domains/1 [uniqueItems] "a" is there twice, first as item 1`},
		{"country", request("search", query, `"options":{"locale":{"country":"USA"}}`), `/options/locale/country [pattern] "USA" is not two letters`},
		{"locale", request("search", query, `"options":{"locale":{"lang":"en"}}`), `/options/locale/lang [additionalProperties] unknown member "lang"`},
		{"option of the other capability", request("extract", urls, `"options":{"max_results":1}`), `/options/max_results [additionalProperties] unknown member "max_results"`},
		{"format", request("extract", urls, `"options":{"output_format":"pdf"}`), `/options/output_format [enum] "pdf" is none of "markdown", "html"`},
		{"max_urls", request("extract", urls, `"options":{"max_urls":1.5}`), `/options/max_urls [type] 1.5 is no integer`},
		{"max_context_chars", request("extract", urls, `"options":{"max_context_chars":true}`), `/options/max_context_chars [type] is a boolean, must be an integer`},
		{"cache mode", request("search", query, `"cache":{"mode":"x"}`), `/cache/mode [enum] "x" is none of "prefer", "bypass", "only"`},
		{"ttl", request("search", query, `"cache":{"ttl_seconds":-1}`), `/cache/ttl_seconds [minimum] -1 is below 0`},
		{"stale", request("search", query, `"cache":{"allow_stale_seconds":-1}`), `/cache/allow_stale_seconds [minimum] -1 is below 0`},
		{"routing mode", request("search", query, `"routing":{"mode":"x"}`), `/routing/mode [enum] "x" is none of "auto", "fixed"`},
		{"provider", request("search", query, `"routing":{"provider":""}`), `/routing/provider [minLength] is empty`},
		{"fixed without provider", request("search", query, `"routing":{"mode":"fixed"}`), `/routing [required] member "provider" is missing`},
		{"fixed with auto", request("search", query, `"routing":{"mode":"fixed","provider":"auto"}`), `/routing/provider [not] mode "fixed" needs a provider by name, not "auto"`},
		{"policy mode", request("search", query, `"routing":{"policy_mode":"x"}`), `/routing/policy_mode [enum] "x" is none of "classic", "shadow"`},
		{"no attempts", request("search", query, `"budget":{"max_provider_attempts":0}`), `/budget/max_provider_attempts [minimum] 0 is below 1`},
		{"33 attempts", request("search", query, `"budget":{"max_provider_attempts":33}`), `/budget/max_provider_attempts [maximum] 33 is above 32`},
		{"no time", request("search", query, `"budget":{"max_wall_time_ms":0}`), `/budget/max_wall_time_ms [minimum] 0 is below 1`},
		{"cost", request("search", query, `"budget":{"max_cost_microunits":-1}`), `/budget/max_cost_microunits [minimum] -1 is below 0`},
		{"versions", request("search", query, `"client":{"accept_contract_versions":[]}`), `/client/accept_contract_versions [minItems] is empty`},
		{"feature", request("search", query, `"client":{"accept_features":["source_independence_estimate"]}`), `/client/accept_features/0 [enum] "source_independence_estimate" is none of "provider_attempts", "dedup_clusters", "observations", "policy_actions", "source_diversity", "mechanical_text_offsets", "stale_cache"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Check("request-v3", tree(t, tt.document))
			if err != nil || lines(got) != tt.want+"\n" {
				t.Errorf("Check(%s) = %v\n%swant:\n%s", tt.document, err, lines(got), tt.want)
			}
		})
	}
}
