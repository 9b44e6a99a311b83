package main

import (
	"context"

	"github.com/spf13/cobra"

	"casebook/engine"
)

func newRun(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [case...]",
		Short: "run the steps of cases and say what came of them",
		Long: "Runs pinned steps over their corpus and reads recorded ones, without making a pack. The recordings of pinned\n" +
			"steps stay in the private folder .casebook/scratch/.\n\nExit codes: 0, 2 bad input, 3 a step is neither pinned nor recorded, 4.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runRun(cmd.Context(), e, args) },
	}
	return cmd
}

func runRun(ctx context.Context, e *env, names []string) error {
	p, ids, err := e.choose(e.openToWrite, names)
	if err != nil {
		return err
	}
	defer p.close()
	for _, id := range ids {
		c, err := p.load(id)
		if err != nil {
			return err
		}
		plan, err := engine.NewPlan(c.Case, c.folder, c.corpora)
		if err != nil {
			return &inputError{err: err}
		}
		recorded, err := p.record(ctx, plan)
		if err != nil {
			return err
		}
		for _, r := range recorded {
			for _, a := range r.Attempts {
				e.printf("%s\t%s\t%s\t%s\t%s\t%d tries\n", id, r.Step, r.Mode, a.Record.Provider, a.Record.Outcome, len(a.Tries))
			}
		}
	}
	return nil
}
