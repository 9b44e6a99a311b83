package redact

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"casebook/engine/evidence"

	"github.com/google/go-cmp/cmp"
)

// demoKey is the key of the worked example, pack format section 16: the bytes 00 to 1f.
func demoKey() Key {
	key := make(Key, KeyLength)
	for i := range key {
		key[i] = byte(i)
	}
	return key
}

const demoSecret = "sk-EXAMPLE-not-a-real-key"

func readDemo(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "demo-01", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// demoRecording is the worked example before redaction: its published files with the key put back.
func demoRecording(t testing.TB) evidence.Recording {
	t.Helper()
	try := readDemo(t, "t01.json")
	try = strings.NewReplacer("[redacted:rd0001]", demoSecret, "[redacted:rd0002]", demoSecret, `"redacted":true`, `"redacted":false`).Replace(try)
	step := stepFiles{step: "find", files: []evidence.File{
		{Path: "data/recordings/find/request.json", Data: []byte(readDemo(t, "request.json"))},
		{Path: "data/recordings/find/execution.json", Data: []byte(readDemo(t, "execution.json"))},
		{Path: "data/recordings/find/a0001/attempt.json", Data: []byte(readDemo(t, "attempt.json"))},
		{Path: "data/recordings/find/a0001/t01.json", Data: []byte(try)},
	}}
	r, err := step.decode()
	if err != nil {
		t.Fatal(err)
	}
	body := r.Attempts[0].Tries[0].Body
	r.Attempts[0].Tries[0].Body = evidence.NewBody([]byte(body.Text))
	return *r
}

func TestWorkedExample(t *testing.T) {
	run := "run-1"
	clean, err := Scrub([]evidence.Recording{demoRecording(t)}, Options{Key: demoKey(), Run: &run})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"data/recordings/find/request.json":       readDemo(t, "request.json"),
		"data/recordings/find/execution.json":     readDemo(t, "execution.json"),
		"data/recordings/find/a0001/attempt.json": readDemo(t, "attempt.json"),
		"data/recordings/find/a0001/t01.json":     readDemo(t, "t01.json"),
	}
	got := map[string]string{}
	for _, file := range clean.Files() {
		got[file.Path] = string(file.Data)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files of the example (-want +got):\n%s", diff)
	}
	ledger, err := clean.Ledger().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(readDemo(t, "redactions.json"), string(ledger)); diff != "" {
		t.Errorf("ledger of the example (-want +got):\n%s", diff)
	}
	read, err := ReadLedger([]byte(readDemo(t, "redactions.json")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(clean.Ledger(), read); diff != "" {
		t.Errorf("ledger read back (-made +read):\n%s", diff)
	}
	hits, err := Scan(append(clean.Files(), evidence.File{Path: "data/redactions.json", Data: ledger}), read, Options{})
	if err != nil || len(hits) != 0 {
		t.Errorf("Scan of the example = %v, %v, want nothing", hits, err)
	}
}

// The vectors of section 16.
func TestCommitmentVectors(t *testing.T) {
	original := `{"results":[{"title":"Tide tables","url":"https://tides.example/a?utm_source=x","snippet":"High water 04:12.",` +
		`"score":0.10}],"echo":{"key":"` + demoSecret + `"}}`
	for _, v := range []struct{ name, got, want string }{
		{"salt(rd0001)", hex.EncodeToString(Salt(demoKey(), "rd0001")), "6f350b61cf674543a7c4289873d9a54df698b9c6aa5b07426702e77ee1cba6be"},
		{"salt(ot0001)", hex.EncodeToString(Salt(demoKey(), "ot0001")), "3f61e2de630aee2c51f3891ba3e965c24d6d9c2c28fb2c9a99466342abe8488d"},
		{"commitment rd0001", CommitValue(demoKey(), "rd0001", demoSecret), "c73ee6d300e5b89f4c2c2e9eec43f969089d80fd70ee56643ded65448fc6e3a2"},
		{"commitment rd0002", CommitValue(demoKey(), "rd0002", demoSecret), "767cb84dbc8fe3e1cd75331874eb09a7fabd689746a6524ba03f87a01803aaf4"},
		{"commitment ot0001", CommitTarget(demoKey(), "ot0001", original), "f7e999fb2915f9b6764bb7820d707af1da15115156205be5ea8b3e2d697efb30"},
		{"commitment ot0002", CommitTarget(demoKey(), "ot0002", demoSecret), "9e9eb0fb5dee3c23cfbb7e6b39c98dfbab7a4287ef7e85694779dc7801917de9"},
	} {
		if v.got != v.want {
			t.Errorf("%s = %s, want %s", v.name, v.got, v.want)
		}
	}
}

// The digest of the example's rule table, section 16.
func TestTableDigest(t *testing.T) {
	demo := table{Name: "demo", Version: "1", Extra: []extraRule{}, Rules: []tableRow{
		{"api_key", "secret", true, true, "sk-[A-Za-z0-9-]{16,}"}, {"auth_header", "secret", true, true, "x-api-key"},
	}}
	got, err := evidence.RecordDigest(demo)
	if want := evidence.Digest("0b6ee661f2353358bb5f812fd2bc1417a08840547a374e89c35af96561353b84"); err != nil || got != want {
		t.Errorf("digest of the demo table = %s, %v, want %s", got, err, want)
	}
}
