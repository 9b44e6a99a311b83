package casefile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"casebook/engine/evidence"
)

// project is a folder with one whole case, files added, replaced or (with "") taken away.
func project(changes map[string]string) fstest.MapFS {
	files := map[string]string{
		"cases/x/case.yaml": whole, "cases/x/corpus/a.txt": "a", "cases/x/more/of-it/a.txt": "a",
		"cases/x/case.md": "It did.\n", "cases/x/case.zh-cn.md": "是的。\n", "cases/x/case.sum": "", "cases/x/LICENSES.txt": "",
	}
	for name, text := range changes {
		files[name] = text
		if text == "" {
			delete(files, name)
		}
	}
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return fsys
}

func TestLoad(t *testing.T) {
	c, faults := Load(project(nil), "cases/x")
	if len(faults) > 0 {
		t.Fatal(joined(faults))
	}
	want := []Narrative{{"en", "case.md", []byte("It did.\n")}, {"zh-CN", "case.zh-cn.md", []byte("是的。\n")}}
	if diff := cmp.Diff(want, c.Narratives); diff != "" {
		t.Error(diff)
	}
	if len(c.Corpora) != 2 || c.ID != "x" {
		t.Errorf("corpora %v of case %q", c.Corpora, c.ID)
	}
}

func TestLoadRefuses(t *testing.T) {
	large := strings.Repeat("x", MaxNarrativeBytes+1)
	for _, tt := range []struct {
		name    string
		changes map[string]string
		want    string
	}{
		{"no case.yaml", map[string]string{"cases/x/case.yaml": ""}, "cases/x/case.yaml: is missing; a folder of a case has one"},
		{"empty case.yaml", map[string]string{"cases/x/case.yaml": "\n"}, "cases/x/case.yaml:1:1: is empty; a case has at least casebook, id, title, question, as_of and steps"},
		{"case.yaml that is a folder", map[string]string{"cases/x/case.yaml": "", "cases/x/case.yaml/a": "a"}, "cases/x/case.yaml: is no plain file"},
		{"large case.yaml", map[string]string{"cases/x/case.yaml": strings.Repeat("#", MaxYAMLBytes+1)}, "cases/x/case.yaml: has 1048577 bytes, at most 1048576 are allowed"},
		{"id that differs", map[string]string{"cases/x/case.yaml": strings.Replace(whole, "id: x", "id: y", 1)}, `cases/x/case.yaml:2:5: id: "y" differs from the name of its folder, "x"`},
		{"corpus that is missing", map[string]string{"cases/x/more/of-it/a.txt": ""}, "cases/x/case.yaml:11:13: corpora.b.path: cases/x/more: there is no such file or folder"},
		{"corpus that is a file", map[string]string{"cases/x/more/of-it/a.txt": "", "cases/x/more/of-it": "a"}, "cases/x/case.yaml:11:13: corpora.b.path: cases/x/more/of-it is no folder"},
		{"narrative in another language", map[string]string{"cases/x/case.fr.md": "a"}, "cases/x/case.fr.md: is in no language of the title (en, zh-CN)"},
		{"narrative named by the first language", map[string]string{"cases/x/case.en.md": "a"}, "cases/x/case.en.md: must be named case.md: en is the first language of the title"},
		{"narrative in capitals", map[string]string{"cases/x/case.zh-cn.md": "", "cases/x/case.zh-CN.md": "a"}, "cases/x/case.zh-CN.md: must be named case.zh-cn.md"},
		{"first narrative in capitals", map[string]string{"cases/x/case.md": "", "cases/x/CASE.md": "a"}, "cases/x/CASE.md: must be named case.md"},
		{"empty narrative", map[string]string{"cases/x/case.md": " \n"}, "cases/x/case.md: is empty"},
		{"large narrative", map[string]string{"cases/x/case.md": large}, "cases/x/case.md: has 2097153 bytes, at most 2097152 are allowed"},
		{"invalid UTF-8 in a narrative", map[string]string{"cases/x/case.md": "a\n\néb\xc3(\n"}, "cases/x/case.md:3:3: invalid UTF-8 at byte 6"},
		{"several files", map[string]string{"cases/x/case.md": " ", "cases/x/case.fr.md": "a", "cases/x/case.yaml": strings.Replace(whole, "max_results: 5", "max_results: 0", 1)},
			"cases/x/case.fr.md: is in no language of the title (en, zh-CN)\ncases/x/case.md: is empty\ncases/x/case.yaml:18:30: steps[0].request.options.max_results: 0 is below 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, faults := Load(project(tt.changes), "cases/x")
			if got := joined(faults); got != tt.want+"\n" {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// A corpus with a fault is left out, so that nobody reads it.
func TestLoadLeavesOutBadCorpora(t *testing.T) {
	for _, tt := range []struct{ corpus, want string }{
		{"{path: ../../x}", "cases/x/case.yaml:11:13: corpora.b.path: \"../../x\" is outside the case's folder\n"},
		{"{}", "cases/x/case.yaml:11:6: corpora.b: member \"path\" is missing\n"},
	} {
		yaml := strings.Replace(whole, "{path: more/of-it}", tt.corpus, 1)
		c, faults := Load(project(map[string]string{"cases/x/case.yaml": yaml}), "cases/x")
		if got := joined(faults); got != tt.want || c == nil || len(c.Corpora) != 1 || c.Corpora[0].Name != "tz" {
			t.Errorf("corpora %v and faults\n%swant tz alone and\n%s", c.Corpora, got, tt.want)
		}
	}
}

func TestLoadLargestNarrative(t *testing.T) {
	_, faults := Load(project(map[string]string{"cases/x/case.md": strings.Repeat("x", MaxNarrativeBytes)}), "cases/x")
	if len(faults) > 0 {
		t.Error(joined(faults))
	}
}

func TestLoadNoFolder(t *testing.T) {
	_, faults := Load(project(nil), "cases/y/")
	if got, want := joined(faults), "cases/y: there is no such file or folder\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// onDisk writes the whole case below a folder.
func onDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, project(nil)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func rooted(t *testing.T, dir string) fs.FS {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	return root.FS()
}

func TestLoadSymbolicLinks(t *testing.T) {
	for _, tt := range []struct{ name, link, target, want string }{
		{"corpus out of the project", "cases/x/corpus", "/", "cases/x/case.yaml:10:14: corpora.tz.path: cases/x/corpus is a symbolic link; a corpus is a folder inside the case's\n"},
		{"corpus within the case", "cases/x/corpus", "more", "cases/x/case.yaml:10:14: corpora.tz.path: cases/x/corpus is a symbolic link; a corpus is a folder inside the case's\n"},
		{"on the way to a corpus", "cases/x/more", "../..", "cases/x/case.yaml:11:13: corpora.b.path: cases/x/more is a symbolic link; a corpus is a folder inside the case's\n"},
		{"case.yaml", "cases/x/case.yaml", "case.md", "cases/x/case.yaml: is a symbolic link, it must be a plain file\n"},
		{"narrative", "cases/x/case.md", "case.yaml", "cases/x/case.md: is a symbolic link, it must be a plain file\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := onDisk(t)
			link := filepath.Join(dir, tt.link)
			if err := os.RemoveAll(link); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(tt.target, link); err != nil {
				t.Fatal(err)
			}
			_, faults := Load(rooted(t, dir), "cases/x")
			if got := joined(faults); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// unreadableFS refuses to open what it names, whoever asks: on a disk the administrator may read everything.
type unreadableFS struct {
	fstest.MapFS
	names []string
}

func (u unreadableFS) Open(name string) (fs.File, error) {
	if slices.Contains(u.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.Open(name)
}

func (u unreadableFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if slices.Contains(u.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.ReadDir(name)
}

func TestUnreadable(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"cases/x", "cases/x: can't be read: permission denied\n"},
		{"cases/x/case.yaml", "cases/x/case.yaml: can't be read: permission denied\n"},
		{"cases/x/case.md", "cases/x/case.md: can't be read: permission denied\n"},
	} {
		_, faults := Load(unreadableFS{project(nil), []string{tt.name}}, "cases/x")
		if got := joined(faults); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, faults := List(unreadableFS{project(nil), []string{"cases"}}, "cases"); joined(faults) != "cases: can't be read: permission denied\n" {
		t.Errorf("List: %s", joined(faults))
	}
	settings := project(map[string]string{ProjectFile: "casebook: 1\n"})
	if _, faults := LoadProject(unreadableFS{settings, []string{ProjectFile}}); joined(faults) != "casebook.yaml: can't be read: permission denied\n" {
		t.Errorf("LoadProject: %s", joined(faults))
	}
}

func TestList(t *testing.T) {
	fsys := project(map[string]string{
		"cases/b/case.yaml": "a", "cases/a/case.yaml": "a", "cases/README.md": "a", "cases/.git/a": "a", "cases/.partial-b-1/a": "a",
	})
	ids, faults := List(fsys, "cases")
	if want := []string{"a", "b", "x"}; !slices.Equal(ids, want) || len(faults) > 0 {
		t.Errorf("List = %v, %s, want %v", ids, joined(faults), want)
	}
	fsys["cases/c/notes.txt"] = &fstest.MapFile{}
	fsys["cases/d"] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("a")}
	ids, faults = List(fsys, "cases")
	const want = "cases/c: has no case.yaml; a folder in cases is a case\ncases/d: is a symbolic link; a case is a plain folder\n"
	if got := joined(faults); got != want || !slices.Equal(ids, []string{"a", "b", "x"}) {
		t.Errorf("List = %v, %s, want %s", ids, got, want)
	}
	if _, faults := List(fsys, "nothing"); joined(faults) != "nothing: there is no such file or folder\n" {
		t.Errorf("List of no folder: %s", joined(faults))
	}
}

func TestLoadProject(t *testing.T) {
	defaults := Project{Quality: evidence.DefaultQuality(), Redact: Redact{Rules: map[string]bool{}}}
	got, faults := LoadProject(fstest.MapFS{})
	if diff := cmp.Diff(defaults, got); diff != "" || len(faults) > 0 {
		t.Errorf("%s%s", joined(faults), diff)
	}
	load := func(text string) (Project, string) {
		p, faults := LoadProject(fstest.MapFS{ProjectFile: &fstest.MapFile{Data: []byte(text)}})
		return p, joined(faults)
	}
	got, text := load("casebook: 1\n")
	if diff := cmp.Diff(defaults, got); diff != "" || text != "" {
		t.Errorf("%s%s", text, diff)
	}
	got, text = load(`casebook: 1
site: {title: {en: A, zh-CN: B}, base_url: "https://a.example/", languages: [en, zh-CN]}
release: {source_commit: c, build_inputs: b, image_digest: i, docs_version: d}
quality: {filter_spam: false, blocked_domains: [spam.example], max_results_per_domain: 3}
redact: {rules: {email: false}}
`)
	want := Project{
		Site:    Site{Title: Text{{"en", "A"}, {"zh-CN", "B"}}, BaseURL: "https://a.example/", Languages: []string{"en", "zh-CN"}},
		Release: Release{"c", "b", "i", "d"},
		Quality: evidence.Quality{FilterSpam: false, BlockedDomains: []string{"spam.example"}, MaxResultsPerDomain: 3},
		Redact:  Redact{Rules: map[string]bool{"email": false}},
	}
	if diff := cmp.Diff(want, got); diff != "" || text != "" {
		t.Errorf("%s%s", text, diff)
	}
}

func TestLoadProjectRefuses(t *testing.T) {
	const key = " looks like a key: keys come from the environment only, take it out and replace it\n"
	for _, tt := range []struct{ file, want string }{
		{"", "casebook.yaml:1:1: is empty\n"},
		{"casebook: 1\napi_key: sk\n", `casebook.yaml:2:1: member "api_key"` + key},
		{"casebook: 1\nsite: {AccessToken: a}\n", `casebook.yaml:2:8: site: member "AccessToken"` + key},
		{"casebook: 1\nquality: {secretWord: a, password: b, brave-key: c}\n", `casebook.yaml:2:11: quality: member "secretWord"` + key +
			`casebook.yaml:2:26: quality: member "password"` + key + `casebook.yaml:2:39: quality: member "brave-key"` + key},
		{"casebook: 1\nmonkey: 1\n", `casebook.yaml:2:1: unknown member "monkey", allowed are casebook, quality, redact, release, site` + "\n"},
		{"casebook: 2\nsite: {languages: [en, zh-cn, 5], title: {EN: a}}\n", "casebook.yaml:1:11: casebook: is 2, must be 1\n" +
			`casebook.yaml:2:24: site.languages[1]: language tag "zh-cn" must be written "zh-CN"` + "\n" +
			"casebook.yaml:2:31: site.languages[2]: is a number, must be a string\n" + `casebook.yaml:2:43: site.title: language tag "EN" must be written "en"` + "\n"},
		{"casebook: 1\nquality: {max_results_per_domain: 0, blocked_domains: [\"http://a\"]}\n", "casebook.yaml:2:35: quality.max_results_per_domain: 0 is below 1\n" +
			`casebook.yaml:2:56: quality.blocked_domains[0]: "http://a" is no domain` + "\n"},
		{"casebook: 1\nredact: {rules: {api_key: false}}\n", "casebook.yaml:2:27: redact.rules.api_key: is a mandatory rule, it can't be switched off\n"},
		{"casebook: 1\nsite: {base_url: ftp://a}\n", `casebook.yaml:2:18: site.base_url: "ftp://a" does not begin with http:// or https://, or has a blank` + "\n"},
	} {
		p, faults := LoadProject(fstest.MapFS{ProjectFile: &fstest.MapFile{Data: []byte(tt.file)}})
		if got := joined(faults); got != tt.want {
			t.Errorf("%q: got\n%swant\n%s", tt.file, got, tt.want)
		}
		if diff := cmp.Diff(evidence.DefaultQuality(), p.Quality); diff != "" {
			t.Errorf("%q: beside faults stand no defaults: %s", tt.file, diff)
		}
	}
}
