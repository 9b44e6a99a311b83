package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"casebook": main})
}

// Each verb by scripts: what it prints on both streams, how it ends, what it leaves on the disk.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  status,
			"flip":    flip,
			"big":     big,
			"hostile": hostile,
			"same":    same,
			"put":     put,
		},
	})
}

// status CODE ARG... runs casebook and holds its exit code against CODE.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("casebook", args[1:]...)
	got := 0
	var exit interface{ ExitCode() int }
	if err != nil {
		var ok bool
		if exit, ok = err.(interface{ ExitCode() int }); !ok {
			ts.Fatalf("casebook did not run: %v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("casebook %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// flip FILE TEXT changes one bit of the first byte of TEXT in FILE.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE TEXT")
	}
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	at := bytes.Index(data, []byte(args[1]))
	if at < 0 {
		ts.Fatalf("%s holds no %q", args[0], args[1])
	}
	data[at] ^= 1
	ts.Check(os.WriteFile(file, data, 0o644))
}

// big FILE MEGABYTES makes a file of that size, without data.
func big(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: big FILE MEGABYTES")
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	f, err := os.Create(file)
	ts.Check(err)
	ts.Check(f.Truncate(n << 20))
	ts.Check(f.Close())
}

// put FILE TEXT writes a text in which \n and \xff stand for these bytes, which no script can hold.
func put(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: put FILE TEXT")
	}
	text := strings.NewReplacer(`\n`, "\n", `\xff`, "\xff").Replace(args[1])
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	ts.Check(os.WriteFile(file, []byte(text), 0o644))
}

// hostile KIND FILE makes a ZIP that must be refused before anything of it is used.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hostile KIND FILE")
	}
	entries := map[string][]string{
		"dotdot":    {"p/../../etc/passwd"},
		"absolute":  {"/etc/passwd"},
		"duplicate": {"p/bagit.txt", "p/bagit.txt"},
		"bomb":      {"p/bagit.txt"},
	}[args[0]]
	if entries == nil {
		ts.Fatalf("no archive of kind %q", args[0])
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		ts.Check(err)
		text := []byte("x")
		if args[0] == "bomb" {
			text = make([]byte, 64<<20)
		}
		_, err = f.Write(text)
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o644))
}

// same DIR DIR compares two folders byte for byte, and proves that it saw files.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same DIR DIR")
	}
	a, err := tree(ts.MkAbs(args[0]))
	ts.Check(err)
	b, err := tree(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(a) == 0 {
		ts.Fatalf("%s holds no files", args[0])
	}
	for name, data := range a {
		if other, ok := b[name]; !ok {
			ts.Fatalf("%s is in %s alone", name, args[0])
		} else if !bytes.Equal(data, other) {
			ts.Fatalf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		ts.Fatalf("%d files in %s, %d in %s", len(a), args[0], len(b), args[1])
	}
}

// tree reads every file below dir.
func tree(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		files[relative], err = os.ReadFile(path)
		return err
	})
	return files, err
}
