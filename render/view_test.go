package render

import (
	"encoding/json"
	"fmt"
	"slices"
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
	o := view.Steps[0].Observations[0]
	if len(o.Fields) != 0 || !strings.HasPrefix(o.Said, "The result shows unchanged: URL, text. Not given: title, snippet. Returned by local") || o.Result != "get.r1" {
		t.Errorf("the observation repeats its text: %+v", o)
	}
}

// An observation shows what its result doesn't, and what a quote marks in it; its heading is its title.
func TestObservationsShowWhatIsTheirs(t *testing.T) {
	p := samoa(t)
	o := p.Steps[0].Response.Observations[2]
	p.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "case.md", Source: []byte("See [Tokelau](evidence:find/obs:" + o.ObservationID + "#snippet).")}}
	p.Case.Contested = nil
	p.Steps[0].Response.Results[0].Snippet.Text = "joined"
	step := viewOf(t, p).Steps[0]
	for i, want := range []string{"Snippet", "Snippet", "Snippet", ""} { // changed in its result, the same, quoted, empty
		got := ""
		for _, field := range step.Observations[i].Fields {
			got += field.Name
		}
		if got != want {
			t.Errorf("%s: shows %q, want %q", step.Observations[i].Heading, got, want)
		}
	}
	if o := step.Observations[2]; o.URL != "" || o.Heading != "Observation 3 · Pacific/Fakaofo · behind result 2" {
		t.Errorf("an observation with the address of its result reads %+v", o)
	}
	if href := step.Observations[1].Href; href != samoaURL+"?utm_source=mirror" {
		t.Errorf("an address of its own is linked as %q", href)
	}
}

func TestChangedTextIsShownTwice(t *testing.T) {
	p := samoa(t)
	p.Steps[1].Response.Results[0].Text.Text = strings.TrimSpace(samoaRow[:60]) + strings.Repeat(" ", 40)
	p.Case.Narratives, p.Case.Contested = nil, nil
	if o := viewOf(t, p).Steps[1].Observations[0]; len(o.Fields) != 1 || o.Fields[0].Name != "Text" || o.Fields[0].Whole() != samoaRow {
		t.Errorf("the observation's own text is not shown: %+v", o)
	}
}

func TestObservationTarget(t *testing.T) {
	p := samoa(t)
	o := p.Steps[0].Response.Observations[3]
	p.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "case.md", Source: []byte("See [tz.example](evidence:find/obs:" + o.ObservationID + "#url).")}}
	p.Case.Contested[0].Between[0] = "[tz.example](evidence:find/obs:" + o.ObservationID + "#url)"
	view := viewOf(t, p)
	want := []segment{{Text: "https://"}, {Text: "tz.example", Mark: true, IDs: []string{"find.o4.url.8-18"}}, {Text: "/list"}}
	if diff := cmp.Diff(want, view.Steps[0].Observations[3].URLMarks); diff != "" {
		t.Errorf("url (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(pairs{{Value: "Step find, an observation", Href: "#find.o4", Code: "https://tz.example/list"}}, view.Contests[0].Quotes[0].Places); diff != "" {
		t.Errorf("place (-want +got):\n%s", diff)
	}
}

