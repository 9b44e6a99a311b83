package freeze_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/casefile"
	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/engine/freeze"
	"casebook/engine/pack"
	"casebook/engine/redact"
	"casebook/engine/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunGolden(m)) }

// mini is a small case with the step of the sample near-twins, whose recordings it is frozen from.
const mini = `casebook: 1
id: mini
title: {en: "Small", zh-CN: "小"}
question: {en: "q"}
as_of: 2026-11-30T12:00:00Z
steps:
  - id: find
    kind: search
    request:
      input: {query: "app.example docs"}
      options: {max_results: 20}
      routing: {mode: fixed, provider: serper, allow_fallback: false}
    expect:
      - {results: 14}
`

// miniJSON is what the author wrote in mini: as_of is a string, the request has no member that he left out.
const miniJSON = `{"as_of":"2026-11-30T12:00:00Z","casebook":1,"id":"mini","question":{"en":"q"},"steps":[{"expect":[{"results":14}],` +
	`"id":"find","kind":"search","request":{"input":{"query":"app.example docs"},"options":{"max_results":20},` +
	`"routing":{"allow_fallback":false,"mode":"fixed","provider":"serper"}}}],"title":{"en":"Small","zh-CN":"小"}}` + "\n"

func parse(t testing.TB, yaml string) *casefile.Case {
	t.Helper()
	c, faults := casefile.Parse("case.yaml", []byte(yaml))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return c
}

// sample is the committed recording of near-twins and its ledger.
func sample(t testing.TB) (evidence.Recording, *redact.Ledger) {
	t.Helper()
	folder := os.DirFS(filepath.Join("..", "..", "cases", "near-twins"))
	r, err := evidence.ReadRecording(folder, "recordings/find")
	if err != nil {
		t.Fatal(err)
	}
	data, err := fs.ReadFile(folder, "recordings/redactions.json")
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := redact.ReadLedger(data)
	if err != nil {
		t.Fatal(err)
	}
	return *r, &ledger
}

func scrub(t testing.TB, r evidence.Recording, options redact.Options) redact.Clean {
	t.Helper()
	clean, err := redact.Scrub([]evidence.Recording{r}, options)
	if err != nil {
		t.Fatal(err)
	}
	return clean
}

func input(t testing.TB, c *casefile.Case, clean redact.Clean) freeze.Input {
	t.Helper()
	return freeze.Input{
		Case: c, Clean: clean, Modes: []pack.StepMode{{Step: "find", Mode: "replay"}},
		Engine: evidence.Engine{Name: "casebook", Version: "0.1.0", BuildCommit: "pending"}, Version: "0.1.0",
		Release: pack.Release{SourceCommit: "abc", BuildInputs: "pending", ImageDigest: "pending", DocsVersion: "pending"},
		Rules:   map[string]bool{"email": true},
	}
}

func sampleInput(t testing.TB) freeze.Input {
	t.Helper()
	r, ledger := sample(t)
	return input(t, parse(t, mini), scrub(t, r, redact.Options{Known: ledger}))
}

func build(t testing.TB, in freeze.Input) *freeze.Bag {
	t.Helper()
	bag, err := freeze.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return bag
}

// The two files that say how the pack came about, whole; by hand against pack format sections 5.2 and 5.8.
func TestRecords(t *testing.T) {
	bag := build(t, sampleInput(t))
	testkit.Golden(t, "mini/provenance.json", bag.File("data/provenance.json"))
	testkit.Golden(t, "mini/versions.json", bag.File("data/versions.json"))
	var versions map[string]json.RawMessage
	if err := json.Unmarshal(bag.File("data/versions.json"), &versions); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"format", "pack_format", "must_understand", "casebook", "contract_version", "redaction_rules", "canonical_json", "release",
	} {
		if _, ok := versions[name]; !ok {
			t.Errorf("versions.json lacks the required member %s", name)
		}
	}
}

// Every file under evidence/ has its row, and every file that it follows from is in the pack.
func TestProvenanceIsWhole(t *testing.T) {
	bag := build(t, sampleInput(t))
	p, err := pack.Open(bag.FS(), bag.Name)
	if err != nil {
		t.Fatal(err)
	}
	var derived, rows []string
	listed := map[string]bool{}
	for _, f := range p.Files {
		listed[f.Path] = true
		if strings.HasPrefix(f.Path, "data/evidence/") {
			derived = append(derived, f.Path)
		}
	}
	for _, d := range p.Provenance.Derived {
		rows = append(rows, d.File)
		if len(d.From) == 0 || !slices.IsSorted(d.From) {
			t.Errorf("%s follows from %v, want a sorted list", d.File, d.From)
		}
		for _, from := range d.From {
			if !listed[from] {
				t.Errorf("%s follows from %s, which the pack lacks", d.File, from)
			}
		}
	}
	if len(derived) != 2 || !slices.Equal(derived, rows) {
		t.Errorf("rows of %v, want of %v", rows, derived)
	}
}

