package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
)

// demoFiles is the published example with some of its payload changed, and its manifests made anew.
func demoFiles(t testing.TB, edit map[string]string) []evidence.File {
	t.Helper()
	payload, _, _ := demo(t)
	for name, text := range edit {
		i := slices.IndexFunc(payload, func(f evidence.File) bool { return f.Path == name })
		switch {
		case i < 0:
			payload = append(payload, evidence.File{Path: name, Data: []byte(text)})
		case text == "":
			payload = slices.Delete(payload, i, i+1)
		default:
			payload[i].Data = []byte(text)
		}
	}
	tags, _, err := TagFiles(payload, demoInfo())
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(payload, tags)
}

// replaced is one payload file of the example with a part of it replaced.
func replaced(t testing.TB, name, old, new string) map[string]string {
	t.Helper()
	payload, _, _ := demo(t)
	i := slices.IndexFunc(payload, func(f evidence.File) bool { return f.Path == name })
	if i < 0 || !strings.Contains(string(payload[i].Data), old) {
		t.Fatalf("the example's %s holds no %q", name, old)
	}
	return map[string]string{name: strings.Replace(string(payload[i].Data), old, new, 1)}
}

// The published example, opened: every part of it is there. Its response is shortened, so that it isn't one to the
// strict reader.
func TestOpenMade(t *testing.T) {
	files := demoFiles(t, map[string]string{"data/case.md": "Twelve past four.\n"})
	p, err := OpenMade(NewMemory(files), "demo-01", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := evidence.FileDigest(fileData(t, files, TagManifestFile)); p.Name != "demo-01" || p.ID != want {
		t.Errorf("pack %s, id %s, want %s", p.Name, p.ID, want)
	}
	if p.Case.ID != "demo-01" || len(p.Case.Narratives) != 1 || string(p.Case.Narratives[0].Source) != "Twelve past four.\n" || p.Case.Narratives[0].Lang != "en" {
		t.Errorf("case %s, narratives %+v", p.Case.ID, p.Case.Narratives)
	}
	if len(p.Steps) != 1 || p.Step("find") != &p.Steps[0] || p.Step("other") != nil {
		t.Fatalf("steps = %+v", p.Steps)
	}
	step := p.Steps[0]
	if step.Mode != "replay" || step.Spec.ID != "find" || len(step.Recording.Attempts) != 1 || len(step.Response.Observations) != 1 {
		t.Errorf("step = %+v", step)
	}
	if len(p.Ledger.Entries) != 2 || len(p.Ledger.Targets) != 2 || len(p.Ledger.Recomputed) != 2 || p.Ledger.Entries[0].Rule != "api_key" {
		t.Errorf("ledger = %+v", p.Ledger)
	}
	if p.Versions.Casebook.Version != "0.1.0" || p.Provenance.FrozenAt != "2026-11-30T09:01:00Z" || len(p.Provenance.Derived) != 2 {
		t.Errorf("versions %+v, provenance %+v", p.Versions, p.Provenance)
	}
	if len(p.Files) != 12 || p.Files[0].Path != "data/case.json" || p.Files[0].Bytes != int64(len(fileData(t, files, "data/case.json"))) {
		t.Errorf("files = %+v", p.Files)
	}
	if _, err := Open(NewMemory(files), "demo-01"); err == nil || !strings.HasPrefix(err.Error(), "data/evidence/find/response.json: ") {
		t.Errorf("Open = %v, want the shortened response refused", err)
	}
}

func fileData(t testing.TB, files []evidence.File, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(files, func(f evidence.File) bool { return f.Path == name })
	if i < 0 {
		t.Fatalf("no file %s", name)
	}
	return files[i].Data
}

// An error names the file that is not in order. Manifests are in order in all of these but where they are the subject.
func TestOpenRefuses(t *testing.T) {
	const try = "data/recordings/find/a0001/t01.json"
	for _, tt := range []struct {
		name string
		edit map[string]string
		want string
	}{
		{"a case that is none", map[string]string{"data/case.yaml": "casebook: 2\n"}, "data/case.yaml:"},
		{"no case", map[string]string{"data/case.yaml": ""}, "data/case.yaml: is not in the pack"},
		{"a narrative that is no text", map[string]string{"data/case.md": "\xff"}, "data/case.md:1:1: invalid UTF-8"},
		{"no versions", map[string]string{"data/versions.json": ""}, "data/versions.json: is not in the pack"},
		{"versions that are none", map[string]string{"data/versions.json": "[]\n"}, "data/versions.json: "},
		{"no provenance", map[string]string{"data/provenance.json": ""}, "data/provenance.json: is not in the pack"},
		{"no ledger", map[string]string{"data/redactions.json": ""}, "data/redactions.json: is not in the pack"},
		{"a step without a mode", replaced(t, "data/provenance.json", `"step":"find"`, `"step":"other"`), `data/provenance.json: has no step "find"`},
		{"no recording", map[string]string{"data/recordings/find/request.json": ""}, "read data/recordings/find/request.json: "},
		{"a body that was changed", replaced(t, try, "High water", "High waters"), try + ": body has 161 bytes, recorded are 160"},
		{"no response", map[string]string{"data/evidence/find/response.json": ""}, "data/evidence/find/response.json: is not in the pack"},
		{"a response that is none", map[string]string{"data/evidence/find/response.json": "[]\n"}, "data/evidence/find/response.json: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := OpenMade(NewMemory(demoFiles(t, tt.edit)), "demo-01", nil); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("OpenMade = %v, want %s", err, tt.want)
			}
		})
	}
}

