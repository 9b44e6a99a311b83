package redact

import (
	"strings"
	"testing"
)

// fill gives n characters of an alphabet, none of them in an order that a word or a hash would have.
func fill(alphabet string, n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteByte(alphabet[(i*7+i/3)%len(alphabet)])
	}
	return out.String()
}

const (
	sampleAlnum = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU"
	sampleUpper = "A1B2C3D4E5F6G7H8J9K"
	sampleHex   = "0a1b2c3d4e5f6789"
	sampleDigit = "1234567890"
)

// foundInNote says whether a rule finds something in a text of an author's.
func foundInNote(t *testing.T, rule, text string) bool {
	t.Helper()
	hits, err := ScanText("note.txt", []byte("before "+text+" after"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		if h.Rule == rule {
			return true
		}
	}
	return false
}

// The beginnings, alphabets and lengths that the services publish, written down here a second time so that a slip in
// the rule's own table shows. Tokens are put together when the test runs; none of them was ever issued.
func TestPublishedTokenForms(t *testing.T) {
	forms := []struct{ beginning, rest string }{
		{"AKIA", fill(sampleUpper, 16)}, {"ASIA", fill(sampleUpper, 16)},
		{"ghp_", fill(sampleAlnum, 36)}, {"gho_", fill(sampleAlnum, 36)}, {"ghu_", fill(sampleAlnum, 36)},
		{"ghs_", fill(sampleAlnum, 36)}, {"ghr_", fill(sampleAlnum, 36)}, {"github_pat_", fill(sampleAlnum, 22)},
		{"glpat-", fill(sampleAlnum, 20)}, {"glptt-", fill(sampleAlnum, 20)}, {"gldt-", fill(sampleAlnum, 20)},
		{"glrt-", fill(sampleAlnum, 20)}, {"glcbt-", fill(sampleAlnum, 20)}, {"npm_", fill(sampleAlnum, 36)},
		{"pypi-AgE", fill(sampleAlnum, 50)}, {"rubygems_", fill(sampleHex, 48)}, {"dckr_pat_", fill(sampleAlnum, 27)},
		{"dop_v1_", fill(sampleHex, 64)}, {"doo_v1_", fill(sampleHex, 64)}, {"dor_v1_", fill(sampleHex, 64)},
		{"dapi", fill(sampleHex, 32)}, {"hvs.", fill(sampleAlnum, 24)}, {"dp.pt.", fill(sampleAlnum, 40)},
		{"pscale_tkn_", fill(sampleAlnum, 32)}, {"glc_eyJ", fill(sampleAlnum, 32)},
		{"glsa_", fill(sampleAlnum, 32) + "_" + fill(sampleHex, 8)},
		{"eyJ", fill(sampleAlnum, 12) + ".eyJ" + fill(sampleAlnum, 12) + "." + fill(sampleAlnum, 20)},
		{"sk-ant-", fill(sampleAlnum, 20)}, {"sk-or-v1-", fill(sampleHex, 32)}, {"sk-proj-", fill(sampleAlnum, 20)},
		{"sk-svcacct-", fill(sampleAlnum, 20)}, {"sk-", fill(sampleAlnum, 16)}, {"AIza", fill(sampleAlnum, 35)},
		{"ya29.", fill(sampleAlnum, 20)}, {"GOCSPX-", fill(sampleAlnum, 28)}, {"hf_", fill(sampleAlnum, 30)},
		{"pplx-", fill(sampleAlnum, 32)}, {"gsk_", fill(sampleAlnum, 40)}, {"xai-", fill(sampleAlnum, 60)},
		{"r8_", fill(sampleAlnum, 37)}, {"tvly-", fill(sampleAlnum, 20)}, {"fc-", fill(sampleHex, 32)},
		{"BSA", fill(sampleAlnum, 27)}, {"xoxb-", fill(sampleAlnum, 10)}, {"xoxp-", fill(sampleAlnum, 10)},
		{"xapp-", fill(sampleAlnum, 20)}, {"xoxe.", fill(sampleAlnum, 20)}, {"xoxe-", fill(sampleAlnum, 20)},
		{"hooks.slack.com/services/", fill(sampleUpper, 9) + "/" + fill(sampleUpper, 9) + "/" + fill(sampleAlnum, 24)},
		{"sk_live_", fill(sampleAlnum, 16)}, {"sk_test_", fill(sampleAlnum, 16)}, {"rk_live_", fill(sampleAlnum, 16)},
		{"whsec_", fill(sampleAlnum, 32)}, {"SG.", fill(sampleAlnum, 22) + "." + fill(sampleAlnum, 43)},
		{"SK", fill(sampleHex, 32)}, {"key-", fill(sampleHex, 32)}, {"shpat_", fill(sampleHex, 32)},
		{"shpss_", fill(sampleHex, 32)}, {"sq0atp-", fill(sampleAlnum, 22)}, {"sq0csp-", fill(sampleAlnum, 43)},
		{"lin_api_", fill(sampleAlnum, 40)}, {"ntn_", fill(sampleAlnum, 40)},
		{"PMAK-", fill(sampleHex, 24) + "-" + fill(sampleHex, 34)}, {"NRAK-", fill(sampleUpper, 27)},
		{"ATATT3", fill(sampleAlnum, 60)}, {"", fill(sampleDigit, 9) + ":AA" + fill(sampleAlnum, 33)},
	}
	for _, f := range forms {
		if !foundInNote(t, "api_key", f.beginning+f.rest) {
			t.Errorf("%s… of %d characters is not found", f.beginning, len(f.rest))
		}
	}
	if got := len(keyFormats()); got != len(forms) {
		t.Errorf("the rule knows %d forms, this test %d", got, len(forms))
	}
}

// The closed lists of names, each name on its own.
func TestClosedLists(t *testing.T) {
	for _, name := range []string{
		"authorization", "proxy-authorization", "authentication", "x-api-key", "api-key", "apikey", "x-subscription-token",
		"x-auth-token", "x-goog-api-key", "ocp-apim-subscription-key", "x-amz-security-token", "x-my-secret", "x-my-password",
	} {
		if !secretHeader(name) {
			t.Errorf("header %s is taken for public", name)
		}
	}
	for _, name := range []string{"accept", "user-agent", "content-type", "idempotency-key", "x-idempotency-key", "keyword"} {
		if secretHeader(name) {
			t.Errorf("header %s is taken for a secret", name)
		}
	}
	for _, name := range []string{
		"access_key", "access_token", "api_key", "apiSecret", "api-token", "app_secret", "auth_token", "bearer_token", "client_secret",
		"id_token", "jwt", "passwd", "password", "private_key", "refresh_token", "secret_key", "session_token",
		"SharedAccessSignature", "subscription-key", "X-Amz-Credential", "X-Amz-Security-Token", "X-Amz-Signature", "x-api-key",
		"X-Goog-Credential", "X-Goog-Signature",
	} {
		if !foundInNote(t, "url_parameter", "https://api.example/v1?a=1&"+name+"=word&b=2") {
			t.Errorf("parameter %s is taken for public", name)
		}
	}
	for _, name := range []string{"q", "page", "lang", "monkey", "tokens_used"} {
		if foundInNote(t, "url_parameter", "https://api.example/v1?"+name+"=harbour") {
			t.Errorf("parameter %s is taken for a secret", name)
		}
	}
	secret := fill(sampleAlnum, 24)
	for _, name := range []string{"credential", "credentials", "key", "secret", "token", "api_key", "client_secret", "password"} {
		if !foundInNote(t, "api_key", name+" = "+secret) {
			t.Errorf("the value of %s is taken for public", name)
		}
	}
	for _, ending := range []string{"png", "gif", "jpg", "jpeg", "svg", "webp", "js", "css", "json", "html", "txt", "tgz", "whl"} {
		if foundInNote(t, "email", "icon@2x."+ending) {
			t.Errorf("icon@2x.%s is taken for an address", ending)
		}
	}
	if !foundInNote(t, "email", "clerk@port.example") {
		t.Error("an e-mail address is not found")
	}
}
