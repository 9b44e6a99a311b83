package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Bounds of an archive's names, far above what a bag needs: they keep a small archive from making a huge tree.
const (
	maxNameBytes    = 1024
	maxNameSegments = 32
)

// errOverrun is met when an entry gives more bytes than its header says, as a bomb with a false header does.
var errOverrun = errors.New("gives more bytes than its header says")

// errChecksum is met at the end of an entry whose CRC-32 is another one than its header says.
var errChecksum = errors.New("CRC-32 differs from the header's")

// Finding is a reason why an archive is not used, and the archiveEntry it was found at; an empty path is the archive as a
// whole.
type Finding struct {
	Path   string
	Reason string
}

// Archive is the content of an archive, read in place and never extracted. As a file system its root is the one top
// directory. It may be used by several goroutines.
type Archive struct {
	Top   string // name of the top directory
	nodes map[string]*node
}

// node is a file or folder of an archive.
type node struct {
	entry
	children []fs.DirEntry
	open     func() io.Reader
}

// index collects the entries of an archive and finds what section 9 forbids.
type index struct {
	limits   Limits
	archive  *Archive
	folded   map[string]string // collision key → name
	files    int
	folders  int
	total    int64
	findings []Finding
}

func newIndex(limits Limits) *index {
	root := &node{entry: entry{name: ".", folder: true}}
	return &index{
		limits:  limits.orDefault(),
		archive: &Archive{nodes: map[string]*node{".": root}},
		folded:  map[string]string{},
	}
}

// archiveEntry is one archiveEntry of an archive as its header describes it.
type archiveEntry struct {
	name   string // a folder's ends in "/"
	size   int64
	packed int64 // bytes it takes in the archive
	open   func() io.Reader
}

func (x *index) refuse(name, format string, args ...any) {
	x.findings = append(x.findings, Finding{printable(name), fmt.Sprintf(format, args...)})
}

// add takes an entry on, or refuses it.
func (x *index) add(e archiveEntry) {
	name, folder := strings.CutSuffix(e.name, "/")
	if err := checkEntryName(name); err != nil {
		x.refuse(e.name, "%v", err)
		return
	}
	top, rest, below := strings.Cut(name, "/")
	switch {
	case x.archive.Top == "":
		x.archive.Top = top
	case x.archive.Top != top:
		x.refuse(e.name, "a second top directory beside %s", printable(x.archive.Top))
		return
	}
	if !below {
		if !folder {
			x.refuse(e.name, "a file beside the top directory")
		}
		return
	}
	if folder {
		x.folder(e, rest)
		return
	}
	x.file(e, rest)
}

func checkEntryName(name string) error {
	if len(name) > maxNameBytes || strings.Count(name, "/") >= maxNameSegments {
		return fmt.Errorf("name of %d bytes in %d parts, at most %d in %d are read", len(name), 1+strings.Count(name, "/"), maxNameBytes, maxNameSegments)
	}
	return CheckForeignPath(name)
}

func (x *index) folder(e archiveEntry, name string) {
	if e.size != 0 {
		x.refuse(e.name, "a folder with content")
		return
	}
	if n := x.archive.nodes[name]; n != nil && !n.folder {
		x.refuse(e.name, "a file and a folder of one name")
		return
	}
	x.ensureFolder(name)
}

func (x *index) file(e archiveEntry, name string) {
	x.files++
	x.total += e.size
	switch l := x.limits; {
	case x.archive.nodes[name] != nil:
		x.refuse(e.name, "a second entry of this name")
		return
	case e.size > l.FileBytes:
		x.refuse(e.name, "limit: %d bytes, at most %d", e.size, l.FileBytes)
		return
	case e.size > l.ArchiveRatio*e.packed:
		x.refuse(e.name, "limit: %d bytes out of %d, more than %d : 1", e.size, e.packed, l.ArchiveRatio)
		return
	case x.total > l.ArchiveBytes:
		x.refuse(e.name, "limit: more than %d bytes in all", l.ArchiveBytes)
		return
	case x.files > l.Files+l.Signatures+len(bagFiles):
		x.refuse(e.name, "limit: more than %d files", l.Files)
		return
	}
	x.insert(name, &node{entry: entry{name: path.Base(name), size: e.size}, open: e.open})
}

// insert puts a node into its folder, which it makes if needed.
func (x *index) insert(name string, n *node) {
	key := collisionKey(name)
	if other, taken := x.folded[key]; taken && other != name {
		x.refuse(name, "path-collision: differs from %s only by case or Unicode form", printable(other))
		return
	}
	parent := x.ensureFolder(path.Dir(name))
	if parent == nil {
		return
	}
	x.folded[key] = name
	x.archive.nodes[name] = n
	parent.children = append(parent.children, n.entry)
}

// ensureFolder returns the folder of that name; nil, with a finding, when it can't be had.
func (x *index) ensureFolder(name string) *node {
	if n := x.archive.nodes[name]; n != nil {
		if !n.folder {
			x.refuse(name, "a file and a folder of one name")
			return nil
		}
		return n
	}
	if x.folders++; x.folders > x.limits.Files {
		x.refuse(name, "limit: more than %d folders", x.limits.Files)
		return nil
	}
	n := &node{entry: entry{name: path.Base(name), folder: true}}
	x.insert(name, n)
	return x.archive.nodes[name]
}

// finish sorts the folders and gives the archive, nil when anything was refused.
func (x *index) finish() (*Archive, []Finding) {
	if x.archive.Top == "" && len(x.findings) == 0 {
		x.refuse("", "no entries")
	}
	if len(x.findings) > 0 {
		return nil, x.findings
	}
	for _, n := range x.archive.nodes {
		slices.SortFunc(n.children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return x.archive, nil
}

// Open opens a file or folder of the archive for reading.
func (a *Archive) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	n := a.nodes[name]
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if n.folder {
		return &openFolder{node: n, name: name}, nil
	}
	return &openFile{node: n, name: name, content: n.open()}, nil
}

type openFile struct {
	node    *node
	name    string
	content io.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.node.entry, nil }
func (f *openFile) Close() error               { return nil }

func (f *openFile) Read(p []byte) (int, error) {
	n, err := f.content.Read(p)
	if err != nil && err != io.EOF {
		err = &fs.PathError{Op: "read", Path: f.name, Err: err}
	}
	return n, err
}

type openFolder struct {
	node *node
	name string
	next int
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.node.entry, nil }
func (f *openFolder) Close() error               { return nil }

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a folder")}
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := f.node.children[f.next:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	f.next += len(rest)
	return slices.Clone(rest), nil
}
