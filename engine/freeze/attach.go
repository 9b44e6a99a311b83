package freeze

import (
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// NoticesFile is the file of a case that holds the licence notices of its sources.
const NoticesFile = "LICENSES.txt"

// attachments puts the licence notices beside the evidence that they allow to be published, under a name of ours: the
// original one is a value in files.json and never a path.
func (b *builder) attachments() error {
	if b.in.Notices == nil {
		return nil
	}
	const name = "data/files/f0001.txt"
	b.add(name, b.in.Notices)
	return b.addJSON("data/files.json", pack.Attachments{Format: pack.FilesFormat, Files: []pack.Attachment{{
		Path: name, OriginalName: NoticesFile, MediaType: "text/plain; charset=utf-8",
		FileSHA256: evidence.FileDigest(b.in.Notices), Bytes: len(b.in.Notices), What: "licence notices of the sources",
	}}})
}
