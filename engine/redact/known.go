package redact

import (
	"fmt"
	"strings"

	"casebook/engine/canon"
)

// knownEntry is an entry that is carried over and where its placeholder stands.
type knownEntry struct {
	span
	entry Entry
}

// knownLedger is what is carried over of an earlier ledger.
type knownLedger struct {
	targets    map[string]Target // by placeKey
	entries    map[string][]knownEntry
	recomputed []Recomputed
	lastEntry  int // highest numbers issued
	lastTarget int
}

// at are the entries of one string, by start.
func (k knownLedger) at(file, pointer string) []knownEntry { return k.entries[placeKey(file, pointer)] }

func spansOf(entries []knownEntry) []span {
	spans := make([]span, len(entries))
	for i, e := range entries {
		spans[i] = e.span
	}
	return spans
}

// carryOver holds a ledger against the recordings that it describes. A pinned step is made anew at every build: when
// its strings don't hold the placeholders, its part of the ledger is dropped and comes out again.
func carryOver(documents []*document, ledger *Ledger) (knownLedger, error) {
	k := knownLedger{targets: map[string]Target{}, entries: map[string][]knownEntry{}}
	if ledger == nil {
		return k, nil
	}
	byPath := map[string]*document{}
	for _, d := range documents {
		byPath[d.path] = d
	}
	dropped := map[string]bool{}
	for _, t := range ledger.Targets {
		d := byPath[t.File]
		if d == nil {
			return k, fmt.Errorf("known redactions: target %s: there is no %s", t.ID, t.File)
		}
		err := k.carry(d, t, ledger.Entries)
		if err != nil && !d.pinned {
			return k, err
		}
		if err != nil {
			dropped[d.step] = true
		}
	}
	k.drop(byPath, dropped)
	for _, r := range ledger.Recomputed {
		if d := byPath[r.File]; d != nil && !dropped[d.step] {
			k.recomputed = append(k.recomputed, r)
		}
	}
	k.count()
	return k, nil
}

// carry takes over one target with its entries.
func (k *knownLedger) carry(d *document, t Target, entries []Entry) error {
	node, found := canon.Lookup(d.tree, t.Pointer)
	text, isString := node.(string)
	if !found || !isString {
		return fmt.Errorf("known redactions: target %s: there is no string at %s#%s", t.ID, t.File, t.Pointer)
	}
	key := placeKey(t.File, t.Pointer)
	for _, e := range entries {
		if e.Target != t.ID {
			continue
		}
		if !standsIn(e, text) {
			return fmt.Errorf("known redactions: entry %s: no placeholder at byte %d of %s#%s", e.ID, e.Start, t.File, t.Pointer)
		}
		k.entries[key] = append(k.entries[key], knownEntry{span{e.Start, e.Start + e.Length}, e})
	}
	if len(k.entries[key]) == 0 {
		return fmt.Errorf("known redactions: target %s: it has no entry", t.ID)
	}
	k.targets[key] = t
	return nil
}

// drop forgets what was carried over for the given steps.
func (k *knownLedger) drop(byPath map[string]*document, steps map[string]bool) {
	for key := range k.entries {
		file, _, found := strings.Cut(key, "\x00")
		if d := byPath[file]; found && d != nil && steps[d.step] {
			delete(k.entries, key)
			delete(k.targets, key)
		}
	}
}

// count finds the highest numbers that are in use.
func (k *knownLedger) count() {
	for key, t := range k.targets {
		if n, ok := idNumber("ot", t.ID); ok {
			k.lastTarget = max(k.lastTarget, n)
		}
		for _, e := range k.entries[key] {
			if n, ok := idNumber("rd", e.entry.ID); ok {
				k.lastEntry = max(k.lastEntry, n)
			}
		}
	}
}
