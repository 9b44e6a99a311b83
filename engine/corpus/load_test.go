package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"casebook/engine/evidence"
)

// tree makes a file system of paths and contents.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content), Mode: 0o644}
	}
	return fsys
}

func document(url string) string { return "---\nurl: " + url + "\n---\nText.\n" }

func mustLoad(t testing.TB, files map[string]string) *Corpus {
	t.Helper()
	c, faults := Load(tree(files), "corpus")
	if faults != nil {
		t.Fatalf("Load = %v, want no faults", faults)
	}
	return c
}

func strs(faults []Fault) []string {
	var all []string
	for _, f := range faults {
		all = append(all, f.String())
	}
	return all
}

func TestLoadDocument(t *testing.T) {
	c := mustLoad(t, map[string]string{
		"corpus/a.txt": "---\nurl: https://a.example/x#y\ntitle: \"A: one\"\ndate: 2026-01-05\nfrom: \"f\"\nlines: \"1-2\"\nlicence: MIT\n---\n\n  Text\r\n---\nend",
	})
	if len(c.Documents) != 1 {
		t.Fatalf("Load gave %d documents, want 1", len(c.Documents))
	}
	d := c.Documents[0]
	if d.Path != "a.txt" || d.URL != "https://a.example/x#y" || *d.Title != "A: one" || *d.Date != "2026-01-05" {
		t.Errorf("Load = %q %q %q %q", d.Path, d.URL, *d.Title, *d.Date)
	}
	if want := "\n  Text\r\n---\nend"; d.Text != want {
		t.Errorf("text = %q, want %q: all after the second marker, exactly", d.Text, want)
	}
}

func TestLoadAbsentIsNotEmpty(t *testing.T) {
	c := mustLoad(t, map[string]string{
		"corpus/a.txt": "---\nurl: https://a.example/\ntitle: \"\"\ndate: ~\n---",
		"corpus/b.txt": "---\nurl: https://b.example/\n---\n",
	})
	if d := c.Documents[0]; d.Title == nil || *d.Title != "" || d.Date != nil || d.Text != "" {
		t.Errorf("document with an empty title and a null date = %+v", d)
	}
	if d := c.Documents[1]; d.Title != nil || d.Date != nil {
		t.Errorf("document without title and date = %+v", d)
	}
}

func TestLoadTakesTextFilesOnly(t *testing.T) {
	c := mustLoad(t, map[string]string{
		"corpus/sub/b.md":          document("https://a.example/1"),
		"corpus/sub-b.md":          document("https://a.example/2"),
		"corpus/a.txt":             document("https://a.example/3"),
		"corpus/SOURCES.json":      "{}",
		"corpus/notes.txt.bak":     "x",
		"corpus/.partial-9/a.txt":  "x",
		"corpus/.partial-8.txt":    "x",
		"corpus/sub/deep/er/c.txt": document("https://a.example/4"),
		"other/d.txt":              document("https://a.example/5"),
	})
	var paths []string
	for _, d := range c.Documents {
		paths = append(paths, d.Path)
	}
	if want := []string{"a.txt", "sub-b.md", "sub/b.md", "sub/deep/er/c.txt"}; !slices.Equal(paths, want) {
		t.Errorf("paths = %v, want %v", paths, want)
	}
}

// The digests are those of sha256sum; the first is published in section 3.3 of the contract.
func TestDigest(t *testing.T) {
	published := evidence.CorpusDigest([]evidence.DigestedFile{
		{Path: "sub-b.md", Digest: evidence.FileDigest([]byte("B\n"))}, {Path: "a.txt", Digest: evidence.FileDigest([]byte("A\n"))},
	})
	if want := evidence.Digest("2d5ff9c3dcc76069b0ad036fff71fcf84c934bc6c22da8e464252caace135964"); published != want {
		t.Errorf("digest of the published example = %s, want %s", published, want)
	}
	files := map[string]string{"corpus/sub/b.md": document("https://a.example/1"), "corpus/sub-b.md": document("https://a.example/2")}
	for _, dir := range []string{"corpus", "."} {
		fsys := tree(files)
		if dir == "." {
			fsys = tree(map[string]string{"sub/b.md": files["corpus/sub/b.md"], "sub-b.md": files["corpus/sub-b.md"]})
		}
		c, faults := Load(fsys, dir)
		if faults != nil {
			t.Fatal(faults)
		}
		if want := evidence.Digest(digestOfTwo); c.Digest != want {
			t.Errorf("Load(%q).Digest = %s, want %s", dir, c.Digest, want)
		}
	}
}

