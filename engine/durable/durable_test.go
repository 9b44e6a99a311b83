package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestWriteFileReplacesWhole(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "sub", "a.txt")
	for _, text := range []string{"first", "second, which is longer"} {
		if err := WriteFile(path, []byte(text), PublicFile); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Errorf("content = %q, want %q", got, text)
		}
	}
	if got := names(t, filepath.Dir(path)); got != "a.txt" {
		t.Errorf("folder holds %q, want a.txt alone", got)
	}
	if got := mode(t, path); got != PublicFile {
		t.Errorf("mode = %o under umask 077, want %o", got, PublicFile)
	}
	if got := mode(t, filepath.Dir(path)); got != PublicFolder {
		t.Errorf("folder mode = %o under umask 077, want %o", got, PublicFolder)
	}
	private := filepath.Join(t.TempDir(), "p", "key")
	if err := WriteFile(private, []byte("k"), PrivateFile); err != nil {
		t.Fatal(err)
	}
	if f, d := mode(t, private), mode(t, filepath.Dir(private)); f != PrivateFile || d != PrivateFolder {
		t.Errorf("private modes = %o in %o, want %o in %o", f, d, PrivateFile, PrivateFolder)
	}
}

func TestWriteFileRefusesFolder(t *testing.T) {
	dir := t.TempDir()
	if err := WriteFile(dir, []byte("x"), PublicFile); err == nil || !strings.HasSuffix(err.Error(), "is a folder, not a file") {
		t.Errorf("WriteFile over a folder = %v", err)
	}
}

func TestMakeFolderRefusesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{path, filepath.Join(path, "below")} {
		if err := MakeFolder(target, PublicFolder); err == nil || !strings.Contains(err.Error(), "is a file, not a folder") {
			t.Errorf("MakeFolder(%s) = %v", target, err)
		}
	}
}

// A batch shows nothing before Commit and leaves nothing behind when it is discarded.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	path := func(n string) string { return filepath.Join(dir, n, "f") }
	if err := WriteFile(path("a"), []byte("old"), PublicFile); err != nil {
		t.Fatal(err)
	}
	for _, commit := range []bool{false, true} {
		b := &Batch{}
		for _, n := range []string{"a", "b", "c", "d"} {
			if err := b.Add(path(n), []byte("new "+n)); err != nil {
				t.Fatal(err)
			}
		}
		if got := content(t, path("a")); got != "old" {
			t.Fatalf("content before Commit = %q, want old", got)
		}
		if !commit {
			b.Discard()
			if got := names(t, filepath.Join(dir, "d")); got != "" {
				t.Errorf("discarded batch left %q", got)
			}
			continue
		}
		if err := b.Commit(); err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"a", "b", "c", "d"} {
			if got := content(t, path(n)); got != "new "+n {
				t.Errorf("content of %s = %q", n, got)
			}
			if got := names(t, filepath.Join(dir, n)); got != "f" {
				t.Errorf("folder %s holds %q, want f", n, got)
			}
		}
	}
}

// A leftover of a killed writer is no obstacle.
func TestBatchOverLeftover(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), TemporaryPrefix+"f"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("whole"), PublicFile); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "whole" {
		t.Errorf("content = %q", got)
	}
}

func build(t *testing.T, target, text string) {
	t.Helper()
	b := &Batch{}
	f, err := b.Folder(target)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"top.txt", "a/b/c.txt"} {
		if err := f.Add(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestFolderReplacesWhole(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	parent := t.TempDir()
	target := filepath.Join(parent, "pack")
	build(t, target, "one")
	if err := os.WriteFile(filepath.Join(target, "stray"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	build(t, target, "two")
	if got := content(t, filepath.Join(target, "a", "b", "c.txt")); got != "two" {
		t.Errorf("content = %q, want two", got)
	}
	if got := names(t, target); got != "a top.txt" {
		t.Errorf("folder holds %q, want the new files alone", got)
	}
	if got := names(t, parent); got != "pack" {
		t.Errorf("parent holds %q, want pack alone", got)
	}
	for path, want := range map[string]fs.FileMode{"": PublicFolder, "a/b": PublicFolder, "top.txt": PublicFile, "a/b/c.txt": PublicFile} {
		if got := mode(t, filepath.Join(target, path)); got != want {
			t.Errorf("mode of %q = %o under umask 077, want %o", path, got, want)
		}
	}
}

func TestFolderRefuses(t *testing.T) {
	parent := t.TempDir()
	b := &Batch{}
	f, err := b.Folder(filepath.Join(parent, "pack"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../x", "/x", ".", "a//b"} {
		if err := f.Add(path, nil); err == nil {
			t.Errorf("Add(%q) was taken", path)
		}
	}
	if err := f.Add("x", nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Add("x", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Add of one path twice = %v, want it to exist", err)
	}
	b.Discard()
	if got := names(t, parent); got != "" {
		t.Errorf("discarded folder left %q", got)
	}
	if err := os.WriteFile(filepath.Join(parent, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Folder(filepath.Join(parent, "file")); err == nil || !strings.HasSuffix(err.Error(), "is a file, not a folder") {
		t.Errorf("Folder over a file = %v", err)
	}
}

// The states that a crash can leave between the steps of Commit, each put right.
func TestSweep(t *testing.T) {
	for _, tt := range []struct{ name, have, want string }{
		{"before the first rename", "pack .pack.partial-1", "pack"},
		{"between the renames", ".pack.old .pack.partial-1", "pack"},
		{"before the removal of the old one", "pack .pack.old", "pack"},
		{"a file half written", "pack .partial-pack.zip", "pack"},
		{"nothing of ours", ".git notes.old .hidden", ".git .hidden notes.old"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parent := t.TempDir()
			for _, name := range strings.Fields(tt.have) {
				if err := os.Mkdir(filepath.Join(parent, name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := Sweep(parent); err != nil {
				t.Fatal(err)
			}
			if got := names(t, parent); got != tt.want {
				t.Errorf("after Sweep: %q, want %q", got, tt.want)
			}
		})
	}
	if err := Sweep(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Errorf("Sweep of a missing folder = %v", err)
	}
}

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p", "j.ndjson")
	j, lines, err := OpenJournal(path, PrivateFile)
	if err != nil || len(lines) != 0 {
		t.Fatalf("OpenJournal = %d lines, %v", len(lines), err)
	}
	for _, line := range []string{"one\n", "two\n"} {
		if err := j.Append([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{"", "no end", "two\nlines\n"} {
		if err := j.Append([]byte(bad)); err == nil {
			t.Errorf("Append(%q) was taken", bad)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	// A crash in the middle of a write leaves a line without its end.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("thr"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	j, lines, err = OpenJournal(path, PrivateFile)
	if err != nil || len(lines) != 2 || string(lines[1]) != "two\n" {
		t.Fatalf("OpenJournal after a crash = %q, %v", lines, err)
	}
	if err := j.Append([]byte("three\n")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "one\ntwo\nthree\n" {
		t.Errorf("journal = %q", got)
	}
	if f, d := mode(t, path), mode(t, filepath.Dir(path)); f != PrivateFile || d != PrivateFolder {
		t.Errorf("modes = %o in %o, want %o in %o", f, d, PrivateFile, PrivateFolder)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".casebook", "lock")
	first, err := Acquire(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(path); !errors.Is(err, ErrLocked) {
		t.Errorf("second Acquire = %v, want ErrLocked", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := Acquire(path)
	if err != nil {
		t.Fatalf("Acquire after Release = %v", err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}
