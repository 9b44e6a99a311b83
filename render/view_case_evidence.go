package render

import (
	"slices"
	"strconv"
	"strings"

	"casebook/engine/evidence"
)

// fieldView is one text of a result or an observation.
type fieldView struct {
	Name     string
	Segments []segment
	Lines    bool // it is long enough to stand in a block of its own
	Absent   string
	Meta     string // what was done to it
	SHA256   string // text SHA-256
	More     string // where the whole of it is, when a part is left out
	Same     string // it repeats the text of a result, which is linked instead
	SameHref string
}

// resultView is one result and the observations behind it.
type resultView struct {
	Anchor, Rank string
	Title        fieldView
	Href         string
	URL          []segment
	Fields       []fieldView
	Facts        pairs
	Behind       string
	Several      bool // more than one observation stands behind it
	Members      []memberView
}

// memberView is an observation behind a result.
type memberView struct {
	Number, Href           string
	Provider, Attempt      string
	AttemptHref            string
	Index, Rank, Score     string
	URL                    string
	Representative, Origin string
}

// observationView is one item as its provider gave it.
type observationView struct {
	Anchor, Number, ID string
	Heading            string
	Use, UseHref       string
	Facts              pairs
	Href               string
	URL                []segment
	Fields             []fieldView
	RecordSHA256       string
}

func (v viewer) result(i int, r *evidence.Result) resultView {
	step := &v.pack.Steps[i]
	id := rankAnchor(step.Spec.ID, r.EngineRank)
	view := resultView{
		Anchor: id, Rank: strconv.Itoa(r.EngineRank),
		Href: webAddress(r.URL.Observed), URL: v.marked(anchor(id, "url"), r.URL.Observed),
		Title: v.projected(id, evidence.FieldTitle, r.Title),
	}
	view.Facts = v.resultFacts(r, view.Title)
	for _, field := range []evidence.SourceField{evidence.FieldSnippet, evidence.FieldText} {
		if text := r.Field(field); text != nil {
			shown := v.projected(id, field, text)
			if shown.More != "" {
				shown.More = v.file("evidence/" + step.Spec.ID + "/response.json")
			}
			view.Fields = append(view.Fields, shown)
		}
	}
	providers := map[string]bool{}
	for _, member := range r.ObservationIDs {
		position := v.positions[i][member]
		if position == 0 {
			continue
		}
		o := &step.Response.Observations[position-1]
		providers[o.Provider] = true
		view.Members = append(view.Members, v.member(i, o, member == r.RepresentativeObservationID))
	}
	view.Several = len(view.Members) > 1
	view.Behind = v.w.format("result.behind", len(view.Members), v.w.format("result.providers", len(providers)))
	return view
}

