package wire

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
)

// tape answers with a fixed reply and counts what was sent.
type tape struct {
	reply Reply
	err   error
	sent  []Request
}

func (t *tape) Send(_ context.Context, r Request) (Reply, error) {
	t.sent = append(t.sent, r)
	return t.reply, t.err
}

// log keeps the order of what was recorded and read.
type log struct {
	events []string
	tries  []evidence.TryRecord
	err    error
}

func (l *log) RecordTry(_ string, try evidence.TryRecord) error {
	l.events, l.tries = append(l.events, "recorded "+string(try.Outcome)), append(l.tries, try)
	return l.err
}

func (l *log) RecordOutcome(_ string, try evidence.TryRecord) error {
	l.events, l.tries = append(l.events, "outcome "+string(try.Outcome)), append(l.tries, try)
	return l.err
}

// ticking gives a clock that moves on by 7 ms at each look.
func ticking() Clock {
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(7 * time.Millisecond); return now }
}

func call(l *log, fault *evidence.TryFault) Call {
	return Call{
		Endpoint:  Endpoint{ID: "alpha:search", Origin: evidence.OriginRecorded, Gate: func(Request) error { return nil }},
		AttemptID: "attempt_1", Folder: "a0001",
		Request: Request{Method: "POST", URL: "https://api.alpha.example/search", Header: map[string]string{"accept": "*/*"}, Body: []byte(`{"q":"x"}`)},
		Read:    func(r Reply) *evidence.TryFault { l.events = append(l.events, "read "+string(r.Body)); return fault },
	}
}

func TestTryIsRecordedBeforeItIsRead(t *testing.T) {
	l, transport := &log{}, &tape{reply: Reply{Status: 200, ContentType: "application/json", Header: map[string]string{}, Body: []byte("{}")}}
	got, err := (&Client{transport, ticking()}).Do(t.Context(), call(l, nil), l)
	if err != nil || got.Fault != nil {
		t.Fatalf("Do = %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"recorded success", "read {}"}, l.events); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	want := evidence.TryRecord{
		Format: "casebook-try/1", AttemptID: "attempt_1", TryNumber: 1, Origin: "recorded", StartedAt: "2026-03-01T10:00:00.007Z",
		DurationMS: 7, Outcome: "success",
		Request: &evidence.SentRequest{
			Method: "POST", URL: "https://api.alpha.example/search", Headers: map[string]string{"accept": "*/*"}, Body: evidence.NewBody([]byte(`{"q":"x"}`)),
		},
		HTTP: &evidence.ReceivedHead{Status: 200, ContentType: "application/json", Headers: map[string]string{}},
		Body: evidence.NewBody([]byte("{}")),
	}
	if diff := cmp.Diff([]evidence.TryRecord{want}, got.Tries); diff != "" {
		t.Errorf("tries (-want +got):\n%s", diff)
	}
}

// What is found wrong in a reply is recorded after the reply itself, with the status that came with it.
func TestUnreadableReply(t *testing.T) {
	l, transport := &log{}, &tape{reply: Reply{Status: 200, Body: []byte("<html>")}}
	got, err := (&Client{transport, ticking()}).Do(t.Context(), call(l, &evidence.TryFault{ErrorClass: "transient", Code: "wsp.provider.transient"}), l)
	if err != nil || got.Fault == nil || got.Fault.HTTPStatus == nil || *got.Fault.HTTPStatus != 200 {
		t.Fatalf("Do = %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"recorded success", "read <html>", "outcome error"}, l.events); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if try := got.Tries[0]; try.Outcome != evidence.TryError || try.Error != got.Fault || try.Body.Text != "<html>" {
		t.Errorf("try = %+v", try)
	}
}

func TestRefusedRequestIsNotSent(t *testing.T) {
	l, transport := &log{}, &tape{}
	c := call(l, nil)
	c.Endpoint.Gate = func(Request) error { return errors.New("no") }
	got, err := (&Client{transport, ticking()}).Do(t.Context(), c, l)
	if err != nil || got.Fault == nil || *got.Fault != (evidence.TryFault{ErrorClass: "unsupported", Code: "wsp.provider.internal"}) {
		t.Fatalf("Do = %+v, %v", got, err)
	}
	if len(transport.sent) != 0 {
		t.Error("bytes were sent past the gate")
	}
	if diff := cmp.Diff([]string{"recorded error"}, l.events); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		name      string
		transport tape
		class     string
		status    int // 0: none
	}{
		{"no reply", tape{err: errors.New("reset")}, "transient", 0},
		{"too large", tape{err: fmt.Errorf("serper: %w", ErrBodyTooLarge)}, "provider_contract", 0},
		{"429", tape{reply: Reply{Status: 429, Body: []byte("slow")}}, "rate_limit", 429},
		{"299 is a success's neighbour", tape{reply: Reply{Status: 300}}, "internal", 300},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &log{}
			got, err := (&Client{&tt.transport, ticking()}).Do(t.Context(), call(l, nil), l)
			if err != nil || got.Fault == nil || got.Fault.ErrorClass != tt.class {
				t.Fatalf("Do = %+v, %v, want class %s", got, err, tt.class)
			}
			status := 0
			if got.Fault.HTTPStatus != nil {
				status = *got.Fault.HTTPStatus
			}
			if status != tt.status || len(l.events) != 1 {
				t.Errorf("status %d, events %v, want %d and the record alone", status, l.events, tt.status)
			}
		})
	}
}