// The author's files are in the pack byte for byte, case.json holds the same values and no default.
func TestAuthorsFiles(t *testing.T) {
	in := sampleInput(t)
	in.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "case.md", Source: []byte("Fourteen.\n")}, {Lang: "zh-CN", File: "case.zh-cn.md", Source: []byte("十四。\n")}}
	bag := build(t, in)
	for name, want := range map[string]string{
		"data/case.yaml": mini, "data/case.json": miniJSON, "data/case.md": "Fourteen.\n", "data/case.zh-cn.md": "十四。\n",
	} {
		if got := string(bag.File(name)); got != want {
			t.Errorf("%s =\n%s\nwant\n%s", name, got, want)
		}
	}
}

// What a rule finds in an author's file is told by its place and never by its value.
func TestAuthorsFilesAreScanned(t *testing.T) {
	const key = "sk-proj-Zq3xT8vB1nM6kL0pW5yR2uH7"
	for _, tt := range []struct {
		name, old, new string
		narrative      string
		value, want    string
	}{
		{"an address in case.yaml", `question: {en: "q"}`, `question: {en: "Who is jo@port.example?"}`, "", "jo@port.example",
			"case mini: redaction: an author's file is mended, not redacted: case.yaml:4:24: rule email"},
		{"a key in case.yaml", `question: {en: "q"}`, `question: {en: "` + key + `"}`, "", key,
			"case mini: redaction: an author's file is mended, not redacted: case.yaml:4:17: rule api_key"},
		{"both in case.md", "", "", "Fine.\n\nAsk jo@port.example\nor use " + key + "\n", "jo@port.example",
			"case mini: redaction: an author's file is mended, not redacted: case.md:3:5: rule email; case.md:4:8: rule api_key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := sampleInput(t)
			in.Case = parse(t, strings.Replace(mini, tt.old, tt.new, 1))
			if tt.narrative != "" {
				in.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "case.md", Source: []byte(tt.narrative)}}
			}
			_, err := freeze.Build(in)
			var findings *redact.FindingsError
			if !errors.As(err, &findings) || err.Error() != tt.want {
				t.Fatalf("Build = %v, want %s", err, tt.want)
			}
			if strings.Contains(err.Error(), tt.value) || strings.Contains(err.Error(), key) {
				t.Errorf("the error tells the value: %v", err)
			}
		})
	}
}

// A rule that is on now and was off when the recordings were cleaned stops the freeze.
func TestPayloadIsScanned(t *testing.T) {
	r, ledger := sample(t)
	body := strings.Replace(r.Attempts[0].Tries[0].Body.Text, "Snippet 3.", "Ask jo@port.example", 1)
	r.Attempts[0].Tries[0].Body = evidence.NewBody([]byte(body))
	in := input(t, parse(t, mini), scrub(t, r, redact.Options{Known: ledger, Rules: map[string]bool{"email": false}}))
	_, err := freeze.Build(in)
	var findings *redact.FindingsError
	if !errors.As(err, &findings) || findings.Reason != "may not be published" || len(findings.Hits) == 0 || strings.Contains(err.Error(), "jo@") {
		t.Fatalf("Build = %v, want findings without their value", err)
	}
	in.Rules = map[string]bool{"email": false}
	build(t, in)
	in.Rules = map[string]bool{"no-such-rule": true}
	if _, err := freeze.Build(in); err == nil {
		t.Error("Build took a rule that there isn't")
	}
}

func TestBuildRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(in *freeze.Input)
		want string
	}{
		{"no recordings", func(in *freeze.Input) { in.Clean = redact.Clean{} }, "case mini: 0 recordings and 1 modes of 1 steps"},
		{"no modes", func(in *freeze.Input) { in.Modes = nil }, "case mini: 1 recordings and 0 modes of 1 steps"},
		{"a mode of another step", func(in *freeze.Input) { in.Modes[0].Step = "other" }, `case mini: step find: its recording is of "find", its mode of "other"`},
		{"a recording of another step", func(in *freeze.Input) { in.Case.Steps[0].ID = "other" }, `case mini: step other: its recording is of "find", its mode of "find"`},
		{"no time", func(in *freeze.Input) { in.Case.AsOf = "today" }, `case mini: as_of: parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"`},
		{"a path that no pack has", func(in *freeze.Input) {
			in.Case.Narratives = []casefile.Narrative{{Lang: "en", File: "CASE.md", Source: []byte("x")}}
		}, "case mini: path \"data/CASE.md\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := sampleInput(t)
			tt.edit(&in)
			if bag, err := freeze.Build(in); err == nil || bag != nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("Build = %v, want %s", err, tt.want)
			}
		})
	}
}

