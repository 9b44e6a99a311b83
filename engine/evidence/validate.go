package evidence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"casebook/engine/canon"
)

// Violation is one breach of the contract. Rule is the row of the table in contract 2.14, 0 where it is the shape
// alone that a schema holds; Section is where the contract says it.
type Violation struct {
	Pointer string
	Rule    int
	Section string
	Message string
}

// String is the violation in one line.
func (v Violation) String() string {
	if v.Rule == 0 {
		return fmt.Sprintf("%q: %s", v.Pointer, v.Message)
	}
	return fmt.Sprintf("%q: %s (rule %d, section %s)", v.Pointer, v.Message, v.Rule, v.Section)
}

// ValidateOptions hold what a response alone cannot tell.
type ValidateOptions struct {
	// Registry says what a provider may send; nil leaves provider names, endpoints and allow-lists unchecked.
	Registry func(provider string) (ProviderRules, bool)
	// Request is the request that was answered, nil where it is not known.
	Request *Request
}

// ProviderRules are the registered endpoints of a provider and the names that its provider_fields may hold.
type ProviderRules struct {
	Endpoints []string
	Fields    []string
}

// Validate checks every rule of contract 2.14 that a Go value can break, in the order of the pointers; no violation
// means that the response may be frozen. Closed enumerations and unknown members are the schema's.
func (r *Response) Validate(opts ValidateOptions) []Violation {
	c := &checker{r: r, opts: opts}
	c.index()
	c.checkIdentity()
	c.checkObservations()
	c.checkResults()
	c.checkActions()
	c.checkCompleteness()
	c.checkDiversity()
	c.checkStatus()
	c.checkAttempts()
	c.checkReceipt()
	c.checkCache()
	c.checkLimits()
	c.checkFreeMembers()
	sortViolations(c.found)
	return c.found
}

func sortViolations(found []Violation) {
	slices.SortStableFunc(found, func(a, b Violation) int {
		return cmp.Or(comparePointers(a.Pointer, b.Pointer), cmp.Compare(a.Rule, b.Rule))
	})
}

// row is a row of contract 2.14 and the section that says it.
type row struct {
	number  int
	section string
}

// checker holds a response and what is looked up in it often.
type checker struct {
	r            *Response
	opts         ValidateOptions
	observations map[string]*Observation
	attempts     map[string]*Attempt
	actions      map[string]actionSet
	members      map[string]int // observation id -> number of its first result
	found        []Violation
}

func (c *checker) index() {
	c.observations = make(map[string]*Observation, len(c.r.Observations))
	for i := range slices.Backward(c.r.Observations) { // so that the first of two with one id is found
		c.observations[c.r.Observations[i].ObservationID] = &c.r.Observations[i]
	}
	c.attempts = make(map[string]*Attempt, len(c.r.ProviderAttempts))
	for i := range c.r.ProviderAttempts {
		c.attempts[c.r.ProviderAttempts[i].AttemptID] = &c.r.ProviderAttempts[i]
	}
	c.actions = make(map[string]actionSet, len(c.r.Observations))
	for _, action := range c.r.PolicyActions {
		c.actions[action.ObservationID] |= setOf(action.Action)
	}
	c.members = make(map[string]int, len(c.r.Observations))
}

func (c *checker) add(rule row, pointer, format string, args ...any) {
	c.found = append(c.found, Violation{pointer, rule.number, rule.section, fmt.Sprintf(format, args...)})
}

// actionSet is a set of the actions that rules ask for.
type actionSet uint8

func setOf(action Action) actionSet {
	switch action {
	case ActionExcluded:
		return 1
	case ActionSelected:
		return 2
	case ActionTruncated:
		return 4
	}
	return 0
}

// took says whether an observation has the action, which is one that setOf tells apart.
func (c *checker) took(observation string, action Action) bool {
	return c.actions[observation]&setOf(action) != 0
}

func (c *checker) isHit() bool { return c.r.CacheStatus.Disposition.IsHit() }

// checkIdentity compares the response with its request.
func (c *checker) checkIdentity() {
	if c.r.ContractVersion != ContractVersion {
		c.add(row{0, "2.1"}, "/contract_version", "%q is not %q", c.r.ContractVersion, ContractVersion)
	}
	request := c.opts.Request
	if request == nil {
		return
	}
	if c.r.Capability != request.Capability {
		c.add(row{0, "2.1"}, "/capability", "%q, asked for was %q", c.r.Capability, request.Capability)
	}
	if want := cmp.Or(request.RequestID, c.r.ExecutionID); c.r.RequestID != want {
		c.add(row{0, "2.1"}, "/request_id", "%q is not %q", c.r.RequestID, want)
	}
}

// checkFreeMembers looks for banned names where the schema lets anything stand; provider_fields are looked through
// with their observation.
func (c *checker) checkFreeMembers() {
	for i, warning := range c.r.Warnings {
		c.checkFree(warning.Details, "warnings", i, "details")
	}
	for i := range c.r.ProviderAttempts {
		if fault := c.r.ProviderAttempts[i].Error; fault != nil {
			c.checkFree(fault.Details, "provider_attempts", i, "error", "details")
		}
	}
	if c.r.Error != nil {
		c.checkFree(c.r.Error.Details, "error", "details")
	}
	c.checkFree(c.r.RoutingReceipt.Shadow, "routing_receipt", "shadow")
	c.checkFree(c.r.RoutingReceipt.BudgetPreflight, "routing_receipt", "budget_preflight")
	c.checkFree(c.r.StoredContent, "stored_content")
}

func (c *checker) checkFree(raw json.RawMessage, where ...any) {
	if len(raw) == 0 {
		return
	}
	tree, err := canon.Parse(raw)
	if err != nil {
		c.add(row{0, "2.1"}, at(where...), "%v", err)
		return
	}
	c.found = append(c.found, bannedBelow(tree, at(where...))...)
}

// at is the JSON Pointer to a member; an int is a place in an array.
func at(parts ...any) string {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = fmt.Sprint(part)
	}
	return canon.Pointer(names...)
}

// comparePointers orders places in arrays by number, so that /results/2 stands before /results/10.
func comparePointers(a, b string) int {
	left, right := pointerParts(a), pointerParts(b)
	return slices.CompareFunc(left, right, func(x, y string) int {
		m, errX := strconv.Atoi(x)
		n, errY := strconv.Atoi(y)
		if errX == nil && errY == nil {
			return cmp.Compare(m, n)
		}
		return cmp.Compare(x, y)
	})
}

func pointerParts(pointer string) []string {
	parts, ok := canon.SplitPointer(pointer)
	if !ok {
		return nil
	}
	return parts
}
