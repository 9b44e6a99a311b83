package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Journal is a file of lines that only grows. A line that a crash cut short is not there on the next opening.
type Journal struct {
	file *os.File
	// Waits says that a line is on the disk when Append returns; without it the line is with the system.
	Waits bool
}

// OpenJournal opens the journal at path, or makes it with the given mode, and returns the whole lines it holds.
// A last line without its line break was never reported as written; it is cut off.
func OpenJournal(path string, mode fs.FileMode) (*Journal, [][]byte, error) {
	if err := MakeFolder(filepath.Dir(path), folderMode(mode)); err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if err != nil && !fresh {
		return nil, nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, mode)
	if err != nil {
		return nil, nil, err
	}
	if err := settle(file, path, mode, int64(len(whole)), fresh); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	var lines [][]byte
	for line := range bytes.Lines(whole) {
		lines = append(lines, line)
	}
	return &Journal{file: file, Waits: true}, lines, nil
}

func settle(file *os.File, path string, mode fs.FileMode, size int64, fresh bool) error {
	if err := file.Truncate(size); err != nil {
		return err
	}
	if !fresh {
		return nil
	}
	if err := file.Chmod(mode); err != nil {
		return err
	}
	return sync(filepath.Dir(path))
}

// Append writes one line, which ends in LF and holds no other.
func (j *Journal) Append(line []byte) error {
	if len(line) == 0 || bytes.IndexByte(line, '\n') != len(line)-1 {
		return fmt.Errorf("%s: a record that is not one line", j.file.Name())
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	if !j.Waits {
		return nil
	}
	return j.file.Sync()
}

// Close ends the writing.
func (j *Journal) Close() error { return j.file.Close() }
