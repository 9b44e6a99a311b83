package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"casebook/engine/evidence"
)

// bag is a bag in memory that a test spoils; what it adds by hand is sealed again where only one thing may be wrong.
type bag struct {
	name  string
	files fstest.MapFS
}

// goodBag is the published example, signature included.
func goodBag(t testing.TB) *bag {
	payload, tags, signatures := demo(t)
	b := &bag{name: "demo-01", files: fstest.MapFS{}}
	for _, f := range slices.Concat(payload, tags, signatures) {
		b.put(f.Path, string(f.Data))
	}
	return b
}

func (b *bag) put(path, data string) {
	b.files[path] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
}
func (b *bag) text(path string) string {
	return string(b.files[path].Data)
}

// edit replaces text that must stand in the file.
func (b *bag) edit(path, old, new string) {
	before := b.text(path)
	if !strings.Contains(before, old) {
		panic(path + " does not hold " + old)
	}
	b.put(path, strings.Replace(before, old, new, 1))
}

// list writes the manifest anew from the files under data/.
func (b *bag) list() *bag {
	var entries []FileEntry
	for path, f := range b.files {
		if strings.HasPrefix(path, payloadPrefix) {
			entries = append(entries, FileEntry{Path: path, SHA256: evidence.FileDigest(f.Data)})
		}
	}
	b.put(ManifestFile, string(writeManifest(entries)))
	return b
}

// measure writes Payload-Oxum anew.
func (b *bag) measure() *bag {
	octets, files := 0, 0
	for path, f := range b.files {
		if strings.HasPrefix(path, payloadPrefix) {
			octets, files = octets+len(f.Data), files+1
		}
	}
	lines := strings.Split(b.text(BagInfoFile), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, labelOxum) {
			lines[i] = fmt.Sprintf("%s: %d.%d", labelOxum, octets, files)
		}
	}
	b.put(BagInfoFile, strings.Join(lines, "\n"))
	return b
}

// seal writes the tag manifest anew.
func (b *bag) seal() *bag {
	var entries []FileEntry
	for _, name := range []string{BagInfoFile, BagItFile, ManifestFile} {
		if f := b.files[name]; f != nil {
			entries = append(entries, FileEntry{Path: name, SHA256: evidence.FileDigest(f.Data)})
		}
	}
	b.put(TagManifestFile, string(writeManifest(entries)))
	return b
}

func (b *bag) verify(options Options) *Report { return Verify(FolderTarget(b.name, b.files), options) }

// faults are the checks of a report that are not ok.
func faults(r *Report) []string {
	var out []string
	for _, c := range r.Checks {
		if c.Status != StatusOK {
			out = append(out, fmt.Sprintf("%s %s %s: %s", c.ID, c.Status, c.place(), c.Reason))
		}
	}
	return out
}

