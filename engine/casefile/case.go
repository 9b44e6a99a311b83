package casefile

import (
	"encoding/json"
	"strings"

	"casebook/engine/canon"
)

// Case is a read case.
type Case struct {
	ID              string
	Title, Question Text
	AsOf            string // RFC 3339 in UTC: the clock of pinned steps and of the freeze
	Tags            []string
	Sources         []Source
	Corpora         []Corpus // in the order of the file
	Steps           []Step
	Contested       []Contest
	Redact          Redact
	Narratives      []Narrative // in the order of Title's languages
	YAML            []byte      // case.yaml as it was written

	tree any
}

// Text is an author's text by language, in the order of the file; the first is the default.
type Text []Translation

// Translation is one text in one language, named by its canonical BCP 47 tag.
type Translation struct{ Lang, Text string }

// In returns the text in the language, or the first one and its language where there is none.
func (t Text) In(lang string) (text, language string) {
	for _, translation := range t {
		if strings.EqualFold(translation.Lang, lang) {
			return translation.Text, translation.Lang
		}
	}
	if len(t) == 0 {
		return "", ""
	}
	return t[0].Text, t[0].Lang
}

// Source is where facts of the case come from, for readers and licence checks.
type Source struct {
	Name    string
	URL     string // "" if it has none
	Licence string // "" if unknown
}

// Corpus is a named folder of documents, Path relative to the case's folder.
type Corpus struct {
	Name, Path   string
	Line, Column int
}

// Contest is a point on which two sources disagree. Each of Between is Markdown with one checked quote.
type Contest struct {
	Between      [2]string
	Note         Text
	Resolved     *Resolution // nil: open
	Line, Column int
}

// Resolution is how a contested point was settled, in the author's words.
type Resolution struct{ By, Note Text }

// Redact switches redaction rules; a rule that isn't named stays as the table has it.
type Redact struct {
	Rules map[string]bool
}

// Step is one unit of engine work.
type Step struct {
	ID, Kind     string
	Corpus       string          // "" unless the step asks the local provider
	Request      json.RawMessage // canonical RequestV3, contract_version and capability filled in
	Expect       []Expect
	Line, Column int
}

// Expect is one line of a step's expect. Which members are set tells its kind.
type Expect struct {
	Rank       int      `json:"rank"` // from 1; 0: not given
	URL        string   `json:"url"`
	Quote      string   `json:"quote"`
	In         string   `json:"in"` // title, snippet or text
	Count      *int     `json:"count"`
	At         *[2]int  `json:"at"` // [start, end) in code points
	Results    *int     `json:"results"`
	Cluster    []string `json:"cluster"`
	Status     string   `json:"status"`
	Attempt    string   `json:"attempt"` // a provider, or the folder of an attempt
	Outcome    string   `json:"outcome"`
	Tries      *int     `json:"tries"`
	SkipReason string   `json:"skip_reason"`
	Warning    string   `json:"warning"`
	Action     string   `json:"action"`
	Reason     string   `json:"reason"`
	Note       string   `json:"note"`
	Line       int      `json:"-"`
	Column     int      `json:"-"`
}

// Narrative is a case.md or case.<lang>.md.
type Narrative struct {
	Lang   string // canonical tag
	File   string // name in the case's folder
	Source []byte // CommonMark, valid UTF-8
}

// JSON returns case.json: the author's members and values, no default added, as canonical JSON with one LF.
func (c *Case) JSON() ([]byte, error) { return canon.EncodeLine(c.tree) }
