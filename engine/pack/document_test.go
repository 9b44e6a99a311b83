package pack

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/schema"
)

const document = "../../schema/PACK.md"

// example reads a marked block of the format's document, so that what it shows is what the code does.
func example(t *testing.T, mark string) string {
	t.Helper()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```"+regexp.QuoteMeta(mark)+"\n(.*?)```\n").FindAllSubmatch(data, -1)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks %q in the document", len(blocks), mark)
	}
	return string(blocks[0][1])
}

func TestDocumentManifestLine(t *testing.T) {
	entries, err := ParseManifest([]byte(example(t, "manifest")))
	if want := []FileEntry{{Path: "data/files/f0001.txt", SHA256: evidence.FileDigest([]byte("abc"))}}; err != nil || !slices.Equal(entries, want) {
		t.Errorf("manifest line = %+v, %v, want %+v", entries, err, want)
	}
}

func TestDocumentCanonicalJSON(t *testing.T) {
	tree, err := canon.Parse([]byte(strings.TrimSuffix(example(t, "json canonical-input"), "\n")))
	if err != nil {
		t.Fatal(err)
	}
	line, err := canon.EncodeLine(tree)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(example(t, "sha256 canonical"))
	if got := []string{string(evidence.FileDigest(line[:len(line)-1])), string(evidence.FileDigest(line))}; !slices.Equal(got, want) {
		t.Errorf("digests %q, want %q", got, want)
	}
}

func TestDocumentReport(t *testing.T) {
	b := goodBag(t)
	b.put("data/.DS_Store", "x")
	r := b.verify(Options{})
	r.Checks = slices.DeleteFunc(r.Checks, func(c Check) bool { return c.Status == StatusOK })
	r.NotChecked = []string{}
	got, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if want := example(t, "json verify-report"); string(got) != want {
		t.Errorf("report\n%swant\n%s", got, want)
	}
}

func TestDocumentChecksByHand(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(demoFolder)); err != nil {
		t.Fatal(err)
	}
	script := example(t, "sh by-hand")
	run := func() (string, error) {
		cmd := exec.Command("bash", "-e", "-c", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); err != nil || out != demoID+"  tagmanifest-sha256.txt\n" {
		t.Errorf("by hand: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "extra"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := run(); err == nil || !strings.Contains(out, "> data/extra") {
		t.Errorf("by hand with a file too many: %v\n%s", err, out)
	}
}

// TestDocumentNamesEveryCheck holds the table of ids against the code.
func TestDocumentNamesEveryCheck(t *testing.T) {
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^\| (B[0-9]{2}) \|`).FindAllSubmatch(data, -1) {
		got = append(got, string(m[1]))
	}
	var want []string
	for _, c := range bagChecks {
		want = append(want, c.id)
	}
	if !slices.Equal(got, want) {
		t.Errorf("document has %q, code %q", got, want)
	}
	for _, state := range []string{StateIntact, StateAltered, StateIncomplete, StateAdded, StateInconsistent, StateOther, StatePartly, StateUnreadable} {
		if !bytes.Contains(data, []byte("`"+state+"`")) {
			t.Errorf("document doesn't name the state %q", state)
		}
	}
}

// TestReportsFitSchema checks the report of every wrong bag, of archives and of what is no bag.
func TestReportsFitSchema(t *testing.T) {
	reports := []*Report{goodBag(t).verify(Options{}), verifyPath(t, filepath.Join(t.TempDir(), "missing"), Options{}),
		foreignBag(map[string]string{"data/a": "x"}).verify(Options{BagOnly: true})}
	for _, list := range mutants() {
		for _, m := range list {
			b := goodBag(t)
			m.spoil(b)
			reports = append(reports, b.verify(m.option))
		}
	}
	if len(reports) < 50 {
		t.Fatalf("%d reports", len(reports))
	}
	for _, r := range reports {
		data, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violations(t, data) {
			t.Errorf("%s in %s", v, data)
		}
	}
	for _, change := range []struct{ old, new string }{
		{`"status":"ok"`, `"status":"verified"`}, {`"exit":0`, `"exit":3`}, {`"states":["intact"]`, `"states":[]`},
		{`"format":"casebook-verify-report/1"`, `"format":"casebook-verify-report/2"`}, {`"strict":false`, `"strict":null`},
		{`"id":"B01"`, `"id":"X01"`}, {`"intact":11`, `"intact":-1`},
	} {
		data, err := reports[0].JSON()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(change.old)) || len(violations(t, bytes.Replace(data, []byte(change.old), []byte(change.new), 1))) == 0 {
			t.Errorf("schema takes %s", change.new)
		}
	}
}

func violations(t *testing.T, data []byte) []string {
	t.Helper()
	tree, err := canon.Parse(bytes.TrimSuffix(data, []byte("\n")))
	if err != nil {
		t.Fatal(err)
	}
	found, err := schema.Check("verify-report", tree)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range found {
		out = append(out, fmt.Sprintf("%s: %s", v.Pointer, v.Message))
	}
	return out
}

// TestProfileAgrees: the BagIt profile asks for the labels that a pack has, and names what verify allows.
func TestProfileAgrees(t *testing.T) {
	data, err := os.ReadFile("../../schema/bagit-profile.json")
	if err != nil {
		t.Fatal(err)
	}
	var profile struct {
		Labels map[string]struct {
			Required bool `json:"required"`
		} `json:"Bag-Info"`
		Manifests []string `json:"Manifests-Allowed"`
		Fetch     bool     `json:"Allow-Fetch.txt"`
	}
	if err := canon.Decode(data, &profile); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(profile.Manifests, []string{algorithmSHA256}) || profile.Fetch {
		t.Errorf("profile %+v", profile)
	}
	labels, _ := parseLabels(goodBag(t).files[BagInfoFile].Data, true)
	required := 0
	for name, l := range profile.Labels {
		if l.Required {
			required++
			if labelValue(labels, name) == "" {
				t.Errorf("the profile asks for %s, the pack has none", name)
			}
		}
	}
	if required != len(labels) || required != 5 {
		t.Errorf("%d labels required, the pack has %d", required, len(labels))
	}
}
