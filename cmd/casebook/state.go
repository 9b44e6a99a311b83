package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"casebook/engine/durable"
	"casebook/engine/evidence"
	"casebook/render"
)

// stateFormat is the format name of a state file; another one is read as no state.
const stateFormat = "casebook-state/1"

// caseState is what the last build of a case left behind. It spares work and holds nothing that a build could not
// make again.
type caseState struct {
	Format string           `json:"format"`
	Key    evidence.Digest  `json:"key"` // over all inputs and the program
	PackID evidence.Digest  `json:"pack_id"`
	Failed int              `json:"failed"` // expectations that did not hold
	Card   render.Card      `json:"card"`
	Site   []render.Written `json:"site"`
}

func (p *project) statePath(id string) string { return p.path(privateFolder, "state", id+".json") }

// readState returns the state of a case, nil if there is none that can be used.
func (p *project) readState(id string) *caseState {
	data, err := os.ReadFile(p.statePath(id))
	if err != nil {
		return nil
	}
	var s caseState
	if json.Unmarshal(data, &s) != nil || s.Format != stateFormat {
		return nil
	}
	return &s
}

// addState adds the state of a case to a batch.
func (p *project) addState(id string, s *caseState, batch *durable.Batch) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return batch.Add(p.statePath(id), data)
}

// stateIDs lists the cases that were built before.
func (p *project) stateIDs() ([]string, error) {
	entries, err := os.ReadDir(p.path(privateFolder, "state"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && !strings.HasPrefix(id, ".") {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// whole says whether everything that the state tells of is still on the disk with its size.
func (p *project) whole(s *caseState) bool {
	site, packs := p.path(siteFolder), p.path(packsFolder)
	for _, file := range s.Site {
		info, err := os.Stat(site + "/" + file.Path)
		if err != nil || info.Size() != file.Bytes {
			return false
		}
		// The copy in the site lists what the pack itself must have.
		if below, ok := strings.CutPrefix(file.Path, packsFolder); ok {
			info, err := os.Stat(packs + below)
			if err != nil || info.Size() != file.Bytes {
				return false
			}
		}
	}
	return len(s.Site) > 0
}

// inputKey is over the path and bytes of every file of a case but its sum, the project's settings and the program.
func (p *project) inputKey(id string, program string) (evidence.Digest, error) {
	dir := path.Join(casesFolder, id)
	lines := []string{stateFormat, program}
	add := func(name string) error {
		data, err := fs.ReadFile(p.fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		lines = append(lines, string(evidence.FileDigest(data))+"  "+name)
		return nil
	}
	if err := add("casebook.yaml"); err != nil {
		return "", err
	}
	err := fs.WalkDir(p.fsys, dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.Type().IsRegular():
			lines = append(lines, entry.Type().String()+" "+name)
			return nil
		case name == path.Join(dir, sumFile):
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Size() > largestInput {
			lines = append(lines, fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), name))
			return nil
		}
		return add(name)
	})
	return evidence.TextDigest(strings.Join(lines, "\n")), err
}

// largestInput is beyond every limit on a file of a case; a larger file is told by size and time and never read.
const largestInput = 16 << 20

// programKey tells one build of this program from another, so that a newer one makes everything anew.
func programKey() (string, error) {
	file, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d %d", rulesVersion, info.Size(), info.ModTime().UnixNano()), nil
}

// owned refuses to replace a folder in packs that is no pack of this case.
func (p *project) owned(id string) error {
	dir := p.path(packsFolder, id)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return &inputError{err: err}
	}
	if _, err := os.Stat(filepath.Join(dir, "tagmanifest-sha256.txt")); err != nil {
		return &inputError{err: fmt.Errorf("%s: is no pack, so casebook did not write it; move it away", dir)}
	}
	return nil
}

// compareSum holds a pack's manifest, the one on the disk for nil, against the committed case.sum.
func (p *project) compareSum(id string, manifest []byte) (string, error) {
	sum, err := os.ReadFile(p.path(casesFolder, id, sumFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "missing", nil
	}
	if err != nil {
		return "", err
	}
	if manifest == nil {
		if manifest, err = os.ReadFile(p.path(packsFolder, id, "manifest-sha256.txt")); err != nil {
			return "", err
		}
	}
	if string(sum) == string(manifest) {
		return "equal", nil
	}
	return "differs", nil
}
