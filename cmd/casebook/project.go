package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"casebook/engine/casefile"
	"casebook/engine/corpus"
	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// The folders of a project, product design section 2.
const (
	casesFolder   = "cases"
	packsFolder   = "packs"
	siteFolder    = "site"
	privateFolder = ".casebook"
	sumFile       = "case.sum"
)

// project is an open project folder.
type project struct {
	dir      string
	fsys     fs.FS
	settings casefile.Project
	close    func()
	lock     *durable.Lock
}

// openProject opens the project for reading.
func (e *env) openProject() (*project, error) {
	dir, err := e.project()
	if err != nil {
		return nil, err
	}
	fsys := os.DirFS(dir)
	settings, faults := casefile.LoadProject(fsys)
	if err := faultsOf(faults); err != nil {
		return nil, err
	}
	return &project{dir: dir, fsys: fsys, settings: settings, close: func() {}}, nil
}

// openToWrite opens the project and takes its lock.
func (e *env) openToWrite() (*project, error) {
	p, err := e.openProject()
	if err != nil {
		return nil, err
	}
	if p.lock, err = durable.Acquire(p.path(privateFolder, "lock")); err != nil {
		return nil, err
	}
	p.close = func() {
		// The system frees the lock with the process in any case.
		_ = p.lock.Release()
	}
	return p, nil
}

// choose opens the project and finds the named cases in it, all of them for no names.
func (e *env) choose(open func() (*project, error), names []string) (*project, []string, error) {
	p, err := open()
	if err != nil {
		return nil, nil, err
	}
	ids, err := p.cases(names)
	if err != nil {
		p.close()
		return nil, nil, err
	}
	return p, ids, nil
}

// path joins a path below the project's folder.
func (p *project) path(parts ...string) string {
	return filepath.Join(append([]string{p.dir}, parts...)...)
}

// cases returns the named cases, all of them for no names.
func (p *project) cases(names []string) ([]string, error) {
	all, faults := casefile.List(p.fsys, casesFolder)
	if err := faultsOf(faults); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return all, nil
	}
	known := map[string]bool{}
	for _, id := range all {
		known[id] = true
	}
	for _, name := range names {
		if !known[name] {
			return nil, &inputError{err: fmt.Errorf("case %q: no folder %s", name, path.Join(casesFolder, name)), hint: "make it with: casebook new " + name}
		}
	}
	return names, nil
}

// loaded is a case with its corpora, read and found without fault.
type loaded struct {
	*casefile.Case
	corpora map[string]*corpus.Corpus
	folder  fs.FS
}

// load reads a case and its corpora; every fault of all of them is in the error.
func (p *project) load(id string) (*loaded, error) {
	dir := path.Join(casesFolder, id)
	c, faults := casefile.Load(p.fsys, dir)
	var lines []string
	for _, f := range faults {
		lines = append(lines, f.String())
	}
	if c == nil {
		return nil, &faultsError{lines}
	}
	folder, err := fs.Sub(p.fsys, dir)
	if err != nil {
		return nil, err
	}
	l := &loaded{Case: c, corpora: map[string]*corpus.Corpus{}, folder: folder}
	for _, source := range c.Corpora {
		documents, faults := corpus.Load(p.fsys, path.Join(dir, source.Path))
		for _, f := range faults {
			lines = append(lines, f.String())
		}
		l.corpora[source.Name] = documents
	}
	if len(lines) > 0 {
		return nil, &faultsError{lines}
	}
	return l, nil
}

// rules are the redaction rules as the project and then the case set them.
func (p *project) rules(c *casefile.Case) map[string]bool {
	rules := map[string]bool{}
	for _, set := range []map[string]bool{p.settings.Redact.Rules, c.Redact.Rules} {
		for id, on := range set {
			rules[id] = on
		}
	}
	return rules
}

func (p *project) release() pack.Release {
	known := func(fact string) string {
		if fact == "" {
			return "pending"
		}
		return fact
	}
	r := p.settings.Release
	return pack.Release{
		SourceCommit: known(r.SourceCommit), BuildInputs: known(r.BuildInputs), ImageDigest: known(r.ImageDigest), DocsVersion: known(r.DocsVersion),
	}
}

// engineFacts names the engine as packs do: the version of the rules, never a commit, so that sums stay put.
func engineFacts() evidence.Engine {
	return evidence.Engine{Name: "casebook", Version: rulesVersion, BuildCommit: "pending"}
}
