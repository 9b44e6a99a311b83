package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folder is a folder in the making: its files go into a hidden folder beside the target, which takes the target's
// place in one rename. A crash leaves only the hidden folder, which [Sweep] removes.
type Folder struct {
	target, partial string
	folders         []string
}

// NewFolder begins the folder at target.
func NewFolder(target string) (*Folder, error) {
	parent, name := filepath.Split(filepath.Clean(target))
	if parent == "" {
		parent = "."
	}
	if err := MakeFolder(filepath.Clean(parent), PublicFolder); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(target); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: is a file, not a folder", target)
	}
	partial, err := os.MkdirTemp(parent, "."+name+TemporaryPrefix)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(partial, PublicFolder); err != nil {
		return nil, err
	}
	return &Folder{target: target, partial: partial, folders: []string{partial}}, nil
}

// Add writes one file; path is relative, with slashes.
func (f *Folder) Add(path string, data []byte) error {
	if !fs.ValidPath(path) || path == "." {
		return fmt.Errorf("path %q: not a relative path", path)
	}
	full := filepath.Join(f.partial, filepath.FromSlash(path))
	if err := f.makeFolder(filepath.Dir(full)); err != nil {
		return err
	}
	return writeSynced(full, data, PublicFile, false)
}

func (f *Folder) makeFolder(dir string) error {
	for _, known := range f.folders {
		if known == dir {
			return nil
		}
	}
	if err := f.makeFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := MakeFolder(dir, PublicFolder); err != nil {
		return err
	}
	f.folders = append(f.folders, dir)
	return nil
}

// Commit puts the new folder in the target's place. An old folder there is moved aside first and removed last, so
// that a crash in between leaves the old or the new one whole under a name that [Sweep] puts right.
func (f *Folder) Commit() error {
	if err := f.flush(); err != nil {
		f.Discard()
		return err
	}
	aside := asideName(f.target)
	if err := os.Rename(f.target, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Discard()
		return err
	}
	if err := os.Rename(f.partial, f.target); err != nil {
		return err
	}
	if err := syncFolder(filepath.Dir(f.target)); err != nil {
		return err
	}
	return os.RemoveAll(aside)
}

// Discard removes the unfinished folder.
func (f *Folder) Discard() {
	// A leftover is ignored by readers and removed by Sweep, so a fault here loses nothing.
	_ = os.RemoveAll(f.partial)
}

func (f *Folder) flush() error {
	if syncFileSystem(f.partial) {
		return nil
	}
	return filepath.WalkDir(f.partial, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return syncFolder(path)
	})
}

func asideName(target string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".old")
}

// Sweep repairs a folder of folders after a crash: an old folder whose successor never came takes its name back,
// and unfinished folders and files are removed. A missing parent is no fault.
func Sweep(parent string) error {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(parent, e.Name())
		name, old := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".old")
		switch {
		case old && strings.HasPrefix(e.Name(), ".") && e.IsDir():
			err = restore(path, filepath.Join(parent, name))
		case strings.HasPrefix(e.Name(), ".") && strings.Contains(e.Name(), TemporaryPrefix):
			err = os.RemoveAll(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func restore(old, target string) error {
	if _, err := os.Lstat(target); err == nil {
		return os.RemoveAll(old)
	}
	return os.Rename(old, target)
}
