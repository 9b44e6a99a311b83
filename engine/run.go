package engine

import (
	"context"
	"fmt"
	"time"

	"casebook/engine/archive"
	"casebook/engine/canon"
	"casebook/engine/corpus"
	"casebook/engine/evidence"
	"casebook/engine/provider"
	"casebook/engine/search"
	"casebook/engine/wire"
)

// LedgerFile is the ledger of the committed recordings of a case, beside their folders.
const LedgerFile = "redactions.json"

// Settings is what an execution takes from the project and the program.
type Settings struct {
	Quality evidence.Quality
	Engine  evidence.Engine
	Live    *Live // nil: nothing may be sent
}

// Recorded is the recording of one step of a case and how it came about.
type Recorded struct {
	evidence.Recording
	Mode string // pinned, replay or imported
}

// Run executes the pinned steps into the archive and, where the settings let it, those that are neither pinned nor
// recorded. It returns the recordings of all steps in the order of the case; what was executed live stands there as a
// replay, since from then on it is one.
func (p *Plan) Run(ctx context.Context, settings Settings, log *archive.Archive) ([]Recorded, error) {
	indexes := map[string]*corpus.Index{}
	defer func() {
		for _, index := range indexes {
			// The index is in memory; closing it frees that and nothing else.
			_ = index.Close()
		}
	}()
	for _, step := range p.Steps {
		var err error
		switch step.Mode {
		case evidence.ModePinned:
			name := step.Spec.Corpus
			if indexes[name] == nil {
				if indexes[name], err = corpus.Open(p.corpora[name]); err != nil {
					return nil, fmt.Errorf("case %s: corpus %s: %w", p.Case.ID, name, err)
				}
			}
			err = p.runPinned(ctx, step, settings, indexes[name], log)
		case evidence.ModeLive:
			if err = ErrNeedsRecording; settings.Live != nil {
				err = settings.Live.run(ctx, step, settings, log)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("case %s: step %s: %w", p.Case.ID, step.Spec.ID, err)
		}
	}
	return p.collect(log.Recordings()), nil
}

func (p *Plan) runPinned(ctx context.Context, step PlannedStep, settings Settings, transport wire.Transport, log *archive.Archive) error {
	now, err := time.Parse(time.RFC3339, p.Case.AsOf)
	if err != nil {
		return err
	}
	source := p.corpora[step.Spec.Corpus]
	execution := evidence.PinnedExecution{
		Case: p.Case.ID, Step: step.Spec.ID, Number: 1, AsOf: p.Case.AsOf, Request: step.Spec.Request, CorpusDigest: source.Digest,
	}.ID()
	return execute(ctx, log, run{
		step: step, executionID: execution, mode: evidence.ModePinned, origin: evidence.OriginLocal,
		policy: evidence.DefaultPolicy(settings.Quality), engine: settings.Engine,
		corpus: &evidence.CorpusRef{Name: step.Spec.Corpus, SHA256: source.Digest},
		client: &wire.Client{Transport: transport, Now: func() time.Time { return now }},
		key:    func(string) string { return "" },
	})
}

// run is one execution of a step that is about to be made.
type run struct {
	step        PlannedStep
	executionID string
	mode        string
	origin      string
	policy      evidence.Policy
	engine      evidence.Engine
	corpus      *evidence.CorpusRef
	client      *wire.Client
	key         func(string) string
}

// execute runs one step of kind search or extract and records all of it.
func execute(ctx context.Context, log *archive.Archive, r run) error {
	recorder, err := log.Begin(evidence.RecordedRequest{
		Format: evidence.RequestFormat, Step: r.step.Spec.ID, Request: r.step.Spec.Request,
	})
	if err != nil {
		return err
	}
	if err := describe(&r.policy, r.step); err != nil {
		return err
	}
	ran, err := search.Run(ctx, r.client, recorder, search.Query{
		Request: r.step.Request, ExecutionID: r.executionID, Policy: r.policy, Origin: r.origin, Key: r.key,
	})
	if err != nil {
		return err
	}
	requestID := r.step.Request.RequestID
	if requestID == "" {
		requestID = r.executionID
	}
	return recorder.Finish(evidence.Execution{
		Format: evidence.ExecutionFormat, Step: r.step.Spec.ID, Mode: r.mode, ExecutionID: r.executionID, RequestID: requestID,
		RoutingReceipt: ran.Receipt, CacheStatus: evidence.CacheStatus{Disposition: ran.Cache}, Budget: ran.Budget,
		Policy: r.policy, Warnings: []evidence.Warning{}, Limits: ran.Limits, Engine: r.engine,
		FinishedAt: wire.FormatTime(r.client.Now()), Corpus: r.corpus,
	})
}

// describe completes a policy with the allow-lists and options of the candidates.
func describe(policy *evidence.Policy, step PlannedStep) error {
	for _, id := range step.Candidates {
		p, _, err := provider.Select(id, step.Request.Capability)
		if err != nil {
			return err
		}
		policy.ProviderFields[id] = append([]string{}, p.Fields...)
		if policy.Options[id], err = canon.Encode(p.Options()); err != nil {
			return err
		}
	}
	return nil
}

// collect puts executed and committed recordings in the order of the case.
func (p *Plan) collect(executed []evidence.Recording) []Recorded {
	byStep := map[string]evidence.Recording{}
	for _, r := range executed {
		byStep[r.Step] = r
	}
	var all []Recorded
	for _, step := range p.Steps {
		switch {
		case step.recording != nil:
			all = append(all, Recorded{*step.recording, replayMode(step.recording)})
		case step.Mode == evidence.ModePinned:
			all = append(all, Recorded{byStep[step.Spec.ID], evidence.ModePinned})
		default:
			all = append(all, Recorded{byStep[step.Spec.ID], evidence.ModeReplay})
		}
	}
	return all
}

func replayMode(r *evidence.Recording) string {
	if r.Execution.Mode == evidence.ModeImported {
		return evidence.ModeImported
	}
	return evidence.ModeReplay
}
