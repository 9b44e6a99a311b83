package casefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names of an author's files in a case's folder, and their limits.
const (
	CaseFile          = "case.yaml"
	MaxNarrativeBytes = 2 << 20
	MaxCases          = 10_000
)

const (
	emptyFile = "is empty"
	emptyCase = "is empty; a case has at least casebook, id, title, question, as_of and steps"
)

// Load reads the case in a folder: case.yaml, the narratives, and whether the corpora are folders of the case. Faults
// and what is returned beside them are as in [Parse]; a corpus with a fault of its own is left out of Corpora.
func Load(fsys fs.FS, dir string) (*Case, []Fault) {
	dir = path.Clean(dir)
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, []Fault{{File: dir, Message: unreadable(err)}}
	}
	file := path.Join(dir, CaseFile)
	data, fault := readFile(fsys, file, MaxYAMLBytes)
	if fault != nil {
		if errors.Is(fault.cause, fs.ErrNotExist) {
			fault.Message = "is missing; a folder of a case has one"
		}
		return nil, []Fault{fault.Fault}
	}
	c, d := parse(file, data)
	if c == nil {
		return nil, sorted(d.faults)
	}
	root := d.root()
	if id := c.ID; id != "" && id != path.Base(dir) {
		root.get("id").fault("%q differs from the name of its folder, %q", id, path.Base(dir))
	}
	c.Corpora = slices.DeleteFunc(c.Corpora, func(corpus Corpus) bool {
		return !checkFolder(fsys, dir, root.get("corpora", corpus.Name, "path"))
	})
	c.loadNarratives(fsys, dir, entries, d)
	return c, sorted(d.faults)
}

// readFault keeps the cause of a fault of the file system.
type readFault struct {
	Fault
	cause error
}

