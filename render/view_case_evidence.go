package render

import (
	"slices"
	"strconv"
	"strings"

	"casebook/engine/evidence"
)

// fieldView is one text of a result or an observation. It stands in Text when it is whole and nothing in it is marked,
// else in Segments.
type fieldView struct {
	Name     string // with what was done to it
	Text     string
	Segments []segment
	Lines    bool   // it is long enough to stand in a block of its own
	Empty    string // said in place of an empty text
	SHA256   string // text SHA-256
	More     string // where the whole of it is, when a part is left out
}

// Whole is the text without marks, what is left out told in its place.
func (f *fieldView) Whole() string {
	if f.Segments == nil {
		return f.Text
	}
	return fieldText(f.Segments)
}

// resultView is one result and the observations behind it.
type resultView struct {
	Anchor, Rank string
	Title        string
	TitleMarks   []segment // the title in segments, where a quote marks it
	Href, URL    string
	URLMarks     []segment // the address in segments, where a quote marks it
	Fields       []fieldView
	About        string // what stands behind it, where no table says so, and the heuristics in sentences
	ID           string
	Facts        pairs
	Observation  string // the place of the only one behind it
	Behind       string // over the table of several
	Members      []memberView
}

// memberView is an observation behind a result.
type memberView struct {
	Number, Target     string
	Provider, Attempt  string
	AttemptTarget      string
	Index, Rank, Score string
	URL                string
	Representative     string
}

// observationView is one item as its provider gave it.
type observationView struct {
	Anchor, Heading string
	Identity        string // its id and the hash of its record
	Said            string // what of it doesn't stand here, and who returned it
	Result, Attempt string // their places
	Facts           pairs
	Href, URL       string
	URLMarks        []segment
	Fields          []fieldView
}

func (v viewer) result(i int, r *evidence.Result) resultView {
	step := &v.pack.Steps[i]
	id := rankAnchor(step.Spec.ID, r.EngineRank)
	view := resultView{
		Anchor: id, Rank: strconv.Itoa(r.EngineRank), ID: r.ResultID,
		Href: webAddress(r.URL.Observed), URL: r.URL.Observed, URLMarks: v.marks(anchor(id, "url"), r.URL.Observed),
		About: v.about(r), Facts: v.resultFacts(r),
	}
	if r.Title != nil {
		view.Title, view.TitleMarks = r.Title.Text, v.marks(anchor(id, "title"), r.Title.Text)
	}
	for _, field := range []evidence.SourceField{evidence.FieldSnippet, evidence.FieldText} {
		if text := r.Field(field); text != nil {
			shown := v.projected(id, field, text)
			if shown.More != "" {
				shown.More = v.file("evidence/" + step.Spec.ID + "/response.json")
			}
			view.Fields = append(view.Fields, shown)
		}
	}
	v.members(&view, i, r)
	return view
}

// members tells the observations behind a result: a single one in a sentence with a link, several in a table.
func (v viewer) members(view *resultView, i int, r *evidence.Result) {
	step := &v.pack.Steps[i]
	n := 0
	var providers []string
	for _, member := range r.ObservationIDs {
		position := v.positions[i][member]
		if position == 0 {
			continue
		}
		o := &step.Response.Observations[position-1]
		n++
		if !slices.Contains(providers, o.Provider) {
			providers = append(providers, o.Provider)
		}
		if len(r.ObservationIDs) > 1 {
			view.Members = append(view.Members, v.member(i, o, member == r.RepresentativeObservationID))
		} else {
			view.Observation = observationAnchor(step.Spec.ID, position)
		}
	}
	view.Behind = v.w.format("result.behind", n, v.w.format("result.providers", len(providers)))
	if len(view.Members) == 0 {
		view.About = v.w.sentences(view.Behind, view.About)
	}
}

// about words both heuristics with their grounds, never as facts.
func (v viewer) about(r *evidence.Result) string {
	kind, first := "", ""
	if t := r.SourceType; t != nil {
		kind = v.w.format("result.source_type", v.w.label("source_type", t.Value).Text,
			v.w.label("source_method", t.Method).Text, t.MethodVersion, v.w.label("confidence", t.Confidence).Text)
	}
	if p := r.FetchPriority; p != nil {
		reasons := make([]string, 0, len(p.ReasonCodes))
		for _, code := range p.ReasonCodes {
			reasons = append(reasons, v.w.label("priority_reason", code).Text)
		}
		first = v.w.format("result.priority", v.w.label("priority_tier", p.Tier).Text, v.w.list(reasons))
	}
	return v.w.sentences(kind, first)
}

