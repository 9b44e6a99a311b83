package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"casebook/engine/evidence"
)

// Verdicts of a check, one a document.
const (
	verdictSame    = "same"
	verdictChanged = "changed upstream"
	verdictNotHere = "package not here"
	verdictDiffers = "differs"
)

// checker compares committed corpora with what the packages give.
type checker struct {
	tree    fs.FS
	folders folders
	out     io.Writer
	faults  int
}

func (c *checker) say(id, slug, verdict, detail string) {
	if verdict == verdictDiffers {
		c.faults++
	}
	if detail != "" {
		detail = " (" + detail + ")"
	}
	fmt.Fprintf(c.out, "%s/%s: %s%s\n", id, slug, verdict, detail)
}

// checkCase prints one line for each document that the case's corpus or its recipe has. A document differs only where
// the package is here at the recorded version and gives other bytes, or where the files contradict each other.
func (c *checker) checkCase(r recipe, dir string) error {
	corpus := filepath.Join(dir, r.Case, corpusFolder)
	entries, err := readSources(corpus)
	if err != nil {
		return err
	}
	recorded := make(map[string]string)
	byFile := make(map[string]entry)
	for _, e := range entries {
		recorded[e.From.Registry+" "+e.From.Name] = e.From.Version
		byFile[e.File] = e
	}
	maker := newComposer(c.tree, c.folders, recorded)
	for _, d := range r.Documents {
		e, listed := byFile[d.Slug+".txt"]
		delete(byFile, d.Slug+".txt")
		if !listed {
			c.say(r.Case, d.Slug, verdictDiffers, "in the recipe, not in "+sourcesFile)
			continue
		}
		verdict, detail := compare(maker, r, d, e, corpus)
		c.say(r.Case, d.Slug, verdict, detail)
	}
	for _, e := range entries {
		if _, left := byFile[e.File]; left {
			c.say(r.Case, e.File, verdictDiffers, "in "+sourcesFile+", not in the recipe")
		}
	}
	if err := c.checkFiles(r, entries, corpus); err != nil {
		return err
	}
	return c.checkNotices(maker, r, entries, filepath.Join(dir, r.Case, licencesFile))
}

// compare judges one document: first the committed file against its entry, then the file against the package.
func compare(maker *composer, r recipe, d document, e entry, corpus string) (verdict, detail string) {
	data, err := os.ReadFile(filepath.Join(corpus, e.File))
	if err != nil {
		return verdictDiffers, err.Error()
	}
	kept, err := parseSheet(data)
	if err == nil {
		err = checkText(kept.text)
	}
	if err != nil {
		return verdictDiffers, err.Error()
	}
	if !sameEntry(kept.entry(d.Slug, e.From), e) {
		return verdictDiffers, "header or bytes are not those of " + sourcesFile
	}
	p, err := r.pkg(d.Package)
	if err != nil {
		return verdictDiffers, err.Error()
	}
	here, err := maker.find(p)
	if errors.Is(err, errNotHere) {
		return verdictNotHere, ""
	}
	if err != nil {
		return verdictDiffers, err.Error()
	}
	made, err := maker.document(r, d)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// An installed system may leave out the documents of a package that it has.
		return verdictNotHere, d.Path + " is not in version " + here.version
	case here.version != e.From.Version && err == nil && made.sheet.text == kept.text:
		return verdictSame, "the text, at version " + here.version
	case here.version != e.From.Version:
		return verdictChanged, "version " + here.version + ", recorded " + e.From.Version
	case err != nil:
		return verdictDiffers, err.Error()
	case !bytes.Equal(made.sheet.file(), data) || !sameEntry(made.entry, e):
		return verdictDiffers, "from version " + here.version
	}
	return verdictSame, ""
}

func sameEntry(a, b entry) bool {
	x, errX := evidence.RecordDigest(a)
	y, errY := evidence.RecordDigest(b)
	return errX == nil && errY == nil && x == y
}

// checkFiles looks for documents that the engine would read and SOURCES.json does not name.
func (c *checker) checkFiles(r recipe, entries []entry, corpus string) error {
	listed := make(map[string]bool)
	for _, e := range entries {
		listed[e.File] = true
	}
	files, err := os.ReadDir(corpus)
	if err != nil {
		return err
	}
	for _, f := range files {
		if ext := filepath.Ext(f.Name()); (ext == ".txt" || ext == ".md") && !listed[f.Name()] {
			c.say(r.Case, f.Name(), verdictDiffers, "not in "+sourcesFile)
		}
	}
	return nil
}

// checkNotices holds LICENSES.txt against the licences in use, and against the packages where all are here at their
// recorded versions. It is silent unless something is wrong.
func (c *checker) checkNotices(maker *composer, r recipe, entries []entry, name string) error {
	kept, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	current := true
	for _, e := range entries {
		if !bytes.Contains(kept, []byte("== "+e.Licence+": ")) {
			c.say(r.Case, licencesFile, verdictDiffers, "no notice for licence "+e.Licence)
		}
		here, err := maker.folders.find(pkg{Registry: e.From.Registry, Name: e.From.Name}, e.From.Version)
		current = current && err == nil && here.version == e.From.Version
	}
	if !current {
		return nil
	}
	made, err := maker.licences(r)
	if errors.Is(err, errNotHere) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !bytes.Equal(made, kept) {
		c.say(r.Case, licencesFile, verdictDiffers, "not what the packages give")
	}
	return err
}
