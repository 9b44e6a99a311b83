package render

import (
	"strings"
	"time"

	"casebook/engine/casefile"
)

// pageView is what every page has around its content.
type pageView struct {
	Lang, Title, Description string
	Root                     string // from the page's folder to the site's, "" or "../../"
	Home                     string // the index in the same language
	Site                     string
	HTML, Markdown           string // file names of the page and of its twin
	Languages                []languageView
}

// languageView links to a page in one language.
type languageView struct {
	Tag, Name, HTML, Markdown string
	Current                   bool
}

// labelView is a code of a closed list in words, with the code where the words aren't the code.
type labelView struct{ Text, Code string }

// pairView is a line of a list of facts.
type pairView struct {
	Name, Value string
	Code        string // shown behind or instead of Value, in the type of code
	Href        string
}

// textView is an author's text; Lang is set only where it differs from the page's.
type textView struct{ Text, Lang string }

func (w *words) author(t casefile.Text) textView {
	text, lang := t.In(w.tag)
	if strings.EqualFold(lang, w.tag) {
		lang = ""
	}
	return textView{Text: text, Lang: lang}
}

// moment writes a time of a pack so that people read it easily; one of another form stays as it is.
func moment(rfc3339 string) string {
	if _, err := time.Parse(time.RFC3339, rfc3339); err != nil || !strings.HasSuffix(rfc3339, "Z") {
		return rfc3339
	}
	return strings.Replace(strings.TrimSuffix(rfc3339, "Z"), "T", " ", 1) + " UTC"
}

// pairs gathers facts, leaving out those that aren't there.
type pairs []pairView

func (p *pairs) add(name, value string) {
	if value != "" {
		*p = append(*p, pairView{Name: name, Value: value})
	}
}

func (p *pairs) addCode(name, code string) {
	if code != "" {
		*p = append(*p, pairView{Name: name, Code: code})
	}
}

func (p *pairs) addLabel(name string, label labelView) {
	if label.Text != "" {
		*p = append(*p, pairView{Name: name, Value: label.Text, Code: label.Code})
	}
}
