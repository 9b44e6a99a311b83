package casefile

import (
	"strings"
	"testing"

	"casebook/engine/canon"
)

// FuzzParse: no input may bring the reader down; every fault points into the file; what was read without fault is
// written as JSON that reads back as the same tree.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		whole, "", "a: &a [*a]\n", "a:\n\t- b\n", "a: b: c\n", "---\n---\n", "\uFEFFa: 1\r\nb: [\r\n", "a: |\n  x\n  \ty\n", "? [a]\n: 1\n",
		"casebook: 1\nid: a\ntitle: {en: a}\nquestion: {en: b}\nas_of: 2026-11-30T12:00:00Z\nsteps:\n- {id: a, kind: extract, request: {input: {urls: [\"http://a\"]}, options: {max_urls: 1.0e3}}}\n",
		"steps: [{expect: [{at: [1, 1e400]}]}, null]\ncontested: [{between: 1}]\ncorpora: [a]\ntitle: []\n", "%YAML 1.1\n---\na: !!str 1\n", "a: \"\\ud83d\"\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, faults := Parse(name, data)
		ends := lineEnds(data)
		for _, fault := range faults {
			if fault.Line == 0 && len(data) <= MaxYAMLBytes || fault.Line > len(ends)+1 || fault.Line > 0 && fault.Column < 1 {
				t.Errorf("fault outside the file of %d lines: %s", len(ends), fault)
			}
			if strings.Contains(fault.Message, "%!") {
				t.Errorf("message is broken: %s", fault)
			}
		}
		if c == nil {
			if len(faults) == 0 {
				t.Error("neither a case nor a fault")
			}
			return
		}
		line, err := c.JSON()
		if err != nil {
			if len(faults) == 0 {
				t.Fatalf("JSON: %v", err)
			}
			return
		}
		tree, err := canon.Parse(line[:len(line)-1])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := canon.EncodeLine(tree)
		if err != nil || string(again) != string(line) {
			t.Errorf("read back as %s, %v, want %s", again, err, line)
		}
		for i, step := range c.Steps {
			if len(faults) == 0 && !canon.IsCanonical(step.Request) {
				t.Errorf("step %d: request %s is not canonical", i, step.Request)
			}
		}
	})
}
