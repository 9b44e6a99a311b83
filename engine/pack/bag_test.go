package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"casebook/engine/evidence"
)

// The published example, pack format section 16.
const (
	demoFolder  = "testdata/demo-01"
	demoID      = "b8fa8109fa7cd2a8fc7d241f4cc556d118c2c05fc9d7557d8ceba73252e576b8"
	demoArchive = "d27612275e08c88ec104baced15487d883d79e10ffa7d3c0fda1052dce3ce19f"
)

func demoInfo() Info {
	return Info{CaseID: "demo-01", FrozenAt: "2026-11-30T09:01:00Z", Version: "0.1.0"}
}

// demo reads the published example: its payload, its four bag files and its signature.
func demo(t testing.TB) (payload, tags, signatures []evidence.File) {
	t.Helper()
	for f, err := range Files(os.DirFS(demoFolder)) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(f.Path, payloadPrefix):
			payload = append(payload, f)
		case strings.HasPrefix(f.Path, SignatureFolder):
			signatures = append(signatures, f)
		default:
			tags = append(tags, f)
		}
	}
	if len(payload) != 11 || len(tags) != 4 || len(signatures) != 1 {
		t.Fatalf("example has %d, %d and %d files, want 11, 4 and 1", len(payload), len(tags), len(signatures))
	}
	return payload, tags, signatures
}

func TestTagFilesOfPublishedExample(t *testing.T) {
	payload, want, _ := demo(t)
	slices.Reverse(payload)
	got, id, err := TagFiles(payload, demoInfo())
	if err != nil {
		t.Fatal(err)
	}
	if id != demoID {
		t.Errorf("pack id = %s, want %s", id, demoID)
	}
	if len(got) != len(want) {
		t.Fatalf("%d bag files, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Path != want[i].Path || !bytes.Equal(got[i].Data, want[i].Data) {
			t.Errorf("%s:\n%s\nwant %s:\n%s", got[i].Path, got[i].Data, want[i].Path, want[i].Data)
		}
	}
}

