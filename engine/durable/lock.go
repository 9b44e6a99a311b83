package durable

import (
	"errors"
	"path/filepath"

	"github.com/gofrs/flock"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("another casebook process is at work in this project")

// Lock is held by the one process that may write in a project.
type Lock struct{ file *flock.Flock }

// Acquire takes the lock file at path, or returns [ErrLocked]. The system frees it when the process ends, however.
func Acquire(path string) (*Lock, error) {
	if err := MakeFolder(filepath.Dir(path), PublicFolder); err != nil {
		return nil, err
	}
	file := flock.New(path)
	held, err := file.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, ErrLocked
	}
	return &Lock{file}, nil
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.file.Unlock() }
