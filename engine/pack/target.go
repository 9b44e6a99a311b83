package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Forms of a target.
const (
	FormFolder = "folder"
	FormZIP    = "zip"
	FormTAR    = "tar"
)

// Target is a pack or foreign bag to be read: a folder or an archive, seen as a file system whose root is the bag's.
type Target struct {
	Name     string    // of the folder, or of the archive's top directory
	Form     string    // empty when it is neither folder nor archive
	FS       fs.FS     // nil when there are findings
	Findings []Finding // why it isn't used
	closer   io.Closer
}

// FolderTarget takes a file system as the folder of a bag.
func FolderTarget(name string, fsys fs.FS) *Target {
	return &Target{Name: name, Form: FormFolder, FS: fsys}
}

// OpenTarget opens a folder, a .zip or a .tar. It always gives a target: what can't be used says why in its
// findings, without the path to it. Links inside a folder are never followed out of it.
func OpenTarget(name string, limits Limits) *Target {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return unusable(name, "can't be read: %v", cause(err))
	case info.IsDir():
		return openFolderTarget(name)
	case info.Mode().IsRegular():
		return openArchiveTarget(name, limits)
	}
	return unusable(name, "neither a folder nor a file")
}

// Close lets go of the folder or archive.
func (t *Target) Close() error {
	if t.closer == nil {
		return nil
	}
	return t.closer.Close()
}

func unusable(name, format string, args ...any) *Target {
	return &Target{Name: filepath.Base(name), Findings: []Finding{{Reason: fmt.Sprintf(format, args...)}}}
}

func openFolderTarget(name string) *Target {
	// The folder's own name counts, so "." has to become it.
	full, err := filepath.Abs(name)
	if err != nil {
		return unusable(name, "can't be read: %v", cause(err))
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return unusable(name, "can't be read: %v", cause(err))
	}
	t := FolderTarget(filepath.Base(full), root.FS())
	t.closer = root
	return t
}

func openArchiveTarget(name string, limits Limits) *Target {
	file, err := os.Open(name)
	if err != nil {
		return unusable(name, "can't be read: %v", cause(err))
	}
	t := openArchive(name, file, limits)
	t.closer = file
	return t
}

func openArchive(name string, file *os.File, limits Limits) *Target {
	info, err := file.Stat()
	if err != nil {
		return unusable(name, "can't be read: %v", cause(err))
	}
	t := &Target{Name: filepath.Base(name), Form: archiveForm(name, file)}
	var archive *Archive
	switch t.Form {
	case FormZIP:
		archive, t.Findings = OpenZIP(file, info.Size(), limits)
	case FormTAR:
		archive, t.Findings = OpenTAR(file, info.Size(), limits)
	default:
		return unusable(name, "neither a folder nor a .zip or .tar file")
	}
	if archive != nil {
		t.Name, t.FS = archive.Top, archive
	}
	return t
}

// archiveForm goes by the ending, and by the first bytes where that tells nothing.
func archiveForm(name string, r io.ReaderAt) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip":
		return FormZIP
	case ".tar":
		return FormTAR
	}
	const magicAt = 257
	head := make([]byte, magicAt+5)
	n, err := r.ReadAt(head, 0)
	switch head = head[:n]; {
	case err != nil && err != io.EOF:
	case strings.HasPrefix(string(head), "PK\x03\x04"):
		return FormZIP
	case n > magicAt && string(head[magicAt:]) == "ustar":
		return FormTAR
	}
	return ""
}

// cause is an error without the path it was met at, which the report names in its own way.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
