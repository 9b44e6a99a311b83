package redact

import "strings"

// urlCredentialsRule removes user name and password from addresses.
func urlCredentialsRule() *rule {
	return &rule{
		id: "url_credentials", class: classSecret, mandatory: true, rank: 4,
		match:  words(`[A-Za-z][A-Za-z0-9+.-]*://(user:password|user)@: all between // and the last @ before the path; a user alone only of http, https, ws, wss and ftp`),
		reason: fixed("user name or password in an address"),
		text:   urlCredentials,
	}
}

func urlCredentials(text string, _ place) []span {
	if strings.IndexByte(text, '@') < 0 {
		return nil
	}
	var spans []span
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return spans
		}
		start := from + i + 3
		from = start
		end := start + authorityEnd(text[start:])
		at := strings.LastIndexByte(text[start:end], '@')
		if at <= 0 {
			continue
		}
		user := text[start : start+at]
		if hasPassword(user) || webScheme(text[:start-3]) {
			spans = append(spans, span{start, start + at})
		}
	}
}

func hasPassword(user string) bool {
	i := strings.IndexByte(user, ':')
	return i >= 0 && i < len(user)-1
}

// authorityEnd is where the authority of an address ends. A password with a character that should have been encoded
// doesn't end it early as long as an at sign follows before the next blank.
func authorityEnd(s string) int {
	end := strings.IndexAny(s, "/?# \t\r\n\"'<>\\`")
	if end < 0 {
		return len(s)
	}
	return end
}

func webScheme(before string) bool {
	i := len(before)
	for i > 0 && (isAlnum(before[i-1]) || strings.IndexByte("+.-", before[i-1]) >= 0) {
		i--
	}
	switch strings.ToLower(before[i:]) {
	case "http", "https", "ws", "wss", "ftp":
		return true
	}
	return false
}
