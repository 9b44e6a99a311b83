package freeze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"casebook/engine/canon"
	"casebook/engine/casefile"
	"casebook/engine/derive"
	"casebook/engine/evidence"
	"casebook/engine/pack"
	"casebook/engine/redact"
)

// Input is what a pack is made of.
type Input struct {
	Case   *casefile.Case
	Clean  redact.Clean
	Modes  []pack.StepMode // in the order of the case
	Engine evidence.Engine // the one that derives
	// Version is that of the rules that shape evidence.
	Version string
	Release pack.Release
	Rules   map[string]bool // redaction rules as casebook.yaml and case.yaml set them
	Notices []byte          // LICENSES.txt, nil where the case has none
}

// Build makes the bag of a case, or says why it may not be published.
func Build(in Input) (*Bag, error) {
	b := builder{in: in}
	for _, make := range []func() error{b.complete, b.sources, b.attachments, b.recordings, b.evidence, b.records} {
		if err := make(); err != nil {
			return nil, fmt.Errorf("case %s: %w", in.Case.ID, err)
		}
	}
	slices.SortFunc(b.payload, func(x, y evidence.File) int { return strings.Compare(x.Path, y.Path) })
	if err := b.scan(); err != nil {
		return nil, fmt.Errorf("case %s: %w", in.Case.ID, err)
	}
	tags, id, err := pack.TagFiles(b.payload, pack.Info{CaseID: in.Case.ID, FrozenAt: in.Case.AsOf, Version: in.Version})
	if err != nil {
		return nil, fmt.Errorf("case %s: %w", in.Case.ID, err)
	}
	files := slices.Concat(tags, b.payload)
	slices.SortFunc(files, func(x, y evidence.File) int { return strings.Compare(x.Path, y.Path) })
	return &Bag{Name: in.Case.ID, ID: id, Files: files}, nil
}

// builder lays out the payload of one bag.
type builder struct {
	in      Input
	payload []evidence.File
	derived []pack.Derivation

	findings []redact.Hit // in the author's files
}

// add puts a file into the payload; whether its path is one of a pack is checked with the manifest.
func (b *builder) add(name string, data []byte) {
	b.payload = append(b.payload, evidence.File{Path: name, Data: data})
}

