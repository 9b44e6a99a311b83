package redact

import (
	"regexp"
	"strings"
)

// cookieRule removes cookies: the headers' whole values, members of that name and header lines in text.
func cookieRule() *rule {
	return &rule{
		id: "cookie", class: classSecret, mandatory: true, rank: 3,
		match: words("the value of the headers cookie, cookie2, set-cookie, set-cookie2; a JSON member of such a name that holds " +
			"name=value; " + cookieLine.String()),
		reason: fixed("cookie"),
		text:   cookieLines,
		member: cookieMember,
	}
}

func cookieMember(name, value string, at place) (span, bool) {
	switch strings.ToLower(name) {
	case "cookie", "cookie2", "set-cookie", "set-cookie2", "cookies":
	default:
		return span{}, false
	}
	// A page about cookies has members of that name too; a cookie is a pair.
	return span{0, len(value)}, value != "" && (at.header() || cookiePair.MatchString(value))
}

var (
	cookiePair = regexp.MustCompile(`^\s*[!#$%&'*+\-.^_|~0-9A-Za-z]+=[^\s;,]`)
	cookieLine = regexp.MustCompile(`(?i)\b(?:set-)?cookie2?\s*:\s*([!#$%&'*+\-.^_|~0-9a-z]+=[^\s;,][^\r\n]*)`)
)

func cookieLines(text string, _ place) []span {
	if !containsFold(text, 3, "cookie") {
		return nil
	}
	return groupSpans(cookieLine, text, 1)
}

// groupSpans are the spans of one group of every match.
func groupSpans(pattern *regexp.Regexp, text string, group int) []span {
	var spans []span
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		if start, end := m[2*group], m[2*group+1]; end > start {
			spans = append(spans, span{start, end})
		}
	}
	return spans
}
