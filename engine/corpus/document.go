package corpus

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"casebook/engine/evidence"
)

// Limits on one document.
const (
	MaxDocumentBytes = 5 << 20
	// MaxHeaderBytes bounds the front matter, so that a document that never closes it is not read as YAML.
	MaxHeaderBytes = 64 << 10
)

// Document is one document of a corpus. Title and Date are nil where the front matter has none, and are never guessed.
type Document struct {
	Path   string // from the corpus folder, with slashes
	URL    string
	Title  *string
	Date   *string
	Text   string          // from the line break of the second --- to the end of the file, exactly
	Digest evidence.Digest // file SHA-256

	urlLine, urlColumn int // of the url in the file, from 1
}

// Fault is one thing that is wrong with a corpus. Line and Column count from 1, Column in code points; both are 0
// where the fault is of the file as a whole.
type Fault struct {
	File         string
	Line, Column int
	Message      string
}

// String gives the fault in the form file:line:column: message.
func (f Fault) String() string {
	switch {
	case f.Line == 0:
		return f.File + ": " + f.Message
	case f.Column == 0:
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

const (
	marker     = "---\n"
	headerLine = 2 // of the first line after the opening marker
)

// parse reads one document. What it gives is usable only without faults.
func parse(file, path string, data []byte) (Document, []Fault) {
	d := Document{Path: path, Digest: evidence.FileDigest(data)}
	if !utf8.Valid(data) {
		return d, []Fault{invalidUTF8(file, data)}
	}
	header, text, fault := split(file, string(data))
	if fault != nil {
		return d, []Fault{*fault}
	}
	d.Text = text
	h := headerReader{file: file}
	h.read(header, &d)
	return d, h.faults
}

func invalidUTF8(file string, data []byte) Fault {
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	before := data[:at]
	line := bytes.Count(before, []byte("\n"))
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return Fault{file, line + 1, column + 1, fmt.Sprintf("invalid UTF-8 at byte %d", at)}
}

// split cuts a document at its two markers.
func split(file, data string) (header, text string, fault *Fault) {
	rest, ok := strings.CutPrefix(data, marker)
	if !ok {
		message := "no front matter: the first line must be ---"
		if strings.HasPrefix(data, "---\r\n") {
			message = "front matter with CR LF: lines must end with LF"
		}
		return "", "", &Fault{file, 1, 1, message}
	}
	for at := 0; at < len(rest) && at <= MaxHeaderBytes; {
		line := rest[at:]
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		if line == "---" {
			return rest[:at], strings.TrimPrefix(rest[at+len(line):], "\n"), nil
		}
		at += len(line) + 1
	}
	return "", "", &Fault{file, 1, 1, fmt.Sprintf("front matter is not closed: a second line --- is missing within %d bytes", MaxHeaderBytes)}
}

// headerReader collects what is wrong with one front matter.
type headerReader struct {
	file   string
	faults []Fault
}

func (h *headerReader) fault(n *yaml.Node, format string, args ...any) {
	h.faults = append(h.faults, Fault{h.file, n.Line + headerLine - 1, n.Column, fmt.Sprintf(format, args...)})
}

// yamlFault takes the place out of a message of the YAML reader, which counts lines from the front matter's first.
var yamlFault = regexp.MustCompile(`^yaml: (?:line (\d+): )?((?s:.*))$`)

func (h *headerReader) read(header string, d *Document) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(header), &root); err != nil {
		line, message := headerLine, err.Error()
		if parts := yamlFault.FindStringSubmatch(message); parts != nil {
			message = parts[2]
			if n, err := strconv.Atoi(parts[1]); err == nil {
				line = n + headerLine - 1
			}
		}
		h.faults = append(h.faults, Fault{h.file, line, 0, "front matter: " + message})
		return
	}
	if len(root.Content) == 1 {
		h.mapping(root.Content[0], d)
	}
	if d.URL == "" && len(h.faults) == 0 {
		h.faults = append(h.faults, Fault{h.file, 1, 1, "front matter has no url"})
	}
}

func (h *headerReader) mapping(m *yaml.Node, d *Document) {
	if m.Kind != yaml.MappingNode {
		h.fault(m, "front matter must be keys and values")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			h.fault(key, "a key must be a plain word")
			continue
		}
		if seen[key.Value] {
			h.fault(key, "duplicate key %q", key.Value)
			continue
		}
		seen[key.Value] = true
		h.entry(key, value, d)
	}
}

func (h *headerReader) entry(key, value *yaml.Node, d *Document) {
	switch key.Value {
	case "url", "title", "date", "from", "lines", "licence":
	default:
		h.fault(key, "unknown key %q: allowed are url, title, date, from, lines, licence", key.Value)
		return
	}
	if value.Kind != yaml.ScalarNode || value.Style&yaml.TaggedStyle != 0 {
		h.fault(value, "%s must be one text without tag, alias or list", key.Value)
		return
	}
	if value.Tag == "!!null" {
		return
	}
	switch key.Value {
	case "url":
		if reason := badURL(value.Value); reason != "" {
			h.fault(value, "url %q %s", value.Value, reason)
			return
		}
		d.URL, d.urlLine, d.urlColumn = value.Value, value.Line+headerLine-1, value.Column
	case "title":
		d.Title = &value.Value
	case "date":
		d.Date = &value.Value
	}
}

// badURL says why a document can't have this address, "" if it can.
func badURL(s string) string {
	if lower := strings.ToLower(s); !strings.HasPrefix(lower, "http:") && !strings.HasPrefix(lower, "https:") {
		return "must begin with http:// or https://"
	}
	if !evidence.IsURL(s) {
		return "has no host"
	}
	return ""
}
