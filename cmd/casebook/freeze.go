package main

import (
	"context"

	"github.com/spf13/cobra"

	"casebook/engine/durable"
)

func newFreeze(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "freeze [case...]",
		Short: "cases to packs, without pages",
		Long:  "Makes the pack and its ZIP of the named cases, all of them without a name, and writes them under packs/.\n\nExit codes: 0, 2, 3, 4.",
		Args:  cobra.ArbitraryArgs,
		RunE:  func(cmd *cobra.Command, args []string) error { return runFreeze(cmd.Context(), e, args) },
	}
	return cmd
}

func runFreeze(ctx context.Context, e *env, names []string) error {
	p, ids, err := e.choose(e.openToWrite, names)
	if err != nil {
		return err
	}
	defer p.close()
	if err := durable.Sweep(p.path(packsFolder)); err != nil {
		return err
	}
	for _, id := range ids {
		m, err := p.make(ctx, id)
		if err != nil {
			return err
		}
		if err := p.owned(id); err != nil {
			return err
		}
		batch := &durable.Batch{}
		_, err = m.bag.Write(p.path(packsFolder), batch)
		if err == nil {
			err = batch.Commit()
		}
		if err != nil {
			batch.Discard()
			return err
		}
		e.printf("%s  %s\n", m.bag.ID, id)
	}
	return nil
}
