package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Batch replaces many files and whole folders with few waits for the disk: all are written beside their targets,
// synced together, put in their places one by one, folders first, then files in the order of Add, and the folders that
// hold them synced together. Each file and each folder is always the old or the new one; a batch as a whole is not one
// step, so what points at other files belongs into a later batch.
// The zero value writes public files and is ready for use by one goroutine.
type Batch struct {
	mode    fs.FileMode
	files   []staged
	made    []*Folder
	parents map[string]bool // folders that hold targets
}

type staged struct{ temporary, target string }

// Add writes data beside path. The folder is made if it is missing.
func (b *Batch) Add(path string, data []byte) error {
	if b.mode == 0 {
		b.mode = PublicFile
	}
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if !b.parents[dir] {
		if err := MakeFolder(dir, folderMode(b.mode)); err != nil {
			return err
		}
		b.holds(dir)
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a folder, not a file", path)
	}
	temporary := filepath.Join(dir, TemporaryPrefix+name)
	err := write(temporary, data, b.mode, false)
	if errors.Is(err, fs.ErrExist) {
		// What a killed writer left is of no use.
		if err = os.Remove(temporary); err == nil {
			err = write(temporary, data, b.mode, false)
		}
	}
	// What was half written is discarded with the rest.
	b.files = append(b.files, staged{temporary, path})
	return err
}

// Folder begins a folder that takes the place of target when the batch is committed.
func (b *Batch) Folder(target string) (*Folder, error) {
	folder, err := newFolder(target)
	if err != nil {
		return nil, err
	}
	b.holds(filepath.Dir(folder.target))
	b.made = append(b.made, folder)
	return folder, nil
}

func (b *Batch) holds(dir string) {
	if b.parents == nil {
		b.parents = map[string]bool{}
	}
	b.parents[dir] = true
}

// Join takes over what other has staged.
func (b *Batch) Join(other *Batch) {
	b.files, b.made = append(b.files, other.files...), append(b.made, other.made...)
	for dir := range other.parents {
		b.holds(dir)
	}
	other.files, other.made = nil, nil
}

// Commit puts everything in its place. After a fault what is not yet in place keeps its old bytes.
func (b *Batch) Commit() error {
	if len(b.files)+len(b.made) == 0 {
		return nil
	}
	// What could not take its place is of no use; what did is no longer staged.
	defer b.Discard()
	if err := b.flush(); err != nil {
		return err
	}
	var old []string
	for len(b.made) > 0 {
		aside, err := b.made[0].take()
		if err != nil {
			return err
		}
		old = append(old, aside)
		b.made = b.made[1:]
	}
	for len(b.files) > 0 {
		if err := os.Rename(b.files[0].temporary, b.files[0].target); err != nil {
			return err
		}
		b.files = b.files[1:]
	}
	if err := b.flushParents(); err != nil {
		return err
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// Discard removes what was written beside the targets; nothing that was there before is touched.
func (b *Batch) Discard() {
	for _, s := range b.files {
		// A leftover is ignored by readers and removed by the next writer, so a fault here loses nothing.
		_ = os.Remove(s.temporary)
	}
	for _, folder := range b.made {
		folder.discard()
	}
	b.files, b.made = nil, nil
}

// flush waits until what is staged is on the disk: in one call where the system can sync a whole file system.
func (b *Batch) flush() error {
	if len(b.files)+len(b.made) > 2 || len(b.made) > 0 {
		if b.whole() {
			return nil
		}
	}
	for _, folder := range b.made {
		if err := folder.flush(); err != nil {
			return err
		}
	}
	for _, s := range b.files {
		if err := sync(s.temporary); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) flushParents() error {
	if len(b.parents) > 2 && b.whole() {
		return nil
	}
	for dir := range b.parents {
		if err := sync(dir); err != nil {
			return err
		}
	}
	return nil
}

// whole syncs the file system of the targets and says whether it did; all targets of a batch are on one.
func (b *Batch) whole() bool {
	for dir := range b.parents {
		return syncFileSystem(dir)
	}
	return false
}

func folderMode(file fs.FileMode) fs.FileMode {
	if file&0o077 == 0 {
		return PrivateFolder
	}
	return PublicFolder
}
