package engine

import (
	"context"

	"casebook/engine/archive"
	"casebook/engine/evidence"
	"casebook/engine/wire"
)

// Live is what the execution of steps beyond the corpus takes from outside.
type Live struct {
	Transport   wire.Transport
	Now         wire.Clock
	ExecutionID func(step string) string // a fresh one for each execution
	Key         func(name string) string // the key in the named environment variable, "" for none
	Origin      string                   // of the tries: recorded, or authored where we wrote the replies ourselves
}

// run executes one step, whoever its candidates are.
func (l *Live) run(ctx context.Context, step PlannedStep, settings Settings, log *archive.Archive) error {
	return execute(ctx, log, run{
		step: step, executionID: l.ExecutionID(step.Spec.ID), mode: evidence.ModeLive, origin: l.Origin,
		policy: evidence.DefaultPolicy(settings.Quality), engine: settings.Engine,
		client: &wire.Client{Transport: l.Transport, Now: l.Now}, key: l.Key,
	})
}