func TestLoadFaults(t *testing.T) {
	const good = "https://a.example/"
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"no folder", map[string]string{"x.txt": ""}, []string{"corpus: file does not exist"}},
		{"file for a folder", map[string]string{"corpus": ""}, []string{"corpus: is no folder"}},
		{"empty", map[string]string{"corpus/README": ""}, []string{"corpus: holds no document: no file is called *.txt or *.md"}},
		{"no front matter", map[string]string{"corpus/a.txt": "url: x\n"}, []string{"corpus/a.txt:1:1: no front matter: the first line must be ---"}},
		{"empty file", map[string]string{"corpus/a.txt": ""}, []string{"corpus/a.txt:1:1: no front matter: the first line must be ---"}},
		{"byte order mark", map[string]string{"corpus/a.txt": "\uFEFF---\n"}, []string{"corpus/a.txt:1:1: no front matter: the first line must be ---"}},
		{"CR LF", map[string]string{"corpus/a.txt": "---\r\nurl: x\r\n---\r\n"}, []string{"corpus/a.txt:1:1: front matter with CR LF: lines must end with LF"}},
		{
			"not closed", map[string]string{"corpus/a.txt": "---\nurl: x\n--- \n ---\n"},
			[]string{"corpus/a.txt:1:1: front matter is not closed: a second line --- is missing within 65536 bytes"},
		},
		{
			"closed too late", map[string]string{"corpus/a.txt": "---\n" + strings.Repeat("# x\n", 20_000) + "---\n"},
			[]string{"corpus/a.txt:1:1: front matter is not closed: a second line --- is missing within 65536 bytes"},
		},
		{"no url", map[string]string{"corpus/a.txt": "---\ntitle: x\n---\n"}, []string{"corpus/a.txt:1:1: front matter has no url"}},
		{"nothing in it", map[string]string{"corpus/a.txt": "---\n---\n"}, []string{"corpus/a.txt:1:1: front matter has no url"}},
		{"null url", map[string]string{"corpus/a.txt": "---\nurl:\n---\n"}, []string{"corpus/a.txt:1:1: front matter has no url"}},
		{
			"other scheme", map[string]string{"corpus/a.txt": "---\nurl: ftp://a.example/\n---\n"},
			[]string{`corpus/a.txt:2:6: url "ftp://a.example/" must begin with http:// or https://`},
		},
		{"no host", map[string]string{"corpus/a.txt": "---\nurl: https:///x\n---\n"}, []string{`corpus/a.txt:2:6: url "https:///x" has no host`}},
		{"no slashes", map[string]string{"corpus/a.txt": "---\nurl: https:a\n---\n"}, []string{`corpus/a.txt:2:6: url "https:a" has no host`}},
		{
			"empty url", map[string]string{"corpus/a.txt": "---\nurl: ''\n---\n"},
			[]string{`corpus/a.txt:2:6: url "" must begin with http:// or https://`},
		},
		{
			"two documents, one url",
			map[string]string{"corpus/a.txt": document(good), "corpus/b.txt": document(good + "x"), "corpus/c.txt": "---\ntitle: C\nurl: " + good + "\n---\n"},
			[]string{`corpus/c.txt:3:6: url "https://a.example/" is that of corpus/a.txt too`},
		},
		{
			"unknown and duplicate keys",
			map[string]string{"corpus/a.txt": "---\nurl: " + good + "\nauthor: x\nurl: " + good + "\n---\n"},
			[]string{
				`corpus/a.txt:3:1: unknown key "author": allowed are url, title, date, from, lines, licence`,
				`corpus/a.txt:4:1: duplicate key "url"`,
			},
		},
		{
			"no plain values",
			map[string]string{"corpus/a.txt": "---\nurl: [x]\ntitle: !!str x\ndate: {a: b}\n? [k]\n: v\n---\n"},
			[]string{
				"corpus/a.txt:2:6: url must be one text without tag, alias or list",
				"corpus/a.txt:3:8: title must be one text without tag, alias or list",
				"corpus/a.txt:4:7: date must be one text without tag, alias or list",
				"corpus/a.txt:5:3: a key must be a plain word",
			},
		},
		{
			"alias", map[string]string{"corpus/a.txt": "---\nurl: &u https://a.example/\ntitle: *u\n---\n"},
			[]string{"corpus/a.txt:3:8: title must be one text without tag, alias or list"},
		},
		{"a list", map[string]string{"corpus/a.txt": "---\n- url\n---\n"}, []string{"corpus/a.txt:2:1: front matter must be keys and values"}},
		{
			"YAML syntax", map[string]string{"corpus/a.txt": "---\nurl: https://a.example/\ntitle: \"x\n---\n"},
			[]string{"corpus/a.txt:3: front matter: found unexpected end of stream"},
		},
		{"invalid UTF-8", map[string]string{"corpus/a.txt": "---\nurl: " + good + "\n---\né\xff\n"}, []string{"corpus/a.txt:4:2: invalid UTF-8 at byte 34"}},
		{
			"all at once, in order",
			map[string]string{"corpus/c.txt": "", "corpus/b/x.md": "---\n---\n", "corpus/a.txt": document(good)},
			[]string{"corpus/b/x.md:1:1: front matter has no url", "corpus/c.txt:1:1: no front matter: the first line must be ---"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, faults := Load(tree(tt.files), "corpus")
			if got := strs(faults); !slices.Equal(got, tt.want) {
				t.Errorf("Load = %q,\nwant %q", got, tt.want)
			}
			if c != nil {
				t.Error("Load gave a corpus beside faults")
			}
		})
	}
}

