package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module is what `go list` says of one package of this module, without its tests.
type module struct {
	ImportPath string
	Name       string
	Doc        string
	Imports    []string
	Deps       []string
}

const modulePrefix = "casebook/"

// packages lists the module as `go list` sees it.
func packages(t *testing.T) []module {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Doc,Imports,Deps", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []module
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var m module
		if err := dec.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		m.ImportPath = strings.TrimPrefix(m.ImportPath, modulePrefix)
		all = append(all, m)
	}
	if len(all) < 20 {
		t.Fatalf("go list gave %d packages", len(all))
	}
	return all
}

// row is one line of a Markdown table, its cells as lists of the names in backquotes.
type row [][]string

var quoted = regexp.MustCompile("`([^`]+)`")

// tables reads the tables of a document that stand under a heading, in order, without their heads.
func tables(t *testing.T, heading string) [][]row {
	t.Helper()
	data, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(data), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("ARCHITECTURE.md has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var all [][]row
	for block := range strings.SplitSeq(section, "\n\n") {
		block = strings.TrimSpace(block)
		if !strings.HasPrefix(block, "|") {
			continue
		}
		var table []row
		for _, line := range strings.Split(block, "\n")[2:] {
			var r row
			for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
				var names []string
				for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
					names = append(names, m[1])
				}
				r = append(r, names)
			}
			table = append(table, r)
		}
		all = append(all, table)
	}
	return all
}

// matches says whether a package is named by a pattern; x/... is x and all below it.
func matches(pattern, path string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == base || strings.HasPrefix(path, base+"/")
	}
	return pattern == path
}

func anyMatches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

// The two import tables hold, and every package has its row in them and in the package table.
func TestImportRules(t *testing.T) {
	rules := tables(t, "Import rules")
	if len(rules) != 2 {
		t.Fatalf("%d tables of import rules, want 2", len(rules))
	}
	described := tables(t, "Packages")[0]
	for _, m := range packages(t) {
		i := slices.IndexFunc(rules[0], func(r row) bool { return slices.Contains(r[0], m.ImportPath) })
		if i < 0 {
			t.Errorf("%s: no row in the import rules", m.ImportPath)
			continue
		}
		if !slices.ContainsFunc(described, func(r row) bool { return slices.Contains(r[0], m.ImportPath) }) {
			t.Errorf("%s: no row in the table of packages", m.ImportPath)
		}
		checkImports(t, m, rules[0][i])
		for _, r := range rules[1] {
			for _, imported := range r[0] {
				if slices.Contains(m.Imports, imported) && !anyMatches(r[1], m.ImportPath) {
					t.Errorf("%s imports %s, which is for %v alone", m.ImportPath, imported, r[1])
				}
			}
		}
	}
	for _, r := range rules[0] {
		for _, name := range r[0] {
			if !slices.ContainsFunc(packages(t), func(m module) bool { return m.ImportPath == name }) {
				t.Errorf("the import rules name %s, which is no package", name)
			}
		}
	}
}

func checkImports(t *testing.T, m module, r row) {
	t.Helper()
	for _, imported := range m.Imports {
		name, ours := strings.CutPrefix(imported, modulePrefix)
		if ours && !anyMatches(r[1], name) {
			t.Errorf("%s imports %s, which its row does not allow", m.ImportPath, name)
		}
	}
	for _, dep := range m.Deps {
		if anyMatches(r[2], strings.TrimPrefix(dep, modulePrefix)) {
			t.Errorf("%s reaches %s", m.ImportPath, dep)
		}
	}
}

// Each module that the program is built from has its reason in the table of modules.
func TestModulesHaveReasons(t *testing.T) {
	cmd := exec.Command("go", "list", "-tags", "browser", "-f", "{{range .Imports}}{{.}}\n{{end}}{{range .TestImports}}{{.}}\n{{end}}{{range .XTestImports}}{{.}}\n{{end}}", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var reasons []string
	for _, r := range tables(t, "Modules")[0] {
		reasons = append(reasons, r[0]...)
	}
	imported := strings.Fields(string(out))
	used := map[string]bool{}
	for _, path := range imported {
		if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
			continue
		}
		i := slices.IndexFunc(reasons, func(name string) bool { return path == name || strings.HasPrefix(path, name+"/") })
		if i < 0 {
			t.Errorf("%s: no reason in the table of modules", path)
			continue
		}
		used[reasons[i]] = true
	}
	for _, name := range reasons {
		if !used[name] {
			t.Errorf("the table of modules names %s, which nothing imports", name)
		}
	}
}

// Every package says what it is for.
func TestPackagesHaveComments(t *testing.T) {
	for _, m := range packages(t) {
		if m.Doc == "" {
			t.Errorf("%s: no package comment", m.ImportPath)
		}
	}
}

// The visible top level is what ARCHITECTURE.md says, and nothing else.
func TestTopLevel(t *testing.T) {
	out, err := exec.Command("git", "-C", "../..", "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{
		"cmd", "engine", "render", "templates", "cases", "schema", "examples", "go.mod", "go.sum", "Makefile", "README.md",
		"ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE",
	}
	files := strings.Fields(string(out))
	if len(files) == 0 {
		t.Fatal("git lists no files")
	}
	for _, file := range files {
		top, _, _ := strings.Cut(file, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			t.Errorf("%s: no part of the top level", top)
		}
	}
}
