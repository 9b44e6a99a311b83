package redact

import (
	"math"
	"strings"
)

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool  { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool   { return isAlnum(c) || c == '_' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// containsFold says whether s holds one of the ASCII words in any case. The words are in lower case and have one letter,
// the pivot, at one place in common; it is rare, so looking for it is quick.
func containsFold(s string, pivot int, words ...string) bool {
	lower := words[0][pivot]
	for _, letter := range [...]byte{lower, lower &^ 0x20} {
		for from := 0; ; {
			i := strings.IndexByte(s[from:], letter)
			if i < 0 {
				break
			}
			start := from + i - pivot
			from += i + 1
			for _, word := range words {
				if start >= 0 && start+len(word) <= len(s) && strings.EqualFold(s[start:start+len(word)], word) {
					return true
				}
			}
		}
	}
	return false
}

func isSeparator(c byte) bool { return c == '-' || c == '_' || c == '.' }

// plainName is a name in lower case without "-", "_" and ".".
func plainName(name string) string {
	out := make([]byte, 0, len(name))
	for _, c := range []byte(name) {
		switch {
		case c >= 'A' && c <= 'Z':
			c |= 0x20
		case isSeparator(c):
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

func hasLetterAndDigit(s string) bool {
	letter, digit := false, false
	for _, c := range []byte(s) {
		letter, digit = letter || isLetter(c), digit || isDigit(c)
	}
	return letter && digit
}

// mixedCase says whether upper and lower case follow each other more than once, as in no word or title.
func mixedCase(s string) bool {
	ups := 0
	for i := 1; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			ups++
		}
	}
	return ups >= 2
}

// entropy is the Shannon entropy of the bytes of s in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for _, c := range []byte(s) {
		count[c]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range count {
		if c > 0 {
			p := float64(c) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// Limits of the judgement that a value is a credential by its looks.
const (
	minCredential = 16
	minEntropy    = 3.5
)

// credentialLike says whether a value looks like a generated credential: long, letters and digits, high entropy, and
// neither hash nor id.
func credentialLike(value string) bool {
	if len(value) < minCredential || !hasLetterAndDigit(value) || strings.ContainsAny(value, " \t\r\n") {
		return false
	}
	return !isHash(value) && !isID(value) && !strings.Contains(value, "://") && longestRun(value) >= 10 && entropy(value) >= minEntropy
}

// longestRun is the length of the longest run of letters and digits: paths, dates and dotted names are made of short ones.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, c := range []byte(s) {
		if run++; !isAlnum(c) {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// isHash says whether s is exactly 32, 40, 64, 96 or 128 hex digits.
func isHash(s string) bool {
	switch len(s) {
	case 32, 40, 64, 96, 128:
	default:
		return false
	}
	for _, c := range []byte(s) {
		if !isHex(c) {
			return false
		}
	}
	return true
}

// isID says whether s is an id of the contract or a UUID, pack format section 6.4a.
func isID(s string) bool {
	if prefix, digits, ok := strings.Cut(s, "_"); ok && len(digits) >= 12 && len(digits) <= 64 {
		switch prefix {
		case "attempt", "cluster", "exec", "extract", "obs", "result", "search":
			return strings.Trim(digits, "0123456789abcdef") == ""
		}
	}
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return false
	}
	return isHash(strings.ReplaceAll(s, "-", ""))
}
