package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// unitSeparator joins the parts of an identifier's preimage.
const unitSeparator = "\x1f"

// id is SID of contract section 3: the prefix is not hashed.
func id(prefix string, parts ...string) string {
	var room [160]byte // the parts are short, so the preimage needs no place on the heap
	preimage := room[:0]
	for i, part := range parts {
		if i > 0 {
			preimage = append(preimage, unitSeparator...)
		}
		preimage = append(preimage, part...)
	}
	digits := hexDigits(preimage)
	return prefix + "_" + string(digits[:16])
}

// ObservationID is derived from the attempt and the item's place in the provider's list (3.1).
func ObservationID(attemptID string, index int) string {
	return id("obs", attemptID, strconv.Itoa(index))
}

// ResultID is derived from the representative (3.2).
func ResultID(representative string) string { return id("result", representative) }

// ClusterID is derived from the canonical URL (3.2).
func ClusterID(canonicalURL string) string { return id("cluster", canonicalURL) }

// AttemptID is derived so that its order is the order of the candidates, position counted from 1 (3.3).
func AttemptID(executionID string, position int, provider string, capability Capability) string {
	digest := TextDigest(strings.Join([]string{executionID, provider, string(capability)}, unitSeparator))
	return fmt.Sprintf("attempt_%04x%s", position, digest[:12])
}

// PinnedExecution is everything that a pinned execution depends on.
type PinnedExecution struct {
	Case, Step   string
	Number       int    // of the execution within the step, from 1
	AsOf         string // as in case.yaml
	Request      []byte // canonical RequestV3
	CorpusDigest Digest
}

// ID is equal for equal inputs and for no others (3.3).
func (p PinnedExecution) ID() string {
	parts := []string{p.Case, p.Step, strconv.Itoa(p.Number), p.AsOf, string(p.Request), string(p.CorpusDigest)}
	return "exec_" + string(TextDigest(strings.Join(parts, unitSeparator)))[:32]
}

// DigestedFile is a file's path from the corpus folder, with slashes, and its file SHA-256.
type DigestedFile struct {
	Path   string
	Digest Digest
}

// CorpusDigest is over one line a document, digest, two blanks, path, LF, sorted by the path's bytes (3.3).
func CorpusDigest(files []DigestedFile) Digest {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b DigestedFile) int { return strings.Compare(a.Path, b.Path) })
	var lines strings.Builder
	for _, f := range sorted {
		fmt.Fprintf(&lines, "%s  %s\n", f.Digest, f.Path)
	}
	return TextDigest(lines.String())
}

// NormaliserVersion names the rules that make observations of items: the canonical URL with its list of dropped
// parameters (3.4), NFC, and dates (3.11). It is raised when one of them changes.
const NormaliserVersion = "1"
