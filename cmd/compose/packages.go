package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// errNotHere says that no folder given by flags holds a package.
var errNotHere = errors.New("package not here")

// Registries, as SOURCES.json spells them.
const (
	registryDeb  = "deb"
	registryNpm  = "npm"
	registryGo   = "go"
	registryDist = "go-dist"
)

// folders are the package folders given by flags: unpacked Debian packages, node_modules, Go module caches and Go
// distributions.
type folders struct{ deb, npm, mod, dist []string }

// found is a package that is here: its files, and the version that they say they are.
type found struct {
	files   fs.FS
	version string
}

// find looks a package up in the folders of its registry, in the order of the flags. Where a module cache holds
// several versions, the recorded one is taken if it is there, otherwise the last by name.
func (f folders) find(p pkg, recorded string) (found, error) {
	look := map[string]struct {
		dirs []string
		in   func(string, pkg, string) (found, error)
	}{
		registryDeb:  {f.deb, findDeb},
		registryNpm:  {f.npm, findNpm},
		registryGo:   {f.mod, findMod},
		registryDist: {f.dist, findDist},
	}
	where, ok := look[p.Registry]
	if !ok {
		return found{}, fmt.Errorf("package %s: unknown registry %q", p.Name, p.Registry)
	}
	for _, dir := range where.dirs {
		got, err := where.in(dir, p, recorded)
		if !errors.Is(err, fs.ErrNotExist) {
			return got, err
		}
	}
	return found{}, fmt.Errorf("%s %s: %w", p.Registry, p.Name, errNotHere)
}

// findDeb reads the version from the head of the package's Debian changelog, which every package ships and dpkg -x
// unpacks, and where documents are left out at installation from the list of installed packages.
func findDeb(dir string, p pkg, _ string) (found, error) {
	files := os.DirFS(dir)
	for _, name := range []string{"changelog.Debian.gz", "changelog.gz"} {
		data, err := readFile(files, path.Join("usr/share/doc", p.Name, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return found{}, err
		}
		// The head names the source package, which need not be called like the binary one.
		head := regexp.MustCompile(`^[a-z0-9][a-z0-9.+-]* \(([^()\s]+)\) [^\n]*; urgency=`)
		if m := head.FindSubmatch(data); m != nil {
			return found{files, string(m[1])}, nil
		}
	}
	status, err := readFile(files, "var/lib/dpkg/status")
	if err != nil {
		return found{}, err
	}
	for _, paragraph := range strings.Split(string(status), "\n\n") {
		if !strings.HasPrefix(paragraph, "Package: "+p.Name+"\n") {
			continue
		}
		if m := regexp.MustCompile(`(?m)^Version: (\S+)$`).FindStringSubmatch(paragraph); m != nil {
			return found{files, m[1]}, nil
		}
	}
	return found{}, fs.ErrNotExist
}

func findNpm(dir string, p pkg, _ string) (found, error) {
	files := os.DirFS(filepath.Join(dir, filepath.FromSlash(p.Name)))
	data, err := readFile(files, "package.json")
	if err != nil {
		return found{}, err
	}
	var about struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(data, &about); err != nil {
		return found{}, fmt.Errorf("npm %s: package.json: %w", p.Name, err)
	}
	return found{files, about.Version}, nil
}

func findMod(dir string, p pkg, recorded string) (found, error) {
	// A capital stands as "!" and the small letter in the names of a module cache.
	name := regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(p.Name, func(s string) string { return "!" + strings.ToLower(s) })
	parent, base := path.Split(name)
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(parent)))
	if err != nil {
		return found{}, err
	}
	var versions []string
	for _, e := range entries {
		if version, ok := strings.CutPrefix(e.Name(), base+"@"); ok && e.IsDir() {
			versions = append(versions, version)
		}
	}
	if len(versions) == 0 {
		return found{}, fs.ErrNotExist
	}
	version := slices.Max(versions)
	if slices.Contains(versions, recorded) {
		version = recorded
	}
	return found{os.DirFS(filepath.Join(dir, filepath.FromSlash(name)+"@"+version)), version}, nil
}

func findDist(dir string, _ pkg, _ string) (found, error) {
	files := os.DirFS(dir)
	data, err := readFile(files, "VERSION")
	if err != nil {
		return found{}, err
	}
	lines := splitLines(data)
	if len(lines) == 0 {
		return found{}, errors.New("go distribution: VERSION is empty")
	}
	return found{files, strings.TrimPrefix(lines[0], "go")}, nil
}

// packed says whether a file's name promises gzip; a dictd dictionary is gzip with an index of its own.
func packed(name string) bool {
	return strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".dz")
}

// readFile reads a file of a package, gunzipped where its name says so.
func readFile(files fs.FS, name string) ([]byte, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil || !packed(name) {
		return data, err
	}
	r, err := gzip.NewReader(bufio.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(r)
}

// yamlString gives the string at a JSON Pointer of a YAML file, the form in which recorded exchanges keep a body.
func yamlString(data []byte, pointer string) ([]byte, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	names, err := pointerNames(pointer)
	if err != nil {
		return nil, err
	}
	node := &file
	if len(file.Content) == 1 {
		node = file.Content[0]
	}
	for _, name := range names {
		if node = yamlChild(node, name); node == nil {
			return nil, fmt.Errorf("nothing at %q", name)
		}
	}
	if node.Kind != yaml.ScalarNode {
		return nil, errors.New("is not a string")
	}
	return []byte(node.Value), nil
}

func yamlChild(node *yaml.Node, name string) *yaml.Node {
	if node.Kind == yaml.SequenceNode {
		if i, ok := arrayIndex(name, len(node.Content)); ok {
			return node.Content[i]
		}
		return nil
	}
	for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}
