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
// place in one step when the [Batch] that began it is committed. A crash leaves only the hidden folder, which [Sweep]
// removes.
type Folder struct {
	target, partial string
	folders         map[string]bool
	exact           bool // files come out with the mode asked for, whatever the umask
	known           bool // exact was looked up
}

func newFolder(target string) (*Folder, error) {
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
	return &Folder{target: target, partial: partial, folders: map[string]bool{partial: true}}, nil
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
	if err := write(full, data, PublicFile, f.exact || !f.known); err != nil || f.known {
		return err
	}
	// The first file tells whether the umask takes anything away; if not, no other has to be looked at.
	info, err := os.Stat(full)
	if err != nil {
		return err
	}
	f.known, f.exact = true, info.Mode().Perm() == PublicFile
	return os.Chmod(full, PublicFile)
}

func (f *Folder) makeFolder(dir string) error {
	if f.folders[dir] {
		return nil
	}
	if err := f.makeFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	f.folders[dir] = true
	return MakeFolder(dir, PublicFolder)
}

// take puts the new folder in the target's place and returns the path under which the old one is still to be
// removed, "" for none. It is one step where the system can exchange two names. Elsewhere the old folder is moved
// aside first, so that a crash in between leaves the old or the new one whole under a name that [Sweep] puts right.
func (f *Folder) take() (string, error) {
	if exchange(f.partial, f.target) {
		return f.partial, nil
	}
	aside := asideName(f.target)
	if err := os.Rename(f.target, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return aside, os.Rename(f.partial, f.target)
}

func (f *Folder) discard() {
	// A leftover is ignored by readers and removed by Sweep, so a fault here loses nothing.
	_ = os.RemoveAll(f.partial)
}

// flush waits for the folder's files one by one.
func (f *Folder) flush() error {
	return filepath.WalkDir(f.partial, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return sync(path)
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
