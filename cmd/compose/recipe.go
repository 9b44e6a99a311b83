package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"gopkg.in/yaml.v3"
)

// recipes holds one folder per case: recipe.yaml, and for a case that is never committed also its authored parts.
//
//go:embed cases
var recipes embed.FS

const recipeFile = "recipe.yaml"

// Kinds of a recipe: records may be committed, prose is composed when needed and stays outside the tree.
const (
	kindRecords = "records"
	kindProse   = "prose"
)

// recipe says how the corpus of one case is made.
type recipe struct {
	Case      string     `yaml:"-"`
	Kind      string     `yaml:"kind"`
	Packages  []pkg      `yaml:"packages"`
	Documents []document `yaml:"documents"`
	Notices   []notice   `yaml:"notices"`
	Facts     []fact     `yaml:"facts"`
}

// pkg is a package that documents of a recipe come from. Version is the one that the recipe's facts were counted at;
// what a corpus was composed from is the version that was found, in SOURCES.json.
type pkg struct {
	ID       string `yaml:"id"`
	Registry string `yaml:"registry"`
	Name     string `yaml:"name"`
	Version  string `yaml:"version"`
	Licence  string `yaml:"licence"`
}

// document is one document of a corpus, and where its text is cut from.
type document struct {
	Slug    string `yaml:"slug"`
	URL     string `yaml:"url"`
	Title   string `yaml:"title"`
	Date    string `yaml:"date"`
	Package string `yaml:"package"`
	Path    string `yaml:"path"`
	Inside  string `yaml:"inside"` // of a recording in YAML: the JSON Pointer of the string that is the source
	Rule    string `yaml:"rule"`
	Pick    pick   `yaml:"pick"`
	Note    string `yaml:"note"`
}

// pick is what a rule takes from its source; each rule reads the members that are its own.
type pick struct {
	Lines   []linePick `yaml:"lines" json:"lines,omitempty"`     // absent: not lines/1
	Release string     `yaml:"release" json:"release,omitempty"` // absent: not split-release/1
	Entry   string     `yaml:"entry" json:"entry,omitempty"`     // absent: not dictd/1
	Index   string     `yaml:"index" json:"index,omitempty"`     // absent: not dictd/1
	At      string     `yaml:"at" json:"at,omitempty"`           // absent: json-keys/1 begins at the root, or another rule
	Keys    []string   `yaml:"keys" json:"keys,omitempty"`       // absent: json-keys/1 takes all members, or another rule
}

// notice is the part of LICENSES.txt for one licence: our own words, a file of a package, or the words and then the
// file.
type notice struct {
	Licence string     `yaml:"licence"`
	Text    string     `yaml:"text"`
	Package string     `yaml:"package"`
	Path    string     `yaml:"path"`
	Lines   []linePick `yaml:"lines"`
}

// fact is a quote that a document must hold at a place. At gives the place in code points, in UTF-16 units and in
// bytes; Text begins the SHA-256 of the document's text.
type fact struct {
	Slug  string `yaml:"slug"`
	At    [3]int `yaml:"at,flow"`
	Quote string `yaml:"quote"`
	Text  string `yaml:"text"`
}

// loadRecipes reads every recipe of the tree, sorted by case. A member that no recipe knows is a fault: a misspelt
// one would change a corpus in silence.
func loadRecipes(tree fs.FS) ([]recipe, error) {
	files, err := fs.Glob(tree, "cases/*/"+recipeFile)
	if err != nil {
		return nil, err
	}
	folders, err := fs.Glob(tree, "cases/*")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || len(files) != len(folders) {
		return nil, fmt.Errorf("recipes: %d files for %d folders", len(files), len(folders))
	}
	var all []recipe
	for _, file := range files {
		data, err := fs.ReadFile(tree, file)
		if err != nil {
			return nil, err
		}
		r := recipe{Case: path.Base(path.Dir(file))}
		dec := yaml.NewDecoder(bytes.NewReader(data))
		dec.KnownFields(true)
		if err := dec.Decode(&r); err != nil {
			return nil, fmt.Errorf("recipe %s: %w", r.Case, err)
		}
		if err := r.valid(); err != nil {
			return nil, fmt.Errorf("recipe %s: %w", r.Case, err)
		}
		all = append(all, r)
	}
	return all, nil
}

func (r recipe) valid() error {
	if r.Kind != kindRecords && r.Kind != kindProse {
		return fmt.Errorf("kind %q: not records or prose", r.Kind)
	}
	if len(r.Documents) == 0 {
		return errors.New("no documents")
	}
	slugs, urls := make(map[string]bool), make(map[string]bool)
	for _, d := range r.Documents {
		if slugs[d.Slug] || urls[d.URL] {
			return fmt.Errorf("document %q: its slug or url stands twice", d.Slug)
		}
		slugs[d.Slug], urls[d.URL] = true, true
		if err := d.valid(r); err != nil {
			return fmt.Errorf("document %q: %w", d.Slug, err)
		}
	}
	for _, f := range r.Facts {
		if !slugs[f.Slug] || f.Quote == "" {
			return fmt.Errorf("fact %q: no quote, or no document %q", f.Quote, f.Slug)
		}
	}
	for _, p := range r.Packages {
		if p.Version == "" {
			return fmt.Errorf("package %s: no version", p.ID)
		}
		if !slices.ContainsFunc(r.Notices, func(n notice) bool { return n.Licence == p.Licence }) {
			return fmt.Errorf("package %s: no notice for licence %q", p.ID, p.Licence)
		}
	}
	return nil
}

func (d document) valid(r recipe) error {
	if d.Slug == "" || path.Base(d.Slug) != d.Slug || d.URL == "" || d.Title == "" || d.Date == "" {
		return errors.New("slug, url, title and date are needed")
	}
	if _, err := r.pkg(d.Package); err != nil {
		return err
	}
	_, err := ruleByID(d.Rule)
	return err
}

func (r recipe) pkg(id string) (pkg, error) {
	for _, p := range r.Packages {
		if p.ID == id {
			return p, nil
		}
	}
	return pkg{}, fmt.Errorf("package %q: not in the recipe", id)
}
