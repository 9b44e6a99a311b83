package projection

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/cases"

	"casebook/engine/evidence"
)

func TestSpam(t *testing.T) {
	urls := []string{
		"https://newbedev.com/a", "https://www.newbedev.com/b", "https://de.newbedev.com/c", "https://newbedev.com.evil.example/d",
		"https://mynewbedev.com/e", "https://u@NEWBEDEV.com:443/f", "https://extra.example/g", "https://W3cub.com/h", "https://newbedev.com:81/i",
	}
	for _, tt := range []struct {
		name, query string
		change      func(*Input)
		excluded    string // by the last letter
	}{
		{"built in", "x", func(*Input) {}, "abcfh"},
		{"configured", "x", func(in *Input) { in.Quality.BlockedDomains = []string{"WWW.Extra.example.", ""} }, "abcfgh"},
		{"off", "x", func(in *Input) { in.Quality.FilterSpam = false }, ""},
		{"site in the query", "x SITE:Newbedev.com. y", func(*Input) {}, "h"},
		{"site of a subdomain", "x site:de.newbedev.com", func(*Input) {}, "abfh"},
		{"two sites", "site:w3cub.com site:www.newbedev.com", func(*Input) {}, ""},
		{"included", "x", func(in *Input) { in.Request.Options.IncludeDomains = []string{"Newbedev.com"} }, "h"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := searching(tt.query, 50, urls...)
			tt.change(&in)
			got := ""
			for _, line := range acted(Project(in)) {
				if strings.HasPrefix(line, "excluded ") {
					got += line[len(line)-1:]
				}
			}
			if got != tt.excluded {
				t.Errorf("excluded %q, want %q", got, tt.excluded)
			}
		})
	}
}

func TestSpamListIsWhole(t *testing.T) {
	domains := strings.Fields(`newbedev.com stackoom.com stackovergo.com syntaxfix.com copyprogramming.com devcodef1.com exceptionshub.com
		code-examples.net i-harness.com fixmycodeerror.com stacklesson.com githubmemory.com gitmemory.com issueexplorer.com
		bleepcoder.com gitanswer.com w3cub.com aizolo.com`)
	urls := make([]string, len(domains))
	for i, domain := range domains {
		urls[i] = "https://" + domain + "/"
	}
	if out := Project(searching("x", 50, urls...)); len(out.Results) != 0 || len(acted(out)) != 18 {
		t.Errorf("kept %v", shown(out))
	}
}

// The first row is the example of contract 3.6: each letter is a page of one domain, a capital A is www.a.
func TestDiversity(t *testing.T) {
	for _, tt := range []struct {
		name, list string
		change     func(*Input)
		want       string
		demoted    int
	}{
		{"example", "aaAabbbc", func(*Input) {}, "a0 a1 b4 b5 c7 a2 a3 b6", 3},
		{"spread already", "abcab", func(*Input) {}, "a0 b1 c2 a3 b4", 0},
		{"overflow at the end", "abaa", func(*Input) {}, "a0 b1 a2 a3", 0},
		{"only one domain", "aaaa", func(*Input) {}, "a0 a1 a2 a3", 0},
		{"one each", "aab", func(in *Input) { in.Quality.MaxResultsPerDomain = 1 }, "a0 b2 a1", 1},
		{"short list", "aa", func(in *Input) { in.Quality.MaxResultsPerDomain = 1 }, "a0 a1", 0},
		{"off", "aaab", func(in *Input) { in.Quality.MaxResultsPerDomain = 0 }, "a0 a1 a2 b3", 0},
		{"off and an address without a domain", "a-ab", func(in *Input) {
			in.Quality.MaxResultsPerDomain = 0
			in.Observations[1].URL.Canonical = "no address"
		}, "a0 -1 a2 b3", 0},
		{"negative", "aaab", func(in *Input) { in.Quality.MaxResultsPerDomain = -1 }, "a0 a1 a2 b3", 0},
		{"domain named in the query", "aaab", func(in *Input) { in.Request.Input.Query = "x site:z.example" }, "a0 a1 a2 b3", 0},
		{"domain included", "aaab", func(in *Input) { in.Request.Options.IncludeDomains = []string{"z.example"} }, "a0 a1 a2 b3", 0},
		{"without a domain", "aaa-b", func(in *Input) {
			for i := range in.Observations[:4] {
				in.Observations[i].URL.Canonical = fmt.Sprintf("no address %d", i)
			}
		}, "a0 a1 a2 -3 b4", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			urls := []string{}
			for i, letter := range tt.list {
				host := strings.ToLower(string(letter))
				if letter == 'A' {
					host = "www.a"
				}
				urls = append(urls, fmt.Sprintf("https://%s.example/%s%d", host, strings.ToLower(string(letter)), i))
			}
			in := searching("x", 50, urls...)
			tt.change(&in)
			out := Project(in)
			got := []string{}
			for _, url := range shown(out) {
				got = append(got, url[strings.LastIndex(url, "/")+1:])
			}
			if strings.Join(got, " ") != tt.want || len(acted(out)) != tt.demoted {
				t.Errorf("results %v with %v, want %s with %d", got, acted(out), tt.want, tt.demoted)
			}
		})
	}
}

