package render

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// viewOf is the view of a pack's page in English.
func viewOf(t *testing.T, p *pack.Pack) *caseView {
	t.Helper()
	r := renderer(t)
	s, err := r.read(p)
	if err != nil {
		t.Fatal(err)
	}
	return viewCase(s, r.languages[0].words, r.frame(0, "../../", "x"))
}

func fact(t *testing.T, facts pairs, name string) string {
	t.Helper()
	for _, p := range facts {
		if p.Name == name {
			return strings.TrimSpace(p.Value + " " + p.Code)
		}
	}
	t.Errorf("no fact %q among %v", name, facts)
	return ""
}

func TestLongTextSaysWhatItLeavesOut(t *testing.T) {
	b := newBuilder(t, "long-text")
	b.pack.Case.Title = texts("en", "Long")
	s := b.step("get", evidence.ModePinned, evidence.Extract, `{}`)
	a := b.attempt(s, "local", evidence.OutcomeSuccess)
	whole := strings.Repeat("a", 30_000) + "the end" + strings.Repeat("b", 1000)
	b.result(s, b.observe(s, a, evidence.Observation{URL: evidence.URL{Observed: "https://a.example/"}, Text: &whole}))
	b.pack.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "case.md", Source: []byte("See [the end](evidence:get/1#text).")}}
	view := viewOf(t, b.pack)
	text := view.Steps[0].Results[0].Fields[0]
	if want := "../../packs/long-text/data/evidence/get/response.json"; text.More != want {
		t.Errorf("the whole text is linked at %q, want %q", text.More, want)
	}
	var said []string
	for _, segment := range text.Segments {
		if segment.Missing > 0 {
			said = append(said, segment.Text)
		}
		if segment.Mark && segment.Text != "the end" {
			t.Errorf("marked %q", segment.Text)
		}
	}
	// 30,000 - 20,000 - 400 before the window, and 1,000 - 400 behind it.
	want := []string{"9,600 more characters are not shown here", "600 more characters are not shown here"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if same := view.Steps[0].Observations[0].Fields[2]; same.Same != "The same, unchanged, as in result 1" || same.SameHref != "#get.r1" {
		t.Errorf("the observation repeats its text: %+v", same)
	}
}

func TestChangedTextIsShownTwice(t *testing.T) {
	p := samoa(t)
	p.Steps[1].Response.Results[0].Text.Text = strings.TrimSpace(samoaRow[:60]) + strings.Repeat(" ", 40)
	p.Case.Narratives, p.Case.Contested = nil, nil
	if field := viewOf(t, p).Steps[1].Observations[0].Fields[2]; field.Same != "" || fieldText(field.Segments) != samoaRow {
		t.Errorf("the observation's own text is not shown: %+v", field)
	}
}

func TestObservationTarget(t *testing.T) {
	p := samoa(t)
	o := p.Steps[0].Response.Observations[3]
	p.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "case.md", Source: []byte("See [tz.example](evidence:find/obs:" + o.ObservationID + "#url).")}}
	p.Case.Contested[0].Between[0] = "[tz.example](evidence:find/obs:" + o.ObservationID + "#url)"
	view := viewOf(t, p)
	want := []segment{{Text: "https://"}, {Text: "tz.example", Mark: true, IDs: []string{"find.o4.url.8-18"}}, {Text: "/list"}}
	if diff := cmp.Diff(want, view.Steps[0].Observations[3].URL); diff != "" {
		t.Errorf("url (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(pairs{{Value: "Step find, an observation", Href: "#find.o4", Code: "https://tz.example/list"}}, view.Contests[0].Quotes[0].Places); diff != "" {
		t.Errorf("place (-want +got):\n%s", diff)
	}
}