func TestTagFilesRefuses(t *testing.T) {
	one := []evidence.File{{Path: "data/a.json", Data: []byte("{}\n")}}
	for _, tt := range []struct {
		name    string
		payload []evidence.File
		change  func(*Info)
		want    string
	}{
		{"empty payload", nil, nil, "pack: no payload file"},
		{"percent sign", []evidence.File{{Path: "data/100%.txt"}}, nil, `path "data/100%.txt": segment "100%.txt": want a-z, 0-9, '.', '_' and '-', beginning with a letter or digit`},
		{"junk of a desktop", []evidence.File{{Path: "data/.ds_store"}}, nil, `path "data/.ds_store": segment ".ds_store": want a-z, 0-9, '.', '_' and '-', beginning with a letter or digit`},
		{"outside the payload", []evidence.File{{Path: "datax/a"}}, nil, `path "datax/a": not under data/`},
		{"twice", append(slices.Clone(one), one...), nil, `path "data/a.json": twice in the payload`},
		{"case id", one, func(i *Info) { i.CaseID = "Demo" }, `pack name "Demo": want 1 to 64 of a-z, 0-9 and -, not beginning with -`},
		{"time", one, func(i *Info) { i.FrozenAt = "yesterday" }, `frozen_at "yesterday": want an RFC 3339 time`},
		{"line break in a label", one, func(i *Info) { i.Version = "1\nX: y" }, `Bag-Software-Agent "casebook 1\nX: y": a line break, or a blank at an end`},
		{"blank at the end of a label", one, func(i *Info) { i.Version = "" }, `Bag-Software-Agent "casebook ": a line break, or a blank at an end`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			info := demoInfo()
			if tt.change != nil {
				tt.change(&info)
			}
			if _, _, err := TagFiles(tt.payload, info); err == nil || err.Error() != tt.want {
				t.Errorf("TagFiles = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestTagFilesInfo(t *testing.T) {
	info := demoInfo()
	info.Profile = "https://casebook.example/bagit-profile.json"
	info.FrozenAt = "2026-12-01T01:30:00+02:00"
	files, _, err := TagFiles([]evidence.File{{Path: "data/a", Data: nil}}, info)
	if err != nil {
		t.Fatal(err)
	}
	want := "Bag-Software-Agent: casebook 0.1.0\nBagIt-Profile-Identifier: https://casebook.example/bagit-profile.json\n" +
		"Bagging-Date: 2026-11-30\nCasebook-Pack-Format: 1.0\nExternal-Identifier: demo-01\nPayload-Oxum: 0.1\n"
	if got := string(files[0].Data); got != want {
		t.Errorf("bag-info.txt =\n%swant\n%s", got, want)
	}
}

func TestWriteZIPOfPublishedExample(t *testing.T) {
	payload, tags, signatures := demo(t)
	all := slices.Concat(payload, signatures, tags)
	for name, files := range map[string]func(*bytes.Buffer) error{
		"from memory": func(out *bytes.Buffer) error { return WriteZIP(out, "demo-01", Sorted(all)) },
		"from a folder": func(out *bytes.Buffer) error {
			return WriteZIP(out, "demo-01", Files(os.DirFS(demoFolder)))
		},
	} {
		var out bytes.Buffer
		if err := files(&out); err != nil {
			t.Fatal(err)
		}
		if got := evidence.FileDigest(out.Bytes()); got != demoArchive || out.Len() != 11434 {
			t.Errorf("%s: %d bytes, SHA-256 %s, want 11434 bytes, %s", name, out.Len(), got, demoArchive)
		}
		archive, findings := OpenZIP(bytes.NewReader(out.Bytes()), int64(out.Len()), Limits{})
		if len(findings) > 0 {
			t.Fatalf("%s: own archive refused: %v", name, findings)
		}
		report := Verify(&Target{Name: archive.Top, Form: FormZIP, FS: archive}, Options{PackID: demoID, Strict: true})
		if report.Exit() != 0 {
			t.Errorf("%s: %s, %+v", name, report.Summary(), faults(report))
		}
	}
}

func TestWriteZIPRefuses(t *testing.T) {
	file := func(p string) evidence.File { return evidence.File{Path: p, Data: []byte("x")} }
	inOrderGiven := func(files ...evidence.File) func(func(evidence.File, error) bool) {
		return func(yield func(evidence.File, error) bool) {
			for _, f := range files {
				if !yield(f, nil) {
					return
				}
			}
		}
	}
	for _, tt := range []struct {
		name, pack string
		files      []evidence.File
		want       string
	}{
		{"pack name", "../x", nil, `pack name "../x": want 1 to 64 of a-z, 0-9 and -, not beginning with -`},
		{"path", "x", []evidence.File{file("data/../a")}, `path "data/../a": segment "..": want a-z, 0-9, '.', '_' and '-', beginning with a letter or digit`},
		{"order", "x", []evidence.File{file("b"), file("a")}, `path "a": out of order, after "b"`},
		{"twice", "x", []evidence.File{file("a"), file("a")}, `path "a": out of order, after "a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := WriteZIP(&bytes.Buffer{}, tt.pack, inOrderGiven(tt.files...)); err == nil || err.Error() != tt.want {
				t.Errorf("WriteZIP = %v, want %s", err, tt.want)
			}
		})
	}
}

func TestWriteZIPWithoutZIP64(t *testing.T) {
	write := func(count int) error {
		return WriteZIP(io.Discard, "x", func(yield func(evidence.File, error) bool) {
			for i := range count {
				if !yield(evidence.File{Path: fmt.Sprintf("data/%05d", i)}, nil) {
					return
				}
			}
		})
	}
	if err := write(65534); err != nil {
		t.Errorf("65,534 files: %v", err)
	}
	if err := write(65535); !errors.Is(err, ErrNeedsZIP64) {
		t.Errorf("65,535 files: %v", err)
	}
	if needsZIP64(1, 4<<30-2) || !needsZIP64(1, 4<<30-1) {
		t.Error("a ZIP file without ZIP64 records has less than 4 GiB - 1 bytes")
	}
}

func TestWriteZIPPassesFaultsOn(t *testing.T) {
	broken := errors.New("disk")
	err := WriteZIP(io.Discard, "x", func(yield func(evidence.File, error) bool) { yield(evidence.File{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("WriteZIP = %v, want %v", err, broken)
	}
	if err := WriteZIP(failingWriter{broken}, "x", Sorted([]evidence.File{{Path: "a", Data: make([]byte, 1<<16)}})); !errors.Is(err, broken) {
		t.Errorf("WriteZIP = %v, want %v", err, broken)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestFilesInByteOrder(t *testing.T) {
	// A walk by folders gives a/x before a-b/x; by bytes '-' stands before '/'.
	memory := NewMemory([]evidence.File{{Path: "a/x"}, {Path: "a-b/x"}, {Path: "a.b"}})
	var got []string
	for f, err := range Files(memory) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Path)
	}
	if want := []string{"a-b/x", "a.b", "a/x"}; !slices.Equal(got, want) {
		t.Errorf("Files = %q, want %q", got, want)
	}
}

func TestFilesRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("nowhere", dir+"/link"); err != nil {
		t.Fatal(err)
	}
	for _, err := range Files(os.DirFS(dir)) {
		if err == nil || err.Error() != "link: no regular file" {
			t.Errorf("Files gave %v, want a refusal", err)
		}
		return
	}
	t.Error("Files gave nothing")
}

// TestPackChecksWithoutCasebook runs the tool that an auditor has.
func TestPackChecksWithoutCasebook(t *testing.T) {
	payload, _, _ := demo(t)
	tags, _, err := TagFiles(payload, demoInfo())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, NewMemory(slices.Concat(payload, tags))); err != nil {
		t.Fatal(err)
	}
	check := func() ([]byte, error) {
		cmd := exec.Command("sha256sum", "-c", "--strict", "--quiet", TagManifestFile, ManifestFile)
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	if out, err := check(); err != nil || len(out) > 0 {
		t.Fatalf("sha256sum: %v\n%s", err, out)
	}
	if err := os.WriteFile(dir+"/data/case.json", []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := check(); err == nil || !bytes.Contains(out, []byte("data/case.json: FAILED")) {
		t.Errorf("sha256sum after a change: %v\n%s", err, out)
	}
}

func TestParseID(t *testing.T) {
	for _, text := range []string{demoID, "casebook-pack:sha256:" + demoID} {
		if got, err := ParseID(text); got != demoID || err != nil {
			t.Errorf("ParseID(%q) = %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", demoID[1:], strings.ToUpper(demoID), "sha256:" + demoID, demoID + "\n"} {
		if got, err := ParseID(text); err == nil {
			t.Errorf("ParseID(%q) = %q, want an error", text, got)
		}
	}
	if got := FormatID(demoID); got != "casebook-pack:sha256:"+demoID {
		t.Errorf("FormatID = %q", got)
	}
}

func TestParseLabels(t *testing.T) {
	for _, tt := range []struct {
		name, in       string
		strict         []string
		tolerantFaults int
		value          string // of label A, tolerant
	}{
		{"good", "A: x\nB: y\n", nil, 0, "x"},
		{"no blank", "A:x\n", []string{"line 1: want one blank after the colon and none at the end"}, 0, "x"},
		{"two blanks", "A:  x\n", []string{"line 1: want one blank after the colon and none at the end"}, 0, "x"},
		{"blank at the end", "A: x \n", []string{"line 1: want one blank after the colon and none at the end"}, 0, "x"},
		{"order", "B: y\nA: x\n", []string{`line 2: label "A" out of order or twice`}, 0, "x"},
		{"twice", "A: x\nA: y\n", []string{`line 2: label "A" out of order or twice`}, 0, "x"},
		{"folded", "A: x\n  y\n", []string{"line 2: want 'Label: value'"}, 0, "x y"},
		{"folded first", "  y\nA: x\n", []string{"line 1: want 'Label: value'"}, 1, "x"},
		{"no colon", "A\n", []string{"line 1: want 'Label: value'"}, 1, ""},
		{"blank before the colon", "A : x\n", []string{"line 1: want 'Label: value'"}, 1, ""},
		{"no label", ": x\n", []string{"line 1: want 'Label: value'"}, 1, ""},
		{"colon in the value", "A: x: y\n", nil, 0, "x: y"},
		{"CRLF", "A: x\r\n", []string{"line 1: a carriage return (CR); only LF ends a line"}, 1, "x"},
		{"no last LF", "A: x", []string{"line 1: the last line does not end in LF"}, 1, "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := parseLabels([]byte(tt.in), true)
			if got := texts(found); !slices.Equal(got, tt.strict) {
				t.Errorf("strict faults %q, want %q", got, tt.strict)
			}
			labels, found := parseLabels([]byte(tt.in), false)
			if got := labelValue(labels, "A"); got != tt.value || len(found) != tt.tolerantFaults {
				t.Errorf("A = %q with faults %q, want %q with %d", got, texts(found), tt.value, tt.tolerantFaults)
			}
		})
	}
}

func texts(faults []lineFault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.String())
	}
	return out
}
