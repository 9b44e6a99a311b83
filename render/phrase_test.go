package render

import (
	"testing"
	"testing/fstest"
)

// The wanted forms are those of the plural rules of CLDR for Russian, and its digits for Persian.
func TestPhrases(t *testing.T) {
	speak := func(tag string) *words {
		t.Helper()
		file := `language: {tag: "` + tag + `", name: "x"}
a: {one: "one %[1]d", few: "few %[1]d", many: "many %[1]d", other: "other %[1]d"}
b: "%[2]s before %[1]s"
`
		w, err := readWords(fstest.MapFS{"messages.x.yaml": {Data: []byte(file)}}, "messages.x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	russian, persian, english := speak("ru"), speak("fa"), speak("en")
	for _, tt := range []struct{ name, got, want string }{
		{"one", russian.format("a", 1), "one 1"},
		{"few", russian.format("a", 2), "few 2"},
		{"many", russian.format("a", 5), "many 5"},
		{"one again", russian.format("a", 21), "one 21"},
		{"a large number", russian.format("a", int64(10_000_000_003)), "few 10\u00a0000\u00a0000\u00a0003"},
		{"below nothing", russian.format("a", -1), "one -1"},
		{"a form that isn't used", english.format("a", 2), "other 2"},
		{"a text first", english.format("a", "x"), "other x"},
		{"digits", persian.format("a", 7), "other ۷"},
		{"order", english.format("b", "x", "y"), "y before x"},
		{"an argument too few", english.format("b", "x"), "%[2] before x"},
		{"unknown key", english.format("c.d", 1), "c.d"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestMessagesWithOtherVerbsAreRefused(t *testing.T) {
	for _, message := range []string{"%s", "100 %", "%[1]", "%[1]v", "%[0]d", "%(1)d", "%[12]d"} {
		for _, form := range []string{"other", "one"} {
			if _, err := newPhrase(map[string]string{"other": "x", form: message}); err == nil {
				t.Errorf("%q was taken as form %s", message, form)
			}
		}
	}
}