// Nothing is read that the manifests don't vouch for.
func TestOpenHashesEverything(t *testing.T) {
	files := demoFiles(t, nil)
	for i := range files {
		changed := slices.Clone(files)
		changed[i].Data = append(slices.Clone(files[i].Data), ' ')
		_, err := OpenMade(NewMemory(changed), "demo-01", nil)
		want := files[i].Path + ": "
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("one byte more in %s: OpenMade = %v", files[i].Path, err)
		}
		if _, err := OpenMade(NewMemory(slices.Delete(slices.Clone(files), i, i+1)), "demo-01", nil); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), files[i].Path) {
			t.Errorf("without %s: OpenMade = %v", files[i].Path, err)
		}
	}
	if len(files) != 15 {
		t.Errorf("%d files, want 15", len(files))
	}
}

func TestOpenNeedsTheManifestVouchedFor(t *testing.T) {
	files := demoFiles(t, nil)
	for i, f := range files {
		if f.Path == TagManifestFile {
			lines := strings.SplitAfter(string(f.Data), "\n")
			lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasSuffix(line, "  "+ManifestFile+"\n") })
			files[i].Data = []byte(strings.Join(lines, ""))
		}
	}
	const want = "tagmanifest-sha256.txt: does not list manifest-sha256.txt"
	if _, err := OpenMade(NewMemory(files), "demo-01", nil); err == nil || err.Error() != want {
		t.Errorf("OpenMade = %v, want %s", err, want)
	}
}

func TestOpenNeedsReadableManifests(t *testing.T) {
	files := demoFiles(t, nil)
	i := slices.IndexFunc(files, func(f evidence.File) bool { return f.Path == ManifestFile })
	j := slices.IndexFunc(files, func(f evidence.File) bool { return f.Path == TagManifestFile })
	old := evidence.FileDigest(files[i].Data)
	files[i].Data = []byte("no manifest\n")
	files[j].Data = []byte(strings.Replace(string(files[j].Data), string(old), string(evidence.FileDigest(files[i].Data)), 1))
	if _, err := OpenMade(NewMemory(files), "demo-01", nil); err == nil || !strings.HasPrefix(err.Error(), "manifest-sha256.txt: line 1: ") {
		t.Errorf("OpenMade = %v, want the line of the manifest", err)
	}
}

// Memory is a file system to every rule of the standard library's own test of file systems.
func TestMemory(t *testing.T) {
	files := []evidence.File{{Path: "b/deep/x", Data: []byte("X")}, {Path: "a", Data: []byte("A")}, {Path: "b/y", Data: nil}, {Path: "b.z", Data: []byte("ZZ")}}
	memory := NewMemory(files)
	if err := fstest.TestFS(memory, "a", "b/deep/x", "b/y", "b.z"); err != nil {
		t.Error(err)
	}
	var walked []string
	err := fs.WalkDir(memory, ".", func(name string, entry fs.DirEntry, err error) error {
		info, infoErr := entry.Info()
		if err != nil || infoErr != nil {
			return fmt.Errorf("%s: %w, %w", name, err, infoErr)
		}
		walked = append(walked, fmt.Sprintf("%s %s %d %v", name, info.Mode(), info.Size(), info.ModTime().IsZero() && info.Sys() == nil))
		return nil
	})
	want := []string{
		". drwxr-xr-x 0 true", "a -rw-r--r-- 1 true", "b drwxr-xr-x 0 true", "b/deep drwxr-xr-x 0 true", "b/deep/x -rw-r--r-- 1 true",
		"b/y -rw-r--r-- 0 true", "b.z -rw-r--r-- 2 true",
	}
	if diff := cmp.Diff(want, walked); err != nil || diff != "" {
		t.Errorf("walk: %v (-want +got):\n%s", err, diff)
	}
	for _, name := range []string{"c", "b/", "/a", "b/deep/x/y", ""} {
		if _, err := memory.Open(name); err == nil {
			t.Errorf("Open(%q) found something", name)
		}
		if _, err := memory.ReadFile(name); err == nil {
			t.Errorf("ReadFile(%q) found something", name)
		}
		if _, err := memory.ReadDir(name); err == nil {
			t.Errorf("ReadDir(%q) found something", name)
		}
	}
}

// A folder is listed in pieces as every folder is.
func TestMemoryFolder(t *testing.T) {
	memory := NewMemory([]evidence.File{{Path: "a"}, {Path: "b"}, {Path: "c"}})
	opened, err := memory.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	folder := opened.(fs.ReadDirFile)
	for _, want := range []int{2, 1} {
		if entries, err := folder.ReadDir(2); err != nil || len(entries) != want {
			t.Errorf("ReadDir(2) = %d entries, %v, want %d", len(entries), err, want)
		}
	}
	if entries, err := folder.ReadDir(1); err != io.EOF || len(entries) != 0 {
		t.Errorf("ReadDir at the end = %v, %v, want EOF", entries, err)
	}
	if entries, err := folder.ReadDir(-1); err != nil || len(entries) != 0 {
		t.Errorf("ReadDir(-1) at the end = %v, %v, want nothing", entries, err)
	}
	if n, err := folder.Read(make([]byte, 1)); err == nil || n != 0 {
		t.Error("a folder was read as a file")
	}
}
