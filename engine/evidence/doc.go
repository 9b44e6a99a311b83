// Package evidence holds the nouns of the source-only core and their rules.
//
// [Request] and [Response] are the wire values of contract version 3.0 with Amendment 002; [Recording] is what is
// stored of a step before anything is derived from it. Identifiers, canonical URLs, text digests and code-point
// segments are pure functions of their inputs. [DecodeResponse] is strict, [Response.Validate] holds the rules that
// no schema can say.
//
// The package knows no provider, sends nothing, and has no word for answers or verdicts.
package evidence
