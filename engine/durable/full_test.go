//go:build unix

package durable

import (
	"bytes"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// withFullDisk runs f while no file may grow beyond limit bytes, as on a disk that is full.
func withFullDisk(t *testing.T, limit uint64, f func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	}()
	f()
}

// A full disk leaves the old file and the old folder whole, and nothing half-written once the batch is given up.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	file, folder, journal := filepath.Join(dir, "f"), filepath.Join(dir, "pack"), filepath.Join(dir, "j")
	if err := WriteFile(file, []byte("old"), PublicFile); err != nil {
		t.Fatal(err)
	}
	build(t, folder, "old")
	j, _, err := OpenJournal(journal, PrivateFile)
	if err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("x"), 1000)
	withFullDisk(t, 512, func() {
		if err := WriteFile(file, large, PublicFile); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("WriteFile = %v, want the disk's fault", err)
		}
		b := &Batch{}
		f, err := b.Folder(folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Add("small", []byte("new")); err != nil {
			t.Fatal(err)
		}
		if err := f.Add("large", large); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("Folder.Add = %v, want the disk's fault", err)
		}
		b.Discard()
		if err := j.Append(append(large, '\n')); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("Append = %v, want the disk's fault", err)
		}
	})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != "f j pack" {
		t.Errorf("left behind: %q", got)
	}
	if got := content(t, file) + content(t, filepath.Join(folder, "a", "b", "c.txt")); got != "oldold" {
		t.Errorf("contents = %q, want the old ones", got)
	}
	again, lines, err := OpenJournal(journal, PrivateFile)
	if err != nil || len(lines) != 0 {
		t.Errorf("the journal holds %d lines after a record that failed, %v", len(lines), err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// A folder that can't be entered or made is named, and nothing is written.
func TestUnusablePlaces(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "file", "x")
	b := &Batch{}
	if err := b.Add(filepath.Join(below, "y"), nil); err == nil {
		t.Error("Add below a file was taken")
	}
	if _, err := b.Folder(filepath.Join(below, "y")); err == nil {
		t.Error("Folder below a file was taken")
	}
	if _, _, err := OpenJournal(filepath.Join(below, "y"), PrivateFile); err == nil {
		t.Error("OpenJournal below a file was taken")
	}
	if _, err := Acquire(filepath.Join(below, "lock")); err == nil {
		t.Error("Acquire below a file was taken")
	}
	if err := Rename(below, filepath.Join(dir, "z")); err == nil {
		t.Error("Rename of nothing was taken")
	}
	if err := Sweep(filepath.Join(dir, "file")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("Sweep of a file = %v", err)
	}
	if RemoveEmpty(dir) {
		t.Error("RemoveEmpty removed a folder that holds a file")
	}
	if err := Remove(filepath.Join(dir, "none")); err != nil {
		t.Errorf("Remove of nothing = %v", err)
	}
	if got := content(t, filepath.Join(dir, "file")); got != "mine" {
		t.Errorf("content = %q", got)
	}
}
