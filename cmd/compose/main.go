// Command compose makes the corpora of cases out of published packages that are already on the disk, and checks the
// committed ones against them. It runs no program and opens no connection.
//
//	compose [folders] -out DIR     write each case's corpus to DIR/<case>
//	compose [folders] -check DIR   compare the corpora below DIR with what the packages give
//	compose -facts DIR             look up the facts of the recipes in the corpora below DIR
//
// The folders say where packages are; each may be given more than once:
//
//	-deb DIR    unpacked Debian packages; / for those installed
//	-npm DIR    a node_modules folder
//	-mod DIR    a Go module cache, or modules unpacked as path@version
//	-go DIR     a Go distribution
//
// and which cases are meant:
//
//	-kind records|prose|all   records are small and committed, prose is composed outside the tree (all)
//	-case ID                  this case only; may be given more than once
//
// A case is one folder below cmd/compose/cases with a recipe.yaml: the packages, and for each document its address,
// title and date, the file it comes from, the rule that cuts it and what the rule picks. The rules are lines/1,
// split-release/1, dictd/1, json-keys/1, html-text/1 and whole/1, each a pure function of the file's bytes. Beside
// the documents go SOURCES.json, which says where each byte came from, and LICENSES.txt. A text that is not UTF-8 with
// LF and in NFC is refused, never mended.
//
// -check prints for each document "same", "changed upstream" or "package not here", and "differs" where the package is
// here at the recorded version and gives other bytes, or where a corpus contradicts its own SOURCES.json. -facts prints
// each fact that does not stand at its place, then how many do; in a corpus from another version than the facts were
// counted at, that is "changed upstream" and no fault. A corpus that -check or -facts does not find is a fault.
//
// Exit codes: 0 done, 1 something differs, is missing or could not be composed, 2 usage.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

const (
	exitDone  = 0
	exitFault = 1
	exitUsage = 2
)

func main() { os.Exit(run(os.Args[1:], recipes, os.Stdout, os.Stderr)) }

// many is a flag that may be given more than once.
type many []string

// String gives the values as they were given.
func (m *many) String() string { return fmt.Sprint([]string(*m)) }

// Set adds a value.
func (m *many) Set(value string) error {
	if value == "" {
		return errors.New("is empty")
	}
	*m = append(*m, value)
	return nil
}

type options struct {
	folders           folders
	out, check, facts string
	kind              string
	cases             many
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	set := flag.NewFlagSet("compose", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Var((*many)(&o.folders.deb), "deb", "`folder` of unpacked Debian packages")
	set.Var((*many)(&o.folders.npm), "npm", "node_modules `folder`")
	set.Var((*many)(&o.folders.mod), "mod", "Go module cache `folder`")
	set.Var((*many)(&o.folders.dist), "go", "Go distribution `folder`")
	set.StringVar(&o.out, "out", "", "write corpora below this `folder`")
	set.StringVar(&o.check, "check", "", "compare the corpora below this `folder`")
	set.StringVar(&o.facts, "facts", "", "look up facts below this `folder`")
	set.StringVar(&o.kind, "kind", "all", "records, prose or all")
	set.Var(&o.cases, "case", "this `case` only")
	if err := set.Parse(args); err != nil {
		return o, err
	}
	given := 0
	for _, mode := range []string{o.out, o.check, o.facts} {
		if mode != "" {
			given++
		}
	}
	var err error
	switch {
	case given != 1:
		err = errors.New("one of -out, -check and -facts is needed")
	case !slices.Contains([]string{kindRecords, kindProse, "all"}, o.kind):
		err = fmt.Errorf("-kind %q: not records, prose or all", o.kind)
	case set.NArg() > 0:
		err = fmt.Errorf("argument %q: not a flag", set.Arg(0))
	}
	if err != nil {
		fmt.Fprintf(stderr, "compose: %v\n", err)
	}
	return o, err
}

func run(args []string, tree fs.FS, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	}
	if err != nil {
		return exitUsage
	}
	all, err := loadRecipes(tree)
	if err != nil {
		fmt.Fprintf(stderr, "compose: %v\n", err)
		return exitFault
	}
	list, err := o.choose(all)
	if err != nil {
		fmt.Fprintf(stderr, "compose: %v\n", err)
		return exitUsage
	}
	if !o.work(list, tree, stdout, stderr) {
		return exitFault
	}
	return exitDone
}

func (o options) choose(all []recipe) ([]recipe, error) {
	var list []recipe
	for _, id := range o.cases {
		if !slices.ContainsFunc(all, func(r recipe) bool { return r.Case == id }) {
			return nil, fmt.Errorf("-case %q: no recipe", id)
		}
	}
	for _, r := range all {
		if (o.kind == "all" || o.kind == r.Kind) && (len(o.cases) == 0 || slices.Contains(o.cases, r.Case)) {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no case is meant")
	}
	return list, nil
}

func (o options) work(list []recipe, tree fs.FS, stdout, stderr io.Writer) bool {
	if o.facts != "" {
		return verifyFacts(list, o.facts, stdout)
	}
	good := true
	check := &checker{tree: tree, folders: o.folders, out: stdout}
	maker := newComposer(tree, o.folders, nil)
	for _, r := range list {
		var err error
		if o.check != "" {
			err = check.checkCase(r, o.check)
		} else if err = writeCase(maker, r, o.out); err == nil {
			fmt.Fprintf(stdout, "%s: %d documents\n", r.Case, len(r.Documents))
		}
		if err != nil {
			fmt.Fprintf(stderr, "compose: %v\n", err)
			good = false
		}
	}
	return good && check.faults == 0
}
