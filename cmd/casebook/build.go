package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/engine/expect"
	"casebook/render"
)

type buildOptions struct {
	update bool
	jobs   int
	asJSON bool
}

func newBuild(e *env) *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:   "build [case...]",
		Short: "cases to packs and site, as far as they changed",
		Long: "Validates, runs, freezes and renders the named cases, all of them without a name. A case whose files did not\n" +
			"change is left alone. --update also rewrites case.sum, the list of digests that check holds a rebuild against.\n\n" +
			"Exit codes: 0 done; 1 an expectation did not hold (its page shows it); 2 bad input; 3 a step needs the network;\n4 internal fault.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runBuild(cmd.Context(), e, args, o) },
	}
	cmd.Flags().BoolVar(&o.update, "update", false, "rewrite case.sum")
	cmd.Flags().IntVar(&o.jobs, "jobs", e.jobs, "cases at work at once")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print the result as JSON")
	return cmd
}

// buildResult is what a build says of one case.
type buildResult struct {
	ID       string           `json:"id"`
	State    string           `json:"state"`              // built, unchanged or failed
	PackID   evidence.Digest  `json:"pack_id,omitempty"`  // absent: failed before there was one
	Sum      string           `json:"sum,omitempty"`      // absent: failed; else equal, differs, missing or written
	Unmet    []expect.Outcome `json:"unmet,omitempty"`    // absent: every expectation held
	Failures int              `json:"failures,omitempty"` // absent: every expectation held
	err      error
	card     *render.Card
}

func runBuild(ctx context.Context, e *env, names []string, o buildOptions) error {
	p, ids, err := e.choose(e.openToWrite, names)
	if err != nil {
		return err
	}
	defer p.close()
	b, err := newBuilder(p, o)
	if err != nil {
		return err
	}
	results := b.all(ctx, ids, e.progress("build", len(ids)))
	if err := b.finish(results, len(names) == 0); err != nil {
		return err
	}
	return e.reportBuild(p, results, o)
}

// builder makes packs and pages of one project.
type builder struct {
	*project
	options buildOptions
	site    *render.Site
	program string
}

func newBuilder(p *project, o buildOptions) (*builder, error) {
	program, err := programKey()
	if err != nil {
		return nil, err
	}
	if err := durable.MakeFolder(p.path(packsFolder), durable.PublicFolder); err != nil {
		return nil, &inputError{err: err}
	}
	if err := durable.Sweep(p.path(packsFolder)); err != nil {
		return nil, err
	}
	site, err := render.OpenSite(p.path(siteFolder), p.renderOptions())
	if err != nil {
		return nil, &inputError{err: err}
	}
	return &builder{project: p, options: o, site: site, program: program}, nil
}

// groupSize is how many cases one worker puts on the disk together. Fewer waits for the disk make a large build
// several times as fast; what a crash undoes is a group of each worker at most.
const groupSize = 16

// all builds the cases with several workers; results are in the order of ids.
func (b *builder) all(ctx context.Context, ids []string, bar *progress) []buildResult {
	results := make([]buildResult, len(ids))
	share(len(ids), b.options.jobs, func() worker {
		g := &group{builder: b}
		return worker{do: func(i int) {
			results[i].ID = ids[i]
			g.bring(ctx, &results[i])
			bar.step(ids[i])
		}, done: g.settle}
	})
	bar.end()
	return results
}

// group is the cases of one worker that are made and not yet in their places.
type group struct {
	*builder
	batch   durable.Batch
	pending []pending
}

type pending struct {
	result *buildResult
	state  *caseState
}

// bring brings a case up to date, if it is not.
func (g *group) bring(ctx context.Context, r *buildResult) {
	old := g.readState(r.ID)
	if old != nil {
		r.card = &old.Card
	}
	key, err := g.inputKey(r.ID, g.program)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && old != nil && old.Key == key && g.whole(old) && !g.options.update {
		r.State, r.PackID, r.Failures = "unchanged", old.PackID, old.Failed
		r.Sum, r.err = g.compareSum(r.ID, nil)
		return
	}
	if err == nil {
		err = g.remake(ctx, key, r)
	}
	if err != nil {
		r.fail(err)
		return
	}
	if len(g.pending) == groupSize {
		g.settle()
	}
}

func (r *buildResult) fail(err error) { r.State, r.err = "failed", err }

