package redact

import (
	"strings"
	"testing"

	"casebook/engine/evidence"

	"github.com/google/go-cmp/cmp"
)

func lines(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.String())
	}
	return out
}

func TestScanText(t *testing.T) {
	hits, err := ScanText("case.yaml", []byte("id: x\ntitle: \"é a@b.org\"\nkey: "+demoSecret), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hit{
		{File: "case.yaml", Line: 2, Column: 11, Offset: 17, Rule: "email"},
		{File: "case.yaml", Line: 3, Column: 6, Offset: 31, Rule: "api_key"},
	}
	if diff := cmp.Diff(want, hits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"case.yaml:2:11: rule email", "case.yaml:3:6: rule api_key"}, lines(hits)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	off, err := ScanText("case.yaml", []byte("a@b.org"), Options{Rules: map[string]bool{"email": false}})
	if err != nil || off != nil {
		t.Errorf("with the rule off: %v, %v", off, err)
	}
	if _, err := ScanText("case.yaml", nil, Options{Rules: map[string]bool{"cookie": false}}); err == nil {
		t.Error("a mandatory rule was switched off")
	}
	// A placeholder in a file that an author wrote explains nothing.
	copied, err := ScanText("case.md", []byte("https://a.example/?api_key=[redacted:rd0001]"), Options{})
	if err != nil || len(copied) != 1 {
		t.Errorf("a placeholder as a value: %v, %v, want one hit", copied, err)
	}
	named, err := ScanText("cases/x/a@b.org.md", []byte("words"), Options{})
	if err != nil || !cmp.Equal(named, []Hit{{File: "cases/x/[name]", Rule: "email"}}) {
		t.Errorf("a hit in the name: %v, %v", named, err)
	}
}

func TestScanFiles(t *testing.T) {
	clean := mustScrub(t, []evidence.Recording{demoRecording(t)}, live())
	scan := func(path, data string) []string {
		t.Helper()
		hits, err := Scan([]evidence.File{{Path: path, Data: []byte(data)}}, clean.Ledger(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return lines(hits)
	}
	t01 := readDemo(t, "t01.json")
	for _, c := range []struct {
		name, path, data string
		want             []string
	}{
		{"json", "data/versions.json", `{"a":["x","a@b.org"]}`, []string{"data/versions.json#/a/1: rule email"}},
		{"json name", "data/versions.json", `{"a":{"a@b.org":1}}`, []string{"data/versions.json#/a: rule email"}},
		{"broken json", "data/versions.json", "{\n\"a@b.org", []string{"data/versions.json:2:2: rule email"}},
		{"ndjson", "data/evidence/find/observations.ndjson", "{\"a\":1}\n{\"b\":\"a@b.org\"}\n",
			[]string{"data/evidence/find/observations.ndjson:2#/b: rule email"}},
		{"text", "data/case.md", "a@b.org", []string{"data/case.md:1:1: rule email"}},
		{"attachment, mandatory rule", "data/files/f0001.txt", "a@b.org " + demoSecret, []string{"data/files/f0001.txt:1:9: rule api_key"}},
		{"recording as published", "data/recordings/find/a0001/t01.json", t01, nil},
		{"secret header put back", "data/recordings/find/a0001/t01.json", strings.Replace(t01, "[redacted:rd0002]", "x", 1),
			[]string{"data/recordings/find/a0001/t01.json#/request/headers/x-api-key: rule auth_header"}},
		{"answer put back", "data/recordings/find/a0001/t01.json", strings.Replace(t01, `\"echo\"`, `\"answer\"`, 1),
			[]string{"data/recordings/find/a0001/t01.json#/body/text: rule source_only"}},
		{"base64 body", "data/recordings/find/a0001/t02.json", `{"body":{"encoding":"base64","text":"//5hQGIub3Jn"}}`,
			[]string{"data/recordings/find/a0001/t02.json#/body/text: rule email"}},
		{"placeholder in what was derived", "data/evidence/find/response.json", `{"url":"https://a.example/?api_key=[redacted:rd0001]"}`, nil},
		{"percent-encoded", "data/evidence/find/response.json", `{"url":"https://a.example/?api_key=%5Bredacted:rd0001%5D&x"}`, nil},
		{"cut short", "data/evidence/find/response.json", `{"text":"https://a.example/?api_key=[redacted:rd00"}`, nil},
		{"of another ledger", "data/evidence/find/response.json", `{"url":"https://a.example/?api_key=[redacted:rd0009]"}`,
			[]string{"data/evidence/find/response.json#/url: rule url_parameter"}},
		{"more than a placeholder", "data/evidence/find/response.json", `{"url":"https://a.example/?api_key=[redacted:rd0001]x"}`,
			[]string{"data/evidence/find/response.json#/url: rule url_parameter"}},
		{"ledger", "data/redactions.json", readDemo(t, "redactions.json"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, scan(c.path, c.data)); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
		})
	}
	hits, err := Scan([]evidence.File{{Path: "data/x/a@b.org"}}, clean.Ledger(), Options{})
	if err != nil || !cmp.Equal(hits, []Hit{{File: "data/x/[name]", Rule: "email"}}) {
		t.Errorf("a hit in a file's name: %v, %v", hits, err)
	}
	if _, err := Scan(nil, clean.Ledger(), Options{Rules: map[string]bool{"cookie": false}}); err == nil {
		t.Error("a mandatory rule was switched off")
	}
}

// Whatever is read as a ledger is written as it was read, when it was canonical, and never breaks the reader.
func FuzzReadLedger(f *testing.F) {
	f.Add([]byte(readDemo(f, "redactions.json")))
	f.Add([]byte(`{"commitment":"hmac-sha256-v1","entries":[],"format":"casebook-redactions/1","recomputed":[],"targets":[]}`))
	f.Add([]byte(`{"format":"casebook-redactions/1","commitment":"hmac-sha256-v1","targets":[{"id":"ot0001"}],"entries":[{"id":"rd0001","target":"ot0001","length":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ledger, err := ReadLedger(data)
		if err != nil {
			return
		}
		written, err := ledger.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadLedger(written)
		if err != nil {
			t.Fatalf("what was written can't be read: %v", err)
		}
		if third, err := again.Encode(); err != nil || string(third) != string(written) {
			t.Errorf("written %s, then %s, %v", written, third, err)
		}
	})
}
