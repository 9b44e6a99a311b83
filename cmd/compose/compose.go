package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"casebook/engine/evidence"
)

const (
	sourcesFile  = "SOURCES.json"
	licencesFile = "LICENSES.txt"
	corpusFolder = "corpus"
)

// composed is a document with its entry in SOURCES.json.
type composed struct {
	sheet sheet
	entry entry
}

// composer cuts documents out of the packages in its folders. It remembers the files it has read, as many documents
// share one.
type composer struct {
	tree     fs.FS // the folders of the recipes, for authored parts
	folders  folders
	recorded map[string]string // by registry and name: the version to prefer where several are here
	read     map[string][]byte
}

func newComposer(tree fs.FS, f folders, recorded map[string]string) *composer {
	return &composer{tree: tree, folders: f, recorded: recorded, read: make(map[string][]byte)}
}

func (c *composer) find(p pkg) (found, error) {
	return c.folders.find(p, c.recorded[p.Registry+" "+p.Name])
}

func (c *composer) file(p pkg, name string) ([]byte, error) {
	key := p.Registry + " " + p.Name + " " + name
	if data, ok := c.read[key]; ok {
		return data, nil
	}
	here, err := c.find(p)
	if err != nil {
		return nil, err
	}
	data, err := readFile(here.files, name)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", p.Registry, p.Name, err)
	}
	c.read[key] = data
	return data, nil
}

// document makes one document of a recipe.
func (c *composer) document(r recipe, d document) (composed, error) {
	p, err := r.pkg(d.Package)
	if err != nil {
		return composed{}, err
	}
	here, err := c.find(p)
	if err != nil {
		return composed{}, err
	}
	src, err := c.source(p, d)
	if err != nil {
		return composed{}, err
	}
	way, err := ruleByID(d.Rule)
	if err != nil {
		return composed{}, err
	}
	cut, err := way.cut(src, d.Pick)
	if err == nil {
		err = checkText(cut.text)
	}
	if err != nil {
		return composed{}, fmt.Errorf("case %s: document %s: %w", r.Case, d.Slug, err)
	}
	from := origin{
		Registry: p.Registry, Name: p.Name, Version: here.version, Path: d.Path, Inside: d.Inside,
		SourceSHA256: evidence.FileDigest(src.data), Rule: d.Rule, Pick: d.Pick,
	}
	from.FirstLine, from.LastLine = outer(cut.spans)
	s := sheet{
		url: d.URL, title: d.Title, date: d.Date, from: from.sentence(d.Note),
		lines: ranges(cut.spans), licence: p.Licence, text: cut.text,
	}
	return composed{s, s.entry(d.Slug, from)}, nil
}

// source reads what the document's rule looks at.
func (c *composer) source(p pkg, d document) (source, error) {
	var src source
	var err error
	if src.data, err = c.file(p, d.Path); err != nil {
		return src, err
	}
	if d.Inside != "" {
		if src.data, err = yamlString(src.data, d.Inside); err != nil {
			return src, fmt.Errorf("%s %s: %w", d.Path, d.Inside, err)
		}
	}
	if d.Pick.Index != "" {
		src.index, err = c.file(p, d.Pick.Index)
	}
	return src, err
}

// sentence says for readers what SOURCES.json says for the checker.
func (o origin) sentence(note string) string {
	registry := map[string]string{registryDeb: "Debian", registryNpm: "npm", registryGo: "Go module", registryDist: "Go distribution"}[o.Registry]
	digest := "sha256 " + string(o.SourceSHA256[:8]) + "…"
	if packed(o.Path) {
		digest = "gunzipped " + digest
	}
	place := strings.TrimSpace(o.Path + " " + o.Inside)
	text := fmt.Sprintf("%s %s %s, %s (%s)", registry, o.Name, o.Version, place, digest)
	if note != "" {
		text += "; " + note
	}
	return text
}

func outer(spans []span) (first, last *int) {
	for _, s := range spans {
		if first == nil || s.first < *first {
			first = &s.first
		}
		if last == nil || s.last > *last {
			last = &s.last
		}
	}
	return first, last
}

func ranges(spans []span) string {
	var parts []string
	for _, s := range spans {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ", ")
}

// corpus makes all documents of a recipe, in its order.
func (c *composer) corpus(r recipe) ([]composed, error) {
	var all []composed
	for _, d := range r.Documents {
		one, err := c.document(r, d)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// sourcesJSON gives the bytes of SOURCES.json.
func sourcesJSON(all []composed) ([]byte, error) {
	entries := make([]entry, 0, len(all))
	for _, one := range all {
		entries = append(entries, one.entry)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entries); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// licences gives the bytes of LICENSES.txt: for each licence of the recipe's packages its notices, under a line that
// names the licence and the packages.
func (c *composer) licences(r recipe) ([]byte, error) {
	var out strings.Builder
	for i, n := range r.Notices {
		var names []string
		for _, p := range r.Packages {
			if p.Licence == n.Licence && (n.Package == "" || n.Package == p.ID) {
				names = append(names, p.Name)
			}
		}
		slices.Sort(names)
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "== %s: %s ==\n\n", n.Licence, strings.Join(slices.Compact(names), ", "))
		if n.Text != "" {
			out.WriteString(endOnce(n.Text))
		}
		if n.Path == "" {
			continue
		}
		text, err := c.noticeFile(r, n)
		if err != nil {
			return nil, err
		}
		if n.Text != "" {
			out.WriteString("\n")
		}
		out.WriteString(text)
	}
	return []byte(out.String()), nil
}

func (c *composer) noticeFile(r recipe, n notice) (string, error) {
	p, err := r.pkg(n.Package)
	if err != nil {
		return "", err
	}
	data, err := c.file(p, n.Path)
	if err != nil {
		return "", err
	}
	way := cutWhole
	if len(n.Lines) > 0 {
		way = cutLines
	}
	cut, err := way(source{data: data}, pick{Lines: n.Lines})
	return cut.text, err
}
