package evidence

import (
	"encoding/json"
	"slices"
	"strings"

	"casebook/engine/canon"
)

// Limits of provider_fields, in bytes of its canonical JSON [A §2].
const (
	LargestFields      = 4096   // per observation
	LargestFieldsTotal = 131072 // per response
)

// itemKey says which item of which list an observation is.
type itemKey struct {
	attempt string
	index   int
}

// checkObservations holds rules 1 to 5, 23, 24 and 27.
func (c *checker) checkObservations() {
	items := make(map[itemKey]bool, len(c.r.Observations))
	total := 0
	for i := range c.r.Observations {
		o := &c.r.Observations[i]
		if c.observations[o.ObservationID] != o {
			c.add(row{2, "2.4"}, at("observations", i, "observation_id"), "%q stands twice", o.ObservationID)
		}
		if !strings.HasPrefix(o.ObservationID, "obs_") {
			c.add(row{2, "2.4"}, at("observations", i, "observation_id"), "%q does not begin with obs_", o.ObservationID)
		}
		item := itemKey{o.ProviderAttemptID, o.ProviderResultIndex}
		if items[item] {
			c.add(row{23, "2.14"}, at("observations", i, "provider_result_index"), "a second item %d of attempt %q",
				o.ProviderResultIndex, o.ProviderAttemptID)
		}
		items[item] = true
		c.checkAttemptOf(i, o)
		c.checkPresence(i, o)
		c.checkAddress(i, o.URL)
		total += c.checkFields(i, o)
	}
	if total > LargestFieldsTotal {
		c.add(row{5, "2.14"}, "/observations", "provider_fields hold %d bytes together, the limit is %d", total, LargestFieldsTotal)
	}
}

// checkAttemptOf holds rules 1 and 24.
func (c *checker) checkAttemptOf(i int, o *Observation) {
	attempt := c.attempts[o.ProviderAttemptID]
	switch {
	case c.isHit() && attempt != nil:
		c.add(row{1, "2.14"}, at("observations", i, "provider_attempt_id"), "%q is an attempt of now, the evidence is from the cache", o.ProviderAttemptID)
	case !c.isHit() && attempt == nil:
		c.add(row{1, "2.14"}, at("observations", i, "provider_attempt_id"), "no attempt %q", o.ProviderAttemptID)
	case attempt != nil && attempt.Provider != o.Provider:
		c.add(row{24, "2.14"}, at("observations", i, "provider"), "%q, its attempt asked %q", o.Provider, attempt.Provider)
	case attempt != nil && attempt.EndpointID != o.EndpointID:
		c.add(row{24, "2.14"}, at("observations", i, "endpoint_id"), "%q, its attempt asked %q", o.EndpointID, attempt.EndpointID)
	}
	if c.opts.Registry == nil {
		return
	}
	rules, known := c.opts.Registry(o.Provider)
	if !known {
		c.add(row{24, "2.14"}, at("observations", i, "provider"), "no provider %q is registered", o.Provider)
		return
	}
	if !slices.Contains(rules.Endpoints, o.EndpointID) {
		c.add(row{24, "2.14"}, at("observations", i, "endpoint_id"), "provider %q has no endpoint %q", o.Provider, o.EndpointID)
	}
}

// checkPresence holds rule 3: which text an observation of its kind has, and that the kind is that of the capability.
func (c *checker) checkPresence(i int, o *Observation) {
	want, present, absent := SearchResult, FieldSnippet, FieldText
	if c.r.Capability == Extract {
		want = ExtractedDocument
	}
	if o.Kind != want {
		c.add(row{3, "2.4"}, at("observations", i, "kind"), "%q in a response of capability %q", o.Kind, c.r.Capability)
	}
	if o.Kind == ExtractedDocument {
		present, absent = absent, present
	}
	if o.Field(present) == nil {
		c.add(row{3, "2.4"}, at("observations", i, string(present)), "null, must be a string in kind %q", o.Kind)
	}
	if o.Field(absent) != nil {
		c.add(row{3, "2.4"}, at("observations", i, string(absent)), "must be null in kind %q", o.Kind)
	}
}

