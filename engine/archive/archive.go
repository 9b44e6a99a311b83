// Package archive keeps what a run saw, before anyone parses it.
//
// An [Archive] is one file that only grows: a line for each request, try, attempt and execution of the steps of a
// case, written before the call returns and, unless it is [Archive.Repeatable], on the disk then. It holds unredacted bytes, so it is private and no page or
// pack is ever made from it directly. [Archive.Recordings] gives them to redaction.
package archive

import (
	"encoding/json"
	"fmt"
	"slices"

	"casebook/engine/canon"
	"casebook/engine/durable"
	"casebook/engine/evidence"
)

// Format is the format name in each line.
const Format = "casebook-archive/1"

// Archive is open for appending. It is used by one goroutine.
type Archive struct {
	journal *durable.Journal
	steps   []*evidence.Recording
}

// line is one record; exactly one of the last five members is set.
type line struct {
	Format    string                    `json:"format"`
	Step      string                    `json:"step"`
	Folder    string                    `json:"folder,omitempty"`    // absent: a record of the whole step
	Request   *evidence.RecordedRequest `json:"request,omitempty"`   // absent: another kind of record
	Try       *evidence.TryRecord       `json:"try,omitempty"`       // absent: another kind of record
	Outcome   *outcome                  `json:"outcome,omitempty"`   // absent: another kind of record
	Attempt   *evidence.AttemptRecord   `json:"attempt,omitempty"`   // absent: another kind of record
	Execution *evidence.Execution       `json:"execution,omitempty"` // absent: another kind of record
}

// outcome is what reading a try's reply found.
type outcome struct {
	TryNumber int                 `json:"try_number"`
	Outcome   evidence.TryOutcome `json:"outcome"`
	Error     *evidence.TryFault  `json:"error"`
}

// Create begins an empty archive at path in place of an older one.
func Create(path string) (*Archive, error) {
	if err := durable.Remove(path); err != nil {
		return nil, err
	}
	return Open(path)
}

// Repeatable says that what is recorded could be had again, as from a corpus, so that no record waits for the disk.
func (a *Archive) Repeatable() { a.journal.Waits = false }

// Open goes on with the archive at path, or begins it. What it holds is kept; a record that a crash cut short is not.
func Open(path string) (*Archive, error) {
	journal, lines, err := durable.OpenJournal(path, durable.PrivateFile)
	if err != nil {
		return nil, err
	}
	a := &Archive{journal: journal}
	for i, data := range lines {
		var l line
		if err = canon.Decode(data, &l); err == nil {
			err = a.take(l)
		}
		if err != nil {
			closing := journal.Close()
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, joined(err, closing))
		}
	}
	return a, nil
}

func joined(err, closing error) error {
	if closing != nil {
		return fmt.Errorf("%w (closing: %w)", err, closing)
	}
	return err
}

// Close ends the writing.
func (a *Archive) Close() error { return a.journal.Close() }

// Recordings returns the steps in the order in which they began. The values are not to be changed.
func (a *Archive) Recordings() []evidence.Recording {
	recordings := make([]evidence.Recording, len(a.steps))
	for i, step := range a.steps {
		recordings[i] = *step
	}
	return recordings
}

// Finished says whether the archive holds the whole execution of a step.
func (a *Archive) Finished(step string) bool {
	r := a.find(step)
	return r != nil && r.Execution.Format != ""
}

// Begin records the request of a step, before anything is sent.
func (a *Archive) Begin(request evidence.RecordedRequest) (*Step, error) {
	step := &Step{archive: a, id: request.Step}
	return step, a.append(line{Format: Format, Step: request.Step, Request: &request})
}

// Step records one step.
type Step struct {
	archive *Archive
	id      string
}

// RecordTry records a try of the attempt in folder.
func (s *Step) RecordTry(folder string, try evidence.TryRecord) error {
	return s.archive.append(line{Format: Format, Step: s.id, Folder: folder, Try: &try})
}

// RecordOutcome records what reading a recorded try found wrong; the try's bytes stay as they were.
func (s *Step) RecordOutcome(folder string, try evidence.TryRecord) error {
	outcome := &outcome{try.TryNumber, try.Outcome, try.Error}
	return s.archive.append(line{Format: Format, Step: s.id, Folder: folder, Outcome: outcome})
}

// RecordAttempt records what became of an attempt, after its tries.
func (s *Step) RecordAttempt(folder string, attempt evidence.AttemptRecord) error {
	return s.archive.append(line{Format: Format, Step: s.id, Folder: folder, Attempt: &attempt})
}

// Finish records the facts of the execution, after its attempts.
func (s *Step) Finish(execution evidence.Execution) error {
	return s.archive.append(line{Format: Format, Step: s.id, Execution: &execution})
}

func (a *Archive) append(l line) error {
	data, err := canon.EncodeLine(l)
	if err != nil {
		return err
	}
	if err := a.journal.Append(data); err != nil {
		return err
	}
	return a.take(l)
}

// take adds one record to what the archive holds.
func (a *Archive) take(l line) error {
	if l.Format != Format {
		return fmt.Errorf("format %q, want %q", l.Format, Format)
	}
	step := a.find(l.Step)
	if l.Request != nil {
		if step != nil {
			return fmt.Errorf("step %q begins twice", l.Step)
		}
		request := *l.Request
		request.Request = json.RawMessage(slices.Clone([]byte(request.Request)))
		a.steps = append(a.steps, &evidence.Recording{Step: l.Step, Request: request})
		return nil
	}
	if step == nil {
		return fmt.Errorf("step %q has a record before its request", l.Step)
	}
	switch {
	case l.Execution != nil:
		step.Execution = *l.Execution
	case l.Try != nil:
		attempt := attemptIn(step, l.Folder)
		attempt.Tries = append(attempt.Tries, *l.Try)
	case l.Outcome != nil:
		return settle(attemptIn(step, l.Folder), *l.Outcome)
	case l.Attempt != nil:
		attemptIn(step, l.Folder).Record = *l.Attempt
	default:
		return fmt.Errorf("step %q has a record of no known kind", l.Step)
	}
	return nil
}

func settle(attempt *evidence.RecordedAttempt, o outcome) error {
	for i := range attempt.Tries {
		if try := &attempt.Tries[i]; try.TryNumber == o.TryNumber {
			try.Outcome, try.Error = o.Outcome, o.Error
			return nil
		}
	}
	return fmt.Errorf("attempt %s has an outcome of try %d, which it lacks", attempt.Folder, o.TryNumber)
}

func (a *Archive) find(step string) *evidence.Recording {
	for _, r := range a.steps {
		if r.Step == step {
			return r
		}
	}
	return nil
}

func attemptIn(step *evidence.Recording, folder string) *evidence.RecordedAttempt {
	for i := range step.Attempts {
		if step.Attempts[i].Folder == folder {
			return &step.Attempts[i]
		}
	}
	step.Attempts = append(step.Attempts, evidence.RecordedAttempt{Folder: folder})
	return &step.Attempts[len(step.Attempts)-1]
}
