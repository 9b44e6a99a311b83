package render

import (
	"errors"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
)

// phrase is a message cut at its arguments, once for each plural form that it has. Pages are made of thousands of them,
// so they are cut when the words are read.
type phrase struct {
	other []piece
	forms map[plural.Form][]piece
}

// piece is literal text, or the argument of a number from 1 on.
type piece struct {
	text     string
	argument int
}

// pluralNames are the plural forms beside "other", in the order of their numbers in [plural.Form].
func pluralNames() []string { return []string{"zero", "one", "two", "few", "many"} }

func newPhrase(forms map[string]string) (*phrase, error) {
	var p phrase
	var err error
	if p.other, err = pieces(forms["other"]); err != nil {
		return nil, err
	}
	for i, name := range pluralNames() {
		if forms[name] == "" {
			continue
		}
		if p.forms == nil {
			p.forms = map[plural.Form][]piece{}
		}
		if p.forms[plural.Zero+plural.Form(i)], err = pieces(forms[name]); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

var errVerb = errors.New("want %[1]s or %[1]d, with the argument's number")

// pieces cuts a message at its arguments, written %[1]s for a text and %[1]d for a number.
func pieces(message string) ([]piece, error) {
	var cut []piece
	for {
		text, rest, found := strings.Cut(message, "%")
		if text != "" {
			cut = append(cut, piece{text: text})
		}
		if !found {
			return cut, nil
		}
		if len(rest) < 4 || rest[0] != '[' || rest[1] < '1' || rest[1] > '9' || rest[2] != ']' || rest[3] != 's' && rest[3] != 'd' {
			return nil, errVerb
		}
		cut = append(cut, piece{argument: int(rest[1] - '0')})
		message = rest[4:]
	}
}

// format is the message under a key with its arguments in place, each a string, an int or an int64; numbers are written
// as the language does. A key that isn't there shows itself, and so does an argument that isn't given.
func (w *words) format(key string, args ...any) string {
	p := w.phrases[key]
	if p == nil {
		return key
	}
	cut := p.other
	if p.forms != nil && len(args) > 0 {
		if n, ok := whole64(args[0]); ok {
			n %= 10_000_000 // which tells the forms apart as the whole number does
			if form := p.forms[plural.Cardinal.MatchPlural(w.spoken, int(max(n, -n)), 0, 0, 0, 0)]; form != nil {
				cut = form
			}
		}
	}
	var b strings.Builder
	for _, one := range cut {
		if one.argument == 0 {
			b.WriteString(one.text)
			continue
		}
		b.WriteString(w.argument(args, one.argument))
	}
	return b.String()
}

func (w *words) argument(args []any, n int) string {
	if n > len(args) {
		return "%[" + strconv.Itoa(n) + "]"
	}
	if text, ok := args[n-1].(string); ok {
		return text
	}
	number, _ := whole64(args[n-1])
	return w.number(number)
}

func whole64(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	}
	return 0, false
}

// number is n as the language writes it.
func (w *words) number(n int64) string {
	if w.ascii && 0 <= n && n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return w.numbers.Sprintf("%d", n)
}
