package pack

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// zipOf archives a bag as it stands, right or wrong.
func zipOf(t testing.TB, b *bag, change func(*rawEntry)) []byte {
	var entries []rawEntry
	for f, err := range Files(b.files) {
		if err != nil {
			t.Fatal(err)
		}
		e := rawEntry{name: b.name + "/" + f.Path, data: string(f.Data)}
		if change != nil {
			change(&e)
		}
		entries = append(entries, e)
	}
	return rawZIP(t, entries...)
}

// verifyFile writes an archive, opens it as a user does and checks it.
func verifyFile(t testing.TB, name string, data []byte, options Options) *Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return verifyPath(t, path, options)
}

func verifyPath(t testing.TB, path string, options Options) *Report {
	t.Helper()
	target := OpenTarget(path, options.Limits)
	r := Verify(target, options)
	if err := target.Close(); err != nil {
		t.Error(err)
	}
	return r
}

// TestVerifyUnusable is B01: what can't be used at all ends with 2, and nothing else counts as checked.
func TestVerifyUnusable(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"empty", "folder.zip"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{"text": "a text", "text.zip": "a text", "text.tar": strings.Repeat("text", 999), "short.tar": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"missing":    "can't be read: no such file or directory",
		"empty":      "no bag: neither bagit.txt nor a manifest in it",
		"folder.zip": "no bag: neither bagit.txt nor a manifest in it",
		"text":       "neither a folder nor a .zip or .tar file",
		"text.zip":   "no ZIP file: shorter than an end record",
		"text.tar":   "no tar file, or a damaged one: archive/tar: invalid tar header",
		"short.tar":  "no end record: cut short",
		"fifo":       "neither a folder nor a file",
	} {
		t.Run(name, func(t *testing.T) {
			r := verifyPath(t, filepath.Join(dir, name), Options{})
			// An empty folder is a warning as well.
			got := slices.DeleteFunc(faults(r), func(s string) bool { return strings.Contains(s, "there is no bag to look at") })
			if !slices.Equal(got, []string{"B01 failed : " + want}) || r.Exit() != 2 || r.Name != name {
				t.Errorf("%s: %q, exit %d, want %q and 2", r.Name, got, r.Exit(), want)
			}
			if len(r.Checks) != 14 || r.PackID != nil || len(r.NotChecked) != 0 {
				t.Errorf("%d checks, id %v, not checked %q", len(r.Checks), r.PackID, r.NotChecked)
			}
			if want := "unreadable, partly checked: " + name; r.Summary() != want {
				t.Errorf("Summary = %q, want %q", r.Summary(), want)
			}
		})
	}
}

func TestVerifyHostileArchives(t *testing.T) {
	tried := 0
	for name, hostile := range hostileZIPs(t) {
		tried++
		r := verifyFile(t, "x.zip", hostile.data, Options{})
		if r.Exit() != 2 || r.Checks[0].Status != StatusFailed || r.Checks[0].Reason != hostile.want.Reason || r.Checks[0].place() != hostile.want.Path {
			t.Errorf("%s: exit %d, %+v, want 2 and %+v", name, r.Exit(), r.Checks[0], hostile.want)
		}
	}
	if tried < 50 {
		t.Errorf("%d archives tried", tried)
	}
}

func TestVerifyArchives(t *testing.T) {
	b := goodBag(t)
	zipped := zipOf(t, b, nil)
	var tarred bytes.Buffer
	writeTAR(t, &tarred, b)
	deflate := func(e *rawEntry) {
		if len(e.data) > 300 {
			e.method = methodDeflated
		}
	}
	for _, tt := range []struct {
		name, file, form string
		data             []byte
	}{
		{"zip", "any-name.zip", FormZIP, zipped},
		{"zip by content", "download", FormZIP, zipped},
		{"upper-case ending", "DEMO.ZIP", FormZIP, zipped},
		{"deflated", "x.zip", FormZIP, zipOf(t, b, deflate)},
		{"tar", "x.tar", FormTAR, tarred.Bytes()},
		{"tar by content", "x", FormTAR, tarred.Bytes()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := verifyFile(t, tt.file, tt.data, Options{PackID: demoID, Strict: true})
			checkFaults(t, r, 0)
			if r.Name != "demo-01" || r.Form != tt.form || r.Checks[0].Reason != tt.form {
				t.Errorf("name %q, form %q, %+v", r.Name, r.Form, r.Checks[0])
			}
		})
	}
	b.name = "other"
	checkFaults(t, verifyFile(t, "demo-01.zip", zipOf(t, b, nil), Options{}), 0, "B12 warning : the folder is named other, the pack demo-01")
}

