package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"casebook/engine/evidence"
)

// What a report says about the parts that these checks never look at.
const (
	notCheckedContents   = "contents: deep checks were not asked for; whether the evidence follows from the recordings was not looked at"
	notCheckedSignatures = "signatures: present, but this check does not look at them"
)

// Options say how to verify. The zero value checks a pack of casebook's with the default limits.
type Options struct {
	PackID  evidence.Digest // that the pack must have; empty: any
	BagOnly bool            // a bag of another maker is checked by BagIt's own, wider rules
	Strict  bool            // a warning makes the run fail
	Limits  Limits          // zero: the defaults
	Jobs    int             // files hashed at once; 0: as many as the processors allow
}

// bagChecks are the checks of a bag, pack format section 12, and what each says when it finds no fault.
var bagChecks = [14]struct{ id, holds string }{
	{"B01", "can be read"},
	{"B02", "regular files and folders only"},
	{"B03", "bagit.txt is as it must be"},
	{"B04", "the manifests are well-formed"},
	{"B05", "all paths are allowed"},
	{"B06", "every listed file is there"},
	{"B07", "every payload file is listed"},
	{"B08", "nothing else beside the payload"},
	{"B09", "nothing is to be fetched"},
	{"B10", "every listed file has the listed bytes"},
	{"B11", "every bag file has the listed bytes"},
	{"B12", "bag-info.txt agrees with the payload and the name"},
	{"B13", "the pack format is known"},
	{"B14", "the pack id is told"},
}

// bagFiles are the four files of a pack's root.
var bagFiles = [4]string{BagInfoFile, BagItFile, ManifestFile, TagManifestFile}

// Verify checks a bag without network, key or schema: each file is read once, and a second time only to say how it
// was damaged. The report doesn't depend on the number of jobs.
func Verify(target *Target, options Options) *Report {
	options.Limits = options.Limits.orDefault()
	v := &verifier{
		target: target, options: options, limits: options.Limits,
		report: &Report{
			Format: ReportFormat, Name: printable(target.Name), Form: target.Form, Strict: options.Strict,
			Checks: []Check{}, NotChecked: []string{},
		},
		reasons: map[string]string{},
	}
	v.run()
	v.fill()
	v.report.conclude()
	return v.report
}

// verifier holds one run of the checks.
type verifier struct {
	target  *Target
	options Options
	limits  Limits
	report  *Report
	reasons map[string]string // what a check that finds nothing says

	tree      *tree
	root      map[string][]byte // the files of the bag's root that were read
	labels    []label
	foreign   bool // by BagIt's rules alone
	newer     bool // a later minor format
	manifests []*manifest
	payload   map[string]*payloadFile // by the path in the file system
	unusable  bool
}

// manifest is one manifest of the bag.
type manifest struct {
	name, algorithm string
	tag             bool
	lines           []manifestLine
}

// payloadFile is a listed file that is there.
type payloadFile struct {
	path   string
	size   int64
	listed sums
	sha256 string // as read
}

func (v *verifier) add(id string, status Status, path, format string, args ...any) {
	c := Check{ID: id, Status: status, Reason: fmt.Sprintf(format, args...)}
	if path != "" {
		shown := printable(path)
		c.Path = &shown
	}
	v.report.Checks = append(v.report.Checks, c)
}

func (v *verifier) fail(id, path, format string, args ...any) {
	v.add(id, StatusFailed, path, format, args...)
}

func (v *verifier) warn(id, path, format string, args ...any) {
	v.add(id, StatusWarning, path, format, args...)
}

func (v *verifier) skip(id, path, format string, args ...any) {
	v.add(id, StatusNotChecked, path, format, args...)
}

// faults reports the line faults of one file.
func (v *verifier) faults(id, path string, faults []lineFault) {
	for _, f := range faults {
		if f.warning {
			v.warn(id, path, "%s", f)
			continue
		}
		v.fail(id, path, "%s", f)
	}
}

// fill gives every check that said nothing its entry.
func (v *verifier) fill() {
	said := map[string]bool{}
	for _, c := range v.report.Checks {
		said[c.ID] = true
	}
	for _, check := range bagChecks {
		switch reason := v.reasons[check.id]; {
		case said[check.id]:
		case v.unusable:
			v.skip(check.id, "", "there is no bag to look at")
		case reason != "":
			v.add(check.id, StatusOK, "", "%s", reason)
		default:
			v.add(check.id, StatusOK, "", "%s", check.holds)
		}
	}
}

func (v *verifier) run() {
	for _, f := range v.target.Findings {
		v.fail("B01", f.Path, "%s", f.Reason)
	}
	if v.target.FS == nil {
		v.unusable = true
		return
	}
	v.reasons["B01"] = v.target.Form
	v.tree = readTree(v.target.FS, v.limits)
	v.checkTree()
	if !v.tree.isBag() {
		v.fail("B01", "", "no bag: neither %s nor a manifest in it", BagItFile)
		v.unusable = true
		return
	}
	v.readRoot()
	v.checkFormat()
	v.checkDeclaration()
	v.checkManifests()
	v.readLabels()
	v.checkListed()
	v.checkPayload()
	v.checkRoot()
	v.checkTags()
	v.checkInfo()
	v.checkID()
	v.noteNotChecked()
}

// checkTree is B02.
func (v *verifier) checkTree() {
	for _, f := range v.tree.special {
		v.fail("B02", f.Path, "%s", f.Reason)
	}
	for _, f := range v.tree.beyond {
		v.skip("B07", f.Path, "%s", f.Reason)
	}
}

