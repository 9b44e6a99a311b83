package redact

import (
	"strings"
	"unicode/utf8"
)

// emailRule removes e-mail addresses.
func emailRule() *rule {
	return &rule{
		id: "email", class: classPersonal, mandatory: false, rank: 7,
		match: words("[A-Za-z0-9.!$*+^_{|}~'-]+@ and a host name of two or more labels whose last one is letters or begins with xn-- " +
			"and is no ending of a file name (" + strings.Join(fileEndings[:], " ") + "), letters beyond ASCII included; " +
			"not the user part of an address with ://, not git@"),
		reason: fixed("e-mail address"),
		text:   emails,
	}
}

// fileEndings are no top-level domains: icon@2x.png is a file.
var fileEndings = [...]string{
	"avif", "bz2", "css", "deb", "gif", "go", "gz", "htm", "html", "ico", "java", "jpeg", "jpg", "js", "json", "mjs", "php",
	"png", "rpm", "svg", "tar", "tgz", "txt", "webp", "whl", "xml", "xz", "yaml", "yml",
}

func emails(text string, _ place) []span {
	var spans []span
	done := 0
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '@')
		if i < 0 {
			return spans
		}
		at := from + i
		from = at + 1
		start := at - len(localPart(text[done:at]))
		end := at + 1 + domainEnd(text[at+1:])
		if start == at || end == at+1 || text[start:at] == "git" || inAuthority(text[:start]) {
			continue
		}
		spans = append(spans, span{start, end})
		from, done = end, end
	}
}

// localPart is the longest local part that before ends in.
func localPart(before string) string {
	i := len(before)
	for i > 0 && len(before)-i < 128 && isLocal(before[i-1]) {
		i--
	}
	// A cut inside a character is no start.
	for i < len(before) && !utf8.RuneStart(before[i]) {
		i++
	}
	return strings.TrimLeft(before[i:], ".'{|}*")
}

func isLocal(c byte) bool {
	return isAlnum(c) || c >= utf8.RuneSelf || strings.IndexByte(".!$*+^_{|}~'-", c) >= 0
}

// domainEnd is the length of the domain that s begins with, 0 when there is none. What is glued to the last label
// with "-" or "_" goes with it.
func domainEnd(s string) int {
	end, label, labels, last := 0, 0, 0, ""
	for end < len(s) && end < 255 && (isWord(s[end]) || s[end] == '-' || s[end] == '.' || s[end] >= utf8.RuneSelf) {
		if s[end] == '.' {
			if end == label {
				break
			}
			label = end + 1
		}
		end++
	}
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end++
	}
	domain := strings.TrimRight(s[:end], ".")
	for part := range strings.SplitSeq(domain, ".") {
		labels, last = labels+1, part
	}
	if labels < 2 || !topLevel(last) {
		return 0
	}
	return len(domain)
}

// topLevel says whether a label may end a host name.
func topLevel(label string) bool {
	label = strings.ToLower(label)
	if strings.HasPrefix(label, "xn--") {
		return true
	}
	letters := 0
	for letters < len(label) && (isLetter(label[letters]) || label[letters] >= utf8.RuneSelf) {
		letters++
	}
	if letters < 2 || letters < len(label) && label[letters] != '-' && label[letters] != '_' {
		return false
	}
	for _, ending := range fileEndings {
		if label == ending {
			return false
		}
	}
	return true
}

// inAuthority says whether an address of the form scheme://user has just begun: then another rule judges.
func inAuthority(before string) bool {
	i := strings.LastIndexAny(before, "/ \t\r\n\"'<>?#")
	return i >= 2 && before[i] == '/' && strings.HasSuffix(before[:i+1], "://")
}
