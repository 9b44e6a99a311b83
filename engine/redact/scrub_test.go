package redact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"casebook/engine/canon"
	"casebook/engine/evidence"

	"github.com/google/go-cmp/cmp"
)

var runOne = "run-1"

// live scrubs as at the first freeze of a live run.
func live() Options { return Options{Key: demoKey(), Run: &runOne} }

// pinnedRecording is a pinned step of one attempt and try with the given reply.
func pinnedRecording(t *testing.T, step, body string) evidence.Recording {
	t.Helper()
	r := demoRecording(t)
	r.Step, r.Request.Step, r.Execution.Step = step, step, step
	r.Execution.Mode = evidence.ModePinned
	r.Execution.Corpus = &evidence.CorpusRef{Name: "c", SHA256: evidence.FileDigest([]byte("x"))}
	try := &r.Attempts[0].Tries[0]
	try.Origin, try.Request, try.HTTP, try.Body = evidence.OriginLocal, nil, nil, evidence.NewBody([]byte(body))
	return r
}

// liveRecording is the recorded step of the example with another reply.
func liveRecording(t *testing.T, body string) evidence.Recording {
	t.Helper()
	r := demoRecording(t)
	try := &r.Attempts[0].Tries[0]
	try.Request.Headers = map[string]string{"accept": "application/json"}
	try.Body = evidence.NewBody([]byte(body))
	return r
}

func mustScrub(t *testing.T, recordings []evidence.Recording, options Options) Clean {
	t.Helper()
	clean, err := Scrub(recordings, options)
	if err != nil {
		t.Fatal(err)
	}
	checkSpans(t, clean)
	return clean
}

