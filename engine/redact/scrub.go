package redact

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// recordingsRoot is where recordings stand in a pack.
const recordingsRoot = "data/recordings"

// document is one file of a recording under way.
type document struct {
	step      string
	name      string // path within the step's folder
	path      string // path from the bag root
	kind      fileKind
	tree      any
	pinned    bool
	committed bool
}

// change is one string that holds placeholders or will.
type change struct {
	*document
	stored
	kept []knownEntry
	hits []hit
}

// Scrub removes from the recordings of a case what the rules find and returns what may be published. It changes none
// of its arguments, and equal arguments give equal results. Scrubbing the result with its own ledger changes nothing.
//
// It refuses, with a [*FindingsError] that names places and rules: a hit in a request (it is source and gets
// mended), in a name or an id, and in a committed recording. Ids go to recorded steps first, then to pinned ones,
// within each by file, pointer and start.
func Scrub(recordings []evidence.Recording, options Options) (Clean, error) {
	if err := options.check(); err != nil {
		return Clean{}, err
	}
	documents, err := open(recordings, options)
	if err != nil {
		return Clean{}, err
	}
	known, err := carryOver(documents, options.Known)
	if err != nil {
		return Clean{}, err
	}
	s := &scrubber{finder: newFinder(options.Rules), options: options, known: known}
	s.learnCredentials(documents)
	if err := s.search(documents); err != nil {
		return Clean{}, err
	}
	if err := s.apply(); err != nil {
		return Clean{}, err
	}
	return s.finish(documents)
}

func (o Options) check() error {
	if err := checkSwitches(o.Rules); err != nil {
		return err
	}
	if err := o.Key.check(); err != nil {
		return err
	}
	if o.Known != nil {
		if err := checkLedger(*o.Known); err != nil {
			return fmt.Errorf("known redactions: %w", err)
		}
	}
	return nil
}

// open parses the files of all recordings.
func open(recordings []evidence.Recording, options Options) ([]*document, error) {
	var documents []*document
	steps := map[string]bool{}
	for i := range recordings {
		r := &recordings[i]
		if steps[r.Step] {
			return nil, fmt.Errorf("recordings: step %q stands there twice", r.Step)
		}
		steps[r.Step] = true
		files, err := r.Files()
		if err != nil {
			// The cause may quote what it stumbled over.
			return nil, fmt.Errorf("recording of step %q: it can't be written as canonical JSON", r.Step)
		}
		pinned := r.Execution.Mode == evidence.ModePinned
		for _, file := range files {
			d := &document{step: r.Step, name: file.Path, path: path.Join(recordingsRoot, r.Step, file.Path), pinned: pinned}
			d.committed = !pinned && options.Known != nil && !slices.Contains(options.Fresh, r.Step)
			if d.kind, err = kindOf(file.Path); err != nil {
				return nil, fmt.Errorf("recording of step %q: %w", r.Step, err)
			}
			if d.tree, err = canon.Parse(file.Data); err != nil {
				return nil, fmt.Errorf("%s: %w", d.path, err)
			}
			documents = append(documents, d)
		}
	}
	return documents, nil
}

// scrubber is the state of one call of [Scrub].
type scrubber struct {
	*finder
	options Options
	known   knownLedger
	changes []*change
	ledger  Ledger
}

// learnCredentials looks through the requests for credentials, so that they are found where a reply echoes them.
func (s *scrubber) learnCredentials(documents []*document) {
	for _, d := range documents {
		if d.kind != tryFile {
			continue
		}
		for _, text := range d.kind.strings(d.tree) {
			if text.isName || !text.site.place.request() {
				continue
			}
			kept := spansOf(s.known.at(d.path, text.pointer()))
			for _, h := range s.settle(text.text, text.site, kept) {
				if h.rule.class == classSecret {
					s.learnValue(h.value)
				}
			}
		}
	}
}

// learnValue adds a credential as it stands, decoded, and without its scheme.
func (s *scrubber) learnValue(value string) {
	s.learn(value)
	if decoded := (&view{text: value}).percentDecode(); decoded != nil {
		s.learn(decoded.text)
	}
	if scheme, token, ok := strings.Cut(value, " "); ok && authScheme(scheme) {
		s.learn(token)
	}
}

