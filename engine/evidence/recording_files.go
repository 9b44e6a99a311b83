package evidence

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"casebook/engine/canon"
)

// File is one file of a recording or pack: its path with slashes and its bytes.
type File struct {
	Path string
	Data []byte
}

// AttemptFolder names the n-th attempt's folder, n from 1.
func AttemptFolder(n int) string { return fmt.Sprintf("a%04d", n) }

// TryStem names the n-th try's file without its ending, n from 1.
func TryStem(n int) string { return fmt.Sprintf("t%02d", n) }

var (
	attemptFolder = regexp.MustCompile(`^a[0-9]{4,}$`)
	tryFile       = regexp.MustCompile(`^t[0-9]{2,}\.json$`)
)

// Files writes a recording in the layout of a pack's data/recordings/<step>/, paths relative to that folder.
func (r *Recording) Files() ([]File, error) {
	var files []File
	add := func(name string, v any) error {
		data, err := canon.EncodeLine(v)
		if err != nil {
			return fmt.Errorf("step %s: %s: %w", r.Step, name, err)
		}
		files = append(files, File{name, data})
		return nil
	}
	if err := add("request.json", r.Request); err != nil {
		return nil, err
	}
	if err := add("execution.json", r.Execution); err != nil {
		return nil, err
	}
	for _, a := range r.Attempts {
		if err := add(path.Join(a.Folder, "attempt.json"), a.Record); err != nil {
			return nil, err
		}
		for i := range a.Tries {
			if err := add(path.Join(a.Folder, TryStem(i+1)+".json"), a.Tries[i]); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// ReadRecording reads the folder of one step; dir is its path in fsys and its last part the step's id.
// It refuses files that a recording doesn't have, gaps in the numbers, and links that don't hold.
func ReadRecording(fsys fs.FS, dir string) (*Recording, error) {
	r := &Recording{Step: path.Base(dir)}
	if err := readJSON(fsys, path.Join(dir, "request.json"), RequestFormat, &r.Request, &r.Request.Format); err != nil {
		return nil, err
	}
	if err := readJSON(fsys, path.Join(dir, "execution.json"), ExecutionFormat, &r.Execution, &r.Execution.Format); err != nil {
		return nil, err
	}
	if r.Request.Step != r.Step || r.Execution.Step != r.Step {
		return nil, fmt.Errorf("%s: its files name step %q and %q", dir, r.Request.Step, r.Execution.Step)
	}
	entries, err := readNumbered(fsys, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "request.json" || name == "execution.json":
		case e.IsDir() && attemptFolder.MatchString(name):
			if want := AttemptFolder(len(r.Attempts) + 1); name != want {
				return nil, fmt.Errorf("%s: folder %s where %s is due", dir, name, want)
			}
			attempt, err := readAttempt(fsys, path.Join(dir, name))
			if err != nil {
				return nil, err
			}
			r.Attempts = append(r.Attempts, attempt)
		default:
			return nil, fmt.Errorf("%s: no file of a recording", path.Join(dir, name))
		}
	}
	return r, nil
}

func readAttempt(fsys fs.FS, dir string) (RecordedAttempt, error) {
	a := RecordedAttempt{Folder: path.Base(dir)}
	if err := readJSON(fsys, path.Join(dir, "attempt.json"), AttemptFormat, &a.Record, &a.Record.Format); err != nil {
		return a, err
	}
	entries, err := readNumbered(fsys, dir)
	if err != nil {
		return a, err
	}
	var stems []string
	for _, e := range entries {
		name := e.Name()
		if name == "attempt.json" {
			continue
		}
		if e.IsDir() || !tryFile.MatchString(name) {
			return a, fmt.Errorf("%s: no file of an attempt", path.Join(dir, name))
		}
		var try TryRecord
		file := path.Join(dir, name)
		if err := readJSON(fsys, file, TryFormat, &try, &try.Format); err != nil {
			return a, err
		}
		stems = append(stems, strings.TrimSuffix(name, ".json"))
		if err := try.check(a.Record.AttemptID, len(stems), stems[len(stems)-1]); err != nil {
			return a, fmt.Errorf("%s: %w", file, err)
		}
		a.Tries = append(a.Tries, try)
	}
	if !slices.Equal(stems, a.Record.Tries) {
		return a, fmt.Errorf("%s/attempt.json: lists tries %q, the folder has %q", dir, a.Record.Tries, stems)
	}
	return a, nil
}

// readNumbered lists a folder so that a9999 stands before a10000.
func readNumbered(fsys fs.FS, dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(fsys, dir)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return len(a.Name()) - len(b.Name()) })
	return entries, err
}

func (t *TryRecord) check(attemptID string, number int, stem string) error {
	if t.AttemptID != attemptID {
		return fmt.Errorf("belongs to attempt %q, its folder is %q", t.AttemptID, attemptID)
	}
	if t.TryNumber != number || stem != TryStem(number) {
		return fmt.Errorf("try number %d where %d is due", t.TryNumber, number)
	}
	for _, body := range []*Body{t.Body, t.requestBody()} {
		if body == nil {
			continue
		}
		if err := body.Check(); err != nil {
			return err
		}
	}
	return nil
}

func (t *TryRecord) requestBody() *Body {
	if t.Request == nil {
		return nil
	}
	return t.Request.Body
}

// readJSON decodes one file and holds its format name against the one wanted.
func readJSON(fsys fs.FS, name, want string, into any, format *string) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if err := canon.Decode(data, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if *format != want {
		return fmt.Errorf("%s: format %q, want %q", name, *format, want)
	}
	return nil
}
