package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"casebook/engine/durable"
)

// shelf is a folder of packages made for a test.
type shelf struct {
	t   *testing.T
	dir string
}

func newShelf(t *testing.T) shelf { return shelf{t, t.TempDir()} }

// put writes a file, gzipped where its name says so.
func (s shelf) put(name, data string) {
	s.t.Helper()
	var out bytes.Buffer
	out.WriteString(data)
	if packed(name) {
		out.Reset()
		w := gzip.NewWriter(&out)
		_, err := w.Write([]byte(data))
		if err = errors.Join(err, w.Close()); err != nil {
			s.t.Fatal(err)
		}
	}
	var batch durable.Batch
	err := batch.Add(filepath.Join(s.dir, filepath.FromSlash(name)), out.Bytes())
	if err = errors.Join(err, batch.Commit()); err != nil {
		s.t.Fatal(err)
	}
}

func (s shelf) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s shelf) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

func TestFindVersion(t *testing.T) {
	const head = "tea (1.2-3) stable; urgency=low\n\n  * Boil.\n\ntea (1.2-2) stable; urgency=low\n"
	for _, c := range []struct {
		name     string
		pkg      pkg
		files    map[string]string
		recorded string
		want     string
	}{
		{"deb by its changelog", pkg{Registry: "deb", Name: "tea"}, map[string]string{"usr/share/doc/tea/changelog.Debian.gz": head}, "", "1.2-3"},
		{"deb named unlike its source", pkg{Registry: "deb", Name: "tea-doc"}, map[string]string{"usr/share/doc/tea-doc/changelog.Debian.gz": head}, "", "1.2-3"},
		{"deb that is native", pkg{Registry: "deb", Name: "tea"}, map[string]string{"usr/share/doc/tea/changelog.gz": head}, "", "1.2-3"},
		{
			"deb without documents", pkg{Registry: "deb", Name: "tea"},
			map[string]string{"var/lib/dpkg/status": "Package: teapot\nVersion: 9\n\nPackage: tea\nStatus: install ok installed\nVersion: 1.2-4\n\nPackage: x\nVersion: 8\n"}, "", "1.2-4",
		},
		{"deb whose changelog is upstream's", pkg{Registry: "deb", Name: "tea"}, map[string]string{"usr/share/doc/tea/changelog.gz": "Release 1\n"}, "", ""},
		{"npm", pkg{Registry: "npm", Name: "@a/tea"}, map[string]string{"@a/tea/package.json": `{"version": "1.0.0"}`}, "", "1.0.0"},
		{"mod", pkg{Registry: "go", Name: "tea.example/Pot"}, map[string]string{"tea.example/!pot@v1.0.0/x": "", "tea.example/!pots@v9.0.0/x": ""}, "", "v1.0.0"},
		{"mod, the recorded one", pkg{Registry: "go", Name: "tea.example/pot"}, map[string]string{"tea.example/pot@v1.0.0/x": "", "tea.example/pot@v1.1.0/x": ""}, "v1.0.0", "v1.0.0"},
		{"mod, the last one", pkg{Registry: "go", Name: "tea.example/pot"}, map[string]string{"tea.example/pot@v1.0.0/x": "", "tea.example/pot@v1.1.0/x": ""}, "v1.0.1", "v1.1.0"},
		{"mod, another module", pkg{Registry: "go", Name: "tea.example/pot"}, map[string]string{"tea.example/cup@v1.0.0/x": ""}, "", ""},
		{"dist", pkg{Registry: "go-dist", Name: "go"}, map[string]string{"VERSION": "go1.99.1\ntime 2026-01-01T00:00:00Z\n"}, "", "1.99.1"},
		{"nothing here", pkg{Registry: "npm", Name: "tea"}, nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(t)
			for name, data := range c.files {
				s.put(name, data)
			}
			at := many{t.TempDir(), s.dir}
			got, err := folders{deb: at, npm: at, mod: at, dist: at}.find(c.pkg, c.recorded)
			if got.version != c.want || errors.Is(err, errNotHere) != (c.want == "") {
				t.Errorf("find = %q, %v; want %q", got.version, err, c.want)
			}
		})
	}
}

func TestFindFaults(t *testing.T) {
	s := newShelf(t)
	s.put("tea/package.json", "{")
	if _, err := (folders{npm: []string{s.dir}}).find(pkg{Registry: "npm", Name: "tea"}, ""); err == nil || errors.Is(err, errNotHere) {
		t.Errorf("a broken package.json: %v, want a fault of its own", err)
	}
	if _, err := (folders{}).find(pkg{Registry: "pip", Name: "tea"}, ""); err == nil || errors.Is(err, errNotHere) {
		t.Errorf("an unknown registry: %v, want a fault of its own", err)
	}
}

func TestYAMLString(t *testing.T) {
	const file = "version: 2\ninteractions:\n  - body: one\n  - body: |\n      {\"a\": 1}\n"
	for _, c := range []struct{ pointer, want string }{
		{"/interactions/0/body", "one"},
		{"/interactions/1/body", "{\"a\": 1}\n"},
		{"/interactions/2/body", ""},
		{"/interactions", ""},
		{"/body", ""},
		{"version", ""},
	} {
		got, err := yamlString([]byte(file), c.pointer)
		if string(got) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("yamlString(%q) = %q, %v; want %q", c.pointer, got, err, c.want)
		}
	}
	if _, err := yamlString([]byte("a: [\n"), "/a"); err == nil || !strings.Contains(err.Error(), "yaml") {
		t.Errorf("a broken file: %v, want the fault of the YAML reader", err)
	}
}
