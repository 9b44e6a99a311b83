package pack

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/casefile"
	"casebook/engine/evidence"
)

// Open reads a pack whole; name is that of its folder. Every file is hashed and held against the manifest on the way,
// so what is read is what was frozen. The error names the first file that is not in order.
func Open(fsys fs.FS, name string) (*Pack, error) {
	return open(fsys, name, nil, evidence.DecodeResponse)
}

// OpenMade is [Open] for a pack that this program has just made and not yet written: its responses passed the rules of
// the contract as they were derived, so they are not held against their schema once more, which takes longest.
// Nor is the case parsed again that its maker holds; nil has it parsed.
func OpenMade(fsys fs.FS, name string, made *casefile.Case) (*Pack, error) {
	return open(fsys, name, made, func(data []byte) (*evidence.Response, error) {
		response := new(evidence.Response)
		return response, canon.Decode(data, response)
	})
}

func open(fsys fs.FS, name string, made *casefile.Case, decode func([]byte) (*evidence.Response, error)) (*Pack, error) {
	o := opening{fsys: fsys, response: decode, pack: &Pack{Name: name, Case: made}, data: map[string][]byte{}}
	for _, read := range []func() error{o.manifests, o.payload, o.records, o.steps} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return o.pack, nil
}

// opening is a pack being read.
type opening struct {
	fsys     fs.FS
	response func([]byte) (*evidence.Response, error)
	pack     *Pack
	data     map[string][]byte // payload, hashed
}

func (o *opening) manifests() error {
	tags, err := fs.ReadFile(o.fsys, TagManifestFile)
	if err != nil {
		return err
	}
	o.pack.ID = evidence.FileDigest(tags)
	entries, err := ParseManifest(tags)
	if err != nil {
		return fmt.Errorf("%s: %w", TagManifestFile, err)
	}
	for _, entry := range entries {
		if _, err := o.read(entry); err != nil {
			return err
		}
	}
	// Otherwise the pack id would commit to nothing.
	if !slices.ContainsFunc(entries, func(e FileEntry) bool { return e.Path == ManifestFile }) {
		return fmt.Errorf("%s: does not list %s", TagManifestFile, ManifestFile)
	}
	manifest, err := fs.ReadFile(o.fsys, ManifestFile)
	if err != nil {
		return err
	}
	if o.pack.Files, err = ParseManifest(manifest); err != nil {
		return fmt.Errorf("%s: %w", ManifestFile, err)
	}
	return nil
}

// read returns the bytes of a listed file, hashed.
func (o *opening) read(entry FileEntry) ([]byte, error) {
	data, err := fs.ReadFile(o.fsys, entry.Path)
	if err != nil {
		return nil, err
	}
	if got := evidence.FileDigest(data); got != entry.SHA256 {
		return nil, fmt.Errorf("%s: SHA-256 is %s, the manifest lists %s", entry.Path, got, entry.SHA256)
	}
	return data, nil
}

func (o *opening) payload() error {
	for i, entry := range o.pack.Files {
		data, err := o.read(entry)
		if err != nil {
			return err
		}
		o.pack.Files[i].Bytes = int64(len(data))
		o.data[entry.Path] = data
	}
	return nil
}

func (o *opening) decode(name string, into any) error {
	data, ok := o.data[name]
	if !ok {
		return fmt.Errorf("%s: is not in the pack", name)
	}
	if err := canon.Decode(data, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// records reads the case and the files that say how the pack came about.
func (o *opening) records() error {
	if err := o.author(); err != nil {
		return err
	}
	if err := o.decode("data/versions.json", &o.pack.Versions); err != nil {
		return err
	}
	if err := o.decode("data/provenance.json", &o.pack.Provenance); err != nil {
		return err
	}
	return o.decode("data/redactions.json", &o.pack.Ledger)
}

// author reads the case and its narratives, unless they are known.
func (o *opening) author() error {
	yaml, ok := o.data["data/case.yaml"]
	if !ok {
		return fmt.Errorf("data/case.yaml: is not in the pack")
	}
	if o.pack.Case != nil {
		return nil
	}
	c, faults := casefile.Parse("data/case.yaml", yaml)
	if len(faults) > 0 {
		return fmt.Errorf("%s", faults[0])
	}
	for _, file := range o.pack.Files {
		base := strings.TrimPrefix(file.Path, "data/")
		if !strings.Contains(base, "/") && strings.HasPrefix(base, "case.") && strings.HasSuffix(base, ".md") {
			if fault := c.AddNarrative(base, o.data[file.Path]); fault != nil {
				return fmt.Errorf("data/%s", fault)
			}
		}
	}
	o.pack.Case = c
	return nil
}

func (o *opening) steps() error {
	files := make([]evidence.File, 0, len(o.data))
	for name, data := range o.data {
		files = append(files, evidence.File{Path: name, Data: data})
	}
	memory := NewMemory(files)
	for _, spec := range o.pack.Case.Steps {
		step := Step{Spec: spec}
		i := slices.IndexFunc(o.pack.Provenance.Steps, func(m StepMode) bool { return m.Step == spec.ID })
		if i < 0 {
			return fmt.Errorf("data/provenance.json: has no step %q", spec.ID)
		}
		step.Mode = o.pack.Provenance.Steps[i].Mode
		var err error
		if step.Recording, err = evidence.ReadRecording(memory, path.Join("data/recordings", spec.ID)); err != nil {
			return err
		}
		name := path.Join("data/evidence", spec.ID, "response.json")
		data, ok := o.data[name]
		if !ok {
			return fmt.Errorf("%s: is not in the pack", name)
		}
		if step.Response, err = o.response(data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		o.pack.Steps = append(o.pack.Steps, step)
	}
	return nil
}
