package main

import (
	"strings"

	"github.com/spf13/cobra"

	"casebook/engine"
	"casebook/engine/evidence"
)

func newPlan(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan [case...]",
		Short: "what would run: steps, modes, candidates, keys",
		Long:  "Says for each step in which mode it stands and what a live run of it would need. Sends nothing.\n\nExit codes: 0, 2, 4.",
		Args:  cobra.ArbitraryArgs,
		RunE:  func(_ *cobra.Command, args []string) error { return runPlan(e, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// plannedStep is what plan says of one step.
type plannedStep struct {
	Case       string   `json:"case"`
	Step       string   `json:"step"`
	Kind       string   `json:"kind"`
	Mode       string   `json:"mode"`
	Candidates []string `json:"candidates"`
	Keys       []string `json:"keys"`
}

func runPlan(e *env, names []string, asJSON bool) error {
	p, ids, err := e.choose(e.openProject, names)
	if err != nil {
		return err
	}
	defer p.close()
	steps := []plannedStep{}
	for _, id := range ids {
		c, err := p.load(id)
		if err != nil {
			return err
		}
		plan, err := engine.NewPlan(c.Case, c.folder, c.corpora)
		if err != nil {
			return &inputError{err: err}
		}
		for _, s := range plan.Steps {
			steps = append(steps, plannedStep{
				Case: id, Step: s.Spec.ID, Kind: s.Spec.Kind, Mode: s.Mode,
				Candidates: append([]string{}, s.Candidates...), Keys: append([]string{}, s.KeyEnv...),
			})
		}
	}
	if asJSON {
		return e.printJSON(steps)
	}
	for _, s := range steps {
		e.printf("%s  %s  %s  %s  %s\n", s.Case, s.Step, s.Kind, s.Mode, needs(s))
	}
	return nil
}

func needs(s plannedStep) string {
	switch s.Mode {
	case evidence.ModePinned:
		return "computed from the corpus at every build"
	case evidence.ModeReplay:
		return "read from its recordings"
	}
	text := "asks " + strings.Join(s.Candidates, ", then ") + "; needs the network"
	if len(s.Keys) > 0 {
		text += " and " + strings.Join(s.Keys, ", ")
	}
	return text
}
