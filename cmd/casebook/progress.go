package main

import (
	"sync"
	"time"

	"casebook/engine/canon"
)

// progress is one status line on a terminal for work of more than a second; elsewhere it says nothing, so that logs
// hold results alone.
type progress struct {
	mu      sync.Mutex
	e       *env
	verb    string
	total   int
	done    int
	started time.Time
	shown   time.Time
}

// quiet is how long work may take before anyone is told, and between two changes of the line.
const (
	quiet    = time.Second
	interval = 100 * time.Millisecond
)

func (e *env) progress(verb string, total int) *progress {
	return &progress{e: e, verb: verb, total: total, started: e.now()}
}

// step says that one more piece of work is done.
func (p *progress) step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	now := p.e.now()
	if !p.e.terminal || now.Sub(p.started) < quiet || now.Sub(p.shown) < interval {
		return
	}
	p.shown = now
	p.e.notef("\r\x1b[K%s %d/%d %s", p.verb, p.done, p.total, name)
}

// end clears the line.
func (p *progress) end() {
	if !p.shown.IsZero() {
		p.e.notef("\r\x1b[K")
	}
}

// printJSON writes a value to stdout as canonical JSON and a line break.
func (e *env) printJSON(v any) error {
	data, err := canon.EncodeLine(v)
	if err != nil {
		return err
	}
	_, err = e.stdout.Write(data)
	return err
}
