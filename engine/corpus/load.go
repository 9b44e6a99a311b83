package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"casebook/engine/durable"
	"casebook/engine/evidence"
)

// Corpus is a read corpus: at least one document, sorted by the bytes of their paths, no two with one URL.
type Corpus struct {
	Documents []Document
	Digest    evidence.Digest // of paths and file digests
}

// Load reads every *.txt and *.md at or below dir; files with other names are left alone. A symbolic link on the way
// to dir or below it is a fault, since it may lead anywhere. All faults are reported at once, sorted by place; with
// any, there is no corpus.
func Load(fsys fs.FS, dir string) (*Corpus, []Fault) {
	l := loader{fsys: fsys, dir: path.Clean(dir)}
	if l.checkFolder() {
		l.walk()
		l.checkURLs()
	}
	if len(l.documents) == 0 && len(l.faults) == 0 {
		l.fault(l.dir, "holds no document: no file is called *.txt or *.md")
	}
	if len(l.faults) > 0 {
		slices.SortStableFunc(l.faults, func(a, b Fault) int {
			return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, l.faults
	}
	files := make([]evidence.DigestedFile, len(l.documents))
	for i, d := range l.documents {
		files[i] = evidence.DigestedFile{Path: d.Path, Digest: d.Digest}
	}
	return &Corpus{Documents: l.documents, Digest: evidence.CorpusDigest(files)}, nil
}

type loader struct {
	fsys      fs.FS
	dir       string
	documents []Document
	faults    []Fault
}

func (l *loader) fault(file, format string, args ...any) {
	l.faults = append(l.faults, Fault{File: file, Message: fmt.Sprintf(format, args...)})
}

const linkMessage = "is a symbolic link: a corpus holds plain files and folders only"

// checkFolder looks at each step of the way to the corpus folder, not only at its end.
func (l *loader) checkFolder() bool {
	parts := strings.Split(l.dir, "/")
	for i := range parts {
		step := strings.Join(parts[:i+1], "/")
		info, err := fs.Lstat(l.fsys, step)
		switch {
		case err != nil:
			l.fault(step, "%s", reason(err))
		case info.Mode()&fs.ModeSymlink != 0:
			l.fault(step, linkMessage)
		case !info.IsDir():
			l.fault(step, "is no folder")
		default:
			continue
		}
		return false
	}
	return true
}

// reason is what an error of the file system says beyond the path, which the fault names already.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return err.Error()
}

func (l *loader) walk() {
	// The function returns nil for every fault, so that the walk goes on and finds the others.
	err := fs.WalkDir(l.fsys, l.dir, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			l.fault(file, "%s", reason(err))
		case strings.HasPrefix(entry.Name(), durable.TemporaryPrefix):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.Type()&fs.ModeSymlink != 0:
			l.fault(file, linkMessage)
		case entry.IsDir() || !isDocument(entry.Name()):
		case !entry.Type().IsRegular():
			l.fault(file, "is no regular file")
		default:
			l.document(file, entry)
		}
		return nil
	})
	if err != nil {
		l.fault(l.dir, "%s", reason(err))
	}
	slices.SortFunc(l.documents, func(a, b Document) int { return strings.Compare(a.Path, b.Path) })
}

func isDocument(name string) bool {
	return strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".md")
}

func (l *loader) document(file string, entry fs.DirEntry) {
	info, err := entry.Info()
	if err != nil {
		l.fault(file, "%s", reason(err))
		return
	}
	if info.Size() > MaxDocumentBytes {
		l.fault(file, "has %d bytes: a document has at most %d", info.Size(), MaxDocumentBytes)
		return
	}
	data, err := l.read(file)
	if err != nil {
		l.fault(file, "%s", reason(err))
		return
	}
	if len(data) > MaxDocumentBytes {
		l.fault(file, "grew while it was read: a document has at most %d bytes", MaxDocumentBytes)
		return
	}
	inside := file
	if l.dir != "." {
		inside = strings.TrimPrefix(file, l.dir+"/")
	}
	d, faults := parse(file, inside, data)
	l.faults = append(l.faults, faults...)
	if len(faults) == 0 {
		l.documents = append(l.documents, d)
	}
}

// read reads one byte more than is allowed at most, whatever size was announced.
func (l *loader) read(file string) (data []byte, err error) {
	f, err := l.fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, MaxDocumentBytes+1))
}

func (l *loader) checkURLs() {
	owner := map[string]string{}
	for _, d := range l.documents {
		file := path.Join(l.dir, d.Path)
		if first, taken := owner[d.URL]; taken {
			l.faults = append(l.faults, Fault{file, d.urlLine, d.urlColumn, fmt.Sprintf("url %q is that of %s too", d.URL, first)})
			continue
		}
		owner[d.URL] = file
	}
}
