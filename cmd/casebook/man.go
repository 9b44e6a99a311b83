package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"casebook/engine/durable"
)

func newMan(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "man <dir>",
		Short: "manual pages",
		Long:  "Writes the manual page of every verb, section 1, into dir.\n\nExit codes: 0, 2, 4.",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(cmd *cobra.Command, args []string) error { return runMan(e, cmd.Root(), args[0]) },
	}
}

// manTime is no build time, so that equal sources give equal pages.
func manTime() *time.Time {
	t := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return &t
}

func runMan(e *env, root *cobra.Command, dir string) error {
	batch := &durable.Batch{}
	defer batch.Discard()
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if !cmd.IsAvailableCommand() && cmd != root {
			continue
		}
		cmd.DisableAutoGenTag = true
		var page bytes.Buffer
		header := &doc.GenManHeader{Section: "1", Source: "casebook " + rulesVersion, Manual: "casebook", Date: manTime()}
		if err := doc.GenMan(cmd, header, &page); err != nil {
			return err
		}
		file := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
		if err := batch.Add(file, page.Bytes()); err != nil {
			return &inputError{err: err}
		}
		e.printf("%s\n", file)
	}
	return batch.Commit()
}
