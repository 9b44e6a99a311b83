package redact

import (
	"strings"
)

// apiKeyRule removes keys and tokens: those of a published form anywhere, and those that a name gives away.
func apiKeyRule() *rule {
	finder := newKeyFinder(keyFormats())
	return &rule{
		id: "api_key", class: classSecret, mandatory: true, rank: 6,
		match: func() string {
			return finder.patterns() + apiKeyWords()
		},
		reason: apiKeyReason,
		text: func(text string, at place) []span {
			return append(finder.find(text), assignments(text, at)...)
		},
		member: func(name, value string, at place) (span, bool) {
			return span{0, len(value)}, namedSecret(name, value, at)
		},
	}
}

// apiKeyWords is the part of the rule that is no pattern.
func apiKeyWords() string {
	return " (sk- alone only with an upper-case letter or 20 letters and digits in a row); " +
		"the value behind a name and = or :, or of a JSON member, where the name ends in " + strings.Join(strongNames[:], ", ") +
		" (8 characters or more, letters and digits), in " + strings.Join(passwordNames[:], ", ") + " (6 or more, letters and digits), in " +
		strings.Join(weakNames[:], ", ") + " (16 or more, letters and digits, 3.5 bits a character, no hash, no id); " +
		"in a request's body each such value; a credential of the request wherever it comes back"
}

func apiKeyReason(at place) string {
	switch {
	case at == inReply || at == inReplyHeader:
		return "credential echoed by provider"
	case at.request():
		return "credential in request"
	}
	return "credential in recorded text"
}

// keyFinder finds tokens of published forms in one pass: a pair of bytes says whether one may begin here.
type keyFinder struct {
	formats []keyFormat
	pairs   [1 << 10]uint64 // a bit for each pair of bytes that some literal begins with
	first   [256][]uint8    // formats by the first byte of their literal
	inner   []uint8         // formats that begin with digits
}

func newKeyFinder(formats []keyFormat) *keyFinder {
	f := &keyFinder{formats: formats}
	for i, format := range formats {
		literal := format.pieces[0].literal
		if literal == "" {
			f.inner = append(f.inner, uint8(i))
			continue
		}
		pair := int(literal[0])<<8 | int(literal[1])
		f.pairs[pair>>6] |= 1 << (pair & 63)
		f.first[literal[0]] = append(f.first[literal[0]], uint8(i))
	}
	return f
}

func (f *keyFinder) patterns() string {
	var all []string
	for i := range f.formats {
		all = append(all, f.formats[i].pattern())
	}
	return strings.Join(all, "|")
}

