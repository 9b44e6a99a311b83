package engine_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"casebook/engine"
	"casebook/engine/archive"
	"casebook/engine/evidence"
	"casebook/engine/testkit"
	"casebook/engine/wire"
)

// A plan says of each step how it gets its recording, before anything runs.
func TestPlan(t *testing.T) {
	for _, tt := range []struct {
		c          *loaded
		mode       string
		candidates string
		keys       string
	}{
		{pinnedCase(), "pinned", "local", ""},
		{loadCase(t, "near-twins"), "replay", "", ""},
		{newCase("failing", strings.TrimSuffix(failing, "    expect:\n")), "live", "serper", "SERPER_API_KEY"},
	} {
		plan, err := tt.c.plan(t)
		if err != nil {
			t.Fatal(err)
		}
		step := plan.Steps[0]
		if step.Mode != tt.mode || strings.Join(step.Candidates, " ") != tt.candidates || strings.Join(step.KeyEnv, " ") != tt.keys {
			t.Errorf("%s: step = %+v, want %s of %q with %q", tt.c.id, step, tt.mode, tt.candidates, tt.keys)
		}
	}
}

// What other software recorded is no replay of ours, and says so.
func TestImportedRecording(t *testing.T) {
	c := loadCase(t, "near-twins")
	c.edit(t, recordedRun, `"mode":"live"`, `"mode":"imported"`)
	c.edit(t, recordedTry, `"origin":"authored"`, `"origin":"imported"`)
	c.edit(t, recordedTry, `"user-agent":"casebook"`, `"user-agent":"other software"`)
	_, p, err := c.freeze(t)
	if err != nil {
		t.Fatal(err)
	}
	if p.Steps[0].Mode != "imported" {
		t.Errorf("mode = %q, want imported", p.Steps[0].Mode)
	}
}

// A run whose records can't be kept stops.
func TestRunNeedsItsArchive(t *testing.T) {
	plan, err := pinnedCase().plan(t)
	if err != nil {
		t.Fatal(err)
	}
	log, err := archive.Create(filepath.Join(t.TempDir(), "run.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	recorded, err := plan.Run(t.Context(), engine.Settings{Quality: evidence.DefaultQuality(), Engine: engineFacts}, log)
	if err == nil || !strings.HasPrefix(err.Error(), "case pinned: step first: ") || recorded != nil {
		t.Errorf("Run = %v, %v, want the fault of the archive", recorded, err)
	}
}

// A request that nobody can be asked for is no plan.
func TestPlanRefusesRequests(t *testing.T) {
	for routing, want := range map[string]string{
		"{provider: auto}":                           `case failing: step find: provider "auto" with fallback: no provider is configured`,
		"{mode: fixed, provider: perplexity}":        `case failing: step find: provider "perplexity" for search: rejected: no_verified_source_only_endpoint`,
		"{mode: fixed, provider: nobody-knows-this}": `case failing: step find: provider "nobody-knows-this" for search: no such provider; there are local, serper`,
	} {
		c := newCase("failing", strings.TrimSuffix(strings.Replace(failing, "{mode: fixed, provider: serper}", routing, 1), "    expect:\n"))
		if _, err := c.plan(t); err == nil || err.Error() != want {
			t.Errorf("%s: NewPlan = %v, want %s", routing, err, want)
		}
	}
}

// An empty folder is what a deleted recording leaves behind; it needs no ledger.
func TestPlanWithAnEmptyFolder(t *testing.T) {
	c := pinnedCase()
	c.files[engine.RecordingsFolder] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	if _, err := c.plan(t); err != nil {
		t.Errorf("NewPlan = %v", err)
	}
}

// The query that goes out is normalized, the recorded request is the author's (contract section 1.2).
func TestLiveRunSendsTheNormalizedQuery(t *testing.T) {
	const written = "  cafe\u0301 hours "
	c := newCase("failing", strings.TrimSuffix(strings.Replace(failing, "harbour hours", written, 1), "    expect:\n"))
	live := sampleLive(t, testkit.Exchange{
		Method: "POST", URL: "https://google.serper.dev/search",
		Body: func(body []byte) bool {
			var sent struct {
				Query string `json:"q"`
			}
			return json.Unmarshal(body, &sent) == nil && sent.Query == "caf\u00e9 hours"
		},
		Reply: wire.Reply{Status: 200, ContentType: "application/json", Header: map[string]string{}, Body: []byte(`{"organic":[]}`)},
	})
	recorded := c.run(t, live)
	if len(recorded) != 1 || recorded[0].Mode != "replay" || recorded[0].Execution.Mode != "live" {
		t.Fatalf("recorded = %+v", recorded)
	}
	if request := string(recorded[0].Request.Request); !strings.Contains(request, written) {
		t.Errorf("request = %s, want the query as it was written", request)
	}
	if at := recorded[0].Execution.FinishedAt; at != "2026-11-30T09:00:00.1Z" {
		t.Errorf("finished_at = %s, want the time of the live clock", at)
	}
}