// readRoot reads the bag files, each once; they are small beside the payload.
func (v *verifier) readRoot() {
	v.root = map[string][]byte{}
	for _, name := range v.tree.rootFiles() {
		if name != BagItFile && name != BagInfoFile && !manifestName.MatchString(name) {
			continue
		}
		id := "B04"
		switch name {
		case BagItFile:
			id = "B03"
		case BagInfoFile:
			id = "B12"
		}
		data, err := readLimited(v.target.FS, name, v.limits.ManifestBytes)
		switch {
		case errors.Is(err, errOverrun):
			v.fail("B01", name, "%v", errOverrun)
		case errors.Is(err, errChecksum):
			v.fail("B11", name, "damaged in the archive: %v", errChecksum)
			v.root[name] = data
		case err != nil:
			v.skip(id, name, "%v", cause(err))
		default:
			v.root[name] = data
		}
	}
}

// errLimit is met where a limit ends the reading of one file.
var errLimit = errors.New("limit")

func readLimited(fsys fs.FS, name string, limit int64) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("can't be read: %w", cause(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", errLimit, limit)
	}
	if err != nil && !errors.Is(err, errOverrun) && !errors.Is(err, errChecksum) {
		return nil, fmt.Errorf("can't be read: %w", cause(err))
	}
	return data, err
}

var formatVersion = regexp.MustCompile(`^([0-9]+)\.([0-9]+)$`)

// formatLabel is the value of Casebook-Pack-Format, empty without one. By which rules the file is to be read follows
// from it, so it is looked for in whatever stands there.
func formatLabel(info []byte) string {
	for line := range strings.Lines(string(info)) {
		if value, found := strings.CutPrefix(line, labelFormat+":"); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// checkFormat is B13; it decides by which rules the others go.
func (v *verifier) checkFormat() {
	version := formatLabel(v.root[BagInfoFile])
	if version == "" {
		v.foreign = v.options.BagOnly
		if v.foreign {
			v.reasons["B13"] = "a bag of another maker, checked by BagIt's rules alone"
			return
		}
		v.fail("B13", BagInfoFile, "no %s label: not a pack of casebook's; a bag of another maker is checked with --bag-only", labelFormat)
		return
	}
	shown := printable(version)
	v.report.PackFormat = &shown
	parts := formatVersion.FindStringSubmatch(version)
	if parts == nil {
		v.fail("B13", BagInfoFile, "pack format %q: want MAJOR.MINOR", version)
		return
	}
	v.reasons["B13"] = "pack format " + version
	if parts[1] != "1" {
		v.foreign = true
		v.skip("B13", BagInfoFile, "pack format %s is not known to this version: the bytes are checked by BagIt's rules, nothing else", version)
		return
	}
	// Digits alone that don't fit an int are a later minor version too.
	if minor, err := strconv.Atoi(parts[2]); err != nil || minor > 0 {
		v.newer = true
		v.reasons["B13"] += ", newer than " + FormatVersion + ": what that version added is not looked at"
	}
}

// checkDeclaration is B03.
func (v *verifier) checkDeclaration() {
	data, found := v.root[BagItFile]
	switch {
	case !found && !v.tree.has(BagItFile):
		v.fail("B03", BagItFile, "missing")
	case !found || string(data) == bagItText:
	case !v.foreign:
		v.fail("B03", BagItFile, "not exact: %s", explainDeclaration(string(data)))
	default:
		labels, faults := parseLabels(data, false)
		v.faults("B03", BagItFile, faults)
		if version := labelValue(labels, "BagIt-Version"); version != "1.0" {
			v.warn("B03", BagItFile, "BagIt version %q, checked as 1.0", version)
		}
		if encoding := labelValue(labels, "Tag-File-Character-Encoding"); !strings.EqualFold(encoding, "UTF-8") {
			v.fail("B03", BagItFile, "encoding %q: only UTF-8 is read", encoding)
		}
	}
}

func explainDeclaration(data string) string {
	switch {
	case strings.ReplaceAll(data, "\r\n", "\n") == bagItText:
		return "line endings were changed, CRLF stands for LF"
	case strings.HasPrefix(bagItText, data):
		return "cut short"
	}
	return "want BagIt-Version: 1.0 and Tag-File-Character-Encoding: UTF-8, each in a line that ends in LF"
}

// checkID is B14.
func (v *verifier) checkID() {
	data, found := v.root[TagManifestFile]
	if !found {
		if v.options.PackID != "" {
			v.fail("B14", TagManifestFile, "no pack id: the file is not there")
		}
		v.reasons["B14"] = "no tag manifest by SHA-256, so no pack id"
		return
	}
	id := evidence.FileDigest(data)
	v.report.PackID = &id
	v.reasons["B14"] = FormatID(id)
	if want := v.options.PackID; want != "" && want != id {
		v.fail("B14", "", "pack id %s, asked for is %s", id, want)
	}
}

// noteNotChecked says in plain words what nobody may take for checked.
func (v *verifier) noteNotChecked() {
	if v.tree.signatures() > 0 {
		v.report.NotChecked = append(v.report.NotChecked, notCheckedSignatures)
	}
	if !v.foreign {
		v.report.NotChecked = append(v.report.NotChecked, notCheckedContents)
	}
	if v.newer {
		v.noteUnknown()
	}
}
