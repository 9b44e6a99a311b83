package casefile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Fault is one thing that is wrong with a file that an author wrote.
type Fault struct {
	File         string
	Line, Column int    // from 1, Column in code points; both 0 where the fault is of the whole file
	Path         string // the member, such as steps[1].request.options.max_results; "" at the top
	Message      string
}

// String writes the fault as editors understand it: file:line:column: path: message.
func (f Fault) String() string {
	var out strings.Builder
	out.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&out, ":%d:%d", f.Line, f.Column)
	}
	out.WriteString(": ")
	if f.Path != "" {
		out.WriteString(f.Path + ": ")
	}
	out.WriteString(f.Message)
	return out.String()
}

// sorted orders faults by place and drops repeated ones, which two rules may find.
func sorted(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Path, b.Path), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(faults)
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// joinName and joinIndex extend the path of a member by one of its own.
func joinName(path, name string) string {
	if !plainName.MatchString(name) {
		return fmt.Sprintf("%s[%q]", path, name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func joinIndex(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// invalidUTF8 finds the first byte that isn't UTF-8; there must be one.
func invalidUTF8(file string, data []byte) *Fault {
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	line, column := position(data[:at])
	return &Fault{File: file, Line: line, Column: column, Message: fmt.Sprintf("invalid UTF-8 at byte %d", at)}
}

// position is the place right after the text.
func position(text []byte) (line, column int) {
	line, start := 1, 0
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			line, start = line+1, i+1
		}
	}
	return line, utf8.RuneCount(text[start:]) + 1
}
