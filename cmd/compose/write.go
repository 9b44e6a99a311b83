package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"casebook/engine/durable"
)

// writeCase composes one case into the folder out/<case>. Files of another maker in it stay; a document that an
// earlier composition listed and this one no longer gives is removed.
func writeCase(c *composer, r recipe, out string) error {
	all, err := c.corpus(r)
	if err != nil {
		return err
	}
	sources, err := sourcesJSON(all)
	if err != nil {
		return err
	}
	notices, err := c.licences(r)
	if err != nil {
		return fmt.Errorf("case %s: %w", r.Case, err)
	}
	dir := filepath.Join(out, r.Case)
	corpus := filepath.Join(dir, corpusFolder)
	if err := removeStale(corpus, all); err != nil {
		return err
	}
	files, err := c.authored(r)
	if err != nil {
		return err
	}
	for _, one := range all {
		files = append(files, output{path.Join(corpusFolder, one.entry.File), one.sheet.file()})
	}
	// SOURCES.json vouches for the documents, so it comes last.
	files = append(files, output{licencesFile, notices}, output{path.Join(corpusFolder, sourcesFile), sources})
	var batch durable.Batch
	for _, f := range files {
		if err := batch.Add(filepath.Join(dir, filepath.FromSlash(f.name)), f.data); err != nil {
			batch.Discard()
			return fmt.Errorf("case %s: %w", r.Case, err)
		}
	}
	return batch.Commit()
}

// output is a file of a composed case; its name has slashes and begins below the case's folder.
type output struct {
	name string
	data []byte
}

// authored gives what stands beside the recipe: case.yaml and the narratives of a case that is never committed.
func (c *composer) authored(r recipe) ([]output, error) {
	names, err := fs.Glob(c.tree, path.Join("cases", r.Case, "*"))
	if err != nil {
		return nil, err
	}
	var files []output
	for _, name := range names {
		if path.Base(name) == recipeFile {
			continue
		}
		data, err := fs.ReadFile(c.tree, name)
		if err != nil {
			return nil, err
		}
		files = append(files, output{path.Base(name), data})
	}
	return files, nil
}

func removeStale(corpus string, all []composed) error {
	earlier, err := readSources(corpus)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	kept := make(map[string]bool)
	for _, one := range all {
		kept[one.entry.File] = true
	}
	for _, e := range earlier {
		if kept[e.File] || filepath.Base(e.File) != e.File {
			continue
		}
		if err := durable.Remove(filepath.Join(corpus, e.File)); err != nil {
			return err
		}
	}
	return nil
}

func readSources(corpus string) ([]entry, error) {
	name := filepath.Join(corpus, sourcesFile)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var entries []entry
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return entries, nil
}
