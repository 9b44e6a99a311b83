package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"unicode/utf8"

	"casebook/engine"
	"casebook/engine/archive"
	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/expect"
	"casebook/engine/freeze"
	"casebook/engine/pack"
	"casebook/engine/quote"
	"casebook/engine/redact"
)

// made is a case that went the whole way to a pack in memory.
type made struct {
	bag      *freeze.Bag
	pack     *pack.Pack
	outcomes []expect.Outcome
}

// make runs a case: plan, run, redact, freeze, and the checks of quotes and expectations. Nothing is written but the
// private archive.
func (p *project) make(ctx context.Context, id string) (*made, error) {
	c, err := p.load(id)
	if err != nil {
		return nil, err
	}
	plan, err := engine.NewPlan(c.Case, c.folder, c.corpora)
	if err != nil {
		return nil, &inputError{err: err}
	}
	recorded, err := p.record(ctx, plan)
	if err != nil {
		return nil, err
	}
	bag, err := p.freeze(c, recorded)
	if err != nil {
		return nil, err
	}
	m := &made{bag: bag}
	if m.pack, err = pack.OpenMade(bag.FS(), bag.Name, c.Case); err != nil {
		return nil, fmt.Errorf("case %s: its own pack: %w", id, err)
	}
	if err := checkQuotes(c.Case, m.pack); err != nil {
		return nil, err
	}
	m.outcomes = expect.Check(m.pack)
	return m, nil
}

// record executes the plan into the case's private archive.
func (p *project) record(ctx context.Context, plan *engine.Plan) ([]engine.Recorded, error) {
	log, err := archive.Create(p.path(privateFolder, "scratch", plan.Case.ID+".ndjson"))
	if err != nil {
		return nil, err
	}
	log.Repeatable()
	recorded, err := plan.Run(ctx, engine.Settings{Quality: p.settings.Quality, Engine: engineFacts()}, log)
	if closing := log.Close(); err == nil {
		err = closing
	}
	return recorded, err
}

// freeze redacts the recordings of a case and makes its bag.
func (p *project) freeze(c *loaded, recorded []engine.Recorded) (*freeze.Bag, error) {
	known, err := committedLedger(c)
	if err != nil {
		return nil, &inputError{err: err}
	}
	rules := p.rules(c.Case)
	var modes []pack.StepMode
	var recordings []evidence.Recording
	for _, r := range recorded {
		modes = append(modes, pack.StepMode{Step: r.Step, Mode: r.Mode})
		recordings = append(recordings, r.Recording)
	}
	clean, err := redact.Scrub(recordings, redact.Options{Rules: rules, Known: known})
	if err != nil {
		return nil, &inputError{err: fmt.Errorf("case %s: %w", c.ID, err)}
	}
	if err := freeze.CheckRequests(clean, rules); err != nil {
		return nil, &inputError{err: fmt.Errorf("case %s: %w", c.ID, err)}
	}
	notices, err := readNotices(c)
	if err != nil {
		return nil, err
	}
	return freeze.Build(freeze.Input{
		Notices: notices, Case: c.Case, Clean: clean, Modes: modes, Engine: engineFacts(), Version: rulesVersion, Release: p.release(), Rules: rules,
	})
}

// readNotices reads the licence notices of a case, nil where it has none.
func readNotices(c *loaded) ([]byte, error) {
	file := path.Join(casesFolder, c.ID, freeze.NoticesFile)
	info, err := fs.Stat(c.folder, freeze.NoticesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > largestNotices {
		return nil, &inputError{err: fmt.Errorf("%s: has %d bytes, at most %d are attached", file, info.Size(), largestNotices)}
	}
	data, err := fs.ReadFile(c.folder, freeze.NoticesFile)
	if err == nil && !utf8.Valid(data) {
		err = &inputError{err: fmt.Errorf("%s: is no valid UTF-8", file)}
	}
	return data, err
}

// largestNotices bounds the file of licence notices.
const largestNotices = 2 << 20

// committedLedger reads the ledger of a case's committed recordings, nil where there are none.
func committedLedger(c *loaded) (*redact.Ledger, error) {
	name := path.Join(engine.RecordingsFolder, engine.LedgerFile)
	data, err := fs.ReadFile(c.folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ledger, err := redact.ReadLedger(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(casesFolder, c.ID, name), err)
	}
	return &ledger, nil
}

// checkQuotes resolves every evidence link of the narratives and of the contested points. Each one that fails is a
// fault of its file.
func checkQuotes(c *casefile.Case, made *pack.Pack) error {
	e := &faultsError{}
	check := func(link quote.Link, file string, line, column int) {
		err := link.Err
		if err == nil {
			_, err = quote.Resolve(made, link.Ref, link.Text)
		}
		if err != nil {
			e.lines = append(e.lines, fmt.Sprintf("%s:%d:%d: %v", file, line, column, err))
		}
	}
	dir := path.Join(casesFolder, c.ID)
	for _, n := range c.Narratives {
		for _, link := range quote.Links(n.Source) {
			check(link, path.Join(dir, n.File), link.Line, link.Column)
		}
	}
	for _, contest := range c.Contested {
		for _, between := range contest.Between {
			for _, link := range quote.Links([]byte(between)) {
				check(link, path.Join(dir, "case.yaml"), contest.Line, contest.Column)
			}
		}
	}
	if len(e.lines) > 0 {
		return e
	}
	return nil
}
