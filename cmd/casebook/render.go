package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/engine/pack"
	"casebook/render"
)

func newRender(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "render",
		Short: "packs to site",
		Long:  "Writes the pages of every pack under packs/, from the packs alone; each byte is hashed on the way.\n\nExit codes: 0; 1 a pack is damaged; 2; 4.",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return runRender(cmd.Context(), e) },
	}
}

func (p *project) renderOptions() render.Options {
	return render.Options{Languages: p.settings.Site.Languages, Title: p.settings.Site.Title}
}

func runRender(ctx context.Context, e *env) error {
	p, err := e.openToWrite()
	if err != nil {
		return err
	}
	defer p.close()
	if err := durable.Sweep(p.path(packsFolder)); err != nil {
		return err
	}
	site, err := render.OpenSite(p.path(siteFolder), p.renderOptions())
	if err != nil {
		return &inputError{err: err}
	}
	entries, err := os.ReadDir(p.path(packsFolder))
	if err != nil {
		return &inputError{err: err, hint: "make packs with: casebook freeze"}
	}
	var cards []render.Card
	for _, entry := range entries {
		if !entry.IsDir() || entry.Name()[0] == '.' || entry.Name() == "earlier" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		card, err := p.renderPack(site, entry.Name())
		if err != nil {
			return err
		}
		cards = append(cards, card)
	}
	if err := site.PutIndex(cards); err != nil {
		return err
	}
	e.printf("%d cases\nsite: %s\n", len(cards), filepath.Join(p.dir, siteFolder, "index.html"))
	return nil
}

func (p *project) renderPack(site *render.Site, id string) (render.Card, error) {
	dir := os.DirFS(p.path(packsFolder, id))
	opened, err := pack.Open(dir, id)
	if err != nil {
		return render.Card{}, &differsError{fmt.Sprintf("%s/%s: %v", packsFolder, id, err)}
	}
	var files []evidence.File
	err = fs.WalkDir(dir, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dir, path)
		files = append(files, evidence.File{Path: path, Data: data})
		return err
	})
	if err != nil {
		return render.Card{}, err
	}
	archive, err := os.ReadFile(p.path(packsFolder, id+".zip"))
	if err != nil {
		return render.Card{}, err
	}
	batch := &durable.Batch{}
	defer batch.Discard()
	card, _, err := site.PutCase(opened, files, archive, batch)
	if err != nil {
		return render.Card{}, err
	}
	return card, batch.Commit()
}