// The example of contract 3.6 with its scores −5.97, 10.02 and 1.01.
func TestRerankExample(t *testing.T) {
	in := searching("official docs for x", 5, "https://medium.com/x", "https://docs.python.org/3", "https://example.com/official")
	in.Observations[2].Title = ptr("Official docs")
	points := []int{}
	list := []*evidence.Observation{&in.Observations[0], &in.Observations[1], &in.Observations[2]}
	for i, o := range list {
		p := pointsOf(o, officialDocs, authorityOf(officialDocs)) + len(list) - i
		if mentions(o, "official") {
			p += pointsOfficial
		}
		points = append(points, p)
	}
	if want := []int{-597, 1002, 101}; !slices.Equal(points, want) {
		t.Errorf("points %v, want %v", points, want)
	}
	want := []string{"https://docs.python.org/3", "https://example.com/official", "https://medium.com/x"}
	if got := shown(Project(in)); !slices.Equal(got, want) {
		t.Errorf("results %v, want %v", got, want)
	}
}

func TestPoints(t *testing.T) {
	for _, tt := range []struct {
		class  class
		url    string
		title  string
		points int
	}{
		{officialVendorRelease, "https://blog.mistral.ai/x", "", 1300},
		{officialVendorRelease, "https://notmistral.ai/x", "", 300},
		{officialVendorRelease, "https://apple.com/", "", 1000},
		{officialVendorRelease, "https://metafilter.example/", "", 300},
		{officialVendorRelease, "https://www.youtube.com/", "", -600},
		{officialDocs, "https://docs.meta.example/", "", 1000},
		{officialDocs, "https://developer.x.example/", "", 1000},
		{officialDocs, "https://mydocs.x.example/", "", 0},
		{officialDocs, "https://x.readthedocs.io/a", "", 1000},
		{officialDocs, "https://dev.to/a", "", -600},
		{policyPDF, "https://x.example/A.PDF", "", 200},
		{policyPDF, "https://x.example/a", "The PDF", 200},
		{policyPDF, "https://x.example/a.pdf", "a pdf", 200},
		{policyPDF, "https://x.example/a.pdf?x", "", 0},
		{policyPDF, "https://ec.europa.eu/a.pdf", "", 1200},
		{policyPDF, "https://www.scribd.com/a.pdf", "", -400},
		{officialDocs, "https://x.example/a.pdf", "pdf", 0},
		{financeEarnings, "https://ir.x.example/", "", 1000},
		{financeEarnings, "https://investor.x.example/", "", 1000},
		{financeEarnings, "https://fool.com/", "", -600},
		{securityAdvisory, "https://www.github.com/advisories/", "", 1000},
		{securityAdvisory, "https://security.x.example/", "", 1000},
		{securityAdvisory, "https://reddit.com/", "", -600},
		{noClass, "https://github.com/", "", 0},
	} {
		o := page("serper", 0, tt.url, "")
		if tt.title != "" {
			o.Title = &tt.title
		}
		if got := pointsOf(&o, tt.class, authorityOf(tt.class)); got != tt.points {
			t.Errorf("class %d, %s %q: %d points, want %d", tt.class, tt.url, tt.title, got, tt.points)
		}
	}
}

func TestVendors(t *testing.T) {
	vendors := strings.Fields("mistral anthropic openai nvidia google meta")
	for _, vendor := range vendors {
		if !isVendor("my" + vendor + "s.example") {
			t.Errorf("%s is none", vendor)
		}
	}
	if len(vendors) != 6 || isVendor("apple.com") {
		t.Errorf("vendors %v, and apple %v", vendors, isVendor("apple.com"))
	}
}

