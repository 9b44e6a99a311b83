package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"casebook/engine/pack"
)

type verifyOptions struct {
	pack.Options
	packID string
	asJSON bool
}

func newVerify(e *env) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify <pack | zip | tar>",
		Short: "check a pack's bytes",
		Long: "Hashes every file of a pack, a folder or an archive, against its manifests, and checks names, structure and\n" +
			"pack id. Needs no project, no network and no key; an archive is never unpacked to the disk. It says what it did\n" +
			"not check. Intact bytes say nothing about who made them, and nothing about truth.\n\n" +
			"Exit codes: 0 everything asked for is in order; 1 a check failed, or a warning with --strict; 2 no readable bag.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runVerify(e, args[0], o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.packID, "pack-id", "", "the pack id that it must have, 64 hex digits, with or without casebook-pack:sha256:")
	flags.BoolVar(&o.BagOnly, "bag-only", false, "check a bag that other software made")
	flags.BoolVar(&o.Strict, "strict", false, "a warning counts as a failure")
	flags.BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	return cmd
}

func runVerify(e *env, target string, o verifyOptions) error {
	if o.packID != "" {
		id, err := pack.ParseID(o.packID)
		if err != nil {
			return &inputError{err: fmt.Errorf("--pack-id %q: %w", o.packID, err)}
		}
		o.PackID = id
	}
	opened := pack.OpenTarget(target, pack.DefaultLimits())
	report := pack.Verify(opened, o.Options)
	if err := opened.Close(); err != nil {
		return err
	}
	if o.asJSON {
		if err := e.printJSON(report); err != nil {
			return err
		}
	} else {
		e.printReport(report)
	}
	switch report.Exit() {
	case exitDone:
		return nil
	case exitDiffers:
		return &differsError{fmt.Sprintf("%s: %s", target, report.Summary())}
	}
	return &inputError{err: fmt.Errorf("%s: %s", target, report.Summary())}
}

// printReport writes a report for people: each check that is not in order, then what it comes to.
func (e *env) printReport(r *pack.Report) {
	for _, c := range r.Checks {
		if c.Status == pack.StatusOK {
			continue
		}
		place := ""
		if c.Path != nil {
			place = *c.Path + ": "
		}
		e.printf("%s  %s  %s%s\n", c.ID, c.Status, place, c.Reason)
	}
	e.printf("%s\n", r.Summary())
	if r.PackID != nil {
		e.printf("pack id: %s\n", pack.FormatID(*r.PackID))
	}
	for _, text := range r.NotChecked {
		e.printf("not checked: %s\n", text)
	}
}
