package pack

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

// Signatures and lengths of the records of a ZIP file (APPNOTE.TXT 4.3).
const (
	localSignature      = 0x04034b50
	centralSignature    = 0x02014b50
	endSignature        = 0x06054b50
	descriptorSignature = 0x08074b50

	localBytes   = 30
	centralBytes = 46
	endBytes     = 22
)

// Flags and methods that are read; every other one is refused.
const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagStrong     = 1 << 6
	flagMasked     = 1 << 13
	flagsRead      = 1<<1 | 1<<2 | flagDescriptor | 1<<11

	methodStored   = 0
	methodDeflated = 8
)

// Extra fields that change what an entry is.
const (
	extraZIP64       = 0x0001
	extraUnicodePath = 0x7075
	extraEncryption  = 0x9901
)

// zipEntry is an entry as the central directory describes it.
type zipEntry struct {
	name             string
	need, flags      uint16
	method           uint16
	time, date       uint16
	crc              uint32
	packed, size     uint32
	offset           uint32
	attributes       uint32
	extra            []byte
	contentAt, endAt int64
}

// OpenZIP reads the directory of a ZIP file and finds everything that makes it unsafe or ambiguous: the archive is
// given only when there are no findings. Every byte of the file belongs to exactly one record; stored and deflated
// entries are read, ZIP64 is not. What an entry really gives is bounded while it is read.
func OpenZIP(r io.ReaderAt, size int64, limits Limits) (*Archive, []Finding) {
	x := newIndex(limits)
	entries, directoryAt := readDirectory(x, r, size)
	if len(x.findings) > 0 {
		return nil, x.findings
	}
	for i := range entries {
		checkEntry(x, &entries[i])
	}
	if len(x.findings) == 0 {
		checkLayout(x, r, entries, directoryAt)
	}
	for i := range entries {
		e := &entries[i]
		x.add(archiveEntry{e.name, int64(e.size), int64(e.packed), func() io.Reader { return e.reader(r) }})
	}
	return x.finish()
}

