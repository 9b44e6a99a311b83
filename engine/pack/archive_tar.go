package pack

import (
	"archive/tar"
	"bytes"
	"io"
	"strings"
)

// tarBlock is the unit of a tar file; two blocks of zeros end it.
const tarBlock = 512

// OpenTAR reads the headers of a tar file and finds everything that makes it unsafe; the archive is given only when
// there are no findings. Only regular files and folders are read; zeros after the end are padding, anything else
// there is refused.
func OpenTAR(r io.ReaderAt, size int64, limits Limits) (*Archive, []Finding) {
	x := newIndex(limits)
	section := io.NewSectionReader(r, 0, size)
	in := tar.NewReader(section)
	var endAt int64
	for {
		head, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			x.refuse("", "no tar file, or a damaged one: %v", err)
			return nil, x.findings
		}
		// The reader takes no more than it gives out, so the section stands where the content begins; asking where can't fail.
		at, err := section.Seek(0, io.SeekCurrent)
		if err != nil {
			x.refuse(head.Name, "%v", err)
			return nil, x.findings
		}
		if reason := checkTarHeader(head); reason != "" {
			x.refuse(head.Name, "%s", reason)
			return nil, x.findings
		}
		endAt = at + (head.Size+tarBlock-1)/tarBlock*tarBlock
		content := head.Size
		name := strings.TrimSuffix(head.Name, "/")
		if head.Typeflag == tar.TypeDir {
			name += "/"
		}
		x.add(archiveEntry{name, content, content, func() io.Reader { return io.NewSectionReader(r, at, content) }})
		if len(x.findings) > 0 {
			return nil, x.findings
		}
	}
	if reason := checkTarEnd(r, endAt, size); reason != "" {
		x.refuse("", "%s", reason)
	}
	return x.finish()
}

func checkTarHeader(head *tar.Header) string {
	for key := range head.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return "a sparse file"
		}
	}
	switch head.Typeflag {
	case tar.TypeReg:
		if strings.HasSuffix(head.Name, "/") {
			return "a file by its type, a folder by its name"
		}
		return ""
	case tar.TypeDir:
		return ""
	case tar.TypeGNUSparse:
		return "a sparse file"
	}
	return "no regular file: a link or another special entry"
}

// checkTarEnd wants at least two blocks of zeros after the last entry, and nothing else.
func checkTarEnd(r io.ReaderAt, at, size int64) string {
	if size-at < 2*tarBlock {
		return "no end record: cut short"
	}
	zeros, block := make([]byte, 64<<10), make([]byte, 64<<10)
	for at < size {
		n, err := r.ReadAt(block[:min(int64(len(block)), size-at)], at)
		if err != nil && err != io.EOF {
			return "can't be read"
		}
		if n == 0 {
			return "cut while it was read"
		}
		if !bytes.Equal(block[:n], zeros[:n]) {
			return "bytes after the last record"
		}
		at += int64(n)
	}
	return ""
}
