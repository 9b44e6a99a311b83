package pack

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// fetchFile is a list of files that stand elsewhere; a pack is whole or it is not a pack.
const fetchFile = "fetch.txt"

var signatureName = regexp.MustCompile(`^signatures/[^/]+\.(sshsig|minisig|tsr|tlog-proof)$`)

// checkRoot is B08 and B09: what stands beside the payload.
func (v *verifier) checkRoot() {
	if v.tree.has(fetchFile) {
		if v.foreign {
			v.warn("B09", fetchFile, "the bag names files to be fetched; what is not there is missing")
		} else {
			v.fail("B09", fetchFile, "a pack has all its files and fetches none")
		}
	}
	if v.foreign {
		v.reasons["B08"] = "a bag of another maker may have further tag files"
		return
	}
	intact := v.intactBytes()
	for _, name := range v.tree.paths {
		switch {
		case strings.HasPrefix(name, payloadPrefix), slices.Contains(bagFiles[:], name), name == fetchFile:
		case signatureName.MatchString(name) && CheckPath(name) == nil:
			if size := v.tree.files[name]; size > v.limits.SignatureBytes {
				v.skip("B08", name, "limit: %d bytes, at most %d are read", size, v.limits.SignatureBytes)
			}
		default:
			v.fail("B08", name, "%s", unlisted(intact))
		}
	}
	for _, name := range v.tree.empty {
		if name != PayloadFolder && !strings.HasPrefix(name, payloadPrefix) {
			v.warn("B08", name, "an empty folder, which no bag can record")
		}
	}
	if n := v.tree.signatures(); n > v.limits.Signatures {
		v.skip("B08", SignatureFolder, "limit: %d files, at most %d are read", n, v.limits.Signatures)
	}
}

// intactBytes says whether every listed file was found with the listed bytes.
func (v *verifier) intactBytes() bool {
	return v.report.Counts.Listed > 0 && v.report.Counts.Intact == v.report.Counts.Listed
}

// checkTags is B11.
func (v *verifier) checkTags() {
	if !v.foreign && !v.tree.has(TagManifestFile) {
		v.fail("B11", TagManifestFile, "missing")
		return
	}
	compared := 0
	normal := v.normalForms()
	for _, m := range v.of(true) {
		if names := paths(m); !v.foreign && !slices.Equal(names, []string{BagInfoFile, BagItFile, ManifestFile}) {
			v.fail("B11", m.name, "lists %s; want exactly %s, %s and %s", strings.Join(names, ", "), BagInfoFile, BagItFile, ManifestFile)
		}
		for _, l := range m.lines {
			compared++
			v.checkTag(m, l, v.resolve(m.name, l.path, normal, false))
		}
	}
	v.reasons["B11"] = fmt.Sprintf("%d of %d bag files", compared, compared)
}

func (v *verifier) checkTag(m *manifest, l manifestLine, name string) {
	if !v.tree.has(name) {
		v.fail("B11", name, "listed in %s, but not there", m.name)
		return
	}
	h := v.hashTag(name, m.algorithm)
	switch {
	case h.err != nil:
		v.skip("B11", name, "%s", unread(h.err))
	case *h.of(m.algorithm) == l.digest:
	case m.algorithm == algorithmSHA256 && v.unchangedButLineEnds(name, l.digest):
		v.fail("B11", name, "other bytes than listed: line endings were changed, CRLF stands for LF, as git does with core.autocrlf")
	default:
		v.fail("B11", name, "other bytes than listed in %s", m.name)
	}
}

// unread says why a file was not read.
func unread(err error) string {
	if errors.Is(err, errLimit) {
		return err.Error()
	}
	return fmt.Sprintf("can't be read: %v", cause(err))
}

// hashTag takes the bytes that were read already, where they were.
func (v *verifier) hashTag(name, algorithm string) hashed {
	buffer := make([]byte, hashBuffer)
	if data, read := v.root[name]; read {
		return hashReader(bytes.NewReader(data), algorithm == algorithmSHA512, buffer)
	}
	if size := v.tree.files[name]; size > v.limits.FileBytes {
		return hashed{err: fmt.Errorf("%w: %d bytes, at most %d are read", errLimit, size, v.limits.FileBytes)}
	}
	return v.hashFile(name, algorithm == algorithmSHA512, buffer)
}

func (v *verifier) unchangedButLineEnds(name, want string) bool {
	return v.matchesWith(name, "\r\n", "\n", want)
}

var (
	dateForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	oxumForm = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
)

// readLabels reads bag-info.txt, by the rules of the bag's maker, and reports its form under B12.
func (v *verifier) readLabels() {
	var faults []lineFault
	v.labels, faults = parseLabels(v.root[BagInfoFile], !v.foreign)
	v.faults("B12", BagInfoFile, faults)
}

// checkInfo is B12 but for the form of the lines.
func (v *verifier) checkInfo() {
	if _, read := v.root[BagInfoFile]; !read {
		if !v.foreign && !v.tree.has(BagInfoFile) {
			v.fail("B12", BagInfoFile, "missing")
		}
		return
	}
	v.checkOxum()
	if v.foreign {
		return
	}
	for _, want := range []struct {
		label string
		holds func(string) bool
		form  string
	}{
		{labelDate, dateForm.MatchString, "YYYY-MM-DD"},
		{labelSoftware, func(s string) bool { return strings.HasPrefix(s, "casebook ") }, "casebook <version>"},
		{labelID, packName.MatchString, "a case id"},
	} {
		if value := labelValue(v.labels, want.label); !want.holds(value) {
			v.fail("B12", BagInfoFile, "label %s is %q: want %s", want.label, value, want.form)
		}
	}
	if id := labelValue(v.labels, labelID); packName.MatchString(id) && id != v.target.Name {
		v.warn("B12", "", "the folder is named %s, the pack %s", printable(v.target.Name), id)
	}
}

// checkOxum holds the listed files that are there against Payload-Oxum; a file too many is B07's business.
func (v *verifier) checkOxum() {
	oxum := labelValue(v.labels, labelOxum)
	if oxum == "" && v.foreign {
		return
	}
	if !oxumForm.MatchString(oxum) {
		v.fail("B12", BagInfoFile, "label %s is %q: want <octets>.<files>", labelOxum, oxum)
		return
	}
	if len(v.tree.beyond) > 0 {
		v.skip("B12", BagInfoFile, "%s needs every file", labelOxum)
		return
	}
	var octets int64
	for _, f := range v.payload {
		octets += f.size
	}
	if got := fmt.Sprintf("%d.%d", octets, len(v.payload)); got != oxum {
		v.fail("B12", BagInfoFile, "%s is %s, the listed files are %s", labelOxum, oxum, got)
	}
}

// noteUnknown lists the files that a later minor version added.
func (v *verifier) noteUnknown() {
	for _, name := range v.tree.paths {
		if v.payload[name] == nil || knownPayload.MatchString(name) {
			continue
		}
		state := "its bytes are not all as listed"
		if v.intactBytes() {
			state = "bytes intact"
		}
		v.report.NotChecked = append(v.report.NotChecked, fmt.Sprintf("%s: unknown to this version, %s", printable(name), state))
	}
}