func TestHeuristicsAreWordedAsSuch(t *testing.T) {
	result := viewOf(t, samoa(t)).Steps[0].Results[0]
	for name, want := range map[string]string{
		"Kind of page":        "docs, by URL rule (version 1), confidence high. A heuristic, not a statement about the page.",
		"Worth opening first": "medium: one provider, among the first three, docs, paper, repository or reference by its address",
	} {
		if got := fact(t, result.Facts, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	want := memberView{
		Number: "Observation 2", Href: "#find.o2", Provider: "local", Attempt: "a0001", AttemptHref: "#find.a0001", Index: "1", Rank: "2",
		Score: "12.25 (provider-local, compares only within this provider's list)", URL: samoaURL + "?utm_source=mirror",
	}
	if diff := cmp.Diff(want, result.Members[1]); diff != "" {
		t.Errorf("member (-want +got):\n%s", diff)
	}
	if result.Behind != "2 observations from 1 provider behind this result" || !result.Several {
		t.Errorf("behind the result: %q", result.Behind)
	}
}

func TestUnknownStaysUnknown(t *testing.T) {
	p := samoa(t)
	o := &p.Steps[0].Response.Observations[2]
	o.ProviderRank, o.ProviderScore, o.PublishedAt, o.Title = nil, nil, nil, nil
	p.Steps[0].Response.Results[1].Title = nil
	p.Steps[0].Response.Results[1].SourceType, p.Steps[0].Response.Results[1].FetchPriority = nil, nil
	view := viewOf(t, p).Steps[0]
	facts := view.Observations[2].Facts
	for name, want := range map[string]string{
		"Returned by the provider": "local:search, attempt a0001, place 2 in its list (from 0), its rank not given, its score not given",
		"Date as given":            "not given",
	} {
		if got := fact(t, facts, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := view.Observations[2].Fields[0].Absent; got != "not given" {
		t.Errorf("a null title reads %q", got)
	}
	if got := view.Observations[3].Fields[1].Absent; got != "given, and empty" {
		t.Errorf("an empty snippet reads %q", got)
	}
	if r := view.Results[1]; r.Title.Absent == "" || len(r.Facts) != 1 {
		t.Errorf("a result without title or heuristics reads %+v", r)
	}
}

func TestStates(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*pack.Step)
		want   stateView
	}{
		{"found", func(*pack.Step) {}, stateView{Text: "2 results from 4 observations.", Tone: "good"}},
		{"degraded", func(s *pack.Step) { s.Response.Status = evidence.StatusDegraded }, stateView{
			Text: "2 results from 4 observations, with something missing; the warnings say what.", Alert: true, Tone: "empty"}},
		{"all dropped", func(s *pack.Step) { s.Response.Results = nil }, stateView{
			Text: "4 observations came back and none became a result; the policy actions say why.", Alert: true, Tone: "empty"}},
		{"no response", func(s *pack.Step) { s.Response = nil }, stateView{Text: "The pack holds no response for this step.", Alert: true, Tone: "bad"}},
	} {
		p := samoa(t)
		p.Case.Narratives, p.Case.Contested, p.Steps[0].Spec.Expect = nil, nil, nil
		tt.change(&p.Steps[0])
		if diff := cmp.Diff(tt.want, viewOf(t, p).Steps[0].State); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestServedFromTheCache: observations of an earlier execution name an attempt that this one doesn't have.
func TestServedFromTheCache(t *testing.T) {
	p := samoa(t)
	p.Case.Narratives, p.Case.Contested, p.Steps[0].Spec.Expect = nil, nil, nil
	s := &p.Steps[0]
	s.Mode, s.Recording.Attempts, s.Response.ProviderAttempts = evidence.ModeImported, nil, nil
	s.Response.CacheStatus = evidence.CacheStatus{
		Disposition: evidence.FreshHit, EntryID: "entry1", AgeSeconds: ptr(int64(60)), TTLSeconds: ptr(int64(3600)), OriginExecutionID: "exec_earlier",
	}
	s.Response.RoutingReceipt.SelectedProvider = nil
	s.Response.RoutingReceipt.CacheOrigin = &evidence.CacheOrigin{ExecutionID: "exec_earlier"}
	view := viewOf(t, p)
	step := view.Steps[0]
	if m := step.Results[0].Members[0]; m.Attempt != "attempt_0001_find" || m.AttemptHref != "" {
		t.Errorf("the attempt of another execution is shown as %q, linked to %q", m.Attempt, m.AttemptHref)
	}
	if got := fact(t, step.Cache, "Age"); got != "60 s" {
		t.Errorf("age %q", got)
	}
	if got := fact(t, step.Routing, "Served from execution"); got != "exec_earlier" {
		t.Errorf("origin %q", got)
	}
	if got := fact(t, step.Routing, "Served by"); got != "nobody" {
		t.Errorf("served by %q", got)
	}
	want := "1 step was imported from the recordings of other software. What they did not hold is shown as missing."
	if view.State[1].Text != want {
		t.Errorf("state %q, want %q", view.State[1].Text, want)
	}
}

func TestTryTellsWhatIsMissing(t *testing.T) {
	p := quiet(t)
	a := &p.Steps[0].Recording.Attempts[0]
	a.Tries[1].Origin, a.Tries[1].Request = evidence.OriginImported, nil
	tries := viewOf(t, p).Steps[0].Attempts[0].Tries
	if got := fact(t, tries[1].Facts, "Request as sent"); got != "missing; the import did not hold it" {
		t.Errorf("request %q", got)
	}
	if got := fact(t, tries[0].Facts, "Asked to wait"); got != "3,000 ms" {
		t.Errorf("wait %q", got)
	}
	if got := fact(t, tries[0].Facts, "Body"); got != "none was received or kept" {
		t.Errorf("body %q", got)
	}
	redacted := viewOf(t, p).Steps[0].Attempts[2].Tries[0]
	if got := fact(t, redacted.Facts, "Body"); got != "41 bytes, with spans removed" { // counted in the fixture
		t.Errorf("redacted body %q", got)
	}
}

func TestJoinedSnippet(t *testing.T) {
	p := samoa(t)
	p.Case.Narratives, p.Case.Contested = nil, nil
	snippet := p.Steps[0].Response.Results[0].Snippet
	snippet.Origin = evidence.FromEngine
	snippet.Provenance = evidence.Provenance{Separator: " ", Fragments: []evidence.Fragment{{Text: "a"}, {Text: "b"}}}
	if got, want := viewOf(t, p).Steps[0].Results[0].Fields[0].Meta, "joined from 2 fragments, changed by a named rule"; got != want {
		t.Errorf("provenance %q, want %q", got, want)
	}
}

// A reply that we wrote ourselves is said to be ours before anything else is read.
func TestAuthoredRepliesAreOurs(t *testing.T) {
	p := samoa(t)
	p.Steps[0].Recording.Attempts[0].Tries[0].Origin = evidence.OriginAuthored
	pages := casePages(t, renderer(t), p)
	if pages.Card.Authored != 1 {
		t.Errorf("card counts %d replies of ours, want 1", pages.Card.Authored)
	}
	for name, want := range map[string]string{
		"index.html":       "the reply was written by the authors of casebook, and no service was asked",
		"index.md":         "the reply was written by the authors of casebook, and no service was asked",
		"index.zh-cn.html": "其中 1 条回复由 casebook 的作者撰写，没有询问任何服务",
	} {
		for _, f := range pages.Files {
			if strings.HasSuffix(f.Path, "/"+name) && !strings.Contains(string(f.Data), want) {
				t.Errorf("%s lacks %q", f.Path, want)
			}
		}
	}
}

func TestCardSurvivesJSON(t *testing.T) {
	card := casePages(t, renderer(t), samoa(t)).Card
	data, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	var back Card
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(card, back); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	if card.Results != 3 || card.Observations != 5 || card.Attempts != 2 || card.Expectations != 2 || card.Broken != 1 || card.Contested != 1 || card.Settled != 1 || card.Files != len(samoa(t).Files) {
		t.Errorf("card %+v", card)
	}
	if card.Outcome[0].Text != "Samoa left out 30 December 2011: its zone jumps at -11 WS %z 2011 D 29 24, the end of the 29th." {
		t.Errorf("outcome %q", card.Outcome[0].Text)
	}
}
