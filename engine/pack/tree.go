package pack

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// tree is what stands in a bag: regular files with their sizes, and what else there is.
type tree struct {
	files   map[string]int64
	paths   []string  // of files, sorted by bytes
	empty   []string  // folders without anything in them
	special []Finding // links, devices, what can't be listed
	beyond  []Finding // where a limit ended the reading
	payload int       // files under data/
	others  int       // files beside it
}

// readTree lists a bag without opening a file.
func readTree(fsys fs.FS, limits Limits) *tree {
	t := &tree{files: map[string]int64{}}
	t.walk(fsys, ".", limits)
	t.paths = slices.Sorted(maps.Keys(t.files))
	return t
}

// walk takes on one folder and goes on below it, until there are more files than are read.
func (t *tree) walk(fsys fs.FS, dir string, limits Limits) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		t.special = append(t.special, Finding{dir, fmt.Sprintf("folder can't be read: %v", cause(err))})
		return
	}
	if len(entries) == 0 {
		t.empty = append(t.empty, dir)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case t.full(name, limits):
			return
		case e.IsDir():
			t.walk(fsys, name, limits)
		case !e.Type().IsRegular():
			t.special = append(t.special, Finding{name, "no regular file: " + kindOf(e.Type())})
		default:
			info, err := e.Info()
			if err != nil {
				t.special = append(t.special, Finding{name, fmt.Sprintf("can't be read: %v", cause(err))})
				continue
			}
			t.take(name, info.Size(), limits)
		}
	}
}

func (t *tree) take(name string, size int64, limits Limits) {
	t.files[name] = size
	counter, where := &t.others, ""
	if strings.HasPrefix(name, payloadPrefix) {
		counter, where = &t.payload, PayloadFolder
	}
	if *counter++; *counter == limits.Files+1 {
		t.beyond = append(t.beyond, Finding{where, fmt.Sprintf("limit: more than %d files", limits.Files)})
	}
}

// full says that no more is read of the half of the bag that name belongs to.
func (t *tree) full(name string, limits Limits) bool {
	if strings.HasPrefix(name, payloadPrefix) {
		return t.payload > limits.Files
	}
	return t.others > limits.Files
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "of an unknown kind"
}

var manifestName = regexp.MustCompile(`^(tag)?manifest-([a-z0-9-]+)\.txt$`)

func (t *tree) has(name string) bool { _, found := t.files[name]; return found }

// rootFiles are the files at the bag's root, sorted.
func (t *tree) rootFiles() []string {
	var names []string
	for _, name := range t.paths {
		if !strings.Contains(name, "/") {
			names = append(names, name)
		}
	}
	return names
}

// isBag tells a damaged bag from what never was one.
func (t *tree) isBag() bool {
	return slices.ContainsFunc(t.rootFiles(), func(name string) bool {
		return name == BagItFile || manifestName.MatchString(name)
	})
}

// signatures counts the files under signatures/.
func (t *tree) signatures() int {
	n := 0
	for _, name := range t.paths {
		if strings.HasPrefix(name, SignatureFolder+"/") {
			n++
		}
	}
	return n
}

// knownPayload are the payload paths of pack format 1.0.
var knownPayload = regexp.MustCompile(`^data/(` + strings.Join([]string{
	`case\.(yaml|json|md)`, `case\.[a-z0-9-]+\.md`, `(versions|provenance|redactions|files)\.json`, `files/.+`, `evidence/cross\.json`,
	`recordings/[^/]+/(request|execution|plan|keywords|analyses)\.json`,
	`recordings/[^/]+/a[0-9]{4,}/(attempt\.json|t[0-9]{2,}\.json|observations\.ndjson)`,
	`evidence/[^/]+/(observations\.ndjson|response\.json|selection\.json|outcome\.json)`,
	`evidence/[^/]+/(metrics/[^/]+|recognitions/m[0-9]{4,}(\.r[0-9]+)?)\.json`,
}, "|") + `)$`)
