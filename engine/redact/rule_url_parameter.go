package redact

import "strings"

// urlParameterRule removes credentials from the query or fragment of an address and from form bodies.
func urlParameterRule() *rule {
	return &rule{
		id: "url_parameter", class: classSecret, mandatory: true, rank: 5,
		match: words("the value of the parameters " + strings.Join(strongParameters[:], ", ") + "; of " +
			strings.Join(weakParameters[:], ", ") + " in requests, elsewhere when the value looks like a credential " +
			"(16 characters or more, letters and digits, 3.5 bits a character, or a hash)"),
		reason: urlParameterReason,
		text:   urlParameters,
	}
}

func urlParameterReason(at place) string {
	if at == inReply {
		return "credential in an address, echoed by provider"
	}
	return "credential in an address"
}

// Names of parameters, lower case, without "-", "_" and ".". A weak one also has other uses.
var (
	strongParameters = [...]string{
		"accesskey", "accesstoken", "apikey", "apisecret", "apitoken", "appsecret", "authtoken", "bearertoken", "clientsecret",
		"idtoken", "jwt", "passwd", "password", "privatekey", "refreshtoken", "secretkey", "sessiontoken", "sharedaccesssignature",
		"subscriptionkey", "xamzcredential", "xamzsecuritytoken", "xamzsignature", "xapikey", "xgoogcredential", "xgoogsignature",
	}
	weakParameters = [...]string{
		"appid", "appkey", "auth", "authorization", "code", "credential", "key", "pass", "pwd", "secret", "session", "sessionid",
		"sid", "sig", "signature", "token",
	}
)

func urlParameters(text string, at place) []span {
	var spans []span
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '=')
		if i < 0 {
			return spans
		}
		equals := from + i
		from = equals + 1
		name, lead := parameterName(text[:equals])
		strong, weak := parameterKind(name)
		// A form body begins with a parameter and has no mark before it.
		if !strong && !weak || !lead && !(at == inRequest && len(name) == equals) {
			continue
		}
		end := from + parameterEnd(text[from:])
		value := text[from:end]
		if value == "" || strong && len(value) < 4 && !at.request() {
			continue
		}
		if strong || at.request() || credentialLike(value) || isHash(value) {
			spans = append(spans, span{from, end})
		}
		from = end
	}
}

// parameterName is the name that ends before, and whether a mark stands in front of it.
func parameterName(before string) (name string, lead bool) {
	i := len(before)
	for i > 0 && len(before)-i < 64 && (isWord(before[i-1]) || before[i-1] == '-' || before[i-1] == '.') {
		i--
	}
	return before[i:], i > 0 && strings.IndexByte("?&#;", before[i-1]) >= 0
}

func parameterKind(name string) (strong, weak bool) {
	if len(name) < 3 {
		return false, false
	}
	name = plainName(name)
	for _, known := range strongParameters {
		strong = strong || name == known
	}
	for _, known := range weakParameters {
		weak = weak || name == known
	}
	return strong, weak
}

func parameterEnd(s string) int {
	if end := strings.IndexAny(s, "&#; \t\r\n\"'<>`\\"); end >= 0 {
		return end
	}
	return len(s)
}