// search runs the rules over every string and keeps those that change.
func (s *scrubber) search(documents []*document) error {
	var source, stuck, news []Hit
	for _, d := range documents {
		for _, text := range d.kind.strings(d.tree) {
			kept := s.known.at(d.path, text.pointer())
			if text.isName {
				kept = nil
			}
			hits := s.settle(text.text, text.site, spansOf(kept))
			report := hitsAt(d.path, text.pointer(), hits)
			switch {
			case text.site.place == inSource:
				source = append(source, report...)
			case text.isName || text.fixed:
				stuck = append(stuck, report...)
			case d.committed && !s.options.Append:
				news = append(news, report...)
			}
			if len(hits) > 0 || len(kept) > 0 {
				s.changes = append(s.changes, &change{document: d, stored: text, kept: kept, hits: hits})
			}
		}
	}
	switch {
	case len(source) > 0:
		return &FindingsError{"a request is source and is mended, not redacted", source}
	case len(stuck) > 0:
		return &FindingsError{"a name or an id can't be redacted", stuck}
	case len(news) > 0:
		return &FindingsError{"new in a committed recording; freeze --redact removes it", news}
	}
	return nil
}

func hitsAt(file, pointer string, hits []hit) []Hit {
	var out []Hit
	for _, h := range hits {
		out = append(out, Hit{File: file, Pointer: pointer, Offset: h.start, Rule: h.rule.id})
	}
	return out
}

// apply issues ids, writes the placeholders and fills the ledger.
func (s *scrubber) apply() error {
	slices.SortFunc(s.changes, func(a, b *change) int {
		return cmp.Or(compareBool(a.pinned, b.pinned), strings.Compare(a.path, b.path), strings.Compare(a.pointer(), b.pointer()))
	})
	s.ledger = evidence.NewLedger()
	s.ledger.Recomputed = append(s.ledger.Recomputed, s.known.recomputed...)
	entry, target := s.known.lastEntry, s.known.lastTarget
	for _, c := range s.changes {
		if len(c.hits) > 0 && !c.pinned && s.options.Key == nil && !(c.committed && s.options.Append) {
			return fmt.Errorf("%s#%s: a redaction of a recorded step needs the key of its run", c.path, c.pointer())
		}
		t, old := s.known.targets[placeKey(c.path, c.pointer())]
		if !old {
			target++
			t = s.newTarget(c, makeID("ot", target))
		}
		s.ledger.Targets = append(s.ledger.Targets, t)
		entry = s.write(c, t.ID, entry)
	}
	sortLedger(&s.ledger)
	return checkLedger(s.ledger)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// newTarget is the ledger's row for a string that changes for the first time.
func (s *scrubber) newTarget(c *change, id string) Target {
	t := Target{ID: id, File: c.path, Pointer: c.pointer()}
	if !c.pinned {
		if s.options.Run != nil {
			run := *s.options.Run
			t.Run = &run
		}
		if s.options.Key != nil {
			commitment := CommitTarget(s.options.Key, id, c.text)
			t.OriginalCommitment = &commitment
		}
	}
	return t
}

// noteNoKey explains a missing commitment of a recorded step.
const noteNoKey = "the key of the run was gone"

// newEntry is the ledger's row for a new hit.
func (s *scrubber) newEntry(c *change, h hit, id, target string) Entry {
	e := Entry{ID: id, Target: target, Class: h.rule.class, Rule: h.rule.id, Reason: h.rule.reason(c.site.place)}
	if h.doubt {
		e.Reason += "; its exact place can't be told, so the whole text was removed"
	}
	switch {
	case c.pinned:
	case s.options.Key == nil:
		e.Note = noteNoKey
	default:
		commitment := CommitValue(s.options.Key, id, c.text[h.start:h.end])
		e.Commitment = &commitment
	}
	return e
}

// write puts the placeholders into one string, counts ids on from last and returns the last one issued.
func (s *scrubber) write(c *change, target string, last int) int {
	var out strings.Builder
	from := 0
	put := func(at span, e Entry, mark string) {
		out.WriteString(c.text[from:at.start])
		e.Start, e.Length = out.Len(), len(mark)
		out.WriteString(mark)
		s.ledger.Entries = append(s.ledger.Entries, e)
		from = at.end
	}
	hits, kept := c.hits, c.kept
	for len(hits) > 0 || len(kept) > 0 {
		if len(kept) == 0 || len(hits) > 0 && hits[0].start < kept[0].start {
			last++
			e := s.newEntry(c, hits[0], makeID("rd", last), target)
			mark := placeholder(e.ID)
			if hits[0].quoted {
				mark = strconv.Quote(mark)
			}
			put(hits[0].span, e, mark)
			hits = hits[1:]
			continue
		}
		put(kept[0].span, kept[0].entry, c.text[kept[0].start:kept[0].end])
		kept = kept[1:]
	}
	out.WriteString(c.text[from:])
	if len(c.hits) > 0 {
		c.set(out.String())
	}
	return last
}
