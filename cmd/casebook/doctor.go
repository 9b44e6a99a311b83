package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"casebook/engine/corpus"
	"casebook/engine/durable"
	"casebook/engine/provider"
)

func newDoctor(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "check the environment",
		Long: "Says whether what casebook needs on this machine works, and which keys of providers are set, never their values.\n\n" +
			"Exit codes: 0 all works; 1 something does not; 2; 4.",
		Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runDoctor(e, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// finding is one thing that doctor looked at.
type finding struct {
	Check string `json:"check"`
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
}

func runDoctor(e *env, asJSON bool) error {
	findings := []finding{e.checkProject(), checkIndex()}
	for _, p := range provider.All() {
		if p.KeyEnv != "" {
			findings = append(findings, e.checkKey(p))
		}
	}
	if asJSON {
		if err := e.printJSON(findings); err != nil {
			return err
		}
	}
	bad := 0
	for _, f := range findings {
		word := "ok  "
		if !f.OK {
			word = "FAIL"
			bad++
		}
		if !asJSON {
			e.printf("%s  %s: %s\n", word, f.Check, f.Text)
		}
	}
	if bad > 0 {
		return &differsError{fmt.Sprintf("%d checks failed", bad)}
	}
	return nil
}

// checkProject tries to read the project and to write where casebook writes.
func (e *env) checkProject() finding {
	p, err := e.openToWrite()
	var input *inputError
	if errors.As(err, &input) {
		return finding{"project", true, "none here; make one with: casebook init"}
	}
	if err != nil {
		return finding{"project", false, err.Error()}
	}
	defer p.close()
	probe := p.path(privateFolder, "doctor")
	if err := durable.WriteFile(probe, []byte("probe\n"), durable.PublicFile); err != nil {
		return finding{"project", false, err.Error()}
	}
	if err := os.Remove(probe); err != nil {
		return finding{"project", false, err.Error()}
	}
	ids, err := p.cases(nil)
	if err != nil {
		return finding{"project", false, err.Error()}
	}
	return finding{"project", true, fmt.Sprintf("%s with %d cases, can be written", filepath.Clean(p.dir), len(ids))}
}

func checkIndex() finding {
	version, err := corpus.IndexVersion()
	if err != nil {
		return finding{"corpus index", false, err.Error()}
	}
	return finding{"corpus index", true, "SQLite " + version + " with FTS5"}
}

// checkKey says whether a key is set, which only live runs need.
func (e *env) checkKey(p provider.Provider) finding {
	if e.getenv(p.KeyEnv) == "" {
		return finding{"provider " + p.ID, true, p.KeyEnv + " is not set; only a live run would need it"}
	}
	return finding{"provider " + p.ID, true, p.KeyEnv + " is set"}
}
