package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"casebook/engine/evidence"

	"pgregory.net/rapid"
)

// secretValue draws a value that some rule has to find wherever it stands, and the middle of it, which no trace may hold.
func secretValue(t *rapid.T) (value, core string) {
	letters := rapid.StringMatching(`[A-Za-z0-9]{30}`).Draw(t, "letters")
	core = "q7" + letters + "Z9x"
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		return "ghp_" + core + core, core
	case 1:
		return "sk-" + core, core
	case 2:
		return "xoxb-" + core, core
	case 3:
		return "npm_" + core + core, core
	}
	return core + "@mail.example.org", core
}

// encodings are ways to write a value that must not hide it.
var encodings = []func(string) string{
	func(s string) string { return s },
	url.QueryEscape,
	func(s string) string {
		var out strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&out, "%%%02X", c)
		}
		return out.String()
	},
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte("pre: " + s + " :post")) },
	func(s string) string { return base64.URLEncoding.EncodeToString([]byte("pr: " + s + " :post")) },
	func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(s))))
	},
	func(s string) string { return `{\"k\":\"` + s + `\"}` },
	quoted,
	func(s string) string { return quoted(quoted(s)) },
	unicodeEscapes,
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

func unicodeEscapes(s string) string {
	var out strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&out, `\u%04x`, c)
	}
	return out.String()
}

// put draws a string with an encoded value somewhere in it, at its very ends too.
func put(t *rapid.T, value string) string {
	encode := rapid.SampledFrom(encodings).Draw(t, "encoding")
	around := rapid.SampledFrom([]string{"", " ", "\n", "word ", "é", "\"", "x=1&y=", "?a=", "(", "[redacted:rd0001]", "/"})
	return around.Draw(t, "before") + encode(value) + around.Draw(t, "after")
}

// For random placements, the value stands nowhere in what may be published or printed, in no encoding.
func TestNoTraceOfAValue(t *testing.T) {
	base := demoRecording(t)
	rapid.Check(t, func(t *rapid.T) {
		value, core := secretValue(t)
		r, err := cloneForTest(base)
		if err != nil {
			t.Fatal(err)
		}
		putSomewhere(t, r, value)
		clean, err := Scrub([]evidence.Recording{*r}, live())
		printed := fmt.Sprintf("%v", err)
		if err == nil {
			printed = everything(t, clean)
		}
		if trace := traceOf(printed, core); trace != "" {
			t.Fatalf("a trace of the value %q is left as %q in %s", core, trace, printed)
		}
	})
}

func cloneForTest(r evidence.Recording) (*evidence.Recording, error) {
	files, err := r.Files()
	if err != nil {
		return nil, err
	}
	for i := range files {
		files[i].Path = "data/recordings/find/" + files[i].Path
	}
	return stepFiles{step: r.Step, files: files}.decode()
}

// putSomewhere puts the value at a drawn place of a recording.
func putSomewhere(t *rapid.T, r *evidence.Recording, value string) {
	try := &r.Attempts[0].Tries[0]
	text := put(t, value)
	switch rapid.IntRange(0, 9).Draw(t, "place") {
	case 0:
		try.Body = evidence.NewBody([]byte(text))
	case 1:
		try.Body = evidence.NewBody([]byte(`{"results":[{"t":` + quoted(text) + `}]}`))
	case 2:
		try.Body = evidence.NewBody([]byte(`{"results":[{` + quoted(text) + `:1}]}`))
	case 3:
		try.Body = evidence.NewBody([]byte("\xff\xfe " + text))
	case 4:
		try.Body = evidence.NewBody([]byte(`{"results":[{"t":` + quoted(text)))
	case 5:
		try.Request.URL = "https://api.alpha.example/" + text
	case 6:
		try.Request.Headers["x-note"] = text
	case 7:
		r.Attempts[0].Record.Error = &evidence.Error{Message: text, Details: json.RawMessage(`{"a":` + quoted(text) + `}`)}
	case 8:
		r.Execution.Warnings = []evidence.Warning{{Code: "c", Message: text, Details: json.RawMessage(`[` + quoted(text) + `]`)}}
	case 9:
		r.Request.Request = json.RawMessage(`{"input":{"query":` + quoted(text) + `}}`)
	}
}

// everything is all that a Clean gives away, in every way of printing it.
func everything(t *rapid.T, clean Clean) string {
	var out strings.Builder
	for _, file := range clean.Files() {
		out.Write(file.Data)
	}
	ledger, err := clean.Ledger().Encode()
	if err != nil {
		t.Fatal(err)
	}
	out.Write(ledger)
	for _, v := range []any{clean, &clean, []Clean{clean}, clean.Ledger(), live(), clean.Recordings()} {
		fmt.Fprintf(&out, "%v %+v %#v %s %q", v, v, v, v, v)
		if b, err := json.Marshal(v); err == nil {
			out.Write(b)
		}
	}
	return out.String()
}

