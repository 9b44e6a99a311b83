package projection

import (
	"strings"
	"testing"
)

func TestClass(t *testing.T) {
	for query, want := range map[string]class{
		// The checks of contract 4.2.
		"official docs asyncio": officialDocs, "CVE-2026-1234 openssl mitigation": securityAdvisory, "nist ai rmf pdf": policyPDF,
		"anthropic claude release notes": officialVendorRelease, "golang generics tutorial": noClass, "wetter graz": noClass,
		// One for each way in, and the rules before that take a query away.
		"official documentation": officialDocs, "Official  Doc": officialDocs, "developer docs": officialDocs, "API\tReference x": officialDocs,
		"official manual": officialDocs, "unofficial docs": noClass, "official docsets": noClass,
		"compare official docs": noClass, "briefing official docs": noClass, "zusammenfassung official docs": noClass, "was sind official docs": noClass,
		"what are official docs": noClass, "patents official docs": noClass, "arxiv official docs": noClass, "github official docs": noClass,
		"repository official docs": noClass, "repos official docs": officialDocs, "plugin docs official docs": noClass,
		"forum official docs": noClass, "r/golang official docs": noClass, "r/ official docs": officialDocs, "xr/golang official docs": officialDocs,
		"site:reddit.com official docs": noClass, "reddit users official docs": noClass, "reddit official docs": officialDocs, "post official docs": officialDocs,
		"regulation official docs": noClass, "randomised trial official docs": noClass, "aum official docs": noClass, "fund flows official docs": noClass,
		"preis sony official docs": noClass, "preis wh-1000xm4 official docs": noClass, "preis rtx 4090 official docs": noClass,
		"preis official docs": officialDocs, "sony official docs": officialDocs, "händler lg official docs": noClass,
		"preis model 12 official docs": officialDocs, "preis abcdef-123 official docs": officialDocs, "preis abcde-123 official docs": noClass,
		"preis a123b-c official docs": noClass, "preis ä123 official docs": officialDocs, "preis x123ö official docs": officialDocs,
		"preis x123-ö official docs": noClass, "preis wh- official docs": officialDocs, "preis wh-x official docs": noClass,
		"eu ai act pdf": policyPDF, "eu ai act": noClass, "whitepaper commission": policyPDF, "code of practice": noClass, "code of practice government": policyPDF,
		"pdf": noClass, "policy": noClass, "nvidia": financeEarnings, "10-K filing": financeEarnings, "quarterly results": financeEarnings,
		"quarterly resulting": noClass, "gross margin x": financeEarnings, "eps": financeEarnings, "steps": noClass,
		"security advisory": securityAdvisory, "zero day": securityAdvisory, "zero-day": securityAdvisory, "zeroday": securityAdvisory,
		"openssh vulnerability": securityAdvisory, "advisories": noClass, "cve_x": noClass, "cveö": noClass, "öcve": noClass, "cve": securityAdvisory,
		"release llama": officialVendorRelease, "launch openai": officialVendorRelease, "changelog gemini": officialVendorRelease,
		"release": noClass, "openai": noClass, "pre-release meta": officialVendorRelease, "released meta": noClass, "released meta release": officialVendorRelease,
		"announcement from Apple": officialVendorRelease, "": noClass,
	} {
		if got := classOf(query); got != want {
			t.Errorf("classOf(%q) = %d, want %d", query, got, want)
		}
	}
}

// Every phrase of the table, one a line or a bar, in a query that is of official_docs without it. Where a rule has two
// groups, the word of the other stands before the colon.
func TestClassPhrases(t *testing.T) {
	const table = `
		none: difference|differences|unterschiede|vergleich|compare|comparison|brief|briefing|summarise|summarize|zusammenfass|zusammenfassen|zusammenfassung|was sind|what are
		security: advisory|security advisory|cve|mitigation|openssl|openssh|vulnerability|zero-day|zero day|zeroday
		none: patent|patents|patentscope|espacenet|uspto|google patents
		policy pdf: nist|regulation|regulatory|policy|commission|government|official|rmf|eu ai act
		policy policy: pdf|whitepaper|code of practice
		none: eu ai act|european commission|regulation|regulatory|obligation|obligations
		finance: nvidia|earnings|gross margin|investor relations|guidance|10-q|10-k|eps|revenue|quarterly result|quarterly results
		none: investor monthly|monthly factsheet|monthly report|aum|fund flow|fund flows
		none: site:reddit.com|r/go
		none reddit: thread|post|community|user|users|discussion|comment|comments
		none bose: geizhals|preis|price|prices|buy|kaufen|österreich|austria|shop|händler|deal|angebot
		none deal: sony|denon|iphone|samsung|bose|kef|marantz|yamaha|lg|asus|laptop|tv|headphone|headphones|speaker|receiver|avc|wh-1000
		none: forum|forums|community|discussion|comment|comments|erfahrungen|review|reviews|measurement|measurements|head-fi|audiosciencereview|hifi-forum
		none: arxiv|paper|papers|scaling laws|randomised trial|randomized trial|primary source|primary sources
		none: github|repo|repository|plugin docs`
	classes := map[string]class{"none": noClass, "security": securityAdvisory, "policy": policyPDF, "finance": financeEarnings}
	tried := 0
	for line := range strings.Lines(table) {
		head, phrases, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		name, other, _ := strings.Cut(head, " ")
		for phrase := range strings.SplitSeq(phrases, "|") {
			tried++
			query := "x " + other + " y " + phrase + " z official docs"
			if got := classOf(query); got != classes[name] {
				t.Errorf("classOf(%q) = %d, want %d", query, got, classes[name])
			}
		}
	}
	for maker := range strings.SplitSeq("mistral|anthropic|openai|google|meta|apple|microsoft|claude|gemini|llama", "|") {
		for event := range strings.SplitSeq("official|release|announcement|launch|changelog|release note|release notes", "|") {
			tried++
			if got := classOf("x " + event + " of " + maker + " y"); got != officialVendorRelease {
				t.Errorf("%s of %s: class %d", event, maker, got)
			}
		}
	}
	for docs := range strings.SplitSeq("official doc|official docs|official documentation|api reference|developer doc|developer docs|official manual", "|") {
		tried++
		if got := classOf("x " + docs + " y"); got != officialDocs {
			t.Errorf("%s: class %d", docs, got)
		}
	}
	if tried < 200 {
		t.Errorf("only %d phrases tried", tried)
	}
}
