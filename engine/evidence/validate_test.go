package evidence_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// The six scenarios of the contract's acceptance list, one file each, as this engine writes them.
func TestScenarios(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("testdata", "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"extraction_segments.json", "fallback_after_failed_tries.json", "fresh_hit.json", "search_success.json", "stale_degraded.json", "total_failure.json",
	}
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
		data, err := os.ReadFile(filepath.Join("testdata", "scenarios", entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		r, err := evidence.DecodeResponse(data)
		if err != nil {
			t.Errorf("%s: %v", entry.Name(), err)
			continue
		}
		if found := r.Validate(known); len(found) > 0 {
			t.Errorf("%s: %v", entry.Name(), found)
		}
		if again := encode(t, r); string(again)+"\n" != string(data) {
			t.Errorf("%s is written as %s", entry.Name(), again)
		}
	}
	if len(names) != 6 || !slices.Equal(names, want) {
		t.Errorf("scenarios %v, want %v", names, want)
	}
}

// What only the request tells.
func TestValidateAgainstRequest(t *testing.T) {
	request := evidence.Request{
		Capability: evidence.Extract, RequestID: "case-2",
		Input: evidence.Input{URLs: []string{"https://a.example/1", "https://a.example/2", "https://a.example/3"}},
	}
	for _, tt := range []struct {
		name   string
		change func(*evidence.Request, *evidence.Response)
		want   []string
	}{
		{"as asked", func(*evidence.Request, *evidence.Response) {}, nil},
		{"capability", func(q *evidence.Request, _ *evidence.Response) { q.Capability = evidence.Search }, []string{"/capability"}},
		{"request id", func(q *evidence.Request, _ *evidence.Response) { q.RequestID = "case-3" }, []string{"/request_id"}},
		{"no request id", func(q *evidence.Request, _ *evidence.Response) { q.RequestID = "" }, []string{"/request_id"}},
		{"execution id instead", func(q *evidence.Request, r *evidence.Response) { q.RequestID, r.RequestID = "", r.ExecutionID }, nil},
		{"order of the URLs", func(q *evidence.Request, _ *evidence.Response) {
			q.Input.URLs = []string{q.Input.URLs[1], q.Input.URLs[0], q.Input.URLs[2]}
		}, []string{"/limits_applied/extract/processed_urls"}},
		{"a URL more", func(q *evidence.Request, _ *evidence.Response) {
			q.Input.URLs = append(slices.Clone(q.Input.URLs), "https://a.example/4")
		}, []string{"/limits_applied/extract/processed_urls"}},
		{"contract version", func(_ *evidence.Request, r *evidence.Response) { r.ContractVersion = "3.1" }, []string{"/contract_version"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, r := request, extraction()
			tt.change(&q, r)
			var got []string
			for _, v := range r.Validate(evidence.ValidateOptions{Registry: registry, Request: &q}) {
				got = append(got, v.Pointer)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("violations at %q, want %q", got, tt.want)
			}
		})
	}
}

// A member of another kind breaks its own presence rules too, so it stands apart from the table of mutants.
func TestMemberOfAnotherKind(t *testing.T) {
	r := research()
	i := slices.IndexFunc(r.Observations, func(o evidence.Observation) bool { return o.ObservationID == r.Results[1].ObservationIDs[1] })
	r.Observations[i].Kind = evidence.ExtractedDocument
	var got []string
	for _, v := range r.Validate(known) {
		if v.Rule == 22 {
			got = append(got, v.Pointer)
		}
	}
	if want := []string{"/results/1/observation_ids/1"}; !slices.Equal(got, want) {
		t.Errorf("rule 22 found at %q, want %q", got, want)
	}
}

// Without a registry nothing is said of providers, endpoints and allow-lists.
func TestValidateWithoutRegistry(t *testing.T) {
	r := freshHit()
	r.Observations[0].Provider, r.Observations[0].EndpointID = "nobody", "nobody:search"
	withFields(r, 0, `{"whatever":1}`)
	if found := r.Validate(evidence.ValidateOptions{}); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// Violations come in the order of the places, numbers by their value.
func TestViolationsAreSorted(t *testing.T) {
	r := many(12, 100)
	for _, i := range []int{10, 2, 0} {
		r.Results[i].Title.TextSHA256 = ""
		r.Results[i].EngineRank = 99
	}
	r.Observations[11].Text = ptr("x")
	var got []string
	for _, v := range r.Validate(known) {
		got = append(got, v.Pointer)
	}
	want := strings.Fields(`/observations/11/text /results/0/engine_rank /results/0/title/text_sha256 /results/2/engine_rank
		/results/2/title/text_sha256 /results/10/engine_rank /results/10/title/text_sha256`)
	if !slices.Equal(got, want) {
		t.Errorf("violations at %q, want %q", got, want)
	}
}

// The limits count bytes, and exactly so many are allowed.
func TestFieldsAtTheLimit(t *testing.T) {
	r := many(32, evidence.LargestFields)
	if found := r.Validate(known); len(found) > 0 {
		t.Errorf("%v", found)
	}
	total := 0
	for _, o := range r.Observations {
		total += evidence.FieldsSize(o.ProviderFields)
	}
	if total != evidence.LargestFieldsTotal {
		t.Errorf("the fields have %d bytes, want %d", total, evidence.LargestFieldsTotal)
	}
}

// The size is that of the canonical bytes, whatever stands in them.
func TestFieldsSize(t *testing.T) {
	for _, object := range []string{
		`{}`, `{"a":"ä🙂","b":["x","y",""],"c":null,"d":true,"e":[]}`, `{"a":"\u0001\"\\\n\u2028<>&/"}`, `{"a":1e21,"b":-0,"c":1.50,"d":0,"e":120,"f":-7}`,
		` { "a" : [ "x" ] } `, `{"a\tb":""}`,
	} {
		r := minimal()
		withFields(r, 0, object)
		tree, err := canon.Parse([]byte(object))
		if err != nil {
			t.Fatal(err)
		}
		want := len(encode(t, map[string]any{"serper": tree}))
		if got := evidence.FieldsSize(r.Observations[0].ProviderFields); got != want {
			t.Errorf("FieldsSize(%s) = %d, want %d", object, got, want)
		}
	}
	if got := evidence.FieldsSize(nil); got != 2 {
		t.Errorf("FieldsSize(nil) = %d, want 2", got)
	}
}

func TestCheckBanned(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"at the top", `{"answer":1}`, []string{"/answer"}},
		{"below arrays", `[[{"x":{"claim":null}}],{"truth_confidence":{}}]`, []string{"/0/0/x/claim", "/1/truth_confidence"}},
		{"below a banned one", `{"verification":{"full_synthesis":1}}`, []string{"/verification", "/verification/full_synthesis"}},
		{"type", `{"type":"synthesis","x":{"type":"page"},"y":{"type":["synthesis"]}}`, []string{"/type"}},
		{"score", `{"score":1,"provider_score":{"value":1}}`, []string{"/score"}},
		{"score of a span", `{"end":1,"score":1,"start":0,"text":"x","within_preview":true}`, nil},
		{"score of less than a span", `{"end":1,"score":1,"start":0,"text":"x"}`, []string{"/score"}},
		{"another banned name in a span", `{"end":1,"answer":1,"start":0,"text":"x","within_preview":true}`, []string{"/answer"}},
		{"names that contain one", `{"answers":1,"claimed":1,"Score":1,"subtype":"synthesis"}`, nil},
		{"values", `["answer","score",{"x":"claim"}]`, nil},
		{"names with marks of pointers", `{"a/b~c":{"claim":1}}`, []string{"/a~1b~0c/claim"}},
		{"in order", `{"x":[0,1,{"claim":1},3,4,5,6,7,8,9,{"claim":1}],"b":{"claim":1}}`, []string{"/b/claim", "/x/2/claim", "/x/10/claim"}},
		{"names of digits beside others", `{"x":{"claim":1},"2":{"claim":1}}`, []string{"/2/claim", "/x/claim"}},
		{"a scalar", `1`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := canon.Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range evidence.CheckBanned(tree) {
				got = append(got, v.Pointer)
				if v.Rule != 14 {
					t.Errorf("rule %d", v.Rule)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
