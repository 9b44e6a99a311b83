// Package engine runs the steps of a case.
//
// A case goes in and a [Plan] says, before anything is sent, how each step gets its recording: pinned steps are
// executed anew over the case's corpus, recorded ones are read. [Plan.Run] executes what must be executed and gives
// the recordings of all steps in the order of the case. Nothing is derived from them here.
package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/casefile"
	"casebook/engine/corpus"
	"casebook/engine/evidence"
	"casebook/engine/provider"
	"casebook/engine/search"
)

// RecordingsFolder is the folder of a case that holds the recordings of its steps.
const RecordingsFolder = "recordings"

// ErrNeedsRecording says that a step is neither pinned nor recorded, so it can't be built without the network.
var ErrNeedsRecording = errors.New("is neither pinned nor recorded, so it needs the network")

// Plan is what would run: every step of a case with its mode.
type Plan struct {
	Case  *casefile.Case
	Steps []PlannedStep

	folder  fs.FS // of the case
	corpora map[string]*corpus.Corpus
}

// PlannedStep is one step before it runs.
type PlannedStep struct {
	Spec       casefile.Step
	Request    evidence.Request // normalized
	Mode       string           // pinned, replay or live
	Candidates []string         // in the order in which they would be asked, nil for a replay
	KeyEnv     []string         // environment variables of the keys that a live run needs

	recording *evidence.Recording // the committed one, nil where there is none
}

// NewPlan resolves the steps of a case whose corpora were read from its folder, and reads what was recorded of them.
func NewPlan(c *casefile.Case, folder fs.FS, corpora map[string]*corpus.Corpus) (*Plan, error) {
	plan := &Plan{Case: c, folder: folder, corpora: corpora}
	for _, spec := range c.Steps {
		step, err := plan.resolve(spec)
		if err != nil {
			return nil, fmt.Errorf("case %s: step %s: %w", c.ID, spec.ID, err)
		}
		plan.Steps = append(plan.Steps, step)
	}
	return plan, plan.checkRecordings()
}

func (p *Plan) resolve(spec casefile.Step) (PlannedStep, error) {
	step := PlannedStep{Spec: spec}
	if err := canon.Decode(spec.Request, &step.Request); err != nil {
		return step, err
	}
	step.Request = step.Request.Normalized()
	recorded, err := p.isRecorded(spec.ID)
	if err != nil {
		return step, err
	}
	switch pinned := search.Pinned(step.Request); {
	case pinned && recorded:
		return step, fmt.Errorf("a pinned step has recordings; remove %s", path.Join("cases", p.Case.ID, RecordingsFolder, spec.ID))
	case pinned:
		step.Mode, step.Candidates = evidence.ModePinned, []string{search.LocalProvider}
		return step, nil
	case recorded:
		step.recording, err = p.readRecording(spec)
		step.Mode = evidence.ModeReplay
		return step, err
	}
	step.Mode = evidence.ModeLive
	step.Candidates, err = search.Candidates(step.Request)
	if err != nil {
		return step, err
	}
	for _, id := range step.Candidates {
		candidate, _, err := provider.Select(id, step.Request.Capability)
		if err != nil {
			return step, err
		}
		if candidate.KeyEnv != "" {
			step.KeyEnv = append(step.KeyEnv, candidate.KeyEnv)
		}
	}
	return step, nil
}

func (p *Plan) isRecorded(step string) (bool, error) {
	dir := path.Join(RecordingsFolder, step)
	info, err := fs.Stat(p.folder, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: is no folder", dir)
	}
	return err == nil, err
}

// checkRecordings refuses recordings of steps that the case doesn't have, since they would be evidence that no page
// shows, and recordings without their ledger, since without it nobody can tell what was removed from them.
func (p *Plan) checkRecordings() error {
	entries, err := fs.ReadDir(p.folder, RecordingsFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ledger := false
	for _, e := range entries {
		if e.Name() == LedgerFile {
			ledger = true
			continue
		}
		if p.step(e.Name()) == nil {
			return fmt.Errorf("case %s: %s/%s belongs to no step of case.yaml", p.Case.ID, RecordingsFolder, e.Name())
		}
	}
	if len(entries) > 0 && !ledger {
		return fmt.Errorf("case %s: %s/%s is missing; it is the ledger of the recordings beside it", p.Case.ID, RecordingsFolder, LedgerFile)
	}
	return nil
}

func (p *Plan) step(id string) *PlannedStep {
	for i := range p.Steps {
		if p.Steps[i].Spec.ID == id {
			return &p.Steps[i]
		}
	}
	return nil
}

// readRecording reads the committed recording of a step and holds it against the request of the case.
func (p *Plan) readRecording(spec casefile.Step) (*evidence.Recording, error) {
	dir := path.Join(RecordingsFolder, spec.ID)
	recording, err := evidence.ReadRecording(p.folder, dir)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(recording.Request.Request, spec.Request) {
		return nil, fmt.Errorf("%s/request.json: records another request than case.yaml asks", dir)
	}
	return recording, checkOrigins(recording, dir)
}

// checkOrigins holds the origin of every try against the mode of its execution. What is committed was never pinned,
// and a try that a replay compares with the request of today can't pass for one that it doesn't.
func checkOrigins(r *evidence.Recording, dir string) error {
	var origins []string
	switch r.Execution.Mode {
	case evidence.ModeLive:
		origins = []string{evidence.OriginRecorded, evidence.OriginAuthored}
	case evidence.ModeImported:
		origins = []string{evidence.OriginImported}
	default:
		return fmt.Errorf("%s/execution.json: mode is %q, of a committed recording it is %q or %q",
			dir, r.Execution.Mode, evidence.ModeLive, evidence.ModeImported)
	}
	for _, a := range r.Attempts {
		for i, try := range a.Tries {
			if !slices.Contains(origins, try.Origin) {
				return fmt.Errorf("%s/%s/%s.json: origin is %q, of mode %q it is %s",
					dir, a.Folder, evidence.TryStem(i+1), try.Origin, r.Execution.Mode, strings.Join(origins, " or "))
			}
		}
	}
	return nil
}
