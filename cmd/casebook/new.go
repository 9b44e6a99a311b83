package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"casebook/engine/durable"
	"casebook/engine/pack"
)

//go:embed all:sample
var sample embed.FS

// sampleID stands in the sample where the id of a new case belongs.
const sampleID = "harbour-hours"

func newNew(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "new <id>",
		Short: "a new case from a template",
		Long: "Makes cases/<id>/ with a case.yaml, a narrative and a corpus of two documents, to be edited. The id is of small\n" +
			"letters, digits and hyphens. Nothing that is there is touched.\n\nExit codes: 0, 2, 4.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runNew(e, args[0]) },
	}
}

func runNew(e *env, id string) error {
	p, err := e.openToWrite()
	if err != nil {
		return err
	}
	defer p.close()
	if err := pack.CheckName(id); err != nil {
		return &inputError{err: err}
	}
	if err := p.writeSample(id, e.now()); err != nil {
		return err
	}
	e.printf("%s\n", filepath.Join(p.dir, casesFolder, id, "case.yaml"))
	e.notef("edit it, then: casebook build --update %s\n", id)
	return nil
}

// writeSample puts the sample case under the given id, as_of being the given time. An existing folder is refused.
func (p *project) writeSample(id string, asOf time.Time) error {
	target := p.path(casesFolder, id)
	if _, err := os.Lstat(target); err == nil {
		return &inputError{err: fmt.Errorf("%s: is there already", target)}
	}
	if err := durable.MakeFolder(p.path(casesFolder), durable.PublicFolder); err != nil {
		return err
	}
	batch := &durable.Batch{}
	defer batch.Discard()
	folder, err := batch.Folder(target)
	if err != nil {
		return err
	}
	stamp := []byte(asOf.UTC().Format("2006-01-02T15:04:05Z"))
	err = fs.WalkDir(sample, "sample", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample, name)
		if err != nil {
			return err
		}
		data = bytes.ReplaceAll(data, []byte(sampleID), []byte(id))
		data = bytes.ReplaceAll(data, []byte("2026-01-31T12:00:00Z"), stamp)
		relative, err := filepath.Rel("sample", name)
		if err != nil {
			return err
		}
		return folder.Add(path.Clean(filepath.ToSlash(relative)), data)
	})
	if err != nil {
		return err
	}
	return batch.Commit()
}
