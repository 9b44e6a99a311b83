package search

import (
	"fmt"

	"casebook/engine/evidence"
)

// LocalProvider is the one provider that needs neither key nor network: the corpus of a case.
const LocalProvider = "local"

// Candidates returns the providers of a request in the order in which they are asked (contract section 4.1). A named
// provider without fallback is the only one; local is alone whatever the request says of fallback, so that the
// request by itself decides whether a step is pinned.
func Candidates(request evidence.Request) ([]string, error) {
	named := request.NamedProvider()
	if named == LocalProvider || named != evidence.AutomaticProvider && !fallback(request) {
		return []string{named}, nil
	}
	return nil, fmt.Errorf("provider %q with fallback: no provider is configured", named)
}

// fallback is whether other providers may be tried: as the request says, else only an extraction may.
func fallback(request evidence.Request) bool {
	if request.Routing.AllowFallback != nil {
		return *request.Routing.AllowFallback
	}
	return request.Capability == evidence.Extract
}

// Pinned says whether the corpus is the only candidate, so that the step is computed anew at every build.
func Pinned(request evidence.Request) bool { return request.NamedProvider() == LocalProvider }