// unread is a file system in which no file may be opened.
type unread struct {
	fstest.MapFS
	t *testing.T
}

func (u unread) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".txt") {
		u.t.Errorf("%s was opened", name)
	}
	return u.MapFS.Open(name)
}

// sized is a regular file that only says how large it is.
type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

type sizedEntry struct {
	fs.DirEntry
	size int64
}

func (e sizedEntry) Info() (fs.FileInfo, error) {
	info, err := e.DirEntry.Info()
	return sized{info, e.size}, err
}

func (u unread) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := u.MapFS.ReadDir(name)
	for i, e := range entries {
		if !e.IsDir() {
			entries[i] = sizedEntry{e, 300 << 20}
		}
	}
	return entries, err
}

func TestLoadLeavesLargeDocumentsUnread(t *testing.T) {
	_, faults := Load(unread{tree(map[string]string{"corpus/a.txt": document("https://a.example/")}), t}, "corpus")
	if want := []string{"corpus/a.txt: has 314572800 bytes: a document has at most 5242880"}; !slices.Equal(strs(faults), want) {
		t.Errorf("Load = %q, want %q", strs(faults), want)
	}
}

func TestLoadSizeLimit(t *testing.T) {
	full := document("https://a.example/")
	full += strings.Repeat("x", MaxDocumentBytes-len(full))
	if c := mustLoad(t, map[string]string{"corpus/a.txt": full}); len(c.Documents) != 1 {
		t.Errorf("a document of %d bytes gave %d documents, want 1", len(full), len(c.Documents))
	}
	_, faults := Load(tree(map[string]string{"corpus/a.txt": full + "x"}), "corpus")
	if want := []string{"corpus/a.txt: has 5242881 bytes: a document has at most 5242880"}; !slices.Equal(strs(faults), want) {
		t.Errorf("Load = %q, want %q", strs(faults), want)
	}
}

// growing says of its files that they are small.
type growing struct{ fstest.MapFS }

func (g growing) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := g.MapFS.ReadDir(name)
	for i, e := range entries {
		entries[i] = sizedEntry{e, 1}
	}
	return entries, err
}

func TestLoadBelievesNoSize(t *testing.T) {
	large := tree(map[string]string{"corpus/a.txt": strings.Repeat("x", MaxDocumentBytes+1)})
	_, faults := Load(growing{large}, "corpus")
	if want := []string{"corpus/a.txt: grew while it was read: a document has at most 5242880 bytes"}; !slices.Equal(strs(faults), want) {
		t.Errorf("Load = %q, want %q", strs(faults), want)
	}
}

