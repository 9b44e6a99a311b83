package engine_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"casebook/engine"
	"casebook/engine/archive"
	"casebook/engine/casefile"
	"casebook/engine/corpus"
	"casebook/engine/evidence"
	"casebook/engine/freeze"
	"casebook/engine/pack"
	"casebook/engine/redact"
)

// loaded is a case in memory, whose files a test may change before it is read.
type loaded struct {
	id    string
	files fstest.MapFS // by path within the case's folder
}

// loadCase reads a committed case.
func loadCase(t testing.TB, id string) *loaded {
	t.Helper()
	root := filepath.Join("..", "cases", id)
	c := &loaded{id: id, files: fstest.MapFS{}}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		c.put(name, string(data))
		return err
	})
	if err != nil || len(c.files) == 0 {
		t.Fatalf("case %s: %v, %d files", id, err, len(c.files))
	}
	return c
}

// newCase is a case of one file.
func newCase(id, yaml string) *loaded {
	c := &loaded{id: id, files: fstest.MapFS{}}
	c.put("case.yaml", yaml)
	return c
}

func (c *loaded) put(name, text string) {
	c.files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
}

// edit replaces what stands exactly once in a file.
func (c *loaded) edit(t testing.TB, name, old, new string) {
	t.Helper()
	text := string(c.files[name].Data)
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%s holds %q %d times, want once", name, old, n)
	}
	c.put(name, strings.Replace(text, old, new, 1))
}

func (c *loaded) withoutRecordings() {
	maps.DeleteFunc(c.files, func(name string, _ *fstest.MapFile) bool { return strings.HasPrefix(name, engine.RecordingsFolder+"/") })
}

// commit puts files into the recordings folder.
func (c *loaded) commit(files []evidence.File) {
	for _, f := range files {
		c.put(path.Join(engine.RecordingsFolder, f.Path), string(f.Data))
	}
}

// plan reads the case as a project with this one case would hold it.
func (c *loaded) plan(t testing.TB) (*engine.Plan, error) {
	t.Helper()
	project := fstest.MapFS{}
	for name, file := range c.files {
		project["cases/"+c.id+"/"+name] = file
	}
	dir := "cases/" + c.id
	read, faults := casefile.Load(project, dir)
	if len(faults) > 0 {
		t.Fatalf("case %s: %v", c.id, faults)
	}
	corpora := map[string]*corpus.Corpus{}
	for _, source := range read.Corpora {
		documents, faults := corpus.Load(project, path.Join(dir, source.Path))
		if len(faults) > 0 {
			t.Fatalf("case %s: %v", c.id, faults)
		}
		corpora[source.Name] = documents
	}
	folder, err := fs.Sub(project, dir)
	if err != nil {
		t.Fatal(err)
	}
	return engine.NewPlan(read, folder, corpora)
}

var engineFacts = evidence.Engine{Name: "casebook", Version: "0.1.0", BuildCommit: "pending"}

// run executes a case; live is nil where nothing may be sent.
func (c *loaded) run(t testing.TB, live *engine.Live) []engine.Recorded {
	t.Helper()
	plan, err := c.plan(t)
	if err != nil {
		t.Fatal(err)
	}
	log, err := archive.Create(filepath.Join(t.TempDir(), "run.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	recorded, err := plan.Run(t.Context(), engine.Settings{Quality: evidence.DefaultQuality(), Engine: engineFacts, Live: live}, log)
	if err != nil {
		t.Fatal(err)
	}
	return recorded
}

func recordings(recorded []engine.Recorded) []evidence.Recording {
	var all []evidence.Recording
	for _, r := range recorded {
		all = append(all, r.Recording)
	}
	return all
}

// freeze goes the whole way of a build: run or replay, redact, compare requests, freeze, read again.
func (c *loaded) freeze(t testing.TB) (*freeze.Bag, *pack.Pack, error) {
	t.Helper()
	plan, err := c.plan(t)
	if err != nil {
		return nil, nil, err
	}
	recorded := c.run(t, nil)
	options := redact.Options{}
	if file := c.files[path.Join(engine.RecordingsFolder, engine.LedgerFile)]; file != nil {
		ledger, err := redact.ReadLedger(file.Data)
		if err != nil {
			return nil, nil, err
		}
		options.Known = &ledger
	}
	clean, err := redact.Scrub(recordings(recorded), options)
	if err != nil {
		return nil, nil, err
	}
	if err := freeze.CheckRequests(clean, nil); err != nil {
		return nil, nil, err
	}
	var modes []pack.StepMode
	for _, r := range recorded {
		modes = append(modes, pack.StepMode{Step: r.Step, Mode: r.Mode})
	}
	const pending = "pending"
	bag, err := freeze.Build(freeze.Input{
		Case: plan.Case, Clean: clean, Modes: modes, Engine: engineFacts, Version: "0.1.0",
		Release: pack.Release{SourceCommit: pending, BuildInputs: pending, ImageDigest: pending, DocsVersion: pending},
	})
	if err != nil {
		return nil, nil, err
	}
	p, err := pack.Open(bag.FS(), bag.Name)
	return bag, p, err
}
