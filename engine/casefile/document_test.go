package casefile

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// fenced matches a fenced block of a document with its info string.
var fenced = regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$")

// The examples of CASE.md are run: a whole case or a step, and behind it the faults that it has, none without a list.
func TestExamplesOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../schema/CASE.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := fenced.FindAllStringSubmatch(string(text), -1)
	examples := 0
	for i, block := range blocks {
		want := ""
		if i+1 < len(blocks) && blocks[i+1][1] == "faults" {
			want = blocks[i+1][2]
		}
		var got string
		switch block[1] {
		case "yaml":
			_, faults := Parse("case.yaml", []byte(block[2]))
			got = joined(faults)
		case "yaml step":
			got = stepFaults(block[2])
		case "yaml project":
			_, faults := LoadProject(fstest.MapFS{ProjectFile: &fstest.MapFile{Data: []byte(block[2])}})
			got = joined(faults)
		case "faults":
			continue
		default:
			t.Errorf("block %q is of no kind that is checked", block[1])
		}
		examples++
		if got != want {
			t.Errorf("the faults of\n%sare\n%swant\n%s", block[2], got, want)
		}
	}
	if examples != 9 {
		t.Errorf("the document has %d examples, not 9", examples)
	}
}

// stepFaults puts a step into a case and reports its faults as if it stood alone.
func stepFaults(step string) string {
	const head = "casebook: 1\nid: a\ntitle: {en: a}\nquestion: {en: a}\nas_of: 2026-11-30T12:00:00Z\ncorpora: {tz: {path: corpus}}\nsteps:\n"
	indented := "  - " + strings.ReplaceAll(strings.TrimSuffix(step, "\n"), "\n", "\n    ") + "\n"
	_, faults := Parse("step", []byte(head+indented))
	for i := range faults {
		faults[i].Line -= strings.Count(head, "\n")
		faults[i].Column -= len("  - ")
		faults[i].Path = strings.TrimPrefix(strings.TrimPrefix(faults[i].Path, "steps[0]"), ".")
	}
	return joined(faults)
}
