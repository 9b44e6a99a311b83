// Package freeze makes evidence packs, and is the only maker.
//
// Redacted recordings go in, as a [redact.Clean] that nothing but redaction can make, with the case and the rules in
// force. [Build] derives the evidence, lays out the bag in memory and scans what would be published once more; what
// comes out is a [Bag], whole or not at all. [Bag.Write] hands it to a batch, which puts it in its place in one step. A pack is never edited.
package freeze

import (
	"bytes"
	"io/fs"
	"path/filepath"

	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// Bag is a pack in memory, complete and checked, not yet written.
type Bag struct {
	Name  string
	ID    evidence.Digest
	Files []evidence.File // tag files and payload, sorted by path
}

// FS is the bag as a file system, its root being the pack's folder.
func (b *Bag) FS() fs.FS { return pack.NewMemory(b.Files) }

// File returns the bytes of one file, nil if there is none.
func (b *Bag) File(path string) []byte {
	for i := range b.Files {
		if b.Files[i].Path == path {
			return b.Files[i].Data
		}
	}
	return nil
}

// Sum is case.sum: byte for byte the payload manifest.
func (b *Bag) Sum() []byte { return b.File(pack.ManifestFile) }

// ZIP is the pack's deterministic archive.
func (b *Bag) ZIP() ([]byte, error) {
	var out bytes.Buffer
	if err := pack.WriteZIP(&out, b.Name, pack.Sorted(b.Files)); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Write adds the pack's folder, and its ZIP, to what a batch will put into the folder packs, and returns the ZIP.
func (b *Bag) Write(packs string, batch *durable.Batch) ([]byte, error) {
	folder, err := batch.Folder(filepath.Join(packs, b.Name))
	if err != nil {
		return nil, err
	}
	for _, f := range b.Files {
		if err := folder.Add(f.Path, f.Data); err != nil {
			return nil, err
		}
	}
	archive, err := b.ZIP()
	if err != nil {
		return nil, err
	}
	return archive, batch.Add(filepath.Join(packs, b.Name+".zip"), archive)
}
