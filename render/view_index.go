package render

import (
	"strings"

	"casebook/engine/evidence"
)

// Card is what the index shows of a case, and what the list of packs says of it. It is plain data, so that the card of
// an unchanged case can be kept from one build to the next.
type Card struct {
	ID           string          `json:"id"`
	PackID       evidence.Digest `json:"pack_id"`
	AsOf         string          `json:"as_of"`
	Tags         []string        `json:"tags"`
	Title        []Words         `json:"title"`
	Question     []Words         `json:"question"`
	Outcome      []Words         `json:"outcome"`
	Modes        []string        `json:"modes"`
	Steps        int             `json:"steps"`
	Results      int             `json:"results"`
	Observations int             `json:"observations"`
	Attempts     int             `json:"attempts"`
	Failed       int             `json:"failed"`
	Skipped      int             `json:"skipped"`
	NothingFound int             `json:"nothing_found"`
	InVain       int             `json:"in_vain"`        // steps whose sources were asked and failed
	CouldNotLook int             `json:"could_not_look"` // steps where nobody was asked
	Expectations int             `json:"expectations"`
	Broken       int             `json:"broken"`
	Contested    int             `json:"contested"` // and not settled
	Settled      int             `json:"settled"`
	Authored     int             `json:"authored"` // tries whose reply we wrote ourselves
	Redactions   int             `json:"redactions"`
	Files        int             `json:"files"`
	Bytes        int64           `json:"bytes"`
}

// Words is an author's text in one language.
type Words struct {
	Lang string `json:"lang"`
	Text string `json:"text"`
}

// card is the summary of a case.
func (s *subject) card() Card {
	c, t := s.pack.Case, s.tally
	card := Card{
		ID: s.pack.Name, PackID: s.pack.ID, AsOf: s.pack.Provenance.FrozenAt, Tags: c.Tags,
		Steps: len(s.pack.Steps), Results: t.results, Observations: t.observations, Attempts: t.attempts,
		Failed: t.failed, Skipped: t.skipped, NothingFound: t.nothingFound, InVain: t.inVain, CouldNotLook: t.couldNotLook,
		Expectations: len(s.outcomes), Broken: t.broken, Contested: t.contested, Settled: t.settled, Authored: t.authored,
		Redactions: t.redacted, Files: t.files, Bytes: t.bytes,
	}
	for _, one := range c.Title {
		card.Title = append(card.Title, Words{one.Lang, one.Text})
	}
	for _, one := range c.Question {
		card.Question = append(card.Question, Words{one.Lang, one.Text})
	}
	for _, one := range s.stories {
		if text := plainNodes(one.outcome); text != "" {
			card.Outcome = append(card.Outcome, Words{one.lang, text})
		}
	}
	for _, step := range s.pack.Steps {
		card.Modes = append(card.Modes, step.Mode)
	}
	return card
}

// indexView is the page of all cases in one language.
type indexView struct {
	Page   pageView
	Counts []countView
	Cards  []cardView
	Empty  bool
}

// cardView is a case on the index.
type cardView struct {
	ID, Href, Markdown       string
	Title, Question, Outcome textView
	Tags                     []string
	Notes                    []noteView
	Facts                    string
	PackID                   string
}

// noteView is a short remark on a case; its tone colours it.
type noteView struct{ Text, Tone string }

func viewIndex(cards []Card, w *words, page pageView) *indexView {
	view := &indexView{Page: page, Empty: len(cards) == 0}
	var results, observations, attempts, failed, broken int
	for _, c := range cards {
		view.Cards = append(view.Cards, viewCard(c, w, page))
		results, observations, attempts = results+c.Results, observations+c.Observations, attempts+c.Attempts
		failed, broken = failed+c.Failed, broken+c.Broken
	}
	count := func(key string, n int, alert bool) {
		view.Counts = append(view.Counts, countView{Number: w.number(int64(n)), Label: w.format(key, n), Alert: alert && n > 0})
	}
	count("count.cases", len(cards), false)
	count("count.results", results, false)
	count("count.observations", observations, false)
	count("count.attempts", attempts, false)
	count("count.failed", failed, true)
	count("count.broken", broken, true)
	return view
}

func viewCard(c Card, w *words, page pageView) cardView {
	return cardView{
		ID: c.ID, Href: "cases/" + c.ID + "/" + page.HTML, Markdown: "cases/" + c.ID + "/" + page.Markdown,
		Title: pick(c.Title, w.tag), Question: pick(c.Question, w.tag), Outcome: pick(c.Outcome, w.tag),
		Tags: c.Tags, Notes: notes(c, w), PackID: string(c.PackID),
		Facts: w.format("card.facts", w.format("card.results", c.Results), w.format("card.observations", c.Observations),
			w.format("card.attempts", c.Attempts)),
	}
}

// notes are the remarks of a card: how its steps ran first, then all that a reader should know before opening it.
func notes(c Card, w *words) []noteView {
	var all []noteView
	seen := map[string]bool{}
	for _, mode := range c.Modes {
		if !seen[mode] {
			all = append(all, noteView{Text: w.label("mode_short", mode).Text})
		}
		seen[mode] = true
	}
	note := func(n int, key, tone string) {
		if n > 0 {
			all = append(all, noteView{w.format(key, n), tone})
		}
	}
	note(c.InVain, "note.in_vain", "bad")
	note(c.CouldNotLook, "note.could_not_look", "bad")
	note(c.NothingFound, "note.nothing_found", "empty")
	note(c.Authored, "note.authored", "empty")
	note(c.Contested, "note.contested", "empty")
	note(c.Settled, "note.settled", "")
	note(c.Failed, "note.failed", "bad")
	note(c.Skipped, "note.skipped", "empty")
	note(c.Broken, "note.broken", "bad")
	note(c.Redactions, "note.redactions", "empty")
	if c.Expectations > 0 && c.Broken == 0 {
		note(c.Expectations, "note.held", "good")
	}
	return all
}

// pick is the text in a language, else the first.
func pick(all []Words, tag string) textView {
	for _, one := range all {
		if strings.EqualFold(one.Lang, tag) {
			return textView{Text: one.Text}
		}
	}
	if len(all) == 0 {
		return textView{}
	}
	return textView{all[0].Text, all[0].Lang}
}
