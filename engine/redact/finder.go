package redact

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
)

// maxLayers is how deep a string is decoded: the JSON text that it may be, and three layers inside.
const maxLayers = 4

// minRemembered is the length from which a text without hits is remembered, so that it is searched once.
const minRemembered = 128

// minEcho is the length from which a credential of a request is looked for elsewhere.
const minEcho = 8

// site says where a string of a file stands.
type site struct {
	place  place
	name   string // of its member or header
	reply  bool   // the body of a reply: source_only applies
	base64 bool   // the body is stored as base64
}

// hit is what a rule found in a stored string. value is the decoded text and never leaves the package.
type hit struct {
	span
	rule   *rule
	quoted bool // a whole JSON value: the placeholder stands in quotes
	doubt  bool // the place can't be told, the whole string goes
	value  string
}

// finder holds what a run of the rules needs.
type finder struct {
	rules      []*rule
	sourceOnly *rule
	privateKey *rule
	apiKey     *rule
	echoes     []string // credentials of requests, looked for everywhere
	clean      map[cleanText]struct{}
}

type cleanText struct {
	place      place
	name, text string
}

func newFinder(switches map[string]bool) *finder {
	f := &finder{rules: rulesInForce(switches), clean: map[cleanText]struct{}{}}
	for _, r := range f.rules {
		switch r.id {
		case "source_only":
			f.sourceOnly = r
		case "private_key":
			f.privateKey = r
		case "api_key":
			f.apiKey = r
		}
	}
	return f
}

// learn adds a credential that is looked for everywhere from now on.
func (f *finder) learn(value string) {
	value = strings.TrimSpace(value)
	if len(value) < minEcho || slices.Contains(f.echoes, value) {
		return
	}
	f.echoes = append(f.echoes, value)
	clear(f.clean)
}

// find returns what the rules find in a stored string, sorted, without overlaps.
func (f *finder) find(text string, at site) []hit {
	s := &search{finder: f, site: at}
	root := &view{text: text}
	if at.base64 {
		data, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil {
			return []hit{{span: span{0, len(text)}, rule: f.apiKey, doubt: true}}
		}
		root = &view{text: string(data), parent: root, whole: &span{0, len(text)}}
	}
	s.document(root, at.name, 0)
	return union(s.hits)
}

// search is one run over one stored string.
type search struct {
	*finder
	site site
	hits []hit
}

// document searches a decoded text: as JSON when it is that, else as plain text and in its decoded forms.
func (s *search) document(v *view, name string, layer int) {
	reply := s.site.reply && layer == 0
	if layer < maxLayers {
		if at, ok := jsonRange(v.text); ok {
			w := &jsonWalk{search: s, view: v, pos: at.start, layer: layer, sourceOnly: reply}
			w.value(name, 0)
			return
		}
	}
	s.member(v, name)
	remembered := cleanText{s.site.place, name, v.text}
	if _, known := s.clean[remembered]; known && !reply {
		return
	}
	before := len(s.hits)
	s.plain(v)
	if reply && s.answersInside(v) {
		s.hits = append(s.hits, hit{span: v.stored(span{0, len(v.text)}), rule: s.sourceOnly, doubt: true})
	}
	if layer < maxLayers {
		for _, form := range decodedForms(v) {
			s.document(form, name, layer+1)
		}
	}
	if before == len(s.hits) && !reply && len(v.text) >= minRemembered && layer <= 1 {
		s.clean[remembered] = struct{}{}
	}
}

// answersInside says whether a reply that is no JSON holds what source_only removes.
func (s *search) answersInside(v *view) bool {
	if strings.IndexByte(v.text, '"') < 0 {
		return false
	}
	return sourceOnlyTrace.MatchString(v.text) || sourceOnlyTrace.MatchString(v.unescape(0, len(v.text)).text)
}

// decodedForms are the other readings of a text that is no JSON.
func decodedForms(v *view) []*view {
	var forms []*view
	if strings.IndexByte(v.text, '\\') >= 0 {
		forms = append(forms, v.unescape(0, len(v.text)))
	}
	if decoded := v.percentDecode(); decoded != nil {
		forms = append(forms, decoded)
	}
	if joined := v.join(); joined != nil {
		forms = append(forms, joined)
	}
	return append(forms, v.base64Views()...)
}

// plain runs the text rules.
func (s *search) plain(v *view) {
	if len(v.text) < 4 {
		return
	}
	for _, r := range s.rules {
		if r.text == nil {
			continue
		}
		for _, at := range r.text(v.text, s.site.place) {
			s.add(v, at, r)
		}
	}
	for _, echo := range s.echoes {
		for from := 0; ; {
			i := strings.Index(v.text[from:], echo)
			if i < 0 {
				break
			}
			s.add(v, span{from + i, from + i + len(echo)}, s.apiKey)
			from += i + len(echo)
		}
	}
}

// member runs the rules that judge a named value.
func (s *search) member(v *view, name string) {
	if name == "" {
		return
	}
	for _, r := range s.rules {
		if r.member == nil {
			continue
		}
		if at, found := r.member(name, v.text, s.site.place); found && at.end > at.start {
			s.add(v, at, r)
		}
	}
}

func (s *search) add(v *view, at span, r *rule) {
	at = keepEscapes(v.text, at)
	s.hits = append(s.hits, hit{span: v.stored(at), rule: r, value: v.text[at.start:at.end]})
}

func (s *search) addSourceOnly(v *view, at span) {
	s.hits = append(s.hits, hit{span: v.stored(at), rule: s.sourceOnly, quoted: true})
}

func (s *search) addKeyParts(v *view, key keyParts) {
	if !key.isKey {
		return
	}
	for _, at := range key.private {
		s.hits = append(s.hits, hit{span: v.stored(at), rule: s.privateKey})
	}
}

// keepEscapes widens a span that would cut a percent or backslash escape.
func keepEscapes(text string, s span) span {
	for back := 1; back <= 5 && s.start-back >= 0; back++ {
		if n := escapeLength(text[s.start-back:]); n > back {
			s.start -= back
			break
		}
	}
	for back := 1; back <= 5 && s.end-back > s.start; back++ {
		if n := escapeLength(text[s.end-back:]); n > back {
			s.end += n - back
			break
		}
	}
	return s
}

func escapeLength(s string) int {
	if _, ok := percentByte(s); ok {
		return 3
	}
	if s[0] != '\\' {
		return 0
	}
	_, n := readEscape(s)
	return min(n, 6)
}

// union sorts hits and joins those that overlap; the rule of the lowest rank names the joined one. A JSON value that
// is removed whole swallows what lies inside it.
func union(hits []hit) []hit {
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.rule.rank, b.rule.rank))
	})
	var out []hit
	for _, h := range hits {
		if len(out) == 0 || h.start >= out[len(out)-1].end {
			out = append(out, h)
			continue
		}
		last := &out[len(out)-1]
		if h.rule.rank < last.rule.rank {
			last.rule = h.rule
		}
		last.doubt = last.doubt || h.doubt
		last.quoted = (last.quoted || h.quoted) && !last.doubt
		last.end = max(last.end, h.end)
	}
	return out
}
