package pack

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCheckPath(t *testing.T) {
	long := strings.Repeat("a", 64)
	// Eight segments of 19 to 22 bytes: 180 bytes with the slashes between.
	longest := "data" + strings.Repeat("/"+strings.Repeat("b", 24), 6) + "/" + strings.Repeat("c", 25)
	if len(longest) != 180 {
		t.Fatalf("longest path has %d bytes", len(longest))
	}
	for _, path := range []string{
		"data/case.yaml", "data/recordings/find/a0001/t01.json", "bagit.txt", "data/a-b_c.d", "data/0", "data/" + long,
		"a/b/c/d/e/f/g/h", longest, "data/com10", "data/conx.txt", "data/lpt", "data/x.con",
	} {
		if err := CheckPath(path); err != nil {
			t.Errorf("CheckPath(%q) = %v", path, err)
		}
	}
	for _, path := range []string{
		"", "/", "/data/x", "data/", "data//x", "data/.x", "data/-x", "data/_x", "data/x.", "data/a..b", "data/..", "data/.",
		"data/X", "data/é", "data/a b", "data/a%25", `data\x`, "data/a:b", "data/a\n", "data/" + long + "a", longest + "c",
		"a/b/c/d/e/f/g/h/i", "data/con", "data/prn.txt", "data/aux.tar.gz", "data/nul", "data/com0", "data/lpt9.x", "nul/x",
		"data/\xff", "~/x",
	} {
		if err := CheckPath(path); err == nil {
			t.Errorf("CheckPath(%q) passed", path)
		}
	}
}

func TestCheckForeignPath(t *testing.T) {
	for _, path := range []string{"data/X", "data/é", "data/a b", "data/100%", "data/.hidden", "data/-x", "data/a..b", "data/x~", strings.Repeat("a/", 30) + "b"} {
		if err := CheckForeignPath(path); err != nil {
			t.Errorf("CheckForeignPath(%q) = %v", path, err)
		}
	}
	for _, path := range []string{
		"", "/x", "../x", "data/../x", "data/.", "data//x", "data/", `data\x`, `\\host\x`, `\\?\C:\x`, "C:/x", "data/a:stream", "~/x", "~root",
		"data/a\x00", "data/a\x1f", "data/a\x7f", "data/\xff", "data/a<b", "data/a>b", `data/a"b`, "data/a|b", "data/a?b", "data/a*b",
		"data/a.", "data/a ", "data./x", "data/CON", "data/Aux.txt", "data/lPt1", "data/nul .txt",
	} {
		if err := CheckForeignPath(path); err == nil {
			t.Errorf("CheckForeignPath(%q) passed", path)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "0", "demo-01", strings.Repeat("a", 64)} {
		if err := CheckName(name); err != nil {
			t.Errorf("CheckName(%q) = %v", name, err)
		}
	}
	for _, name := range []string{"", "-a", "A", "a.b", "a_b", "a/b", "..", strings.Repeat("a", 65), "a\n"} {
		if CheckName(name) == nil {
			t.Errorf("CheckName(%q) passed", name)
		}
	}
}

func TestDecodePath(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		stray    bool
	}{
		{"data/a", "data/a", false},
		{"data/100%25.txt", "data/100%.txt", false},
		{"data/a%0Db%0ac%0dd%0A", "data/a\rb\nc\rd\n", false},
		{"data/%2525", "data/%25", false},
		{"data/100%.txt", "data/100%.txt", true},
		{"data/%41", "data/%41", true},
		{"data/%2%255", "data/%2%5", true},
	} {
		if got, stray := decodePath(tt.in); got != tt.want || stray != tt.stray {
			t.Errorf("decodePath(%q) = %q, %v, want %q, %v", tt.in, got, stray, tt.want, tt.stray)
		}
	}
}

func TestCollisionKey(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"data/a", "data/A", true},
		{"data/\u00e9", "data/e\u0301", true},
		{"data/\u00c9", "data/e\u0301", true},
		{"data/k", "data/\u212a", true}, // the Kelvin sign
		{"data/\u03c3", "data/\u03c2", true},
		{"data/ss", "data/\u00df", false}, // equal by full case folding only
		{"data/a", "data/b", false},
	} {
		if got := collisionKey(tt.a) == collisionKey(tt.b); got != tt.want {
			t.Errorf("%q and %q collide: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"data/é b":     "data/é b",
		"a\nb":         `a\nb`,
		"a\x1b[31m":    `a\x1b[31m`,
		"a\xffb":       `a\xffb`,
		"a\u202eb":     `a\u202eb`,
		"a\ufffdb":     `a\ufffdb`,
		"quote\"\x00":  `quote\"\x00`,
		"only \"quote": "only \"quote",
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzCheckPath holds the narrow rule against the wide one: what a pack may hold, every archive reader takes.
func FuzzCheckPath(f *testing.F) {
	for _, seed := range []string{"data/a", "data/con", "../x", "data/A", "a\x00", "data/com1.x", strings.Repeat("a/", 8)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		shown := printable(path)
		if !utf8.ValidString(shown) || strings.ContainsAny(shown, "\n\r\x1b\x00") {
			t.Errorf("printable(%q) = %q", path, shown)
		}
		if CheckPath(path) != nil {
			return
		}
		if err := CheckForeignPath(path); err != nil {
			t.Errorf("CheckPath took %q, CheckForeignPath says %v", path, err)
		}
		if decoded, stray := decodePath(path); decoded != path || stray || collisionKey(path) != strings.ToUpper(path) {
			t.Errorf("path %q is not portable", path)
		}
	})
}
