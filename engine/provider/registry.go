package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"casebook/engine/canon"
	"casebook/engine/evidence"
	"casebook/engine/wire"
)

// All returns the providers that may be selected, sorted by id.
func All() []Provider {
	return []Provider{
		local(),
		serper(),
	}
}

// rejected returns the records of services without a verified source-only endpoint, so that naming one fails clearly.
func rejected() []Provider {
	const reason = "no_verified_source_only_endpoint"
	return []Provider{
		{ID: "kilo-perplexity", KeyEnv: "KILOCODE_API_KEY", RejectedReason: reason},
		{ID: "perplexity", KeyEnv: "PERPLEXITY_API_KEY", RejectedReason: reason},
	}
}

// Find returns the provider with an id, a rejected record included.
func Find(id string) (Provider, bool) {
	all := append(All(), rejected()...)
	i := slices.IndexFunc(all, func(p Provider) bool { return p.ID == id })
	if i < 0 {
		return Provider{}, false
	}
	return all[i], true
}

// Class and code of a [SelectError] in an ErrorV3.
const (
	SelectErrorClass = "unsupported"
	SelectErrorCode  = "wsp.request.provider"
)

// SelectError says why a provider can't be asked for a capability. Nothing was sent and no attempt is made.
type SelectError struct {
	Provider   string
	Capability evidence.Capability
	Reason     string
}

// Error names the provider and why it can't be asked.
func (e *SelectError) Error() string {
	return fmt.Sprintf("provider %q for %s: %s", e.Provider, e.Capability, e.Reason)
}

// Select returns the provider and its endpoint for a capability. An error is a [*SelectError] (contract section 7.1).
func Select(id string, capability evidence.Capability) (Provider, Endpoint, error) {
	p, ok := Find(id)
	if !ok {
		return Provider{}, Endpoint{}, &SelectError{id, capability, "no such provider; there are " + strings.Join(ids(), ", ")}
	}
	e, err := p.endpoint(capability)
	if err != nil {
		return Provider{}, Endpoint{}, err
	}
	return p, e, nil
}

func (p Provider) endpoint(capability evidence.Capability) (Endpoint, error) {
	refuse := func(reason string) (Endpoint, error) {
		return Endpoint{}, &SelectError{p.ID, capability, reason}
	}
	if p.RejectedReason != "" {
		return refuse("rejected: " + p.RejectedReason)
	}
	i := slices.IndexFunc(p.Endpoints, func(e Endpoint) bool { return e.Capability == capability })
	if i < 0 {
		return refuse("the provider does not offer it")
	}
	if !p.Endpoints[i].sourceOnly() {
		return refuse(fmt.Sprintf("semantics %q are not source-only", p.Endpoints[i].Semantics))
	}
	return p.Endpoints[i], nil
}

func ids() []string {
	var all []string
	for _, p := range All() {
		all = append(all, p.ID)
	}
	return all
}

// EndpointID names an endpoint on the wire: "serper:search".
func EndpointID(p Provider, e Endpoint) string { return p.ID + ":" + string(e.Capability) }

// sourceOnly says whether the declared semantics are those of the capability.
func (e Endpoint) sourceOnly() bool {
	switch e.Capability {
	case evidence.Search:
		return e.Semantics == SourceResults
	case evidence.Extract:
		return e.Semantics == SourceText
	}
	return false
}

// Check says why a provider may not be registered, nil if it may.
func Check(p Provider) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("provider %q: %s", p.ID, fmt.Sprintf(format, args...))
	}
	if p.ID == "" || strings.Trim(p.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || p.ID == evidence.AutomaticProvider {
		return refuse("an id is lower-case letters, digits and -, and not %q", evidence.AutomaticProvider)
	}
	if len(p.Endpoints) == 0 {
		return refuse("no endpoint")
	}
	seen := map[evidence.Capability]bool{}
	for _, e := range p.Endpoints {
		switch {
		case e.Semantics == "" || e.Label == "":
			return refuse("%s: semantics and label must be declared", e.Capability)
		case wire.SaysAnswer(string(e.Semantics)) || wire.SaysAnswer(e.Label):
			return refuse("%s: semantics %q, label %q promise more than sources", e.Capability, e.Semantics, e.Label)
		case !e.sourceOnly():
			return refuse("%s: semantics %q are not those of the capability", e.Capability, e.Semantics)
		case seen[e.Capability]:
			return refuse("%s: two endpoints", e.Capability)
		case e.Build == nil || e.Decode == nil:
			return refuse("%s: a builder and a decoder are needed", e.Capability)
		}
		seen[e.Capability] = true
	}
	for i, name := range p.Fields {
		if isBanned(name) || slices.Contains(p.Fields[:i], name) {
			return refuse("field %q is banned or there twice", name)
		}
	}
	return nil
}

// isBanned says whether no observation may carry a member of this name.
func isBanned(name string) bool {
	member, err := canon.Encode(map[string]json.RawMessage{name: json.RawMessage("null")})
	if err != nil {
		return true
	}
	tree, err := canon.Parse(member)
	return err != nil || len(evidence.CheckBanned(tree)) > 0
}

// Rules is what a response is validated against: the endpoints and allow-lists of every provider.
func Rules() evidence.ValidateOptions {
	return evidence.ValidateOptions{Registry: func(id string) (evidence.ProviderRules, bool) {
		p, ok := Find(id)
		if !ok || p.RejectedReason != "" {
			return evidence.ProviderRules{}, false
		}
		rules := evidence.ProviderRules{Fields: p.Fields}
		for _, e := range p.Endpoints {
			rules.Endpoints = append(rules.Endpoints, EndpointID(p, e))
		}
		return rules, true
	}}
}
