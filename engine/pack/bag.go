package pack

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"casebook/engine/evidence"
)

// idPrefix begins the text form of a pack id.
const idPrefix = "casebook-pack:sha256:"

// bagItText is bagit.txt, byte for byte.
const bagItText = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"

// Labels of bag-info.txt, pack format section 2.
const (
	labelDate     = "Bagging-Date"
	labelSoftware = "Bag-Software-Agent"
	labelProfile  = "BagIt-Profile-Identifier"
	labelFormat   = "Casebook-Pack-Format"
	labelID       = "External-Identifier"
	labelOxum     = "Payload-Oxum"
)

// Info is what bag-info.txt says beside what follows from the payload.
type Info struct {
	CaseID   string // also the pack's name
	FrozenAt string // RFC 3339; its date in UTC becomes the bagging date
	Version  string // of casebook, as in versions.json
	Profile  string // URL of the BagIt profile; empty while none is published
}

// TagFiles makes the four bag files of a pack from its payload, whose paths begin with data/, and the pack id.
// Equal payload and info give equal bytes, whatever the order of the payload. A payload that no pack can hold is
// refused.
func TagFiles(payload []evidence.File, info Info) ([]evidence.File, evidence.Digest, error) {
	if len(payload) == 0 {
		return nil, "", errors.New("pack: no payload file")
	}
	entries := make([]FileEntry, 0, len(payload))
	seen := make(map[string]bool, len(payload))
	var octets int64
	for _, f := range payload {
		if err := CheckPath(f.Path); err != nil {
			return nil, "", err
		}
		if !strings.HasPrefix(f.Path, payloadPrefix) {
			return nil, "", fmt.Errorf("path %q: not under %s", f.Path, payloadPrefix)
		}
		if seen[f.Path] {
			return nil, "", fmt.Errorf("path %q: twice in the payload", f.Path)
		}
		seen[f.Path] = true
		octets += int64(len(f.Data))
		entries = append(entries, FileEntry{f.Path, int64(len(f.Data)), evidence.FileDigest(f.Data)})
	}
	labels, err := bagInfo(info, octets, len(payload))
	if err != nil {
		return nil, "", err
	}
	files := []evidence.File{
		{Path: BagInfoFile, Data: labels},
		{Path: BagItFile, Data: []byte(bagItText)},
		{Path: ManifestFile, Data: writeManifest(entries)},
	}
	tags := make([]FileEntry, len(files))
	for i, f := range files {
		tags[i] = FileEntry{f.Path, int64(len(f.Data)), evidence.FileDigest(f.Data)}
	}
	tagManifest := writeManifest(tags)
	return append(files, evidence.File{Path: TagManifestFile, Data: tagManifest}), evidence.FileDigest(tagManifest), nil
}

// bagInfo writes bag-info.txt, labels sorted by their bytes.
func bagInfo(info Info, octets int64, files int) ([]byte, error) {
	if err := CheckName(info.CaseID); err != nil {
		return nil, err
	}
	frozen, err := time.Parse(time.RFC3339, info.FrozenAt)
	if err != nil {
		return nil, fmt.Errorf("frozen_at %q: want an RFC 3339 time", info.FrozenAt)
	}
	labels := []label{
		{name: labelDate, value: frozen.UTC().Format(time.DateOnly)},
		{name: labelSoftware, value: "casebook " + info.Version},
		{name: labelFormat, value: FormatVersion},
		{name: labelID, value: info.CaseID},
		{name: labelOxum, value: fmt.Sprintf("%d.%d", octets, files)},
	}
	if info.Profile != "" {
		labels = append(labels, label{name: labelProfile, value: info.Profile})
	}
	slices.SortFunc(labels, func(a, b label) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	for _, l := range labels {
		if strings.ContainsAny(l.value, "\r\n") || strings.TrimSpace(l.value) != l.value {
			return nil, fmt.Errorf("%s %q: a line break, or a blank at an end", l.name, l.value)
		}
		fmt.Fprintf(&out, "%s: %s\n", l.name, l.value)
	}
	return out.Bytes(), nil
}

// ParseID reads a pack id, as 64 lower-case hex digits or in its text form casebook-pack:sha256:<hex>.
func ParseID(text string) (evidence.Digest, error) {
	hex := strings.TrimPrefix(text, idPrefix)
	if !packID.MatchString(hex) {
		return "", fmt.Errorf("pack id %q: want 64 lower-case hex digits", text)
	}
	return evidence.Digest(hex), nil
}

// FormatID is the text form of a pack id.
func FormatID(id evidence.Digest) string { return idPrefix + string(id) }

var packID = regexp.MustCompile(`^[0-9a-f]{64}$`)

// label is one label of bag-info.txt.
type label struct {
	name, value string
	line        int
}

// parseLabels reads bag-info.txt. In the strict form labels are sorted, each stands once and no line is folded;
// BagIt itself asks for none of that.
func parseLabels(data []byte, strict bool) ([]label, []lineFault) {
	text, faults := splitLines(data, strict)
	var labels []label
	for i, line := range text {
		number := i + 1
		if !strict && len(labels) > 0 && strings.TrimLeft(line, " \t") != line {
			labels[len(labels)-1].value += " " + strings.TrimSpace(line)
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found || name == "" || strings.TrimSpace(name) != name {
			faults = append(faults, lineFault{line: number, reason: "want 'Label: value'"})
			continue
		}
		if trimmed := strings.TrimSpace(value); strict && value != " "+trimmed {
			faults = append(faults, lineFault{line: number, reason: "want one blank after the colon and none at the end"})
		}
		if last := len(labels) - 1; strict && last >= 0 && labels[last].name >= name {
			faults = append(faults, lineFault{line: number, reason: fmt.Sprintf("label %q out of order or twice", name)})
		}
		labels = append(labels, label{name, strings.TrimSpace(value), number})
	}
	return labels, faults
}

// labelValue is the value of the first label of that name, compared as written; empty when there is none.
func labelValue(labels []label, name string) string {
	for _, l := range labels {
		if l.name == name {
			return l.value
		}
	}
	return ""
}
