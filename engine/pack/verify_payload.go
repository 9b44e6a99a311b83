package pack

import (
	"bufio"
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"casebook/engine/evidence"
)

// Names of the algorithms as they stand in the names of manifests.
const (
	algorithmSHA256 = "sha256"
	algorithmSHA512 = "sha512"
)

// hashBuffer is what each job reads at once; memory grows with the jobs alone.
const hashBuffer = 128 << 10

// sums are the digests of one file in lower-case hex; empty: by none of the manifests, or not taken.
type sums struct{ sha256, sha512 string }

func (s *sums) of(algorithm string) *string {
	if algorithm == algorithmSHA512 {
		return &s.sha512
	}
	return &s.sha256
}

// hashed is what reading one file came to.
type hashed struct {
	sums
	bytes int64
	err   error
}

// checkPayload is B10 and B07.
func (v *verifier) checkPayload() {
	var total int64
	var files []*payloadFile
	for _, name := range slices.Sorted(maps.Keys(v.payload)) {
		f := v.payload[name]
		total += f.size
		if f.size > v.limits.FileBytes {
			v.skip("B10", name, "limit: %d bytes, at most %d are read", f.size, v.limits.FileBytes)
			continue
		}
		files = append(files, f)
	}
	if total > v.limits.PayloadBytes {
		v.skip("B10", PayloadFolder, "limit: %d bytes, at most %d are read", total, v.limits.PayloadBytes)
		files = nil
	}
	var damaged []*payloadFile
	for i, h := range v.hashAll(files) {
		files[i].sha256 = h.sha256
		v.report.Counts.Bytes += h.bytes
		if v.judge(files[i], h) {
			damaged = append(damaged, files[i])
		}
	}
	for _, f := range damaged {
		v.fail("B10", f.path, "other bytes than listed: %s", v.explain(f, len(damaged) == 1))
	}
	v.reasons["B10"] = fmt.Sprintf("%d of %d files", v.report.Counts.Intact, v.report.Counts.Listed)
	v.checkUnlisted()
}

// judge compares digests and says whether the file has other bytes than listed.
func (v *verifier) judge(f *payloadFile, h hashed) bool {
	matches := (f.listed.sha256 == "" || f.listed.sha256 == h.sha256) && f.listed.sha512 == h.sha512
	switch {
	case errors.Is(h.err, errOverrun):
		v.fail("B01", f.path, "%v", errOverrun)
	case errors.Is(h.err, errChecksum) && matches:
		v.warn("B10", f.path, "the bytes are those listed, but their %v", errChecksum)
		v.report.Counts.Intact++
	case h.err != nil && !errors.Is(h.err, errChecksum) && v.target.Form == FormFolder:
		v.skip("B10", f.path, "can't be read: %v", cause(h.err))
	case h.err != nil && !errors.Is(h.err, errChecksum):
		v.fail("B10", f.path, "damaged in the archive: %v", cause(h.err))
	case matches:
		v.report.Counts.Intact++
	default:
		return true
	}
	return false
}

