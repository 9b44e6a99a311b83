package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"casebook/engine/evidence"
)

// rawEntry is an entry of a ZIP file built by hand, so that it can be wrong in one way.
type rawEntry struct {
	name, data string
	method     uint16
	flags      uint16
	attributes uint32
	extra      string
	localName  string // empty: name
	size       uint32 // claimed, 0: the true one
	packed     uint32 // claimed, 0: the true one
	described  bool   // sizes follow in a data descriptor
	unsigned   bool   // which does without its signature
	localExtra string // empty: extra
	gap        string // bytes before the entry
}

func deflated(t testing.TB, data []byte) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// rawZIP writes local headers, directory and end record as APPNOTE.TXT lays them out.
func rawZIP(t testing.TB, entries ...rawEntry) []byte {
	var out, directory bytes.Buffer
	for _, e := range entries {
		out.WriteString(e.gap)
		offset := uint32(out.Len())
		content := []byte(e.data)
		if e.method == methodDeflated {
			content = deflated(t, content)
		}
		if e.size == 0 {
			e.size = uint32(len(e.data))
		}
		if e.packed == 0 {
			e.packed = uint32(len(content))
		}
		if e.localName == "" {
			e.localName = e.name
		}
		if e.localExtra == "" {
			e.localExtra = e.extra
		}
		if e.described {
			e.flags |= flagDescriptor
		}
		sums := []uint32{crc32.ChecksumIEEE([]byte(e.data)), e.packed, e.size}
		common := binary.LittleEndian.AppendUint16(nil, 20)
		for _, v := range []uint16{e.flags, e.method, 0, 0x21} {
			common = binary.LittleEndian.AppendUint16(common, v)
		}
		withSums := func(b []byte, sums ...uint32) []byte {
			for _, v := range sums {
				b = binary.LittleEndian.AppendUint32(b, v)
			}
			return b
		}
		lengths := func(b []byte, name, extra string) []byte {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
			return binary.LittleEndian.AppendUint16(b, uint16(len(extra)))
		}
		local := sums
		if e.described {
			local = []uint32{0, 0, 0}
		}
		out.WriteString("PK\x03\x04")
		out.Write(lengths(withSums(slices.Clone(common), local...), e.localName, e.localExtra))
		out.WriteString(e.localName + e.localExtra)
		out.Write(content)
		if e.described {
			descriptor := withSums([]byte("PK\x07\x08"), sums...)
			if e.unsigned {
				descriptor = descriptor[4:]
			}
			out.Write(descriptor)
		}
		directory.WriteString("PK\x01\x02\x14\x03")
		directory.Write(lengths(withSums(slices.Clone(common), sums...), e.name, e.extra))
		directory.Write(make([]byte, 6))
		directory.Write(withSums(nil, e.attributes, offset))
		directory.WriteString(e.name + e.extra)
	}
	return endZIP(out.Bytes(), directory.Bytes(), len(entries))
}

