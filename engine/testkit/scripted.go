package testkit

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"casebook/engine/wire"
)

// Exchange is one request that a [Script] waits for, and what comes back.
type Exchange struct {
	Method, URL string
	// Body says whether a request with this body is the one; nil takes any.
	Body func(body []byte) bool
	// Reply is given as it stands, so its headers are those of the allow-list.
	Reply wire.Reply
	// Err comes in place of a reply.
	Err error
}

// Script is a [wire.Transport] that stands in at the dial: it answers the requests that it was told of, in their
// order, each once. Every other request is a fault of the test and an error.
type Script struct {
	t         testing.TB
	lock      sync.Mutex
	exchanges []Exchange
	sent      []wire.Request
}

// NewScript returns a script; an exchange that is left over when the test ends is a fault of the test.
func NewScript(t testing.TB, exchanges ...Exchange) *Script {
	s := &Script{t: t, exchanges: exchanges}
	t.Cleanup(func() {
		if sent := s.Sent(); len(sent) < len(exchanges) {
			t.Errorf("%d of %d scripted requests were sent", len(sent), len(exchanges))
		}
	})
	return s
}

// Send answers the next exchange.
func (s *Script) Send(ctx context.Context, request wire.Request) (wire.Reply, error) {
	if err := ctx.Err(); err != nil {
		return wire.Reply{}, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	n := len(s.sent)
	s.sent = append(s.sent, request)
	var err error
	switch {
	case n >= len(s.exchanges):
		err = fmt.Errorf("scripted transport: request %d, %s %s, is one too many", n+1, request.Method, request.URL)
	case !s.exchanges[n].matches(request):
		err = fmt.Errorf("scripted transport: request %d is %s %s with body %q, which %s %s does not stand for",
			n+1, request.Method, request.URL, request.Body, s.exchanges[n].Method, s.exchanges[n].URL)
	default:
		return s.exchanges[n].Reply, s.exchanges[n].Err
	}
	s.t.Error(err)
	return wire.Reply{}, err
}

func (e Exchange) matches(request wire.Request) bool {
	return request.Method == e.Method && request.URL == e.URL && (e.Body == nil || e.Body(request.Body))
}

// Sent returns the requests so far, unexpected ones too.
func (s *Script) Sent() []wire.Request {
	s.lock.Lock()
	defer s.lock.Unlock()
	return append([]wire.Request{}, s.sent...)
}
