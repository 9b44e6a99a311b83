package derive

import (
	"path"
	"slices"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/pack"
)

// Rules by which derived files follow, as provenance.json names them.
const (
	byNormalise = "normalise/1"
	byProject   = "project/1"
)

// Files derives the evidence of one step: its files by their paths in a pack, and from what each follows.
func Files(r *evidence.Recording) ([]evidence.File, []pack.Derivation, error) {
	response, err := Response(r)
	if err != nil {
		return nil, nil, err
	}
	var lines []byte
	for i := range response.Observations {
		line, err := canon.EncodeLine(&response.Observations[i])
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, line...)
	}
	encoded, err := canon.EncodeLine(response)
	if err != nil {
		return nil, nil, err
	}
	dir := path.Join("data/evidence", r.Step)
	observations, responses := path.Join(dir, "observations.ndjson"), path.Join(dir, "response.json")
	attempts := attemptFiles(r)
	source := path.Join("data/recordings", r.Step)
	execution, request := path.Join(source, "execution.json"), path.Join(source, "request.json")
	seen := attempts
	if response.Capability == evidence.Extract {
		// Documents are matched to the URLs that were asked for.
		seen = slices.Concat(attempts, []string{execution, request})
	}
	derivations := []pack.Derivation{
		{File: observations, From: seen, By: byNormalise},
		{File: responses, From: slices.Concat([]string{observations}, attempts, []string{execution, request}), By: byProject},
	}
	return []evidence.File{{Path: observations, Data: lines}, {Path: responses, Data: encoded}}, derivations, nil
}

// attemptFiles lists the files of all attempts, sorted.
func attemptFiles(r *evidence.Recording) []string {
	files := []string{}
	for _, a := range r.Attempts {
		dir := path.Join("data/recordings", r.Step, a.Folder)
		files = append(files, path.Join(dir, "attempt.json"))
		for _, stem := range a.Record.Tries {
			files = append(files, path.Join(dir, stem+".json"))
		}
	}
	return files
}
