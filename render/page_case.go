package render

import (
	"fmt"

	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// Pages are the pages of one case in every language, and its card.
type Pages struct {
	Files []evidence.File // paths from the site's root
	Card  Card
}

// CasePages makes the pages of a pack. A checked quote of its narrative that the pack lacks is an error that wraps what
// [quote.Resolve] says.
func (r *Renderer) CasePages(p *pack.Pack) (Pages, error) {
	s, err := r.read(p)
	if err != nil {
		return Pages{}, err
	}
	pages := Pages{Card: s.card()}
	for i, l := range r.languages {
		title := l.author(p.Case.Title).Text
		frame := r.frame(i, "../../", title)
		frame.Description = l.author(p.Case.Question).Text
		view := viewCase(s, l.words, frame)
		folder := "cases/" + p.Name + "/"
		html, err := l.html.render("page_case.html.tmpl", view)
		if err != nil {
			return Pages{}, fmt.Errorf("case %s: %w", p.Name, err)
		}
		markdown, err := l.md.render("page_case.md.tmpl", view)
		if err != nil {
			return Pages{}, fmt.Errorf("case %s: %w", p.Name, err)
		}
		pages.Files = append(pages.Files,
			evidence.File{Path: folder + frame.HTML, Data: html},
			evidence.File{Path: folder + frame.Markdown, Data: markdown})
	}
	return pages, nil
}
