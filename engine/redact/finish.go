package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// finish calculates anew what depends on changed strings, and turns the trees into recordings again.
func (s *scrubber) finish(documents []*document) (Clean, error) {
	for _, c := range s.changes {
		if c.kind == tryFile {
			s.remeasure(c)
		}
	}
	sortLedger(&s.ledger)
	content := &cleanContent{ledger: s.ledger}
	for _, d := range documents {
		data, err := canon.EncodeLine(d.tree)
		if err != nil {
			return Clean{}, fmt.Errorf("%s: it can't be written after redaction", d.path)
		}
		if n := len(content.steps); n == 0 || content.steps[n-1].step != d.step {
			content.steps = append(content.steps, stepFiles{step: d.step})
		}
		last := &content.steps[len(content.steps)-1]
		last.files = append(last.files, evidence.File{Path: d.path, Data: data})
	}
	for _, step := range content.steps {
		if err := step.verify(); err != nil {
			return Clean{}, err
		}
	}
	return Clean{content}, nil
}

// remeasure gives the body around a changed text its new length and digest, and drops the headers that would let a
// reader test guesses of what was removed.
func (s *scrubber) remeasure(c *change) {
	parts, ok := canon.SplitPointer(c.pointer())
	if !ok || len(parts) < 2 || parts[len(parts)-1] != "text" || parts[len(parts)-2] != "body" {
		return
	}
	at := canon.Pointer(parts[:len(parts)-1]...)
	node, found := canon.Lookup(c.tree, at)
	body, isObject := node.(map[string]any)
	if !found || !isObject {
		return
	}
	if len(c.hits) > 0 {
		text, isString := body["text"].(string)
		if !isString {
			return
		}
		measured := evidence.Body{}.WithText(text)
		body["encoding"], body["redacted"] = measured.Encoding, measured.Redacted
		body["bytes"], body["body_sha256"] = json.Number(fmt.Sprint(measured.Bytes)), string(measured.BodySHA256)
		s.ledger.Recomputed = append(s.ledger.Recomputed,
			Recomputed{File: c.path, Pointer: at + "/body_sha256"}, Recomputed{File: c.path, Pointer: at + "/bytes"})
	}
	dropDigests(c.tree, parts)
}

// dropDigests removes digest-like headers of the exchange that the body at parts belongs to.
func dropDigests(tree any, parts []string) {
	var base []string
	if len(parts) > 2 && parts[0] == "calls" {
		base = parts[:2]
	}
	for _, part := range [...]string{"http", "request"} {
		node, found := canon.Lookup(tree, canon.Pointer(append(base[:len(base):len(base)], part, "headers")...))
		headers, isObject := node.(map[string]any)
		if !found || !isObject {
			continue
		}
		for _, name := range canon.SortedNames(headers) {
			if digestHeader(name) {
				delete(headers, name)
			}
		}
	}
}

// digestHeader says whether a header tells length or digest of a body, now or earlier.
func digestHeader(name string) bool {
	switch strings.ToLower(name) {
	case "etag", "digest", "repr-digest", "content-digest", "content-md5", "content-length", "if-match", "if-none-match",
		"x-amz-content-sha256", "x-content-sha256", "x-goog-hash":
		return true
	}
	return false
}

// verify decodes a step and writes it again: what comes out must be what went in.
func (f stepFiles) verify() error {
	recording, err := f.decode()
	if err != nil {
		return err
	}
	files, err := recording.Files()
	if err != nil || len(files) != len(f.files) {
		return fmt.Errorf("recording of step %q: it can't be read back after redaction", f.step)
	}
	for i, file := range files {
		if !bytes.Equal(file.Data, f.files[i].Data) {
			return fmt.Errorf("%s: it doesn't read back as it was after redaction", f.files[i].Path)
		}
	}
	return nil
}

// decode makes the recording that the files hold.
func (f stepFiles) decode() (*evidence.Recording, error) {
	r := &evidence.Recording{Step: f.step}
	root := path.Join(recordingsRoot, f.step) + "/"
	for _, file := range f.files {
		name := strings.TrimPrefix(file.Path, root)
		kind, err := kindOf(name)
		if err != nil {
			return nil, err
		}
		if err := addFile(r, kind, name, file.Data); err != nil {
			// The cause may quote what it stumbled over.
			return nil, fmt.Errorf("%s: it can't be read back after redaction", file.Path)
		}
	}
	return r, nil
}

// addFile decodes one file into its place; files come in the order of [evidence.Recording.Files].
func addFile(r *evidence.Recording, kind fileKind, name string, data []byte) error {
	switch kind {
	case requestFile:
		return json.Unmarshal(data, &r.Request)
	case executionFile:
		return json.Unmarshal(data, &r.Execution)
	case attemptFile:
		attempt := evidence.RecordedAttempt{Folder: path.Dir(name)}
		err := json.Unmarshal(data, &attempt.Record)
		r.Attempts = append(r.Attempts, attempt)
		return err
	}
	if len(r.Attempts) == 0 {
		return fmt.Errorf("%s: a try before its attempt", name)
	}
	var try evidence.TryRecord
	err := json.Unmarshal(data, &try)
	last := &r.Attempts[len(r.Attempts)-1]
	last.Tries = append(last.Tries, try)
	return err
}
