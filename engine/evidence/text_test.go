package evidence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Digests of contract 3.8.
func TestNewProjectedText(t *testing.T) {
	provenance := Provenance{ObservationID: "obs_1", SourceField: FieldText, Transformations: []Transformation{MechanicalSegmentation}}
	for _, tt := range []struct {
		name, text, digest string
		segments           []Segment
	}{
		{"letters of many bytes", "Zürich café 🙂", "e61de6c0fc13c486bc94c696a37682a9ea03faa5cc7ea328f3e66b0a96d61df4", []Segment{{0, 13, "Zürich café 🙂"}}},
		{"composed", NFC("Cafe\u0301"), "73473dcc12b763085904a5279d048c4d5b3b008c46f1f32443b99de04aa83a14", []Segment{{0, 4, "Café"}}},
		{"empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", []Segment{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := &ProjectedText{Text: tt.text, TextSHA256: tt.digest, Origin: FromProvider, Provenance: provenance, Segments: tt.segments}
			if diff := cmp.Diff(want, NewProjectedText(tt.text, provenance)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNFC(t *testing.T) {
	for _, s := range []string{"Cafe\u0301", "e\u0301\u0323", "\u1100\u1161"} {
		if IsNFC(s) || !IsNFC(NFC(s)) {
			t.Errorf("NFC(%+q) = %+q", s, NFC(s))
		}
	}
	if s := "Café 🙂"; !IsNFC(s) || NFC(s) != s {
		t.Errorf("NFC changes %q", s)
	}
}

func TestOrigin(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Provenance
		want Origin
	}{
		{"none", Provenance{Transformations: []Transformation{}}, FromProvider},
		{"segmentation", Provenance{Transformations: []Transformation{MechanicalSegmentation}}, FromProvider},
		{"blanks", Provenance{Transformations: []Transformation{WhitespaceNorm}}, FromEngine},
		{"cut", Provenance{Transformations: []Transformation{MechanicalSegmentation, DeterministicTruncation}}, FromEngine},
		{"images", Provenance{Transformations: []Transformation{ImageBase64Replace}}, FromEngine},
		{"aggregate", Provenance{Separator: "\n\n", Fragments: []Fragment{{}}}, FromEngine},
	} {
		if got := tt.p.Origin(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestReplay(t *testing.T) {
	const image = "a data:image/png;base64,iVBORw0KGgo= b data:image/svg+xml;base64,/+a== c data:image/png;base64, d"
	for _, tt := range []struct {
		name, source string
		steps        []Transformation
		projected    string
		want         bool
	}{
		{"identity", "a  b", nil, "a  b", true},
		{"identity differs", "a  b", nil, "a b", false},
		{"segmentation", "a  b", []Transformation{MechanicalSegmentation}, "a  b", true},
		{"blanks, then cut", "a  b c d", []Transformation{WhitespaceNorm, DeterministicTruncation}, "a b", true},
		{"cut, then blanks", "a  b c d", []Transformation{DeterministicTruncation, WhitespaceNorm}, "a b", false},
		{"cut to nothing", "abc", []Transformation{DeterministicTruncation}, "", true},
		{"cut to something else", "abc", []Transformation{DeterministicTruncation}, "b", false},
		{"every blank", "\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000x", []Transformation{WhitespaceNorm}, "x", true},
		{"no blank", "a\u200bb\u180ec\u2060d\ufeffe\x1bf", []Transformation{WhitespaceNorm}, "a\u200bb\u180ec\u2060d\ufeffe\x1bf", true},
		{"images", image, []Transformation{ImageBase64Replace}, "a [inline image removed] b [inline image removed] c data:image/png;base64, d", true},
		{"unknown", "a", []Transformation{"rewrite"}, "a", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Replay(tt.source, tt.steps, tt.projected); got != tt.want {
				t.Errorf("Replay(%q, %v, %q) = %v", tt.source, tt.steps, tt.projected, got)
			}
		})
	}
}

func TestPrefix(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{"Zürich 🙂!", 8, "Zürich 🙂"}, {"Zürich 🙂!", 9, "Zürich 🙂!"}, {"Zürich", 99, "Zürich"}, {"Zürich", 2, "Zü"}, {"Zürich", 0, ""}, {"Zürich", -1, ""}, {"", 1, ""},
		{"e\u0301\u0323x", 2, "e\u0301"},
	} {
		if got := Prefix(tt.s, tt.n); got != tt.want {
			t.Errorf("Prefix(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}

func TestNewDate(t *testing.T) {
	if NewDate("") != nil {
		t.Error("an empty date is one")
	}
	for raw, complete := range map[string]bool{
		"2026-01-05T00:00:00Z": true, "2026-01-05T23:59:59.123456789+05:30": true, "2024-02-29t12:00:00z": true,
		"2026-01-05T00:00:00-00:00": true, "2016-12-31T23:59:60Z": true, "2016-12-31T18:59:60-05:00": true, "2017-01-01T05:29:60+05:30": true,
		"Jan 5, 2026": false, "2 days ago": false, "2026-01-05": false, "Yesterday": false, "2026-01-05T00:00:00": false,
		"2026-01-05 00:00:00Z": false, "2026-1-05T00:00:00Z": false, "2026-02-29T00:00:00Z": false, "2026-00-05T00:00:00Z": false,
		"2026-13-05T00:00:00Z": false, "2026-01-00T00:00:00Z": false, "2026-01-05T24:00:00Z": false, "2026-01-05T00:60:00Z": false,
		"2026-01-05T00:00:61Z": false, "2026-01-05T00:00:60Z": false, "2026-01-30T23:59:60Z": false, "2016-12-31T23:58:60Z": false,
		"2016-12-31T22:59:60Z": false, "2026-01-05T00:00:00,5Z": false, "2026-01-05T00:00:00.Z": false,
		"2026-01-05T00:00:00+24:00": false, "2026-01-05T00:00:00+05:60": false, "2026-01-05T00:00:00+0530": false,
		" 2026-01-05T00:00:00Z": false, "2026-01-05T00:00:00Z\n": false, "٢٠٢٦-01-05T00:00:00Z": false,
	} {
		date := NewDate(raw)
		if date.Raw != raw || (date.Normalized != nil) != complete || complete && *date.Normalized != raw {
			t.Errorf("NewDate(%q) = %q, complete %v", raw, date.Raw, date.Normalized != nil)
		}
	}
}

func FuzzReplay(f *testing.F) {
	f.Add("a  b c", 2)
	f.Add(strings.Repeat("é\x1c", 9), 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		s = NFC(strings.ToValidUTF8(s, "?"))
		cut := Prefix(s, n)
		if !Replay(s, []Transformation{DeterministicTruncation}, cut) || !IsNFC(cut) || Length(cut) > max(n, 0) {
			t.Errorf("Prefix(%q, %d) = %q", s, n, cut)
		}
		once := NormalizeSpace(s)
		if NormalizeSpace(once) != once || !Replay(s, []Transformation{WhitespaceNorm}, once) {
			t.Errorf("NormalizeSpace(%q) = %q", s, once)
		}
		text := NewProjectedText(s, Provenance{})
		var joined strings.Builder
		for _, segment := range text.Segments {
			joined.WriteString(segment.Text)
		}
		if joined.String() != s {
			t.Errorf("segments of %q give %q", s, joined.String())
		}
	})
}

// Texts at the edges, cut at every place: still NFC, counted in code points, rebuilt from their segments.
func TestEdges(t *testing.T) {
	cuts := 0
	for _, text := range []string{
		"", "a", "Café", NFC("Cafe\u0301"), "数字と漢字", "🇨🇭🇩🇪", "👩‍👩‍👧", "x\u0323\u0301y", "q\u0323", "a\r\nb", strings.Repeat("ä", 601),
	} {
		for n := range Length(text) + 1 {
			cuts++
			cut := Prefix(text, n)
			p := NewProjectedText(cut, Provenance{Transformations: []Transformation{MechanicalSegmentation, DeterministicTruncation}})
			if Length(cut) != n || !IsNFC(cut) || !Replay(text, p.Provenance.Transformations, cut) {
				t.Errorf("Prefix(%q, %d) = %q", text, n, cut)
			}
			if n > 0 && (len(p.Segments) != 1 || p.Segments[0] != Segment{0, n, cut}) || n == 0 && len(p.Segments) != 0 {
				t.Errorf("segments of %q: %v", cut, p.Segments)
			}
		}
	}
	if cuts < 600 {
		t.Errorf("%d cuts tried", cuts)
	}
}
