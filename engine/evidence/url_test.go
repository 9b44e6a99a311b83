package evidence

import (
	"strings"
	"testing"
)

// The first twelve rows are the table of contract 3.4.
func TestCanonicalURL(t *testing.T) {
	for _, tt := range []struct {
		observed, want string
	}{
		{"HTTPS://User:Pw@Example.COM:443/A/b/?q=1&utm_source=x&b=#frag", "https://example.com/A/b/?q=1&b="},
		{"https://example.com/a?utm_source=x&gclid=1", "https://example.com/a"},
		{"https://example.com/app#/users", "https://example.com/app#/users"},
		{"https://example.com/a#top", "https://example.com/a"},
		{"https://example.com/a?ref=x&UTM_Medium=y&&b", "https://example.com/a?ref=x&&b"},
		{"http://example.com", "http://example.com/"},
		{"http://example.com:8080/x/", "http://example.com:8080/x/"},
		{"https://www.example.com/a?", "https://www.example.com/a"},
		{"http://example.com:80/?z=2&a=1", "http://example.com/?z=2&a=1"},
		{"https://example.com/a%2Fb/../c", "https://example.com/a%2Fb/../c"},
		{"https://bücher.example/ä?ü=1", "https://bücher.example/ä?ü=1"},
		{"https://EXAMPLE.com./x", "https://example.com./x"},
		{"https://[2001:db8::1]:8443/p", "https://[2001:db8::1]:8443/p"},
		// The steps one by one.
		{" \x01\thttps://example.com/\ta\r\nb c ", "https://example.com/ab c "},
		{"https://example.com/app#!/a", "https://example.com/app#!/a"},
		{"https://example.com/a#", "https://example.com/a"},
		{"https://example.com/a#x?y#z", "https://example.com/a"},
		{"https://example.com/a?x#?y", "https://example.com/a?x"},
		{"https://example.com?q=1", "https://example.com/?q=1"},
		{"https://example.com#/r", "https://example.com/#/r"},
		{"https://a@b@example.com/", "https://example.com/"},
		{"https://[2001:DB8::1]/p", "https://[2001:db8::1]/p"},
		{"https://[::1]:443", "https://[::1]/"},
		{"https://u@[::1]:0443/", "https://[::1]/"},
		{"http://example.com:0/x", "http://example.com/x"},
		{"http://example.com:/x", "http://example.com/x"},
		{"http://example.com:443/x", "http://example.com:443/x"},
		{"https://example.com:80/x", "https://example.com:80/x"},
		{"ftp://example.com:80/x", "ftp://example.com:80/x"},
		{"https://example.com:08080/x", "https://example.com:8080/x"},
		{"https://example.com:65535/x", "https://example.com:65535/x"},
		{"https://example.com/?utm_=&utm=2&xutm_a=3&q=utm_source", "https://example.com/?utm=2&xutm_a=3&q=utm_source"},
		{"https://example.com/?%75tm_source=1", "https://example.com/?%75tm_source=1"},
		{"https://example.com/?_GA=1&_ga", "https://example.com/"},
		// What cannot be taken apart stays as it is.
		{"https://Example.com:65536/", "https://Example.com:65536/"},
		{"https://Example.com:8o/", "https://Example.com:8o/"},
		{"https://Example.com:-1/", "https://Example.com:-1/"},
		{"https://Example.com:1:2/", "https://Example.com:1:2/"},
		{"https://Example.com:99999999999999999999/", "https://Example.com:99999999999999999999/"},
		{"https://[2001:DB8::1/p", "https://[2001:DB8::1/p"},
		{"https://[::1]x/p", "https://[::1]x/p"},
		{"https://A[::1]/p", "https://A[::1]/p"},
		{"https://U@/p", "https://U@/p"},
		{"A://[]/p", "A://[]/p"},
		{"HTTPS:///p", "HTTPS:///p"},
		{"HTTPS://?a", "HTTPS://?a"},
		{"MAILTO:a@b.example", "MAILTO:a@b.example"},
		{"1a://B/", "1a://B/"},
		{"://B/", "://B/"},
		{"", ""},
	} {
		if got := CanonicalURL(tt.observed, false); got != tt.want {
			t.Errorf("CanonicalURL(%q) = %q, want %q", tt.observed, got, tt.want)
		}
	}
}

