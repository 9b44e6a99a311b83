package corpus

import (
	"strings"
	"testing"
	"unicode/utf8"

	"casebook/engine/evidence"
)

func TestExcerpt(t *testing.T) {
	hundred := strings.Repeat("word ", 20)
	tests := []struct {
		name, text, at string
		want           string
	}{
		{"short text whole", "  One line.\n", "One", "One line."},
		{"empty", "", "", ""},
		{"from the sentence", hundred + "ends. New one begins here", "begins", "New one begins here"},
		{"the last sentence before the match", hundred + "a. b. c. match", "match", "match"},
		{"no cut inside a version", hundred + "version 3.37.0 here", "here", strings.Repeat("word ", 13) + "version 3.37.0 here"},
		{"from the line", hundred + "\nkey: value", "value", "key: value"},
		{"from the full stop of Japanese", hundred + strings.Repeat("あ", 30) + "。港は八時に開く", "八", "港は八時に開く"},
		{"from the word", hundred + hundred + "match", "match", strings.Repeat("word ", 16) + "match"},
		{"not from inside a word", hundred + hundred + "ab match", "match", strings.Repeat("word ", 15) + "ab match"},
		{"not from inside a character", "e\u0301" + strings.Repeat("x", 79) + "match", "match", strings.Repeat("x", 79) + "match"},
		{"no blank in reach", strings.Repeat("x", 200) + "match", "match", strings.Repeat("x", 80) + "match"},
		{"to the sentence", "Start " + strings.Repeat("word ", 35) + "ends. " + hundred, "Start", "Start " + strings.Repeat("word ", 35) + "ends."},
		{"to the word", strings.Repeat("words ", 100), "words", strings.TrimSpace(strings.Repeat("words ", 40))},
		{"to the character", strings.Repeat("港", 300), "港", strings.Repeat("港", 240)},
		{"marks stay", strings.Repeat("x", 239) + "e\u0301 tail" + strings.Repeat("y", 90), "x", strings.Repeat("x", 239)},
		{"family stays", strings.Repeat("x", 238) + "👩\u200d👧" + strings.Repeat("y", 90), "x", strings.Repeat("x", 238)},
		{"skin tone stays", strings.Repeat("x", 239) + "👍🏽" + strings.Repeat("y", 90), "x", strings.Repeat("x", 239)},
		{"Hangul jamo stay", strings.Repeat("x", 239) + "\u1112\u1161\u11ab" + strings.Repeat("y", 90), "x", strings.Repeat("x", 239)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := excerpt(tt.text, strings.Index(tt.text, tt.at)); got != tt.want {
				t.Errorf("excerpt = %q,\nwant %q", got, tt.want)
			}
		})
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("One. Two three\r\nfour", 5)
	f.Add(strings.Repeat("港の。", 200), 900)
	f.Add(strings.Repeat("e\u0301", 300), 600)
	f.Add(strings.Repeat("👩\u200d👧", 100), 7)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if !utf8.ValidString(text) || at < 0 || at >= len(text) || !utf8.RuneStart(text[at]) {
			return
		}
		got := excerpt(text, at)
		if n := evidence.Length(got); n > excerptLength {
			t.Errorf("excerpt of %q has %d code points", text, n)
		}
		from := strings.Index(text, got)
		if from < 0 || !utf8.ValidString(got) || got != excerpt(text, at) {
			t.Fatalf("excerpt(%q, %d) = %q is no slice of it", text, at, got)
		}
		next, _ := utf8.DecodeRuneInString(text[at:])
		// A long run of marks or white space may take the room; else the match is shown.
		if separable(text, at) && !strings.ContainsRune(got, next) && strings.TrimSpace(string(next)) != "" {
			t.Errorf("excerpt(%q, %d) = %q leaves the match out", text, at, got)
		}
	})
}
