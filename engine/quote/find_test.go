package quote

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The places are counted by hand.
func TestFindAll(t *testing.T) {
	for _, tt := range []struct {
		name, text, quote string
		want              []Match
	}{
		{"once", "a line skips", "line", []Match{{2, 6}}},
		{"at both ends", "ab", "ab", []Match{{0, 2}}},
		{"absent", "a line", "lines", nil},
		{"longer than the text", "a", "ab", nil},
		{"blank quote", "a b", " \n", nil},
		{"empty quote", "", "", nil},
		{"code points, not bytes", "é萨摩亚🇼🇸x", "🇼🇸", []Match{{4, 6}}},
		{"runs of white space", "one \t\n two\u3000three", "one two three", []Match{{0, 16}}},
		{"runs in the quote", "one two", "one \n\t two", []Match{{0, 7}}},
		{"blank where none is", "onetwo", "one two", nil},
		{"white space around the quote", "  one  two", "\n two ", []Match{{7, 10}}},
		{"no-break space", "10\u00a0000", "10 000", []Match{{0, 6}}},
		{"several", "ab ab  ab", "ab", []Match{{0, 2}, {3, 5}, {7, 9}}},
		{"overlapping", "aaaa", "aa", []Match{{0, 2}, {1, 3}, {2, 4}}},
		{"overlapping with blanks", "a  a a", "a a", []Match{{0, 4}, {3, 6}}},
		{"false start", "aab aaab", "aaab", []Match{{4, 8}}},
		{"case counts", "Apia", "apia", nil},
		{"composed and decomposed differ", "e\u0301", "é", nil},
		{"combining mark is a code point", "e\u0301x", "x", []Match{{2, 3}}},
		{"zero width space is no white space", "a\u200bb", "a b", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := FindAll(tt.text, tt.quote); !slices.Equal(got, tt.want) {
				t.Errorf("FindAll(%q, %q) = %v, want %v", tt.text, tt.quote, got, tt.want)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ name, text, quote, want string }{
		{"another case", "In 2011 Samoa left out a day.", "samoa Left out A day", "Samoa left out a day"},
		{"another dash", "the years 1994–2011 of it", "1994-2011", "1994–2011"},
		{"other quotation marks", "it is “here” now", `"here"`, "“here”"},
		{"apostrophe", "it wasn’t so", "wasn't", "wasn’t"},
		{"angle quotation marks", "il dit «oui» ici", `"oui"`, "«oui»"},
		{"minus sign", "about −11:00 h", "-11:00", "−11:00"},
		{"alike at less than a quarter", "Samoa is somewhere", "Samo followed by many other words", ""},
		{"wrong end", "Samoa left out December 30", "left out December 31", "left out December 30"},
		{"wrong beginning", "On Friday 30 December 2011 it was so", "Monday 30 December 2011", "Friday 30 December 2011"},
		{"cut by the beginning", "30 December 2011 it was so", "Friday, 30 December 2011", "30 December 2011"},
		{"longer than the text", "the end is near", "the end is nearer than you think", "the end is near"},
		{"nothing alike", "some words", "zzz", ""},
		{"short accident", "Samoa", "Sa completely different quote", ""},
		{"few code points", "萨摩亚跳过一天", "摩亚跳过两天", "摩亚跳过一天"},
		{"white space collapsed", "left  out\n\nDecember 30", "left out December 31", "left out December 30"},
		{"blank quote", "a", " ", ""},
		{"empty text", "", "abc", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Nearest(tt.text, tt.quote); got != tt.want {
				t.Errorf("Nearest(%q, %q) = %q, want %q", tt.text, tt.quote, got, tt.want)
			}
		})
	}
	long := strings.Repeat("abc", 200)
	if got, want := Nearest(long, long+"x"), long[:200]; got != want {
		t.Errorf("a long one: %q, want %q", got, want)
	}
}

// Texts of some megabytes that repeat themselves take linear time; a quadratic search would not end here.
func TestLargeTexts(t *testing.T) {
	const n = 2_000_000
	text := strings.Repeat("a", n)
	if got := FindAll(text, strings.Repeat("a", n/2)+"b"); got != nil {
		t.Errorf("found %d", len(got))
	}
	if got := FindAll(text, strings.Repeat("a", n/2)); len(got) != n/2+1 || got[n/2] != (Match{n / 2, n}) {
		t.Errorf("found %d", len(got))
	}
	if got := Nearest(text, strings.Repeat("a", n/2)+"b"); got != strings.Repeat("a", longestNearest) {
		t.Errorf("nearest %.20q", got)
	}
}

// FuzzFind: each place cuts the quote out of the text, and a plain search over collapsed texts counts as many.
func FuzzFind(f *testing.F) {
	f.Add("one \t two one  two", "one two")
	f.Add("aaaa", "aa")
	f.Add("é\u3000萨🇼🇸", "萨")
	f.Add("a\xffb", "\xff")
	f.Fuzz(func(t *testing.T, text, quote string) {
		points := []rune(text)
		want := flat(quote)
		places := FindAll(text, quote)
		for _, m := range places {
			if m.Start < 0 || m.End <= m.Start || m.End > len(points) {
				t.Fatalf("place %v outside %d code points", m, len(points))
			}
			if got := string(points[m.Start:m.End]); flat(got) != want || unicode.IsSpace(points[m.Start]) || unicode.IsSpace(points[m.End-1]) {
				t.Errorf("place %v of %q in %q holds %q", m, quote, text, got)
			}
		}
		count := 0
		for rest := flat(text); want != "" && strings.Contains(rest, want); count++ {
			i := strings.Index(rest, want)
			rest = string([]rune(rest[i:])[1:])
		}
		if count != len(places) {
			t.Errorf("%q is %d times in %q, found %d", quote, count, text, len(places))
		}
		if nearest := Nearest(text, quote); len([]rune(nearest)) > longestNearest || !strings.Contains(flat(text), flat(nearest)) {
			t.Errorf("nearest to %q in %q: %q", quote, text, nearest)
		}
	})
}

// flat collapses white space by the standard library, which knows the same white space.
func flat(text string) string { return strings.Join(strings.Fields(string([]rune(text))), " ") }
