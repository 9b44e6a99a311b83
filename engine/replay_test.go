package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine"
	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/expect"
	"casebook/engine/freeze"
	"casebook/engine/quote"
	"casebook/engine/testkit"
	"casebook/engine/wire"
)

const (
	recordedTry = "recordings/find/a0001/t01.json"
	recordedRun = "recordings/find/execution.json"
)

// A replay sends nothing, so it shows the ids and times of the execution that was recorded, never its own.
func TestReplayGivesWhatWasRecorded(t *testing.T) {
	_, p, err := loadCase(t, "near-twins").freeze(t)
	if err != nil {
		t.Fatal(err)
	}
	step := p.Steps[0]
	if step.Mode != "replay" || p.Provenance.Steps[0].Mode != "replay" || step.Recording.Execution.Mode != "live" {
		t.Errorf("mode %q, %q in provenance, executed %q, want replay, replay, live",
			step.Mode, p.Provenance.Steps[0].Mode, step.Recording.Execution.Mode)
	}
	r := step.Response
	attempt := r.ProviderAttempts[0]
	got := []string{r.ExecutionID, r.RequestID, attempt.AttemptID, attempt.StartedAt, attempt.Tries[0].StartedAt, r.Observations[1].ObservationID}
	// The ids are those of the table in contract section 3.3.
	want := []string{
		"exec_00000000000000000000000000000001", "exec_00000000000000000000000000000001", "attempt_0001ebbbb4d95590",
		"2026-11-30T09:00:00.02Z", "2026-11-30T09:00:00.04Z", "obs_dc48b5fe04c02241",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids and times (-want +got):\n%s", diff)
	}
	if origin := step.Recording.Attempts[0].Tries[0].Origin; origin != "authored" {
		t.Errorf("origin = %q, want authored", origin)
	}
	if len(r.Observations) != 16 || attempt.ResultCount != 16 {
		t.Errorf("%d observations of %d items, want all 16", len(r.Observations), attempt.ResultCount)
	}
}

// What case.yaml expects was derived by hand from the list of the provider fixtures and contract sections 3.4 to 3.6.
func TestNearTwinsHoldsWhatItExpects(t *testing.T) {
	_, p, err := loadCase(t, "near-twins").freeze(t)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := expect.Check(p)
	if len(outcomes) != 22 {
		t.Errorf("%d outcomes, case.yaml has 22 lines", len(outcomes))
	}
	for _, o := range expect.Failed(outcomes) {
		t.Errorf("case.yaml:%d: want %s, got %s", o.Line, o.Want, o.Got)
	}
	if len(p.Case.Narratives) != 2 {
		t.Fatalf("%d narratives, want 2", len(p.Case.Narratives))
	}
	for _, n := range p.Case.Narratives {
		links := quote.Links(n.Source)
		if len(links) != 13 {
			t.Errorf("%s: %d quotes, want 13", n.File, len(links))
		}
		for _, link := range links {
			if _, err := quote.Resolve(p, link.Ref, link.Text); err != nil || link.Err != nil {
				t.Errorf("%s:%d: %v %v", n.File, link.Line, err, link.Err)
			}
		}
	}
}

