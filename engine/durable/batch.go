package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Batch replaces many files with few waits for the disk: all are written beside their targets, synced together,
// renamed one by one in the order of Add, and the folders synced together. Each file is always the old or the new
// one; a batch as a whole is not one step, so what points at other files is added last.
// The zero value writes public files and is ready for use by one goroutine.
type Batch struct {
	mode    fs.FileMode
	staged  []staged
	folders []string
}

type staged struct{ temporary, target string }

// Add writes data beside path. The folder is made if it is missing.
func (b *Batch) Add(path string, data []byte) error {
	if b.mode == 0 {
		b.mode = PublicFile
	}
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if !slices.Contains(b.folders, dir) {
		if err := MakeFolder(dir, folderMode(b.mode)); err != nil {
			return err
		}
		b.folders = append(b.folders, dir)
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a folder, not a file", path)
	}
	temporary := filepath.Join(dir, TemporaryPrefix+name)
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeSynced(temporary, data, b.mode, false); err != nil {
		return err
	}
	b.staged = append(b.staged, staged{temporary, path})
	return nil
}

// Commit makes every added file take its place. After a fault the files not yet renamed keep their old bytes.
func (b *Batch) Commit() error {
	if len(b.staged) == 0 {
		return nil
	}
	if err := b.flush(); err != nil {
		b.Discard()
		return err
	}
	for i, s := range b.staged {
		if err := os.Rename(s.temporary, s.target); err != nil {
			b.staged = b.staged[i:]
			b.Discard()
			return err
		}
	}
	b.staged = b.staged[:0]
	return b.flushFolders()
}

// Discard removes what was written beside the targets; nothing that was there before is touched.
func (b *Batch) Discard() {
	for _, s := range b.staged {
		// A leftover is ignored by readers and removed by the next writer, so a fault here loses nothing.
		_ = os.Remove(s.temporary)
	}
	b.staged = nil
}

// flush waits until the staged bytes are on the disk: one call where the system can sync a whole file system.
func (b *Batch) flush() error {
	if len(b.staged) > 2 && syncFileSystem(b.folders[0]) {
		return nil
	}
	for _, s := range b.staged {
		f, err := os.Open(s.temporary)
		if err != nil {
			return err
		}
		err = f.Sync()
		if closing := f.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) flushFolders() error {
	if len(b.folders) > 2 && syncFileSystem(b.folders[0]) {
		return nil
	}
	for _, dir := range b.folders {
		if err := syncFolder(dir); err != nil {
			return err
		}
	}
	return nil
}

func folderMode(file fs.FileMode) fs.FileMode {
	if file&0o077 == 0 {
		return PrivateFolder
	}
	return PublicFolder
}
