package redact

import (
	"fmt"
	"strings"
)

// charset is the alphabet of one part of a token.
type charset uint8

const (
	alnum charset = iota
	alnumDash
	alnumUnder
	urlSafe // letters, digits, "-" and "_"
	urlSafeDot
	lowerHex
	upperAlnum
	lowerAlnum
	digits
)

// class is the alphabet as a character class of a regular expression.
func (c charset) class() string {
	return [...]string{
		"[A-Za-z0-9]", "[A-Za-z0-9-]", "[A-Za-z0-9_]", "[A-Za-z0-9_-]", "[A-Za-z0-9._-]", "[0-9a-f]", "[A-Z0-9]", "[a-z0-9]", "[0-9]",
	}[c]
}

func (c charset) has(b byte) bool {
	switch c {
	case alnum:
		return isAlnum(b)
	case alnumDash:
		return isAlnum(b) || b == '-'
	case alnumUnder:
		return isWord(b)
	case urlSafe:
		return isWord(b) || b == '-'
	case urlSafeDot:
		return isWord(b) || b == '-' || b == '.'
	case lowerHex:
		return isDigit(b) || b >= 'a' && b <= 'f'
	case upperAlnum:
		return isDigit(b) || b >= 'A' && b <= 'Z'
	case lowerAlnum:
		return isDigit(b) || b >= 'a' && b <= 'z'
	}
	return isDigit(b)
}

// piece is a part of a token: a literal, then at least min letters of an alphabet. A run is taken as far as it goes,
// so a token that is longer than published goes whole, and so do two that touch.
type piece struct {
	literal string
	set     charset
	min     int
}

// keyFormat is one published form of a credential.
type keyFormat struct {
	name   string
	pieces []piece
	// inWord: the beginning is so distinct that it counts inside a longer word too.
	inWord bool
	// filter judges further what the alphabet can't; nil passes all.
	filter func(token string) bool
}

func one(name, literal string, set charset, min int) keyFormat {
	return keyFormat{name: name, pieces: []piece{{literal, set, min}}, inWord: len(literal) >= 4 && strings.ContainsAny(literal, "_-")}
}

// keyFormats are written from the token formats that the services publish.
func keyFormats() []keyFormat {
	return append(platformFormats(), serviceFormats()...)
}

// platformFormats are those of hosts of code, packages and machines.
func platformFormats() []keyFormat {
	return []keyFormat{
		one("aws access key id", "AKIA", upperAlnum, 16),
		one("aws temporary access key id", "ASIA", upperAlnum, 16),
		one("github personal access token", "ghp_", alnum, 36),
		one("github oauth token", "gho_", alnum, 36),
		one("github user token", "ghu_", alnum, 36),
		one("github server token", "ghs_", urlSafeDot, 36),
		one("github refresh token", "ghr_", alnum, 36),
		one("github fine-grained token", "github_pat_", alnumUnder, 22),
		one("gitlab personal access token", "glpat-", urlSafeDot, 20),
		one("gitlab trigger token", "glptt-", urlSafe, 20),
		one("gitlab deploy token", "gldt-", urlSafe, 20),
		one("gitlab runner token", "glrt-", urlSafeDot, 20),
		one("gitlab job token", "glcbt-", urlSafe, 20),
		one("npm token", "npm_", alnum, 36),
		one("pypi token", "pypi-AgE", urlSafe, 50),
		one("rubygems key", "rubygems_", lowerHex, 48),
		one("docker access token", "dckr_pat_", urlSafe, 27),
		one("digitalocean token", "dop_v1_", lowerHex, 64),
		one("digitalocean oauth token", "doo_v1_", lowerHex, 64),
		one("digitalocean refresh token", "dor_v1_", lowerHex, 64),
		one("databricks token", "dapi", lowerHex, 32),
		one("vault service token", "hvs.", urlSafe, 24),
		one("doppler token", "dp.pt.", alnum, 40),
		one("planetscale token", "pscale_tkn_", urlSafeDot, 32),
		one("grafana cloud key", "glc_eyJ", alnum, 32),
		{name: "grafana service account token", inWord: true, pieces: []piece{{"glsa_", alnum, 32}, {"_", lowerHex, 8}}},
		{name: "json web token", pieces: []piece{{"eyJ", urlSafe, 8}, {".eyJ", urlSafe, 8}, {".", urlSafe, 8}}},
	}
}

