package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"casebook/engine/casefile"
	"casebook/engine/evidence"
	"casebook/engine/expect"
	"casebook/engine/pack"
	"casebook/engine/quote"
)

// subject is what the views of one case share in every language: what was read from its pack once.
type subject struct {
	pack      *pack.Pack
	outcomes  []expect.Outcome
	stories   []told
	contested []contest
	places    map[string][]span // quoted places by the anchor of their text
	records   [][]evidence.Digest
	positions []map[string]int // of observations, by id, one map a step
	folders   []map[string]string
	paths     map[string]bool // of the pack's files
	tally     tally
}

// told is a narrative, split behind its first paragraph.
type told struct {
	lang          string
	outcome, rest []*node
}

// contest is a disagreement of two sources with both quotes read.
type contest struct {
	quotes   [2]quoted
	note     casefile.Text
	resolved *resolved
}

// quoted is an author's text with the places of its checked quotes.
type quoted struct {
	nodes  []*node
	places []quote.Place
}

type resolved struct{ by, note casefile.Text }

// tally counts what the page's head and the index tell.
type tally struct {
	pinned, replayed, imported int
	recorded                   [2]string // when the first and the last of the replayed executions had finished
	results, observations      int
	attempts, failed, skipped  int
	contested, settled         int // disagreements that stand open, and those that the author settled
	broken, redacted           int
	authored                   int // tries whose reply we wrote ourselves
	nothingFound, inVain       int // steps that found nothing, and those whose sources were asked and failed
	couldNotLook               int // steps where nobody was asked
	files                      int
	bytes                      int64
}

// read makes the subject of a pack. A checked quote that the pack lacks is an error.
func (r *Renderer) read(p *pack.Pack) (*subject, error) {
	s := &subject{pack: p, outcomes: r.check(p), places: map[string][]span{}, paths: map[string]bool{}}
	for _, f := range p.Files {
		s.paths[f.Path] = true
	}
	for i := range p.Steps {
		if err := s.index(&p.Steps[i]); err != nil {
			return nil, err
		}
	}
	for _, n := range p.Case.Narratives {
		nodes, err := readNarrative(r.author, n.Source, s.linker(r.resolve))
		if err != nil {
			return nil, fmt.Errorf("case %s: %s: %w", p.Name, n.File, err)
		}
		s.stories = append(s.stories, split(n.Lang, nodes))
	}
	for _, c := range p.Case.Contested {
		read, err := r.contest(s, c)
		if err != nil {
			return nil, fmt.Errorf("case %s: contested: %w", p.Name, err)
		}
		s.contested = append(s.contested, read)
	}
	s.count()
	return s, nil
}

// index prepares the look-ups of one step.
func (s *subject) index(step *pack.Step) error {
	positions, folders := map[string]int{}, map[string]string{}
	var records []evidence.Digest
	if step.Response != nil {
		for i := range step.Response.Observations {
			o := &step.Response.Observations[i]
			positions[o.ObservationID] = i + 1
			digest, err := evidence.RecordDigest(o)
			if err != nil {
				return fmt.Errorf("case %s: step %s: observation %d: %w", s.pack.Name, step.Spec.ID, i+1, err)
			}
			records = append(records, digest)
		}
	}
	if step.Recording != nil {
		for _, a := range step.Recording.Attempts {
			folders[a.Record.AttemptID] = a.Folder
		}
	}
	s.positions, s.folders, s.records = append(s.positions, positions), append(s.folders, folders), append(s.records, records)
	return nil
}

func split(lang string, nodes []*node) told {
	if len(nodes) > 0 && nodes[0].Kind == "p" {
		return told{lang, nodes[0].Children, nodes[1:]}
	}
	return told{lang, nil, nodes}
}

// told is the narrative in a language, else that in the case's first, nil where there is none.
func (s *subject) told(lang string) *told {
	_, first := s.pack.Case.Title.In("")
	for _, wanted := range []string{lang, first} {
		for i := range s.stories {
			if strings.EqualFold(s.stories[i].lang, wanted) {
				return &s.stories[i]
			}
		}
	}
	if len(s.stories) == 0 {
		return nil
	}
	return &s.stories[0]
}

// linker resolves a checked quote and remembers its place, so that the page highlights it.
func (s *subject) linker(resolve resolver) linker {
	return func(target, quoted string) (string, error) {
		ref, err := quote.Parse(target)
		if err != nil {
			return "", err
		}
		place, err := resolve(s.pack, ref, quoted)
		if err != nil {
			return "", err
		}
		field := anchor(s.holder(place), place.Field)
		id := anchor(field, strconv.Itoa(place.Start)+"-"+strconv.Itoa(place.End))
		if !slices.ContainsFunc(s.places[field], func(p span) bool { return p.id == id }) {
			s.places[field] = append(s.places[field], span{place.Start, place.End, id})
		}
		return "#" + id, nil
	}
}