func TestHeuristicsAreWordedAsSuch(t *testing.T) {
	result := viewOf(t, samoa(t)).Steps[0].Results[0]
	about := "Kind of page: docs, by URL rule (version 1), confidence high; a heuristic, not a statement about the page. " +
		"Worth opening first: medium, by one provider, among the first three, docs, paper, repository or reference by its address."
	if result.About != about {
		t.Errorf("about the result: %q, want %q", result.About, about)
	}
	want := memberView{
		Number: "Observation 2", Target: "find.o2", Provider: "local", Attempt: "a0001", AttemptTarget: "find.a0001", Index: "1", Rank: "2",
		Score: "12.25 (provider-local, compares only within this provider's list)", URL: samoaURL + "?utm_source=mirror",
	}
	if diff := cmp.Diff(want, result.Members[1]); diff != "" {
		t.Errorf("member (-want +got):\n%s", diff)
	}
	if result.Behind != "2 observations from 1 provider behind this result." || len(result.Members) != 2 {
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
	returned := "Returned by local (local:search) in attempt a0001, at place %d of its list, counted from 0. Its rank: %s. Its score: not given. Its date: not given."
	for i, want := range map[int]string{
		2: "The result shows unchanged: URL, snippet. Not given: title, text. " + fmt.Sprintf(returned, 2, "not given"),
		3: "Not given: title, text. Given, and empty: snippet. " + fmt.Sprintf(returned, 3, "4"),
	} {
		if got := view.Observations[i].Said; got != want {
			t.Errorf("observation %d: %q, want %q", i+1, got, want)
		}
	}
	if r := view.Results[1]; r.Title != "" || r.About != "1 observation from 1 provider behind this result." || len(r.Facts) != 0 {
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
		{"asked and failed", func(s *pack.Step) {
			s.Response.Status = evidence.StatusFailed
			s.Response.Error = &evidence.Error{ErrorClass: "content", Code: "wsp.content.absent", Message: "no such document"}
		}, stateView{Text: "Asked, and it failed: no such document (content). This is not the same as nothing found.", Alert: true, Tone: "bad"}},
		{"failed without a word", func(s *pack.Step) { s.Response.Status = evidence.StatusFailed }, stateView{
			Text: "Asked, and it failed: the pack does not say why. This is not the same as nothing found.", Alert: true, Tone: "bad"}},
		{"all skipped", func(s *pack.Step) {
			s.Response.Status, s.Response.ProviderAttempts[0].Decision = evidence.StatusFailed, evidence.Skipped
		}, stateView{Text: "Could not look. Every source was skipped, so this says nothing about what is there.", Alert: true, Tone: "bad"}},
		{"nobody to ask", func(s *pack.Step) { s.Response.Status, s.Response.ProviderAttempts = evidence.StatusFailed, nil }, stateView{
			Text: "Could not look. There was no source to ask, so this says nothing about what is there.", Alert: true, Tone: "bad"}},
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
	if m := step.Results[0].Members[0]; m.Attempt != "attempt_0001_find" || m.AttemptTarget != "" {
		t.Errorf("the attempt of another execution is shown as %q, linked to %q", m.Attempt, m.AttemptTarget)
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
	if got := []string{tries[0].Origin, tries[1].Origin}; !slices.Equal(got, []string{"", "imported"}) {
		t.Errorf("origins said at the tries: %q", got)
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
	if got, want := viewOf(t, p).Steps[0].Results[0].Fields[0].Name, "Snippet · joined from 2 fragments, changed by a named rule"; got != want {
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
	if len(pages.Files) != 4 {
		t.Fatalf("%d files", len(pages.Files))
	}
	for _, f := range pages.Files {
		head, try := "1 reply was written by the authors of casebook as a sample, not by a service.", "our sample"
		if strings.Contains(f.Path, "zh-cn") {
			head, try = "1 条响应由 casebook 的作者作为示例撰写，并非来自任何服务。", "自编示例"
		}
		top, rest, found := strings.Cut(string(f.Data), "packs/samoa-skips-a-day.zip")
		if !found || !strings.Contains(top, head) || strings.Count(rest, try) != 1 {
			t.Errorf("%s says it at the top: %v, at tries: %d", f.Path, strings.Contains(top, head), strings.Count(rest, try))
		}
	}
}

// A replay says when its recordings were made, with the first and the last time where they differ.
func TestReplaysSayWhenTheyWereRecorded(t *testing.T) {
	p := quiet(t)
	p.Steps[0].Recording.Execution.FinishedAt = "2026-11-30T12:00:00.5Z"
	view := viewOf(t, p)
	want := "2 steps are archive replays of what was recorded on 2026-11-30 12:00:00 UTC to 2026-11-30 12:00:00.5 UTC, never new measurements."
	if view.State[0].Text != want {
		t.Errorf("state %q, want %q", view.State[0].Text, want)
	}
	if got, want := view.Steps[0].Archive, "Archive replay of what was recorded on 2026-11-30 12:00:00.5 UTC, never a new measurement."; got != want {
		t.Errorf("step %q, want %q", got, want)
	}
	if got := fact(t, view.Steps[1].Facts, "Recorded on"); got != "2026-11-30 12:00:00 UTC" {
		t.Errorf("recorded on %q", got)
	}
	if got := viewOf(t, samoa(t)).Steps[0].Archive; got != "" {
		t.Errorf("a step that was computed anew says %q", got)
	}
}

// The index tells asked in vain from nobody asked.
func TestCardTellsHowAStepFailed(t *testing.T) {
	p := samoa(t)
	p.Case.Narratives, p.Case.Contested = nil, nil
	p.Steps[0].Response.Status, p.Steps[1].Response.Status = evidence.StatusFailed, evidence.StatusFailed
	p.Steps[1].Response.ProviderAttempts = nil
	r := renderer(t)
	card := casePages(t, r, p).Card
	var said []string
	for _, n := range notes(card, r.languages[0].words) {
		said = append(said, n.Text)
	}
	want := []string{"computed anew", "asked and failed in 1 step", "nobody asked in 1 step", "1 expectation failed"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestActionsOfOneKindStandTogether(t *testing.T) {
	p := samoa(t)
	r := p.Steps[0].Response
	r.PolicyActions = append(r.PolicyActions, evidence.PolicyAction{
		Action: evidence.ActionTruncated, ObservationID: "obs_elsewhere", Reason: evidence.ReasonMaxResults,
	})
	actions := viewOf(t, p).Steps[0].Actions
	if len(actions) != 2 || actions[0].Numbers != "1, 3" || actions[0].On != nil {
		t.Fatalf("actions %+v", actions)
	}
	want := []placeView{{Text: "4 · https://tz.example/list", Target: "find.o4"}, {Text: "obs_elsewhere"}}
	if diff := cmp.Diff(want, actions[1].On); diff != "" {
		t.Errorf("cut by the limit (-want +got):\n%s", diff)
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
