package pack

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"casebook/engine/evidence"
)

// Names of the four bag files and of what else may stand at a pack's root.
const (
	BagItFile       = "bagit.txt"
	BagInfoFile     = "bag-info.txt"
	ManifestFile    = "manifest-sha256.txt"
	TagManifestFile = "tagmanifest-sha256.txt"
	PayloadFolder   = "data"
	SignatureFolder = "signatures"
)

const payloadPrefix = PayloadFolder + "/"

// sha256Digits is the length of a SHA-256 in hex, sha512Digits that of a SHA-512.
const (
	sha256Digits = 64
	sha512Digits = 128
)

// lineFault is what is wrong with one line of a bag file, counted from 1. A warning doesn't make the file wrong.
type lineFault struct {
	line    int
	reason  string
	warning bool
}

func (f lineFault) String() string {
	return fmt.Sprintf("line %d: %s", f.line, f.reason)
}

// manifestLine is one line of a manifest as it stands there: digest in lower case, path not decoded.
type manifestLine struct {
	digest, path string
	number       int
}

// ParseManifest reads a manifest in the strict form that casebook writes and returns its files in the order of the
// lines, without their lengths, which a manifest doesn't hold. The error names every line that is not of that form.
func ParseManifest(data []byte) ([]FileEntry, error) {
	lines, faults := parseManifest(data, sha256Digits, true)
	if len(faults) > 0 {
		errs := make([]error, len(faults))
		for i, f := range faults {
			errs[i] = errors.New(f.String())
		}
		return nil, errors.Join(errs...)
	}
	entries := make([]FileEntry, len(lines))
	for i, l := range lines {
		entries[i] = FileEntry{Path: l.path, SHA256: evidence.Digest(l.digest)}
	}
	return entries, nil
}

// writeManifest writes one line a file, sorted by the path's bytes.
func writeManifest(entries []FileEntry) []byte {
	sorted := slices.SortedFunc(slices.Values(entries), func(a, b FileEntry) int { return strings.Compare(a.Path, b.Path) })
	var out bytes.Buffer
	for _, e := range sorted {
		fmt.Fprintf(&out, "%s  %s\n", e.SHA256, e.Path)
	}
	return out.Bytes()
}

// parseManifest reads a manifest whose digests have the given number of hex digits. Lines that can be understood are
// returned also where their form is at fault, so that the files they name can still be checked.
func parseManifest(data []byte, digits int, strict bool) ([]manifestLine, []lineFault) {
	text, faults := splitLines(data, strict)
	lines := make([]manifestLine, 0, len(text))
	listed := make(map[string]int, len(text))
	for i, line := range text {
		number := i + 1
		if line == "" {
			faults = append(faults, lineFault{number, "an empty line", !strict})
			continue
		}
		digest, path, reason := splitManifestLine(line, digits, strict)
		if reason != "" {
			faults = append(faults, lineFault{line: number, reason: reason})
		}
		if path == "" {
			continue
		}
		if first, again := listed[path]; again {
			faults = append(faults, lineFault{line: number, reason: fmt.Sprintf("path %q is listed twice, first in line %d", path, first)})
			continue
		}
		if strict && len(lines) > 0 && path < lines[len(lines)-1].path {
			faults = append(faults, lineFault{line: number, reason: fmt.Sprintf("path %q out of order, after %q", path, lines[len(lines)-1].path)})
		}
		listed[path] = number
		lines = append(lines, manifestLine{digest, path, number})
	}
	return lines, faults
}

// splitManifestLine takes one line apart. An empty path means that the line can't be understood.
func splitManifestLine(line string, digits int, strict bool) (digest, path, reason string) {
	if len(line) <= digits || strings.TrimLeft(line[:digits], "0123456789abcdefABCDEF") != "" {
		return "", "", fmt.Sprintf("want %d hex digits, two blanks and a path", digits)
	}
	digest, rest := line[:digits], line[digits:]
	path = strings.TrimLeft(rest, " \t")
	switch blanks := rest[:len(rest)-len(path)]; {
	case blanks == "":
		return "", "", fmt.Sprintf("no blank after %d hex digits", digits)
	case path == "":
		return "", "", "no path"
	case strict && blanks != "  ":
		reason = "want exactly two blanks between digest and path"
	case strict && digest != strings.ToLower(digest):
		reason = "upper-case hex digits"
	}
	if !strict {
		// md5sum and its like mark a file read in binary mode so.
		path = strings.TrimPrefix(path, "*")
	}
	return strings.ToLower(digest), path, reason
}

// splitLines splits at LF on every platform. Strict text has no CR at all and ends in LF; of others CRLF and a
// missing last LF are taken with a warning.
func splitLines(data []byte, strict bool) ([]string, []lineFault) {
	var faults []lineFault
	if rest, found := bytes.CutPrefix(data, []byte("\ufeff")); found {
		faults = append(faults, lineFault{line: 1, reason: "a byte order mark"})
		data = rest
	}
	if len(data) == 0 {
		return nil, faults
	}
	text := string(data)
	if !strings.HasSuffix(text, "\n") {
		faults = append(faults, lineFault{1 + strings.Count(text, "\n"), "the last line does not end in LF", !strict})
		text += "\n"
	}
	lines := strings.Split(text[:len(text)-1], "\n")
	for i, line := range lines {
		if !utf8.ValidString(line) {
			faults = append(faults, lineFault{line: i + 1, reason: "invalid UTF-8"})
		}
		if !strings.Contains(line, "\r") {
			continue
		}
		lines[i] = strings.TrimSuffix(line, "\r")
		onlyAtEnd := !strings.Contains(lines[i], "\r")
		faults = append(faults, lineFault{i + 1, "a carriage return (CR); only LF ends a line", !strict && onlyAtEnd})
	}
	return lines, faults
}
