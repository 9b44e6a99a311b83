package freeze_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
	"casebook/engine/freeze"
	"casebook/engine/redact"
)

func TestRequestsOfToday(t *testing.T) {
	r, ledger := sample(t)
	if err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger}), nil); err != nil {
		t.Errorf("CheckRequests = %v", err)
	}
	if err := freeze.CheckRequests(redact.Clean{}, nil); err != nil {
		t.Errorf("CheckRequests of nothing = %v", err)
	}
}

// Each part of a recorded request is held against the one that would be sent today.
func TestRequestsAreCompared(t *testing.T) {
	const body = `{"autocorrect":true,"gl":"us","hl":"en","num":20,"q":"app.example docs"}`
	fewer := strings.Replace(body, "20", "10", 1)
	for _, tt := range []struct {
		name string
		edit func(r *evidence.TryRecord)
		want freeze.MismatchError
	}{
		{"method", func(r *evidence.TryRecord) { r.Request.Method = "GET" }, freeze.MismatchError{Member: "method", Recorded: "GET", Rebuilt: "POST"}},
		{"url", func(r *evidence.TryRecord) { r.Request.URL += "?page=2" },
			freeze.MismatchError{Member: "url", Recorded: "https://google.serper.dev/search?page=2", Rebuilt: "https://google.serper.dev/search"}},
		{"header", func(r *evidence.TryRecord) { r.Request.Headers["user-agent"] = "other" },
			freeze.MismatchError{Member: "header user-agent", Recorded: "other", Rebuilt: "casebook"}},
		{"header too many", func(r *evidence.TryRecord) { r.Request.Headers["accept"] = "" },
			freeze.MismatchError{Member: "header accept", Recorded: "", Rebuilt: "nothing"}},
		{"header that reads like none", func(r *evidence.TryRecord) { r.Request.Headers["accept"] = "nothing" },
			freeze.MismatchError{Member: "header accept", Recorded: "nothing", Rebuilt: "nothing"}},
		{"header too few", func(r *evidence.TryRecord) { delete(r.Request.Headers, "content-type") },
			freeze.MismatchError{Member: "header content-type", Recorded: "nothing", Rebuilt: "application/json"}},
		{"body", func(r *evidence.TryRecord) { r.Request.Body = evidence.NewBody([]byte(fewer)) },
			freeze.MismatchError{Member: "body", Recorded: fewer, Rebuilt: body}},
		{"no body", func(r *evidence.TryRecord) { r.Request.Body = nil }, freeze.MismatchError{Member: "body", Recorded: "nothing", Rebuilt: body}},
		{"no request", func(r *evidence.TryRecord) { r.Request = nil },
			freeze.MismatchError{Member: "request", Recorded: "nothing", Rebuilt: "POST https://google.serper.dev/search"}},
		{"more than a placeholder", func(r *evidence.TryRecord) { r.Request.Headers["x-api-key"] += "x" },
			freeze.MismatchError{Member: "header x-api-key", Recorded: "[redacted][redacted]", Rebuilt: "[redacted]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, ledger := sample(t)
			tt.edit(&r.Attempts[0].Tries[0])
			if tt.want.Member == "request" {
				*ledger = evidence.NewLedger()
			}
			err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger, Append: true}), nil)
			var got *freeze.MismatchError
			if !errors.As(err, &got) {
				t.Fatalf("CheckRequests = %v, want a mismatch", err)
			}
			tt.want.File = "recordings/find/a0001/t01.json"
			if diff := cmp.Diff(tt.want, *got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

// Ids of placeholders are issued by place in the case, so a rebuilt request has others than the recorded one.
func TestPlaceholdersAreEqualWhateverTheirIDs(t *testing.T) {
	r, ledger := sample(t)
	ledger.Entries[0].ID = "rd0207"
	r.Attempts[0].Tries[0].Request.Headers["x-api-key"] = "[redacted:rd0207]"
	if err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger}), nil); err != nil {
		t.Errorf("CheckRequests = %v", err)
	}
}