// readFile reads a regular file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, *readFault) {
	bad := func(cause error, message string) ([]byte, *readFault) {
		return nil, &readFault{Fault{File: name, Message: message}, cause}
	}
	info, err := fs.Lstat(fsys, name)
	switch {
	case err != nil:
		return bad(err, unreadable(err))
	case info.Mode()&fs.ModeSymlink != 0:
		return bad(nil, "is a symbolic link, it must be a plain file")
	case !info.Mode().IsRegular():
		return bad(nil, "is no plain file")
	}
	file, err := fsys.Open(name)
	if err != nil {
		return bad(err, unreadable(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return bad(err, unreadable(err))
	}
	if int64(len(data)) > limit {
		return bad(nil, fmt.Sprintf("has %d bytes, at most %d are allowed", max(info.Size(), limit+1), limit))
	}
	return data, nil
}

// unreadable is what an error of the file system says beyond the path, which the fault names already.
func unreadable(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file or folder"
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return "can't be read: " + err.Error()
}

// checkFolder says whether the path of a corpus leads to a folder of the case without passing a symbolic link.
func checkFolder(fsys fs.FS, dir string, v value) bool {
	name := v.text()
	if !v.present || v.d.hasFaultAt(v.mark()) {
		return false
	}
	at := dir
	for part := range strings.SplitSeq(name, "/") {
		at = path.Join(at, part)
		info, err := fs.Lstat(fsys, at)
		switch {
		case err != nil:
			v.fault("%s: %s", at, unreadable(err))
		case info.Mode()&fs.ModeSymlink != 0:
			v.fault("%s is a symbolic link; a corpus is a folder inside the case's", at)
		case !info.IsDir():
			v.fault("%s is no folder", at)
		default:
			continue
		}
		return false
	}
	return true
}

// hasFaultAt says whether something was found at a place so far.
func (d *document) hasFaultAt(at mark) bool {
	return slices.ContainsFunc(d.faults, func(f Fault) bool { return f.Line == at.line && f.Column == at.column })
}

// loadNarratives reads case.md and case.<lang>.md; other names are left alone.
func (c *Case) loadNarratives(fsys fs.FS, dir string, entries []fs.DirEntry, d *document) {
	for _, entry := range entries {
		if !isNarrative(entry.Name()) {
			continue
		}
		name := path.Join(dir, entry.Name())
		data, bad := readFile(fsys, name, MaxNarrativeBytes)
		fault := (*Fault)(nil)
		if bad != nil {
			fault = &bad.Fault
		} else if fault = c.AddNarrative(entry.Name(), data); fault != nil {
			fault.File = name
		}
		if fault != nil {
			d.faults = append(d.faults, *fault)
		}
	}
}

func isNarrative(name string) bool {
	lower := strings.ToLower(name)
	return lower == "case.md" || strings.HasPrefix(lower, "case.") && strings.HasSuffix(lower, ".md")
}

// AddNarrative takes a narrative by the name of its file: case.md in the first language of the title, case.<lang>.md
// in another of its languages, written in lower case. The narratives stay in the order of the title's languages.
func (c *Case) AddNarrative(file string, source []byte) *Fault {
	fault := func(format string, args ...any) *Fault {
		return &Fault{File: file, Message: fmt.Sprintf(format, args...)}
	}
	if len(c.Title) == 0 {
		return nil // a title without a language has its own fault, and no name is right beside it
	}
	rank := slices.IndexFunc(c.Title, func(t Translation) bool {
		return strings.EqualFold(file, "case."+t.Lang+".md")
	})
	if file == "case.md" {
		rank = 0
	}
	switch {
	case strings.EqualFold(file, "case.md") && file != "case.md":
		return fault("must be named case.md")
	case rank < 0:
		return fault("is in no language of the title (%s)", strings.Join(c.languages(), ", "))
	case rank == 0 && file != "case.md":
		return fault("must be named case.md: %s is the first language of the title", c.Title[0].Lang)
	case file != strings.ToLower(file):
		return fault("must be named %s", strings.ToLower(file))
	}
	if bad := checkNarrative(file, source); bad != nil {
		return bad
	}
	c.Narratives = append(c.Narratives, Narrative{Lang: c.Title[rank].Lang, File: file, Source: source})
	order := c.languages()
	slices.SortStableFunc(c.Narratives, func(a, b Narrative) int {
		return slices.Index(order, a.Lang) - slices.Index(order, b.Lang)
	})
	return nil
}

func (c *Case) languages() []string {
	tags := make([]string, len(c.Title))
	for i, t := range c.Title {
		tags[i] = t.Lang
	}
	return tags
}

func checkNarrative(file string, source []byte) *Fault {
	switch {
	case len(source) > MaxNarrativeBytes:
		return &Fault{File: file, Message: fmt.Sprintf("has %d bytes, at most %d are allowed", len(source), MaxNarrativeBytes)}
	case !utf8.Valid(source):
		return invalidUTF8(file, source)
	case strings.TrimSpace(string(source)) == "":
		return &Fault{File: file, Message: emptyFile}
	}
	return nil
}

// List returns the ids of all cases below a folder, sorted. A folder in it without case.yaml is a fault; plain files
// and names that begin with a dot are left alone.
func List(fsys fs.FS, dir string) ([]string, []Fault) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, []Fault{{File: dir, Message: unreadable(err)}}
	}
	var ids []string
	var faults []Fault
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."):
		case entry.Type()&fs.ModeSymlink != 0:
			faults = append(faults, Fault{File: name, Message: "is a symbolic link; a case is a plain folder"})
		case entry.IsDir():
			if _, err := fs.Lstat(fsys, path.Join(name, CaseFile)); errors.Is(err, fs.ErrNotExist) {
				faults = append(faults, Fault{File: name, Message: "has no case.yaml; a folder in " + dir + " is a case"})
				continue
			}
			ids = append(ids, entry.Name())
		}
	}
	if len(ids) > MaxCases {
		faults = append(faults, Fault{File: dir, Message: fmt.Sprintf("has %d cases, at most %d are allowed", len(ids), MaxCases)})
	}
	return ids, faults
}