func (v viewer) resultFacts(r *evidence.Result, title fieldView) pairs {
	var p pairs
	p.addCode(v.w.text("fact.canonical"), differing(r.URL))
	p.add(v.w.text("result.kind_of_page"), v.sourceType(r.SourceType))
	p.add(v.w.text("result.reading_order"), v.priority(r.FetchPriority))
	if r.Title != nil && r.Title.Origin == evidence.FromEngine {
		p.add(v.w.text("result.title_origin"), title.Meta)
		p.addCode(v.w.text("result.title_digest"), title.SHA256)
	}
	p.addCode(v.w.text("result.id"), r.ResultID)
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

// marked cuts a text at the quoted places in it.
func (v viewer) marked(id, text string) []segment {
	return excerpt(text, v.places[id], len(text))
}

// projected is a text of a result with what was done to it.
func (v viewer) projected(holder string, name evidence.SourceField, text *evidence.ProjectedText) fieldView {
	view := fieldView{Name: v.w.text("field." + string(name))}
	if text == nil {
		view.Absent = v.w.text("field.absent")
		return view
	}
	v.fill(&view, anchor(holder, string(name)), text.Text)
	view.SHA256 = text.TextSHA256
	view.Meta = v.textOrigin(text)
	return view
}

// fill puts the text in, cut to the bounds of a page.
func (v viewer) fill(view *fieldView, id, text string) {
	if text == "" {
		view.Absent = v.w.text("field.empty")
		return
	}
	segments := excerpt(text, v.places[id], excerptLimit)
	for i := range segments {
		if n := segments[i].Missing; n > 0 {
			segments[i].Text = v.w.format("field.more", n)
		}
	}
	view.Segments, view.Lines = segments, len(text) > 120 || strings.Contains(text, "\n")
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
	var done []string
	for _, t := range text.Provenance.Transformations {
		done = append(done, v.w.label("transformation", string(t)).Text)
	}
	return v.w.format("provenance.single", len(text.Segments), from, strings.Join(done, v.w.text("word.comma")))
}

// sourceType words the heuristic with its method and confidence, never as a fact.
func (v viewer) sourceType(t *evidence.SourceType) string {
	if t == nil {
		return ""
	}
	return v.w.format("result.source_type", v.w.label("source_type", t.Value).Text, v.w.label("source_method", t.Method).Text,
		t.MethodVersion, v.w.label("confidence", t.Confidence).Text)
}

func (v viewer) priority(p *evidence.FetchPriority) string {
	if p == nil {
		return ""
	}
	var reasons []string
	for _, code := range p.ReasonCodes {
		reasons = append(reasons, v.w.label("priority_reason", code).Text)
	}
	return v.w.format("result.priority", v.w.label("priority_tier", p.Tier).Text, strings.Join(reasons, v.w.text("word.comma")))
}

func (v viewer) member(i int, o *evidence.Observation, representative bool) memberView {
	step := &v.pack.Steps[i]
	position := v.positions[i][o.ObservationID]
	view := memberView{
		Number: v.w.format("observation.number", position), Href: "#" + observationAnchor(step.Spec.ID, position),
		Provider: o.Provider, Index: strconv.Itoa(o.ProviderResultIndex), Rank: v.rank(o), Score: v.score(o.ProviderScore),
		URL: o.URL.Observed,
	}
	view.Attempt, view.AttemptHref = v.attemptLink(step, o.ProviderAttemptID)
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
	id := observationAnchor(step.Spec.ID, j+1)
	view := observationView{
		Anchor: id, Number: v.w.format("observation.number", j+1), ID: o.ObservationID,
		Heading: heading(o), Href: webAddress(o.URL.Observed), URL: v.marked(anchor(id, "url"), o.URL.Observed),
		RecordSHA256: string(v.records[i][j]),
	}
	result := used[o.ObservationID]
	if result != nil {
		view.Use = v.w.format("observation.in_result", result.EngineRank)
		view.UseHref = "#" + rankAnchor(step.Spec.ID, result.EngineRank)
	} else {
		view.Use = v.unused(step.Response, o.ObservationID)
	}
	view.Facts = v.observationFacts(i, o)
	for _, name := range []evidence.SourceField{evidence.FieldTitle, evidence.FieldSnippet, evidence.FieldText} {
		field := v.observed(id, name, o, result)
		if field.SameHref != "" {
			field.SameHref = view.UseHref
		}
		if field.More != "" {
			field.More = v.file("evidence/" + step.Spec.ID + "/observations.ndjson")
		}
		view.Fields = append(view.Fields, field)
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

func (v viewer) observationFacts(i int, o *evidence.Observation) pairs {
	step := &v.pack.Steps[i]
	var p pairs
	attempt, href := v.attemptLink(step, o.ProviderAttemptID)
	p = append(p, pairView{
		Name: v.w.text("observation.origin"), Href: href,
		Value: v.w.format("observation.returned", o.EndpointID, attempt, o.ProviderResultIndex, v.rank(o), v.score(o.ProviderScore)),
	})
	if o.PublishedAt != nil {
		p.add(v.w.text("fact.published"), o.PublishedAt.Raw)
	} else {
		p.add(v.w.text("fact.published"), v.w.text("word.not_given"))
	}
	p.addCode(v.w.text("fact.canonical"), differing(o.URL))
	for _, name := range slices.Sorted(keysOf(o.ProviderFields)) {
		p.addCode(v.w.format("fact.provider_fields", name), string(o.ProviderFields[name]))
	}
	return p
}

// observed is a text of an observation; one that its result shows unchanged is linked and not repeated.
func (v viewer) observed(holder string, name evidence.SourceField, o *evidence.Observation, result *evidence.Result) fieldView {
	view := fieldView{Name: v.w.text("field." + string(name))}
	text := o.Field(name)
	if text == nil {
		view.Absent = v.w.text("field.null")
		return view
	}
	id := anchor(holder, string(name))
	if result != nil && len(v.places[id]) == 0 && len(*text) > 80 {
		if shown := result.Field(name); shown != nil && shown.Text == *text {
			view.Same, view.SameHref = v.w.format("field.same", result.EngineRank), "#"
			return view
		}
	}
	v.fill(&view, id, *text)
	return view
}