func checkFaults(t *testing.T, r *Report, exit int, want ...string) {
	t.Helper()
	if got := faults(r); !slices.Equal(got, want) {
		t.Errorf("faults:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.Exit() != exit {
		t.Errorf("exit = %d, want %d", r.Exit(), exit)
	}
}

func TestVerifyGood(t *testing.T) {
	r := goodBag(t).verify(Options{PackID: demoID, Strict: true})
	checkFaults(t, r, 0)
	if len(r.Checks) != 14 || *r.PackID != demoID || *r.PackFormat != "1.0" || !slices.Equal(r.States, []string{StateIntact}) {
		t.Errorf("%d checks, id %v, format %v, states %v", len(r.Checks), *r.PackID, *r.PackFormat, r.States)
	}
	if want := (Counts{Listed: 11, Found: 11, Intact: 11, Bytes: 7401}); r.Counts != want {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if want := []string{notCheckedSignatures, notCheckedContents}; !slices.Equal(r.NotChecked, want) {
		t.Errorf("not checked %q, want %q", r.NotChecked, want)
	}
	if got, want := r.Summary(), "intact: demo-01; 11 of 11 files, 7401 bytes; pack id "+demoID; got != want {
		t.Errorf("Summary = %q, want %q", got, want)
	}
	for i, c := range r.Checks {
		if c.ID != bagChecks[i].id {
			t.Errorf("check %d is %s", i, c.ID)
		}
	}
	if b10, b11 := r.Checks[9].Reason, r.Checks[10].Reason; b10 != "11 of 11 files" || b11 != "3 of 3 bag files" {
		t.Errorf("B10 says %q, B11 %q", b10, b11)
	}
}

func TestVerifyUnsigned(t *testing.T) {
	b := goodBag(t)
	delete(b.files, "signatures/s01.sshsig")
	if got := b.verify(Options{}).NotChecked; !slices.Equal(got, []string{notCheckedContents}) {
		t.Errorf("not checked %q", got)
	}
}

// mutant is a bag that is wrong in one way; only the check under whose id it stands may say so.
type mutant struct {
	name   string
	spoil  func(*bag)
	fault  string // after the id
	exit   int
	option Options
}

// mutants holds at least one wrong bag for every check.
func mutants() map[string][]mutant {
	const t01 = "data/recordings/find/a0001/t01.json"
	return map[string][]mutant{
		"B02": {
			{"link in the payload", func(b *bag) { b.files["data/link"] = &fstest.MapFile{Mode: fs.ModeSymlink} }, "failed data/link: no regular file: a symbolic link", 2, Options{}},
			{"FIFO at the root", func(b *bag) { b.files["pipe"] = &fstest.MapFile{Mode: fs.ModeNamedPipe} }, "failed pipe: no regular file: a FIFO", 2, Options{}},
			{"device", func(b *bag) { b.files["data/d"] = &fstest.MapFile{Mode: fs.ModeDevice} }, "failed data/d: no regular file: a device", 2, Options{}},
			{"socket", func(b *bag) { b.files["data/s"] = &fstest.MapFile{Mode: fs.ModeSocket} }, "failed data/s: no regular file: a socket", 2, Options{}},
			{"unknown", func(b *bag) { b.files["data/i"] = &fstest.MapFile{Mode: fs.ModeIrregular} }, "failed data/i: no regular file: of an unknown kind", 2, Options{}},
		},
		"B03": {
			{"version", func(b *bag) { b.edit(BagItFile, "1.0", "0.97"); b.seal() }, "failed bagit.txt: not exact: want BagIt-Version: 1.0 and Tag-File-Character-Encoding: UTF-8, each in a line that ends in LF", 1, Options{}},
			{"line endings", func(b *bag) { b.put(BagItFile, crlf(bagItText)); b.seal() }, "failed bagit.txt: not exact: line endings were changed, CRLF stands for LF", 1, Options{}},
			{"cut", func(b *bag) { b.put(BagItFile, bagItText[:20]); b.seal() }, "failed bagit.txt: not exact: cut short", 1, Options{}},
		},
		"B04": {
			{"order", func(b *bag) { b.put(ManifestFile, swapLines(b.text(ManifestFile))); b.seal() }, `failed manifest-sha256.txt: line 2: path "data/case.json" out of order, after "data/case.yaml"`, 1, Options{}},
			{"one blank", func(b *bag) { b.edit(ManifestFile, "  data/case.json", " data/case.json"); b.seal() }, "failed manifest-sha256.txt: line 1: want exactly two blanks between digest and path", 1, Options{}},
			{"CR", func(b *bag) { b.edit(ManifestFile, "case.json\n", "case.json\r\n"); b.seal() }, "failed manifest-sha256.txt: line 1: a carriage return (CR); only LF ends a line", 1, Options{}},
			{"twice", func(b *bag) { m := b.text(ManifestFile); b.put(ManifestFile, m[:strings.Index(m, "\n")+1]+m); b.seal() }, `failed manifest-sha256.txt: line 2: path "data/case.json" is listed twice, first in line 1`, 1, Options{}},
			{"no last LF", func(b *bag) { b.put(ManifestFile, strings.TrimSuffix(b.text(ManifestFile), "\n")); b.seal() }, "failed manifest-sha256.txt: line 11: the last line does not end in LF", 1, Options{}},
			{"not payload", func(b *bag) { b.put(ManifestFile, emptySum+"  bagit.txt\n"+b.text(ManifestFile)); b.seal() }, `failed manifest-sha256.txt: line 1: path "bagit.txt" does not belong in this manifest`, 1, Options{}},
			{"nothing listed", func(b *bag) { b.emptyPayload() }, "failed manifest-sha256.txt: lists no payload file", 1, Options{}},
		},
		"B05": {
			{"upper case", func(b *bag) { b.put("data/A.json", "{}\n"); b.list().measure().seal() }, `failed data/A.json: path "data/A.json": segment "A.json": want a-z, 0-9, '.', '_' and '-', beginning with a letter or digit`, 1, Options{}},
			{"device name", func(b *bag) { b.put("data/nul.json", "{}\n"); b.list().measure().seal() }, `failed data/nul.json: path "data/nul.json": segment "nul.json" is a device name on Windows`, 1, Options{}},
			{"percent sign", func(b *bag) { b.put("data/100%25.txt", "x"); b.list().measure().seal() }, `failed data/100%25.txt: path "data/100%25.txt": segment "100%25.txt": want a-z, 0-9, '.', '_' and '-', beginning with a letter or digit`, 1, Options{}},
		},
		"B06": {
			{"missing", func(b *bag) { delete(b.files, t01); b.measure().seal() }, "failed " + t01 + ": listed in manifest-sha256.txt, but not there", 1, Options{}},
		},
		"B07": {
			{"one file too many", func(b *bag) { b.put("data/extra.json", "{}\n") }, "failed data/extra.json: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"Finder", func(b *bag) { b.put("data/.DS_Store", "x") }, "failed data/.DS_Store: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"Explorer", func(b *bag) { b.put("data/Thumbs.db", "x") }, "failed data/Thumbs.db: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"empty folder", func(b *bag) { b.files["data/empty"] = &fstest.MapFile{Mode: fs.ModeDir | 0o755} }, "warning data/empty: an empty folder, which no bag can record", 0, Options{}},
			{"empty folder, strict", func(b *bag) { b.files["data/empty"] = &fstest.MapFile{Mode: fs.ModeDir | 0o755} }, "warning data/empty: an empty folder, which no bag can record", 1, Options{Strict: true}},
		},
		"B08": {
			{"note", func(b *bag) { b.put("notes.txt", "x") }, "failed notes.txt: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"Finder", func(b *bag) { b.put(".DS_Store", "x") }, "failed .DS_Store: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"another manifest", func(b *bag) { b.put("manifest-md5.txt", "x") }, "failed manifest-md5.txt: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"no signature", func(b *bag) { b.put("signatures/s02.exe", "x") }, "failed signatures/s02.exe: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"deep signature", func(b *bag) { b.put("signatures/x/s02.tsr", "x") }, "failed signatures/x/s02.tsr: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"signature's name", func(b *bag) { b.put("signatures/S02.tsr", "x") }, "failed signatures/S02.tsr: unlisted file: added after freezing; the listed files are intact", 1, Options{}},
			{"empty folder", func(b *bag) { b.files["empty"] = &fstest.MapFile{Mode: fs.ModeDir | 0o755} }, "warning empty: an empty folder, which no bag can record", 0, Options{}},
			{"many signatures", func(b *bag) { b.put("signatures/s02.tlog-proof", "x") }, "not checked signatures: limit: 2 files, at most 1 are read", 1, withLimits(func(l *Limits) { l.Signatures = 1 })},
			{"large signature", func(b *bag) { b.put("signatures/s01.sshsig", "12345") }, "not checked signatures/s01.sshsig: limit: 5 bytes, at most 4 are read", 1, withLimits(func(l *Limits) { l.SignatureBytes = 4 })},
		},
		"B09": {{"fetch.txt", func(b *bag) { b.put(fetchFile, "https://x.example/a 1 data/a\n") }, "failed fetch.txt: a pack has all its files and fetches none", 1, Options{}}},
		"B10": {
			{"one byte", func(b *bag) { b.edit(t01, "Tide", "tide") }, "failed " + t01 + ": other bytes than listed: the length is that of when it was frozen", 1, Options{}},
			{"line endings", func(b *bag) { b.put("data/case.yaml", crlf(b.text("data/case.yaml"))); b.measure().seal() }, "failed data/case.yaml: other bytes than listed: line endings were changed, CRLF stands for LF, as git does with core.autocrlf", 1, Options{}},
			{"limit of a file", func(*bag) {}, "not checked data/evidence/find/response.json: limit: 1661 bytes, at most 1660 are read", 1, withLimits(func(l *Limits) { l.FileBytes = 1660 })},
			{"limit of all", func(*bag) {}, "not checked data: limit: 7401 bytes, at most 7400 are read", 1, withLimits(func(l *Limits) { l.PayloadBytes = 7400 })},
		},
		"B11": {
			{"another date", func(b *bag) { b.edit(BagInfoFile, "2026-11-30", "2026-11-29") }, "failed bag-info.txt: other bytes than listed in tagmanifest-sha256.txt", 1, Options{}},
			{"one line less", func(b *bag) { b.edit(TagManifestFile, b.text(TagManifestFile)[:79], "") }, "failed tagmanifest-sha256.txt: lists bagit.txt, manifest-sha256.txt; want exactly bag-info.txt, bagit.txt and manifest-sha256.txt", 1, Options{}},
			{"missing", func(b *bag) { delete(b.files, TagManifestFile) }, "failed tagmanifest-sha256.txt: missing", 1, Options{}},
		},
		"B12": {
			{"Payload-Oxum", func(b *bag) { b.edit(BagInfoFile, "7401.11", "7401.12"); b.seal() }, "failed bag-info.txt: Payload-Oxum is 7401.12, the listed files are 7401.11", 1, Options{}},
			{"no Payload-Oxum", func(b *bag) { b.edit(BagInfoFile, "Payload-Oxum: 7401.11\n", ""); b.seal() }, `failed bag-info.txt: label Payload-Oxum is "": want <octets>.<files>`, 1, Options{}},
			{"no date", func(b *bag) { b.edit(BagInfoFile, "Bagging-Date: 2026-11-30\n", ""); b.seal() }, `failed bag-info.txt: label Bagging-Date is "": want YYYY-MM-DD`, 1, Options{}},
			{"another program", func(b *bag) { b.edit(BagInfoFile, "casebook 0", "bagger 0"); b.seal() }, `failed bag-info.txt: label Bag-Software-Agent is "bagger 0.1.0": want casebook <version>`, 1, Options{}},
			{"no id", func(b *bag) { b.edit(BagInfoFile, "demo-01", "Demo"); b.seal() }, `failed bag-info.txt: label External-Identifier is "Demo": want a case id`, 1, Options{}},
			{"order of labels", func(b *bag) { b.put(BagInfoFile, swapLines(b.text(BagInfoFile))); b.seal() }, `failed bag-info.txt: line 2: label "Bag-Software-Agent" out of order or twice`, 1, Options{}},
			{"the folder's name", func(b *bag) { b.name = "other" }, "warning : the folder is named other, the pack demo-01", 0, Options{}},
			{"the folder's name, strict", func(b *bag) { b.name = "other" }, "warning : the folder is named other, the pack demo-01", 1, Options{Strict: true}},
		},
		"B13": {
			{"another major", func(b *bag) { b.edit(BagInfoFile, "Format: 1.0", "Format: 2.0"); b.seal() }, "not checked bag-info.txt: pack format 2.0 is not known to this version: the bytes are checked by BagIt's rules, nothing else", 1, Options{}},
			{"no version", func(b *bag) { b.edit(BagInfoFile, "Format: 1.0", "Format: one"); b.seal() }, `failed bag-info.txt: pack format "one": want MAJOR.MINOR`, 1, Options{}},
			{"no label", func(b *bag) { b.edit(BagInfoFile, "Casebook-Pack-Format: 1.0\n", ""); b.seal() }, "failed bag-info.txt: no Casebook-Pack-Format label: not a pack of casebook's; a bag of another maker is checked with --bag-only", 1, Options{}},
		},
		"B14": {{"another pack", func(*bag) {}, "failed : pack id " + demoID + ", asked for is " + abcSum, 1, Options{PackID: abcSum}}},
	}
}

func withLimits(change func(*Limits)) Options {
	l := DefaultLimits()
	change(&l)
	return Options{Limits: l}
}

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// swapLines puts the second line first.
func swapLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	lines[0], lines[1] = lines[1], lines[0]
	return strings.Join(lines, "")
}

func (b *bag) emptyPayload() {
	maps.DeleteFunc(b.files, func(path string, _ *fstest.MapFile) bool { return strings.HasPrefix(path, payloadPrefix) })
	b.list().measure().seal()
}

func TestVerifyMutants(t *testing.T) {
	all := mutants()
	for _, check := range bagChecks {
		// B01 is about what is no bag at all: TestVerifyUnusable.
		if check.id != "B01" && len(all[check.id]) == 0 {
			t.Errorf("no wrong bag for %s", check.id)
		}
	}
	for id, list := range all {
		for _, m := range list {
			t.Run(id+" "+m.name, func(t *testing.T) {
				b := goodBag(t)
				m.spoil(b)
				checkFaults(t, b.verify(m.option), m.exit, id+" "+m.fault)
			})
		}
	}
}

func TestVerifyStates(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*bag)
		want  []string
	}{
		{"altered", func(b *bag) { b.edit("data/case.json", "Tide", "tide") }, []string{StateAltered}},
		{"incomplete", func(b *bag) { delete(b.files, "data/case.json"); b.measure().seal() }, []string{StateIncomplete}},
		{"added to", func(b *bag) { b.put("data/x", "") }, []string{StateAdded}},
		{"unreadable", func(b *bag) { b.files = fstest.MapFS{"a": {Data: nil}} }, []string{StateUnreadable, StatePartly}},
		{"several", func(b *bag) {
			b.edit("data/case.json", "Tide", "tide")
			delete(b.files, "data/case.yaml")
			b.put("x", "")
			b.measure().seal()
		}, []string{StateAltered, StateIncomplete, StateAdded}},
		{"another format", func(b *bag) { b.edit(BagInfoFile, "Format: 1.0", "Format: 2.0"); b.seal() }, []string{StatePartly}},
	} {
		b := goodBag(t)
		tt.spoil(b)
		if got := b.verify(Options{}).States; !slices.Equal(got, tt.want) {
			t.Errorf("%s: states %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestVerifyAlteredAndAdded: the comfort that the listed files are intact is not given when they aren't.
func TestVerifyAlteredAndAdded(t *testing.T) {
	b := goodBag(t)
	b.edit("data/case.json", "Tide", "tide")
	b.put("data/.DS_Store", "x")
	b.put(".DS_Store", "x")
	checkFaults(t, b.verify(Options{}), 1,
		"B07 failed data/.DS_Store: unlisted file: added after freezing",
		"B08 failed .DS_Store: unlisted file: added after freezing",
		"B10 failed data/case.json: other bytes than listed: the length is that of when it was frozen")
}

func TestVerifyDamageIsNamed(t *testing.T) {
	const path = "data/case.json"
	for _, tt := range []struct {
		name  string
		spoil func(*bag)
		want  string
	}{
		{"cut by 20", func(b *bag) { b.put(path, b.text(path)[:256]) }, "cut, 20 bytes fewer than when frozen"},
		{"longer", func(b *bag) { b.put(path, b.text(path)+"\n\n\n") }, "3 bytes more than when frozen"},
		{"empty", func(b *bag) { b.put(path, "") }, "cut, the file is empty"},
		{"cut, no oxum", func(b *bag) { b.put(path, b.text(path)[:256]); b.edit(BagInfoFile, labelOxum, "Payload-Size") }, "cut, it does not end in a line break"},
		{"changed, no oxum", func(b *bag) { b.edit(path, "Tide", "tide"); b.edit(BagInfoFile, labelOxum, "Payload-Size") }, "how can't be told"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := goodBag(t)
			tt.spoil(b)
			if got, want := faults(b.verify(Options{})), "B10 failed "+path+": other bytes than listed: "+tt.want; !slices.Contains(got, want) {
				t.Errorf("faults %q, want among them %q", got, want)
			}
		})
	}
}

// TestVerifyLineEndings: a file whose CR LF became LF, and one with a CR at the border of the reader's buffer.
func TestVerifyLineEndings(t *testing.T) {
	for _, tt := range []struct{ name, frozen, now, want string }{
		{"LF for CRLF", "a\r\nb\r\n", "a\nb\n", "LF stands for CRLF"},
		{"border", strings.Repeat("x", 4095) + "\nb\n", strings.Repeat("x", 4095) + "\r\nb\r\n", "CRLF stands for LF, as git does with core.autocrlf"},
		{"after the border", strings.Repeat("x", 4096) + "\nb\n", strings.Repeat("x", 4096) + "\r\nb\r\n", "CRLF stands for LF, as git does with core.autocrlf"},
		{"lone CR kept", "a\rb\n", "a\rb\r\n", "CRLF stands for LF, as git does with core.autocrlf"},
		{"last line open", "a\nb", "a\r\nb", "CRLF stands for LF, as git does with core.autocrlf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := goodBag(t)
			b.put("data/files/f0001.txt", tt.frozen)
			b.list().measure().seal()
			b.put("data/files/f0001.txt", tt.now)
			want := "B10 failed data/files/f0001.txt: other bytes than listed: line endings were changed, " + tt.want
			if got := faults(b.verify(Options{})); !slices.Contains(got, want) {
				t.Errorf("faults %q, want among them %q", got, want)
			}
		})
	}
}

// TestVerifyCheckedOutByGit: core.autocrlf changes every text file, the manifests too.
func TestVerifyCheckedOutByGit(t *testing.T) {
	b := goodBag(t)
	for path, f := range b.files {
		b.put(path, crlf(string(f.Data)))
	}
	r := b.verify(Options{})
	count := map[string]int{}
	for _, c := range r.Checks {
		if strings.Contains(c.Reason, "line endings were changed") || strings.Contains(c.Reason, "a carriage return (CR)") {
			count[c.ID]++
		}
	}
	// 11 + 3 lines of manifests, bagit.txt, 11 payload files, 3 bag files, 5 lines of bag-info.txt.
	if want := map[string]int{"B03": 1, "B04": 14, "B10": 11, "B11": 3, "B12": 5}; !maps.Equal(count, want) || r.Exit() != 1 {
		t.Errorf("line endings named %v, want %v; exit %d\n%s", count, want, r.Exit(), strings.Join(faults(r), "\n"))
	}
}

// TestVerifyRemovedResponse: whoever takes a file out and seals the bag again makes another pack.
func TestVerifyRemovedResponse(t *testing.T) {
	b := goodBag(t)
	delete(b.files, "data/evidence/find/response.json")
	b.list().measure().seal()
	checkFaults(t, b.verify(Options{}), 0)
	r := b.verify(Options{PackID: demoID})
	checkFaults(t, r, 1, fmt.Sprintf("B14 failed : pack id %s, asked for is %s", *r.PackID, demoID))
}

func TestVerifyLaterMinor(t *testing.T) {
	b := goodBag(t)
	b.edit(BagInfoFile, "Format: 1.0", "Format: 1.3")
	b.put("data/novelty.json", "{}\n")
	b.list().measure().seal()
	r := b.verify(Options{})
	checkFaults(t, r, 0)
	if want := "pack format 1.3, newer than 1.0: what that version added is not looked at"; r.Checks[12].Reason != want {
		t.Errorf("B13 says %q, want %q", r.Checks[12].Reason, want)
	}
	if want := "data/novelty.json: unknown to this version, bytes intact"; !slices.Equal(r.NotChecked[2:], []string{want}) {
		t.Errorf("not checked %q, want %q at the end", r.NotChecked, want)
	}
	b.edit("data/case.json", "Tide", "tide")
	if want := "data/novelty.json: unknown to this version, its bytes are not all as listed"; !slices.Contains(b.verify(Options{}).NotChecked, want) {
		t.Errorf("want %q", want)
	}
}

// TestVerifyMissingBagFiles: what was a bag is told from what never was one.
func TestVerifyMissingBagFiles(t *testing.T) {
	for name, want := range map[string][]string{
		BagItFile:   {"B03 failed bagit.txt: missing", "B11 failed bagit.txt: listed in tagmanifest-sha256.txt, but not there"},
		BagInfoFile: {"B11 failed bag-info.txt: listed in tagmanifest-sha256.txt, but not there", "B12 failed bag-info.txt: missing", "B13 failed bag-info.txt: no Casebook-Pack-Format label"},
	} {
		got := faults(goodBag(t).remove(name).verify(Options{}))
		if len(got) != len(want) {
			t.Fatalf("without %s: %q, want %q", name, got, want)
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("without %s: %q, want %q", name, got[i], want[i])
			}
		}
	}
	r := goodBag(t).remove(ManifestFile).verify(Options{})
	got := faults(r)
	if r.Exit() != 1 || len(got) != 14 || got[0] != "B04 failed manifest-sha256.txt: missing" ||
		got[1] != "B07 failed data/case.json: unlisted file: added after freezing" || got[12] != "B11 failed manifest-sha256.txt: listed in tagmanifest-sha256.txt, but not there" {
		t.Errorf("without manifest: exit %d, %q", r.Exit(), got)
	}
}

func TestVerifyTagFileLimit(t *testing.T) {
	b := foreignBag(map[string]string{"data/a": "x"})
	b.put("about.txt", "12345")
	b.put(TagManifestFile, string(evidence.FileDigest([]byte("12345")))+"  about.txt\n")
	options := withLimits(func(l *Limits) { l.FileBytes = 4 })
	options.BagOnly = true
	checkFaults(t, b.verify(options), 1, "B11 not checked about.txt: limit: 5 bytes, at most 4 are read")
	options.Limits.FileBytes = 5
	checkFaults(t, b.verify(options), 0)
}

func TestKnownPayload(t *testing.T) {
	known := []string{
		"data/case.yaml", "data/case.json", "data/case.md", "data/case.de.md", "data/case.zh-hant.md", "data/versions.json", "data/provenance.json",
		"data/redactions.json", "data/files.json", "data/files/f0001.pdf", "data/evidence/cross.json", "data/recordings/s/request.json",
		"data/recordings/s/execution.json", "data/recordings/s/plan.json", "data/recordings/s/keywords.json", "data/recordings/s/analyses.json",
		"data/recordings/s/a0001/attempt.json", "data/recordings/s/a10000/t01.json", "data/recordings/s/a0001/observations.ndjson",
		"data/evidence/s/observations.ndjson", "data/evidence/s/response.json", "data/evidence/s/selection.json", "data/evidence/s/outcome.json",
		"data/evidence/s/metrics/mention-rate.json", "data/evidence/s/recognitions/m0001.json", "data/evidence/s/recognitions/m0001.r2.json",
	}
	for _, path := range known {
		if !knownPayload.MatchString(path) {
			t.Errorf("%s is not known", path)
		}
		if other := strings.Replace(path, ".", "x.", 1); path != "data/files/f0001.pdf" && !strings.Contains(path, "metrics") && knownPayload.MatchString(other) {
			t.Errorf("%s is known", other)
		}
		if knownPayload.MatchString(path+"x") != (path == "data/files/f0001.pdf") {
			t.Errorf("%sx is known, or not", path)
		}
	}
}

func TestVerifyFileLimit(t *testing.T) {
	b := goodBag(t)
	options := withLimits(func(l *Limits) { l.Files = 11 })
	checkFaults(t, b.verify(options), 0)
	options.Limits.Files = 10
	checkFaults(t, b.verify(options), 1,
		"B06 not checked data: limit: more than 10 files",
		"B07 not checked data: limit: more than 10 files",
		"B12 not checked bag-info.txt: Payload-Oxum needs every file")
	for i := range 11 {
		b.put(fmt.Sprintf("signatures/s%02d.tsr", i+2), "x")
	}
	r := b.verify(withLimits(func(l *Limits) { l.Files = 11 }))
	if got := faults(r); !slices.Contains(got, "B07 not checked : limit: more than 11 files") {
		t.Errorf("faults %q", got)
	}
}

func TestReportAdd(t *testing.T) {
	r := goodBag(t).verify(Options{})
	r.Add(Check{ID: "D24", Status: StatusOK})
	if r.Exit() != 0 || !slices.Equal(r.NotChecked, []string{notCheckedSignatures}) {
		t.Errorf("exit %d, not checked %q", r.Exit(), r.NotChecked)
	}
	path := "data/evidence/find/response.json"
	r.Add(Check{ID: "D06", Status: StatusFailed, Path: &path, Reason: "b"}, Check{ID: "D06", Status: StatusFailed, Path: &path, Reason: "a"})
	if r.Exit() != 1 || !slices.Equal(r.States, []string{StateInconsistent}) || r.Checks[14].Reason != "a" || r.Checks[16].ID != "D24" {
		t.Errorf("exit %d, states %v, checks %+v", r.Exit(), r.States, r.Checks[14:])
	}
}

func TestReportJSONIsTheSameForAnyJobs(t *testing.T) {
	var first []byte
	for jobs := range 9 {
		b := goodBag(t)
		for path, f := range b.files {
			if strings.HasPrefix(path, payloadPrefix) {
				f.Data = bytes.ToUpper(f.Data)
			}
		}
		data, err := b.verify(Options{Jobs: jobs}).JSON()
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Errorf("%d jobs:\n%s\nfirst:\n%s", jobs, data, first)
		}
	}
}
