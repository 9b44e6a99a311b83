package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

// The vector of the pack format, section 4; its digests were agreed by four implementations.
const vector = `{"\ue000":1,"\ud83d\ude00":2,"b":[1e21,1e-7,-0,0.10,100,1E30,4.50,2e-3,9007199254740991,0.000001],"a":{"\u2028":"\u2028 \u00e9 <\/script> \u007f \b\f\u001f\"\\"}," ":null,"A":true}`

func TestEncodeVector(t *testing.T) {
	tree, err := Parse([]byte(vector))
	if err != nil {
		t.Fatal(err)
	}
	line, err := EncodeLine(tree)
	if err != nil {
		t.Fatal(err)
	}
	digest := func(b []byte) string { sum := sha256.Sum256(b); return hex.EncodeToString(sum[:]) }
	if got, want := digest(line[:len(line)-1]), "1c9ee80c3a29fdfee416b1166f00324c3776d4d4ec7955d1f62d050406b04b13"; got != want {
		t.Errorf("digest without LF = %s, want %s; bytes %s", got, want, line)
	}
	if got, want := digest(line), "5ffd3201bd92216430e1bae8f51acfe4c8e3c07da9307aa604a2ffc7cad75a82"; got != want {
		t.Errorf("digest with LF = %s, want %s", got, want)
	}
	if !strings.Contains(string(line), "[1e+21,1e-7,0,0.1,100,1e+30,4.5,0.002,9007199254740991,0.000001]") {
		t.Errorf("numbers in %s", line)
	}
	if !IsCanonical(line[:len(line)-1]) || IsCanonical(line) || IsCanonical([]byte(vector)) {
		t.Error("IsCanonical must accept the canonical bytes alone")
	}
}

func TestEncodeGoValue(t *testing.T) {
	type inner struct {
		B *string `json:"b"`
		A string  `json:"a"`
	}
	got, err := Encode(inner{A: "<&>\u2028"})
	if want := "{\"a\":\"<&>\u2028\",\"b\":null}"; err != nil || string(got) != want {
		t.Errorf("Encode = %s, %v, want %s", got, err, want)
	}
	if _, err := Encode("\xff"); err == nil {
		t.Error("Encode took invalid UTF-8")
	}
	if _, err := Encode(map[string]any{"a": 1.5}); err == nil {
		t.Error("Encode took a Go float in a tree")
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	for _, tt := range []struct {
		name, in string
		offset   int
		reason   string
	}{
		{"duplicate member", `{"a":1,"b":2,"a":3}`, 13, `duplicate member "a"`},
		{"duplicate by escape", `{"a":1,"\u0061":3}`, 7, `duplicate member "a"`},
		{"invalid UTF-8", "[\"\xff\"]", 2, "invalid UTF-8 in a string"},
		{"lone high surrogate", `"\ud83d x"`, 1, "a lone surrogate"},
		{"lone low surrogate", `"\ude00"`, 1, "a lone surrogate"},
		{"two high surrogates", `"\ud83d\ud83d"`, 1, "a lone surrogate"},
		{"integer too large", `9007199254740992`, 0, "number 9007199254740992: an integer beyond ±(2^53-1); write it as a string"},
		{"negative integer too large", `-9007199254740992`, 0, "number -9007199254740992: an integer beyond ±(2^53-1); write it as a string"},
		{"beyond a double", `1e999`, 0, "number 1e999: beyond a double"},
		{"leading zero", `01`, 2, "not a JSON number"},
		{"no digit", `-`, 1, "not a JSON number"},
		{"bare point", `1.`, 2, "a digit is expected after the point"},
		{"bare exponent", `1e+`, 3, "a digit is expected in the exponent"},
		{"control character", "\"a\nb\"", 2, "a control character in a string"},
		{"unknown escape", `"\x"`, 2, "an unknown escape"},
		{"short escape", `"\u12"`, 3, "four hex digits are expected"},
		{"wrong hex", `"\u12g4"`, 3, "four hex digits are expected"},
		{"open string", `"abc`, 4, "the text ends inside a string"},
		{"escape at the end", `"\`, 2, "an unknown escape"},
		{"empty", ``, 0, "the text ends where a value is expected"},
		{"more text", `1 2`, 2, "more text after the value"},
		{"trailing comma in object", `{"a":1,}`, 7, "a member name in quotes is expected"},
		{"trailing comma in array", `[1,]`, 3, "']' where a value is expected"},
		{"no comma", `[1 2]`, 3, "a comma or ']' is expected"},
		{"no colon", `{"a" 1}`, 5, "a colon is expected after the member name"},
		{"wrong word", `nul`, 0, "a word that is not null"},
		{"deep", deep, 65, "depth over 64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in))
			got, ok := err.(*SyntaxError)
			if !ok || got.Offset != tt.offset || got.Reason != tt.reason {
				t.Errorf("Parse(%.40q) = %v, want byte %d: %s", tt.in, err, tt.offset, tt.reason)
			}
		})
	}
}

func TestParseLimits(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	if _, err := Parse([]byte(deep)); err != nil {
		t.Errorf("depth 64 refused: %v", err)
	}
	object := func(n int) []byte {
		members := make([]string, n)
		for i := range members {
			members[i] = fmt.Sprintf(`"m%d":0`, i)
		}
		return []byte("{" + strings.Join(members, ",") + "}")
	}
	if _, err := Parse(object(MaxMembers)); err != nil {
		t.Errorf("10,000 members refused: %v", err)
	}
	if _, err := Parse(object(MaxMembers + 1)); err == nil {
		t.Error("10,001 members taken")
	}
}

func TestPointer(t *testing.T) {
	tree, err := Parse([]byte(`{"a/b":[{"m~n":7}],"":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := Pointer("a/b", "0", "m~n"); got != "/a~1b/0/m~0n" {
		t.Errorf("Pointer = %s", got)
	}
	for pointer, want := range map[string]any{"/a~1b/0/m~0n": json.Number("7"), "/": json.Number("1")} {
		if got, ok := Lookup(tree, pointer); !ok || got != want {
			t.Errorf("Lookup(%q) = %v, %v, want %v", pointer, got, ok, want)
		}
	}
	for _, pointer := range []string{"a", "/x", "/a~1b/1", "/a~1b/00", "/a~1b/-1", "/a~1b/0/m~0n/x"} {
		if got, ok := Lookup(tree, pointer); ok {
			t.Errorf("Lookup(%q) = %v, want none", pointer, got)
		}
	}
}

// FuzzEncode holds the encoder against another implementation and against itself: canonical bytes parse back to the
// same canonical bytes.
func FuzzEncode(f *testing.F) {
	for _, seed := range []string{vector, `[]`, `{"a":[1,2.50,-0.0,1e-7,true,null,"\u00e9"]}`, `"\ud83d\ude00"`, `{"\ud83d\ude00":1,"\uffff":2,"\ud83d\udc00":3,"a":4,"ab":5}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := Parse(data)
		if err != nil {
			return
		}
		got, err := Encode(tree)
		if err != nil {
			t.Fatalf("Parse took what Encode refuses: %v", err)
		}
		if !IsCanonical(got) {
			t.Errorf("not canonical: %s", got)
		}
		if want, err := jcs.Transform(data); err == nil && string(want) != string(got) {
			t.Errorf("Encode(%s) = %s, another implementation %s", data, got, want)
		}
	})
}
