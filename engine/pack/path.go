package pack

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a path in a pack, pack format section 3.
const (
	maxPathBytes    = 180
	maxPathSegments = 8
	maxSegmentBytes = 64

	portable = "abcdefghijklmnopqrstuvwxyz0123456789"
)

var packName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// CheckName says why a name can't be that of a pack's folder; nil when it can.
func CheckName(name string) error {
	if !packName.MatchString(name) {
		return fmt.Errorf("pack name %q: want 1 to 64 of a-z, 0-9 and -, not beginning with -", name)
	}
	return nil
}

// CheckPath says why a path, counted from the bag's root, can't stand in a pack that casebook writes; nil when it
// can. What passes is portable: it has one spelling on every system and needs no encoding anywhere.
func CheckPath(path string) error {
	if len(path) > maxPathBytes {
		return fmt.Errorf("path %.40q…: %d bytes, at most %d are allowed", path, len(path), maxPathBytes)
	}
	segments := strings.Split(path, "/")
	if len(segments) > maxPathSegments {
		return fmt.Errorf("path %q: %d segments, at most %d are allowed", path, len(segments), maxPathSegments)
	}
	for _, segment := range segments {
		if err := checkSegment(segment); err != nil {
			return fmt.Errorf("path %q: %w", path, err)
		}
	}
	return nil
}

func checkSegment(segment string) error {
	switch {
	case segment == "":
		return errors.New("an empty segment")
	case len(segment) > maxSegmentBytes:
		return fmt.Errorf("segment of %d bytes, at most %d are allowed", len(segment), maxSegmentBytes)
	case strings.Trim(segment, portable+"._-") != "" || !strings.Contains(portable, segment[:1]):
		return fmt.Errorf("segment %q: want a-z, 0-9, '.', '_' and '-', beginning with a letter or digit", segment)
	case strings.HasSuffix(segment, "."):
		return fmt.Errorf("segment %q ends in '.'", segment)
	case strings.Contains(segment, ".."):
		return fmt.Errorf("segment %q holds '..'", segment)
	}
	return checkReserved(segment)
}

// checkReserved refuses what Windows takes for a device, in any case and with any ending.
func checkReserved(segment string) error {
	base := strings.TrimRight(strings.SplitN(segment, ".", 2)[0], " ")
	if len(base) == 4 && base[3] >= '0' && base[3] <= '9' {
		base = base[:3] + "0"
	}
	switch strings.ToLower(base) {
	case "con", "prn", "aux", "nul", "com0", "lpt0":
		return fmt.Errorf("segment %q is a device name on Windows", segment)
	}
	return nil
}

// CheckForeignPath is the wider rule for bags that others wrote and for names in any archive: it lets through what
// every system can hold and what stays below the folder that it is put into. The path is already decoded.
func CheckForeignPath(path string) error {
	switch {
	case !utf8.ValidString(path):
		return fmt.Errorf("path %q: invalid UTF-8", path)
	case strings.HasPrefix(path, "/"):
		return fmt.Errorf("path %q: absolute", path)
	case strings.HasPrefix(path, "~"):
		return fmt.Errorf("path %q: begins with '~'", path)
	}
	for _, r := range path {
		if r < 0x20 || r == 0x7f {
			return fmt.Errorf("path %q: control character U+%04X", path, r)
		}
		if strings.ContainsRune(`\<>:"|?*`, r) {
			return fmt.Errorf("path %q: character %q", path, r)
		}
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("path %q: segment %q", path, segment)
		}
		if strings.HasSuffix(segment, ".") || strings.HasSuffix(segment, " ") {
			return fmt.Errorf("path %q: segment %q ends in '.' or a blank", path, segment)
		}
		if err := checkReserved(segment); err != nil {
			return fmt.Errorf("path %q: %w", path, err)
		}
	}
	return nil
}

// bagDecoder undoes the only three encodings that BagIt has.
var bagDecoder = strings.NewReplacer("%0D", "\r", "%0d", "\r", "%0A", "\n", "%0a", "\n", "%25", "%")

// decodePath undoes BagIt's encoding of CR, LF and the percent sign; stray says that a percent sign stands there
// which begins none of them.
func decodePath(path string) (decoded string, stray bool) {
	rest := strings.NewReplacer("%0D", "", "%0d", "", "%0A", "", "%0a", "", "%25", "").Replace(path)
	return bagDecoder.Replace(path), strings.Contains(rest, "%")
}

// collisionKey is equal for two paths that some file system can't keep apart: equal after NFC and simple case
// folding.
func collisionKey(path string) string {
	return norm.NFC.String(strings.Map(foldRune, norm.NFC.String(path)))
}

// foldRune takes the smallest character that r is equal to but for case.
func foldRune(r rune) rune {
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	return smallest
}

// printable makes a name from a bag or archive safe to show: what is no visible character is escaped.
func printable(name string) string {
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsGraphic(r) {
			quoted := fmt.Sprintf("%+q", name)
			return quoted[1 : len(quoted)-1]
		}
	}
	return name
}
