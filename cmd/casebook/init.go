package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"casebook/engine/durable"
)

func newInit(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "init [dir]",
		Short: "a new project with a working sample case",
		Long: "Makes a project in dir, here without a name: casebook.yaml, cases/ with a sample, .gitattributes and .gitignore.\n" +
			"Files that are there are kept; a project that is there already is refused.\n\nExit codes: 0, 2, 4.",
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return runInit(cmd.Context(), e, dir)
		},
	}
}

// sampleTime is the clock of the sample case, so that every fresh project has the same pack.
func sampleTime() time.Time { return time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC) }

const sampleSettings = `# Settings of the whole project. Every member is optional; keys of providers come from the environment only.
casebook: 1
site:
  title: {en: "Case studies", zh-CN: "案例研究"}
  languages: [en, zh-CN]
`

// The line ends of packs and cases are part of what is hashed, so git must not change them.
const sampleAttributes = "packs/** -text\ncases/** -text\n"

const sampleIgnore = "/.casebook/\n/packs/\n/site/\n"

func runInit(ctx context.Context, e *env, dir string) error {
	if isProject(dir) {
		return &inputError{err: fmt.Errorf("%s: is a project already", dir), hint: "add a case with: casebook new <id>"}
	}
	if err := durable.MakeFolder(dir, durable.PublicFolder); err != nil {
		return &inputError{err: err}
	}
	for _, f := range []struct{ name, text string }{
		{"casebook.yaml", sampleSettings}, {".gitattributes", sampleAttributes}, {".gitignore", sampleIgnore},
	} {
		file := filepath.Join(dir, f.name)
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			e.notef("%s: is there already, kept\n", file)
			continue
		}
		if err := durable.WriteFile(file, []byte(f.text), durable.PublicFile); err != nil {
			return err
		}
	}
	e.root = dir
	p, err := e.openToWrite()
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.writeSample(sampleID, sampleTime()); err != nil {
		return err
	}
	m, err := p.make(ctx, sampleID)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(p.path(casesFolder, sampleID, sumFile), m.bag.Sum(), durable.PublicFile); err != nil {
		return err
	}
	e.printf("%s\n", filepath.Join(dir, casesFolder, sampleID, "case.yaml"))
	e.notef("now run: casebook build\n")
	return nil
}
