package render

import (
	"fmt"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// packListFormat is the format name of packs/index.json.
const packListFormat = "casebook-pack-list/1"

// packList is packs/index.json: every pack of the site.
type packList struct {
	Format string       `json:"format"`
	Packs  []listedPack `json:"packs"`
}

type listedPack struct {
	ID       string          `json:"id"`
	PackID   evidence.Digest `json:"pack_id"`
	FrozenAt string          `json:"frozen_at"`
	Title    []Words         `json:"title"`
	Folder   string          `json:"folder"`
	Archive  string          `json:"archive"`
	Page     string          `json:"page"`
	Files    int             `json:"files"`
	Bytes    int64           `json:"bytes"`
}

// IndexPages makes the pages that list all cases, in the order given, and the list of packs.
func (r *Renderer) IndexPages(cards []Card) ([]evidence.File, error) {
	var files []evidence.File
	for i, l := range r.languages {
		frame := r.frame(i, "", "")
		frame.Title, frame.Description = frame.Site, l.text("index.lead")
		view := viewIndex(cards, l.words, frame)
		html, err := l.html.render("page_index.html.tmpl", view)
		if err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		markdown, err := l.md.render("page_index.md.tmpl", view)
		if err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		files = append(files, evidence.File{Path: frame.HTML, Data: html}, evidence.File{Path: frame.Markdown, Data: markdown})
	}
	list := packList{Format: packListFormat, Packs: []listedPack{}}
	for _, c := range cards {
		list.Packs = append(list.Packs, listedPack{
			ID: c.ID, PackID: c.PackID, FrozenAt: c.AsOf, Title: c.Title, Folder: c.ID + "/", Archive: c.ID + ".zip",
			Page: "../cases/" + c.ID + "/" + r.fileName(0, ".html"), Files: c.Files, Bytes: c.Bytes,
		})
	}
	data, err := canon.EncodeLine(list)
	if err != nil {
		return nil, fmt.Errorf("list of packs: %w", err)
	}
	return append(files, evidence.File{Path: "packs/index.json", Data: data}), nil
}
