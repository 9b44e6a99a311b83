package projection

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"casebook/engine/evidence"
)

// class is the routing class of a query as far as authority lists exist for it (contract 4.2, step 2).
type class int

// The classes with an authority list; noClass is every other.
const (
	noClass class = iota
	officialVendorRelease
	officialDocs
	policyPDF
	financeEarnings
	securityAdvisory
)

// classRule gives its class to a query in which every group of phrases has one that stands there.
type classRule struct {
	class  class
	groups []string // phrases separated by |; "(s)" marks an ending that may be missing
}

const (
	shopWords  = "geizhals|preis|price(s)|buy|kaufen|österreich|austria|shop|händler|deal|angebot"
	madeBy     = "mistral|anthropic|openai|google|meta|nvidia|apple|microsoft|claude|gemini|llama"
	publishers = "nist|eu ai act|regulation|regulatory|policy|commission|government|official|rmf"
	goods      = "sony|denon|iphone|samsung|bose|kef|marantz|yamaha|lg|asus|laptop|tv|headphone(s)|speaker|receiver|avc|wh-|" + modelNumber
)

// Two entries of a group that are no literal phrases.
const (
	modelNumber   = "<model number>" // 1 to 5 letters, a hyphen or blank or neither, at least 3 digits
	subredditName = "<subreddit>"    // r/ and a word
)

// classRules are the rows of the table up to the last class with an authority list; the rows behind it could only
// give classes without one. Row 9 is left out: row 10 takes every query that it takes, to a class without a list too.
func classRules() []classRule {
	return []classRule{
		{noClass, []string{"difference(s)|unterschiede|vergleich|compare|comparison|brief(ing)|summarise|summarize|zusammenfass(en)|zusammenfassung|was sind|what are"}},
		{securityAdvisory, []string{"advisory|cve|mitigation|openssl|openssh|vulnerability|zero-day|zero day|zeroday"}},
		{noClass, []string{"patent(s)|patentscope|espacenet|uspto|google patents"}},
		{policyPDF, []string{"pdf|whitepaper|code of practice", publishers}},
		{noClass, []string{"eu ai act|european commission|regulation|regulatory|obligation(s)"}},
		{financeEarnings, []string{"nvidia|earnings|gross margin|investor relations|guidance|10-q|10-k|eps|revenue|quarterly result(s)"}},
		{noClass, []string{"investor monthly|monthly factsheet|monthly report|aum|fund flow(s)"}},
		{noClass, []string{"site:reddit.com|" + subredditName}},
		{noClass, []string{"reddit", "thread|post|community|user(s)|discussion|comment(s)"}},
		{noClass, []string{shopWords, goods}},
		{noClass, []string{"forum(s)|community|discussion|comment(s)|erfahrungen|review(s)|measurement(s)|head-fi|audiosciencereview|hifi-forum"}},
		{noClass, []string{"arxiv|paper(s)|scaling laws|randomised trial|randomized trial|primary source(s)"}},
		{noClass, []string{"github|repo(sitory)|plugin docs"}},
		{officialDocs, []string{"official doc(s)|official documentation|api reference|developer doc(s)|official manual"}},
		{officialVendorRelease, []string{"official|release|announcement|launch|changelog|release note(s)", madeBy}},
	}
}

// classOf gives the class of the first rule that holds.
func classOf(query string) class {
	text := evidence.NormalizeSpace(strings.ToLower(query))
	for _, rule := range classRules() {
		if holdsAll(text, rule.groups) {
			return rule.class
		}
	}
	return noClass
}

func holdsAll(text string, groups []string) bool {
	for _, group := range groups {
		if !holdsOne(text, group) {
			return false
		}
	}
	return true
}

func holdsOne(text, group string) bool {
	for phrase := range strings.SplitSeq(group, "|") {
		switch phrase {
		case modelNumber:
			if startsWord(text, modelLength) {
				return true
			}
			continue
		case subredditName:
			if startsWord(text, subredditLength) {
				return true
			}
			continue
		}
		stem, ending, optional := strings.Cut(phrase, "(")
		if holds(text, stem) || optional && holds(text, stem+strings.TrimSuffix(ending, ")")) {
			return true
		}
	}
	return false
}

// holds says whether the phrase stands in the text with a word boundary on both sides.
func holds(text, phrase string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start := from + i
		if boundary(text, start) && boundary(text, start+len(phrase)) {
			return true
		}
		from = start + 1
	}
}

// startsWord tries a pattern at every boundary; the pattern gives the length of its match, 0 for none.
func startsWord(text string, pattern func(string) int) bool {
	for i := range text {
		if boundary(text, i) && pattern(text[i:]) > 0 {
			return true
		}
	}
	return false
}

// boundary says whether a word begins or ends at byte i. Words are of letters, marks, digits and low lines of any
// script.
func boundary(text string, i int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:i])
	inside := size > 0 && isWord(before) // U+FFFD, which stands for no character, is in no word either
	after, size := utf8.DecodeRuneInString(text[i:])
	return inside != (size > 0 && isWord(after))
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func subredditLength(text string) int {
	name, ok := strings.CutPrefix(text, "r/")
	first, size := utf8.DecodeRuneInString(name)
	if !ok || size == 0 || !isWord(first) {
		return 0
	}
	return len("r/") + size
}

// modelLength matches names such as wh-1000xm5 and rtx 4090 up to the digits, behind which letters, digits and hyphens
// may follow to a boundary.
func modelLength(text string) int {
	i := span(text, 0, isLatin)
	if i == 0 || i > 5 {
		return 0
	}
	if i < len(text) && (text[i] == '-' || text[i] == ' ') {
		i++
	}
	end := span(text, i, isDigit)
	if end-i < 3 {
		return 0
	}
	for last := span(text, end, func(c byte) bool { return isLatin(c) || isDigit(c) || c == '-' }); end <= last; end++ {
		if boundary(text, end) {
			return end
		}
	}
	return 0
}

// span is the end of the run of bytes from i on that are of a kind.
func span(text string, i int, is func(byte) bool) int {
	for i < len(text) && is(text[i]) {
		i++
	}
	return i
}

func isLatin(c byte) bool { return c >= 'a' && c <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
