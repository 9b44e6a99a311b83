package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"casebook/engine/canon"

	"github.com/google/go-cmp/cmp"
)

// found is what the rules find in a text, as rule:text.
func found(t *testing.T, text string, at site) []string {
	t.Helper()
	var out []string
	for _, h := range newFinder(nil).settle(text, at, nil) {
		out = append(out, h.rule.id+":"+text[h.start:h.end])
	}
	return out
}

// sample is a token of a format with so many letters more than the least, none of them a hash by chance.
func sample(f keyFormat, more int) string {
	letters := map[charset]string{
		alnum: "a1B2c3D4e5F6g7H8", alnumDash: "a1B2c3D4e5F6g7H8", alnumUnder: "a1B2c3D4e5F6g7H8", urlSafe: "a1B2c3D4e5F6g7H8",
		urlSafeDot: "a1B2c3D4e5F6g7H8", lowerHex: "0a1b2c3d4e5f6789", upperAlnum: "A1B2C3D4E5F6G7H8", lowerAlnum: "a1b2c3d4e5f6g7h8",
		digits: "1234567890123456",
	}
	var out strings.Builder
	for i, p := range f.pieces {
		n := p.min
		if i == len(f.pieces)-1 {
			n += more
		}
		out.WriteString(p.literal)
		for k := range n {
			out.WriteByte(letters[p.set][k%16])
		}
	}
	return out.String()
}

func TestKeyFormats(t *testing.T) {
	formats := keyFormats()
	if len(formats) < 30 {
		t.Fatalf("%d formats, want 30 or more", len(formats))
	}
	finder := newKeyFinder(formats)
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			for _, more := range []int{0, 1, 7} {
				token := sample(f, more)
				if got := f.length(token); got != len(token) {
					t.Errorf("length of a token of %d bytes = %d", len(token), got)
				}
				for _, around := range [][2]string{{"", ""}, {"key ", " end"}, {"\"", "\""}, {"=", "&x"}, {"é", "é"}} {
					text := around[0] + token + around[1]
					want := []span{{len(around[0]), len(around[0]) + len(token)}}
					if got := finder.find(text); !slices.Equal(got, want) {
						t.Errorf("find(%q) = %v, want %v", text, got, want)
					}
				}
				pattern := regexp.MustCompile("^(?:" + f.pattern() + ")$")
				if !pattern.MatchString(token) {
					t.Errorf("the published pattern %s doesn't match %q", pattern, token)
				}
			}
			short := sample(f, -1)
			if got := f.length(short); got != 0 {
				t.Errorf("length of a token that is one short = %d, want 0", got)
			}
			if regexp.MustCompile("^(?:" + f.pattern() + ")$").MatchString(short) {
				t.Errorf("the published pattern matches %q, which is one short", short)
			}
			if got := finder.find("xx" + sample(f, 0)); (len(got) > 0) != f.inWord && f.pieces[0].literal != "" {
				t.Errorf("found inside a word: %v, want %v", len(got) > 0, f.inWord)
			}
		})
	}
}

// jwt is the example of RFC 7519 section 3.1 with its three parts.
const jwt = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ." +
	"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

