package evidence

import (
	"regexp"
	"time"
)

var rfc3339 = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$`)

// NewDate is a provider's date as it spelt it, nil for an empty one. It is its own normal form where it is a complete
// RFC 3339 time with an offset; nothing else is guessed at (contract 3.11).
func NewDate(raw string) *Date {
	if raw == "" {
		return nil
	}
	date := &Date{Raw: raw}
	if isRFC3339(raw) {
		date.Normalized = &raw
	}
	return date
}

// isRFC3339 is stricter than package time, which takes an offset of 99 hours and a comma before the fraction, and
// laxer in one place: a leap second stands at the end of a month in UTC.
func isRFC3339(s string) bool {
	parts := rfc3339.FindStringSubmatch(s)
	if parts == nil {
		return false
	}
	var n [10]int
	for i, part := range parts {
		if i == 0 || i == 7 { // the whole and the sign
			continue
		}
		n[i] = decimal(part)
	}
	year, month, day, hour, minute, second := n[1], n[2], n[3], n[4], n[5], n[6]
	if hour > 23 || minute > 59 || n[8] > 23 || n[9] > 59 {
		return false
	}
	if date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC); int(date.Month()) != month || date.Day() != day {
		return false
	}
	if second < 60 {
		return true
	}
	offset := time.Duration(n[8])*time.Hour + time.Duration(n[9])*time.Minute
	if parts[7] == "-" {
		offset = -offset
	}
	after := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Add(-offset)
	return second == 60 && after.Day() == 1 && after.Hour() == 0 && after.Minute() == 0
}

// decimal is the number that the digits of s make; the pattern leaves digits, and an absent offset, which counts as 0.
func decimal(s string) int {
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
