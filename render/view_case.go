package render

import (
	"strings"

	"casebook/engine/expect"
)

// caseView is the page of a case in one language, without markup.
type caseView struct {
	Page            pageView
	ID              string
	PackID          string
	Title, Question textView
	Tags            []string
	Outcome         storyView // its first paragraph
	Story           storyView // the rest
	State           []noteView
	Counts          []countView
	Check           checkView
	Contests        []contestView
	Expectations    []expectationView
	ExpectSummary   string
	Steps           []stepView
	Redactions      []redactionView
	Files           []fileView
	FilesSummary    string
	BagFiles        []pairView
	Versions        pairs
	Release         pairs
	Provenance      pairs
	Sources         []sourceView
	Replaces        []string
}

// storyView is a piece of the author's narrative.
type storyView struct {
	Nodes []*node
	Lang  string
}

// countView is a number with what it counts.
type countView struct {
	Number, Label string
	Href          string
	Alert         bool // it asks for attention
}

// checkView has what someone needs who checks the pack without this page.
type checkView struct {
	Folder, Archive string
	Commands        string
	Verify          string
}

// contestView is a place where two sources disagree, in the author's words.
type contestView struct {
	Quotes   [2]sideView
	Note     textView
	Resolved *resolvedView
}

// sideView is one side's quote and where it stands.
type sideView struct {
	Nodes  []*node
	Places pairs
}

// resolvedView says how the author settled a disagreement.
type resolvedView struct{ By, Note textView }

// expectationView is one expect line and what became of it.
type expectationView struct {
	Step, Href, Want, Got, Note string
	Line                        string
	Held                        bool
}

// sourceView is a source with its licence.
type sourceView struct{ Name, Href, URL, Licence string }

// viewer makes the views of one case in one language.
type viewer struct {
	*subject
	w *words
}

// viewCase is the page of a case; page is its frame.
func viewCase(s *subject, w *words, page pageView) *caseView {
	v := viewer{s, w}
	c := s.pack.Case
	view := &caseView{
		Page: page, ID: s.pack.Name, PackID: string(s.pack.ID),
		Title: w.author(c.Title), Question: w.author(c.Question), Tags: c.Tags,
		Check:    v.check(),
		Contests: v.contests(), Expectations: v.expectations(),
		Redactions: v.redactions(), Files: v.files(), FilesSummary: v.filesSummary(), BagFiles: v.bagFiles(),
		Versions: v.versions(), Release: v.release(), Provenance: v.provenance(),
		Sources: v.sources(), Replaces: s.pack.Provenance.Replaces,
	}
	view.Outcome, view.Story = v.story()
	for i := range s.pack.Steps {
		view.Steps = append(view.Steps, v.step(i))
	}
	view.State, view.Counts = v.state(), v.counts()
	view.ExpectSummary = v.expectSummary()
	return view
}

// story is the narrative in the page's language, else in the case's first.
func (v viewer) story() (outcome, rest storyView) {
	told := v.subject.told(v.w.tag)
	if told == nil {
		return storyView{}, storyView{}
	}
	lang := told.lang
	if strings.EqualFold(lang, v.w.tag) {
		lang = ""
	}
	return storyView{told.outcome, lang}, storyView{told.rest, lang}
}

// state says in plain words what ran and what is to be known before reading on.
func (v viewer) state() []noteView {
	var lines []noteView
	tally := v.tally
	if tally.pinned > 0 {
		lines = append(lines, noteView{v.w.format("state.pinned", tally.pinned, moment(v.pack.Provenance.FrozenAt)), ""})
	}
	if tally.replayed > 0 {
		lines = append(lines, noteView{v.w.format("state.replay", tally.replayed, v.recorded()), ""})
	}
	if tally.authored > 0 {
		lines = append(lines, noteView{v.w.format("state.authored", tally.authored), "empty"})
	}
	if tally.imported > 0 {
		lines = append(lines, noteView{v.w.format("state.imported", tally.imported), ""})
	}
	for i := range v.pack.Steps {
		if told := v.stepState(i); told.Alert {
			lines = append(lines, noteView{v.w.format("state.step", v.pack.Steps[i].Spec.ID, told.Text), told.Tone})
		}
	}
	if tally.contested > 0 {
		lines = append(lines, noteView{v.w.format("state.contested", tally.contested), "empty"})
	}
	if tally.settled > 0 {
		lines = append(lines, noteView{v.w.format("state.settled", tally.settled), ""})
	}
	if tally.broken > 0 {
		lines = append(lines, noteView{v.w.format("state.expect_failed", tally.broken), "bad"})
	}
	if tally.redacted > 0 {
		lines = append(lines, noteView{v.w.format("state.redacted", tally.redacted), ""})
	}
	return lines
}

