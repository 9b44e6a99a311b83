// Package provider knows the search services: one file each, with what it offers, a pure builder of its requests and
// a pure decoder of its replies.
//
// A provider is source-only: it returns results or documents, never an answer. What a decoder gives are items as
// they stand in the reply; [Source.Observe] makes observations of them in one way for all. Nothing here sends or
// reads a clock, an environment or a file.
//
// A new provider is one file with a function that returns its [Provider], and one line in registry.go. [Check] says
// whether it may be registered; the conformance suite holds every registered one to the rest.
package provider

import (
	"encoding/json"

	"casebook/engine/evidence"
	"casebook/engine/wire"
)

// Semantics is what a mode of a provider returns. There is no value for answers [A §9].
type Semantics string

// The semantics that may be registered.
const (
	SourceResults Semantics = "source_results"
	SourceText    Semantics = "source_text"
)

// Provider describes one service.
type Provider struct {
	ID        string
	Endpoints []Endpoint
	// Fields is the allow-list of provider_fields, in the order in which they are kept when room is short.
	Fields []string
	// KeyEnv names the environment variable of the key, "" where none is needed.
	KeyEnv string
	// BaseURL is the address that its requests begin with, "" for a provider in process.
	BaseURL string
	// RecordURLs says that a fragment names a record, so that canonical URLs keep it.
	RecordURLs bool
	// Guard refuses requests beyond what is refused to all, nil where the common gate is enough.
	Guard func(wire.Request) error
	// RejectedReason is set in the record of a service that may never be asked; it has no endpoints.
	RejectedReason string
}

// Endpoint is one operation of a provider.
type Endpoint struct {
	Capability evidence.Capability
	Semantics  Semantics
	// Label is how the service itself calls the operation.
	Label string
	// Build makes the outbound request, the same for the same query.
	Build func(Query) (wire.Request, error)
	// Decode reads the items of a successful reply, in the provider's order, all of them: an item that is malformed
	// keeps its place as an [Item] without URL. An error is a [*ReplyError].
	Decode func(body []byte) ([]Item, error)
}

// Query is everything that a request depends on.
type Query struct {
	Request evidence.Request      // normalized
	URLs    []string              // to extract, the processed ones
	Locale  evidence.PolicyLocale // of the request, else as configured
	Options Options
	Key     string
}

// Item is one entry of a result array of a reply, before it becomes an observation. Text is literal.
type Item struct {
	URL    string // as it stands in the item, "" where it has none
	Title  *string
	Text   string // the snippet of a result, the text of a document
	Date   string // "" where the item has none
	Score  *json.Number
	Fields []Field // allow-listed members that are there, in the order of the allow-list
}

// Field is one allow-listed member of an item: a scalar or a list of strings, in canonical JSON.
type Field struct {
	Name  string
	Value json.RawMessage
}
