package render

import (
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// redactionView is one removed span.
type redactionView struct {
	ID, Rule, Reason string
	Class            labelView
	File, Href       string
	Pointer          string
	Commitment       string
}

// fileView is one file of the pack.
type fileView struct {
	Path, Href string
	Bytes      string
	SHA256     string
}

func (v viewer) redactions() []redactionView {
	var views []redactionView
	for _, e := range v.pack.Ledger.Entries {
		view := redactionView{ID: e.ID, Rule: e.Rule, Reason: e.Reason, Class: v.w.label("redaction_class", e.Class)}
		i := slices.IndexFunc(v.pack.Ledger.Targets, func(t evidence.RedactedString) bool { return t.ID == e.Target })
		if i >= 0 {
			target := v.pack.Ledger.Targets[i]
			view.File, view.Pointer = target.File, target.Pointer
			view.Href = v.file(strings.TrimPrefix(target.File, "data/"))
		}
		if e.Commitment != nil {
			view.Commitment = *e.Commitment
		}
		views = append(views, view)
	}
	return views
}

func (v viewer) files() []fileView {
	views := make([]fileView, 0, len(v.pack.Files))
	for _, f := range v.pack.Files {
		views = append(views, fileView{
			Path: f.Path, Href: v.packFile(f.Path), Bytes: v.w.number(f.Bytes), SHA256: string(f.SHA256),
		})
	}
	return views
}

// bagFiles are the four files of every pack that its manifest of payload files does not list.
func (v viewer) bagFiles() []pairView {
	var files []pairView
	for _, name := range []string{"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"} {
		files = append(files, pairView{Name: name, Href: v.packFile(name)})
	}
	return files
}

func (v viewer) filesSummary() string {
	return v.w.sentences(v.w.format("files.summary", v.tally.files, v.w.format("word.bytes", v.tally.bytes)), v.w.text("files.note"))
}

func (v viewer) versions() pairs {
	versions := v.pack.Versions
	var p pairs
	p.add(v.w.text("version.casebook"), versions.Casebook.Version)
	p.add(v.w.text("version.engine"), strings.TrimSpace(versions.Engine.Name+" "+versions.Engine.Version))
	p.add(v.w.text("version.pack_format"), versions.PackFormat)
	p.add(v.w.text("version.contract"), versions.Contract)
	p.add(v.w.text("version.normaliser"), versions.Normaliser)
	p.add(v.w.text("version.canonical_json"), versions.CanonicalJSON)
	p.add(v.w.text("version.rules"), strings.TrimSpace(versions.RedactionRules.Name+" "+versions.RedactionRules.Version))
	p.addCode(v.w.text("version.rules_digest"), string(versions.RedactionRules.SHA256))
	return p
}

// release tells the facts of the publication; one that isn't known stays the word that the pack has for it.
func (v viewer) release() pairs {
	r := v.pack.Versions.Release
	var p pairs
	for _, fact := range [][2]string{
		{"version.source_commit", r.SourceCommit}, {"version.build_inputs", r.BuildInputs},
		{"version.image_digest", r.ImageDigest}, {"version.docs_version", r.DocsVersion},
	} {
		if fact[1] == "pending" {
			p.add(v.w.text(fact[0]), v.w.text("version.pending"))
			continue
		}
		p.addCode(v.w.text(fact[0]), fact[1])
	}
	return p
}

func (v viewer) provenance() pairs {
	var p pairs
	p.add(v.w.text("provenance.frozen"), moment(v.pack.Provenance.FrozenAt))
	p.addCode(v.w.text("provenance.regenerate"), strings.Join(v.pack.Provenance.Regenerate, " "))
	for _, note := range v.pack.Provenance.Notes {
		p.add(v.w.text("provenance.note"), note)
	}
	return p
}