// remake makes the pack and the pages of a case and adds them to the group.
func (g *group) remake(ctx context.Context, key evidence.Digest, r *buildResult) error {
	m, err := g.make(ctx, r.ID)
	if err != nil {
		return err
	}
	if err := g.owned(r.ID); err != nil {
		return err
	}
	// What fails in the middle must not be put in place with the rest of the group.
	batch := &durable.Batch{}
	defer batch.Discard()
	archive, err := m.bag.Write(g.path(packsFolder), batch)
	if err != nil {
		return err
	}
	card, files, err := g.site.PutCase(m.pack, m.bag.Files, archive, batch)
	if err != nil {
		return err
	}
	if g.options.update {
		if err := batch.Add(g.path(casesFolder, r.ID, sumFile), m.bag.Sum()); err != nil {
			return err
		}
	}
	if r.Sum, err = g.compareSum(r.ID, m.bag.Sum()); err != nil {
		return err
	}
	if g.options.update {
		r.Sum = "written"
	}
	g.batch.Join(batch)
	r.State, r.PackID, r.card = "built", m.bag.ID, &card
	r.Unmet = expect.Failed(m.outcomes)
	r.Failures = len(r.Unmet)
	g.pending = append(g.pending, pending{r, &caseState{
		Format: stateFormat, Key: key, PackID: m.bag.ID, Failed: r.Failures, Card: card, Site: files,
	}})
	return nil
}

// settle puts the group in its places, and then on record, so that a state never tells of what is not there.
func (g *group) settle() {
	err := g.batch.Commit()
	states := durable.Batch{}
	for _, p := range g.pending {
		if err == nil {
			err = g.addState(p.result.ID, p.state, &states)
		}
	}
	if err == nil {
		err = states.Commit()
	}
	if err != nil {
		states.Discard()
		for _, p := range g.pending {
			p.result.fail(err)
		}
	}
	g.pending = nil
}

// finish removes what belongs to cases that are gone, and writes the pages that list all cases.
func (b *builder) finish(results []buildResult, everything bool) error {
	cards := map[string]*render.Card{}
	for _, r := range results {
		cards[r.ID] = r.card
	}
	ids, err := b.cases(nil)
	if err != nil {
		return err
	}
	if err := b.removeGone(ids); err != nil {
		return err
	}
	var list []render.Card
	for _, id := range ids {
		card, seen := cards[id]
		if !seen && !everything {
			if s := b.readState(id); s != nil {
				card = &s.Card
			}
		}
		if card != nil {
			list = append(list, *card)
		}
	}
	return b.site.PutIndex(list)
}

func (b *builder) removeGone(ids []string) error {
	known, err := b.stateIDs()
	if err != nil {
		return err
	}
	for _, id := range known {
		if slices.Contains(ids, id) {
			continue
		}
		if s := b.readState(id); s != nil {
			if err := b.site.RemoveCase(s.Site); err != nil {
				return err
			}
		}
		for _, path := range []string{b.path(packsFolder, id), b.path(packsFolder, id+".zip"), b.statePath(id)} {
			if err := durable.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// reportBuild says what was done and ends with the gravest fault.
func (e *env) reportBuild(p *project, results []buildResult, o buildOptions) error {
	if o.asJSON {
		if err := e.printJSON(results); err != nil {
			return err
		}
	}
	var errs []error
	built, unchanged, unmet := 0, 0, 0
	sums := map[string][]string{}
	for _, r := range results {
		switch r.State {
		case "built":
			built++
		case "unchanged":
			unchanged++
		}
		if r.err != nil {
			errs = append(errs, r.err)
			continue
		}
		for _, u := range r.Unmet {
			e.notef("%s/%s/case.yaml:%d: step %s: expected %s, but %s\n", casesFolder, r.ID, u.Line, u.Step, u.Want, u.Got)
		}
		unmet += r.Failures
		sums[r.Sum] = append(sums[r.Sum], r.ID)
	}
	if ids := sums["differs"]; len(ids) > 0 {
		e.notef("%s: evidence differs from case.sum; see what changed with: casebook check %s\n", few(ids), ids[0])
	}
	if ids := sums["missing"]; len(ids) > 0 {
		e.notef("%s: no case.sum yet; write it with: casebook build --update %s\n", few(ids), ids[0])
	}
	if !o.asJSON {
		e.printf("%d built, %d unchanged, %d failed\n", built, unchanged, len(errs))
		e.printf("site: %s\n", filepath.Join(p.dir, siteFolder, "index.html"))
	}
	if len(errs) > 0 {
		return &manyError{errs}
	}
	if unmet > 0 {
		return &differsError{fmt.Sprintf("%d expectations did not hold", unmet)}
	}
	return nil
}

// few names the first of many cases.
func few(ids []string) string {
	const shown = 5
	if len(ids) <= shown {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:shown], ", "), len(ids)-shown)
}

// manyError is the faults of several cases; it weighs as much as the gravest.
type manyError struct{ errs []error }

func (e *manyError) Error() string {
	if len(e.errs) == 1 {
		return e.errs[0].Error()
	}
	return fmt.Sprintf("%d cases failed", len(e.errs))
}