func TestNoReply(t *testing.T) {
	l := &log{}
	got, err := (&Client{&tape{err: errors.New("reset")}, ticking()}).Do(t.Context(), call(l, nil), l)
	want := evidence.TryFault{ErrorClass: "transient", Code: "wsp.provider.transient", Retryable: true}
	if err != nil || got.Fault == nil || *got.Fault != want || got.Tries[0].HTTP != nil || got.Tries[0].Body != nil {
		t.Errorf("Do = %+v, %v, want fault %+v and neither head nor body", got, err, want)
	}
}

// Success is 200 to 299.
func TestLastSuccess(t *testing.T) {
	for _, status := range []int{200, 299} {
		l := &log{}
		got, err := (&Client{&tape{reply: Reply{Status: status}}, ticking()}).Do(t.Context(), call(l, nil), l)
		if err != nil || got.Fault != nil || len(l.events) != 2 {
			t.Errorf("status %d: Do = %+v, %v", status, got, err)
		}
	}
}

func TestLocalTryHasNoExchange(t *testing.T) {
	l, transport := &log{}, &tape{reply: Reply{Body: []byte("{}")}}
	c := call(l, nil)
	c.Endpoint.Origin = evidence.OriginLocal
	got, err := (&Client{transport, ticking()}).Do(t.Context(), c, l)
	if err != nil {
		t.Fatal(err)
	}
	if try := got.Tries[0]; try.Request != nil || try.HTTP != nil || try.Body.Text != "{}" {
		t.Errorf("try = %+v, want a body and neither request nor head", try)
	}
}

func TestRecordingFails(t *testing.T) {
	full := errors.New("disk full")
	l := &log{err: full}
	c := call(l, nil)
	if _, err := (&Client{&tape{reply: Reply{Status: 200}}, ticking()}).Do(t.Context(), c, l); !errors.Is(err, full) {
		t.Errorf("Do = %v, want the fault of the disk", err)
	}
	if diff := cmp.Diff([]string{"recorded success"}, l.events); diff != "" {
		t.Errorf("an unrecorded reply was read (-want +got):\n%s", diff)
	}
}

// The classes of contract section 4.4.
func TestStatusFault(t *testing.T) {
	for _, tt := range []struct {
		status    int
		class     string
		code      string
		retryable bool
	}{
		{401, "auth", "wsp.provider.auth", false},
		{403, "auth", "wsp.provider.auth", false},
		{402, "quota", "wsp.provider.quota", false},
		{432, "quota", "wsp.provider.quota", false},
		{429, "rate_limit", "wsp.provider.rate_limit", true},
		{500, "transient", "wsp.provider.transient", true},
		{503, "transient", "wsp.provider.transient", true},
		{499, "internal", "wsp.provider.internal", false},
		{404, "internal", "wsp.provider.internal", false},
		{302, "internal", "wsp.provider.internal", false},
	} {
		got := StatusFault(tt.status)
		if got.ErrorClass != tt.class || got.Code != tt.code || got.Retryable != tt.retryable || *got.HTTPStatus != tt.status {
			t.Errorf("StatusFault(%d) = %+v, want %s %s %v", tt.status, got, tt.class, tt.code, tt.retryable)
		}
	}
}

func TestFormatTime(t *testing.T) {
	east := time.FixedZone("", 3600)
	for want, at := range map[string]time.Time{
		"2026-03-01T10:00:00Z":     time.Date(2026, 3, 1, 11, 0, 0, 0, east),
		"2026-03-01T10:00:00.25Z":  time.Date(2026, 3, 1, 10, 0, 0, 250_999_999, time.UTC),
		"2026-03-01T10:00:00.001Z": time.Date(2026, 3, 1, 10, 0, 0, 1_999_999, time.UTC),
	} {
		if got := FormatTime(at); got != want {
			t.Errorf("FormatTime(%v) = %s, want %s", at, got, want)
		}
	}
}
