package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"casebook/engine/canon"
)

// stored is one string of a JSON file: where it stands, what it is, and how to replace it.
type stored struct {
	parts  []string // of its pointer, or of that of the object whose member it names
	site   site
	text   string
	isName bool         // a member's name: it has no pointer of its own and can't be replaced
	fixed  bool         // ids, formats, enums: links break when it is replaced
	set    func(string) // nil for names
}

// pointer is where the string stands. It is made only where somebody asks, since most strings are quiet.
func (s stored) pointer() string { return canon.Pointer(s.parts...) }

// fileKind says how the strings of a file are to be read.
type fileKind uint8

const (
	otherFile fileKind = iota
	requestFile
	executionFile
	attemptFile
	tryFile
)

var (
	attemptPath = regexp.MustCompile(`^a[0-9]{4,}/attempt\.json$`)
	tryPath     = regexp.MustCompile(`^a[0-9]{4,}/t[0-9]{2,}\.json$`)
)

// kindOf judges a file by its path within a step's folder.
func kindOf(name string) (fileKind, error) {
	switch {
	case name == "request.json":
		return requestFile, nil
	case name == "execution.json":
		return executionFile, nil
	case attemptPath.MatchString(name):
		return attemptFile, nil
	case tryPath.MatchString(name):
		return tryFile, nil
	}
	return otherFile, fmt.Errorf("%s: no file of a recording that redaction knows", name)
}

// strings lists every string of a tree, names too, in the order of the canonical form, each with the way to replace it.
func (k fileKind) strings(tree any) []stored {
	var found []stored
	w := treeWalk{kind: k, edit: true, visit: func(text stored) {
		text.parts = slices.Clone(text.parts)
		found = append(found, text)
	}}
	w.node(tree, nil, false)
	return found
}

// each visits the same strings, which can't be replaced then and whose parts are lent for the visit alone.
func (k fileKind) each(tree any, visit func(stored)) {
	w := treeWalk{kind: k, visit: visit}
	w.node(tree, nil, false)
}

type treeWalk struct {
	kind  fileKind
	edit  bool
	path  []string
	visit func(stored)
}

// node visits what is in v; set replaces v, and base64 says how a text in it is kept.
func (w *treeWalk) node(v any, set func(string), base64 bool) {
	switch v := v.(type) {
	case string:
		at, fixed := w.kind.site(w.path)
		at.base64 = base64
		w.visit(stored{parts: w.path, site: at, text: v, fixed: fixed, set: set})
	case []any:
		for i := range v {
			w.below(strconv.Itoa(i), v[i], func(s string) { v[i] = s }, false)
		}
	case map[string]any:
		encoding, isText := v["encoding"].(string)
		for _, name := range canon.SortedNames(v) {
			w.visit(stored{parts: w.path, site: site{place: w.kind.place(w.path)}, text: name, isName: true})
			kept := isText && name == "text" && encoding == "base64" && w.kind == tryFile
			w.below(name, v[name], func(s string) { v[name] = s }, kept)
		}
	}
}

func (w *treeWalk) below(name string, v any, set func(string), base64 bool) {
	if !w.edit {
		set = nil
	}
	w.path = append(w.path, name)
	w.node(v, set, base64)
	w.path = w.path[:len(w.path)-1]
}

// place is where the strings below a path stand.
func (k fileKind) place(path []string) place {
	path = withoutCall(path)
	switch {
	case k == requestFile:
		return inSource
	case k != tryFile || len(path) == 0:
		return inRecord
	case path[0] == "body":
		return inReply
	case path[0] == "request" && len(path) > 1 && path[1] == "headers":
		return inRequestHeader
	case path[0] == "request":
		return inRequest
	case path[0] == "http" && len(path) > 1 && path[1] == "headers":
		return inReplyHeader
	}
	return inRecord
}

// site judges a string by its path, and whether it must stay as it is.
func (k fileKind) site(path []string) (site, bool) {
	at := site{place: k.place(path)}
	if len(path) == 0 {
		return at, false
	}
	at.name = memberName(path)
	short := withoutCall(path)
	if k == tryFile && len(short) == 2 && short[0] == "body" && short[1] == "text" {
		at.reply = true
	}
	if at.place == inRequest && at.name == "text" || at.reply {
		at.name = "" // a body is no named value
	}
	return at, k.fixed(short)
}

// memberName is the last name of a path; items of a list have that of their list.
func memberName(path []string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if strings.Trim(path[i], "0123456789") != "" {
			return path[i]
		}
	}
	return ""
}

// withoutCall leaves out where in a round over several addresses a path goes on.
func withoutCall(path []string) []string {
	if len(path) > 2 && path[0] == "calls" {
		return path[2:]
	}
	return path
}

// fixed says whether the string at a path is one by which files are read and linked.
func (k fileKind) fixed(path []string) bool {
	last := path[len(path)-1]
	switch k {
	case executionFile:
		switch path[0] {
		case "format", "step", "mode", "execution_id", "request_id", "finished_at", "corpus":
			return true
		}
	case attemptFile:
		return path[0] != "error" && path[0] != "skip_reason"
	case tryFile:
		switch path[0] {
		case "request":
			return last == "method" || inBody(path)
		case "body":
			return inBody(path)
		case "http", "error", "url":
			return false
		}
		return true
	}
	return false
}

func inBody(path []string) bool {
	switch path[len(path)-1] {
	case "encoding", "body_sha256":
		return path[len(path)-2] == "body" || len(path) == 2 && path[0] == "body"
	}
	return false
}