// checkSpans holds every entry's span against the placeholder that stands there, and every body against its measures.
func checkSpans(t testing.TB, clean Clean) {
	t.Helper()
	ledger := clean.Ledger()
	if err := checkLedger(ledger); err != nil {
		t.Error(err)
	}
	trees := map[string]any{}
	for _, file := range clean.Files() {
		tree, err := canon.Parse(file.Data)
		if err != nil {
			t.Fatal(err)
		}
		trees[file.Path] = tree
	}
	targets := map[string]Target{}
	for _, target := range ledger.Targets {
		targets[target.ID] = target
	}
	for _, e := range ledger.Entries {
		target := targets[e.Target]
		node, _ := canon.Lookup(trees[target.File], target.Pointer)
		text, isString := node.(string)
		if !isString || e.Start+e.Length > len(text) {
			t.Fatalf("entry %s: no text of that length at %s#%s", e.ID, target.File, target.Pointer)
		}
		mark := text[e.Start : e.Start+e.Length]
		if mark != placeholder(e.ID) && mark != `"`+placeholder(e.ID)+`"` {
			t.Errorf("entry %s: %q stands at its span", e.ID, mark)
		}
	}
	for _, r := range clean.Recordings() {
		for _, a := range r.Attempts {
			for _, try := range a.Tries {
				if try.Body == nil {
					continue
				}
				if err := try.Body.Check(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// rows is a ledger in short: id, file, pointer, rule and whether there is a commitment.
func rows(l Ledger) []string {
	var out []string
	for _, e := range l.Entries {
		i := slices.IndexFunc(l.Targets, func(t Target) bool { return t.ID == e.Target })
		out = append(out, fmt.Sprintf("%s %s %s#%s %s %v", e.ID, e.Target, strings.TrimPrefix(l.Targets[i].File, "data/recordings/"), l.Targets[i].Pointer,
			e.Rule, e.Commitment != nil))
	}
	return out
}

func TestIDsGoToRecordedStepsFirst(t *testing.T) {
	recordings := []evidence.Recording{
		pinnedRecording(t, "aaa", `{"x":"a@b.org c@d.org"}`), pinnedRecording(t, "zzz", `["e@f.org"]`), demoRecording(t),
	}
	recordings[2].Attempts[0].Record.Error = &evidence.Error{ErrorClass: "x", Code: "y", Message: "mail g@h.org", Details: json.RawMessage(`{"a":["i@j.org"]}`)}
	recordings[2].Execution.Warnings = []evidence.Warning{{Code: "w", Message: "mail k@l.org"}}
	clean := mustScrub(t, recordings, live())
	want := []string{
		"rd0001 ot0001 find/a0001/attempt.json#/error/details/a/0 email true",
		"rd0002 ot0002 find/a0001/attempt.json#/error/message email true",
		"rd0003 ot0003 find/a0001/t01.json#/body/text api_key true",
		"rd0004 ot0004 find/a0001/t01.json#/request/headers/x-api-key auth_header true",
		"rd0005 ot0005 find/execution.json#/warnings/0/message email true",
		"rd0006 ot0006 aaa/a0001/t01.json#/body/text email false",
		"rd0007 ot0006 aaa/a0001/t01.json#/body/text email false",
		"rd0008 ot0007 zzz/a0001/t01.json#/body/text email false",
	}
	if diff := cmp.Diff(want, rows(clean.Ledger())); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	for _, target := range clean.Ledger().Targets {
		pinned := !strings.Contains(target.File, "/find/")
		if (target.Run == nil) != pinned || (target.OriginalCommitment == nil) != pinned {
			t.Errorf("target %s of %s: run %v, commitment %v", target.ID, target.File, target.Run, target.OriginalCommitment)
		}
	}
	if got := clean.Recordings()[0].Attempts[0].Tries[0].Body.Text; got != `{"x":"[redacted:rd0006] [redacted:rd0007]"}` {
		t.Errorf("body of the pinned step: %s", got)
	}
}

// Scrubbing what came out, with the ledger that came out, changes neither.
func TestScrubTwice(t *testing.T) {
	recordings := []evidence.Recording{
		demoRecording(t), pinnedRecording(t, "p", `{"answer":{"x":1},"t":"https://joe:pw1@h.example/?api_key=abcd12 a@b.org"}`),
	}
	first := mustScrub(t, recordings, live())
	ledger := first.Ledger()
	second := mustScrub(t, first.Recordings(), Options{Known: &ledger})
	if diff := cmp.Diff(first.Files(), second.Files()); diff != "" {
		t.Errorf("files changed (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(ledger, second.Ledger()); diff != "" {
		t.Errorf("ledger changed (-first +second):\n%s", diff)
	}
	if hits, err := Scan(first.Files(), ledger, Options{}); err != nil || len(hits) > 0 {
		t.Errorf("Scan = %v, %v, want nothing", hits, err)
	}
	if hits, err := Scan(first.Files(), evidence.NewLedger(), Options{}); err != nil || len(hits) == 0 {
		t.Errorf("Scan without a ledger = %v, %v, want hits", hits, err)
	}
	// A rebuild makes the pinned step anew from its corpus, and the rest from what is committed.
	rebuilt := mustScrub(t, []evidence.Recording{first.Recordings()[0], recordings[1]}, Options{Known: &ledger})
	if diff := cmp.Diff(first.Files(), rebuilt.Files()); diff != "" {
		t.Errorf("files of the rebuild (-first +rebuilt):\n%s", diff)
	}
	if diff := cmp.Diff(ledger, rebuilt.Ledger()); diff != "" {
		t.Errorf("ledger of the rebuild (-first +rebuilt):\n%s", diff)
	}
}

func TestCommittedRecordings(t *testing.T) {
	off := live()
	off.Rules = map[string]bool{"email": false}
	first := mustScrub(t, []evidence.Recording{liveRecording(t, `{"k":"`+demoSecret+`","m":"a@b.org"}`)}, off)
	ledger := first.Ledger()

	_, err := Scrub(first.Recordings(), Options{Known: &ledger})
	var findings *FindingsError
	want := []Hit{{File: "data/recordings/find/a0001/t01.json", Pointer: "/body/text", Offset: 30, Rule: "email"}}
	if !errors.As(err, &findings) || !cmp.Equal(findings.Hits, want) {
		t.Fatalf("a new finding in a committed recording: %v, want %v", err, want)
	}
	if wantText := "redaction: new in a committed recording; freeze --redact removes it: data/recordings/find/a0001/t01.json#/body/text: rule email"; err.Error() != wantText {
		t.Errorf("text %q, want %q", err, wantText)
	}

	fresh := mustScrub(t, append(first.Recordings(), pinnedRecording(t, "p", `["c@d.org"]`)), Options{Known: &ledger, Rules: off.Rules})
	if diff := cmp.Diff(ledger, fresh.Ledger()); diff != "" {
		t.Errorf("ledger with a step that has nothing to redact:\n%s", diff)
	}

	appended := mustScrub(t, append(first.Recordings(), pinnedRecording(t, "p", `["c@d.org"]`)), Options{Known: &ledger, Append: true})
	wantRows := []string{
		"rd0001 ot0001 find/a0001/t01.json#/body/text api_key true",
		"rd0002 ot0001 find/a0001/t01.json#/body/text email false",
		"rd0003 ot0002 p/a0001/t01.json#/body/text email false",
	}
	if diff := cmp.Diff(wantRows, rows(appended.Ledger())); diff != "" {
		t.Errorf("entries after an addition (-want +got):\n%s", diff)
	}
	if e := appended.Ledger().Entries; e[0].Note != "" || e[1].Note != noteNoKey || e[2].Note != "" {
		t.Errorf("notes %q %q %q: only the second entry lacks a key", e[0].Note, e[1].Note, e[2].Note)
	}
	withKey := live()
	withKey.Known, withKey.Append = &ledger, true
	committed := mustScrub(t, first.Recordings(), withKey).Ledger().Entries[1].Commitment
	if committed == nil || *committed != CommitValue(demoKey(), "rd0002", "a@b.org") {
		t.Errorf("commitment of an addition with the key: %v", committed)
	}

	more := append(first.Recordings(), liveRecording(t, `["e@f.org"]`))
	more[1].Step, more[1].Request.Step, more[1].Execution.Step = "add", "add", "add"
	later := Options{Key: demoKey(), Run: &runOne, Known: &ledger, Fresh: []string{"add"}}
	later.Rules = map[string]bool{"email": true}
	if _, err := Scrub(more, later); !errors.As(err, &findings) || len(findings.Hits) != 1 {
		t.Errorf("the committed step beside a fresh one: %v, want its one finding", err)
	}
}

// A ledger that doesn't fit its recordings is refused, and no value is shown.
func TestKnownLedgerMustFit(t *testing.T) {
	first := mustScrub(t, []evidence.Recording{demoRecording(t)}, live())
	for _, c := range []struct {
		name  string
		spoil func(*Ledger)
		want  string
	}{
		{"start", func(l *Ledger) { l.Entries[0].Start++ },
			"known redactions: entry rd0001: no placeholder at byte 141 of data/recordings/find/a0001/t01.json#/body/text"},
		{"end", func(l *Ledger) { l.Entries[1].Length = 99 },
			"known redactions: entry rd0002: no placeholder at byte 0 of data/recordings/find/a0001/t01.json#/request/headers/x-api-key"},
		{"file", func(l *Ledger) { l.Targets[0].File = "data/recordings/x/a0001/t01.json" },
			"known redactions: target ot0001: there is no data/recordings/x/a0001/t01.json"},
		{"pointer", func(l *Ledger) { l.Targets[0].Pointer = "/body/bytes" },
			"known redactions: target ot0001: there is no string at data/recordings/find/a0001/t01.json#/body/bytes"},
		{"id twice", func(l *Ledger) { l.Entries[1].ID = "rd0001" },
			`known redactions: entry "rd0001": an id is rd and four or more digits, each once`},
		{"short id", func(l *Ledger) { l.Entries[0].ID = "rd1" },
			`known redactions: entry "rd1": an id is rd and four or more digits, each once`},
		{"target order", func(l *Ledger) { slices.Reverse(l.Targets) }, `known redactions: target "ot0001": ids count up from ot0001`},
		{"place twice", func(l *Ledger) { l.Targets[1].Pointer = l.Targets[0].Pointer },
			"known redactions: target ot0002: a second target for data/recordings/find/a0001/t01.json#/body/text"},
		{"entry order", func(l *Ledger) { slices.Reverse(l.Entries) },
			"known redactions: entry rd0001: entries stand by target and start and don't overlap"},
		{"length", func(l *Ledger) { l.Entries[0].Length = 0 },
			"known redactions: entry rd0001: entries stand by target and start and don't overlap"},
		{"no target", func(l *Ledger) { l.Entries[0].Target = "ot0009" }, `known redactions: entry rd0001: there is no target "ot0009"`},
		{"no entry", func(l *Ledger) { l.Entries = l.Entries[:1] }, "known redactions: target ot0002: it has no entry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ledger := first.Ledger()
			c.spoil(&ledger)
			if _, err := Scrub(first.Recordings(), Options{Known: &ledger}); err == nil || err.Error() != c.want {
				t.Errorf("Scrub = %v, want %s", err, c.want)
			}
		})
	}
}

func TestReadLedgerRefuses(t *testing.T) {
	good := readDemo(t, "redactions.json")
	for _, c := range []struct{ name, from, to, want string }{
		{"format", "casebook-redactions/1", "casebook-redactions/2", `redactions.json: format "casebook-redactions/2", want "casebook-redactions/1"`},
		{"scheme", `"hmac-sha256-v1"`, `"md5"`, `redactions.json: commitment "md5", want "hmac-sha256-v1"`},
		{"json", `{"commitment"`, `{`, "redactions.json: byte 1: a member name in quotes is expected"},
		{"target", `"id":"ot0002"`, `"id":"ot0001"`, `redactions.json: target "ot0001": ids count up from ot0001`},
	} {
		if _, err := ReadLedger([]byte(strings.Replace(good, c.from, c.to, 1))); err == nil || err.Error() != c.want {
			t.Errorf("%s: ReadLedger = %v, want %s", c.name, err, c.want)
		}
	}
}

func TestScrubRefuses(t *testing.T) {
	withKey := live()
	for _, c := range []struct {
		name    string
		spoil   func(*evidence.Recording)
		options Options
		want    string
	}{
		{"hit in the request", func(r *evidence.Recording) { r.Request.Request = json.RawMessage(`{"input":{"query":"a@b.org"}}`) }, withKey,
			"redaction: a request is source and is mended, not redacted: data/recordings/find/request.json#/request/input/query: rule email"},
		{"hit in a name", func(r *evidence.Recording) { r.Execution.Policy.Options["a@b.org"] = json.RawMessage(`{}`) }, withKey,
			"redaction: a name or an id can't be redacted: data/recordings/find/execution.json#/policy/options: rule email"},
		{"hit in an id", func(r *evidence.Recording) { r.Execution.ExecutionID = "a@b.org" }, withKey,
			"redaction: a name or an id can't be redacted: data/recordings/find/execution.json#/execution_id: rule email"},
		{"hit in a provider", func(r *evidence.Recording) { r.Attempts[0].Record.Provider = "a@b.org" }, withKey,
			"redaction: a name or an id can't be redacted: data/recordings/find/a0001/attempt.json#/provider: rule email"},
		{"hit in an outcome", func(r *evidence.Recording) { r.Attempts[0].Tries[0].Outcome = "a@b.org" }, withKey,
			"redaction: a name or an id can't be redacted: data/recordings/find/a0001/t01.json#/outcome: rule email"},
		{"hit in a method", func(r *evidence.Recording) { r.Attempts[0].Tries[0].Request.Method = "a@b.org" }, withKey,
			"redaction: a name or an id can't be redacted: data/recordings/find/a0001/t01.json#/request/method: rule email"},
		{"no key", func(*evidence.Recording) {}, Options{},
			"data/recordings/find/a0001/t01.json#/body/text: a redaction of a recorded step needs the key of its run"},
		{"short key", func(*evidence.Recording) {}, Options{Key: make(Key, 31)}, "redaction key: 31 bytes, want 32"},
		{"invalid UTF-8", func(r *evidence.Recording) { r.Attempts[0].Tries[0].Body.Text = "a@b.org\xff" }, withKey, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := demoRecording(t)
			c.spoil(&r)
			_, err := Scrub([]evidence.Recording{r}, c.options)
			if c.want != "" && (err == nil || err.Error() != c.want) {
				t.Errorf("Scrub = %v, want %s", err, c.want)
			}
			if err != nil && (strings.Contains(err.Error(), "a@b.org") || strings.Contains(err.Error(), demoSecret)) {
				t.Errorf("the error shows the value: %v", err)
			}
		})
	}
	r := demoRecording(t)
	want := `recordings: step "find" stands there twice`
	if _, err := Scrub([]evidence.Recording{r, r}, withKey); err == nil || err.Error() != want {
		t.Errorf("two recordings of one step: %v, want %s", err, want)
	}
}

// Every place of an exchange, and the headers that would let a reader test guesses.
func TestPlacesOfAnExchange(t *testing.T) {
	r := demoRecording(t)
	try := &r.Attempts[0].Tries[0]
	try.Request.URL = "https://joe:pw@api.alpha.example/search?key=0123456789&q=a"
	try.Request.Headers = map[string]string{
		"cookie": "sid=1", "x-subscription-token": "0123456789", "content-length": "3", "digest": "x", "accept": "a@b.org", "content-type": "c",
	}
	try.Request.Body = evidence.NewBody([]byte(`{"api_key":"tiny","query":"tide"}`))
	try.HTTP.Headers = map[string]string{"etag": `"x"`, "content-md5": "x", "date": "d", "x-echo": "0123456789"}
	try.HTTP.ContentType = "text/plain; a@b.org"
	try.Body = evidence.NewBody([]byte(`see 0123456789 and tiny`))
	clean := mustScrub(t, []evidence.Recording{r}, live())
	got := clean.Recordings()[0].Attempts[0].Tries[0]
	// By pointer: /body/text, /http/content_type, /http/headers/x-echo, /request/body/text, /request/headers/…, /request/url.
	wantRequest := &evidence.SentRequest{
		Method: "GET", URL: "https://[redacted:rd0008]@api.alpha.example/search?key=[redacted:rd0009]&q=a",
		Headers: map[string]string{
			"accept": "[redacted:rd0005]", "content-type": "c", "cookie": "[redacted:rd0006]", "x-subscription-token": "[redacted:rd0007]",
		},
		Body: evidence.Body{}.WithText(`{"api_key":"[redacted:rd0004]","query":"tide"}`),
	}
	if diff := cmp.Diff(wantRequest, got.Request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	wantHead := &evidence.ReceivedHead{Status: 200, ContentType: "text/plain; [redacted:rd0002]",
		Headers: map[string]string{"date": "d", "x-echo": "[redacted:rd0003]"}}
	if diff := cmp.Diff(wantHead, got.HTTP); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(evidence.Body{}.WithText("see [redacted:rd0001] and tiny"), got.Body); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	file := "data/recordings/find/a0001/t01.json"
	wantRecomputed := []Recomputed{
		{File: file, Pointer: "/body/body_sha256"}, {File: file, Pointer: "/body/bytes"}, {File: file, Pointer: "/request/body/body_sha256"}, {File: file, Pointer: "/request/body/bytes"},
	}
	if diff := cmp.Diff(wantRecomputed, clean.Ledger().Recomputed); diff != "" {
		t.Errorf("recomputed (-want +got):\n%s", diff)
	}
}

// Digest headers stay where no body was redacted.
func TestDigestHeadersStay(t *testing.T) {
	r := liveRecording(t, `{"results":[]}`)
	r.Attempts[0].Tries[0].HTTP.Headers = map[string]string{"etag": `"x"`, "retry-after": "3"}
	clean := mustScrub(t, []evidence.Recording{r}, live())
	if got := clean.Recordings()[0].Attempts[0].Tries[0].HTTP.Headers; len(got) != 2 {
		t.Errorf("headers %v, want both", got)
	}
	if diff := cmp.Diff(evidence.NewLedger(), clean.Ledger()); diff != "" {
		t.Errorf("ledger of nothing:\n%s", diff)
	}
}

func TestBase64Body(t *testing.T) {
	data := []byte("\xff\xfe mail a@b.org")
	r := liveRecording(t, "")
	r.Attempts[0].Tries[0].Body = evidence.NewBody(data)
	clean := mustScrub(t, []evidence.Recording{r}, live())
	if diff := cmp.Diff(evidence.Body{}.WithText("[redacted:rd0001]"), clean.Recordings()[0].Attempts[0].Tries[0].Body); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	e := clean.Ledger().Entries[0]
	if want := CommitValue(demoKey(), "rd0001", base64.StdEncoding.EncodeToString(data)); e.Commitment == nil || *e.Commitment != want || e.Start != 0 || e.Length != 17 {
		t.Errorf("entry %+v, want commitment %s of the base64 text", e, want)
	}
	r.Attempts[0].Tries[0].Body = evidence.NewBody([]byte("\xff\xfe\x00\x01 nothing to see"))
	clean = mustScrub(t, []evidence.Recording{r}, live())
	if diff := cmp.Diff(r.Attempts[0].Tries[0].Body, clean.Recordings()[0].Attempts[0].Tries[0].Body); diff != "" {
		t.Errorf("body without a hit (-want +got):\n%s", diff)
	}
	r.Attempts[0].Tries[0].Body.Text = "no base64!"
	if got := mustScrub(t, []evidence.Recording{r}, live()).Recordings()[0].Attempts[0].Tries[0].Body.Text; got != "[redacted:rd0001]" {
		t.Errorf("body that can't be decoded: %q, want a placeholder", got)
	}
}

// The value removed is committed to as it was spelt.
func TestCommitmentKeepsEscapes(t *testing.T) {
	spelt := strings.ReplaceAll(demoSecret, "-", `\u002d`)
	body := `{"a":"x ` + spelt + `"}`
	clean := mustScrub(t, []evidence.Recording{liveRecording(t, body)}, live())
	l := clean.Ledger()
	if want := CommitValue(demoKey(), "rd0001", spelt); *l.Entries[0].Commitment != want {
		t.Errorf("commitment %s, want %s", *l.Entries[0].Commitment, want)
	}
	if want := CommitTarget(demoKey(), "ot0001", body); *l.Targets[0].OriginalCommitment != want {
		t.Errorf("commitment of the target %s, want %s", *l.Targets[0].OriginalCommitment, want)
	}
}

func TestWholeTextWhenInDoubt(t *testing.T) {
	clean := mustScrub(t, []evidence.Recording{liveRecording(t, `{"answer": "cut o`)}, live())
	e := clean.Ledger().Entries
	want := "answer of the provider; its exact place can't be told, so the whole text was removed"
	if len(e) != 1 || e[0].Reason != want || e[0].Rule != "source_only" || e[0].Class != "source_only" {
		t.Errorf("entries %+v, want one with reason %q", e, want)
	}
}

// Clean can't be made elsewhere: it has no exported field, and of the exported functions Scrub alone returns one.
func TestCleanIsClosed(t *testing.T) {
	kind := reflect.TypeFor[Clean]()
	if kind.NumField() != 1 || kind.Field(0).IsExported() {
		t.Errorf("Clean has an exported field")
	}
	for i := range kind.NumMethod() {
		if method := kind.Method(i); method.Type.NumOut() > 0 && method.Type.Out(0) == kind {
			t.Errorf("method %s returns another Clean", method.Name)
		}
	}
	var zero Clean
	if zero.Recordings() != nil || zero.Files() != nil || len(zero.Ledger().Entries) != 0 || json.Unmarshal([]byte(`{"content":{}}`), &zero) != nil || zero.content != nil {
		t.Errorf("the zero Clean holds something: %v", zero)
	}
	if got := fmt.Sprint(zero); got != "[clean recordings: none]" {
		t.Errorf("zero Clean prints %q", got)
	}
}

// What a caller does with what it got doesn't reach the Clean, nor what it was made from.
func TestCleanSharesNothing(t *testing.T) {
	r := demoRecording(t)
	clean := mustScrub(t, []evidence.Recording{r}, live())
	before := fmt.Sprint(clean.Files(), rows(clean.Ledger()))
	clean.Recordings()[0].Attempts[0].Tries[0].Body.Text = demoSecret
	clean.Files()[0].Data[0] = 'x'
	ledger := clean.Ledger()
	ledger.Entries[0].ID, *ledger.Entries[1].Commitment, *ledger.Targets[0].Run = "x", "y", "z"
	*ledger.Targets[0].OriginalCommitment, ledger.Recomputed[0].File = "x", "y"
	r.Attempts[0].Tries[0].Body.Text = "x"
	if after := fmt.Sprint(clean.Files(), rows(clean.Ledger())); after != before {
		t.Errorf("the Clean changed: %s", after)
	}
	if runOne != "run-1" {
		t.Errorf("the run's name changed: %q", runOne)
	}
	if diff := cmp.Diff(demoRecording(t).Attempts[0].Tries[0].Request, r.Attempts[0].Tries[0].Request); diff != "" {
		t.Errorf("Scrub changed its argument:\n%s", diff)
	}
}

// A request that is built again carries a placeholder as its key and is redacted without one, to be compared.
func TestRebuiltRequest(t *testing.T) {
	r := liveRecording(t, `{"results":[]}`)
	r.Attempts[0].Tries[0].Request.Headers["x-api-key"] = standIn
	r.Attempts[0].Tries[0].Request.URL = "https://api.alpha.example/search?q=x&api_key=" + standIn
	nothing := evidence.NewLedger()
	got := mustScrub(t, []evidence.Recording{r}, Options{Known: &nothing, Append: true}).Recordings()[0].Attempts[0].Tries[0].Request
	if got.Headers["x-api-key"] != "[redacted:rd0001]" || got.URL != "https://api.alpha.example/search?q=x&api_key=[redacted:rd0002]" {
		t.Errorf("rebuilt request: %v %s", got.Headers, got.URL)
	}
}

// A credential of a request is removed wherever it comes back, though no form gives it away, and in its encodings.
func TestEchoOfAnUnknownForm(t *testing.T) {
	const key = "correcthorse"
	for _, c := range []struct{ name, reply, want string }{
		{"plain", `{"you sent":"correcthorse!"}`, `{"you sent":"[redacted:rd0001]!"}`},
		{"escaped", `{"you sent":"correct\u0068orse"}`, `{"you sent":"[redacted:rd0001]"}`},
		{"percent", `{"u":"https://a.example/?x=%63orrecthorse"}`, `{"u":"https://a.example/?x=[redacted:rd0001]"}`},
		{"as a name", `{"correcthorse":1}`, `{"[redacted:rd0001]":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := liveRecording(t, c.reply)
			r.Attempts[0].Tries[0].Request.Headers["authorization"] = "Bearer " + key
			clean := mustScrub(t, []evidence.Recording{r}, live())
			if got := clean.Recordings()[0].Attempts[0].Tries[0].Body.Text; got != c.want {
				t.Errorf("body %s, want %s", got, c.want)
			}
		})
	}
}