// hashAll reads the files with as many jobs as asked for and returns the results in the order of the files.
func (v *verifier) hashAll(files []*payloadFile) []hashed {
	results := make([]hashed, len(files))
	jobs := v.options.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var group sync.WaitGroup
	for range min(jobs, len(files)) {
		group.Go(func() {
			buffer := make([]byte, hashBuffer)
			for i := range next {
				results[i] = v.hashFile(files[i].path, files[i].listed.sha512 != "", buffer)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	group.Wait()
	return results
}

func (v *verifier) hashFile(name string, wide bool, buffer []byte) hashed {
	file, err := v.target.FS.Open(name)
	if err != nil {
		return hashed{err: err}
	}
	defer file.Close()
	return hashReader(file, wide, buffer)
}

// hashReader reads r once, whatever the number of algorithms.
func hashReader(r io.Reader, wide bool, buffer []byte) hashed {
	source := &source{in: r, buffer: buffer}
	if wide {
		source.second = sha512.New()
	}
	digest, n, err := evidence.ReadDigest(source)
	h := hashed{sums{sha256: string(digest)}, n, err}
	if wide {
		h.sha512 = hex.EncodeToString(source.second.Sum(nil))
	}
	return h
}

// source hands a reader's bytes on through a buffer that is used again and again.
type source struct {
	in     io.Reader
	buffer []byte
	second hash.Hash // nil: none
}

func (s *source) Read(p []byte) (int, error) { return s.in.Read(p) }

// WriteTo is what io.Copy takes instead of a buffer of its own.
func (s *source) WriteTo(w io.Writer) (int64, error) {
	if s.second != nil {
		w = io.MultiWriter(w, s.second)
	}
	var total int64
	for {
		n, err := s.in.Read(s.buffer)
		total += int64(n)
		// A hash takes everything; that is no reason to rely on it.
		if _, failed := w.Write(s.buffer[:n]); failed != nil {
			return total, failed
		}
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// checkUnlisted is B07: sha256sum doesn't see a file too many.
func (v *verifier) checkUnlisted() {
	intact := v.intactBytes()
	for _, name := range v.tree.paths {
		if strings.HasPrefix(name, payloadPrefix) && v.payload[name] == nil {
			v.fail("B07", name, "%s", unlisted(intact))
		}
	}
	for _, name := range v.tree.empty {
		if name == PayloadFolder || strings.HasPrefix(name, payloadPrefix) {
			v.warn("B07", name, "an empty folder, which no bag can record")
		}
	}
}

func unlisted(intact bool) string {
	if intact {
		return "unlisted file: added after freezing; the listed files are intact"
	}
	return "unlisted file: added after freezing"
}

// explain says how a file was damaged, as far as that shows: it is read again.
func (v *verifier) explain(f *payloadFile, alone bool) string {
	want := f.listed.sha256
	if want == f.sha256 {
		return "not by SHA-256, but by another algorithm"
	}
	for _, way := range []struct{ from, to, text string }{
		{"\r\n", "\n", "line endings were changed, CRLF stands for LF, as git does with core.autocrlf"},
		{"\n", "\r\n", "line endings were changed, LF stands for CRLF"},
	} {
		if want != "" && v.matchesWith(f.path, way.from, way.to, want) {
			return way.text
		}
	}
	delta := v.missingOctets()
	switch {
	case f.size == 0:
		return "cut, the file is empty"
	case alone && delta > 0:
		return fmt.Sprintf("cut, %d bytes fewer than when frozen", delta)
	case alone && delta < 0:
		return fmt.Sprintf("%d bytes more than when frozen", -delta)
	case isText(f.path) && !v.endsInLF(f.path):
		return "cut, it does not end in a line break"
	case alone && v.octets() > 0:
		return "the length is that of when it was frozen"
	}
	return "how can't be told"
}

func isText(name string) bool {
	return slices.Contains([]string{".json", ".ndjson"}, path.Ext(name))
}

// matchesWith says whether the file has the digest after one kind of line ending is put in place of another.
func (v *verifier) matchesWith(name, from, to, want string) bool {
	file, err := v.target.FS.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	digest, _, err := evidence.ReadDigest(&replacer{in: bufio.NewReader(file), from: []byte(from), to: []byte(to)})
	return (err == nil || errors.Is(err, errChecksum)) && string(digest) == want
}

// replacer gives the lines of a reader with another ending; a line without the first ending stays as it is.
type replacer struct {
	in       *bufio.Reader
	from, to []byte
	rest     []byte
	err      error
}

func (r *replacer) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		var piece []byte
		piece, r.err = r.in.ReadSlice('\n')
		if errors.Is(r.err, bufio.ErrBufferFull) {
			r.err = nil
			// A CR at the end of the buffer may belong to the line ending: it waits for what follows.
			if last := len(piece) - 1; piece[last] == '\r' {
				piece = piece[:last]
				r.err = r.in.UnreadByte()
			}
		}
		r.rest = bytes.Clone(piece)
		if line, found := bytes.CutSuffix(r.rest, r.from); found {
			r.rest = append(line, r.to...)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (v *verifier) endsInLF(name string) bool {
	file, err := v.target.FS.Open(name)
	if err != nil {
		return true
	}
	defer file.Close()
	last := &lastByte{}
	_, err = io.Copy(last, file)
	return err != nil || last.value == '\n'
}

type lastByte struct{ value byte }

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.value = p[len(p)-1]
	}
	return len(p), nil
}

// octets is the first part of Payload-Oxum, 0 when there is none.
func (v *verifier) octets() int64 {
	n, err := strconv.ParseInt(strings.SplitN(labelValue(v.labels, labelOxum), ".", 2)[0], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// missingOctets is by how much the listed files fall short of Payload-Oxum; 0 when that can't be told.
func (v *verifier) missingOctets() int64 {
	octets := v.octets()
	if octets == 0 || v.report.Counts.Found != v.report.Counts.Listed {
		return 0
	}
	for _, f := range v.payload {
		octets -= f.size
	}
	return octets
}
