package pack

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// checkManifests is B04.
func (v *verifier) checkManifests() {
	for _, name := range slices.Sorted(maps.Keys(v.root)) {
		parts := manifestName.FindStringSubmatch(name)
		if parts == nil || !v.foreign && name != ManifestFile && name != TagManifestFile {
			continue
		}
		digits := algorithmDigits(parts[2])
		if digits == 0 {
			v.skip("B04", name, "the algorithm %s is not known to this version; its sums were not compared", parts[2])
			continue
		}
		lines, faults := parseManifest(v.root[name], digits, !v.foreign)
		v.faults("B04", name, faults)
		m := &manifest{name, parts[2], parts[1] != "", lines}
		m.lines = slices.DeleteFunc(m.lines, func(l manifestLine) bool {
			wrong := strings.HasPrefix(l.path, payloadPrefix) == m.tag
			if wrong {
				v.fail("B04", name, "line %d: path %q does not belong in this manifest", l.number, l.path)
			}
			return wrong
		})
		v.manifests = append(v.manifests, m)
	}
	v.checkPayloadManifests()
}

func (v *verifier) checkPayloadManifests() {
	payload := v.of(false)
	if !v.foreign && !v.tree.has(ManifestFile) {
		v.fail("B04", ManifestFile, "missing")
		return
	}
	for _, m := range payload {
		if len(m.lines) == 0 {
			v.fail("B04", m.name, "lists no payload file")
		}
	}
	for _, m := range payload[min(1, len(payload)):] {
		if first := payload[0]; !slices.Equal(paths(first), paths(m)) {
			v.fail("B04", m.name, "lists other files than %s", first.name)
		}
	}
}

func paths(m *manifest) []string {
	out := make([]string, len(m.lines))
	for i, l := range m.lines {
		out[i] = l.path
	}
	slices.Sort(out)
	return out
}

// of gives the payload manifests or the tag manifests, sorted by name.
func (v *verifier) of(tag bool) []*manifest {
	var out []*manifest
	for _, m := range v.manifests {
		if m.tag == tag {
			out = append(out, m)
		}
	}
	return out
}

// checkListed is B05 and B06: each listed path, and the file that it means.
func (v *verifier) checkListed() {
	v.payload = map[string]*payloadFile{}
	listed := map[string]bool{}
	keys := map[string]string{}
	normal := v.normalForms()
	for _, m := range v.of(false) {
		for _, l := range m.lines {
			again := listed[l.path]
			listed[l.path] = true
			found := v.resolve(m.name, l.path, normal, again)
			v.checkCollision(keys, found, l.path)
			if !v.tree.has(found) {
				if !again && len(v.tree.beyond) == 0 {
					v.fail("B06", l.path, "listed in %s, but not there", m.name)
				}
				continue
			}
			f := v.payload[found]
			if f == nil {
				f = &payloadFile{path: found, size: v.tree.files[found]}
				v.payload[found] = f
			}
			*f.listed.of(m.algorithm) = l.digest
		}
	}
	v.report.Counts.Listed, v.report.Counts.Found = len(listed), len(v.payload)
	for _, beyond := range v.tree.beyond {
		v.skip("B06", beyond.Path, "%s", beyond.Reason)
	}
}

// resolve finds the file that a line of a manifest means and checks its path, which a second manifest doesn't repeat.
func (v *verifier) resolve(manifest, listed string, normal map[string]string, again bool) string {
	warn := func(format string, args ...any) {
		if !again {
			v.warn("B05", listed, format, args...)
		}
	}
	if !v.foreign {
		if err := CheckPath(listed); err != nil && !again {
			v.fail("B05", listed, "%v", err)
		}
		return listed
	}
	decoded, stray := decodePath(listed)
	if err := CheckForeignPath(decoded); err != nil && !again {
		v.fail("B05", listed, "%v", err)
	}
	if stray {
		warn("path-encoding: a percent sign that %s does not write as %%25", manifest)
	}
	switch {
	case v.tree.has(decoded):
		return decoded
	case v.tree.has(listed):
		warn("path-encoding: the file bears its name as %s writes it, percent signs not decoded", manifest)
		return listed
	}
	if other, found := normal[norm.NFC.String(decoded)]; found {
		warn("path-normalisation: found under another Unicode normal form of its name")
		return other
	}
	return decoded
}

// normalForms maps the NFC of each payload path to the path, for bags of other makers.
func (v *verifier) normalForms() map[string]string {
	forms := map[string]string{}
	if v.foreign {
		for _, name := range v.tree.paths {
			forms[norm.NFC.String(name)] = name
		}
	}
	return forms
}

// checkCollision reports two files that some systems can't keep apart.
func (v *verifier) checkCollision(keys map[string]string, found, listed string) {
	if !v.foreign {
		return
	}
	key := collisionKey(found)
	if other, taken := keys[key]; taken && other != found {
		v.fail("B05", listed, "path-collision: differs from %s only by case or Unicode form", printable(other))
		return
	}
	keys[key] = found
}

// algorithmDigits is the length of a digest in hex, 0 for an algorithm that isn't known.
func algorithmDigits(algorithm string) int {
	switch algorithm {
	case algorithmSHA256:
		return sha256Digits
	case algorithmSHA512:
		return sha512Digits
	}
	return 0
}