func TestLoadRefusesLinks(t *testing.T) {
	const refused = "is a symbolic link: a corpus holds plain files and folders only"
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.txt"), document("https://secret.example/"))
	tests := []struct {
		name, link, target, dir, want string
	}{
		{"file", "corpus/a.txt", filepath.Join(outside, "secret.txt"), "corpus", "corpus/a.txt: " + refused},
		{"file of another name", "corpus/a.json", "b.txt", "corpus", "corpus/a.json: " + refused},
		{"folder", "corpus/more", outside, "corpus", "corpus/more: " + refused},
		{"corpus", "linked", outside, "linked", "linked: " + refused},
		{"folder above the corpus", "above", ".", "above/corpus", "above: " + refused},
		{"to nowhere", "corpus/a.txt", "missing", "corpus", "corpus/a.txt: " + refused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, "corpus/b.txt"), document("https://b.example/"))
			if err := os.Symlink(tt.target, filepath.Join(root, tt.link)); err != nil {
				t.Fatal(err)
			}
			c, faults := Load(os.DirFS(root), tt.dir)
			if got := strs(faults); !slices.Equal(got, []string{tt.want}) || c != nil {
				t.Errorf("Load = %v, %q, want %q", c, got, tt.want)
			}
		})
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// broken fails at one name, as a folder without permission does.
type broken struct {
	fstest.MapFS
	name string
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.MapFS.Open(name)
}

func (b broken) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.MapFS.ReadDir(name)
}

func TestLoadUnreadable(t *testing.T) {
	files := tree(map[string]string{"corpus/a.txt": document("https://a.example/"), "corpus/sub/b.txt": document("https://b.example/")})
	for _, name := range []string{"corpus", "corpus/sub", "corpus/a.txt"} {
		_, faults := Load(broken{files, name}, "corpus")
		if want := []string{name + ": permission denied"}; !slices.Equal(strs(faults), want) {
			t.Errorf("Load with unreadable %s = %q, want %q", name, strs(faults), want)
		}
	}
}

func TestLoadRefusesPipes(t *testing.T) {
	fsys := tree(map[string]string{"corpus/a.txt": ""})
	fsys["corpus/a.txt"].Mode = fs.ModeNamedPipe
	_, faults := Load(fsys, "corpus")
	if want := []string{"corpus/a.txt: is no regular file"}; !slices.Equal(strs(faults), want) {
		t.Errorf("Load = %q, want %q", strs(faults), want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		document("https://a.example/"), "---\nurl: http://a\ntitle: \"x\\u00e9\"\n---\ntext", "---\r\n---", "---\n&a [*a]\n---\n",
		"---\nurl: |\n  https://a.example/\n---\n", "---\n\xff\n---\n", "---\n<<: {url: http://a}\n---\n", "---\n--- \n---\n---\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, faults := parse("a.txt", "a.txt", data)
		if len(faults) > 0 {
			for _, fault := range faults {
				if lines := strings.Count(string(data), "\n") + 1; fault.Line < 1 || fault.Line > lines || fault.Message == "" {
					t.Errorf("fault %q in a file of %d lines", fault, lines)
				}
			}
			return
		}
		if !evidence.IsURL(d.URL) || !strings.HasPrefix(strings.ToLower(d.URL), "http") {
			t.Errorf("url = %q", d.URL)
		}
		header, ok := strings.CutSuffix(string(data), d.Text)
		if !ok || !strings.HasPrefix(header, "---\n") || !strings.HasSuffix(strings.TrimSuffix(header, "\n"), "\n---") {
			t.Errorf("text = %q of %q", d.Text, data)
		}
	})
}

func TestFaultString(t *testing.T) {
	for _, tt := range []struct {
		fault Fault
		want  string
	}{
		{Fault{"a", 0, 0, "m"}, "a: m"}, {Fault{"a", 2, 0, "m"}, "a:2: m"}, {Fault{"a", 2, 3, "m"}, "a:2:3: m"},
	} {
		if got := fmt.Sprint(tt.fault); got != tt.want {
			t.Errorf("String() = %q, want %q", got, tt.want)
		}
	}
}

// digestOfTwo is "sha256sum sub-b.md sub/b.md | sha256sum" over the two documents of the test.
const digestOfTwo = "bfad218028e2014aa1515c81ad481e1f4794c0cbd38b8539f02bc9adc44b436a"
