package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"casebook/engine/expect"
	"casebook/engine/pack"
)

func newCheck(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [case...]",
		Short: "rebuild in memory and compare with case.sum and the expectations",
		Long: "Makes the pack of every case anew without writing it, and says which evidence differs from the committed\n" +
			"case.sum and which expectation does not hold.\n\n" +
			"Exit codes: 0 all equal; 1 something differs or a case.sum is missing; 2 bad input; 3 a step needs the network.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runCheck(cmd.Context(), e, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

// checkResult is what a check says of one case.
type checkResult struct {
	ID          string           `json:"id"`
	OK          bool             `json:"ok"`
	Sum         string           `json:"sum"` // equal, differs or missing
	Differences []difference     `json:"differences"`
	Unmet       []expect.Outcome `json:"unmet"`
}

// difference is one file of the pack that is not the committed one, and what it holds in words.
type difference struct {
	File     string `json:"file"`
	Change   string `json:"change"` // changed, added or gone
	Evidence string `json:"evidence"`
}

func runCheck(ctx context.Context, e *env, names []string, asJSON bool) error {
	p, ids, err := e.choose(e.openToWrite, names)
	if err != nil {
		return err
	}
	defer p.close()
	all, errs := make([]checkResult, len(ids)), make([]error, len(ids))
	bar := e.progress("check", len(ids))
	share(len(ids), e.jobs, func() worker {
		return worker{do: func(i int) {
			all[i], errs[i] = p.check(ctx, ids[i])
			bar.step(ids[i])
		}, done: func() {}}
	})
	bar.end()
	results, failed := []checkResult{}, []error(nil)
	for i, r := range all {
		if errs[i] != nil {
			failed = append(failed, errs[i])
		} else {
			results = append(results, r)
		}
	}
	return e.reportCheck(results, failed, asJSON)
}

func (p *project) check(ctx context.Context, id string) (checkResult, error) {
	r := checkResult{ID: id, Differences: []difference{}}
	m, err := p.make(ctx, id)
	if err != nil {
		return r, err
	}
	r.Unmet = expect.Failed(m.outcomes)
	if r.Sum, err = p.compareSum(id, m.bag.Sum()); err != nil {
		return r, err
	}
	if r.Sum == "differs" {
		committed, err := os.ReadFile(p.path(casesFolder, id, sumFile))
		if err != nil {
			return r, err
		}
		r.Differences, err = differences(committed, m.bag.Sum())
		if err != nil {
			return r, &inputError{
				err:  fmt.Errorf("%s: %w", path.Join(casesFolder, id, sumFile), err),
				hint: "write it anew with: casebook build --update " + id,
			}
		}
	}
	r.OK = r.Sum == "equal" && len(r.Unmet) == 0
	return r, nil
}

// differences compares two payload manifests.
func differences(committed, rebuilt []byte) ([]difference, error) {
	old, err := pack.ParseManifest(committed)
	if err != nil {
		return nil, err
	}
	now, err := pack.ParseManifest(rebuilt)
	if err != nil {
		return nil, err
	}
	digests := map[string]string{}
	for _, line := range old {
		digests[line.Path] = string(line.SHA256)
	}
	all := []difference{}
	for _, line := range now {
		was, known := digests[line.Path]
		delete(digests, line.Path)
		switch {
		case !known:
			all = append(all, difference{line.Path, "added", evidenceIn(line.Path)})
		case was != string(line.SHA256):
			all = append(all, difference{line.Path, "changed", evidenceIn(line.Path)})
		}
	}
	for file := range digests {
		all = append(all, difference{file, "gone", evidenceIn(file)})
	}
	slices.SortFunc(all, func(a, b difference) int { return strings.Compare(a.File, b.File) })
	return all, nil
}

// evidenceIn says in words what a file of a pack holds.
func evidenceIn(file string) string {
	parts := strings.Split(strings.TrimPrefix(file, "data/"), "/")
	switch {
	case parts[0] == "case.yaml" || parts[0] == "case.json":
		return "the manifest of the case"
	case strings.HasPrefix(parts[0], "case."):
		return "the narrative"
	case parts[0] == "files" || parts[0] == "files.json":
		return "the attachments"
	case parts[0] == "versions.json":
		return "versions of the rules"
	case parts[0] == "provenance.json":
		return "what follows from what"
	case parts[0] == "redactions.json":
		return "the redactions"
	case len(parts) == 3 && parts[2] == "observations.ndjson":
		return "observations of step " + parts[1]
	case len(parts) == 3 && parts[2] == "response.json":
		return "results of step " + parts[1]
	case len(parts) == 3 && parts[2] == "request.json":
		return "the request of step " + parts[1]
	case len(parts) == 3 && parts[2] == "execution.json":
		return "facts of the execution of step " + parts[1]
	case len(parts) == 4 && parts[3] == "attempt.json":
		return "attempt " + parts[2] + " of step " + parts[1]
	case len(parts) == 4:
		return "try " + strings.TrimSuffix(parts[3], ".json") + " of attempt " + parts[2] + " of step " + parts[1]
	}
	return "a file of the pack"
}

func (e *env) reportCheck(results []checkResult, errs []error, asJSON bool) error {
	differ := 0
	for _, r := range results {
		if !r.OK {
			differ++
		}
	}
	if asJSON {
		if err := e.printJSON(results); err != nil {
			return err
		}
	} else {
		for _, r := range results {
			e.printCheck(r)
		}
	}
	if len(errs) > 0 {
		return &manyError{errs}
	}
	if differ > 0 {
		return &differsError{fmt.Sprintf("%d of %d cases differ", differ, len(results))}
	}
	return nil
}

func (e *env) printCheck(r checkResult) {
	if r.OK {
		e.printf("ok    %s\n", r.ID)
		return
	}
	e.printf("FAIL  %s\n", r.ID)
	if r.Sum == "missing" {
		e.printf("      no case.sum; write it with: casebook build --update %s\n", r.ID)
	}
	for _, d := range r.Differences {
		e.printf("      %s: %s (%s)\n", d.Change, d.Evidence, d.File)
	}
	for _, u := range r.Unmet {
		e.printf("      %s/%s/case.yaml:%d: step %s: expected %s, but %s\n", casesFolder, r.ID, u.Line, u.Step, u.Want, u.Got)
	}
}
