// Package testkit is what tests of several packages share. Nothing but tests imports it.
package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"casebook/engine/durable"
)

var update = flag.Bool("update", false, "write the golden files anew")

// registry knows which golden files the tests of a run asked for; only [RunGolden], after all of them, can tell which
// nobody reads, so it outlives each test.
type registry struct{ read sync.Map }

var goldens registry

// Golden compares got with the file testdata/golden/<name> of the package under test; with -update it writes the file.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join(goldenFolder, filepath.FromSlash(name))
	goldens.read.Store(path, true)
	if *update {
		if err := durable.MakeFolder(filepath.Dir(path), durable.PublicFolder); err != nil {
			t.Fatal(err)
		}
		if err := durable.WriteFile(path, got, durable.PublicFile); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("golden file: %v; write it with -update", err)
		return
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; if that is right, run with -update:\n%s", path, udiff.Unified(path, "got", string(want), string(got)))
	}
}

const goldenFolder = "testdata/golden"

// RunGolden is the TestMain of a package with golden files: after a run of all its tests it fails when a golden file was
// read by none of them.
func RunGolden(m *testing.M) int {
	code := m.Run()
	if code != 0 || partial() {
		return code
	}
	err := filepath.WalkDir(goldenFolder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if _, known := goldens.read.Load(path); !known {
			os.Stderr.WriteString(path + ": no test reads this golden file\n")
			code = 1
		}
		return nil
	})
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return code
}

// partial says that the run was asked for some tests only, so that an unread file means nothing.
func partial() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return true
		}
	}
	return false
}