func (b *builder) addJSON(name string, v any) error {
	data, err := canon.EncodeLine(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.add(name, data)
	return nil
}

// complete holds recordings, modes and the case against each other: the same steps in the same order, and nothing
// recorded after the freeze.
func (b *builder) complete() error {
	recordings := b.in.Clean.Recordings()
	if len(recordings) != len(b.in.Case.Steps) || len(b.in.Modes) != len(b.in.Case.Steps) {
		return fmt.Errorf("%d recordings and %d modes of %d steps", len(recordings), len(b.in.Modes), len(b.in.Case.Steps))
	}
	for i, step := range b.in.Case.Steps {
		if recordings[i].Step != step.ID || b.in.Modes[i].Step != step.ID {
			return fmt.Errorf("step %s: its recording is of %q, its mode of %q", step.ID, recordings[i].Step, b.in.Modes[i].Step)
		}
		if err := checkTimes(&recordings[i], b.in.Case.AsOf); err != nil {
			return err
		}
	}
	return nil
}

// LateError says that something was recorded after the freeze that publishes it.
type LateError struct {
	Step string
	What string
	Time string
	AsOf string
}

func (e *LateError) Error() string {
	return fmt.Sprintf("step %s: %s is %s, after the case's as_of %s; raise as_of", e.Step, e.What, e.Time, e.AsOf)
}

func checkTimes(r *evidence.Recording, asOf string) error {
	frozen, err := time.Parse(time.RFC3339, asOf)
	if err != nil {
		return fmt.Errorf("as_of: %w", err)
	}
	check := func(what, at string) error {
		t, err := time.Parse(time.RFC3339, at)
		if err != nil {
			return fmt.Errorf("step %s: %s: %w", r.Step, what, err)
		}
		if t.After(frozen) {
			return &LateError{Step: r.Step, What: what, Time: at, AsOf: asOf}
		}
		return nil
	}
	for _, a := range r.Attempts {
		if err := check(a.Folder+" started_at", a.Record.StartedAt); err != nil {
			return err
		}
		for i, t := range a.Tries {
			if err := check(a.Folder+"/"+evidence.TryStem(i+1)+" started_at", t.StartedAt); err != nil {
				return err
			}
		}
	}
	return check("finished_at", r.Execution.FinishedAt)
}

// author adds a file that the author wrote. What the rules find in it is mended there, never redacted.
func (b *builder) author(name string, data []byte) error {
	hits, err := redact.ScanText(name, data, redact.Options{Rules: b.in.Rules})
	if err != nil {
		return err
	}
	b.findings = append(b.findings, hits...)
	b.add("data/"+name, data)
	return nil
}

// sources are the author's own files.
func (b *builder) sources() error {
	if err := b.author("case.yaml", b.in.Case.YAML); err != nil {
		return err
	}
	parsed, err := b.in.Case.JSON()
	if err != nil {
		return err
	}
	b.add("data/case.json", parsed)
	for _, n := range b.in.Case.Narratives {
		if err := b.author(n.File, n.Source); err != nil {
			return err
		}
	}
	if len(b.findings) > 0 {
		return &redact.FindingsError{Reason: "an author's file is mended, not redacted", Hits: b.findings}
	}
	return nil
}

func (b *builder) recordings() error {
	b.payload = append(b.payload, b.in.Clean.Files()...)
	return nil
}

func (b *builder) evidence() error {
	for _, r := range b.in.Clean.Recordings() {
		files, derivations, err := derive.Files(&r)
		if err != nil {
			return err
		}
		b.payload = append(b.payload, files...)
		b.derived = append(b.derived, derivations...)
	}
	return nil
}

// records are the files that say how the pack came about.
func (b *builder) records() error {
	table, err := redact.InForce(b.in.Rules)
	if err != nil {
		return err
	}
	versions := pack.Versions{
		Format: pack.VersionsFormat, PackFormat: pack.FormatVersion, MustUnderstand: []string{},
		Casebook: pack.Casebook{Version: b.in.Version}, Engine: b.in.Engine, Contract: evidence.ContractVersion,
		RedactionRules: pack.RedactionRules{
			Name: table.Name, Version: table.Version, SHA256: table.SHA256, Rules: table.Rules, Extra: []pack.ExtraRule{},
		},
		CanonicalJSON: "RFC8785", Normaliser: evidence.NormaliserVersion, Release: b.in.Release,
	}
	if err := b.addJSON("data/versions.json", versions); err != nil {
		return err
	}
	slices.SortFunc(b.derived, func(x, y pack.Derivation) int { return strings.Compare(x.File, y.File) })
	provenance := pack.Provenance{
		Format: pack.ProvenanceFormat, CaseID: b.in.Case.ID, Steps: b.in.Modes, FrozenAt: b.in.Case.AsOf, Derived: b.derived,
		Replaces: []string{}, SourcePacks: []string{}, Regenerate: []string{"casebook", "build", b.in.Case.ID}, Notes: []string{},
	}
	if err := b.addJSON("data/provenance.json", provenance); err != nil {
		return err
	}
	return b.addJSON("data/redactions.json", b.in.Clean.Ledger())
}

// scan runs the rules once more over what would be published.
func (b *builder) scan() error {
	hits, err := redact.Scan(b.payload, b.in.Clean.Ledger(), redact.Options{Rules: b.in.Rules})
	if err != nil {
		return err
	}
	if len(hits) > 0 {
		return &redact.FindingsError{Reason: "may not be published", Hits: hits}
	}
	return nil
}
