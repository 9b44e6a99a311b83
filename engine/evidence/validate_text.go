package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// noFragment is the fragment of a place in a text that is no aggregate, or of the aggregate as a whole.
const noFragment = -1

// textPlace is a projected text in the results, or one fragment of it. Pointers are made only where a rule is broken.
type textPlace struct {
	result   int
	field    SourceField
	fragment int
}

func (p textPlace) at(parts ...any) string {
	return at("results", p.result, string(p.field)) + at(parts...)
}

// source is the pointer to a member of what says where the text comes from: the provenance or the fragment.
func (p textPlace) source(parts ...any) string {
	if p.fragment == noFragment {
		return p.at("provenance") + at(parts...)
	}
	return p.at("provenance", "fragments", p.fragment) + at(parts...)
}

// text is the pointer to the text that is made from the source.
func (p textPlace) text() string {
	if p.fragment == noFragment {
		return p.at("text")
	}
	return p.source("text")
}

// checkText holds rules 11, 12 and 26, and by provenance rules 8 to 10 and 13.
func (c *checker) checkText(p textPlace, text *ProjectedText) {
	if !isTextDigest(text.Text, text.TextSHA256) {
		c.add(row{11, "2.5"}, p.at("text_sha256"), "%q, the text has %q", text.TextSHA256, TextDigest(text.Text))
	}
	if !IsNFC(text.Text) {
		c.add(row{12, "3.8"}, p.at("text"), "is not in Normalization Form C")
	}
	c.checkSegments(p, text)
	if want := text.Provenance.Origin(); text.Origin != want {
		c.add(row{26, "3.7"}, p.at("origin"), "%q, the provenance says %q", text.Origin, want)
	}
	if text.Provenance.IsAggregate() {
		c.checkAggregate(p, text)
	} else {
		c.checkSingle(p, text)
	}
}

// checkSegments holds rule 12: contiguous from 0, none empty, covering every code point.
func (c *checker) checkSegments(p textPlace, text *ProjectedText) {
	rest, offset := text.Text, 0
	for k, segment := range text.Segments {
		length := utf8.RuneCountInString(segment.Text)
		switch {
		case segment.Start != offset:
			c.add(row{12, "3.8"}, p.at("segments", k, "start"), "%d, the segment before ends at %d", segment.Start, offset)
		case segment.Text == "":
			c.add(row{12, "3.8"}, p.at("segments", k, "text"), "is empty")
		case segment.End != segment.Start+length:
			c.add(row{12, "3.8"}, p.at("segments", k, "end"), "%d, the text ends at %d", segment.End, segment.Start+length)
		case !strings.HasPrefix(rest, segment.Text):
			c.add(row{12, "3.8"}, p.at("segments", k, "text"), "is not what stands there")
		default:
			rest, offset = rest[len(segment.Text):], segment.End
			continue
		}
		return // what follows could only repeat the fault
	}
	if rest != "" {
		c.add(row{12, "3.8"}, p.at("segments"), "end at %d, the text has %d code points", offset, utf8.RuneCountInString(text.Text))
	}
}

// checkSingle holds rules 8, 9 and 13 for the text of one observation.
func (c *checker) checkSingle(p textPlace, text *ProjectedText) {
	from := text.Provenance
	if from.SourceField != p.field {
		c.add(row{8, "2.5"}, p.source("source_field"), "%q stands in %s", from.SourceField, p.field)
	}
	c.checkSource(row{8, "2.5"}, p, Fragment{from.ObservationID, from.SourceField, text.Text, from.Transformations})
}

// checkSource holds rule 8 or 10 for where one text comes from, and rules 9 and 13 for what was done to it.
func (c *checker) checkSource(rule row, p textPlace, f Fragment) {
	observation := c.observations[f.ObservationID]
	if observation == nil {
		c.add(rule, p.source("observation_id"), "no observation %q", f.ObservationID)
		return
	}
	if !slices.Contains(c.r.Results[p.result].ObservationIDs, f.ObservationID) {
		c.add(rule, p.source("observation_id"), "%q is no member of the result", f.ObservationID)
	}
	source := observation.Field(f.SourceField)
	if source == nil {
		c.add(rule, p.source("source_field"), "%q has no %s", f.ObservationID, f.SourceField)
		return
	}
	if !Replay(*source, f.Transformations, f.Text) {
		c.add(row{9, "3.7"}, p.text(), "the transformations do not make it from the %s of %q", f.SourceField, f.ObservationID)
	}
	if Cuts(f.Transformations) && !c.took(f.ObservationID, ActionTruncated) {
		c.add(row{13, "2.14"}, p.source("transformations"), "%q is cut without an action %s", f.ObservationID, ActionTruncated)
	}
}

// checkAggregate holds rule 10, and rules 9 and 13 for each fragment.
func (c *checker) checkAggregate(p textPlace, text *ProjectedText) {
	from, rule := text.Provenance, row{10, "3.9"}
	if p.field != FieldSnippet {
		c.add(rule, p.source(), "only a snippet may be an aggregate")
	}
	if from.Separator == "" {
		c.add(rule, p.source("separator"), "is empty")
	}
	if len(from.Fragments) == 0 {
		c.add(rule, p.source("fragments"), "is empty")
	}
	pieces := make([]string, len(from.Fragments))
	for k, fragment := range from.Fragments {
		pieces[k] = fragment.Text
		p.fragment = k
		same := func(f Fragment) bool {
			return f.ObservationID == fragment.ObservationID && f.SourceField == fragment.SourceField
		}
		if slices.ContainsFunc(from.Fragments[:k], same) {
			c.add(rule, p.source(), "a second fragment of the %s of %q", fragment.SourceField, fragment.ObservationID)
		}
		c.checkSource(rule, p, fragment)
	}
	if strings.Join(pieces, from.Separator) != text.Text {
		c.add(rule, p.at("text"), "is not the fragments joined by the separator")
	}
}