// holder is the anchor of the result or observation that a place stands in.
func (s *subject) holder(place quote.Place) string {
	if place.Rank > 0 {
		return rankAnchor(place.Step, place.Rank)
	}
	for i := range s.pack.Steps {
		if s.pack.Steps[i].Spec.ID == place.Step {
			return observationAnchor(place.Step, s.positions[i][place.ObservationID])
		}
	}
	return place.Step
}

// address is the observed URL of what a place stands in.
func (s *subject) address(place quote.Place) string {
	for i := range s.pack.Steps {
		if position := s.positions[i][place.ObservationID]; position > 0 && s.pack.Steps[i].Spec.ID == place.Step {
			return s.pack.Steps[i].Response.Observations[position-1].URL.Observed
		}
	}
	return ""
}

func (r *Renderer) contest(s *subject, c casefile.Contest) (contest, error) {
	read := contest{note: c.Note}
	for i, between := range c.Between {
		q := &read.quotes[i]
		noting := func(p *pack.Pack, ref quote.Ref, text string) (quote.Place, error) {
			place, err := r.resolve(p, ref, text)
			q.places = append(q.places, place)
			return place, err
		}
		nodes, err := readNarrative(r.author, []byte(between), s.linker(noting))
		if err != nil {
			return read, err
		}
		if len(nodes) > 0 {
			q.nodes = nodes[0].Children
		}
	}
	if c.Resolved != nil {
		read.resolved = &resolved{by: c.Resolved.By, note: c.Resolved.Note}
	}
	return read, nil
}

func (s *subject) count() {
	t := &s.tally
	for i := range s.pack.Steps {
		s.countStep(&s.pack.Steps[i])
	}
	t.redacted = len(s.pack.Ledger.Entries)
	for _, c := range s.contested {
		if c.resolved == nil {
			t.contested++
		} else {
			t.settled++
		}
	}
	t.broken = len(expect.Failed(s.outcomes))
	for _, f := range s.pack.Files {
		t.files++
		t.bytes += f.Bytes
	}
}

func (s *subject) countStep(step *pack.Step) {
	t := &s.tally
	switch step.Mode {
	case evidence.ModePinned:
		t.pinned++
	case evidence.ModeImported:
		t.imported++
	default:
		t.replayed++
	}
	if r := step.Response; r != nil {
		t.results += len(r.Results)
		t.observations += len(r.Observations)
		switch how := inVain(step); {
		case how == askedInVain:
			t.inVain++
		case how != "":
			t.couldNotLook++
		case len(r.Observations) == 0:
			t.nothingFound++
		}
	}
	if step.Recording == nil {
		return
	}
	if finished := step.Recording.Execution.FinishedAt; step.Mode == evidence.ModeReplay {
		if t.recorded[0] == "" || before(finished, t.recorded[0]) {
			t.recorded[0] = finished
		}
		if before(t.recorded[1], finished) {
			t.recorded[1] = finished
		}
	}
	for _, a := range step.Recording.Attempts {
		t.attempts++
		for i := range a.Tries {
			if a.Tries[i].Origin == evidence.OriginAuthored {
				t.authored++
			}
		}
		switch a.Record.Outcome {
		case evidence.OutcomeFailed, evidence.OutcomeCancelled:
			t.failed++
		case evidence.OutcomeSkipped:
			t.skipped++
		}
	}
}

// before compares times in the form of packs, in which a fraction of a second stands before the letter of the zone.
func before(a, b string) bool { return strings.TrimSuffix(a, "Z") < strings.TrimSuffix(b, "Z") }

// Ways in which a step gets nothing although there may be something.
const (
	askedInVain = "failed"  // a source was asked and failed
	allSkipped  = "skipped" // there were sources, and none was asked
	nobodyAsked = "nobody"  // there was no source to ask
)

// inVain says in which way a step failed, "" where it did not.
func inVain(step *pack.Step) string {
	if step.Response == nil || step.Response.Status != evidence.StatusFailed {
		return ""
	}
	asked := func(a evidence.Attempt) bool { return a.Decision == evidence.Attempted }
	switch attempts := step.Response.ProviderAttempts; {
	case slices.ContainsFunc(attempts, asked):
		return askedInVain
	case len(attempts) > 0:
		return allSkipped
	}
	return nobodyAsked
}

func stepAnchor(step string) string { return anchor("step", step) }
