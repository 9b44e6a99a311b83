package casefile

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// localProvider is the provider that answers from a corpus of the case.
const localProvider = "local"

// checkCase holds a case against the rules that no schema can say.
func checkCase(root value) {
	checkTexts(root)
	checkTime(root.get("as_of"))
	corpora := root.get("corpora")
	for _, c := range corpora.members() {
		checkCorpusPath(c.get("path"))
	}
	seen := map[string]int{}
	for _, step := range root.get("steps").items() {
		if id := step.get("id").text(); id != "" {
			if first, twice := seen[id]; twice {
				step.get("id").fault("%q is the id of two steps, first in line %d", id, first)
			} else {
				seen[id] = step.get("id").mark().line
			}
		}
		checkCorpusOf(step, corpora)
		checkRequest(step.get("request"))
		for _, e := range step.get("expect").items() {
			checkExpect(e, step.get("kind").text())
		}
	}
}

func checkTexts(root value) {
	title, question := root.get("title"), root.get("question")
	checkLanguages(title)
	checkLanguages(question)
	if first, other := firstName(title), firstName(question); first != "" && other != "" && first != other {
		question.fault("its first language is %q, that of title is %q", other, first)
	}
	for _, contest := range root.get("contested").items() {
		checkLanguages(contest.get("note"))
		checkLanguages(contest.get("resolved", "by"))
		checkLanguages(contest.get("resolved", "note"))
		for _, quote := range contest.get("between").items() {
			if text, ok := quote.node.(string); ok && !strings.Contains(text, "](evidence:") {
				quote.fault("has no checked quote, such as [the words](evidence:find/1#snippet)")
			}
		}
	}
}

func firstName(v value) string {
	if all := v.members(); len(all) > 0 {
		return all[0].name
	}
	return ""
}

func checkTime(v value) {
	// The schema says what a text of another form lacks; here it is about days that don't exist.
	if len(v.text()) < len("2006-01-02T15:04:05Z") || !strings.HasSuffix(v.text(), "Z") {
		return
	}
	if _, err := time.Parse(time.RFC3339, v.text()); err != nil {
		v.fault("%q is no time that exists", v.text())
	}
}

func checkCorpusPath(v value) {
	p := v.text()
	switch {
	case p == "":
	case strings.HasPrefix(p, "/") || strings.ContainsAny(p, `\:`):
		v.fault("%q must be relative to the case's folder and written with /", p)
	case !fs.ValidPath(path.Clean(p)):
		v.fault("%q is outside the case's folder", p)
	case path.Clean(p) == "." || path.Clean(p) != p:
		v.fault("%q must name a folder below the case's, without . and needless /", p)
	case !norm.NFC.IsNormalString(p):
		v.fault("%q is not in Unicode normal form C", p)
	}
}

// checkCorpusOf holds the corpus of a step against its provider: the local provider and nobody else needs one.
func checkCorpusOf(step, corpora value) {
	corpus := step.get("corpus")
	name, isText := corpus.node.(string)
	local := step.get("request", "routing", "provider").text() == localProvider
	switch {
	case isText && !corpora.get(name).present:
		corpus.fault("%q is none of the corpora%s", name, listed(corpora))
	case local && !corpus.present:
		step.fault("provider %q needs a corpus", localProvider)
	case corpus.present && !local && step.get("request").present:
		corpus.fault("a corpus is for provider %q alone: the request needs routing: {mode: fixed, provider: local}", localProvider)
	}
}

func listed(v value) string {
	var names []string
	for _, m := range v.members() {
		names = append(names, strconv.Quote(m.name))
	}
	if len(names) == 0 {
		return ": the case has none"
	}
	return " " + strings.Join(names, ", ")
}

func checkRequest(request value) {
	routing := request.get("routing")
	if routing.get("mode").text() == "auto" && routing.get("provider").text() == localProvider {
		routing.get("mode").fault("mode %q never asks provider %q; it must be %q", "auto", localProvider, "fixed")
	}
	for _, u := range request.get("input", "urls").items() {
		if text := u.text(); strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
			if _, err := url.Parse(text); err != nil {
				u.fault("%q is no absolute URL", text)
			}
		}
	}
}

// checkExpect holds an expected line against the kind of its step.
func checkExpect(e value, kind string) {
	in := e.get("in").text()
	if kind == "search" && in == "text" || kind == "extract" && in == "snippet" {
		e.get("in").fault("a step of kind %q has no %s", kind, in)
	}
	if at := e.get("at").items(); len(at) == 2 {
		start, end := number(at[0]), number(at[1])
		if start >= 0 && end >= 0 && end <= start {
			e.get("at").fault("[%d, %d) holds nothing: the end must be above the start", start, end)
		}
	}
}

// number is a whole number, -1 for anything else.
func number(v value) int64 {
	n, ok := v.node.(json.Number)
	if !ok {
		return -1
	}
	whole, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil {
		return -1
	}
	return whole
}
