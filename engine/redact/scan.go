package redact

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// Hit is a place where a rule found something. It never holds what stood there.
type Hit struct {
	File    string `json:"file"`
	Line    int    `json:"line"`    // from 1; 0: of the whole file, or of its name
	Column  int    `json:"column"`  // in characters from 1; 0: Pointer says where
	Pointer string `json:"pointer"` // in the JSON of the file or, of NDJSON, of the line; "" also for text
	Offset  int    `json:"offset"`  // in bytes of the string at Pointer, or of the text
	Rule    string `json:"rule"`
}

// String is file:line:column: rule, or file#pointer: rule.
func (h Hit) String() string {
	var out strings.Builder
	out.WriteString(h.File)
	if h.Line > 0 {
		fmt.Fprintf(&out, ":%d", h.Line)
	}
	if h.Column > 0 {
		fmt.Fprintf(&out, ":%d", h.Column)
	} else if h.Pointer != "" {
		out.WriteString("#" + h.Pointer)
	}
	return out.String() + ": rule " + h.Rule
}

// FindingsError reports hits that stop the work.
type FindingsError struct {
	Reason string
	Hits   []Hit
}

// Error names every place and its rule.
func (e *FindingsError) Error() string {
	places := make([]string, len(e.Hits))
	for i, h := range e.Hits {
		places[i] = h.String()
	}
	return fmt.Sprintf("redaction: %s: %s", e.Reason, strings.Join(places, "; "))
}

// Scan runs the rules over the final files of a pack, paths from the bag root, and returns every hit that the ledger
// doesn't explain, by file and place. JSON and NDJSON are read as such, other files as text, names too; base64
// bodies are decoded. Over attachments (data/files/) the mandatory rules alone run.
func Scan(files []evidence.File, ledger Ledger, options Options) ([]Hit, error) {
	if err := checkSwitches(options.Rules); err != nil {
		return nil, err
	}
	s := newScanner(ledger, options.Rules)
	attachments := newScanner(ledger, mandatoryOnly())
	var hits []Hit
	for _, file := range files {
		switch {
		case strings.HasPrefix(file.Path, "data/files/"):
			hits = append(hits, attachments.text(file.Path, string(file.Data))...)
		case strings.HasSuffix(file.Path, ".json"):
			hits = append(hits, s.json(file.Path, file.Data, 0)...)
		case strings.HasSuffix(file.Path, ".ndjson"):
			line := 0
			for row := range bytes.Lines(file.Data) {
				line++
				hits = append(hits, s.json(file.Path, bytes.TrimSuffix(row, []byte("\n")), line)...)
			}
		default:
			hits = append(hits, s.text(file.Path, string(file.Data))...)
		}
		hits = append(hits, s.name(file.Path)...)
	}
	return hits, nil
}

// ScanText runs the rules over a file that an author wrote, and over its name: case.yaml, case.md. Every hit counts.
func ScanText(name string, data []byte, options Options) ([]Hit, error) {
	if err := checkSwitches(options.Rules); err != nil {
		return nil, err
	}
	s := newScanner(evidence.NewLedger(), options.Rules)
	return append(s.text(name, string(data)), s.name(name)...), nil
}

func mandatoryOnly() map[string]bool {
	switches := map[string]bool{}
	for _, r := range allRules() {
		switches[r.id] = r.mandatory
	}
	return switches
}

// scanner runs the rules over finished bytes.
type scanner struct {
	*finder
	ids    map[string]bool
	places map[string][]Entry // by placeKey
	quiet  map[quietKey]bool  // strings without a finding
}

// quietKey is a string and the kind of place where it stands; the rules look at nothing else.
type quietKey struct {
	site site
	text string
}

