package projection

import (
	"regexp"
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// spamDomains are the built-in copies of other people's pages (contract 3.6).
func spamDomains() []string {
	return []string{
		"newbedev.com", "stackoom.com", "stackovergo.com", "syntaxfix.com", "copyprogramming.com", "devcodef1.com",
		"exceptionshub.com", "code-examples.net", "i-harness.com", "fixmycodeerror.com", "stacklesson.com",
		"githubmemory.com", "gitmemory.com", "issueexplorer.com", "bleepcoder.com", "gitanswer.com", "w3cub.com",
		"aizolo.com",
	}
}

var siteTerm = regexp.MustCompile(`(?i)site:([a-z0-9][a-z0-9.-]*)`)

// explicitDomains are those that the caller named: site: terms in the query and include_domains.
func explicitDomains(request evidence.Request) []string {
	var domains []string
	for _, match := range siteTerm.FindAllStringSubmatch(request.Normalized().Input.Query, -1) {
		domains = append(domains, domainRule(match[1]))
	}
	for _, domain := range request.Options.IncludeDomains {
		domains = append(domains, domainRule(domain))
	}
	return domains
}

// domainRule is a domain as the rules compare it.
func domainRule(domain string) string {
	return strings.TrimPrefix(strings.TrimRight(strings.ToLower(domain), "."), "www.")
}

// under says whether domain is one of the rules or a subdomain of one.
func under(domain string, rules []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool { return isUnder(domain, rule) })
}

func isUnder(domain, rule string) bool {
	head, ok := strings.CutSuffix(domain, rule)
	return ok && rule != "" && (head == "" || head[len(head)-1] == '.')
}

// withoutSpam drops observations of blocked domains unless the caller named the domain.
func (p *projector) withoutSpam(list []*evidence.Observation) []*evidence.Observation {
	if !p.in.Quality.FilterSpam {
		return list
	}
	blocked := spamDomains()
	for _, domain := range p.in.Quality.BlockedDomains {
		blocked = append(blocked, domainRule(domain))
	}
	kept := make([]*evidence.Observation, 0, len(list))
	for _, o := range list {
		domain := evidence.Domain(o.URL.Canonical)
		if under(domain, blocked) && !under(domain, p.domains) {
			p.act(o.ObservationID, evidence.ActionExcluded, evidence.ReasonSpamDomain)
			continue
		}
		kept = append(kept, o)
	}
	return kept
}