func endZIP(body, directory []byte, count int) []byte {
	out := slices.Concat(body, directory, []byte("PK\x05\x06\x00\x00\x00\x00"))
	for range 2 {
		out = binary.LittleEndian.AppendUint16(out, uint16(count))
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(len(directory)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
	return append(out, 0, 0)
}

func openZIP(data []byte, limits Limits) (*Archive, []Finding) {
	return OpenZIP(bytes.NewReader(data), int64(len(data)), limits)
}

func TestOpenZIPReads(t *testing.T) {
	data := rawZIP(t,
		rawEntry{name: "top/"},
		rawEntry{name: "top/data/", attributes: 0o040755<<16 | 0x10},
		rawEntry{name: "top/data/stored", data: "stored", attributes: 0o100644 << 16, extra: "UT\x05\x00\x03\x00\x00\x00\x00"},
		rawEntry{name: "top/data/deflated", data: strings.Repeat("text ", 100), method: methodDeflated},
		rawEntry{name: "top/data/described", data: strings.Repeat("text ", 90), method: methodDeflated, described: true},
		rawEntry{name: "top/data/unsigned", data: "abc", described: true, unsigned: true},
		rawEntry{name: "top/é", data: "", flags: 1 << 11, extra: "\x75\x70\x0b\x00\x01\x00\x00\x00\x00top/é"},
	)
	archive, findings := openZIP(data, Limits{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if archive.Top != "top" {
		t.Errorf("top = %q", archive.Top)
	}
	if err := fstest.TestFS(archive, "data/stored", "data/deflated", "data/described", "é"); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"data/stored": "stored", "data/deflated": strings.Repeat("text ", 100), "data/described": strings.Repeat("text ", 90), "data/unsigned": "abc", "é": "",
	} {
		if got, err := fs.ReadFile(archive, name); err != nil || string(got) != want {
			t.Errorf("%s = %q, %v", name, got, err)
		}
	}
}

// TestOpenZIPReadsGoArchive: Go's own writer puts sizes into data descriptors.
func TestOpenZIPReadsGoArchive(t *testing.T) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	entry, err := w.Create("top/data/a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entry.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	archive, findings := openZIP(out.Bytes(), Limits{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if got, err := fs.ReadFile(archive, "data/a"); string(got) != "abc" || err != nil {
		t.Errorf("data/a = %q, %v", got, err)
	}
}

// hostileZIPs are each wrong in one way that section 9 names.
func hostileZIPs(t testing.TB) map[string]struct {
	data []byte
	want Finding
} {
	a := rawEntry{name: "top/data/a", data: "abc"}
	b := rawEntry{name: "top/data/b", data: "defg"}
	good := rawZIP(t, a, b)
	with := func(change func(*rawEntry)) []byte {
		e := a
		change(&e)
		return rawZIP(t, e, b)
	}
	patched := func(at int, value string) []byte {
		data := bytes.Clone(good)
		copy(data[at:], value)
		return data
	}
	directoryAt := bytes.Index(good, []byte("PK\x01\x02"))
	endAt := bytes.Index(good, []byte("PK\x05\x06"))
	secondAt := directoryAt + bytes.Index(good[directoryAt+4:], []byte("PK\x01\x02")) + 4
	secondStart := 4 + bytes.Index(good[4:], []byte("PK\x03\x04"))
	described := rawZIP(t, rawEntry{name: a.name, data: a.data, described: true})
	directory := bytes.Index(described, []byte("PK\x01\x02"))
	noDescriptor := endZIP(described[:directory-16], described[directory:len(described)-endBytes], 1)
	const link = 0o120777 << 16
	type row = struct {
		data []byte
		want Finding
	}
	return map[string]row{
		"parent folder":       {with(func(e *rawEntry) { e.name = "top/../../x" }), Finding{"top/../../x", `path "top/../../x": segment ".."`}},
		"absolute path":       {with(func(e *rawEntry) { e.name = "/etc/x" }), Finding{"/etc/x", `path "/etc/x": absolute`}},
		"backslash":           {with(func(e *rawEntry) { e.name = `top\x` }), Finding{`top\x`, `path "top\\x": character '\\'`}},
		"drive letter":        {with(func(e *rawEntry) { e.name = "C:/x" }), Finding{"C:/x", `path "C:/x": character ':'`}},
		"control character":   {with(func(e *rawEntry) { e.name = "top/\x1b[2J" }), Finding{`top/\x1b[2J`, `path "top/\x1b[2J": control character U+001B`}},
		"duplicate":           {with(func(e *rawEntry) { e.name = b.name }), Finding{b.name, "a second entry of this name"}},
		"case-fold duplicate": {with(func(e *rawEntry) { e.name = "top/data/B" }), Finding{"data/b", "path-collision: differs from data/B only by case or Unicode form"}},
		"case-fold folders":   {with(func(e *rawEntry) { e.name = "top/Data/a" }), Finding{"data", "path-collision: differs from Data only by case or Unicode form"}},
		"file and folder":     {with(func(e *rawEntry) { e.name = "top/data" }), Finding{"data", "a file and a folder of one name"}},
		"folder after file":   {rawZIP(t, a, rawEntry{name: "top/data/a/"}), Finding{"top/data/a/", "a file and a folder of one name"}},
		"file after folder":   {rawZIP(t, rawEntry{name: "top/data/a/"}, a), Finding{"top/data/a", "a second entry of this name"}},
		"folder with content": {with(func(e *rawEntry) { e.name = "top/data/" }), Finding{"top/data/", "a folder with content"}},
		"two top folders":     {with(func(e *rawEntry) { e.name = "other/data/a" }), Finding{b.name, "a second top directory beside other"}},
		"no top folder":       {rawZIP(t, rawEntry{name: "bagit.txt", data: "x"}), Finding{"bagit.txt", "a file beside the top directory"}},
		"no entries":          {rawZIP(t), Finding{"", "no entries"}},
		"long name":           {with(func(e *rawEntry) { e.name = "top/" + strings.Repeat("a", 1021) }), Finding{"top/" + strings.Repeat("a", 1021), "name of 1025 bytes in 2 parts, at most 1024 in 32 are read"}},
		"deep name":           {with(func(e *rawEntry) { e.name = "top" + strings.Repeat("/a", 32) }), Finding{"top" + strings.Repeat("/a", 32), "name of 67 bytes in 33 parts, at most 1024 in 32 are read"}},
		"symlink":             {with(func(e *rawEntry) { e.attributes = link }), Finding{a.name, "no regular file: a link or another special entry"}},
		"device":              {with(func(e *rawEntry) { e.attributes = 0o060644 << 16 }), Finding{a.name, "no regular file: a link or another special entry"}},
		"folder by mode":      {with(func(e *rawEntry) { e.attributes = 0o040755 << 16 }), Finding{a.name, "a folder by its attributes, a file by its name"}},
		"folder by DOS flag":  {with(func(e *rawEntry) { e.attributes = 0x10 }), Finding{a.name, "a folder by its attributes, a file by its name"}},
		"file by mode":        {rawZIP(t, rawEntry{name: "top/x/", attributes: 0o100644 << 16}), Finding{"top/x/", "a file by its attributes, a folder by its name"}},
		"encrypted":           {with(func(e *rawEntry) { e.flags = 0x0001 }), Finding{a.name, "encrypted"}},
		"strong encryption":   {with(func(e *rawEntry) { e.flags = 0x0040 }), Finding{a.name, "encrypted"}},
		"masked headers":      {with(func(e *rawEntry) { e.flags = 0x2000 }), Finding{a.name, "encrypted"}},
		"encryption extra":    {with(func(e *rawEntry) { e.extra = "\x01\x99\x00\x00" }), Finding{a.name, "encrypted"}},
		"unknown flag":        {with(func(e *rawEntry) { e.flags = 1 << 5 }), Finding{a.name, "flags 0x0020 that are not read"}},
		"unknown method":      {with(func(e *rawEntry) { e.method = 12 }), Finding{a.name, "compression method 12, only stored and deflated are read"}},
		"two sizes":           {with(func(e *rawEntry) { e.size = 2 }), Finding{a.name, "stored, but with two sizes"}},
		"ZIP64 extra":         {with(func(e *rawEntry) { e.extra = "\x01\x00\x00\x00" }), Finding{a.name, "ZIP64 fields; archive it as .tar instead"}},
		"ZIP64 size":          {with(func(e *rawEntry) { e.size, e.packed = 0xffffffff, 0xffffffff }), Finding{a.name, "ZIP64 fields; archive it as .tar instead"}},
		"ZIP64 end":           {patched(endAt+8, "\xff\xff\xff\xff"), Finding{"", "ZIP64 records; archive it as .tar instead"}},
		"other name in extra": {with(func(e *rawEntry) { e.extra = "\x75\x70\x0f\x00\x01\x00\x00\x00\x00top/data/z" }), Finding{a.name, "another name in an extra field"}},
		"cut extra":           {with(func(e *rawEntry) { e.extra = "\x99\x99\x09\x00" }), Finding{a.name, "an extra field is cut short"}},
		"ZIP64 length":        {patched(endAt+12, "\xff\xff\xff\xff"), Finding{"", "ZIP64 records; archive it as .tar instead"}},
		"ZIP64 place":         {patched(endAt+16, "\xff\xff\xff\xff"), Finding{"", "ZIP64 records; archive it as .tar instead"}},
		"cut directory":       {patched(secondAt+28, "\xff\xff"), Finding{"", "the directory is cut short"}},
		"name in directory":   {patched(secondStart+26, string(rune(len(b.name)+len(b.data)+10))), Finding{b.name, "the local header is cut short"}},
		"several parts":       {patched(endAt+4, "\x01"), Finding{"", "a part of a ZIP file in several parts"}},
		"several parts here":  {patched(directoryAt+34, "\x01"), Finding{a.name, "stands in another part of a ZIP file in several parts"}},
		"prefix":              {append([]byte("#!/bin/sh\n"), good...), Finding{"", "10 bytes before the first record, or between the directory and the end record"}},
		"counted prefix":      {with(func(e *rawEntry) { e.gap = "#!/bin/sh\n" }), Finding{a.name, "10 bytes before the first record"}},
		"gap":                 {rawZIP(t, a, rawEntry{name: b.name, data: b.data, gap: "hidden"}), Finding{b.name, "6 bytes between two entries"}},
		"gap after the last":  {endZIP(append(bytes.Clone(good[:directoryAt]), "hidden"...), good[directoryAt:endAt], 2), Finding{"", "6 bytes between the last entry and the directory"}},
		"trailing bytes":      {append(bytes.Clone(good), "hidden"...), Finding{"", "bytes after the last record"}},
		"comment":             {append(patched(endAt+20, "\x06"), "hidden"...), Finding{"", "bytes after the last record"}},
		"overlap":             {patched(secondAt+42, "\x00\x00\x00\x00"), Finding{b.name, "overlaps another entry"}},
		"other local name":    {with(func(e *rawEntry) { e.localName = "top/data/z" }), Finding{a.name, "the local header differs from the directory's"}},
		"other local flags":   {patched(6, "\x02"), Finding{a.name, "the local header differs from the directory's"}},
		"other local method":  {patched(8, "\x08"), Finding{a.name, "the local header differs from the directory's"}},
		"other local date":    {patched(12, "\x22"), Finding{a.name, "the local header differs from the directory's"}},
		"other local CRC":     {patched(14, "\x00"), Finding{a.name, "the local header differs from the directory's"}},
		"other local size":    {patched(22, "\x04"), Finding{a.name, "the local header differs from the directory's"}},
		"other local version": {patched(4, "\x0a"), Finding{a.name, "the local header differs from the directory's"}},
		"other local extra":   {with(func(e *rawEntry) { e.localExtra = "\x01\x00\x00\x00" }), Finding{a.name, "ZIP64 fields; archive it as .tar instead"}},
		"cut local header":    {patched(26, "\xff\xff"), Finding{a.name, "the local header is cut short"}},
		"over the directory":  {endZIP(good[:secondStart-1], good[directoryAt:secondAt], 1), Finding{a.name, "overlaps the directory"}},
		"no descriptor":       {noDescriptor, Finding{a.name, "the data descriptor differs from the directory"}},
		"no local header":     {patched(0, "XX"), Finding{a.name, "no local header where the directory says"}},
		"false descriptor":    {bytes.Replace(with(func(e *rawEntry) { e.described = true }), []byte("PK\x07\x08"), []byte("PK\x07\x09"), 1), Finding{a.name, "the data descriptor differs from the directory"}},
		"more announced":      {endZIP(good[:directoryAt], good[directoryAt:endAt], 3), Finding{"", "the directory has fewer than the 3 entries it announces"}},
		"fewer announced":     {endZIP(good[:directoryAt], good[directoryAt:endAt], 1), Finding{"", "the directory has more than the 1 entries it announces"}},
		"directory too long":  {patched(endAt+12, "\xff"), Finding{"", "the directory overlaps the end record"}},
		"cut":                 {good[:endAt+10], Finding{"", "no end record: no ZIP file, or cut short"}},
		"text":                {[]byte("this is a text and no archive at all"), Finding{"", "no end record: no ZIP file, or cut short"}},
		"empty":               {nil, Finding{"", "no ZIP file: shorter than an end record"}},
		"bomb": {with(func(e *rawEntry) { e.data, e.method = strings.Repeat("0", 1<<20), methodDeflated }),
			Finding{a.name, fmt.Sprintf("limit: 1048576 bytes out of %d, more than 200 : 1", len(deflated(t, []byte(strings.Repeat("0", 1<<20)))))}},
	}
}

func TestOpenZIPRefuses(t *testing.T) {
	hostile := hostileZIPs(t)
	if len(hostile) < 50 {
		t.Errorf("%d archives", len(hostile))
	}
	for name, tt := range hostile {
		t.Run(name, func(t *testing.T) {
			archive, findings := openZIP(tt.data, Limits{})
			if archive != nil {
				t.Error("an archive was given")
			}
			if len(findings) == 0 || findings[0] != tt.want {
				t.Errorf("findings %+v, want %+v", findings, tt.want)
			}
		})
	}
}

func TestOpenZIPLimits(t *testing.T) {
	ten := rawEntry{name: "top/a", data: "0123456789"}
	data := rawZIP(t, ten, rawEntry{name: "top/b", data: "0123456789"}, rawEntry{name: "top/x/y", data: ""})
	limits := Limits{FileBytes: 10, Files: 1, Signatures: -2, ArchiveBytes: 20, ArchiveRatio: 1, PayloadBytes: 1}
	if _, findings := openZIP(data, limits); len(findings) > 0 {
		t.Errorf("at the limits: %v", findings)
	}
	for _, tt := range []struct {
		name   string
		change func(*Limits)
		want   Finding
	}{
		{"file", func(l *Limits) { l.FileBytes = 9 }, Finding{"top/a", "limit: 10 bytes, at most 9"}},
		{"total", func(l *Limits) { l.ArchiveBytes = 19 }, Finding{"top/b", "limit: more than 19 bytes in all"}},
		{"files", func(l *Limits) { l.Signatures = -3 }, Finding{"top/x/y", "limit: more than 1 files"}},
		{"folders", func(l *Limits) { l.Files, l.Signatures = 0, 0 }, Finding{"x", "limit: more than 0 folders"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := limits
			tt.change(&l)
			if _, findings := openZIP(data, l); len(findings) == 0 || findings[0] != tt.want {
				t.Errorf("findings %+v, want %+v", findings, tt.want)
			}
		})
	}
}

// TestOpenZIPDeclaredRatio: 200 bytes for one are taken, 201 are not.
func TestOpenZIPDeclaredRatio(t *testing.T) {
	content := strings.Repeat("0", 100_000)
	packed := len(deflated(t, []byte(content)))
	for _, tt := range []struct {
		ratio int64
		want  int
	}{{int64(len(content)/packed) + 1, 0}, {int64(len(content) / packed), 1}} {
		limits := DefaultLimits()
		limits.ArchiveRatio = tt.ratio
		_, findings := openZIP(rawZIP(t, rawEntry{name: "top/a", data: content, method: methodDeflated}), limits)
		if len(findings) != tt.want {
			t.Errorf("ratio %d: %v", tt.ratio, findings)
		}
	}
}

// TestReadBounded: what an entry really gives counts, not what its header says.
func TestReadBounded(t *testing.T) {
	content := strings.Repeat("0", 1<<20)
	for _, tt := range []struct {
		name string
		e    rawEntry
		want error
		most int
	}{
		{"more than said", rawEntry{name: "top/a", data: content, method: methodDeflated, size: 100}, errOverrun, 100},
		{"less than said", rawEntry{name: "top/a", data: content[:1000], method: methodDeflated, size: 1001}, io.ErrUnexpectedEOF, 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			archive, findings := openZIP(rawZIP(t, tt.e), Limits{})
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			got, err := fs.ReadFile(archive, "a")
			if !errors.Is(err, tt.want) || len(got) > tt.most {
				t.Errorf("%d bytes, %v, want at most %d and %v", len(got), err, tt.most, tt.want)
			}
		})
	}
	data := rawZIP(t, rawEntry{name: "top/a", data: "abc"})
	archive, findings := openZIP(bytes.Replace(data, []byte("abc"), []byte("abd"), 1), Limits{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if _, err := fs.ReadFile(archive, "a"); !errors.Is(err, errChecksum) {
		t.Errorf("changed content: %v, want %v", err, errChecksum)
	}
}

// FuzzOpenZIP holds the reader against Go's: what is accepted has the same files and bytes there, and no file gives
// more than its header says.
func FuzzOpenZIP(f *testing.F) {
	f.Add(rawZIP(f, rawEntry{name: "top/data/a", data: "abc"}, rawEntry{name: "top/b", data: strings.Repeat("x", 50), method: methodDeflated, described: true}))
	for _, tt := range hostileZIPs(f) {
		if len(tt.data) < 1<<10 {
			f.Add(tt.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		archive, findings := openZIP(data, Limits{})
		if (archive == nil) != (len(findings) > 0) {
			t.Fatalf("archive %v with findings %v", archive, findings)
		}
		if archive == nil {
			return
		}
		other, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatalf("accepted, Go says %v", err)
		}
		files := 0
		for name, n := range archive.nodes {
			if n.folder {
				continue
			}
			files++
			got, err := fs.ReadFile(archive, name)
			if int64(len(got)) > n.size {
				t.Errorf("%s gives %d bytes of %d", name, len(got), n.size)
			}
			if err != nil {
				continue
			}
			want, err := fs.ReadFile(other, archive.Top+"/"+name)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s = %q, Go has %q, %v", name, got, want, err)
			}
		}
		for _, e := range other.File {
			if !strings.HasSuffix(e.Name, "/") {
				files--
			}
		}
		if files != 0 {
			t.Errorf("number of files differs from Go's by %d", files)
		}
	})
}

func tarFile(t testing.TB, heads ...tar.Header) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range heads {
		content := strings.Repeat("x", int(h.Size))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func openTAR(data []byte, limits Limits) (*Archive, []Finding) {
	return OpenTAR(bytes.NewReader(data), int64(len(data)), limits)
}

func TestOpenTARReads(t *testing.T) {
	data := tarFile(t,
		tar.Header{Name: "top/", Typeflag: tar.TypeDir, Mode: 0o755},
		tar.Header{Name: "top/data/a", Typeflag: tar.TypeReg, Size: 700, Mode: 0o644},
		tar.Header{Name: "top/data/" + strings.Repeat("long", 30), Typeflag: tar.TypeReg, Size: 512, Mode: 0o644},
		tar.Header{Name: "top/empty", Typeflag: tar.TypeReg, Mode: 0o644},
	)
	// GNU tar pads to a record of 20 blocks.
	archive, findings := openTAR(append(data, make([]byte, 20*tarBlock)...), Limits{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if archive.Top != "top" {
		t.Errorf("top = %q", archive.Top)
	}
	if err := fstest.TestFS(archive, "data/a", "empty"); err != nil {
		t.Error(err)
	}
	for name, size := range map[string]int{"data/a": 700, "data/" + strings.Repeat("long", 30): 512, "empty": 0} {
		if got, err := fs.ReadFile(archive, name); err != nil || string(got) != strings.Repeat("x", size) {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, size)
		}
	}
}

func TestOpenTARRefuses(t *testing.T) {
	file := func(name string, size int64) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeReg, Size: size, Mode: 0o644}
	}
	link := func(kind byte) tar.Header { return tar.Header{Name: "top/l", Typeflag: kind, Linkname: "top/a"} }
	good := tarFile(t, file("top/a", 3))
	special := "no regular file: a link or another special entry"
	limits := DefaultLimits()
	limits.ArchiveBytes = 100
	for _, tt := range []struct {
		name string
		data []byte
		want Finding
	}{
		{"parent folder", tarFile(t, file("top/../x", 1)), Finding{"top/../x", `path "top/../x": segment ".."`}},
		{"absolute", tarFile(t, file("/top/x", 1)), Finding{"/top/x", `path "/top/x": absolute`}},
		{"duplicate", tarFile(t, file("top/a", 1), file("top/a", 1)), Finding{"top/a", "a second entry of this name"}},
		{"case-fold duplicate", tarFile(t, file("top/a", 1), file("top/A", 1)), Finding{"A", "path-collision: differs from a only by case or Unicode form"}},
		{"two top folders", tarFile(t, file("top/a", 1), file("pot/a", 1)), Finding{"pot/a", "a second top directory beside top"}},
		{"symbolic link", tarFile(t, link(tar.TypeSymlink)), Finding{"top/l", special}},
		{"hard link", tarFile(t, link(tar.TypeLink)), Finding{"top/l", special}},
		{"FIFO", tarFile(t, link(tar.TypeFifo)), Finding{"top/l", special}},
		{"device", tarFile(t, link(tar.TypeChar)), Finding{"top/l", special}},
		{"size", tarFile(t, file("top/a", 101)), Finding{"top/a", "limit: more than 100 bytes in all"}},
		{"no end record", good[:len(good)-tarBlock], Finding{"", "no end record: cut short"}},
		{"no end record at all", good[:len(good)-2*tarBlock], Finding{"", "no end record: cut short"}},
		{"trailing bytes", append(bytes.Clone(good), append(make([]byte, 3*tarBlock), 'x')...), Finding{"", "bytes after the last record"}},
		{"a second archive", append(bytes.Clone(good), good...), Finding{"", "bytes after the last record"}},
		{"empty", nil, Finding{"", "no end record: cut short"}},
		{"text", bytes.Repeat([]byte("text"), 400), Finding{"", "no tar file, or a damaged one: archive/tar: invalid tar header"}},
		{"file that is a folder by its name", renamed(tarFile(t, file("top/a", 0)), "top/a", "top/a/"), Finding{"top/a/", "a file by its type, a folder by its name"}},
		{"cut in a file", good[:600], Finding{"", "no end record: cut short"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			archive, findings := openTAR(tt.data, limits)
			if archive != nil || len(findings) == 0 || findings[0] != tt.want {
				t.Errorf("archive %v, findings %+v, want %+v", archive, findings, tt.want)
			}
		})
	}
	// A file that shrinks while it is read has fewer bytes than it was said to have.
	if _, findings := OpenTAR(bytes.NewReader(good), int64(len(good))+1, limits); len(findings) == 0 || findings[0].Reason != "cut while it was read" {
		t.Errorf("a shrinking file: %v", findings)
	}
	sparse := checkTarHeader(&tar.Header{Typeflag: tar.TypeReg, PAXRecords: map[string]string{"GNU.sparse.major": "1"}})
	if old := checkTarHeader(&tar.Header{Typeflag: tar.TypeGNUSparse}); sparse != "a sparse file" || old != sparse {
		t.Errorf("sparse files: %q and %q", sparse, old)
	}
}

// renamed changes the name in the first header of a tar and its sum.
func renamed(data []byte, old, new string) []byte {
	head := data[:tarBlock]
	copy(head[bytes.Index(head, []byte(old)):], new)
	copy(head[148:156], "        ")
	sum := 0
	for _, b := range head {
		sum += int(b)
	}
	copy(head[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return data
}

func TestArchiveFolderIsNoFile(t *testing.T) {
	archive, findings := openZIP(rawZIP(t, rawEntry{name: "top/a/b", data: "abc"}), Limits{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if data, err := fs.ReadFile(archive, "a"); err == nil {
		t.Errorf("a folder gives %q", data)
	}
	if _, err := archive.Open("../a"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Open(../a) = %v", err)
	}
}

// TestArchiveKeepsApart: one file is read by several readers at once.
func TestArchiveKeepsApart(t *testing.T) {
	archive, findings := openZIP(rawZIP(t, rawEntry{name: "top/a", data: "abc"}), Limits{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	one, err := archive.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	two, err := archive.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	first, err := io.ReadAll(one)
	if err != nil {
		t.Fatal(err)
	}
	second, err := io.ReadAll(two)
	if err != nil {
		t.Fatal(err)
	}
	if evidence.FileDigest(first) != abcSum || evidence.FileDigest(second) != abcSum {
		t.Errorf("read %q and %q", first, second)
	}
}