func newScanner(ledger Ledger, switches map[string]bool) *scanner {
	s := &scanner{finder: newFinder(switches), ids: map[string]bool{}, places: map[string][]Entry{}, quiet: map[quietKey]bool{}}
	targets := map[string]string{}
	for _, t := range ledger.Targets {
		targets[t.ID] = placeKey(t.File, t.Pointer)
	}
	for _, e := range ledger.Entries {
		s.ids[e.ID] = true
		key := targets[e.Target]
		s.places[key] = append(s.places[key], e)
	}
	return s
}

// json scans one JSON text; line is 0 for a file of one.
func (s *scanner) json(file string, data []byte, line int) []Hit {
	tree, err := canon.Parse(data)
	if err != nil {
		return s.text(file, string(data))
	}
	kind := packKind(file)
	var out []Hit
	kind.each(tree, func(text stored) {
		// Evidence repeats what recordings hold: names, ids and texts that were found quiet at such a place stay so.
		key := quietKey{text.site, text.text}
		if s.quiet[key] {
			return
		}
		found := s.find(text.text, text.site)
		if len(found) == 0 {
			s.quiet[key] = true
			return
		}
		var explained []span
		if !text.isName && line == 0 {
			explained = s.standing(file, text)
		}
		for _, h := range found {
			if s.unexplained(text.text, h, explained) {
				out = append(out, Hit{File: file, Line: line, Pointer: text.pointer(), Offset: h.start, Rule: h.rule.id})
			}
		}
	})
	return out
}

// standing are the placeholders of the ledger that do stand in a string.
func (s *scanner) standing(file string, text stored) []span {
	var spans []span
	for _, e := range s.places[placeKey(file, text.pointer())] {
		if standsIn(e, text.text) {
			spans = append(spans, span{e.Start, e.Start + e.Length})
		}
	}
	return spans
}

// packKind is the kind of a file of a pack, by its path from the bag root.
func packKind(file string) fileKind {
	rest, found := strings.CutPrefix(file, recordingsRoot+"/")
	if !found {
		return otherFile
	}
	kind, err := kindOf(rest[strings.IndexByte(rest, '/')+1:])
	if err != nil {
		return otherFile
	}
	return kind
}

// shownPlaceholder is a placeholder or, of a text that was cut short, the beginning of one.
var shownPlaceholder = regexp.MustCompile(`\[redacted:rd[0-9]*\]|\[redacted:rd[0-9]*$`)

// unexplained says whether a hit is more than placeholders of the ledger: those that it places in this string, and
// those that were derived from them elsewhere, percent-encoded in addresses.
func (s *scanner) unexplained(text string, h hit, explained []span) bool {
	holes := make([]hole, len(explained))
	for i, at := range explained {
		holes[i] = hole{span: at, from: at}
	}
	for _, piece := range subtract(h.span, holes) {
		rest := text[piece.start:piece.end]
		if decoded := (&view{text: rest}).percentDecode(); decoded != nil {
			rest = decoded.text
		}
		rest = shownPlaceholder.ReplaceAllStringFunc(rest, func(mark string) string {
			id := strings.TrimSuffix(strings.TrimPrefix(mark, "[redacted:"), "]")
			if s.ids[id] || !strings.HasSuffix(mark, "]") {
				return ""
			}
			return mark
		})
		if rest != "" {
			return true
		}
	}
	return false
}

// text scans a text file and gives lines and columns.
func (s *scanner) text(file, text string) []Hit {
	var out []Hit
	for _, h := range s.find(text, site{}) {
		if !s.unexplained(text, h, nil) {
			continue
		}
		before := text[:h.start]
		line := strings.Count(before, "\n") + 1
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		out = append(out, Hit{File: file, Line: line, Column: column, Offset: h.start, Rule: h.rule.id})
	}
	return out
}

// name scans a file's name. A name that is a hit is shown as its folder only.
func (s *scanner) name(file string) []Hit {
	var out []Hit
	for _, h := range s.find(file, site{}) {
		out = append(out, Hit{File: path.Dir(file) + "/[name]", Rule: h.rule.id})
	}
	return out
}