// Nothing is published as of a time at which it wasn't there yet; the same time will do.
func TestRecordedAfterTheFreeze(t *testing.T) {
	for _, tt := range []struct{ asOf, what, at string }{
		{"2026-11-30T08:59:59Z", "a0001 started_at", "2026-11-30T09:00:00.02Z"},
		{"2026-11-30T09:00:00.03Z", "a0001/t01 started_at", "2026-11-30T09:00:00.04Z"},
		{"2026-11-30T09:00:00.05Z", "finished_at", "2026-11-30T09:00:00.1Z"},
		{"2026-11-30T09:00:00.1Z", "", ""},
	} {
		in := sampleInput(t)
		in.Case = parse(t, strings.Replace(mini, "2026-11-30T12:00:00Z", tt.asOf, 1))
		_, err := freeze.Build(in)
		if tt.what == "" {
			if err != nil {
				t.Errorf("as_of %s: %v, want a pack", tt.asOf, err)
			}
			continue
		}
		var late *freeze.LateError
		if !errors.As(err, &late) || late.What != tt.what || late.Time != tt.at || late.Step != "find" || late.AsOf != tt.asOf {
			t.Errorf("as_of %s: Build = %v, want it to name %s %s", tt.asOf, err, tt.what, tt.at)
		}
	}
	in := sampleInput(t)
	in.Case = parse(t, strings.Replace(mini, "2026-11-30T12:00:00Z", "2026-11-29T12:00:00Z", 1))
	const want = "case mini: step find: a0001 started_at is 2026-11-30T09:00:00.02Z, after the case's as_of 2026-11-29T12:00:00Z; raise as_of"
	if _, err := freeze.Build(in); err == nil || err.Error() != want {
		t.Errorf("Build = %v, want %s", err, want)
	}
}

// A bag is a function of what goes in: its bytes, its archive, and what is written to the disk.
func TestBag(t *testing.T) {
	bag, again := build(t, sampleInput(t)), build(t, sampleInput(t))
	if diff := cmp.Diff(bag, again); diff != "" {
		t.Errorf("two bags of one case differ:\n%s", diff)
	}
	if bag.Name != "mini" || bag.ID != evidence.FileDigest(bag.File("tagmanifest-sha256.txt")) || bag.File("data/none") != nil {
		t.Errorf("bag %s, id %s", bag.Name, bag.ID)
	}
	var paths []string
	for _, f := range bag.Files {
		paths = append(paths, f.Path)
	}
	want := []string{
		"bag-info.txt", "bagit.txt", "data/case.json", "data/case.yaml", "data/evidence/find/observations.ndjson", "data/evidence/find/response.json",
		"data/provenance.json", "data/recordings/find/a0001/attempt.json", "data/recordings/find/a0001/t01.json",
		"data/recordings/find/execution.json", "data/recordings/find/request.json", "data/redactions.json", "data/versions.json",
		"manifest-sha256.txt", "tagmanifest-sha256.txt",
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if sum := bag.Sum(); len(sum) == 0 || !bytes.Equal(sum, bag.File("manifest-sha256.txt")) {
		t.Error("case.sum is not the payload manifest")
	}
	archive, err := bag.ZIP()
	if err != nil {
		t.Fatal(err)
	}
	packs := filepath.Join(t.TempDir(), "packs")
	var batch durable.Batch
	if got, err := bag.Write(packs, &batch); err != nil || !bytes.Equal(got, archive) {
		t.Fatalf("Write = %d bytes, %v, want the archive", len(got), err)
	}
	if err := batch.Commit(); err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(filepath.Join(packs, "mini.zip")); err != nil || !bytes.Equal(written, archive) {
		t.Errorf("mini.zip on the disk: %v", err)
	}
	for _, f := range bag.Files {
		written, err := os.ReadFile(filepath.Join(packs, "mini", filepath.FromSlash(f.Path)))
		if err != nil || !bytes.Equal(written, f.Data) {
			t.Errorf("%s on the disk: %v, equal %v", f.Path, err, bytes.Equal(written, f.Data))
		}
	}
	for _, target := range []string{"mini", "mini.zip"} {
		opened := pack.OpenTarget(filepath.Join(packs, target), pack.Limits{})
		report := pack.Verify(opened, pack.Options{})
		if err := opened.Close(); err != nil || report.Exit() != 0 || report.PackID == nil || *report.PackID != bag.ID {
			t.Errorf("verify %s = %s, %v", target, report.Summary(), err)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	packs := t.TempDir()
	var batch durable.Batch
	outside := &freeze.Bag{Name: "outside", Files: []evidence.File{{Path: "../x"}}}
	if archive, err := outside.Write(packs, &batch); err == nil || archive != nil {
		t.Error("a file was written outside the pack")
	}
	batch.Discard()
	entries, err := os.ReadDir(packs)
	if err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