// serviceFormats are those of search, model, mail and payment services.
func serviceFormats() []keyFormat {
	return []keyFormat{
		one("anthropic key", "sk-ant-", urlSafe, 20),
		one("openrouter key", "sk-or-v1-", lowerHex, 32),
		one("openai project key", "sk-proj-", urlSafe, 20),
		one("openai service account key", "sk-svcacct-", urlSafe, 20),
		{name: "openai key and its like", pieces: []piece{{"sk-", urlSafe, 16}}, filter: noSlug},
		one("google api key", "AIza", urlSafe, 35),
		one("google oauth token", "ya29.", urlSafe, 20),
		one("google client secret", "GOCSPX-", urlSafe, 28),
		one("hugging face token", "hf_", alnum, 30),
		one("perplexity key", "pplx-", alnum, 32),
		one("groq key", "gsk_", alnum, 40),
		one("xai key", "xai-", alnum, 60),
		one("replicate token", "r8_", alnum, 37),
		one("tavily key", "tvly-", alnumDash, 20),
		one("firecrawl key", "fc-", lowerHex, 32),
		one("brave key", "BSA", urlSafe, 27),
		one("slack bot token", "xoxb-", alnumDash, 10),
		one("slack user token", "xoxp-", alnumDash, 10),
		one("slack app token", "xapp-", alnumDash, 20),
		one("slack configuration token", "xoxe.", alnumDash, 20),
		one("slack refresh token", "xoxe-", alnumDash, 20),
		{name: "slack webhook", inWord: true, pieces: []piece{
			{"hooks.slack.com/services/", alnum, 8}, {"/", alnum, 8}, {"/", alnum, 16}}},
		one("stripe secret key", "sk_live_", alnum, 16),
		one("stripe test key", "sk_test_", alnum, 16),
		one("stripe restricted key", "rk_live_", alnum, 16),
		one("stripe webhook secret", "whsec_", alnum, 32),
		{name: "sendgrid key", pieces: []piece{{"SG.", urlSafe, 20}, {".", urlSafe, 40}}},
		one("twilio key", "SK", lowerHex, 32),
		one("mailgun key", "key-", lowerHex, 32),
		one("shopify access token", "shpat_", lowerHex, 32),
		one("shopify shared secret", "shpss_", lowerHex, 32),
		one("square token", "sq0atp-", urlSafe, 22),
		one("square secret", "sq0csp-", urlSafe, 43),
		one("linear key", "lin_api_", alnum, 40),
		one("notion token", "ntn_", alnum, 40),
		{name: "postman key", inWord: true, pieces: []piece{{"PMAK-", lowerHex, 24}, {"-", lowerHex, 34}}},
		one("new relic key", "NRAK-", upperAlnum, 27),
		one("atlassian token", "ATATT3", urlSafe, 60),
		{name: "telegram bot token", pieces: []piece{{"", digits, 8}, {":AA", urlSafe, 33}}},
	}
}

// noSlug parts a key from words with hyphens, such as sk-bratislava-kraj-hotel-2023.
func noSlug(token string) bool {
	for _, c := range []byte(token) {
		if c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return hasLetterAndDigit(token) && longestRun(token) >= 20
}

// length is how many bytes of s from its start are a token of the format, 0 when they are none.
func (f *keyFormat) length(s string) int {
	n := 0
	for _, p := range f.pieces {
		if !strings.HasPrefix(s[n:], p.literal) {
			return 0
		}
		n += len(p.literal)
		run := 0
		for n+run < len(s) && p.set.has(s[n+run]) {
			run++
		}
		if run < p.min {
			return 0
		}
		n += run
	}
	if f.filter != nil && !f.filter(s[:n]) {
		return 0
	}
	return n
}

// pattern is the format as a regular expression.
func (f *keyFormat) pattern() string {
	var out strings.Builder
	if !f.inWord {
		out.WriteString(`\b`)
	}
	for _, p := range f.pieces {
		fmt.Fprintf(&out, "%s%s{%d,}", strings.ReplaceAll(p.literal, ".", `\.`), p.set.class(), p.min)
	}
	return out.String()
}
