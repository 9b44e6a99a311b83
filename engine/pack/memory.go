package pack

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"casebook/engine/evidence"
)

// Memory is a read-only file system over files in memory: a pack before it is written, or the entries of an archive.
// Its files have mode 0644, its folders 0755, and no times.
type Memory struct {
	files map[string][]byte
	names map[string][]string // folder to the names in it, sorted
}

// NewMemory makes a file system of files; paths are relative, with slashes, each once.
func NewMemory(files []evidence.File) *Memory {
	m := &Memory{files: make(map[string][]byte, len(files)), names: map[string][]string{".": nil}}
	for _, f := range files {
		m.files[f.Path] = f.Data
		m.enter(f.Path)
	}
	for dir := range m.names {
		slices.Sort(m.names[dir])
	}
	return m
}

// enter lists a path in its folder, and that in its own.
func (m *Memory) enter(name string) {
	dir := path.Dir(name)
	_, known := m.names[dir]
	m.names[dir] = append(m.names[dir], path.Base(name))
	if !known {
		m.enter(dir)
	}
}

// Open opens a file or a folder.
func (m *Memory) Open(name string) (fs.File, error) {
	if data, ok := m.files[name]; ok {
		return &memoryFile{entry: m.entry(name), Reader: bytes.NewReader(data)}, nil
	}
	if _, ok := m.names[name]; ok && fs.ValidPath(name) {
		return &memoryFolder{entry: m.entry(name), fs: m, name: name}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadFile returns the bytes of a file, a copy, as every file system does.
func (m *Memory) ReadFile(name string) ([]byte, error) {
	if data, ok := m.files[name]; ok {
		return slices.Clone(data), nil
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists a folder by name.
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	names, ok := m.names[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	entries := make([]fs.DirEntry, len(names))
	for i, base := range names {
		entries[i] = m.entry(path.Join(name, base))
	}
	return entries, nil
}

func (m *Memory) entry(name string) entry {
	data, file := m.files[name]
	return entry{name: path.Base(name), size: int64(len(data)), folder: !file}
}

// entry describes one file or folder, as fs.DirEntry and fs.FileInfo.
type entry struct {
	name   string
	size   int64
	folder bool
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) IsDir() bool                { return e.folder }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

type memoryFile struct {
	entry
	*bytes.Reader
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Size() int64                { return f.entry.size }

type memoryFolder struct {
	entry
	fs   *Memory
	name string
	read int
}

func (d *memoryFolder) Stat() (fs.FileInfo, error) { return d.entry, nil }
func (d *memoryFolder) Close() error               { return nil }
func (d *memoryFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// ReadDir lists the next n entries, all that are left for n <= 0.
func (d *memoryFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	all, err := d.fs.ReadDir(d.name)
	if err != nil {
		return nil, err
	}
	rest := all[d.read:]
	if n > 0 {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		rest = rest[:min(n, len(rest))]
	}
	d.read += len(rest)
	return rest, nil
}

// under says whether name lies below the folder dir.
func under(name, dir string) bool { return strings.HasPrefix(name, dir+"/") }
