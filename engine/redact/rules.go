package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// Name and version of the rule table. The version is raised when a rule finds other things than before.
const (
	TableName    = "casebook"
	TableVersion = "1"
)

// Classes of removed values, pack format section 6.3.
const (
	classSecret     = "secret"
	classPersonal   = "personal"
	classSourceOnly = "source_only"
)

// place is where a string stands; reasons and the readiness to believe in a secret differ by it.
type place uint8

const (
	inRecord place = iota // whatever is none of the below
	inReply
	inReplyHeader
	inRequest
	inRequestHeader
	inSource // written by an author: a hit stops
)

func (p place) header() bool  { return p == inReplyHeader || p == inRequestHeader }
func (p place) request() bool { return p == inRequest || p == inRequestHeader }

// rule is one row of the table. A rule finds spans in a decoded string, or judges the value of a named member or
// header; either may be nil.
type rule struct {
	id        string
	class     string
	mandatory bool
	match     func() string // published: what it finds, as patterns or words
	rank      int           // of overlapping hits the lowest rank names the rule
	reason    func(place) string
	text      func(text string, at place) []span
	member    func(name, value string, at place) (span, bool)
}

// allRules is the registration list, sorted by id.
func allRules() []*rule {
	return []*rule{
		apiKeyRule(),
		authHeaderRule(),
		cookieRule(),
		emailRule(),
		privateKeyRule(),
		sourceOnlyRule(),
		urlCredentialsRule(),
		urlParameterRule(),
	}
}

// tableRow is a rule as it is published.
type tableRow struct {
	ID        string `json:"id"`
	Class     string `json:"class"`
	Mandatory bool   `json:"mandatory"`
	On        bool   `json:"on"`
	Match     string `json:"match"`
}

// extraRule is a rule of the author's own.
type extraRule struct {
	ID      string `json:"id"`
	Pattern string `json:"pattern"`
	Note    string `json:"note"`
}

// table is the rule table as it is published and, with extra and other switches, as it is in force.
type table struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []tableRow  `json:"rules"`
	Extra   []extraRule `json:"extra"`
}

// Table returns the published rule table in canonical JSON, without LF: name, version, rules by id, each with its
// class, whether it is mandatory, whether it is on when nobody says otherwise, and what it matches.
func Table() ([]byte, error) { return canon.Encode(inForce(nil)) }

func inForce(switches map[string]bool) table {
	t := table{Name: TableName, Version: TableVersion, Extra: []extraRule{}}
	for _, r := range allRules() {
		on, set := switches[r.id]
		t.Rules = append(t.Rules, tableRow{r.id, r.class, r.mandatory, on || !set, r.match()})
	}
	return t
}

// Applied is the member redaction_rules of versions.json: which table was in force and what the author's files set,
// so that anyone can recompute the digest and run the same scan.
type Applied struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	SHA256  evidence.Digest `json:"sha256"` // record SHA-256 of the table in force
	Rules   map[string]bool `json:"rules"`
	Extra   []extraRule     `json:"extra"`
}

// InForce describes the table under the given switches; see [Options] for what may be switched.
func InForce(switches map[string]bool) (Applied, error) {
	if err := checkSwitches(switches); err != nil {
		return Applied{}, err
	}
	digest, err := evidence.RecordDigest(inForce(switches))
	if err != nil {
		return Applied{}, fmt.Errorf("redaction rules: %w", err)
	}
	set := maps.Clone(switches)
	if set == nil {
		set = map[string]bool{}
	}
	return Applied{Name: TableName, Version: TableVersion, SHA256: digest, Rules: set, Extra: []extraRule{}}, nil
}

// checkSwitches refuses unknown rules and mandatory ones switched off.
func checkSwitches(switches map[string]bool) error {
	known := map[string]*rule{}
	for _, r := range allRules() {
		known[r.id] = r
	}
	for _, id := range slices.Sorted(maps.Keys(switches)) {
		r := known[id]
		if r == nil {
			return fmt.Errorf("redaction rule %q: unknown; rules are %s", id, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if r.mandatory && !switches[id] {
			return fmt.Errorf("redaction rule %q: mandatory, it can't be switched off", id)
		}
	}
	return nil
}

// rulesInForce are the rules that are on.
func rulesInForce(switches map[string]bool) []*rule {
	return slices.DeleteFunc(allRules(), func(r *rule) bool {
		on, set := switches[r.id]
		return set && !on
	})
}

// words is a published text that is made when it is asked for.
func words(parts ...string) func() string { return func() string { return strings.Join(parts, "") } }

// fixed is a reason that is the same everywhere.
func fixed(reason string) func(place) string { return func(place) string { return reason } }
