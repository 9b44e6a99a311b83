package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// teaRecipe is a recipe in which each test may change one thing.
const teaRecipe = `kind: records
packages:
  - {id: tea, registry: npm, name: tea, version: "1.0.0", licence: MIT}
  - {id: pot, registry: deb, name: pot, version: "2-1", licence: public domain}
  - {id: bag, registry: npm, name: bag, version: "3.0.0", licence: public domain}
documents:
  - slug: leaf
    url: https://tea.example/leaf
    title: "Leaf"
    date: "2026"
    package: tea
    path: leaf.txt
    rule: lines/1
    pick: {lines: [{range: "2-3"}]}
    note: "two lines kept"
  - slug: pot
    url: https://tea.example/pot?a=1&b=<2>
    title: "Pot"
    date: "2025-01"
    package: pot
    path: usr/share/doc/pot/notes.gz
    rule: whole/1
notices:
  - licence: MIT
    text: |
      Tea. Its licence:
    package: tea
    path: LICENSE
  - licence: public domain
    text: |
      Nobody owns the pot.
  - licence: public domain
    package: bag
    path: NOTICE
    lines: [{range: "2"}]
facts:
  - {slug: leaf, at: [5, 6, 9], text: "a4d2d9a7c3be", quote: "leaf"}
`

func teaTree(recipe string) fstest.MapFS {
	return fstest.MapFS{
		"cases/tea/recipe.yaml": {Data: []byte(recipe)},
		"cases/tea/case.yaml":   {Data: []byte("casebook: 1\n")},
	}
}

func TestLoadRecipesRefuses(t *testing.T) {
	if list, err := loadRecipes(teaTree(teaRecipe)); err != nil || len(list) != 1 || list[0].Case != "tea" {
		t.Fatalf("loadRecipes = %+v, %v; want the recipe that the others spoil", list, err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"an unknown member", "note:", "notes:", "notes"},
		{"an unknown kind", "kind: records", "kind: rumours", "rumours"},
		{"an unknown rule", "rule: whole/1", "rule: whole/2", "whole/2"},
		{"an unknown package", "package: pot", "package: cup", "cup"},
		{"no url", "url: https://tea.example/pot?a=1&b=<2>", `url: ""`, "url"},
		{"no title", `title: "Pot"`, `title: ""`, "title"},
		{"no date", `date: "2025-01"`, `date: ""`, "date"},
		{"a slug that is a path", "slug: pot", "slug: a/pot", "slug"},
		{"a slug twice", "slug: pot", "slug: leaf", "twice"},
		{"a url twice", "tea.example/pot?a=1&b=<2>", "tea.example/leaf", "twice"},
		{"a package without a version", `version: "2-1", `, "", "version"},
		{"a fact without a document", "slug: leaf, at", "slug: bud, at", "bud"},
		{"a fact without a quote", `quote: "leaf"`, `quote: ""`, "quote"},
		{"a licence without a notice", "- licence: MIT", "- licence: BSD", "MIT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spoilt := strings.Replace(teaRecipe, c.old, c.new, 1)
			if spoilt == teaRecipe {
				t.Fatalf("%q is not in the recipe", c.old)
			}
			list, err := loadRecipes(teaTree(spoilt))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("loadRecipes = %+v, %v; want a fault that names %q", list, err, c.want)
			}
		})
	}
	for name, tree := range map[string]fstest.MapFS{
		"no recipes":              {},
		"a folder without recipe": {"cases/tea/case.yaml": {}},
		"no documents":            teaTree("kind: prose\n"),
	} {
		if list, err := loadRecipes(tree); err == nil {
			t.Errorf("%s: loadRecipes = %+v, want an error", name, list)
		}
	}
}

// TestPackages holds packages.txt, which the packages are fetched by, against the recipes.
func TestPackages(t *testing.T) {
	data, err := os.ReadFile("packages.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range splitLines(data) {
		if !strings.HasPrefix(line, "#") {
			got = append(got, line)
		}
	}
	list, err := loadRecipes(recipes)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range list {
		for _, p := range r.Packages {
			switch p.Registry {
			case registryDeb:
				want = append(want, "deb "+p.Name)
			case registryNpm, registryGo:
				want = append(want, p.Registry+" "+p.Name+"@"+p.Version)
			}
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("packages.txt (-recipes +file):\n%s", diff)
	}
}

// TestRecipes holds the embedded recipes to what the corpora promise: both kinds are there, and every recipe has facts.
func TestRecipes(t *testing.T) {
	list, err := loadRecipes(recipes)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, r := range list {
		count[r.Kind]++
		if len(r.Facts) == 0 {
			t.Errorf("case %s has no facts", r.Case)
		}
	}
	if count[kindRecords] < 12 || count[kindProse] < 6 {
		t.Errorf("%v recipes, want at least 12 of records and 6 of prose", count)
	}
	if !slices.IsSortedFunc(list, func(a, b recipe) int { return strings.Compare(a.Case, b.Case) }) {
		t.Error("recipes are not sorted by case")
	}
}