// What can't be replayed is said before anything runs.
func TestPlanRefusesRecordings(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(t *testing.T, c *loaded)
		want string
	}{
		{"another query", func(t *testing.T, c *loaded) {
			c.edit(t, "case.yaml", `query: "app.example docs"`, `query: "app.example docz"`)
		},
			"step find: recordings/find/request.json: records another request than case.yaml asks"},
		{"a pinned step", func(t *testing.T, c *loaded) {
			c.edit(t, "case.yaml", "provider: serper, allow_fallback: false", "provider: local")
			c.edit(t, "case.yaml", "    kind: search\n", "    kind: search\n    corpus: tables\n")
			c.edit(t, "case.yaml", "steps:\n", "corpora: {tables: {path: corpus}}\nsteps:\n")
			c.put("corpus/a.txt", "---\nurl: https://a.example/\ntitle: A\n---\nText.\n")
		}, "step find: a pinned step has recordings; remove cases/near-twins/recordings/find"},
		{"a step that is no more", func(_ *testing.T, c *loaded) { c.put("recordings/earlier/request.json", "{}\n") },
			"recordings/earlier belongs to no step of case.yaml"},
		{"a stray file", func(_ *testing.T, c *loaded) { c.put("recordings/notes.txt", "") },
			"recordings/notes.txt belongs to no step of case.yaml"},
		{"no ledger", func(_ *testing.T, c *loaded) { delete(c.files, "recordings/redactions.json") },
			"recordings/redactions.json is missing; it is the ledger of the recordings beside it"},
		{"a file in place of the folder", func(_ *testing.T, c *loaded) {
			c.withoutRecordings()
			c.put("recordings/find", "")
		}, "step find: recordings/find: is no folder"},
		{"a body that was changed", func(t *testing.T, c *loaded) { c.edit(t, recordedTry, "Snippet 3.", "Snippet three.") },
			"step find: recordings/find/a0001/t01.json: body has 2028 bytes, recorded are 2024"},
		{"a body of the same length", func(t *testing.T, c *loaded) { c.edit(t, recordedTry, "Snippet 3.", "Snippet 4!") },
			"step find: recordings/find/a0001/t01.json: body has SHA-256 "},
		{"an execution that was pinned", func(t *testing.T, c *loaded) { c.edit(t, recordedRun, `"mode":"live"`, `"mode":"pinned"`) },
			`step find: recordings/find/execution.json: mode is "pinned", of a committed recording it is "live" or "imported"`},
		{"a local try", func(t *testing.T, c *loaded) { c.edit(t, recordedTry, `"origin":"authored"`, `"origin":"local"`) },
			`step find: recordings/find/a0001/t01.json: origin is "local", of mode "live" it is recorded or authored`},
		{"an imported try of a live step", func(t *testing.T, c *loaded) { c.edit(t, recordedTry, `"origin":"authored"`, `"origin":"imported"`) },
			`step find: recordings/find/a0001/t01.json: origin is "imported", of mode "live" it is recorded or authored`},
		{"an authored try of an import", func(t *testing.T, c *loaded) { c.edit(t, recordedRun, `"mode":"live"`, `"mode":"imported"`) },
			`step find: recordings/find/a0001/t01.json: origin is "authored", of mode "imported" it is imported`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := loadCase(t, "near-twins")
			tt.edit(t, c)
			_, err := c.plan(t)
			if err == nil || !strings.HasPrefix(err.Error(), "case near-twins: "+tt.want) {
				t.Errorf("NewPlan = %v, want case near-twins: %s", err, tt.want)
			}
		})
	}
}

// editTry changes the recorded request, its digests made right, as a recording of other software would be.
func editTry(t *testing.T, c *loaded, edit func(*evidence.TryRecord)) {
	t.Helper()
	var try evidence.TryRecord
	if err := canon.Decode(c.files[recordedTry].Data, &try); err != nil {
		t.Fatal(err)
	}
	edit(&try)
	data, err := canon.EncodeLine(try)
	if err != nil {
		t.Fatal(err)
	}
	c.put(recordedTry, string(data))
}

// The comparison itself is tested where it stands, in freeze.
func TestMismatchIsShown(t *testing.T) {
	c := loadCase(t, "near-twins")
	editTry(t, c, func(r *evidence.TryRecord) { r.Request.Headers["user-agent"] = "other" })
	_, _, err := c.freeze(t)
	var mismatch *freeze.MismatchError
	const want = `recordings/find/a0001/t01.json: header user-agent was recorded as "other" and would now be sent as "casebook"; record the step anew`
	if !errors.As(err, &mismatch) || err.Error() != want {
		t.Errorf("freeze = %v, want %s", err, want)
	}
}

// Ids of placeholders are issued by place in the case, so a rebuilt request has others than the recorded one.
func TestPlaceholdersAreEqualWhateverTheirIDs(t *testing.T) {
	c := loadCase(t, "near-twins")
	for name, file := range c.files {
		c.put(name, strings.ReplaceAll(string(file.Data), "rd0001", "rd0207"))
	}
	_, p, err := c.freeze(t)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Steps[0].Recording.Attempts[0].Tries[0].Request.Headers["x-api-key"]; got != "[redacted:rd0207]" {
		t.Errorf("x-api-key = %q, want the placeholder as it was recorded", got)
	}
}

