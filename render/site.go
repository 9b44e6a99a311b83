package render

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// ErrForeignSite says that the output folder holds a site that casebook did not write.
var ErrForeignSite = errors.New("holds files that casebook did not write; choose another folder or move them away")

// generatorMark is in every page, so that a site is known as ours without any other record.
const generatorMark = `<meta name="generator" content="casebook`

// Site is the output folder. Each file in it is replaced whole; a file of another name is never touched.
type Site struct {
	dir      string
	renderer *Renderer
}

// Written is a file of the site, by its path relative to it.
type Written struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// OpenSite takes the folder dir for writing. A folder with an index.html of someone else is refused.
func OpenSite(dir string, options Options) (*Site, error) {
	if err := durable.MakeFolder(dir, durable.PublicFolder); err != nil {
		return nil, err
	}
	if err := durable.Sweep(filepath.Join(dir, "packs")); err != nil {
		return nil, err
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err == nil && !bytes.Contains(page, []byte(generatorMark)) {
		return nil, fmt.Errorf("%s: %w", dir, ErrForeignSite)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	renderer, err := New(options)
	if err != nil {
		return nil, err
	}
	return &Site{dir: dir, renderer: renderer}, nil
}

// PutCase adds the pages of a pack and a copy of it to a batch. All are there once the batch is committed; files are the
// pack's own, archive its ZIP. It returns the card for the index and what was added.
func (s *Site) PutCase(p *pack.Pack, files []evidence.File, archive []byte, batch *durable.Batch) (Card, []Written, error) {
	pages, err := s.renderer.CasePages(p)
	if err != nil {
		return Card{}, nil, err
	}
	folder, err := batch.Folder(filepath.Join(s.dir, "packs", p.Name))
	if err != nil {
		return Card{}, nil, err
	}
	var written []Written
	for _, f := range files {
		if err := folder.Add(f.Path, f.Data); err != nil {
			return Card{}, nil, err
		}
		written = append(written, Written{"packs/" + p.Name + "/" + f.Path, int64(len(f.Data))})
	}
	for _, f := range append(pages.Files, evidence.File{Path: "packs/" + p.Name + ".zip", Data: archive}) {
		if err := batch.Add(filepath.Join(s.dir, filepath.FromSlash(f.Path)), f.Data); err != nil {
			return Card{}, nil, err
		}
		written = append(written, Written{f.Path, int64(len(f.Data))})
	}
	return pages.Card, written, nil
}

// PutIndex writes the pages that list all cases and the files that every page shares, each only if it changes.
func (s *Site) PutIndex(cards []Card) error {
	pages, err := s.renderer.IndexPages(cards)
	if err != nil {
		return err
	}
	batch := &durable.Batch{}
	for _, f := range append(Assets(), pages...) {
		target := filepath.Join(s.dir, filepath.FromSlash(f.Path))
		if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, f.Data) {
			continue
		}
		if err := batch.Add(target, f.Data); err != nil {
			batch.Discard()
			return err
		}
	}
	return batch.Commit()
}

// RemoveCase deletes the pages of a case and its copied pack: the files of the list, which casebook wrote, and the
// folders that are empty then.
func (s *Site) RemoveCase(written []Written) error {
	folders := map[string]bool{}
	for _, file := range written {
		if err := durable.Remove(filepath.Join(s.dir, filepath.FromSlash(file.Path))); err != nil {
			return err
		}
		for dir := parent(file.Path); dir != ""; dir = parent(dir) {
			folders[dir] = true
		}
	}
	for deepest := len(folders); deepest > 0; deepest-- {
		for dir := range folders {
			if durable.RemoveEmpty(filepath.Join(s.dir, filepath.FromSlash(dir))) {
				delete(folders, dir)
			}
		}
	}
	return nil
}

func parent(path string) string {
	cut := strings.LastIndexByte(path, '/')
	return path[:max(cut, 0)]
}
