// Package durable is the one place that writes files.
//
// What goes in is a path and its bytes; what comes out is a file that is either the old one or the whole new one,
// whatever happens to the process or the power meanwhile: a temporary file beside the target, synced, renamed, and
// the folder synced. A [Batch] does the same for many files with few waits for the disk. A [Lock] keeps two casebook
// processes out of one project. The package knows nothing of evidence.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Modes that every written file and folder gets, whatever the umask says.
const (
	PublicFile    fs.FileMode = 0o644
	PublicFolder  fs.FileMode = 0o755
	PrivateFile   fs.FileMode = 0o600
	PrivateFolder fs.FileMode = 0o700
)

// TemporaryPrefix begins the name of every file or folder that is still being written.
// A reader ignores such names and the next writer removes them.
const TemporaryPrefix = ".partial-"

// WriteFile replaces the file at path with data, whole or not at all. The folder must exist.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	batch := &Batch{mode: mode}
	if err := batch.Add(path, data); err != nil {
		batch.Discard()
		return err
	}
	return batch.Commit()
}

// MakeFolder creates the folder at path and the missing ones above it, each with the given mode.
// It is no fault if the folder is there; a file in its place is.
func MakeFolder(path string, mode fs.FileMode) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return fmt.Errorf("%s: is a file, not a folder", path)
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return err
	}
	if parent := filepath.Dir(path); parent != path {
		if err := MakeFolder(parent, mode); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Chmod(path, mode)
}

// Remove deletes the file or the whole folder at path; a missing one is no fault.
func Remove(path string) error { return os.RemoveAll(path) }

// RemoveEmpty deletes the folder at path if nothing is in it, and says whether it did.
func RemoveEmpty(path string) bool { return os.Remove(path) == nil }

// Rename moves a file or folder within one file system and syncs the folder that now holds it.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return sync(filepath.Dir(to))
}

// write makes the file, which must be new, with its bytes and mode; exact says that no umask takes anything from the
// mode.
func write(path string, data []byte, mode fs.FileMode, exact bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && !exact {
		err = f.Chmod(mode)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// sync waits until the file or the entries of the folder at path are on the disk.
func sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
