package pack

import (
	"archive/zip"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"casebook/engine/evidence"
)

// Bounds below which a ZIP file needs no ZIP64 records.
const (
	maxZIPFiles = 0xffff - 1
	maxZIPBytes = 1<<32 - 2
)

// ErrNeedsZIP64 is returned for a pack that is archived as .tar only.
var ErrNeedsZIP64 = fmt.Errorf("needs ZIP64, which packs do without: %d files or more, or 4 GiB", maxZIPFiles+1)

// WriteZIP writes the files of a pack, signatures included, as one ZIP file with the top directory name. Equal files
// give equal bytes on every machine: nothing is compressed, no time or mode is taken from anywhere. The files come
// sorted by the bytes of their paths, as [Sorted] and [Files] give them.
func WriteZIP(w io.Writer, name string, files iter.Seq2[evidence.File, error]) error {
	if err := CheckName(name); err != nil {
		return err
	}
	out := zip.NewWriter(w)
	var last string
	var count int
	var written int64
	for f, err := range files {
		if err != nil {
			return err
		}
		if err := CheckPath(f.Path); err != nil {
			return err
		}
		if count > 0 && f.Path <= last {
			return fmt.Errorf("path %q: out of order, after %q", f.Path, last)
		}
		last = f.Path
		head := zipHeader(path.Join(name, f.Path), f.Data)
		count++
		// Local header and directory entry both hold the name; the end record is the constant.
		written += localBytes + centralBytes + 2*int64(len(head.Name)) + int64(len(f.Data))
		if needsZIP64(count, written+endBytes) {
			return fmt.Errorf("pack %s: %w", name, ErrNeedsZIP64)
		}
		entry, err := out.CreateRaw(head)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.Data); err != nil {
			return err
		}
	}
	return out.Close()
}

// needsZIP64 says whether a ZIP file of so many files and bytes can't do without the larger records.
func needsZIP64(files int, octets int64) bool { return files > maxZIPFiles || octets > maxZIPBytes }

// zipHeader leaves Modified zero and sets the deprecated date itself, else an extended-time field would appear.
func zipHeader(name string, data []byte) *zip.FileHeader {
	const unix, version20, regular0644, first1980 = 3 << 8, 20, 0o100644 << 16, 1<<5 | 1
	return &zip.FileHeader{
		Name:               name,
		CreatorVersion:     unix | version20,
		ReaderVersion:      version20,
		Method:             zip.Store,
		ModifiedDate:       first1980,
		CRC32:              crc32.ChecksumIEEE(data),
		CompressedSize64:   uint64(len(data)),
		UncompressedSize64: uint64(len(data)),
		ExternalAttrs:      regular0644,
	}
}

// Sorted gives files in the order of the bytes of their paths; the slice is not changed.
func Sorted(files []evidence.File) iter.Seq2[evidence.File, error] {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b evidence.File) int { return strings.Compare(a.Path, b.Path) })
	return func(yield func(evidence.File, error) bool) {
		for _, f := range sorted {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Files gives every file of a pack's folder in the order of the bytes of the paths, reading one at a time.
// It picks nothing out: a file that doesn't belong there is for the reader of the sequence to refuse.
func Files(fsys fs.FS) iter.Seq2[evidence.File, error] {
	return func(yield func(evidence.File, error) bool) {
		var paths []string
		err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && !d.Type().IsRegular() {
				return fmt.Errorf("%s: no regular file", name)
			}
			if !d.IsDir() {
				paths = append(paths, name)
			}
			return nil
		})
		if err != nil {
			yield(evidence.File{}, err)
			return
		}
		slices.Sort(paths)
		for _, name := range paths {
			data, err := fs.ReadFile(fsys, name)
			if !yield(evidence.File{Path: name, Data: data}, err) || err != nil {
				return
			}
		}
	}
}
