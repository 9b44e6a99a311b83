package projection

import (
	"cmp"
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// Points of the authority rerank in hundredths, so that sums are exact (contract 3.6).
const (
	pointsPlace    = 1
	pointsBoost    = 1000
	pointsDemote   = -600
	pointsVendor   = 300
	pointsPDF      = 200
	pointsOfficial = 100
)

// authority is what a class of query prefers and what it puts behind.
type authority struct {
	boost, demote []string
}

func authorityOf(c class) authority {
	switch c {
	case officialVendorRelease:
		return authority{
			boost: []string{
				"mistral.ai", "anthropic.com", "openai.com", "googleblog.com", "blog.google", "ai.google.dev", "meta.com",
				"ai.meta.com", "nvidia.com", "developer.nvidia.com", "apple.com", "microsoft.com",
			},
			demote: []string{"youtube.com", "youtu.be", "medium.com", "aizolo.com", "reddit.com"},
		}
	case officialDocs:
		return authority{
			boost:  []string{"docs.", "developer.", "github.com", "readthedocs.io", "modelcontextprotocol.io"},
			demote: []string{"medium.com", "dev.to", "reddit.com", "stackoverflow.com", "youtube.com"},
		}
	case policyPDF:
		return authority{
			boost: []string{
				"europa.eu", "ec.europa.eu", "nist.gov", "nvlpubs.nist.gov", "oecd.org", "who.int", "gov.uk", "federalregister.gov",
			},
			demote: []string{"scribd.com", "researchgate.net", "universityofcalifornia.edu", "slideshare.net"},
		}
	case financeEarnings:
		return authority{
			boost:  []string{"investor.", "ir.", "nvidia.com", "sec.gov", "nasdaq.com"},
			demote: []string{"reddit.com", "fool.com", "seekingalpha.com", "youtube.com"},
		}
	case securityAdvisory:
		return authority{
			boost: []string{
				"nvd.nist.gov", "cve.org", "github.com", "github.com/advisories", "security.", "cert.europa.eu", "kb.cert.org",
			},
			demote: []string{"youtube.com", "medium.com", "reddit.com"},
		}
	}
	return authority{}
}

// rerank orders the list by points, the best first, equal ones as they stood.
func rerank(list []*evidence.Observation, c class, query string) []*evidence.Observation {
	type scored struct {
		o      *evidence.Observation
		points int
	}
	rules, official := authorityOf(c), strings.Contains(strings.ToLower(query), "official")
	items := make([]scored, len(list))
	for i, o := range list {
		items[i] = scored{o, pointsPlace*(len(list)-i) + pointsOf(o, c, rules)}
		if official && mentions(o, "official") {
			items[i].points += pointsOfficial
		}
	}
	slices.SortStableFunc(items, func(a, b scored) int { return cmp.Compare(b.points, a.points) })
	ordered := make([]*evidence.Observation, len(items))
	for i, item := range items {
		ordered[i] = item.o
	}
	return ordered
}

// pointsOf is what an observation gets by its address and title.
func pointsOf(o *evidence.Observation, c class, rules authority) int {
	url := o.URL.Canonical
	domain := evidence.Domain(url)
	points := 0
	if matchesAny(url, domain, rules.boost) {
		points += pointsBoost
	}
	if matchesAny(url, domain, rules.demote) {
		points += pointsDemote
	}
	if c == officialVendorRelease && isVendor(domain) {
		points += pointsVendor
	}
	if c == policyPDF && (strings.HasSuffix(strings.ToLower(url), ".pdf") || contains(o.Title, "pdf")) {
		points += pointsPDF
	}
	return points
}

func isVendor(domain string) bool {
	vendors := []string{"mistral", "anthropic", "openai", "nvidia", "google", "meta"}
	return slices.ContainsFunc(vendors, func(vendor string) bool { return strings.Contains(domain, vendor) })
}

func mentions(o *evidence.Observation, word string) bool {
	return contains(o.Title, word) || contains(o.Snippet, word)
}

// contains says whether a word of small Latin letters stands in the text, in small or capital letters.
func contains(text *string, word string) bool {
	if text == nil {
		return false
	}
	for i := range len(*text) - len(word) + 1 {
		if equalLetters((*text)[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

func equalLetters(text, word string) bool {
	const small = 'a' - 'A' // the bit that tells small from capital letters
	for i := range len(word) {
		if text[i]|small != word[i] {
			return false
		}
	}
	return true
}

// pageOf is the host without "www." and the path without a slash at its end.
func pageOf(url string) string {
	return strings.TrimPrefix(evidence.Host(url), "www.") + strings.TrimRight(evidence.Path(url), "/")
}

// matchesAny holds the three forms of a rule: the beginning of a domain, a host with a path, a domain with all below.
func matchesAny(url, domain string, rules []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool {
		switch {
		case strings.HasSuffix(rule, "."):
			return strings.HasPrefix(domain, rule)
		case strings.Contains(rule, "/"):
			rest, ok := strings.CutPrefix(pageOf(url), rule)
			return ok && (rest == "" || rest[0] == '/')
		}
		return isUnder(domain, rule)
	})
}
