// Package redact is the border between what was recorded and what may be published.
//
// [Scrub] takes the recordings of a case, removes what its rules find and gives a [Clean]: the same recordings with
// placeholders, and the [Ledger] that says for each placeholder where it stands, why, and which value it hides, as a
// keyed commitment. Freezing accepts a Clean only, and nothing else makes one. [Scan] and [ScanText] run the same
// rules over finished files and report places, never values.
//
// Rules look at decoded strings: JSON inside a JSON string, percent-encoded, backslash-escaped and base64 forms, up
// to four layers. What is removed are the stored bytes that decode to a hit, and no escape is cut; where that can't
// be told, the whole string goes. An error names file, place and rule, never what stood there. The package reads no
// clock, no environment and no file, and writes none. Rules: pack format, section 6.
package redact
