package derive

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/pack"
	"casebook/engine/provider"
)

// What each derived file follows from (pack format, section 5.8): documents are matched to the URLs that were asked
// for, so the observations of an extraction depend on the request as well.
func TestDerivations(t *testing.T) {
	const a0001, t01 = "data/recordings/find/a0001/attempt.json", "data/recordings/find/a0001/t01.json"
	const a0002 = "data/recordings/find/a0002/attempt.json"
	const run, asked, lines = "data/recordings/find/execution.json", "data/recordings/find/request.json", "data/evidence/find/observations.ndjson"
	for _, tt := range []struct {
		name string
		r    *evidence.Recording
		want []pack.Derivation
	}{
		{"search", recording(t, searchRequest, attempted{provider: "serper", outcome: "success", reply: `{"organic":[]}`},
			attempted{provider: "local", outcome: "skipped", skip: "policy_excluded"}),
			[]pack.Derivation{
				{File: lines, By: "normalise/1", From: []string{a0001, t01, a0002}},
				{File: "data/evidence/find/response.json", By: "project/1", From: []string{lines, a0001, t01, a0002, run, asked}},
			}},
		{"extract", recording(t, extractRequest("", "https://p.example/a"), attempted{provider: "local", outcome: "success", items: 1,
			reply: documents(document("https://p.example/a", "A"))}),
			[]pack.Derivation{
				{File: lines, By: "normalise/1", From: []string{a0001, t01, run, asked}},
				{File: "data/evidence/find/response.json", By: "project/1", From: []string{lines, a0001, t01, run, asked}},
			}},
	} {
		_, got, err := Files(tt.r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: derivations (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Line i of observations.ndjson is response.observations[i] in canonical form; no observation is a file of no bytes.
func TestFiles(t *testing.T) {
	for n, reply := range map[int]string{
		0: `{"organic":[]}`,
		2: `{"organic":[{"title":"A","link":"https://a.example/","snippet":"a"},{"title":"B","link":"https://b.example/","snippet":"b"}]}`,
	} {
		r := recording(t, searchRequest, attempted{provider: "serper", outcome: "success", items: n, reply: reply})
		files, _, err := Files(r)
		if err != nil || len(files) != 2 {
			t.Fatalf("Files = %d files, %v", len(files), err)
		}
		if files[0].Path != "data/evidence/find/observations.ndjson" || files[1].Path != "data/evidence/find/response.json" {
			t.Errorf("paths = %s, %s", files[0].Path, files[1].Path)
		}
		response, err := evidence.DecodeResponse(files[1].Data)
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for i := range response.Observations {
			line, err := canon.EncodeLine(&response.Observations[i])
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, line...)
		}
		if !bytes.Equal(files[0].Data, want) || bytes.Count(want, []byte("\n")) != n {
			t.Errorf("observations.ndjson =\n%s\nwant %d lines\n%s", files[0].Data, n, want)
		}
		if !canon.IsCanonical(bytes.TrimSuffix(files[1].Data, []byte("\n"))) {
			t.Error("response.json is not canonical")
		}
	}
}

func TestFilesRefuses(t *testing.T) {
	r := recording(t, searchRequest, attempted{provider: "serper", outcome: "success"})
	if _, _, err := Files(r); err == nil {
		t.Error("Files made evidence of an attempt without a reply")
	}
}

// Whatever a provider replies, deriving twice gives the same bytes, no item goes without an observation or a warning,
// and the response keeps the contract.
func TestDeriveProperty(t *testing.T) {
	address := rapid.SampledFrom([]string{
		"", "https://a.example/", "https://a.example/?utm_source=x", "HTTPS://A.example:443/#top", "https://www.a.example/", "https://b.example/x",
		"https://newbedev.com/x", "http://[::1", "ftp://c.example/é", "nothing", " https://a.example/",
	})
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab \u00a0\n中é\u0301👩\u200d👩")), 0, 40, -1)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "items")
		type item struct {
			Title   string `json:"title"`
			Link    string `json:"link,omitempty"`
			Snippet string `json:"snippet"`
		}
		reply := struct {
			Organic []item `json:"organic"`
		}{[]item{}}
		for i := range n {
			reply.Organic = append(reply.Organic, item{
				text.Draw(t, fmt.Sprint("title", i)), address.Draw(t, fmt.Sprint("link", i)), text.Draw(t, fmt.Sprint("snippet", i)),
			})
		}
		body, err := canon.Encode(reply)
		if err != nil {
			t.Fatal(err)
		}
		request := fmt.Sprintf(`{"capability":"search","contract_version":"3.0","input":{"query":"q"},"options":{"max_results":%d},"routing":{"mode":"fixed","provider":"serper"}}`,
			rapid.IntRange(1, 8).Draw(t, "max"))
		make := func() ([]evidence.File, error) {
			files, _, err := Files(recording(t, request, attempted{provider: "serper", outcome: "success", items: n, reply: string(body)}))
			return files, err
		}
		first, err := make()
		if err != nil {
			t.Fatal(err)
		}
		second, err := make()
		if err != nil || !bytes.Equal(first[0].Data, second[0].Data) || !bytes.Equal(first[1].Data, second[1].Data) {
			t.Fatalf("deriving twice gives two things: %v", err)
		}
		response, err := evidence.DecodeResponse(first[1].Data)
		if err != nil {
			t.Fatal(err)
		}
		if faults := response.Validate(provider.Rules()); len(faults) > 0 {
			t.Fatalf("response breaks the contract: %v", faults)
		}
		if got := len(response.Observations) + len(response.Warnings); got != n || response.ProviderAttempts[0].ResultCount != n {
			t.Fatalf("%d observations and %d warnings of %d items", len(response.Observations), len(response.Warnings), n)
		}
	})
}