// The form of a rule with a path cannot be told from its neighbour github.com in the list.
func TestRuleWithPath(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/advisories": true, "https://www.github.com/advisories/": true, "https://github.com/advisories/GHSA-1": true,
		"https://github.com/advisories-x": false, "https://github.com/": false, "https://gist.github.com/advisories": false,
	} {
		if got := matchesAny(url, evidence.Domain(url), []string{"github.com/advisories"}); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

// Every list of contract 3.6, by one page for each entry.
func TestAuthorityListsAreWhole(t *testing.T) {
	for _, tt := range []struct {
		class         class
		boost, demote string
	}{
		{officialVendorRelease, "mistral.ai anthropic.com openai.com googleblog.com blog.google ai.google.dev meta.com ai.meta.com nvidia.com developer.nvidia.com apple.com microsoft.com", "youtube.com youtu.be medium.com aizolo.com reddit.com"},
		{officialDocs, "docs. developer. github.com readthedocs.io modelcontextprotocol.io", "medium.com dev.to reddit.com stackoverflow.com youtube.com"},
		{policyPDF, "europa.eu ec.europa.eu nist.gov nvlpubs.nist.gov oecd.org who.int gov.uk federalregister.gov", "scribd.com researchgate.net universityofcalifornia.edu slideshare.net"},
		{financeEarnings, "investor. ir. nvidia.com sec.gov nasdaq.com", "reddit.com fool.com seekingalpha.com youtube.com"},
		{securityAdvisory, "nvd.nist.gov cve.org github.com github.com/advisories security. cert.europa.eu kb.cert.org", "youtube.com medium.com reddit.com"},
	} {
		want := authority{boost: strings.Fields(tt.boost), demote: strings.Fields(tt.demote)}
		if diff := cmp.Diff(want, authorityOf(tt.class), cmp.AllowUnexported(authority{})); diff != "" {
			t.Errorf("class %d: %s", tt.class, diff)
		}
	}
}

// A page's own words count only where the query asks for official ones, and a move that changes no place of a
// cluster is none.
func TestOfficialWord(t *testing.T) {
	in := searching("api reference", 5, "https://a.example/", "https://b.example/")
	in.Observations[1].Snippet = ptr("the OFFICIAL one")
	if got := acted(Project(in)); len(got) != 0 {
		t.Errorf("moved: %v", got)
	}
	in.Request.Input.Query = "Official API reference official docs"
	if got := acted(Project(in)); len(got) != 2 {
		t.Errorf("moved: %v, want both", got)
	}
	in.Request.Input.Query = "official page"
	if got := acted(Project(in)); len(got) != 0 {
		t.Errorf("moved without a class: %v", got)
	}
}

func TestGrants(t *testing.T) {
	for _, tt := range []struct {
		lengths []int
		budget  int
		want    []int
	}{
		{[]int{100, 5000, 9000}, 6000, []int{100, 2950, 2950}},
		{[]int{5000, 5000, 5000}, 10000, []int{3334, 3333, 3333}},
		{[]int{1500, 6}, 1000, []int{994, 6}},
		{[]int{500, 500}, 1000, []int{500, 500}},
		{[]int{501, 500}, 1000, []int{500, 500}},
		{[]int{10, 20, 30, 1000, 2000}, 1060, []int{10, 20, 30, 500, 500}},
		{[]int{10, 400, 900}, 1000, []int{10, 400, 590}},
		{[]int{5, 5, 5, 5}, 3, []int{1, 1, 1, 0}},
		{[]int{0, 7}, 5, []int{0, 5}},
		{[]int{3, 4}, 100, []int{3, 4}},
		{[]int{}, 10, []int{}},
	} {
		if got := grants(tt.lengths, tt.budget); !slices.Equal(got, tt.want) {
			t.Errorf("grants(%v, %d) = %v, want %v", tt.lengths, tt.budget, got, tt.want)
		}
	}
}

func TestSourceType(t *testing.T) {
	for _, tt := range []struct {
		url, value, confidence string
	}{
		{"https://github.com/a/b.pdf", "repo", "high"}, {"https://GitLab.com/", "repo", "high"}, {"https://u@bitbucket.org:443/x", "repo", "high"},
		{"https://www.github.com/a", "other", "low"}, {"https://gist.github.com/a", "other", "low"},
		{"https://arxiv.org/abs/1", "paper", "high"}, {"https://doi.org/10", "paper", "high"}, {"https://semanticscholar.org/", "paper", "high"},
		{"https://pubmed.ncbi.nlm.nih.gov/1", "paper", "high"}, {"https://docs.example.org/a.PDF", "paper", "high"}, {"https://x.example/?a.pdf", "other", "low"},
		{"https://docs.example.org/", "docs", "high"}, {"https://x.example/docs", "docs", "high"}, {"https://x.example/a/Documentation/b", "docs", "high"},
		{"https://mydocs.example/", "other", "low"}, {"https://x.example/?/docs", "other", "low"},
		{"https://wikipedia.org/", "reference", "high"}, {"https://en.wikipedia.org/wiki/X", "reference", "high"}, {"https://de.wikipedia.org/wiki/X", "other", "low"},
		{"https://developer.mozilla.org/en-US/", "reference", "high"}, {"https://developer.mozilla.org/docs/", "docs", "high"},
		{"https://old.reddit.com/", "forum", "high"}, {"https://stackoverflow.com/q", "forum", "high"}, {"https://discourse.x.example/", "forum", "high"},
		{"https://forum.x.example/news", "forum", "high"}, {"https://community.x.example/", "forum", "high"},
		{"https://news.x.example/blog", "news", "medium"}, {"https://x.example/newsroom", "news", "medium"},
		{"https://blog.x.example/", "blog", "medium"}, {"https://x.example/blogger", "blog", "medium"},
		{"https://x.example/new\u017f", "news", "medium"}, {"https://x.example/", "other", "low"}, {"no address", "other", "low"},
	} {
		want := evidence.SourceType{Value: tt.value, Method: "url_heuristic", MethodVersion: "1", Confidence: tt.confidence}
		if got := sourceTypeOf(tt.url, folder{}); got != want {
			t.Errorf("%s: %+v, want %+v", tt.url, got, want)
		}
	}
}

// The first four rows are the examples of contract 3.12.
func TestFetchPriority(t *testing.T) {
	for _, tt := range []struct {
		rank, providers int
		value, tier     string
		codes           string
	}{
		{1, 2, "docs", "high", "cluster_consensus rank_top_3 source_type_authoritative"},
		{4, 1, "other", "low", "cluster_single_observation rank_beyond_top_3 source_type_general"},
		{4, 2, "repo", "high", "cluster_consensus rank_beyond_top_3 source_type_authoritative"},
		{1, 1, "other", "medium", "cluster_single_observation rank_top_3 source_type_general"},
		{3, 1, "paper", "medium", "cluster_single_observation rank_top_3 source_type_authoritative"},
		{4, 1, "reference", "medium", "cluster_single_observation rank_beyond_top_3 source_type_authoritative"},
		{4, 2, "blog", "medium", "cluster_consensus rank_beyond_top_3 source_type_general"},
		{3, 2, "news", "high", "cluster_consensus rank_top_3 source_type_general"},
	} {
		c := cluster{members: []*evidence.Observation{{Provider: "a"}, {Provider: "a"}}}
		if tt.providers == 2 {
			c.members[1] = &evidence.Observation{Provider: "b"}
		}
		want := &evidence.FetchPriority{Tier: tt.tier, ReasonCodes: strings.Fields(tt.codes)}
		if diff := cmp.Diff(want, fetchPriorityOf(c, tt.rank, evidence.SourceType{Value: tt.value})); diff != "" {
			t.Errorf("%+v: %s", tt, diff)
		}
	}
}

// The comparison form in one pass is that of its three steps.
func TestComparison(t *testing.T) {
	f := folder{}
	for _, s := range []string{"", " ", "a", " A\u00a0\x1f ß  ", "Straße\n\nﬃ K", "x\u2028\u3000y\u0080", "数字 🙂 "} {
		want := evidence.NormalizeSpace(cases.Fold().String(s))
		if form, length := f.comparison(s); form != want || length != evidence.Length(want) {
			t.Errorf("comparison(%q) = %q, %d, want %q, %d", s, form, length, want, evidence.Length(want))
		}
	}
}

// Folding by character is that of the library over the whole text.
func TestFold(t *testing.T) {
	f := folder{}
	for _, s := range []string{"", "ASCII only [@`{", "Straße ΣΊΣΥΦΟΣ ſ K İ ﬁ ŉ ΐ Ꭰ ꭰ", "ÄÖÜ äöü", "数字 🙂", "ẞ"} {
		for range 2 { // the second time from memory
			if got, want := f.fold(s), cases.Fold().String(s); got != want {
				t.Errorf("fold(%q) = %q, want %q", s, got, want)
			}
		}
	}
}