// find returns the tokens of text. Of two formats that fit at one place the longer hit counts.
func (f *keyFinder) find(text string) []span {
	var spans []span
	end := 0
	for i := 0; i+1 < len(text); i++ {
		pair := int(text[i])<<8 | int(text[i+1])
		if f.pairs[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		if n := f.longest(f.first[text[i]], text, i, end); n > 0 {
			spans = append(spans, span{i, i + n})
			end = i + n
			i = end - 1
		}
	}
	return append(spans, f.withDigits(text)...)
}

// longest is the length of the longest token at i; a token that begins where another ended needs no word boundary.
func (f *keyFinder) longest(candidates []uint8, text string, i, lastEnd int) int {
	boundary := i == 0 || i == lastEnd || !isWord(text[i-1])
	best := 0
	for _, c := range candidates {
		if format := &f.formats[c]; boundary || format.inWord {
			best = max(best, format.length(text[i:]))
		}
	}
	return best
}

// withDigits finds the forms that begin with digits, by the literal behind them.
func (f *keyFinder) withDigits(text string) []span {
	var spans []span
	for _, c := range f.inner {
		format := &f.formats[c]
		literal := format.pieces[1].literal
		for from := 0; ; {
			i := strings.Index(text[from:], literal)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(literal)
			for start > 0 && isDigit(text[start-1]) {
				start--
			}
			if n := format.length(text[start:]); n > 0 {
				spans = append(spans, span{start, start + n})
			}
		}
	}
	return spans
}

// Endings of names that give a credential away, lower case without "-", "_" and ".". A weak one needs a value that
// looks like a credential.
var (
	strongNames = [...]string{
		"accesskey", "accesskeyid", "accesstoken", "accountkey", "apikey", "apisecret", "apitoken", "appsecret", "authtoken",
		"bearertoken", "clientsecret", "encryptionkey", "masterkey", "privatekey", "privatetoken", "refreshtoken", "secretaccesskey",
		"secretkey", "securitytoken", "sessiontoken", "signingkey", "subscriptionkey",
	}
	passwordNames = [...]string{"passphrase", "passwd", "password", "pwd"}
	weakNames     = [...]string{"credential", "credentials", "key", "secret", "token"}
	// pagingNames hold a place in a list, not a right.
	pagingNames = [...]string{"continuation", "cursor", "next", "page", "sync"}
)

type nameStrength uint8

const (
	noName nameStrength = iota
	weakName
	passwordName
	strongName
)

func judgeName(name string) nameStrength {
	if !endsLikeSecret(name) {
		return noName
	}
	spelt := name
	name = plainName(name)
	for _, ending := range strongNames {
		if strings.HasSuffix(name, ending) {
			return strongName
		}
	}
	for _, ending := range passwordNames {
		if strings.HasSuffix(name, ending) {
			return passwordName
		}
	}
	for _, word := range pagingNames {
		if strings.Contains(name, word) {
			return noName
		}
	}
	for _, ending := range weakNames {
		if endsInWord(spelt, ending) {
			return weakName
		}
	}
	return noName
}

// endsLikeSecret is false for names that none of the lists can hold, by their last letter.
func endsLikeSecret(name string) bool {
	if len(name) < 3 {
		return false
	}
	switch name[len(name)-1] | 0x20 {
	case 'd', 'e', 'l', 'n', 's', 't', 'y':
		return true
	}
	return isSeparator(name[len(name)-1])
}

// endsInWord says whether a name's last word is the given one, by "_", "-", "." or a capital: a monkey is no key.
func endsInWord(name, word string) bool {
	i := len(name) - len(word)
	if i < 0 || !strings.EqualFold(name[i:], word) {
		return false
	}
	return i == 0 || !isAlnum(name[i-1]) || name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a'
}

// namedSecret says whether a value is a credential because of its name.
func namedSecret(name, value string, at place) bool {
	strength := judgeName(name)
	if strength == noName || value == "" || at.header() {
		return false
	}
	if at == inRequest {
		return true
	}
	return believable(strength, value)
}

func believable(strength nameStrength, value string) bool {
	if strings.ContainsAny(value, " \t\r\n<>{}$[]") || strings.Contains(value, "://") {
		return false
	}
	switch strength {
	case strongName:
		return len(value) >= 8 && hasLetterAndDigit(value)
	case passwordName:
		return len(value) >= 6 && hasLetterAndDigit(value)
	case weakName:
		return credentialLike(value)
	}
	return false
}

// assignments finds name=value and name: value in plain text where the name gives a credential away.
func assignments(text string, _ place) []span {
	var spans []span
	for i := 1; i < len(text); i++ {
		next := strings.IndexAny(text[i:], "=:")
		if next < 0 {
			return spans
		}
		i += next
		strength := judgeName(assignedName(text[:i]))
		if strength == noName {
			continue
		}
		start := valueStart(text, i+1)
		end := start + valueEnd(text[start:])
		if fragment := strings.IndexByte(text[start:end], '#'); fragment > 0 && inQuery(text[:i]) {
			end = start + fragment
		}
		if end > start && believable(strength, text[start:end]) {
			spans = append(spans, span{start, end})
			i = end - 1
		}
	}
	return spans
}

// assignedName is the name in front of a colon or equals sign, without quotes.
func assignedName(before string) string {
	end := len(before)
	for end > 0 && len(before)-end < 4 && strings.IndexByte(" \t\"'`:", before[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && end-start < 64 && (isWord(before[start-1]) || before[start-1] == '-' || before[start-1] == '.') {
		start--
	}
	return before[start:end]
}

// inQuery says whether the name that ends before is a parameter of an address.
func inQuery(before string) bool {
	_, lead := parameterName(before)
	return lead
}

func valueStart(text string, i int) int {
	for n := 0; i < len(text) && n < 6 && strings.IndexByte(" \t\"'`=>", text[i]) >= 0; n++ {
		i++
	}
	return i
}

func valueEnd(s string) int {
	if end := strings.IndexAny(s, " \t\r\n\"'`,;&<>()|\\"); end >= 0 {
		return end
	}
	return len(s)
}
