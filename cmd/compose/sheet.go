package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"casebook/engine/evidence"
	"golang.org/x/text/unicode/norm"
)

// sheet is a composed document: the header that stands before its text, and the text.
type sheet struct {
	url, title, date, from, lines, licence string
	text                                   string
}

// file gives the bytes of corpus/<slug>.txt. The keys stand in one fixed order, and title, date, from and lines in
// double quotes, since YAML would make a timestamp of a bare date.
func (s sheet) file() []byte {
	var out bytes.Buffer
	out.WriteString("---\nurl: " + s.url + "\n")
	for _, line := range [][2]string{{"title", s.title}, {"date", s.date}, {"from", s.from}, {"lines", s.lines}} {
		if line[0] != "lines" || line[1] != "" {
			out.WriteString(line[0] + ": " + quoteJSON(line[1]) + "\n")
		}
	}
	out.WriteString("licence: " + s.licence + "\n---\n" + s.text)
	return out.Bytes()
}

// parseSheet reads what file wrote, and nothing else: a header in another form was not made by this program.
func parseSheet(data []byte) (sheet, error) {
	header, text, ok := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n---\n")
	if !ok || !bytes.HasPrefix(data, []byte("---\n")) {
		return sheet{}, errors.New("no header between two lines of ---")
	}
	s := sheet{text: text}
	place := map[string]*string{"url": &s.url, "title": &s.title, "date": &s.date, "from": &s.from, "lines": &s.lines, "licence": &s.licence}
	for _, line := range strings.Split(header, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		field := place[key]
		if field == nil || !ok {
			return sheet{}, fmt.Errorf("header line %q: not one of the six keys", line)
		}
		*field = value
		if strings.HasPrefix(value, `"`) {
			if err := json.Unmarshal([]byte(value), field); err != nil {
				return sheet{}, fmt.Errorf("header line %q: %w", line, err)
			}
		}
	}
	if !bytes.Equal(s.file(), data) {
		return sheet{}, errors.New("keys are not in their order and form")
	}
	return s, nil
}

// checkText refuses a text that may not stand in a corpus. It is never mended: an offset must mean the same place in
// the source and in the document.
func checkText(text string) error {
	switch {
	case !utf8.ValidString(text):
		return errors.New("text is not UTF-8")
	case strings.ContainsRune(text, '\r'):
		return errors.New("text has a CR")
	case strings.Trim(text, "\n") == "":
		return errors.New("text is empty")
	case !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n"):
		return errors.New("text does not end in exactly one LF")
	case !norm.NFC.IsNormalString(text):
		return errors.New("text is not NFC")
	}
	return nil
}

// entry is one document in SOURCES.json.
type entry struct {
	File       string          `json:"file"`
	Bytes      int             `json:"bytes"`
	SHA256     evidence.Digest `json:"sha256"`
	TextSHA256 evidence.Digest `json:"text_sha256"`
	URL        string          `json:"url"`
	Title      string          `json:"title"`
	Date       string          `json:"date"`
	Licence    string          `json:"licence"`
	From       origin          `json:"from"`
}

// origin is where the text of a document was cut from.
type origin struct {
	Registry     string          `json:"registry"`
	Name         string          `json:"name"`
	Version      string          `json:"version"`
	Path         string          `json:"path"`
	Inside       string          `json:"inside,omitempty"` // absent: the source is the whole file
	SourceSHA256 evidence.Digest `json:"source_sha256"`
	Rule         string          `json:"rule"`
	Pick         pick            `json:"pick"`
	FirstLine    *int            `json:"first_line"`
	LastLine     *int            `json:"last_line"`
}

func (s sheet) entry(slug string, from origin) entry {
	file := s.file()
	return entry{
		File: slug + ".txt", Bytes: len(file),
		SHA256: evidence.FileDigest(file), TextSHA256: evidence.TextDigest(s.text),
		URL: s.url, Title: s.title, Date: s.date, Licence: s.licence, From: from,
	}
}
