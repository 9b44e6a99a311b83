package testkit

import (
	"context"
	"errors"
	"strings"
	"testing"

	"casebook/engine/wire"
)

// watched is a test whose faults are counted in place of failing.
type watched struct {
	testing.TB
	faults  []string
	cleanup []func()
}

func (w *watched) Cleanup(f func())          { w.cleanup = append(w.cleanup, f) }
func (w *watched) Error(args ...any)         { w.faults = append(w.faults, args[0].(error).Error()) }
func (w *watched) Errorf(f string, _ ...any) { w.faults = append(w.faults, f) }

func (w *watched) end() {
	for _, f := range w.cleanup {
		f()
	}
}

const scriptedURL = "https://alpha.example/search"

func TestScriptAnswersInOrder(t *testing.T) {
	reset := errors.New("reset")
	w := &watched{TB: t}
	s := NewScript(w,
		Exchange{Method: "GET", URL: scriptedURL, Reply: wire.Reply{Status: 503}},
		Exchange{Method: "POST", URL: scriptedURL, Body: func(b []byte) bool { return string(b) == "x" }, Err: reset})
	if reply, err := s.Send(t.Context(), wire.Request{Method: "GET", URL: scriptedURL}); err != nil || reply.Status != 503 {
		t.Errorf("first = %+v, %v", reply, err)
	}
	if _, err := s.Send(t.Context(), wire.Request{Method: "POST", URL: scriptedURL, Body: []byte("x")}); !errors.Is(err, reset) {
		t.Errorf("second = %v, want its error", err)
	}
	w.end()
	if len(w.faults) != 0 || len(s.Sent()) != 2 || s.Sent()[1].Method != "POST" {
		t.Errorf("faults %q, sent %+v", w.faults, s.Sent())
	}
}

// What nobody told the script of is an error for the caller and a fault of the test, so that no test takes it for an
// outage.
func TestScriptRefuses(t *testing.T) {
	for name, request := range map[string]wire.Request{
		"method": {Method: "GET", URL: scriptedURL, Body: []byte("x")},
		"url":    {Method: "POST", URL: scriptedURL + "?page=2", Body: []byte("x")},
		"body":   {Method: "POST", URL: scriptedURL, Body: []byte("y")},
	} {
		w := &watched{TB: t}
		s := NewScript(w, Exchange{Method: "POST", URL: scriptedURL, Body: func(b []byte) bool { return string(b) == "x" }})
		if _, err := s.Send(t.Context(), request); err == nil || len(w.faults) != 1 || !strings.HasPrefix(w.faults[0], "scripted transport: request 1 is ") {
			t.Errorf("%s: Send = %v, faults %q", name, err, w.faults)
		}
	}
	w := &watched{TB: t}
	s := NewScript(w)
	if _, err := s.Send(t.Context(), wire.Request{Method: "GET", URL: scriptedURL}); err == nil || len(w.faults) != 1 {
		t.Errorf("one too many: Send = %v, faults %q", err, w.faults)
	}
}

func TestScriptMissesExchanges(t *testing.T) {
	w := &watched{TB: t}
	NewScript(w, Exchange{Method: "GET", URL: scriptedURL})
	w.end()
	if len(w.faults) != 1 {
		t.Errorf("faults = %q, want the exchange that is left over", w.faults)
	}
}

func TestScriptEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := NewScript(&watched{TB: t})
	if _, err := s.Send(ctx, wire.Request{}); !errors.Is(err, context.Canceled) || len(s.Sent()) != 0 {
		t.Errorf("Send = %v after %d requests, want the context's end", err, len(s.Sent()))
	}
}