func (v viewer) resultFacts(r *evidence.Result) pairs {
	var p pairs
	p.addCode(v.w.text("fact.canonical"), differing(r.URL))
	if r.Title != nil && r.Title.Origin == evidence.FromEngine {
		p.add(v.w.text("result.title_origin"), v.textOrigin(r.Title))
		p.addCode(v.w.text("result.title_digest"), r.Title.TextSHA256)
	}
	if len(r.ObservationIDs) > 1 {
		p.addCode(v.w.text("result.cluster"), r.DedupClusterID)
	}
	return p
}

// differing is the canonical form of an address, "" where it is the observed one.
func differing(u evidence.URL) string {
	if u.Canonical == u.Observed {
		return ""
	}
	return u.Canonical
}

// marks cuts a text at the quoted places in it, nil where there is none.
func (v viewer) marks(id, text string) []segment {
	if places := v.places[id]; len(places) > 0 {
		return excerpt(text, places, len(text))
	}
	return nil
}

// projected is a text of a result with what was done to it.
func (v viewer) projected(holder string, name evidence.SourceField, text *evidence.ProjectedText) fieldView {
	view := fieldView{Name: v.w.text("field."+string(name)) + " · " + v.textOrigin(text), SHA256: text.TextSHA256}
	v.fill(&view, anchor(holder, string(name)), text.Text)
	return view
}

// fill puts the text in, cut to the bounds of a page.
func (v viewer) fill(view *fieldView, id, text string) {
	if text == "" {
		view.Empty = v.w.text("field.empty")
		return
	}
	view.Lines = len(text) > 120 || strings.Contains(text, "\n")
	places := v.places[id]
	if len(places) == 0 && len(text) <= excerptLimit {
		view.Text = text
		return
	}
	segments := excerpt(text, places, excerptLimit)
	for i := range segments {
		if n := segments[i].Missing; n > 0 {
			segments[i].Text = v.w.format("field.more", n)
		}
	}
	view.Segments = segments
	if !whole(segments) {
		view.More = v.w.text("field.whole")
	}
}

// textOrigin says where a projected text comes from and what was done to it.
func (v viewer) textOrigin(text *evidence.ProjectedText) string {
	from := v.w.label("origin", string(text.Origin)).Text
	if text.Provenance.IsAggregate() {
		return v.w.format("provenance.joined", len(text.Provenance.Fragments), from)
	}
	done := make([]string, 0, len(text.Provenance.Transformations))
	for _, t := range text.Provenance.Transformations {
		done = append(done, v.w.label("transformation", string(t)).Text)
	}
	return v.w.format("provenance.single", len(text.Segments), from, v.w.list(done))
}

func (v viewer) member(i int, o *evidence.Observation, representative bool) memberView {
	step := &v.pack.Steps[i]
	position := v.positions[i][o.ObservationID]
	view := memberView{
		Number: v.w.format("observation.number", position), Target: observationAnchor(step.Spec.ID, position),
		Provider: o.Provider, Index: strconv.Itoa(o.ProviderResultIndex), Rank: v.rank(o), Score: v.score(o.ProviderScore),
		URL: o.URL.Observed,
	}
	view.Attempt, view.AttemptTarget = v.attemptPlace(i, o.ProviderAttemptID)
	if representative {
		view.Representative = v.w.text("member.representative")
	}
	return view
}

func (v viewer) rank(o *evidence.Observation) string {
	if o.ProviderRank == nil {
		return v.w.text("word.not_given")
	}
	return strconv.Itoa(*o.ProviderRank)
}

// score says of each number that it compares nothing across providers.
func (v viewer) score(s *evidence.Score) string {
	if s == nil {
		return v.w.text("word.not_given")
	}
	return v.w.format("score.value", s.Value.String(), v.w.label("score_semantics", s.Semantics).Text)
}

// usedBy maps each observation to the rank of the result that it stands behind.
func (v viewer) usedBy(response *evidence.Response) map[string]*evidence.Result {
	used := make(map[string]*evidence.Result, len(response.Observations))
	for i := range response.Results {
		for _, id := range response.Results[i].ObservationIDs {
			used[id] = &response.Results[i]
		}
	}
	return used
}

