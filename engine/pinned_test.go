package engine_test

import (
	"bytes"
	"regexp"
	"testing"

	"casebook/engine/evidence"
)

// pinned has two steps with one request over one corpus.
const pinned = `casebook: 1
id: pinned
title: {en: "t"}
question: {en: "q"}
as_of: 2026-01-31T12:00:00Z
corpora: {port: {path: corpus}}
steps:
  - id: first
    kind: search
    corpus: port
    request: &ask
      input: {query: "harbour hours"}
      routing: {mode: fixed, provider: local}
  - id: second
    kind: search
    corpus: port
    request: *ask
`

func pinnedCase() *loaded {
	c := newCase("pinned", pinned)
	c.put("corpus/harbour.txt", "---\nurl: https://port.example/harbour\ntitle: Harbour office\ndate: 2026-01-05\n---\nThe harbour office keeps its hours.\n")
	return c
}

func executionIDs(t testing.TB, c *loaded) [2]string {
	t.Helper()
	recorded := c.run(t, nil)
	if len(recorded) != 2 {
		t.Fatalf("%d steps, want 2", len(recorded))
	}
	for _, r := range recorded {
		if r.Mode != "pinned" || r.Execution.Mode != evidence.ModePinned || r.Attempts[0].Tries[0].Origin != evidence.OriginLocal {
			t.Errorf("step %s: mode %s, executed %s", r.Step, r.Mode, r.Execution.Mode)
		}
	}
	return [2]string{recorded[0].Execution.ExecutionID, recorded[1].Execution.ExecutionID}
}

// The four rules of contract section 3.3 for executions that are computed anew at every build.
func TestPinnedExecutionIDs(t *testing.T) {
	ids := executionIDs(t, pinnedCase())
	form := regexp.MustCompile(`^exec_[0-9a-f]{32}$`)
	if !form.MatchString(ids[0]) || !form.MatchString(ids[1]) || ids[0] == ids[1] {
		t.Errorf("ids = %v, want two of exec_ and 32 hex digits", ids)
	}
	// By hand: the document's SHA-256 d, then (printf '%s  harbour.txt\n' $d | sha256sum) = k, then the six parts
	// pinned, first, 1, as_of, the canonical request and k joined by U+001F through sha256sum, cut to 32 digits.
	if want := "exec_a247a776b19578aacd9b607d0cf69236"; ids[0] != want {
		t.Errorf("first id = %s, want %s", ids[0], want)
	}
	if again := executionIDs(t, pinnedCase()); again != ids {
		t.Errorf("a rebuild gives %v, want %v again", again, ids)
	}
	for name, edit := range map[string]func(c *loaded){
		"an edited document": func(c *loaded) { c.edit(t, "corpus/harbour.txt", "keeps", "lists") },
		"another as_of":      func(c *loaded) { c.edit(t, "case.yaml", "T12:00:00Z", "T12:00:01Z") },
	} {
		c := pinnedCase()
		edit(c)
		if got := executionIDs(t, c); got[0] == ids[0] || got[1] == ids[1] {
			t.Errorf("%s leaves %v", name, got)
		}
	}
}

// A pinned step has the case's as_of for a clock and the built-in policy.
func TestPinnedExecution(t *testing.T) {
	r := pinnedCase().run(t, nil)[0]
	for what, at := range map[string]string{
		"finished_at": r.Execution.FinishedAt, "attempt": r.Attempts[0].Record.StartedAt, "try": r.Attempts[0].Tries[0].StartedAt,
	} {
		if at != "2026-01-31T12:00:00Z" {
			t.Errorf("%s = %s, want as_of", what, at)
		}
	}
	if c := r.Execution.Corpus; c == nil || c.Name != "port" || len(c.SHA256) != 64 {
		t.Errorf("corpus = %+v", r.Execution.Corpus)
	}
	if options := r.Execution.Policy.Options; len(options) != 1 || string(options["local"]) != "{}" || r.Execution.Policy.PolicyMode != "classic" {
		t.Errorf("policy = %+v", r.Execution.Policy)
	}
	if r.Execution.RequestID != r.Execution.ExecutionID || r.Execution.Engine != engineFacts {
		t.Errorf("execution = %+v", r.Execution)
	}
}

func TestRequestIDIsKept(t *testing.T) {
	c := pinnedCase()
	c.edit(t, "case.yaml", "      input: {query: \"harbour hours\"}\n", "      input: {query: \"harbour hours\"}\n      request_id: mine\n")
	if r := c.run(t, nil)[0]; r.Execution.RequestID != "mine" {
		t.Errorf("request_id = %q, want mine", r.Execution.RequestID)
	}
}

// A pack is a function of the case alone, whenever and however often it is made.
func TestPackTwiceIsOnePack(t *testing.T) {
	for _, c := range []*loaded{pinnedCase(), loadCase(t, "near-twins")} {
		var zips [2][]byte
		for i := range zips {
			bag, _, err := c.freeze(t)
			if err != nil {
				t.Fatal(err)
			}
			if zips[i], err = bag.ZIP(); err != nil {
				t.Fatal(err)
			}
		}
		if len(zips[0]) == 0 || !bytes.Equal(zips[0], zips[1]) {
			t.Errorf("case %s: two packs of one case differ", c.id)
		}
	}
}
