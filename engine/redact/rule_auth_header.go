package redact

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// authHeaderRule removes credentials that headers carry: the whole value of a secret header, the value of a member of
// such a name, and a scheme with its token in any text.
func authHeaderRule() *rule {
	return &rule{
		id: "auth_header", class: classSecret, mandatory: true, rank: 2,
		match: words("the value of the headers authorization, proxy-authorization, x-api-key, api-key, apikey, x-subscription-token, " +
			"x-auth-token, x-goog-api-key, ocp-apim-subscription-key, authentication, x-amz-security-token and of every header " +
			"whose name ends in -key, -token, -secret or -password (idempotency-key excepted); a JSON member of such a name " +
			"(listed ones only); " + bearerPattern.String()),
		reason: authHeaderReason,
		text:   bearerTokens,
		member: authMember,
	}
}

func authHeaderReason(at place) string {
	switch {
	case at.header():
		return "credential header"
	case at == inReply:
		return "credential header echoed by provider"
	}
	return "credential header in text"
}

// secretHeader says whether a header's value is a credential.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	if listedHeader(name) {
		return true
	}
	// Ours to choose, and task hosts check it: it grants nothing.
	if name == "idempotency-key" || name == "x-idempotency-key" {
		return false
	}
	for _, ending := range [...]string{"-key", "-token", "-secret", "-password"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return false
}

func listedHeader(name string) bool {
	switch name {
	case "authorization", "proxy-authorization", "authentication", "x-api-key", "api-key", "apikey",
		"x-subscription-token", "x-auth-token", "x-goog-api-key", "ocp-apim-subscription-key", "x-amz-security-token":
		return true
	}
	return false
}

func authMember(name, value string, at place) (span, bool) {
	if at.header() {
		return span{0, len(value)}, value != "" && secretHeader(name)
	}
	if !listedHeader(strings.ToLower(name)) {
		return span{}, false
	}
	whole := span{0, len(value)}
	scheme, token, two := strings.Cut(value, " ")
	if two && authScheme(scheme) && len(token) >= 6 && !strings.Contains(token, " ") {
		return whole, true
	}
	return whole, at == inRequest && value != "" || credentialLike(value) || isHash(value)
}

func authScheme(word string) bool {
	switch strings.ToLower(word) {
	case "bearer", "basic", "digest", "token", "apikey", "api-key", "negotiate", "ntlm":
		return true
	}
	return false
}

// bearerPattern is a scheme and its token; group 2 is the token.
var bearerPattern = regexp.MustCompile(`(?i)\b(bearer|basic)[ \t+]+([A-Za-z0-9\-._~+/]{12,}=*)`)

// bearerTokens finds tokens behind their scheme. "Bearer authentication" and "basic understanding" are words.
func bearerTokens(text string, _ place) []span {
	if !containsFold(text, 0, "bearer", "basic") {
		return nil
	}
	var spans []span
	for _, m := range bearerPattern.FindAllStringSubmatchIndex(text, -1) {
		scheme, token := text[m[2]:m[3]], text[m[4]:m[5]]
		if strings.EqualFold(scheme, "basic") {
			if !isUserPassword(token) {
				continue
			}
		} else if !hasLetterAndDigit(token) && !mixedCase(token) {
			continue
		}
		spans = append(spans, span{m[4], m[5]})
	}
	return spans
}

// isUserPassword says whether token is base64 of readable text with a colon, as of the scheme Basic.
func isUserPassword(token string) bool {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(token, "="))
	if err != nil || !strings.Contains(string(data), ":") {
		return false
	}
	for _, c := range data {
		if c < 0x20 || c == 0x7f {
			return false
		}
	}
	return true
}
