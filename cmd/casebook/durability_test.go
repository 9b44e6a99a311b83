package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// program builds the command under test once.
func program(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "casebook")
	if out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// inProcess runs a command line with a clock of its own and returns what it printed.
func inProcess(t testing.TB, now time.Time, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	e := &env{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }, now: func() time.Time { return now }, jobs: 2}
	if code := run(e, args); code != exitDone {
		t.Fatalf("casebook %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// project makes a project of n small cases in dir; the text of every document ends in mark.
func makeProject(t testing.TB, dir string, n int, mark string) {
	t.Helper()
	for i := range n {
		writeCase(t, filepath.Join(dir, casesFolder, fmt.Sprintf("case-%04d", i)), 3, mark)
	}
}

func writeCase(t testing.TB, dir string, documents int, mark string) {
	t.Helper()
	id := filepath.Base(dir)
	put := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("case.yaml", fmt.Sprintf(`casebook: 1
id: %s
title: {en: "Case %s"}
question: {en: "What do the documents of %s say?"}
as_of: 2026-01-31T12:00:00Z
corpora:
  papers: {path: corpus}
steps:
  - id: find
    kind: search
    corpus: papers
    request:
      input: {query: "harbour office"}
      options: {max_results: 20}
      routing: {mode: fixed, provider: local}
`, id, id, id))
	put("case.md", "The office opens "+mark+".\n")
	for d := range documents {
		put(fmt.Sprintf("corpus/d%02d.txt", d), fmt.Sprintf(`---
url: https://port%d.example/%s
title: "Harbour office notice %d"
date: "2026-01-05"
---
The harbour office of %s opens at eight on working days. Notice %d, %s.
`, d, id, d, id, d, mark))
	}
}

// outputs are all files that a build writes for readers.
func outputs(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, folder := range []string{packsFolder, siteFolder} {
		files, err := tree(filepath.Join(dir, folder))
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range files {
			all[folder+"/"+filepath.ToSlash(name)] = data
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s holds no outputs", dir)
	}
	return all
}

func sameOutputs(t *testing.T, name string, got, want map[string][]byte) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if !bytes.Equal(got[path], want[path]) {
			t.Errorf("%s: %s differs", name, path)
		}
	}
	for path := range got {
		if want[path] == nil {
			t.Errorf("%s: %s is one too many", name, path)
		}
	}
}

// Two builds of the shipped cases give the same packs, sums and site, whatever the machine is set to.
func TestBuildIsDeterministic(t *testing.T) {
	shipped, err := tree("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	place := func(name string) string {
		dir := filepath.Join(t.TempDir(), name)
		for path, data := range shipped {
			file := filepath.Join(dir, casesFolder, path)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	first := place("a")
	inProcess(t, time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone("", -3600)), "--root", first, "build", "--jobs", "1")
	want := outputs(t, first)
	second := place("another place")
	cmd := exec.Command("sh", "-c", `umask 077; exec "$0" --root "$1" build --jobs 7`, program(t), second)
	cmd.Env = append(os.Environ(), "TZ=Asia/Kathmandu", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "GOMAXPROCS=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sameOutputs(t, "another machine", outputs(t, second), want)
	for path := range want {
		info, err := os.Stat(filepath.Join(second, filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o644 {
			t.Errorf("%s: mode %o under umask 077, want 644", path, info.Mode().Perm())
		}
	}
	// Committed sums are those of this build.
	for path, data := range shipped {
		if id, ok := strings.CutSuffix(filepath.ToSlash(path), "/"+sumFile); ok && !bytes.Equal(want[packsFolder+"/"+id+"/manifest-sha256.txt"], data) {
			t.Errorf("%s: the rebuilt manifest differs from the committed sum", id)
		}
	}
}

// A build that is killed leaves each pack and each page whole, old or new, and the next build leaves only the new.
func TestKilledBuild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Fatal("needs SIGKILL")
	}
	const cases = 5
	casebook := program(t)
	before, after := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "after")
	makeProject(t, before, cases, "early")
	makeProject(t, after, cases, "late")
	when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	inProcess(t, when, "--root", before, "build")
	inProcess(t, when, "--root", after, "build")
	old, fresh := outputs(t, before), outputs(t, after)

	changed := func(dir, path string) bool {
		data, err := os.ReadFile(filepath.Join(dir, path))
		return err == nil && bytes.Equal(data, fresh[path])
	}
	exists := func(dir, path string) bool { _, err := os.Stat(filepath.Join(dir, path)); return err == nil }
	points := []struct {
		name    string
		reached func(dir string) bool
	}{
		{"at the first record", func(dir string) bool { return exists(dir, ".casebook/scratch/case-0000.ndjson") }},
		{"while a pack is written", func(dir string) bool { return hasPartial(filepath.Join(dir, packsFolder)) }},
		{"at the first new pack", func(dir string) bool { return changed(dir, "packs/case-0000/data/case.md") }},
		{"while the site's copy is written", func(dir string) bool { return hasPartial(filepath.Join(dir, "site/packs")) }},
		{"at the first new archive", func(dir string) bool { return changed(dir, "packs/case-0000.zip") }},
		{"at a new page", func(dir string) bool { return changed(dir, "site/cases/case-0001/index.html") }},
		{"at the third new pack", func(dir string) bool { return changed(dir, "packs/case-0002/data/case.md") }},
		{"at the last new page", func(dir string) bool { return changed(dir, "site/cases/case-0004/index.md") }},
	}
	for _, point := range points {
		t.Run(point.name, func(t *testing.T) {
			dir := t.TempDir()
			makeProject(t, dir, cases, "early")
			inProcess(t, when, "--root", dir, "build")
			makeProject(t, dir, cases, "late")
			if err := os.RemoveAll(filepath.Join(dir, ".casebook/scratch")); err != nil {
				t.Fatal(err)
			}
			killAt(t, exec.Command(casebook, "--root", dir, "build", "--jobs", "1"), func() bool { return point.reached(dir) })
			checkWhole(t, dir, old, fresh)
			inProcess(t, when, "--root", dir, "build")
			sameOutputs(t, "after the next build", outputs(t, dir), fresh)
		})
	}
}

// killAt starts a command and kills it once the condition holds, or lets it end.
func killAt(t *testing.T, cmd *exec.Cmd, reached func() bool) {
	t.Helper()
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case <-ended:
			return
		default:
		}
		if reached() {
			if err := cmd.Process.Kill(); err != nil && err != os.ErrProcessDone {
				t.Fatal(err)
			}
			<-ended
			return
		}
		runtime.Gosched()
	}
}

func hasPartial(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.Contains(e.Name(), ".partial-") })
}

// checkWhole holds every visible file against its old and its new bytes, and every pack against one of the two.
func checkWhole(t *testing.T, dir string, old, fresh map[string][]byte) {
	t.Helper()
	seen := 0
	sides := map[string]string{}
	for path, data := range outputs(t, dir) {
		if strings.Contains(path, "/.") {
			continue
		}
		seen++
		isOld, isFresh := bytes.Equal(data, old[path]), bytes.Equal(data, fresh[path])
		if !isOld && !isFresh {
			t.Errorf("%s is neither the old nor the new file", path)
		}
		pack, _, inPack := strings.Cut(path, "/data/")
		if !inPack || isOld == isFresh {
			continue
		}
		side := map[bool]string{true: "old", false: "new"}[isOld]
		if sides[pack] == "" {
			sides[pack] = side
		}
		if sides[pack] != side {
			t.Errorf("%s is partly old and partly new", pack)
		}
	}
	if seen != len(old) {
		t.Errorf("%d files after the kill, want all %d", seen, len(old))
	}
}
