package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// rulesVersion is the version of the rules that shape evidence. It is raised when they change, so that a sum that
// differs can be told from evidence that differs; a commit never enters a pack.
const rulesVersion = "0.1.0"

func newVersion(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "build facts",
		Long:  "Prints the version of the rules that shape evidence and how this program was built. Exit codes: 0, 2.",
		Args:  usage(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return runVersion(e, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

type versionFacts struct {
	Version    string `json:"version"`
	PackFormat string `json:"pack_format"`
	Contract   string `json:"contract_version"`
	Commit     string `json:"commit"`
	Modified   bool   `json:"modified"`
	Go         string `json:"go"`
	Platform   string `json:"platform"`
}

func runVersion(e *env, asJSON bool) error {
	facts := versionFacts{
		Version: rulesVersion, PackFormat: pack.FormatVersion, Contract: evidence.ContractVersion, Commit: "unknown",
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				facts.Commit = s.Value
			case "vcs.modified":
				facts.Modified = s.Value == "true"
			}
		}
	}
	if asJSON {
		return e.printJSON(facts)
	}
	e.printf("casebook %s (pack format %s, contract %s)\ncommit %s", facts.Version, facts.PackFormat, facts.Contract, facts.Commit)
	if facts.Modified {
		e.printf(" with local changes")
	}
	e.printf("\n%s %s\n", facts.Go, facts.Platform)
	return nil
}
