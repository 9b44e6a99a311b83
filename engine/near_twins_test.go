package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"casebook/engine"
	"casebook/engine/evidence"
	"casebook/engine/redact"
	"casebook/engine/testkit"
	"casebook/engine/wire"
)

// The key that the request of the sample carries and the one that its redactions are committed with. Both are made up
// and open to everyone, so that the recording comes out the same wherever it is made; a real run keeps both secret.
const (
	madeUpKey       = "made-up-key-of-the-sample"
	madeUpRedaction = "32 bytes made up for the sample."
)

// sampleLive executes against a scripted reply of serper, with fixed ids and a clock that moves on by 20 ms a look.
func sampleLive(t testing.TB, exchanges ...testkit.Exchange) *engine.Live {
	t.Helper()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	return &engine.Live{
		Transport:   testkit.NewScript(t, exchanges...),
		Now:         func() time.Time { now = now.Add(20 * time.Millisecond); return now },
		ExecutionID: func(string) string { return "exec_00000000000000000000000000000001" },
		Key: func(name string) string {
			if name != "SERPER_API_KEY" {
				t.Errorf("the key %s was asked for", name)
			}
			return madeUpKey
		},
		Origin: evidence.OriginAuthored,
	}
}

// nearTwins is the exchange of the sample: our own reply at serper's own address.
func nearTwins(t testing.TB) testkit.Exchange {
	t.Helper()
	reply, err := os.ReadFile(filepath.Join("provider", "testdata", "serper", "search-near-twins.json"))
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Exchange{
		Method: "POST", URL: "https://google.serper.dev/search",
		Body: func(body []byte) bool {
			var sent struct {
				Query  string `json:"q"`
				Number int    `json:"num"`
			}
			return json.Unmarshal(body, &sent) == nil && sent.Query == "app.example docs" && sent.Number == 20
		},
		Reply: wire.Reply{
			Status: 200, ContentType: "application/json", Body: reply,
			Header: map[string]string{"date": "Mon, 30 Nov 2026 09:00:00 GMT"},
		},
	}
}

// record makes the files of a case's recordings folder by a live run of all its steps.
func record(t testing.TB, c *loaded, live *engine.Live) []evidence.File {
	t.Helper()
	run := "authored-1"
	clean, err := redact.Scrub(recordings(c.run(t, live)), redact.Options{Key: redact.Key(madeUpRedaction), Run: &run})
	if err != nil {
		t.Fatal(err)
	}
	var files []evidence.File
	for _, f := range clean.Files() {
		files = append(files, evidence.File{Path: strings.TrimPrefix(f.Path, "data/recordings/"), Data: f.Data})
	}
	ledger, err := clean.Ledger().Encode()
	if err != nil {
		t.Fatal(err)
	}
	return append(files, evidence.File{Path: engine.LedgerFile, Data: ledger})
}

// The recordings of the sample are what the engine makes of the scripted reply, byte for byte, and the key is in none.
func TestNearTwinsIsRecordedByTheEngine(t *testing.T) {
	c := loadCase(t, "near-twins")
	c.withoutRecordings()
	files := record(t, c, sampleLive(t, nearTwins(t)))
	if len(files) != 5 {
		t.Fatalf("%d files, want request, execution, attempt, try and ledger", len(files))
	}
	for _, f := range files {
		for _, secret := range []string{madeUpKey, madeUpRedaction} {
			if strings.Contains(string(f.Data), secret) {
				t.Errorf("%s holds a key", f.Path)
			}
		}
	}
	testkit.Folder(t, filepath.Join("..", "cases", "near-twins", engine.RecordingsFolder), files)
}