// checkAddress holds rule 27.
func (c *checker) checkAddress(i int, url URL) {
	if !IsURL(url.Observed) {
		c.add(row{27, "2.14"}, at("observations", i, "url", "observed"), "%q does not begin with a scheme and an authority", url.Observed)
	}
	if !IsURL(url.Canonical) {
		c.add(row{27, "2.14"}, at("observations", i, "url", "canonical"), "%q does not begin with a scheme and an authority", url.Canonical)
	}
}

// checkFields holds rule 4 and returns the size for rule 5.
func (c *checker) checkFields(i int, o *Observation) int {
	size := len("{}") + max(len(o.ProviderFields)-1, 0) // with the commas
	for provider, raw := range o.ProviderFields {
		if provider != o.Provider {
			c.add(row{4, "2.4"}, at("observations", i, "provider_fields", provider), "fields of %q on an observation of %q", provider, o.Provider)
		}
		tree, err := canon.Parse(raw)
		if err != nil {
			c.add(row{4, "2.4"}, at("observations", i, "provider_fields", provider), "%v", err)
			continue
		}
		c.checkFieldValues(i, provider, tree)
		size += stringSize(provider) + len(":") + treeSize(tree)
	}
	if size > LargestFields {
		c.add(row{4, "2.4"}, at("observations", i, "provider_fields"), "%d bytes, the limit is %d", size, LargestFields)
	}
	return size
}

func (c *checker) checkFieldValues(i int, provider string, tree any) {
	pointer := func(parts ...any) string { return at("observations", i, "provider_fields", provider) + at(parts...) }
	fields, ok := tree.(object)
	if !ok {
		c.add(row{4, "2.4"}, pointer(), "must be an object")
		return
	}
	var rules ProviderRules
	known := false
	if c.opts.Registry != nil {
		rules, known = c.opts.Registry(provider)
	}
	for name, value := range fields {
		if known && !slices.Contains(rules.Fields, name) {
			c.add(row{4, "2.4"}, pointer(name), "%q is not on the allow-list of %q", name, provider)
		}
		if !isFieldValue(value) {
			c.add(row{4, "2.4"}, pointer(name), "must be a scalar or an array of strings")
		}
	}
	for _, banned := range bannedBelow(tree, "") {
		banned.Pointer = pointer() + banned.Pointer
		c.found = append(c.found, banned)
	}
}

func isFieldValue(value any) bool {
	switch value := value.(type) {
	case object:
		return false
	case []any:
		return !slices.ContainsFunc(value, func(item any) bool { _, ok := item.(string); return !ok })
	}
	return true
}

// FieldsSize is the number of bytes of provider_fields on the wire, which the limits count; a part that is no JSON
// counts as it stands.
func FieldsSize(fields map[string]json.RawMessage) int {
	size := len("{}") + max(len(fields)-1, 0)
	for provider, raw := range fields {
		size += stringSize(provider) + len(":")
		if tree, err := canon.Parse(raw); err == nil {
			size += treeSize(tree)
		} else {
			size += len(raw)
		}
	}
	return size
}

// treeSize is the number of bytes of a tree in canonical JSON, without writing what can be counted.
func treeSize(tree any) int {
	size := len("[]")
	switch node := tree.(type) {
	case string:
		return stringSize(node)
	case json.Number:
		if strings.Trim(string(node), "0123456789") == "" {
			return len(node)
		}
	case []any:
		for _, item := range node {
			size += treeSize(item)
		}
		return size + max(len(node)-1, 0)
	case object:
		for name, value := range node {
			size += stringSize(name) + len(":") + treeSize(value)
		}
		return size + max(len(node)-1, 0)
	}
	return encodedSize(tree)
}

// stringSize is treeSize of a string.
func stringSize(s string) int {
	if plain(s) {
		return len(`""`) + len(s)
	}
	return encodedSize(s)
}

func encodedSize(tree any) int {
	encoded, err := canon.Encode(tree)
	if err != nil {
		return LargestFields + 1 // what cannot be written is never small enough
	}
	return len(encoded)
}

// plain says whether a string is written without an escape.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' {
			return false
		}
	}
	return true
}
