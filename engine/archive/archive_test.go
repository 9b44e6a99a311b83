package archive

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
)

// fill records one step with a try whose reply turned out unreadable.
func fill(t *testing.T, a *Archive, id string) {
	t.Helper()
	step, err := a.Begin(evidence.RecordedRequest{Format: evidence.RequestFormat, Step: id, Request: json.RawMessage(`{"a":1}`)})
	if err != nil {
		t.Fatal(err)
	}
	try := evidence.TryRecord{
		Format: evidence.TryFormat, AttemptID: "attempt_1", TryNumber: 1, Origin: evidence.OriginRecorded,
		StartedAt: "2026-01-01T00:00:00Z", Outcome: evidence.TrySuccess, Body: evidence.NewBody([]byte("{")),
	}
	if err := step.RecordTry("a0001", try); err != nil {
		t.Fatal(err)
	}
	try.Outcome, try.Error = evidence.TryError, &evidence.TryFault{ErrorClass: "transient", Code: "wsp.provider.transient"}
	if err := step.RecordOutcome("a0001", try); err != nil {
		t.Fatal(err)
	}
	err = step.RecordAttempt("a0001", evidence.AttemptRecord{
		Format: evidence.AttemptFormat, AttemptID: "attempt_1", Decision: evidence.Attempted, Outcome: evidence.OutcomeFailed, Tries: []string{"t01"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a.Finished(id) {
		t.Errorf("step %s is finished before its execution is recorded", id)
	}
	if err := step.Finish(evidence.Execution{Format: evidence.ExecutionFormat, Step: id, Mode: evidence.ModeLive, Warnings: []evidence.Warning{}}); err != nil {
		t.Fatal(err)
	}
}

func TestArchiveComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "private", "run.ndjson")
	a, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, a, "find")
	fill(t, a, "read")
	want := a.Recordings()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	got := again.Recordings()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("recordings changed on the disk (-before +after):\n%s", diff)
	}
	if len(got) != 2 || got[0].Step != "find" || got[1].Step != "read" {
		t.Fatalf("steps = %v", got)
	}
	try := got[0].Attempts[0].Tries[0]
	if try.Outcome != evidence.TryError || try.Body.Text != "{" {
		t.Errorf("try = %+v, want its bytes and the later outcome", try)
	}
	if record := got[0].Attempts[0].Record; record.AttemptID != "attempt_1" || record.Outcome != evidence.OutcomeFailed || len(record.Tries) != 1 {
		t.Errorf("attempt = %+v, want what became of it", record)
	}
	if !again.Finished("find") || again.Finished("other") {
		t.Error("Finished must be true of recorded executions alone")
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v, want 0600", info.Mode(), err)
	}
}

// Every record is on the disk when the call returns, so a cut anywhere loses what came later and nothing else.
func TestEveryRecordIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.ndjson")
	a, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, a, "find")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d lines, want 5 and an end", len(lines))
	}
	for i, member := range []string{`"request":`, `"try":`, `"outcome":`, `"attempt":`, `"execution":`} {
		if !strings.Contains(lines[i], member) {
			t.Errorf("line %d = %s, want %s", i+1, lines[i], member)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines[:2], "")+lines[2][:20]), 0o600); err != nil {
		t.Fatal(err)
	}
	cut, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := cut.Recordings(); len(got) != 1 || got[0].Attempts[0].Tries[0].Outcome != evidence.TrySuccess {
		t.Errorf("after a cut = %+v", got)
	}
}

// What can't be written isn't held either, so that nothing goes on from a record that a crash would lose.
func TestRecordThatCannotBeWritten(t *testing.T) {
	a, err := Create(filepath.Join(t.TempDir(), "run.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Begin(evidence.RecordedRequest{Step: "find", Request: json.RawMessage("no JSON")}); err == nil || len(a.Recordings()) != 0 {
		t.Errorf("Begin = %v with %d steps, want an error and none", err, len(a.Recordings()))
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Begin(evidence.RecordedRequest{Step: "find", Request: json.RawMessage("{}")}); err == nil || len(a.Recordings()) != 0 {
		t.Errorf("Begin after Close = %v with %d steps, want an error and none", err, len(a.Recordings()))
	}
}

// The archive keeps its own copy of a request.
func TestRequestIsCopied(t *testing.T) {
	a, err := Create(filepath.Join(t.TempDir(), "run.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	request := json.RawMessage(`{"a":1}`)
	if _, err := a.Begin(evidence.RecordedRequest{Step: "find", Request: request}); err != nil {
		t.Fatal(err)
	}
	request[5] = '2'
	if got := string(a.Recordings()[0].Request.Request); got != `{"a":1}` {
		t.Errorf("request = %s after the caller's was changed", got)
	}
}

func TestOpenOfAFolder(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder was opened as an archive")
	}
}

func TestCreateBeginsAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.ndjson")
	for range 2 {
		a, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, a, "find")
		if got := len(a.Recordings()); got != 1 {
			t.Errorf("%d steps in a fresh archive, want 1", got)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	const begin = `{"format":"casebook-archive/1","step":"s","request":{"format":"casebook-request/1","step":"s","request":{}}}` + "\n"
	for _, tt := range []struct{ name, text, want string }{
		{"no JSON", "x\n", "line 1: byte 0: 'x' where a value is expected"},
		{"another format", `{"format":"casebook-archive/2","step":"s"}` + "\n", `line 1: format "casebook-archive/2", want "casebook-archive/1"`},
		{"twice", begin + begin, `line 2: step "s" begins twice`},
		{"no request", `{"format":"casebook-archive/1","step":"s","folder":"a0001","attempt":{}}` + "\n", `line 1: step "s" has a record before its request`},
		{"nothing in it", begin + `{"format":"casebook-archive/1","step":"s"}` + "\n", `line 2: step "s" has a record of no known kind`},
		{"outcome of nothing", begin + `{"format":"casebook-archive/1","step":"s","folder":"a0001","outcome":{"try_number":2}}` + "\n", "line 2: attempt a0001 has an outcome of try 2, which it lacks"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.ndjson")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); err == nil || err.Error() != path+": "+tt.want {
				t.Errorf("Open = %v, want %s", err, tt.want)
			}
		})
	}
}
