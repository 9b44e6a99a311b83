package redact

import (
	"regexp"
	"strings"
)

// privateKeyRule removes private keys in their text forms. A key that is cut off goes to the end of its string.
func privateKeyRule() *rule {
	return &rule{
		id: "private_key", class: classSecret, mandatory: true, rank: 1,
		match: words(pemKey.String() + ` ; ` + puttyKey.String() + ` ; ` + ageKey.String() +
			` ; the member d of a JSON object that also has kty`),
		reason: fixed("private key"),
		text:   privateKeys,
	}
}

var (
	pemKey   = regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)`)
	puttyKey = regexp.MustCompile(`(?s)Private-Lines: \d+.*?(?:Private-(?:MAC|Hash): [0-9a-f]+|$)`)
	ageKey   = regexp.MustCompile(`AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{20,}`)
)

func privateKeys(text string, _ place) []span {
	var spans []span
	for _, form := range [...]struct {
		anchor  string
		pattern *regexp.Regexp
	}{{"PRIVATE KEY", pemKey}, {"Private-Lines: ", puttyKey}, {"AGE-SECRET-KEY-", ageKey}} {
		if strings.Contains(text, form.anchor) {
			spans = append(spans, groupSpans(form.pattern, text, 0)...)
		}
	}
	return spans
}