// traceOf looks for the value in every encoding, and for each half of it alone.
func traceOf(text, core string) string {
	for _, part := range []string{core[:12], core[12:24], core[len(core)-12:]} {
		for _, encode := range encodings {
			if trace := encode(part); strings.Contains(text, trace) {
				return trace
			}
		}
		for skip := range 3 {
			if trace := base64.RawStdEncoding.EncodeToString([]byte(part[skip:]))[:11]; strings.Contains(text, trace) {
				return trace
			}
		}
	}
	return ""
}

// A key prints as a placeholder in every way.
func TestKeyIsUnprintable(t *testing.T) {
	key := Key("0123456789abcdef0123456789abcdef")
	encoded, err := json.Marshal(Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		fmt.Sprintf("%v %+v %#v %s %q %x %d", key, key, key, key, key, key, key), fmt.Sprintf("%v %+v %#v", Options{Key: key}, Options{Key: key}, Options{Key: key}),
		string(encoded), key.String(), key.GoString(),
	} {
		for _, trace := range []string{"0123456789", "48 49 50", "30313233", "MDEyMzQ1"} {
			if strings.Contains(text, trace) {
				t.Errorf("the key shows as %q", text)
			}
		}
		if !strings.Contains(text, "[redaction key]") {
			t.Errorf("%q doesn't say that there is a key", text)
		}
	}
}

// Whatever a body is: a valid JSON body stays one, spans hold placeholders, redacting twice changes nothing, and a
// scan of the outcome is explained by its ledger.
func FuzzScrubBody(f *testing.F) {
	for _, seed := range []string{
		`{"results":[{"title":"t","url":"https://a.example/?api_key=abcdefgh&x=%20"}],"answer":"x"}`,
		`{"k":"sk\u002dEXAMPLE\u002dnot\u002da-real-key","k":"a@b.org","n":[1e5,null,true]}`,
		`"` + demoSecret + `"`, demoSecret + "\n" + demoSecret, `["a@b.orgghp_aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3"]`,
		`{"type":"synthesis","r":[{"type":"synthesis","a":{"answer":1}}]}`, `{"a":"{\"b\":\"{\\\"c\\\":\\\"a@b.org\\\"}\"}"}`,
		"Set-Cookie: a=b\r\nAuthorization: Bearer abcdefghijklm1\r\n", "-----BEGIN PRIVATE KEY-----\nx", "[redacted:rd0001]?key=[redacted:rd0002]",
		"c2stRVhBTVBMRS1ub3QtYS1yZWFsLWtleQ==", "\xff\xfea@b.org", "%", `\`, `{"password":"\\u0061b1cdefg\ud800"}`, `{"kty":"x","d":""}`, "a@b.co\u00adm",
	} {
		f.Add([]byte(seed))
	}
	base := demoRecording(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := cloneForTest(base)
		if err != nil {
			t.Fatal(err)
		}
		r.Attempts[0].Tries[0].Request = nil
		r.Attempts[0].Tries[0].Body = evidence.NewBody(data)
		first, err := Scrub([]evidence.Recording{*r}, live())
		if err != nil {
			t.Fatal(err)
		}
		checkSpans(t, first)
		text := first.Recordings()[0].Attempts[0].Tries[0].Body.Text
		if json.Valid(data) && r.Attempts[0].Tries[0].Body.Encoding == evidence.EncodingUTF8 && !json.Valid([]byte(text)) {
			t.Errorf("valid JSON became %q", text)
		}
		ledger := first.Ledger()
		second, err := Scrub(first.Recordings(), Options{Known: &ledger})
		if err != nil {
			t.Fatalf("a second time: %v; text %q", err, text)
		}
		if got := second.Recordings()[0].Attempts[0].Tries[0].Body.Text; got != text {
			t.Errorf("a second time %q, first %q", got, text)
		}
		if hits, err := Scan(first.Files(), ledger, Options{}); err != nil || len(hits) > 0 {
			t.Errorf("Scan = %v, %v in %q", hits, err, text)
		}
	})
}

func BenchmarkScrub5MB(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"results":[`)
	for i := 0; body.Len() < 5<<20; i++ {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"title":"Result %d of the risk-averse \"tide\" tables","url":"https://tides.example/a/%d?utm_source=x&page=%d",`+
			`"snippet":"High water at 04:12, low water at 10:%02d; see the notes of 2026-11-30 for station number %d in the key.",`+
			`"id":"obs_%016x","score":0.%d}`, i, i, i, i%60, i, i*7919, i)
	}
	body.WriteString(`]}`)
	text := body.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if hits := newFinder(nil).settle(text, site{place: inReply, reply: true}, nil); len(hits) > 0 {
			b.Fatalf("%d hits in a text without any", len(hits))
		}
	}
}

func BenchmarkScrubText5MB(b *testing.B) {
	text := strings.Repeat("High water at 04:12, low water at 10:20; the risk-averse see https://tides.example/a?x=1 of 2026-11-30.\n", 5<<20/104)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if hits := newFinder(nil).settle(text, site{place: inReply}, nil); len(hits) > 0 {
			b.Fatalf("%d hits in a text without any", len(hits))
		}
	}
}