// A replay takes the ledger as it was committed, so the key of the redactions isn't needed.
func TestReplayKeepsTheLedger(t *testing.T) {
	c := loadCase(t, "near-twins")
	bag, _, err := c.freeze(t)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(bag.File("data/redactions.json")), string(c.files["recordings/redactions.json"].Data); got != want {
		t.Errorf("data/redactions.json =\n%s\nwant\n%s", got, want)
	}
	files := 0
	for name, file := range c.files {
		if strings.HasPrefix(name, "recordings/find/") {
			files++
			if got := bag.File("data/" + name); string(got) != string(file.Data) {
				t.Errorf("data/%s differs from the committed file", name)
			}
		}
	}
	if files != 4 {
		t.Errorf("%d recorded files compared, want 4", files)
	}
}

// failing is a search that nobody answers: the expectations, the quotes and the pack must still stand.
const failing = `casebook: 1
id: failing
title: {en: "t"}
question: {en: "q"}
as_of: 2026-11-30T12:00:00Z
steps:
  - id: find
    kind: search
    request:
      input: {query: "harbour hours"}
      routing: {mode: fixed, provider: serper}
    expect:
`

func TestReplayOfAFailedAttempt(t *testing.T) {
	down := testkit.Exchange{
		Method: "POST", URL: "https://google.serper.dev/search",
		Reply: wire.Reply{Status: 503, ContentType: "text/plain", Header: map[string]string{"retry-after": "7"}, Body: []byte("down")},
	}
	status := 503
	for _, tt := range []struct {
		name    string
		live    func(t *testing.T) *engine.Live
		expect  string
		outcome evidence.Outcome
		want    evidence.Error
	}{
		{"503", func(t *testing.T) *engine.Live { return sampleLive(t, down) },
			"      - {attempt: serper, outcome: failed, tries: 1}\n      - {attempt: a0001, outcome: failed}\n      - {status: failed}\n      - {results: 0}\n", "failed",
			evidence.Error{
				ErrorClass: "transient", Code: "wsp.provider.transient", Message: "temporarily unavailable", Retryable: true,
				Provider: "serper", HTTPStatus: &status,
			}},
		{"no key", func(t *testing.T) *engine.Live {
			live := sampleLive(t)
			live.Key = func(string) string { return "" }
			return live
		}, "      - {attempt: serper, outcome: skipped, skip_reason: missing_credentials, tries: 0}\n      - {status: failed}\n      - {results: 0}\n", "skipped",
			evidence.Error{ErrorClass: "config", Code: "wsp.config.missing_credentials", Message: "no usable credential for the planned provider"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCase("failing", failing+tt.expect)
			c.commit(record(t, c, tt.live(t)))
			_, p, err := c.freeze(t)
			if err != nil {
				t.Fatal(err)
			}
			r := p.Steps[0].Response
			if r.Status != evidence.StatusFailed || len(r.Results) != 0 || len(r.Observations) != 0 || r.ProviderAttempts[0].Outcome != tt.outcome {
				t.Errorf("response = %+v", r)
			}
			if diff := cmp.Diff(&tt.want, r.Error); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			outcomes := expect.Check(p)
			if len(outcomes) != strings.Count(tt.expect, "\n") {
				t.Errorf("%d outcomes", len(outcomes))
			}
			for _, o := range expect.Failed(outcomes) {
				t.Errorf("want %s, got %s", o.Want, o.Got)
			}
		})
	}
}

// A step that nobody recorded and that isn't pinned stops the run before anything is executed.
func TestRunNeedsARecording(t *testing.T) {
	c := loadCase(t, "near-twins")
	c.withoutRecordings()
	plan, err := c.plan(t)
	if err != nil {
		t.Fatal(err)
	}
	step := plan.Steps[0]
	if step.Mode != "live" || !slices.Equal(step.Candidates, []string{"serper"}) || !slices.Equal(step.KeyEnv, []string{"SERPER_API_KEY"}) {
		t.Errorf("step = %+v, want a live one that asks serper with its key", step)
	}
	_, err = plan.Run(t.Context(), engine.Settings{}, nil)
	if !errors.Is(err, engine.ErrNeedsRecording) {
		t.Errorf("Run = %v, want ErrNeedsRecording", err)
	}
}
