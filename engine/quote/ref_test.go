package quote

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		link string
		want Ref
	}{
		{"evidence:find/1#text", Ref{Step: "find", Rank: 1, Field: "text"}},
		{"evidence:a-1/999999999#url@2", Ref{Step: "a-1", Rank: 999999999, Field: "url", N: 2}},
		{"evidence:find/obs:obs_0a1B-_#title", Ref{Step: "find", ObservationID: "obs_0a1B-_", Field: "title"}},
		{"evidence:find/obs:obs_a#snippet@10", Ref{Step: "find", ObservationID: "obs_a", Field: "snippet", N: 10}},
	} {
		got, err := Parse(tt.link)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", tt.link, got, err, tt.want)
		}
		if got.String() != tt.link {
			t.Errorf("String = %q, want %q", got, tt.link)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const form = "a checked quote points to evidence:<step>/<target>#<field>, where <target> is a rank or obs:<observation_id>"
	for _, tt := range []struct{ link, want string }{
		{"https://a.example/", form},
		{"Evidence:find/1#text", form},
		{"evidence:", form},
		{"evidence:find", form},
		{"evidence:find#text", form},
		{"evidence:find/1", form},
		{"evidence:/1#text", `"" is no id of a step`},
		{"evidence:Find/1#text", `"Find" is no id of a step`},
		{"evidence:" + strings.Repeat("a", 65) + "/1#text", `"` + strings.Repeat("a", 65) + `" is no id of a step`},
		{"evidence:find/0#text", `"0" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/01#text", `"01" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/+1#text", `"+1" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/9999999999#text", `"9999999999" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/obs:x#text", `"obs:x" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/obs:obs_a/b#text", `"obs:obs_a/b" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/obs:" + "obs_" + strings.Repeat("a", 129) + "#text", `"obs:obs_` + strings.Repeat("a", 72) + `" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/obs_a#text", `"obs_a" is neither a rank, counted from 1, nor obs:<observation_id>`},
		{"evidence:find/a0001#answer", `"a0001" is not a target of this version; it is a rank or obs:<observation_id>`},
		{"evidence:find/metric/mention_rate/p#", `"metric/mention_rate/p" is not a target of this version; it is a rank or obs:<observation_id>`},
		{"evidence:find/1#", `"" is none of the fields title, snippet, text, url`},
		{"evidence:find/1#answer", `"answer" is none of the fields title, snippet, text, url`},
		{"evidence:find/1#text@", `"" is no number of an occurrence, counted from 1`},
		{"evidence:find/1#text@0", `"0" is no number of an occurrence, counted from 1`},
		{"evidence:find/1#text@1@2", `"1@2" is no number of an occurrence, counted from 1`},
	} {
		got, err := Parse(tt.link)
		if fmt.Sprint(err) != tt.link+": "+tt.want || got != (Ref{}) {
			t.Errorf("Parse(%q) = %+v, %v, want %s", tt.link, got, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"evidence:find/1#text", "evidence:find/obs:obs_a#url@3", "evidence:find/a0001#answer", "evidence:/#@", "evidence:find/01#text"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		ref, err := Parse(link)
		if err == nil && ref.String() != link {
			t.Errorf("Parse(%q) is written %q", link, ref)
		}
		if err != nil && ref != (Ref{}) {
			t.Errorf("Parse(%q) = %+v beside an error", link, ref)
		}
	})
}