func TestRulesFind(t *testing.T) {
	pem := "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----"
	aws := "AKIA" + "IOSFODNN7EXAMPLE"
	for _, c := range []struct {
		name, text string
		at         place
		want       []string
	}{
		{"aws id", "id " + aws + ".", inReply, []string{"api_key:" + aws}},
		{"jwt", "see " + jwt, inReply, []string{"api_key:" + jwt}},
		{"touching keys", demoSecret + " " + aws + aws, inReply, []string{"api_key:" + demoSecret, "api_key:" + aws + aws}},
		{"key touching another form", aws + "ghp_" + strings.Repeat("aB3", 12), inReply, []string{"api_key:" + aws + "", "api_key:ghp_" + strings.Repeat("aB3", 12)}},
		{"slug", "https://a.example/sk-bratislava-kraj-hotel-2023", inReply, nil},
		{"word with sk-", "a risk-averse-approach-to-Disk-Encryption", inReply, nil},
		{"password at the end", "user=x\npassword=hunter22", inReply, []string{"api_key:hunter22"}},
		{"password in words", "password: required", inReply, nil},
		{"password is a variable", "password=${PASSWORD1}", inReply, nil},
		{"secret in yaml", "client_secret: 'a1b2c3d4e5'", inReply, []string{"api_key:a1b2c3d4e5"}},
		{"token in shell", "export TOKEN=q8ZrT5pLx0WvB3nM", inReply, []string{"api_key:q8ZrT5pLx0WvB3nM"}},
		{"weak name, hash", "token: d41d8cd98f00b204e9800998ecf8427e", inReply, nil},
		{"strong name, hash", "api_key: d41d8cd98f00b204e9800998ecf8427e", inReply, []string{"api_key:d41d8cd98f00b204e9800998ecf8427e"}},
		{"weak name, uuid", "key=123e4567-e89b-12d3-a456-426614174000", inReply, nil},
		{"weak name, id", "key=exec_0123456789abcdef0123456789abcdef", inReply, nil},
		{"page token", "next_page_token: q8ZrT5pLx0WvB3nM", inReply, nil},
		{"hash alone", "sha256 e33018fd54d06354c8484ad57d28faac320f42f564957f2248296b04c5f1111a", inReply, nil},
		{"bearer", "Authorization: Bearer abc.def-123456789", inReply, []string{"auth_header:abc.def-123456789"}},
		{"bearer in words", "a bearer certificate-of-shares", inReply, nil},
		{"basic", "Basic dXNlcjpwYXNzd29yZA==", inReply, []string{"auth_header:dXNlcjpwYXNzd29yZA=="}},
		{"basic in words", "basic understanding123", inReply, nil},
		{"cookie line", "Set-Cookie: sid=31d4d96e; Path=/\nx", inReply, []string{"cookie:sid=31d4d96e; Path=/"}},
		{"cookie in words", "Cookie: a small cake", inReply, nil},
		{"user info", "https://joe:pw@host.example/x", inReply, []string{"url_credentials:joe:pw"}},
		{"user info with an at sign", "https://joe:p@w@host.example/x", inReply, []string{"url_credentials:joe:p@w"}},
		{"token as user", "https://abc123@host.example/x", inReply, []string{"url_credentials:abc123"}},
		{"ssh user", "ssh://git@host.example/x", inReply, nil},
		{"ssh password", "ssh://git:pw@host.example/x", inReply, []string{"url_credentials:git:pw"}},
		{"at sign in a path", "https://host.example/@joe/x@1.2", inReply, nil},
		{"parameter", "https://a.example/?q=1&api_key=abcd1234&x=2", inReply, []string{"url_parameter:abcd1234"}},
		{"parameter in another spelling", "https://a.example/?Api-Key=abcd1234#x", inReply, []string{"url_parameter:abcd1234"}},
		{"access token in a fragment", "https://a.example/#access_token=zzzz", inReply, []string{"url_parameter:zzzz"}},
		{"weak parameter", "https://a.example/?key=home", inReply, nil},
		{"weak parameter of a request", "https://a.example/?key=home", inRequest, []string{"url_parameter:home"}},
		{"form body", "api_key=abc&q=x", inRequest, []string{"url_parameter:abc"}},
		{"other parameter", "https://a.example/?monkey=1234567890abcdefG&q=key", inReply, nil},
		{"pem", "a " + pem + " b", inReply, []string{"private_key:" + pem}},
		{"pem cut off", "a -----BEGIN PRIVATE KEY-----\nMIIE", inReply, []string{"private_key:-----BEGIN PRIVATE KEY-----\nMIIE"}},
		{"public pem", "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----", inReply, nil},
		{"age key", "AGE-SECRET-KEY-1" + strings.Repeat("Q2", 29), inReply, []string{"private_key:AGE-SECRET-KEY-1" + strings.Repeat("Q2", 29)}},
		{"email", "write to joe.doe+x@mail.example.org.", inReply, []string{"email:joe.doe+x@mail.example.org"}},
		{"email in brackets", "Joe <joe@example.org>, x", inReply, []string{"email:joe@example.org"}},
		{"two emails", "a@b.org,c@d.org", inReply, []string{"email:a@b.org", "email:c@d.org"}},
		{"email with letters beyond ascii", "jörg@exämple.org", inReply, []string{"email:jörg@exämple.org"}},
		{"email at both ends", "a@b.co", inReply, []string{"email:a@b.co"}},
		{"mailto", "mailto:a@b.org?subject=x", inReply, []string{"email:a@b.org"}},
		{"package version", "tz@1.2.3 and vue@3.2.js and @scope/pkg", inReply, nil},
		{"file with scale", "icon@2x.png", inReply, nil},
		{"git remote", "git@host.example:a/b.git", inReply, nil},
		{"no host", "joe@localhost", inReply, nil},
		{"email then key", "a@b.org" + "ghp_" + strings.Repeat("aB3", 12), inReply, []string{"api_key:a@b.orgghp_" + strings.Repeat("aB3", 12)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, found(t, c.text, site{place: c.at})); diff != "" {
				t.Errorf("found in %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// Encoded copies of one key, in a text of a reply. What is removed is what is stored.
func TestEncodedForms(t *testing.T) {
	percent := strings.ReplaceAll(demoSecret, "-", "%2D")
	escaped := strings.ReplaceAll(demoSecret, "-", `\u002d`)
	once := base64.StdEncoding.EncodeToString([]byte("key is " + demoSecret))
	twice := base64.StdEncoding.EncodeToString([]byte(once))
	folded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("words of some length. ", 5) + demoSecret))
	folded = folded[:64] + "\r\n" + folded[64:128] + "\r\n" + folded[128:]
	long := base64.URLEncoding.EncodeToString([]byte("key is " + demoSecret + "!?~~"))
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	for _, c := range []struct{ name, text, want string }{
		{"percent", "https://a.example/?x=" + percent, percent},
		{"percent before", "a%20" + demoSecret, demoSecret},
		{"escapes in text", `say ` + escaped + ` twice`, escaped},
		{"escaped line break before", `{"cut": "a\n` + demoSecret, demoSecret},
		{"json", `{"a":"` + escaped + `"}`, escaped},
		{"json name", `{"` + demoSecret + `":1}`, demoSecret},
		{"json in json", `{"a":` + quote(`{"b":"`+escaped+`"}`) + `}`, strings.ReplaceAll(escaped, `\`, `\\`)},
		{"json three deep", quote(quote(quote(quote(demoSecret)))), demoSecret},
		{"base64", "see " + once + " there", once},
		{"base64 in a path", "https://a.example/x/" + long + "?a", ""},
		{"base64 twice", twice, twice},
		{"base64 twice in json", `{"a":"` + twice + `"}`, twice},
		{"base64 of json", `["` + base64.StdEncoding.EncodeToString([]byte(`{"k":"`+escaped+`"}`)) + `"]`, ""},
		{"base64 folded", folded, folded},
		{"soft line break", "sk-EXAMPLE-not=\r\n-a-real-key", "sk-EXAMPLE-not=\r\n-a-real-key"},
		{"soft hyphen", "sk-EXAMPLE\u00ad-not-a-real-key", "sk-EXAMPLE\u00ad-not-a-real-key"},
		{"zero bytes", "s\x00k\x00-\x00EXAMPLE-not-a-real-key", "s\x00k\x00-\x00EXAMPLE-not-a-real-key"},
		{"base64 in percent", "?x=" + strings.ReplaceAll(once, "=", "%3D"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			hits := newFinder(nil).settle(c.text, site{place: inReply}, nil)
			if len(hits) != 1 {
				t.Fatalf("%d hits in %q, want 1", len(hits), c.text)
			}
			got := c.text[hits[0].start:hits[0].end]
			if c.want != "" && got != c.want {
				t.Errorf("removed from %q: %q, want %q", c.text, got, c.want)
			}
			if hits[0].rule.id != "api_key" {
				t.Errorf("rule %s, want api_key", hits[0].rule.id)
			}
		})
	}
}

// Data that looks random and is no secret.
func TestOrdinaryDataPasses(t *testing.T) {
	var blob []byte
	for i := range 4000 {
		blob = append(blob, byte(i*i>>3)^byte(i*7))
	}
	for _, text := range []string{
		base64.StdEncoding.EncodeToString(blob),
		base64.URLEncoding.EncodeToString(blob),
		base64.StdEncoding.EncodeToString([]byte("A text without anything that has to be hidden from anyone at all.")),
		fmt.Sprintf("%x", blob),
		`{"id":"obs_f636c955010260e5","attempt_id":"attempt_0001abdce2084bec","body_sha256":"e33018fd54d06354c8484ad57d28faac320f42f564957f2248296b04c5f1111a"}`,
		"commit 1c9ee80c3a29fdfee416b1166f00324c3776d4d4 (tag: v1.2.3)",
		"integrity sha512-" + base64.StdEncoding.EncodeToString(blob[:64]),
		"2026-11-30T09:00:00.123Z +49 30 1234567 10.0.0.1",
		"Basic rights, bearer of bad news, cookie: none; token ring; key = value; secret: ballot",
		"[redacted:rd0001] is legal text, and so is password=[redacted:rd0002]",
		"The Zone: America/Port-au-Prince 1918-01-24T17:00:00 http://data.iana.org/time-zones/tzdb/NEWS",
	} {
		for _, at := range []place{inReply, inRecord, inSource} {
			if got := found(t, text, site{place: at}); got != nil {
				t.Errorf("found in %.60q: %.60q", text, got)
			}
		}
	}
}

func TestMembersAndHeaders(t *testing.T) {
	for _, c := range []struct {
		name, member, value string
		at                  place
		want                string // rule, "" for none
	}{
		{"authorization", "authorization", "x", inRequestHeader, "auth_header"},
		{"upper case", "Authorization", "x", inRequestHeader, "auth_header"},
		{"subscription token", "x-subscription-token", "1234", inRequestHeader, "auth_header"},
		{"another key", "x-vendor-key", "1234", inRequestHeader, "auth_header"},
		{"another token", "x-vendor-token", "1234", inReplyHeader, "auth_header"},
		{"idempotency key", "idempotency-key", "1234-5678", inRequestHeader, ""},
		{"accept", "accept", "application/json", inRequestHeader, ""},
		{"empty", "authorization", "", inRequestHeader, ""},
		{"cookie", "cookie", "a", inRequestHeader, "cookie"},
		{"set-cookie", "set-cookie", "a=b", inReplyHeader, "cookie"},
		{"echoed header", "authorization", "Bearer abcdef", inReply, "auth_header"},
		{"word of that name", "authorization", "required", inReply, ""},
		{"echoed cookie", "cookie", "sid=12345", inReply, "cookie"},
		{"text about cookies", "cookie", "we use them", inReply, ""},
		{"key of a request", "api_key", "x", inRequest, "api_key"},
		{"any token of a request", "token", "x", inRequest, "api_key"},
		{"query of a request", "query", "api_key", inRequest, ""},
		{"echoed key", "api_key", "abcdefg1", inReply, "api_key"},
		{"short word", "api_key", "abcdef1", inReply, ""},
		{"password", "password", "abcde1", inReply, "api_key"},
		{"short password", "password", "abcd1", inReply, ""},
		{"token", "token", "q8ZrT5pLx0WvB3nM", inReply, "api_key"},
		{"weak token", "token", "q8ZrT5pLx0WvB3n", inReply, ""},
		{"cursor", "next_token", "q8ZrT5pLx0WvB3nM", inReply, ""},
		{"address", "api_key", "https://a.example/k1", inReply, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, at := c.value, site{place: c.at, name: c.member}
			if !c.at.header() {
				b, err := canon.Encode(map[string]any{c.member: []any{c.value}})
				if err != nil {
					t.Fatal(err)
				}
				text, at.name = string(b), ""
			}
			var want []string
			if c.want != "" {
				want = []string{c.want + ":" + c.value}
			}
			if diff := cmp.Diff(want, found(t, text, at)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONWebKey(t *testing.T) {
	public := `{"kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}`
	if got := found(t, public, site{}); got != nil {
		t.Errorf("public key: %q", got)
	}
	want := []string{"private_key:jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}
	private := `{"d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI","kty":"EC"}`
	if diff := cmp.Diff(want, found(t, private, site{})); diff != "" {
		t.Errorf("private key (-want +got):\n%s", diff)
	}
	if got := found(t, `{"d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}`, site{}); got != nil {
		t.Errorf("member d without kty: %q", got)
	}
}

func TestSourceOnly(t *testing.T) {
	reply := site{place: inReply, reply: true}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"null", `{"answer": null,"x":1}`, []string{`source_only:null`}},
		{"number", `{"truth_confidence":0.90}`, []string{`source_only:0.90`}},
		{"list", `{"answers":[{"a":"]"},"b@c.org"],"x":"}"}`, []string{`source_only:[{"a":"]"},"b@c.org"]`}},
		{"text", `{"answer":"an \" a"}`, []string{`source_only:"an \" a"`}},
		{"deep", `{"r":[{"summary":"s","url":"u"}]}`, []string{`source_only:"s"`}},
		{"escaped name", `{"\u0061nswer":"s"}`, []string{`source_only:"s"`}},
		{"every name", `{"answerBox":1,"knowledgeGraph":2,"infoboxes":3,"full_synthesis":4,"claim":5,"verification":6}`,
			[]string{"source_only:1", "source_only:2", "source_only:3", "source_only:4", "source_only:5", "source_only:6"}},
		{"other case", `{"Answer":"s","answer_box":1,"answered":2}`, nil},
		{"value, no name", `{"q":"answer"}`, nil},
		{"synthesis", `{"r":[{"text":"a@b.org","type":"synthesis"},{"type":"source"}]}`, []string{`source_only:{"text":"a@b.org","type":"synthesis"}`}},
		{"synthesis as root", `{"type":"synthesis","r":["a@b.org"]}`, []string{`source_only:"synthesis"`, "email:a@b.org"}},
		{"duplicate members", `{"answer":1,"answer":2}`, []string{"source_only:1", "source_only:2"}},
		{"page that is json", `{"r":[{"content":"{\"summary\":\"s\"}"}]}`, nil},
		{"cut off", `{"r":[{"answer" : "an answ`, []string{`source_only:{"r":[{"answer" : "an answ`}},
		{"lines of json", "{\"a\":1}\n{\"answer\":2}\n", []string{"source_only:{\"a\":1}\n{\"answer\":2}\n"}},
		{"byte order mark", "\ufeff{\"answer\":2}", []string{"source_only:2"}},
		{"no json", "the answer: 42", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, found(t, c.text, reply)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			for _, other := range []site{{place: inReply}, {place: inRequest}, {place: inRecord}} {
				for _, h := range found(t, c.text, other) {
					if strings.HasPrefix(h, "source_only") {
						t.Errorf("found %q outside a reply's body", h)
					}
				}
			}
		})
	}
}

func TestTable(t *testing.T) {
	data, err := Table()
	if err != nil {
		t.Fatal(err)
	}
	var read table
	if err := json.Unmarshal(data, &read); err != nil || !canon.IsCanonical(data) {
		t.Fatalf("the table is no canonical JSON: %v", err)
	}
	var got []string
	for _, row := range read.Rules {
		got = append(got, fmt.Sprint(row.ID, " ", row.Class, " ", row.Mandatory, " ", row.On))
		if row.Match == "" {
			t.Errorf("rule %s doesn't say what it matches", row.ID)
		}
	}
	want := []string{
		"api_key secret true true", "auth_header secret true true", "cookie secret true true", "email personal false true",
		"private_key secret true true", "source_only source_only true true", "url_credentials secret true true", "url_parameter secret true true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestSwitches(t *testing.T) {
	published, err := InForce(nil)
	if err != nil {
		t.Fatal(err)
	}
	off, err := InForce(map[string]bool{"email": false})
	if err != nil || off.SHA256 == published.SHA256 || !cmp.Equal(off.Rules, map[string]bool{"email": false}) {
		t.Errorf("InForce(email off) = %+v, %v, want another digest than %s", off, err, published.SHA256)
	}
	on, err := InForce(map[string]bool{"email": true, "api_key": true})
	if err != nil || on.SHA256 != published.SHA256 {
		t.Errorf("InForce(what is on anyway) = %+v, %v, want digest %s", on, err, published.SHA256)
	}
	for set, want := range map[string]string{
		"api_key": `redaction rule "api_key": mandatory, it can't be switched off`,
		"phone": `redaction rule "phone": unknown; rules are api_key, auth_header, cookie, email, private_key, source_only, ` +
			`url_credentials, url_parameter`,
	} {
		if _, err := InForce(map[string]bool{set: false}); err == nil || err.Error() != want {
			t.Errorf("InForce(%s off) = %v, want %s", set, err, want)
		}
		if _, err := Scrub(nil, Options{Rules: map[string]bool{set: false}}); err == nil || err.Error() != want {
			t.Errorf("Scrub(%s off) = %v, want %s", set, err, want)
		}
	}
	if hits := newFinder(map[string]bool{"email": false}).settle("a@b.org", site{}, nil); hits != nil {
		t.Errorf("email is off and finds %d hits", len(hits))
	}
}
