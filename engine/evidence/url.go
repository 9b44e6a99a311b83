package evidence

import (
	"strconv"
	"strings"
)

// largestPort is the highest port number of TCP.
const largestPort = 65535

// address is a URL cut at its delimiters, nothing decoded.
type address struct {
	scheme, authority, path, query, fragment string
}

// splitURL cuts a URL into its five parts; ok is false where there is no scheme or no authority.
func splitURL(url string) (a address, ok bool) {
	url = dropIgnored(url)
	a.scheme, url, ok = strings.Cut(url, "://")
	if !ok || !isScheme(a.scheme) {
		return address{}, false
	}
	url, a.fragment = cut(url, "#")
	url, a.query = cut(url, "?")
	if slash := strings.IndexByte(url, '/'); slash >= 0 {
		url, a.path = url[:slash], url[slash:]
	}
	a.authority = url
	return a, true
}

// cut is the text before and after the first sep, all of it before where there is none.
func cut(s, sep string) (before, after string) {
	if i := strings.Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}

func before(s, sep string) string {
	if i := strings.Index(s, sep); i >= 0 {
		return s[:i]
	}
	return s
}

// dropIgnored removes what URL readers ignore: control characters and blanks in front, tabs and line ends anywhere.
func dropIgnored(url string) string {
	start := 0
	for start < len(url) && url[start] <= ' ' {
		start++
	}
	url = url[start:]
	has := func(c byte) bool { return strings.IndexByte(url, c) >= 0 }
	if !has('\t') && !has('\r') && !has('\n') {
		return url
	}
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(url)
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return s != ""
}

// IsURL says whether s has the form that an observation needs: a scheme, "://" and one more character that is neither
// blank nor a slash (contract 2.14, rule 27). A port or host that no parser takes is no reason to refuse.
func IsURL(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !isScheme(scheme) {
		return false
	}
	for _, first := range rest {
		return first != '/' && !IsSpace(first)
	}
	return false
}

// CanonicalURL is the form by which observations are compared (contract 3.4). The fragment is kept where keepFragment
// says that it names a record, and where it is the route of a single-page application. A URL that cannot be taken
// apart is returned as it is.
func CanonicalURL(observed string, keepFragment bool) string {
	a, ok := splitURL(observed)
	if !ok {
		return observed
	}
	host, port, ok := splitAuthority(a.authority)
	if !ok || host == "" || host == "[]" {
		return observed
	}
	number, ok := portNumber(port)
	if !ok {
		return observed
	}
	var out strings.Builder
	out.Grow(len(observed) + 1)
	scheme := strings.ToLower(a.scheme)
	out.WriteString(scheme + "://" + strings.ToLower(host))
	if number != 0 && number != defaultPort(scheme) {
		out.WriteString(":" + strconv.Itoa(number))
	}
	if a.path == "" {
		a.path = "/"
	}
	out.WriteString(a.path)
	if query := withoutTracking(a.query); query != "" {
		out.WriteString("?" + query)
	}
	if a.fragment != "" && (keepFragment || a.fragment[0] == '/' || a.fragment[0] == '!') {
		out.WriteString("#" + a.fragment)
	}
	return out.String()
}

// splitAuthority drops the user and separates host and port; the host of an IPv6 address keeps its brackets.
func splitAuthority(authority string) (host, port string, ok bool) {
	authority = withoutUser(authority)
	if !strings.HasPrefix(authority, "[") {
		host, port = cut(authority, ":")
		return host, port, !strings.ContainsAny(host, "[]")
	}
	end := strings.IndexByte(authority, ']')
	if end < 0 {
		return "", "", false
	}
	host, rest := authority[:end+1], authority[end+1:]
	port, colon := strings.CutPrefix(rest, ":")
	return host, port, rest == "" || colon
}

func withoutUser(authority string) string {
	return authority[strings.LastIndexByte(authority, '@')+1:]
}

// portNumber is 0 for a port that is not given.
func portNumber(port string) (int, bool) {
	if port == "" {
		return 0, true
	}
	if strings.Trim(port, "0123456789") != "" {
		return 0, false
	}
	number, err := strconv.Atoi(port)
	return number, err == nil && number <= largestPort
}

func defaultPort(scheme string) int {
	switch scheme {
	case "http":
		return 80
	case "https":
		return 443
	}
	return 0
}

// withoutTracking drops the parameters that only say which way a reader came, and changes nothing else.
func withoutTracking(query string) string {
	tracked := false
	for parameter := range strings.SplitSeq(query, "&") {
		tracked = tracked || isTracking(parameter)
	}
	if !tracked {
		return query
	}
	var kept []string
	for parameter := range strings.SplitSeq(query, "&") {
		if !isTracking(parameter) {
			kept = append(kept, parameter)
		}
	}
	return strings.Join(kept, "&")
}

// isTracking holds the closed list of contract 3.4, step 7, which is part of the normalizer's version.
func isTracking(parameter string) bool {
	name := strings.ToLower(before(parameter, "="))
	switch name {
	case "gclid", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "mkt_tok",
		"srsltid", "vero_id", "oly_anon_id", "oly_enc_id", "_ga":
		return true
	}
	return strings.HasPrefix(name, "utm_")
}

// authorityOf is the authority of a URL in lower case and without user; ok is false where splitURL finds none.
func authorityOf(url string) (authority string, ok bool) {
	scheme, rest, ok := strings.Cut(dropIgnored(url), "://")
	if !ok || !isScheme(scheme) {
		return "", false
	}
	for i := range len(rest) {
		if c := rest[i]; c == '/' || c == '?' || c == '#' {
			rest = rest[:i]
			break
		}
	}
	return strings.ToLower(withoutUser(rest)), true
}

// Host is the host name of a URL in lower case, without user, port and brackets; "" where there is none. It is there
// also where the port is unusable (contract 3.10).
func Host(url string) string {
	authority, ok := authorityOf(url)
	if !ok {
		return ""
	}
	if inside, bracketed := strings.CutPrefix(authority, "["); bracketed {
		if !strings.Contains(inside, "]") {
			return ""
		}
		return before(inside, "]")
	}
	return before(authority, ":")
}

// familyOf is a host name without a leading "www." (contract 3.10).
func familyOf(host string) string { return strings.TrimPrefix(host, "www.") }

// Domain is what the quality rules compare: the authority in lower case with its port, without user and a leading
// "www." (contract 3.6).
func Domain(url string) string {
	authority, ok := authorityOf(url)
	if !ok {
		return ""
	}
	return strings.TrimPrefix(authority, "www.")
}

// Path is the path of a URL as it is spelt, "" where the URL has none.
func Path(url string) string {
	a, ok := splitURL(url)
	if !ok {
		return ""
	}
	return a.path
}