// recorded is when the replayed steps were recorded, one time or the first and the last.
func (v viewer) recorded() string {
	first, last := moment(v.tally.recorded[0]), moment(v.tally.recorded[1])
	if first == last {
		return first
	}
	return v.w.format("state.span", first, last)
}

func (v viewer) counts() []countView {
	t := v.tally
	count := func(key string, n int, href string, alert bool) countView {
		return countView{Number: v.w.number(int64(n)), Label: v.w.format(key, n), Href: href, Alert: alert && n > 0}
	}
	return []countView{
		count("count.steps", len(v.pack.Steps), "#steps", false),
		count("count.results", t.results, "#steps", false),
		count("count.observations", t.observations, "#steps", false),
		count("count.attempts", t.attempts, "#steps", false),
		count("count.failed", t.failed, "#steps", true),
		count("count.skipped", t.skipped, "#steps", true),
		count("count.expectations", len(v.outcomes), "#expectations", false),
		count("count.redactions", t.redacted, "#redactions", false),
	}
}

// check gives the commands of the pack format that need no casebook.
func (v viewer) check() checkView {
	id := v.pack.Name
	return checkView{
		Folder: "packs/" + id, Archive: "../../packs/" + id + ".zip",
		Commands: "cd packs/" + id + "\n" +
			"sha256sum -c --strict --quiet tagmanifest-sha256.txt manifest-sha256.txt\n" +
			"diff <(cut -c67- manifest-sha256.txt | LC_ALL=C sort) <(find data -type f | LC_ALL=C sort)\n" +
			"sha256sum tagmanifest-sha256.txt",
		Verify: "casebook verify packs/" + id,
	}
}

func (v viewer) contests() []contestView {
	var views []contestView
	for _, c := range v.contested {
		view := contestView{Quotes: [2]sideView{v.side(c.quotes[0]), v.side(c.quotes[1])}, Note: v.w.author(c.note)}
		if c.resolved != nil {
			view.Resolved = &resolvedView{By: v.w.author(c.resolved.by), Note: v.w.author(c.resolved.note)}
		}
		views = append(views, view)
	}
	return views
}

// side is one quote with the address of the page that it was found on.
func (v viewer) side(q quoted) sideView {
	side := sideView{Nodes: q.nodes}
	for _, p := range q.places {
		name := v.w.format("contested.result", p.Step, p.Rank)
		holder := v.holder(p)
		if p.Rank == 0 {
			name = v.w.format("contested.observation", p.Step)
		}
		side.Places = append(side.Places, pairView{Value: name, Href: "#" + holder, Code: v.address(p)})
	}
	return side
}

func (v viewer) expectations() []expectationView {
	var views []expectationView
	for _, o := range v.outcomes {
		views = append(views, expectationView{
			Step: o.Step, Href: "#" + stepAnchor(o.Step), Want: o.Want, Got: o.Got, Note: o.Note, Held: o.Held,
			Line: v.w.format("expect.line", o.Line),
		})
	}
	return views
}

func (v viewer) expectSummary() string {
	broken := len(expect.Failed(v.outcomes))
	switch {
	case len(v.outcomes) == 0:
		return v.w.text("expect.none")
	case broken == 0:
		return v.w.format("expect.all_held", len(v.outcomes))
	}
	return v.w.format("expect.some_failed", broken, len(v.outcomes))
}

func (v viewer) sources() []sourceView {
	var views []sourceView
	for _, s := range v.pack.Case.Sources {
		views = append(views, sourceView{Name: s.Name, Href: webAddress(s.URL), URL: s.URL, Licence: s.Licence})
	}
	return views
}