// readDirectory reads the end record and the central directory, and returns where that begins.
func readDirectory(x *index, r io.ReaderAt, size int64) ([]zipEntry, int64) {
	end := make([]byte, endBytes)
	endAt := size - endBytes
	if endAt < 0 {
		x.refuse("", "no ZIP file: shorter than an end record")
		return nil, 0
	}
	if _, err := r.ReadAt(end, endAt); err != nil && err != io.EOF {
		x.refuse("", "can't be read: %v", cause(err))
		return nil, 0
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	if u32(end) != endSignature || u16(end[20:]) != 0 {
		x.refuse("", "%s", explainEnd(r, size))
		return nil, 0
	}
	count, length, at := int(u16(end[10:])), int64(u32(end[12:])), int64(u32(end[16:]))
	switch {
	case u16(end[4:]) != 0 || u16(end[6:]) != 0 || u16(end[8:]) != u16(end[10:]):
		x.refuse("", "a part of a ZIP file in several parts")
	case count == 0xffff || length == 0xffffffff || at == 0xffffffff:
		x.refuse("", "ZIP64 records; archive it as .tar instead")
	case at+length < endAt:
		x.refuse("", "%d bytes before the first record, or between the directory and the end record", endAt-at-length)
	case at+length > endAt:
		x.refuse("", "the directory overlaps the end record")
	default:
		return readCentral(x, io.NewSectionReader(r, at, length), count), at
	}
	return nil, 0
}

// explainEnd says why no end record stands at the end of the file.
func explainEnd(r io.ReaderAt, size int64) string {
	tail := make([]byte, min(size, endBytes+0xffff))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return "can't be read"
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || len(tail)-at < endBytes {
		return "no end record: no ZIP file, or cut short"
	}
	return "bytes after the last record"
}

func readCentral(x *index, section io.Reader, count int) []zipEntry {
	in := bufio.NewReaderSize(section, 64<<10)
	var entries []zipEntry
	head := make([]byte, centralBytes)
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	for range count {
		if _, err := io.ReadFull(in, head); err != nil || u32(head) != centralSignature {
			x.refuse("", "the directory has fewer than the %d entries it announces", count)
			return nil
		}
		rest := make([]byte, int(u16(head[28:]))+int(u16(head[30:]))+int(u16(head[32:])))
		if _, err := io.ReadFull(in, rest); err != nil {
			x.refuse("", "the directory is cut short")
			return nil
		}
		name, extra := rest[:u16(head[28:])], rest[u16(head[28:]):]
		if u16(head[34:]) != 0 {
			x.refuse(string(name), "stands in another part of a ZIP file in several parts")
		}
		entries = append(entries, zipEntry{
			name: string(name), need: u16(head[6:]), flags: u16(head[8:]), method: u16(head[10:]),
			time: u16(head[12:]), date: u16(head[14:]), crc: u32(head[16:]),
			packed: u32(head[20:]), size: u32(head[24:]), attributes: u32(head[38:]), offset: u32(head[42:]),
			extra: bytes.Clone(extra[:u16(head[30:])]),
		})
	}
	if _, err := in.ReadByte(); err != io.EOF {
		x.refuse("", "the directory has more than the %d entries it announces", count)
	}
	return entries
}

// checkEntry refuses what a bag can't hold or a reader could take in two ways.
func checkEntry(x *index, e *zipEntry) {
	const unixFolder, unixFile, dosFolder = 0o040000, 0o100000, 0x10
	folder := len(e.name) > 0 && e.name[len(e.name)-1] == '/'
	kind := e.attributes >> 16 & 0o170000
	switch {
	case e.flags&(flagEncrypted|flagStrong|flagMasked) != 0:
		x.refuse(e.name, "encrypted")
	case e.flags&^flagsRead != 0:
		x.refuse(e.name, "flags %#04x that are not read", e.flags)
	case e.method != methodStored && e.method != methodDeflated:
		x.refuse(e.name, "compression method %d, only stored and deflated are read", e.method)
	case e.packed == 0xffffffff || e.size == 0xffffffff || e.offset == 0xffffffff:
		x.refuse(e.name, "ZIP64 fields; archive it as .tar instead")
	case e.method == methodStored && e.packed != e.size:
		x.refuse(e.name, "stored, but with two sizes")
	case kind != 0 && kind != unixFile && kind != unixFolder:
		x.refuse(e.name, "no regular file: a link or another special entry")
	case !folder && (kind == unixFolder || e.attributes&dosFolder != 0):
		x.refuse(e.name, "a folder by its attributes, a file by its name")
	case folder && kind == unixFile:
		x.refuse(e.name, "a file by its attributes, a folder by its name")
	}
	if reason := checkExtra(e.extra, e.name); reason != "" {
		x.refuse(e.name, "%s", reason)
	}
}

func checkExtra(extra []byte, name string) string {
	for len(extra) >= 4 {
		id, length := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if length > len(extra)-4 {
			return "an extra field is cut short"
		}
		value := extra[4 : 4+length]
		switch {
		case id == extraZIP64:
			return "ZIP64 fields; archive it as .tar instead"
		case id == extraEncryption:
			return "encrypted"
		case id == extraUnicodePath && (length < 5 || string(value[5:]) != name):
			return "another name in an extra field"
		}
		extra = extra[4+length:]
	}
	return ""
}

// checkLayout holds every local header against the directory and sees that the entries lie one after the other from
// the first byte up to the directory.
func checkLayout(x *index, r io.ReaderAt, entries []zipEntry, directoryAt int64) {
	order := make([]*zipEntry, len(entries))
	for i := range entries {
		order[i] = &entries[i]
	}
	slices.SortStableFunc(order, func(a, b *zipEntry) int { return cmp.Compare(a.offset, b.offset) })
	var at int64
	for _, e := range order {
		switch offset := int64(e.offset); {
		case offset < at:
			x.refuse(e.name, "overlaps another entry")
			return
		case offset > at && at == 0:
			x.refuse(e.name, "%d bytes before the first record", offset)
			return
		case offset > at:
			x.refuse(e.name, "%d bytes between two entries", offset-at)
			return
		}
		if reason := checkLocal(r, e, directoryAt); reason != "" {
			x.refuse(e.name, "%s", reason)
			return
		}
		at = e.endAt
	}
	if at != directoryAt {
		x.refuse("", "%d bytes between the last entry and the directory", directoryAt-at)
	}
}

// checkLocal compares the local header with the directory and finds where the content lies.
func checkLocal(r io.ReaderAt, e *zipEntry, directoryAt int64) string {
	section := io.NewSectionReader(r, int64(e.offset), directoryAt-int64(e.offset))
	head := make([]byte, localBytes)
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	if _, err := io.ReadFull(section, head); err != nil || u32(head) != localSignature {
		return "no local header where the directory says"
	}
	rest := make([]byte, int(u16(head[26:]))+int(u16(head[28:])))
	if _, err := io.ReadFull(section, rest); err != nil {
		return "the local header is cut short"
	}
	name, extra := rest[:u16(head[26:])], rest[u16(head[26:]):]
	sums := [3]uint32{u32(head[14:]), u32(head[18:]), u32(head[22:])}
	want := [3]uint32{e.crc, e.packed, e.size}
	described := e.flags&flagDescriptor != 0
	switch {
	case string(name) != e.name,
		u16(head[4:]) != e.need, u16(head[6:]) != e.flags, u16(head[8:]) != e.method,
		u16(head[10:]) != e.time, u16(head[12:]) != e.date,
		sums != want && !(described && sums == [3]uint32{}):
		return "the local header differs from the directory's"
	}
	if reason := checkExtra(extra, e.name); reason != "" {
		return reason
	}
	e.contentAt = int64(e.offset) + localBytes + int64(len(rest))
	e.endAt = e.contentAt + int64(e.packed)
	if e.endAt > directoryAt {
		return "overlaps the directory"
	}
	if described {
		length := readDescriptor(io.NewSectionReader(r, e.endAt, directoryAt-e.endAt), want)
		if length == 0 {
			return "the data descriptor differs from the directory"
		}
		e.endAt += length
	}
	return ""
}

// readDescriptor returns the length of the data descriptor that stands there, 0 when none with these sums does. Its
// signature is optional.
func readDescriptor(section io.Reader, want [3]uint32) int64 {
	got := make([]byte, 16)
	n, err := io.ReadFull(section, got)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0
	}
	sums := make([]byte, 4, 16)
	binary.LittleEndian.PutUint32(sums, descriptorSignature)
	for _, v := range want {
		sums = binary.LittleEndian.AppendUint32(sums, v)
	}
	switch {
	case bytes.Equal(got[:n], sums):
		return 16
	case n >= 12 && bytes.Equal(got[:12], sums[4:]):
		return 12
	}
	return 0
}

// reader gives the content of an entry: at most the bytes that its header says, and an error when they are others.
func (e *zipEntry) reader(r io.ReaderAt) io.Reader {
	packed := io.NewSectionReader(r, e.contentAt, int64(e.packed))
	if e.method == methodStored {
		return &checkedReader{in: packed, left: int64(e.size), crc: e.crc}
	}
	return &checkedReader{in: flate.NewReader(packed), left: int64(e.size), crc: e.crc}
}

// checkedReader bounds an entry by its header and compares the CRC-32 at the end.
type checkedReader struct {
	in   io.Reader
	left int64
	crc  uint32
	sum  uint32
}

func (c *checkedReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	if int64(n) > c.left {
		return 0, errOverrun
	}
	c.left -= int64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p[:n])
	if err == io.EOF {
		switch {
		case c.left > 0:
			return n, io.ErrUnexpectedEOF
		case c.sum != c.crc:
			return n, errChecksum
		}
	}
	return n, err
}
