package testkit

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"casebook/engine/durable"
	"casebook/engine/evidence"
)

// Folder holds the files below dir against files, byte for byte, none missing and none over; with -update it puts the
// files in place of what is there. Paths of files are relative to dir.
func Folder(t testing.TB, dir string, files []evidence.File) {
	t.Helper()
	if len(files) == 0 {
		t.Fatalf("%s: no files to compare with", dir)
	}
	if *update {
		replace(t, dir, files)
		return
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		got, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v; write it with -update", err)
			continue
		}
		if string(got) != string(f.Data) {
			t.Errorf("%s differs; if that is right, run with -update:\n%s", name, udiff.Unified("committed", "made", string(got), string(f.Data)))
		}
	}
	for _, name := range strangers(t, dir, files) {
		t.Errorf("%s: nothing makes this file", filepath.Join(dir, name))
	}
}

// replace puts a folder of files in the place of what is at dir.
func replace(t testing.TB, dir string, files []evidence.File) {
	t.Helper()
	var batch durable.Batch
	folder, err := batch.Folder(dir)
	for _, f := range files {
		if err == nil {
			err = folder.Add(f.Path, f.Data)
		}
	}
	if err == nil {
		err = batch.Commit()
	}
	if err != nil {
		batch.Discard()
		t.Fatal(err)
	}
}

// strangers are the files below dir that are none of files.
func strangers(t testing.TB, dir string, files []evidence.File) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if !slices.ContainsFunc(files, func(f evidence.File) bool { return f.Path == filepath.ToSlash(name) }) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return names
}