func (v viewer) observation(i, j int, used map[string]*evidence.Result) observationView {
	step := &v.pack.Steps[i]
	o := &step.Response.Observations[j]
	view := observationView{
		Anchor: observationAnchor(step.Spec.ID, j+1), Identity: o.ObservationID + " " + string(v.records[i][j]),
	}
	result, use := used[o.ObservationID], ""
	if result != nil {
		use = v.w.format("observation.in_result", result.EngineRank)
		view.Result = rankAnchor(step.Spec.ID, result.EngineRank)
	} else {
		use = v.unused(step.Response, o.ObservationID)
	}
	view.Heading = v.w.format("observation.heading", strconv.Itoa(j+1), heading(o), use)
	view.Facts = v.observationFacts(o)
	texts := v.texts(&view, o, result)
	view.Said, view.Attempt = v.returned(i, o)
	view.Said = v.w.sentences(texts, view.Said)
	for f := range view.Fields {
		if view.Fields[f].More != "" {
			view.Fields[f].More = v.file("evidence/" + step.Spec.ID + "/observations.ndjson")
		}
	}
	return view
}

// heading is a short line that tells an observation from its neighbours.
func heading(o *evidence.Observation) string {
	if o.Title != nil && *o.Title != "" {
		return *o.Title
	}
	return o.URL.Observed
}

// unused says why an observation stands behind no result.
func (v viewer) unused(response *evidence.Response, id string) string {
	for _, a := range response.PolicyActions {
		if a.ObservationID == id && (a.Action == evidence.ActionExcluded || a.Action == evidence.ActionTruncated) {
			return v.w.format("observation.in_none_because", v.w.label("reason", string(a.Reason)).Text)
		}
	}
	return v.w.text("observation.in_none")
}

// returned says who gave an observation, where in its list and with which numbers of its own.
func (v viewer) returned(i int, o *evidence.Observation) (said, place string) {
	attempt, place := v.attemptPlace(i, o.ProviderAttemptID)
	published := v.w.text("word.not_given")
	if o.PublishedAt != nil {
		published = o.PublishedAt.Raw
	}
	return v.w.format("observation.returned", o.Provider, o.EndpointID, attempt, strconv.Itoa(o.ProviderResultIndex),
		v.rank(o), v.score(o.ProviderScore), published), place
}

func (v viewer) observationFacts(o *evidence.Observation) pairs {
	var p pairs
	p.addCode(v.w.text("fact.canonical"), differing(o.URL))
	for _, name := range slices.Sorted(keysOf(o.ProviderFields)) {
		p.addCode(v.w.format("fact.provider_fields", name), string(o.ProviderFields[name]))
	}
	return p
}

// texts shows the address and the texts of an observation, each once: a title that is the heading and what its result
// shows unchanged are not repeated, unless a quote of them is marked here. It returns what to say of the others.
func (v viewer) texts(view *observationView, o *evidence.Observation, result *evidence.Result) string {
	var same, absent, empty []string
	view.URLMarks = v.marks(anchor(view.Anchor, "url"), o.URL.Observed)
	if view.URLMarks == nil && result != nil && result.URL.Observed == o.URL.Observed {
		same = append(same, v.w.label("source_field", "url").Text)
	} else {
		view.URL, view.Href = o.URL.Observed, webAddress(o.URL.Observed)
	}
	for _, name := range []evidence.SourceField{evidence.FieldTitle, evidence.FieldSnippet, evidence.FieldText} {
		text, id := o.Field(name), anchor(view.Anchor, string(name))
		quoted := len(v.places[id]) > 0
		switch {
		case text == nil:
			absent = append(absent, v.w.label("source_field", string(name)).Text)
		case *text == "":
			empty = append(empty, v.w.label("source_field", string(name)).Text)
		case name == evidence.FieldTitle && !quoted:
		case !quoted && shows(result, name, *text):
			same = append(same, v.w.label("source_field", string(name)).Text)
		default:
			field := fieldView{Name: v.w.text("field." + string(name))}
			v.fill(&field, id, *text)
			view.Fields = append(view.Fields, field)
		}
	}
	say := func(key string, names []string) string {
		if len(names) == 0 {
			return ""
		}
		return v.w.format(key, v.w.list(names))
	}
	return v.w.sentences(say("observation.same", same), say("observation.absent", absent), say("observation.empty", empty))
}

// shows says whether a result has a text unchanged.
func shows(result *evidence.Result, name evidence.SourceField, text string) bool {
	if result == nil {
		return false
	}
	shown := result.Field(name)
	return shown != nil && shown.Text == text
}
