package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

func TestRoundTrip(t *testing.T) {
	seen := map[evidence.PolicyAction]bool{}
	for name, make := range responses() {
		t.Run(name, func(t *testing.T) {
			r := make()
			if found := r.Validate(known); len(found) > 0 {
				t.Errorf("%v", found)
			}
			data := encode(t, r)
			again, err := evidence.DecodeResponse(data)
			if err != nil {
				t.Fatalf("%v in %s", err, data)
			}
			if diff := cmp.Diff(r, again); diff != "" {
				t.Error(diff)
			}
			for _, action := range r.PolicyActions {
				seen[evidence.PolicyAction{Action: action.Action, Reason: action.Reason}] = true
			}
		})
	}
	if len(seen) != 6 {
		t.Errorf("the responses hold the policy pairs %v, there are 6", seen)
	}
}

// The golden files of the contract's reference data are read from the folder that CASEBOOK_FIXTURES names. Where it
// names none, the run says so at its end.
func TestGoldenFiles(t *testing.T) {
	fixtures := os.Getenv("CASEBOOK_FIXTURES")
	if fixtures == "" {
		t.Log("CASEBOOK_FIXTURES is empty: the golden files were not read")
		return
	}
	paths, err := filepath.Glob(filepath.Join(fixtures, "wsp", "golden", "*.json"))
	if err != nil || len(paths) != 3 {
		t.Fatalf("golden files %v, %v, want 3", paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := evidence.DecodeResponse(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if found := r.Validate(known); len(found) > 0 {
			t.Errorf("%s: %v", path, found)
		}
		again, err := evidence.DecodeResponse(encode(t, r))
		if diff := cmp.Diff(r, again); err != nil || diff != "" {
			t.Errorf("%s: round trip: %v %s", path, err, diff)
		}
	}
}

// Shapes that the contract tells a reader to take though this engine does not write them.
func TestDecodeTakes(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(in string) string { return strings.Replace(in, old, new, 1) }
	}
	for _, tt := range []struct {
		name string
		of   func() *evidence.Response
		edit func(string) string
	}{
		{"skip_reason null", minimal, replace(`"decision":"attempted",`, `"decision":"attempted","skip_reason":null,`)},
		{"source_type of an observation", research, replace(`"title":"Page https://a.example/2"`,
			`"source_type":{"confidence":"low","method":"m","method_version":"1","value":"other"},"title":"Page https://a.example/2"`)},
		{"max_results null", minimal, replace(`"max_results":5`, `"max_results":null`)},
		{"limits empty", minimal, replace(`{"max_results":5}`, `{}`)},
		{"old shape of clusters", minimal, replace(`"dedup_clusters":[{"dedup_cluster_id":"cluster_03f78f1d3e6a0acb",`, `"dedup_clusters":[{"canonical_result_id":"r",`)},
		{"no completion", minimal, func(in string) string {
			return regexp.MustCompile(`"routing_receipt":\{.*?"candidate_order":(.*?),"execution_scope":"current",(.*?),"shadow_observation":null`).
				ReplaceAllString(in, `"routing_receipt":{"candidate_order":$1,$2`)
		}},
		{"an integer spelt as a real", minimal, replace(`"duration_ms":210`, `"duration_ms":2.10e2`)},
		{"budget_preflight", minimal, replace(`"policy_id":`, `"budget_preflight":{"verdict":"ok"},"policy_id":`)},
		{"a document without cluster id", extraction, func(in string) string {
			return regexp.MustCompile(`"dedup_cluster_id":"[a-z0-9_]*","engine_rank"`).ReplaceAllString(in, `"engine_rank"`)
		}},
		{"several segments", minimal, replace(`{"end":11,"start":0,"text":"Port policy"}`, `{"end":4,"start":0,"text":"Port"},{"end":11,"start":4,"text":" policy"}`)},
		{"no transformation", minimal, replace(`["mechanical_segmentation"]`, `[]`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			valid := string(encode(t, tt.of()))
			in := tt.edit(valid)
			if in == valid {
				t.Fatal("nothing was replaced")
			}
			r, err := evidence.DecodeResponse([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Validate(known) {
				t.Error(v)
			}
		})
	}
}

// Faults of the text, of the schema and of banned names come with their places, all at once.
func TestDecodeRefuses(t *testing.T) {
	valid := string(encode(t, minimal()))
	for _, tt := range []struct {
		name, old, new string
		want           []string // pointers
	}{
		{"several", `"status":"ok"`, `"status":"fine","timing":{"total_ms":1},"foo":1`, []string{"/foo", "/status", "/timing"}},
		{"banned beside a cluster's members", `"dedup_clusters":[{`, `"dedup_clusters":[{"x":{"answer":"42"},`, []string{"/dedup_clusters/0/x/answer"}},
		{"flat title", `"title":"Port policy"`, `"title":7`, []string{"/observations/0/title"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.Replace(valid, tt.old, tt.new, 1)
			_, err := evidence.DecodeResponse([]byte(in))
			var invalid *evidence.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("DecodeResponse = %v", err)
			}
			pointers := map[string]bool{}
			for _, v := range invalid.Violations {
				pointers[v.Pointer] = true
			}
			for _, want := range tt.want {
				if !pointers[want] || !strings.Contains(err.Error(), `"`+want+`"`) {
					t.Errorf("no fault at %q in %v", want, err)
				}
			}
			if len(pointers) != len(tt.want) {
				t.Errorf("faults %v, want %v", pointers, tt.want)
			}
		})
	}
	for _, in := range []string{"", "{", `{"a":1,"a":1}`, "[]", "null"} {
		if r, err := evidence.DecodeResponse([]byte(in)); err == nil {
			t.Errorf("DecodeResponse(%q) = %v", in, r)
		}
	}
}

// Whatever is taken comes back equal from its canonical bytes, and those bytes are the same again.
func FuzzDecodeResponse(f *testing.F) {
	f.Add([]byte(`{"contract_version":"3.0"}`))
	seeds := 0
	for _, of := range responses() {
		data, err := canon.Encode(of())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		seeds++
	}
	if seeds == 0 {
		f.Fatal("no seeds")
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := evidence.DecodeResponse(data)
		if err != nil {
			return
		}
		r.Validate(known)
		once := encode(t, r)
		again, err := evidence.DecodeResponse(once)
		if err != nil {
			t.Fatalf("%v in %s", err, once)
		}
		if twice := encode(t, again); string(twice) != string(once) {
			t.Errorf("%s becomes %s", once, twice)
		}
	})
}