// Options and locale are those in force when the step was executed, so another base_url in the policy is another URL.
func TestRequestsFollowThePolicy(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(p *evidence.Policy)
		want *freeze.MismatchError
	}{
		{"base_url", func(p *evidence.Policy) {
			p.Options = map[string]json.RawMessage{"serper": json.RawMessage(`{"base_url":"https://mirror.example"}`)}
		}, &freeze.MismatchError{Member: "url", Recorded: "https://google.serper.dev/search", Rebuilt: "https://mirror.example/search"}},
		{"locale", func(p *evidence.Policy) { p.Locale.Country = "at" }, &freeze.MismatchError{
			Member: "body", Recorded: `{"autocorrect":true,"gl":"us","hl":"en","num":20,"q":"app.example docs"}`,
			Rebuilt: `{"autocorrect":true,"gl":"at","hl":"en","num":20,"q":"app.example docs"}`,
		}},
		{"what a request doesn't depend on", func(p *evidence.Policy) { p.Quality.MaxResultsPerDomain = 7 }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, ledger := sample(t)
			tt.edit(&r.Execution.Policy)
			err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger}), nil)
			if tt.want == nil {
				if err != nil {
					t.Errorf("CheckRequests = %v", err)
				}
				return
			}
			var got *freeze.MismatchError
			if !errors.As(err, &got) {
				t.Fatalf("CheckRequests = %v, want a mismatch", err)
			}
			tt.want.File = "recordings/find/a0001/t01.json"
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

// A second try is held against the same request as the first, and told by its own file.
func TestRequestOfARetry(t *testing.T) {
	r, ledger := sample(t)
	second := r.Attempts[0].Tries[0]
	second.TryNumber = 2
	request := *second.Request
	request.Method = "GET"
	request.Headers = map[string]string{}
	second.Request = &request
	r.Attempts[0].Tries = append(r.Attempts[0].Tries, second)
	r.Attempts[0].Record.Tries = []string{"t01", "t02"}
	err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger}), nil)
	const want = `recordings/find/a0001/t02.json: method was recorded as "GET" and would now be sent as "POST"; record the step anew`
	if err == nil || err.Error() != want {
		t.Errorf("CheckRequests = %v, want %s", err, want)
	}
}

// Nothing is sent for a skipped attempt, by a pinned step, or by us in an import.
func TestRequestsThatAreNotCompared(t *testing.T) {
	edit := map[string]func(r *evidence.Recording){
		"skipped": func(r *evidence.Recording) {
			reason := "disabled"
			r.Attempts[0].Record.Provider, r.Attempts[0].Record.SkipReason = "no-more", &reason
			r.Attempts[0].Tries, r.Attempts[0].Record.Tries = nil, []string{}
		},
		"pinned":   func(r *evidence.Recording) { r.Execution.Mode, r.Attempts[0].Tries[0].Request = "pinned", nil },
		"imported": func(r *evidence.Recording) { r.Execution.Mode, r.Attempts[0].Tries[0].Request = "imported", nil },
	}
	for name, change := range edit {
		r, _ := sample(t)
		change(&r)
		if err := freeze.CheckRequests(scrub(t, r, redact.Options{}), nil); err != nil {
			t.Errorf("%s: CheckRequests = %v", name, err)
		}
	}
}

func TestCheckRequestsRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(r *evidence.Recording)
		want string
	}{
		{"a provider that is no more", func(r *evidence.Recording) { r.Attempts[0].Record.Provider = "alpha" },
			`step find: attempt a0001: provider "alpha" for search: no such provider; there are local, serper`},
		{"options that are none", func(r *evidence.Recording) {
			r.Execution.Policy.Options = map[string]json.RawMessage{"serper": json.RawMessage(`{"base_url":1}`)}
		}, "step find: attempt a0001: policy: options of serper: "},
		{"a request that is none", func(r *evidence.Recording) { r.Request.Request = []byte(`{"input":1}`) }, "step find: request: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, ledger := sample(t)
			tt.edit(&r)
			err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger}), nil)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("CheckRequests = %v, want %s", err, tt.want)
			}
		})
	}
	r, ledger := sample(t)
	if err := freeze.CheckRequests(scrub(t, r, redact.Options{Known: ledger}), map[string]bool{"no-such-rule": true}); err == nil {
		t.Error("CheckRequests took a rule that there isn't")
	}
}
