package pack

import (
	"casebook/engine/casefile"
	"casebook/engine/evidence"
)

// Format names of the files of this package, pack format sections 5.2 and 5.8.
const (
	VersionsFormat   = "casebook-versions/1"
	ProvenanceFormat = "casebook-provenance/1"
	FilesFormat      = "casebook-files/1"
	FormatVersion    = "1.0"
)

// Pack is the decoded content of one evidence pack. It is read-only.
type Pack struct {
	Name       string // the folder's, which is the case id
	ID         evidence.Digest
	Files      []FileEntry // the payload in the order of the manifest
	Case       *casefile.Case
	Versions   Versions
	Provenance Provenance
	Ledger     evidence.Ledger
	Steps      []Step // in the order of case.yaml
}

// FileEntry is one payload file as the manifest lists it; Path begins with data/.
type FileEntry struct {
	Path   string
	Bytes  int64
	SHA256 evidence.Digest
}

// Step is one step of the case: what was asked, what was seen and what follows from it.
type Step struct {
	Spec      casefile.Step
	Mode      string // replay, pinned or imported
	Recording *evidence.Recording
	Response  *evidence.Response
}

// Versions is versions.json: what the pack was made by and which rules it rests on.
type Versions struct {
	Format         string          `json:"format"`
	PackFormat     string          `json:"pack_format"`
	MustUnderstand []string        `json:"must_understand"`
	Casebook       Casebook        `json:"casebook"`
	Engine         evidence.Engine `json:"engine"`
	Contract       string          `json:"contract_version"`
	RedactionRules RedactionRules  `json:"redaction_rules"`
	CanonicalJSON  string          `json:"canonical_json"`
	Normaliser     string          `json:"normaliser"`
	Release        Release         `json:"release"`
}

// Casebook is the version of the rules that shape evidence, never a commit.
type Casebook struct {
	Version string `json:"version"`
}

// RedactionRules names the rule table in force, so that anyone can run the same scan.
type RedactionRules struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	SHA256  evidence.Digest `json:"sha256"`
	Rules   map[string]bool `json:"rules"`
	Extra   []ExtraRule     `json:"extra"`
}

// ExtraRule is a redaction rule of the case's own.
type ExtraRule struct {
	ID      string `json:"id"`
	Pattern string `json:"pattern"`
	Note    string `json:"note"`
}

// Release holds facts for publication from casebook.yaml; one that isn't known is the word "pending".
type Release struct {
	SourceCommit string `json:"source_commit"`
	BuildInputs  string `json:"build_inputs"`
	ImageDigest  string `json:"image_digest"`
	DocsVersion  string `json:"docs_version"`
}

// Provenance is provenance.json: how each derived file follows from the others.
type Provenance struct {
	Format      string       `json:"format"`
	CaseID      string       `json:"case_id"`
	Steps       []StepMode   `json:"steps"`
	FrozenAt    string       `json:"frozen_at"`
	Derived     []Derivation `json:"derived"`
	Replaces    []string     `json:"replaces"`
	SourcePacks []string     `json:"source_packs"`
	Regenerate  []string     `json:"regenerate"`
	Notes       []string     `json:"notes"`
}

// StepMode is the mode in which a step stands in the pack.
type StepMode struct {
	Step string `json:"step"`
	Mode string `json:"mode"`
}

// Derivation says from which files a file under evidence/ follows, and by which rule.
type Derivation struct {
	File string   `json:"file"`
	From []string `json:"from"`
	By   string   `json:"by"`
}

// Attachments is files.json: the index of data/files/ (pack format, section 5.9).
type Attachments struct {
	Format string       `json:"format"`
	Files  []Attachment `json:"files"`
}

// Attachment is one file that was put beside the evidence, and why.
type Attachment struct {
	Path         string          `json:"path"`
	OriginalName string          `json:"original_name"`
	MediaType    string          `json:"media_type"`
	FileSHA256   evidence.Digest `json:"file_sha256"`
	Bytes        int             `json:"bytes"`
	What         string          `json:"what"`
}

// Step returns the step with the given id, nil if there is none.
func (p *Pack) Step(id string) *Step {
	for i := range p.Steps {
		if p.Steps[i].Spec.ID == id {
			return &p.Steps[i]
		}
	}
	return nil
}
