package provider

import (
	"fmt"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// Options are the settings of a provider that its requests depend on, keys never among them.
type Options struct {
	BaseURL  string `json:"base_url,omitempty"` // absent: a provider in process
	Country  string `json:"country,omitempty"`  // absent: that of the policy
	Language string `json:"language,omitempty"` // absent: that of the policy
}

// Options returns the built-in settings of p.
func (p Provider) Options() Options { return Options{BaseURL: p.BaseURL} }

// Query is what a request of p depends on under a policy, without a key. A replay builds the same one from the
// recorded policy. A locale is that of the request, else of the provider's options, else of the policy.
func (p Provider) Query(request evidence.Request, policy evidence.Policy) (Query, error) {
	urls, _ := request.ProcessedURLs(policy.Limits.MaxURLs)
	options := p.Options()
	if recorded := policy.Options[p.ID]; recorded != nil {
		if err := canon.Decode(recorded, &options); err != nil {
			return Query{}, fmt.Errorf("policy: options of %s: %w", p.ID, err)
		}
	}
	locale := policy.Locale
	override(&locale, options.Country, options.Language)
	if asked := request.Options.Locale; asked != nil {
		override(&locale, asked.Country, asked.Language)
	}
	return Query{Request: request, URLs: urls, Locale: locale, Options: options}, nil
}

func override(locale *evidence.PolicyLocale, country, language string) {
	if country != "" {
		locale.Country = country
	}
	if language != "" {
		locale.Language = language
	}
}

// Recency is the one recency value of a search, "" for none: the older time_range wins over freshness.
func (q Query) Recency() string {
	if q.Request.Options.TimeRange != "" {
		return q.Request.Options.TimeRange
	}
	return q.Request.Options.Freshness
}
