package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// kinds are the letters by which the tests write a token's kind.
const kinds = "w1psS"

func describe(s string) []string {
	all := []string{}
	for t := range tokens(s) {
		alone := ""
		if t.Alone {
			alone = "!"
		}
		all = append(all, fmt.Sprintf("%c%d:%s%s", kinds[t.Kind], t.Start, t.Text, alone))
	}
	return all
}

func TestTokens(t *testing.T) {
	tests := []struct {
		name, text string
		want       string
	}{
		{"words", "The harbour, 8 am", "w0:the w4:harbour w13:8 w15:am"},
		{"identifier", "os.OpenRoot(x)", "w0:os w3:openroot w12:x"},
		{"punctuation pairs", "a) -> b", "w0:a S3:-> s4:> w6:b"},
		{"symbol alone", "a $ ~b . ,", "w0:a s2:$! s4:~! w5:b"},
		{"three symbols", "->>", "S0:-> s1:> S1:>> s2:>"},
		{"Han", "東京都", "10:東 p0:東京 13:京 p3:京都 16:都"},
		{"Kana and Han in one run", "東ヘは", "10:東 p0:東ヘ 13:ヘ p3:ヘは 16:は"},
		{"sound mark stays in the run", "ラー油", "10:ラ p0:ラー 13:ー p3:ー油 16:油"},
		{"middle dot parts", "ア・イ", "10:ア! 16:イ!"},
		{"alone", "a 水 b", "w0:a 12:水! w6:b"},
		{"year", "2026年", "w0:2026 14:年!"},
		{"Hangul", "한국", "10:한 p0:한국 13:국"},
		{"Thai", "ไทย", "10:ไ p0:ไท 13:ท p3:ทย 16:ย"},
		{"full width", "ＡＢＣ１", "w0:abc1"},
		{"half-width Kana with its mark", "ｶﾞｽ", "10:ガ p0:ガス 16:ス"},
		{"ligature", "ﬁn", "w0:fin"},
		{"accents", "Café Ένα", "w0:cafe w6:ενα"},
		{"accent behind a plain letter", "cafe\u0301s x", "w0:cafes w8:x"},
		{"marks of other scripts stay", "й हिन्दी", "w0:й w3:हिन्दी"},
		{"final sigma", "ΟΔΟΣ οδος", "w0:οδοσ w9:οδοσ"},
		{"soft hyphen and joiner", "ex\u00adam\u200dple", "w0:example"},
		{"variation selector", "❤\ufe0f", "s0:❤!"},
		{"apostrophe", "don't", "w0:don w4:t"},
		{"ellipsis is three stops", "a…", "w0:a S1:.. S1:.."},
		{"no-break space", "a\u00a0b", "w0:a w3:b"},
		{"upper case beyond ASCII", "ÀÉÎ ЖУК", "w0:aei w7:жук"},
		{"letter beyond ASCII goes on", "naïve1", "w0:naive1"},
		{"controls", "a\x00b\x7fc", "w0:a w2:b w4:c"},
		{"nothing", " \n", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(describe(tt.text), " "); got != tt.want {
				t.Errorf("tokens(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestLongWordsAreCut(t *testing.T) {
	for _, letter := range []string{"a", "я"} {
		long := strings.Repeat(letter, maxWord)
		for _, s := range []string{long, long + letter, long + strings.Repeat(letter, 1000)} {
			if got := describe(s + " b"); got[0] != "w0:"+long || len(got) != 2 {
				t.Errorf("a word of %d letters = %s, want its first %d", utf8.RuneCountInString(s), got, maxWord)
			}
		}
	}
}

func TestTokensMayBeStopped(t *testing.T) {
	n := 0
	for range tokens("one two 三四 ->> five") {
		if n++; n == 4 {
			break
		}
	}
	if n != 4 {
		t.Errorf("saw %d tokens, want to stop at 4", n)
	}
}

func TestTerms(t *testing.T) {
	tests := []struct{ query, want string }{
		{"Harbour the HARBOUR", "harbour the"},
		{"os.OpenRoot", "os openroot"},
		{"text/javascript .mjs", "text javascript mjs"},
		{"->>", "-> >>"},
		{"json ->> $", "json -> >> $"},
		{"$", "$"},
		{"/ , .", ""},
		{"c++", "c"},
		{"東京都", "東京 京都"},
		{"水", "水"},
		{"2026年の港", "2026 年の の港"},
		{"港　水", "港 水"},
		{"🫠", "🫠"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(terms(tt.query), " "); got != tt.want {
			t.Errorf("terms(%q) = %q, want %q", tt.query, got, tt.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"os.OpenRoot ->> $x", "東京都の水2026年", "cafe\u0301 ｶﾞ ﬁ ㍻ İ ß", "\u0301\u0301", "❤\ufe0f\u200d🔥 a\u00adb", "a\xffb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		last := 0
		for token := range tokens(s) {
			if token.Start < last || token.Start >= len(s) || !utf8.RuneStart(s[token.Start]) {
				t.Errorf("token %+v of %q begins at no place behind %d", token, s, last)
			}
			last = token.Start
			// FTS5 gets tokens with blanks between them, and cuts at controls too.
			if token.Text == "" || strings.ContainsFunc(token.Text, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
				t.Errorf("token %+v of %q is no word for FTS5", token, s)
			}
			if n := utf8.RuneCountInString(token.Text); n > maxWord || token.Kind != word && n > 2 {
				t.Errorf("token %+v of %q has %d characters", token, s, n)
			}
		}
		for _, term := range terms(s) {
			if !slices.ContainsFunc(slices.Collect(tokens(s)), func(o token) bool { return o.Text == term }) {
				t.Errorf("a text of %q does not hold the term %q of itself as a query", s, term)
			}
		}
	})
}
