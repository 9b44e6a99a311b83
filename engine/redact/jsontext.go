package redact

import (
	"encoding/json"
	"strings"
)

// jsonWalk goes through a JSON text that [json.Valid] accepted and hands its strings to a search. It reads what a
// strict reader refuses, duplicate members and lone surrogates, since such bodies are stored as they came.
type jsonWalk struct {
	search *search
	view   *view
	pos    int
	layer  int
	// sourceOnly: the text is a reply, whose answers are removed.
	sourceOnly bool
}

// jsonRange is where in the text a JSON object, array or string may stand: without blanks and byte order mark.
func jsonRange(text string) (span, bool) {
	const blanks = " \t\r\n"
	start := len(text) - len(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), blanks))
	end := len(strings.TrimRight(text, blanks))
	if end-start < 2 {
		return span{}, false
	}
	switch first, last := text[start], text[end-1]; {
	case first == '{' && last == '}', first == '[' && last == ']', first == '"' && last == '"':
		return span{start, end}, json.Valid([]byte(text[start:end]))
	}
	return span{}, false
}

func (w *jsonWalk) space() {
	for w.pos < len(w.view.text) && strings.IndexByte(" \t\r\n", w.view.text[w.pos]) >= 0 {
		w.pos++
	}
}

// string passes a string and returns the view of what it decodes to.
func (w *jsonWalk) string() *view {
	start := w.pos + 1
	for w.pos = start; w.view.text[w.pos] != '"'; w.pos++ {
		if w.view.text[w.pos] == '\\' {
			w.pos++
		}
	}
	w.pos++
	return w.view.unescape(start, w.pos-1)
}

// value searches the value at pos; name is that of the member that it belongs to.
func (w *jsonWalk) value(name string, depth int) {
	w.space()
	switch w.view.text[w.pos] {
	case '{':
		w.object(depth)
	case '[':
		w.pos++
		for w.more(']') {
			w.value(name, depth+1)
		}
	case '"':
		w.search.document(w.string(), name, w.layer+1)
	default:
		w.scalar()
	}
}

// scalar passes a number or word.
func (w *jsonWalk) scalar() {
	for w.pos < len(w.view.text) && strings.IndexByte(",]} \t\r\n", w.view.text[w.pos]) < 0 {
		w.pos++
	}
}

// more passes blanks and commas, or the closing mark and says that there is no more.
func (w *jsonWalk) more(closing byte) bool {
	for {
		w.space()
		switch w.view.text[w.pos] {
		case closing:
			w.pos++
			return false
		case ',':
			w.pos++
		default:
			return true
		}
	}
}

// object searches an object. What it is as a whole shows at its end: then hits inside give way.
func (w *jsonWalk) object(depth int) {
	start, mark := w.pos, len(w.search.hits)
	var synthesis *span
	var key keyParts
	w.pos++
	for w.more('}') {
		name := w.string()
		w.search.document(name, "", w.layer+1)
		w.space()
		w.pos++ // the colon
		w.space()
		from := w.pos
		if w.sourceOnly && sourceOnlyMember(name.text) {
			w.skip()
			w.search.addSourceOnly(w.view, span{from, w.pos})
			continue
		}
		w.value(name.text, depth+1)
		if w.view.text[from] == '"' {
			key.see(name.text, span{from + 1, w.pos - 1})
			if w.sourceOnly && name.text == synthesisMember && w.view.unescape(from+1, w.pos-1).text == synthesisValue {
				synthesis = &span{from, w.pos}
			}
		}
	}
	w.search.addKeyParts(w.view, key)
	if synthesis == nil {
		return
	}
	if depth > 0 {
		w.search.hits = w.search.hits[:mark]
		synthesis = &span{start, w.pos}
	}
	w.search.addSourceOnly(w.view, *synthesis)
}

// skip passes a value without searching it.
func (w *jsonWalk) skip() {
	depth := 0
	for {
		switch w.view.text[w.pos] {
		case '"':
			w.string()
		case '{', '[':
			depth++
			w.pos++
		case '}', ']':
			depth--
			w.pos++
		case ',', ':', ' ', '\t', '\r', '\n':
			w.pos++
		default:
			w.scalar()
		}
		if depth == 0 {
			return
		}
	}
}

// keyParts collects the private members of a JSON Web Key.
type keyParts struct {
	isKey   bool
	private []span
}

func (k *keyParts) see(name string, value span) {
	switch name {
	case "kty":
		k.isKey = true
	case "d", "p", "q", "dp", "dq", "qi", "k":
		if value.end > value.start {
			k.private = append(k.private, value)
		}
	}
}
