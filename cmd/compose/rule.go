package main

import (
	"fmt"
	"strings"
)

// source is what a rule may look at: the bytes of one file of a package, gunzipped, and for a dictionary its index.
type source struct {
	data  []byte
	index []byte
}

// span is a range of lines of a source, counted from 1, both ends included.
type span struct{ first, last int }

// extract is what a rule gives: a text, and for rules that go by lines the ranges it came from, in their order.
type extract struct {
	text  string
	spans []span
}

// rule is one way to cut a text out of a source. Its id carries a version: a rule that would give other bytes for the
// same source is a new rule, since committed documents name the one they were made by.
type rule struct {
	id  string
	cut func(source, pick) (extract, error)
}

// rules lists every rule, sorted by id.
func rules() []rule {
	return []rule{
		{"dictd/1", cutDictd},
		{"html-text/1", cutHTMLText},
		{"json-keys/1", cutJSONKeys},
		{"lines/1", cutLines},
		{"split-release/1", cutSplitRelease},
		{"whole/1", cutWhole},
	}
}

func ruleByID(id string) (rule, error) {
	var known []string
	for _, r := range rules() {
		if r.id == id {
			return r, nil
		}
		known = append(known, r.id)
	}
	return rule{}, fmt.Errorf("rule %q: unknown; known are %s", id, strings.Join(known, ", "))
}

// splitLines gives the lines of data without their LF; a last line without LF counts as one.
func splitLines(data []byte) []string {
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// endOnce gives text with exactly one LF at its end.
func endOnce(text string) string { return strings.TrimRight(text, "\n") + "\n" }