// TestVerifyDamagedArchive: one byte changed in a file is that file's fault; a bag can still be read.
func TestVerifyDamagedArchive(t *testing.T) {
	const file = "data/case.json"
	b := goodBag(t)
	zipped := zipOf(t, b, nil)
	swap := func(old, new string) []byte {
		if bytes.Count(zipped, []byte(old)) == 0 {
			t.Fatalf("%q is not there", old)
		}
		return bytes.Replace(zipped, []byte(old), []byte(new), 1)
	}
	checkFaults(t, verifyFile(t, "x.zip", swap(`"casebook":1,"id"`, `"casebook":2,"id"`), Options{}), 1,
		"B10 failed "+file+": other bytes than listed: the length is that of when it was frozen")
	checkFaults(t, verifyFile(t, "x.zip", swap("Bagging-Date: 2026-11-30", "Bagging-Date: 2026-11-29"), Options{}), 1,
		"B11 failed bag-info.txt: damaged in the archive: CRC-32 differs from the header's",
		"B11 failed bag-info.txt: other bytes than listed in tagmanifest-sha256.txt")
	// A wrong CRC-32 in both headers of bag-info.txt, which is the first entry: the bytes are the frozen ones.
	sum := bytes.Clone(zipped[14:18])
	checkFaults(t, verifyFile(t, "x.zip", bytes.ReplaceAll(zipped, sum, []byte("XXXX")), Options{}), 1,
		"B11 failed bag-info.txt: damaged in the archive: CRC-32 differs from the header's")
	if r := verifyFile(t, "x.zip", zipped[:len(zipped)-1], Options{}); r.Exit() != 2 {
		t.Errorf("cut archive: exit %d", r.Exit())
	}
}

func TestVerifyPayloadChecksum(t *testing.T) {
	b := goodBag(t)
	zipped := zipOf(t, b, nil)
	at := bytes.Index(zipped, []byte("demo-01/data/case.json"))
	sum := bytes.Clone(zipped[at-16 : at-12])
	checkFaults(t, verifyFile(t, "x.zip", bytes.ReplaceAll(zipped, sum, []byte("XXXX")), Options{}), 0,
		"B10 warning data/case.json: the bytes are those listed, but their CRC-32 differs from the header's")
}

// TestVerifyLyingArchive: an entry that gives more than its header says ends with 2, wherever it stands; a damaged
// stream is the file's fault.
func TestVerifyLyingArchive(t *testing.T) {
	spoil := func(path string, change func(*rawEntry)) []byte {
		return zipOf(t, goodBag(t), func(e *rawEntry) {
			if strings.HasSuffix(e.name, path) {
				change(e)
			}
		})
	}
	lie := func(e *rawEntry) { e.method, e.size = methodDeflated, uint32(len(e.data)-1) }
	for _, path := range []string{"data/case.json", ManifestFile, BagInfoFile} {
		r := verifyFile(t, "x.zip", spoil(path, lie), Options{})
		if got := faults(r); r.Exit() != 2 || got[0] != "B01 failed "+path+": gives more bytes than its header says" {
			t.Errorf("%s: exit %d, %q", path, r.Exit(), got)
		}
	}
	short := func(e *rawEntry) { e.method, e.size = methodDeflated, uint32(len(e.data)+1) }
	checkFaults(t, verifyFile(t, "x.zip", spoil("data/case.json", short), Options{}), 1,
		"B10 failed data/case.json: damaged in the archive: unexpected EOF",
		"B12 failed bag-info.txt: Payload-Oxum is 7401.11, the listed files are 7402.11")
}

