package render

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"casebook/templates"
)

// TestLanguagesAreComplete compares the keys of all languages.
func TestLanguagesAreComplete(t *testing.T) {
	languages, err := readLanguages(templates.Files())
	if err != nil {
		t.Fatal(err)
	}
	first := slices.Sorted(maps.Keys(languages[0].plain))
	for _, w := range languages {
		if diff := cmp.Diff(first, slices.Sorted(maps.Keys(w.plain))); diff != "" {
			t.Errorf("%s has other keys than %s:\n%s", w.tag, languages[0].tag, diff)
		}
		for key, message := range w.plain {
			if strings.TrimSpace(message) == "" {
				t.Errorf("%s: %s is empty", w.tag, key)
			}
		}
	}
	if len(languages) < 2 || len(first) < 300 {
		t.Errorf("%d languages, %d keys", len(languages), len(first))
	}
}

// TestPlaceholdersAgree compares the arguments that a message takes in each language.
func TestPlaceholdersAgree(t *testing.T) {
	languages, err := readLanguages(templates.Files())
	if err != nil {
		t.Fatal(err)
	}
	arguments := func(message string) []string {
		found := regexp.MustCompile(`%\[\d\][a-z]`).FindAllString(message, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	checked := 0
	for key, message := range languages[0].plain {
		for _, w := range languages[1:] {
			checked += len(arguments(message))
			if key == "note.contested" || key == "state.contested" {
				continue // with one place English says it without the number
			}
			if diff := cmp.Diff(arguments(message), arguments(w.plain[key])); diff != "" {
				t.Errorf("%s in %s takes other arguments than in %s:\n%s", key, w.tag, languages[0].tag, diff)
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d arguments were compared", checked)
	}
}

// usedKeys are the keys that templates and code name, the lists of codes by their name.
func usedKeys(t *testing.T) (keys, lists map[string]bool) {
	t.Helper()
	keys, lists = map[string]bool{"language.tag": true, "language.name": true}, map[string]bool{}
	inTemplates := regexp.MustCompile(wordPattern)
	names, err := fs.Glob(templates.Files(), "*.tmpl")
	if err != nil || len(names) < 6 {
		t.Fatalf("%d templates, %v", len(names), err)
	}
	for _, name := range names {
		source, err := fs.ReadFile(templates.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range inTemplates.FindAllStringSubmatch(string(source), -1) {
			keys[match[2]] = true
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	inCode, labels := regexp.MustCompile(`"([a-z]+\.[a-z0-9_]+)"`), regexp.MustCompile(`\.label\("([a-z_]+)"`)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range inCode.FindAllSubmatch(source, -1) {
			keys[string(match[1])] = true
		}
		for _, match := range labels.FindAllSubmatch(source, -1) {
			lists[string(match[1])] = true
		}
	}
	keys["field.title"], keys["field.snippet"], keys["field.text"] = true, true, true // joined from the field's name
	return keys, lists
}

func TestEveryKeyIsUsed(t *testing.T) {
	keys, lists := usedKeys(t)
	known := renderer(t).languages[0].plain
	for key := range known {
		if rest, ok := strings.CutPrefix(key, "enum."); ok {
			if list, _, _ := strings.Cut(rest, "."); !lists[list] {
				t.Errorf("no page shows the list of %s", key)
			}
			continue
		}
		if !keys[key] {
			t.Errorf("no page uses %s", key)
		}
	}
}

func TestEveryUsedKeyIsThere(t *testing.T) {
	keys, lists := usedKeys(t)
	known := renderer(t).languages[0].plain
	notMessages := []string{"site.css", "site.js", "index.html", "bagit.txt"}
	for key := range keys {
		if _, ok := known[key]; !ok && !slices.Contains(notMessages, key) && !strings.HasSuffix(key, ".json") {
			t.Errorf("there is no message %s", key)
		}
	}
	for list := range lists {
		if closed[list] == "" {
			t.Errorf("list %s has no closed list of codes to be compared with", list)
		}
	}
}

// closed are the codes of contract section 2.2, of the pack format and of the product, written down from there.
var closed = map[string]string{
	"step_kind":          "search extract",
	"mode":               "pinned replay imported",
	"mode_short":         "pinned replay imported",
	"execution_mode":     "live pinned imported",
	"status":             "ok degraded failed",
	"kind":               "search_result extracted_document",
	"outcome":            "success partial skipped failed cancelled",
	"decision":           "attempted skipped",
	"try_outcome":        "success error",
	"try_origin":         "recorded authored imported local",
	"skip_reason":        "disabled unsupported_capability not_configured missing_credentials auth_blocked quota_blocked rate_limited circuit_open budget_blocked policy_excluded deadline_exceeded",
	"error_class":        "invalid_request unsupported config auth quota rate_limit transient timeout provider_contract content security budget cancelled internal",
	"circuit_state":      "closed open half_open blocked_auth blocked_quota unknown",
	"budget_decision":    "allowed reserved blocked unknown",
	"fallback_reason":    "none selected_failed selected_skipped insufficient_results partial_content budget_chain",
	"receipt_mode":       "classic shadow",
	"candidate_decision": "selected attempted_failed attempted_no_selection skipped not_attempted origin_selected",
	"candidate_reason":   "classic_selected fallback_selected attempt_failed insufficient_results blocked_auth blocked_quota circuit_open budget_denied provider_unavailable not_attempted_after_success cache_origin_selected",
	"cache_disposition":  "fresh_hit stale_hit miss bypassed unavailable",
	"origin":             "provider engine",
	"source_field":       "url title snippet text",
	"transformation":     "whitespace_norm deterministic_truncation mechanical_segmentation image_base64_replace",
	"action":             "excluded reranked demoted selected_as_representative truncated_by_limit",
	"reason":             "spam_domain intent_authority domain_diversity dedup_representative max_results max_content_bytes",
	"warning":            "cache.served_stale content.truncated extract.urls_omitted extract.partial budget.limited independence.method_degraded provider.item_without_url cache.legacy_field_dropped storage.full_text_unavailable state.store_unavailable",
	"source_type":        "docs paper repo blog forum reference news other",
	"source_method":      "url_heuristic provider_hint_normalized",
	"confidence":         "low medium high",
	"priority_tier":      "high medium low",
	"priority_reason":    "cluster_consensus cluster_single_observation rank_top_3 rank_beyond_top_3 source_type_authoritative source_type_general",
	"score_semantics":    "provider_local_relevance unknown",
	"redaction_class":    "secret personal source_only legal licence other",
}

func TestEveryCodeHasALabel(t *testing.T) {
	languages := renderer(t).languages
	if len(languages) < 2 {
		t.Fatalf("%d languages", len(languages))
	}
	for _, l := range languages {
		got := map[string][]string{}
		for key := range l.plain {
			if rest, ok := strings.CutPrefix(key, "enum."); ok {
				list, code, _ := strings.Cut(rest, ".")
				got[list] = append(got[list], code)
			}
		}
		want := map[string][]string{}
		for list, codes := range closed {
			want[list] = strings.Fields(codes)
			slices.Sort(want[list])
			slices.Sort(got[list])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", l.tag, diff)
		}
	}
}

func TestWords(t *testing.T) {
	r := renderer(t)
	en, zh := r.languages[0], r.languages[1]
	for _, tt := range []struct{ name, got, want string }{
		{"one", en.format("card.results", 1), "1 result"},
		{"none", en.format("card.results", 0), "0 results"},
		{"many", en.format("card.results", 12345), "12,345 results"},
		{"chinese", zh.format("card.results", 12345), "12,345 条结果"},
		{"second argument", en.format("expect.some_failed", 1, 2), "1 of 2 did not hold."},
		{"argument order", zh.format("expect.some_failed", 1, 2), "2 条预期中有 1 条不成立。"},
		{"number", en.number(1234567), "1,234,567"},
		{"unknown key", en.text("no.such.key"), "no.such.key"},
		{"unknown code", en.label("status", "odd").Text, "odd"},
		{"known code", en.label("status", "ok").Code, "ok"},
		{"time", moment("2026-11-30T12:00:00Z"), "2026-11-30 12:00:00 UTC"},
		{"milliseconds", moment("2026-11-30T12:00:00.125Z"), "2026-11-30 12:00:00.125 UTC"},
		{"no time", moment("2026"), "2026"},
		{"other zone", moment("2026-11-30T12:00:00+01:00"), "2026-11-30T12:00:00+01:00"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestBadWordsAreRefused(t *testing.T) {
	for name, file := range map[string]string{
		"no mapping":    "- a",
		"empty":         "",
		"no YAML":       "a: [",
		"twice":         "language: {tag: en}\na.b: x\na: {b: y}",
		"no tag":        "language: {name: x}",
		"nested scalar": "language: {tag: en}\na: [1]",
		"bad plural":    "language: {tag: en}\na: {one: x, sideways: y}\nb: {a: {one: \"%[1]\"}}",
	} {
		files := fstest.MapFS{"messages.en.yaml": {Data: []byte(file)}}
		if w, err := readWords(files, "messages.en.yaml"); err == nil && name != "bad plural" {
			t.Errorf("%s: read as %v", name, w.plain)
		}
	}
	if _, err := readWords(fstest.MapFS{}, "messages.en.yaml"); err == nil {
		t.Error("a file that isn't there was read")
	}
}

func TestTemplateWithoutItsMessageIsRefused(t *testing.T) {
	files := fstest.MapFS{
		"messages.en.yaml": {Data: []byte("language: {tag: en, name: English}")},
		"page.html.tmpl":   {Data: []byte(`<p>{{t "page.absent"}}</p>`)},
	}
	if _, err := newRenderer(files, Options{}); err == nil || !strings.Contains(err.Error(), "page.absent") {
		t.Errorf("newRenderer = %v, want a complaint about page.absent", err)
	}
}
