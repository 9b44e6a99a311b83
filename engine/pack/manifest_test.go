package pack

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"casebook/engine/evidence"
)

// The SHA-256 of no bytes and of "abc", as FIPS 180-4's examples give them.
const (
	emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	abcSum   = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
)

func TestParseManifest(t *testing.T) {
	good := abcSum + "  data/a\n" + emptySum + "  data/b\n"
	for _, tt := range []struct {
		name, in string
		strict   []string
		tolerant []string
		lines    int // understood by the tolerant reader
	}{
		{"good", good, nil, nil, 2},
		{"empty", "", nil, nil, 0},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"),
			[]string{"line 1: a carriage return (CR); only LF ends a line", "line 2: a carriage return (CR); only LF ends a line"},
			[]string{"warning: line 1: a carriage return (CR); only LF ends a line", "warning: line 2: a carriage return (CR); only LF ends a line"}, 2},
		{"lone CR", abcSum + "  data/a\r" + emptySum + "  data/b\n",
			[]string{"line 1: a carriage return (CR); only LF ends a line"},
			[]string{"line 1: a carriage return (CR); only LF ends a line"}, 1},
		{"no last LF", strings.TrimSuffix(good, "\n"), []string{"line 2: the last line does not end in LF"},
			[]string{"warning: line 2: the last line does not end in LF"}, 2},
		{"byte order mark", "\ufeff" + good, []string{"line 1: a byte order mark"}, []string{"line 1: a byte order mark"}, 2},
		{"invalid UTF-8", abcSum + "  data/\xff\n", []string{"line 1: invalid UTF-8"}, []string{"line 1: invalid UTF-8"}, 1},
		{"one blank", abcSum + " data/a\n", []string{"line 1: want exactly two blanks between digest and path"}, nil, 1},
		{"three blanks", abcSum + "   data/a\n", []string{"line 1: want exactly two blanks between digest and path"}, nil, 1},
		{"tab", abcSum + "\tdata/a\n", []string{"line 1: want exactly two blanks between digest and path"}, nil, 1},
		{"no blank", abcSum + "data/a\n", []string{"line 1: no blank after 64 hex digits"}, []string{"line 1: no blank after 64 hex digits"}, 0},
		{"no path", abcSum + "  \n", []string{"line 1: no path"}, []string{"line 1: no path"}, 0},
		{"digest alone", abcSum + "\n", []string{"line 1: want 64 hex digits, two blanks and a path"}, []string{"line 1: want 64 hex digits, two blanks and a path"}, 0},
		{"upper case", strings.ToUpper(abcSum) + "  data/a\n", []string{"line 1: upper-case hex digits"}, nil, 1},
		{"no hex", "g" + abcSum[1:] + "  data/a\n", []string{"line 1: want 64 hex digits, two blanks and a path"}, []string{"line 1: want 64 hex digits, two blanks and a path"}, 0},
		{"binary mark", abcSum + " *data/a\n", []string{"line 1: want exactly two blanks between digest and path"}, nil, 1},
		{"empty line", abcSum + "  data/a\n\n" + emptySum + "  data/b\n", []string{"line 2: an empty line"}, []string{"warning: line 2: an empty line"}, 2},
		{"order", emptySum + "  data/b\n" + abcSum + "  data/a\n", []string{`line 2: path "data/a" out of order, after "data/b"`}, nil, 2},
		{"twice", abcSum + "  data/a\n" + abcSum + "  data/a\n", []string{`line 2: path "data/a" is listed twice, first in line 1`},
			[]string{`line 2: path "data/a" is listed twice, first in line 1`}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := parseManifest([]byte(tt.in), sha256Digits, true)
			if got := texts(found); !slices.Equal(got, tt.strict) {
				t.Errorf("strict: %q, want %q", got, tt.strict)
			}
			lines, found := parseManifest([]byte(tt.in), sha256Digits, false)
			var got []string
			for _, f := range found {
				prefix := ""
				if f.warning {
					prefix = "warning: "
				}
				got = append(got, prefix+f.String())
			}
			if !slices.Equal(got, tt.tolerant) || len(lines) != tt.lines {
				t.Errorf("tolerant: %q, %d lines, want %q, %d", got, len(lines), tt.tolerant, tt.lines)
			}
			for _, l := range lines {
				if l.digest != abcSum && l.digest != emptySum || l.path == "" || l.path[0] == '*' {
					t.Errorf("line %+v", l)
				}
			}
			entries, err := ParseManifest([]byte(tt.in))
			switch {
			case len(tt.strict) > 0 && (err == nil || err.Error() != strings.Join(tt.strict, "\n")):
				t.Errorf("ParseManifest = %v, want %q", err, tt.strict)
			case len(tt.strict) == 0 && (err != nil || !bytes.Equal(writeManifest(entries), []byte(tt.in))):
				t.Errorf("ParseManifest = %v, %v", entries, err)
			}
		})
	}
}

// FuzzParseManifest: what the strict reader takes is exactly what the writer writes, and the tolerant one takes it too.
func FuzzParseManifest(f *testing.F) {
	for _, seed := range []string{
		"", abcSum + "  data/a\n", abcSum + "  data/a\r\n", "\ufeff" + abcSum + "\tdata/a", abcSum + " *data/b\n" + emptySum + "  data/a\n",
		strings.ToUpper(abcSum) + "  data/\xff\n", abcSum + "  data/%0A\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, _ := parseManifest(data, sha256Digits, false)
		for _, l := range lines {
			if _, err := ParseID(l.digest); err != nil || l.path == "" || strings.Contains(l.path, "\n") {
				t.Errorf("tolerant line %+v", l)
			}
		}
		entries, err := ParseManifest(data)
		if err != nil {
			return
		}
		if got := writeManifest(entries); !bytes.Equal(got, data) {
			t.Errorf("read %q, written %q", data, got)
		}
		if len(lines) != len(entries) {
			t.Errorf("strict reader has %d lines, tolerant %d", len(entries), len(lines))
		}
	})
}

// FuzzParseLabels: labels of the strict form are written back to the same bytes.
func FuzzParseLabels(f *testing.F) {
	for _, seed := range []string{"A: x\nB: y\n", "A:x", "A: x\r\n", "A: x\n folded\n", ": \n", "A: b: c\n", "\x9a\r\n\xeb\r0"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, loose := parseLabels(data, false)
		for _, f := range loose {
			if f.line < 1 || f.line > 1+bytes.Count(data, []byte("\n")) {
				t.Errorf("fault %v in %q", f, data)
			}
		}
		labels, faults := parseLabels(data, true)
		if len(faults) > 0 {
			return
		}
		var again strings.Builder
		for _, l := range labels {
			again.WriteString(l.name + ": " + l.value + "\n")
		}
		if again.String() != string(data) {
			t.Errorf("read %q, written %q", data, again.String())
		}
	})
}

func TestWriteManifestSorts(t *testing.T) {
	got := string(writeManifest([]FileEntry{{Path: "data/b", SHA256: emptySum}, {Path: "data/a", SHA256: evidence.FileDigest([]byte("abc"))}}))
	if want := abcSum + "  data/a\n" + emptySum + "  data/b\n"; got != want {
		t.Errorf("writeManifest = %q, want %q", got, want)
	}
}