// TestVerifyFolder goes through the file system, with a link out of the folder.
func TestVerifyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo-01")
	if err := os.CopyFS(dir, os.DirFS(demoFolder)); err != nil {
		t.Fatal(err)
	}
	checkFaults(t, verifyPath(t, dir, Options{Strict: true}), 0)
	secret := filepath.Join(t.TempDir(), "case.json")
	data, err := os.ReadFile(filepath.Join(dir, "data/case.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(secret, data, 0o644), os.Remove(filepath.Join(dir, "data/case.json")), os.Symlink(secret, filepath.Join(dir, "data/case.json"))); err != nil {
		t.Fatal(err)
	}
	checkFaults(t, verifyPath(t, dir, Options{}), 2,
		"B02 failed data/case.json: no regular file: a symbolic link",
		"B06 failed data/case.json: listed in manifest-sha256.txt, but not there",
		"B12 failed bag-info.txt: Payload-Oxum is 7401.11, the listed files are 7125.10")
}

func TestOpenTargetNamesTheFolder(t *testing.T) {
	t.Chdir(demoFolder)
	checkFaults(t, verifyPath(t, ".", Options{Strict: true}), 0)
}

// failingFS fails where a disk would.
type failingFS struct {
	fstest.MapFS
	list, open string
}

var errDisk = errors.New("input/output error")

func (f failingFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == f.list {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errDisk}
	}
	return f.MapFS.ReadDir(name)
}

func (f failingFS) Open(name string) (fs.File, error) {
	if name == f.open {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errDisk}
	}
	return f.MapFS.Open(name)
}

// TestVerifyReadFaults: what can't be read is neither passed nor called altered.
func TestVerifyReadFaults(t *testing.T) {
	for _, tt := range []struct {
		list, open string
		exit       int
		want       string
	}{
		{".", "", 2, "B02 failed .: folder can't be read: input/output error"},
		{"data/evidence", "", 2, "B02 failed data/evidence: folder can't be read: input/output error"},
		{"", "data/case.json", 1, "B10 not checked data/case.json: can't be read: input/output error"},
		{"", ManifestFile, 1, "B04 not checked manifest-sha256.txt: can't be read: input/output error"},
		{"", BagItFile, 1, "B03 not checked bagit.txt: can't be read: input/output error"},
		{"", BagInfoFile, 1, "B12 not checked bag-info.txt: can't be read: input/output error"},
	} {
		r := Verify(FolderTarget("demo-01", failingFS{goodBag(t).files, tt.list, tt.open}), Options{})
		if got := faults(r); !slices.Contains(got, tt.want) || r.Exit() != tt.exit {
			t.Errorf("exit %d, %q, want %d, %q", r.Exit(), got, tt.exit, tt.want)
		}
	}
	b := goodBag(t)
	r := b.verify(withLimits(func(l *Limits) { l.ManifestBytes = int64(len(b.text(ManifestFile))) }))
	checkFaults(t, r, 0)
	r = b.verify(withLimits(func(l *Limits) { l.ManifestBytes = int64(len(b.text(ManifestFile))) - 1 }))
	if got, want := faults(r), "B04 not checked manifest-sha256.txt: limit: more than 1034 bytes"; !slices.Contains(got, want) || r.Exit() != 1 {
		t.Errorf("exit %d, %q, want %q", r.Exit(), got, want)
	}
}

// TestVerifyReadsOnce counts the bytes that are read of an undamaged bag.
func TestVerifyReadsOnce(t *testing.T) {
	counted := &countingFS{FS: goodBag(t).files, opened: map[string]int{}}
	checkFaults(t, Verify(FolderTarget("demo-01", counted), Options{Jobs: 1}), 0)
	if len(counted.opened) < 15 {
		t.Fatalf("opened %v", counted.opened)
	}
	for name, n := range counted.opened {
		if info, err := fs.Stat(counted.FS, name); err != nil || !info.IsDir() && n != 1 {
			t.Errorf("%s opened %d times, %v", name, n, err)
		}
	}
}

type countingFS struct {
	fs.FS
	opened map[string]int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

// TestHostileNamesInReport: a name in a bag can't write to a terminal.
func TestHostileNamesInReport(t *testing.T) {
	b := goodBag(t)
	b.put("data/\x1b[2Jx\u202e", "x")
	r := b.verify(Options{})
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if want := `data/\x1b[2Jx\u202e`; r.Checks[6].place() != want {
		t.Errorf("path %q, want %q", r.Checks[6].place(), want)
	}
	if bytes.ContainsAny(data, "\x1b\u202e") {
		t.Errorf("report holds control characters: %s", data)
	}
}