func TestCanonicalURLDropsTheClosedList(t *testing.T) {
	const list = "gclid dclid gbraid wbraid fbclid msclkid yclid igshid mc_cid mc_eid mkt_tok srsltid vero_id oly_anon_id oly_enc_id _ga utm_id"
	dropped := 0
	for name := range strings.FieldsSeq(list) {
		dropped++
		if got := CanonicalURL("https://example.com/?"+name+"=1&a=2&"+name, false); got != "https://example.com/?a=2" {
			t.Errorf("%s is kept: %s", name, got)
		}
	}
	if dropped != 17 {
		t.Fatalf("%d names tried", dropped)
	}
	for _, name := range []string{"ref", "source", "id", "gclids", "ga"} {
		if url := "https://example.com/?" + name + "=1"; CanonicalURL(url, false) != url {
			t.Errorf("%s is dropped", name)
		}
	}
}

func TestCanonicalURLKeepsFragment(t *testing.T) {
	for observed, want := range map[string]string{
		"https://example.com/a#record-7": "https://example.com/a#record-7",
		"https://example.com#x":          "https://example.com/#x",
		"https://example.com/a#":         "https://example.com/a",
	} {
		if got := CanonicalURL(observed, true); got != want {
			t.Errorf("CanonicalURL(%q) = %q, want %q", observed, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	for _, tt := range []struct {
		url, host, domain, path string
	}{
		{"https://www.Example.com:8080/a?b#c", "www.example.com", "example.com:8080", "/a"},
		{"https://u:p@Example.com:99999/a", "example.com", "example.com:99999", "/a"},
		{"https://[2001:DB8::1]:8443/p", "2001:db8::1", "[2001:db8::1]:8443", "/p"},
		{"https://[2001:db8::1/p", "", "[2001:db8::1", "/p"},
		{"https:///p", "", "", "/p"},
		{"https://example.com", "example.com", "example.com", ""},
		{"https://wwww.example.com?x", "wwww.example.com", "wwww.example.com", ""},
		{"no url", "", "", ""},
	} {
		if host, domain, path := Host(tt.url), Domain(tt.url), Path(tt.url); host != tt.host || domain != tt.domain || path != tt.path {
			t.Errorf("%q: host %q, domain %q, path %q, want %q, %q, %q", tt.url, host, domain, path, tt.host, tt.domain, tt.path)
		}
	}
}

func TestIsURL(t *testing.T) {
	for url, want := range map[string]bool{
		"https://example.com": true, "h2+x-y.z://a": true, "https://example.com:99999/": true, "HTTP://ä": true, "https://?": true,
		"https:///x": false, "mailto:a@b": false, "data:,x": false, " https://a": false, "https:// a": false,
		"https://": false, "://a": false, "2h://a": false, "a b://c": false, "https://\u00a0a": false, "https:/a": false, "": false,
	} {
		if got := IsURL(url); got != want {
			t.Errorf("IsURL(%q) = %v", url, got)
		}
	}
}

func FuzzCanonicalURL(f *testing.F) {
	for _, seed := range []string{
		"HTTPS://User:Pw@Example.COM:443/A/b/?q=1&utm_source=x&b=#frag", "https://[::1]:1/#/a", "http://a:0?&&utm_a", "\thttp://a\n:80", "x",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, observed string, keep bool) {
		once := CanonicalURL(observed, keep)
		if twice := CanonicalURL(once, keep); twice != once {
			t.Errorf("CanonicalURL(%q) = %q, and of that %q", observed, once, twice)
		}
		if IsURL(observed) && !IsURL(once) {
			t.Errorf("CanonicalURL(%q) = %q, which is no URL", observed, once)
		}
		if once != observed && Host(once) == "" {
			t.Errorf("CanonicalURL(%q) = %q without a host", observed, once)
		}
	})
}
