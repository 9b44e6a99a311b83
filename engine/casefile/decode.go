package casefile

import (
	"encoding/json"
	"path"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// Parse reads case.yaml from its bytes; name is the file's in faults. All faults are returned at once, sorted by place.
// With faults the case holds what could be read, so that more of its files can be checked; nothing else may be done
// with it. It is nil where the bytes aren't YAML, or no object. The caller must not change the bytes afterwards.
func Parse(name string, yaml []byte) (*Case, []Fault) {
	c, d := parse(name, yaml)
	return c, sorted(d.faults)
}

func parse(name string, yaml []byte) (*Case, *document) {
	d := read(name, yaml)
	if len(d.faults) == 1 && d.tree == nil && d.faults[0].Message == emptyFile {
		d.faults[0].Message = emptyCase
	}
	if d.tree == nil {
		return nil, d
	}
	if err := d.checkShape("case"); err != nil {
		d.add(mark{}, "", "%v", err)
	}
	checkCase(d.root())
	if _, ok := d.tree.(object); !ok {
		return nil, d
	}
	c := d.decode()
	c.YAML = yaml
	return c, d
}

// decode takes what the document has; whatever is wrong in it has a fault already.
func (d *document) decode() *Case {
	root := d.root()
	c := &Case{
		ID: root.get("id").text(), AsOf: root.get("as_of").text(), Title: decodeText(root.get("title")),
		Question: decodeText(root.get("question")), Redact: Redact{Rules: decodeRules(root.get("redact", "rules"))}, tree: d.tree,
	}
	for _, tag := range root.get("tags").items() {
		c.Tags = append(c.Tags, tag.text())
	}
	for _, s := range root.get("sources").items() {
		c.Sources = append(c.Sources, Source{s.get("name").text(), s.get("url").text(), s.get("licence").text()})
	}
	for _, m := range root.get("corpora").members() {
		c.Corpora = append(c.Corpora, Corpus{m.name, path.Clean(m.get("path").text()), m.mark().line, m.mark().column})
	}
	for _, s := range root.get("steps").items() {
		c.Steps = append(c.Steps, decodeStep(s))
	}
	for _, v := range root.get("contested").items() {
		c.Contested = append(c.Contested, c.decodeContest(v))
	}
	return c
}

func decodeText(v value) Text {
	var t Text
	for _, m := range v.members() {
		t = append(t, Translation{m.name, m.text()})
	}
	return t
}

// note reads words that may be written without a language, which are in the case's first.
func (c *Case) note(v value) Text {
	if text := v.text(); text != "" && len(c.Title) > 0 {
		return Text{{c.Title[0].Lang, text}}
	}
	return decodeText(v)
}

func (c *Case) decodeContest(v value) Contest {
	contest := Contest{Note: c.note(v.get("note")), Line: v.mark().line, Column: v.mark().column}
	for i, between := range v.get("between").items() {
		if i < len(contest.Between) {
			contest.Between[i] = between.text()
		}
	}
	if resolved := v.get("resolved"); resolved.present {
		contest.Resolved = &Resolution{By: c.note(resolved.get("by")), Note: c.note(resolved.get("note"))}
	}
	return contest
}

func decodeRules(v value) map[string]bool {
	rules := map[string]bool{}
	for _, m := range v.members() {
		if on, ok := m.node.(bool); ok {
			rules[m.name] = on
		}
	}
	return rules
}

func decodeStep(v value) Step {
	step := Step{
		ID: v.get("id").text(), Kind: v.get("kind").text(), Corpus: v.get("corpus").text(), Line: v.mark().line, Column: v.mark().column,
	}
	step.Request = completeRequest(v.get("request").node, step.Kind)
	for _, item := range v.get("expect").items() {
		step.Expect = append(step.Expect, decodeExpect(item))
	}
	return step
}

func decodeExpect(v value) Expect {
	var e Expect
	encoded, err := canon.Encode(v.node)
	if err == nil {
		err = json.Unmarshal(encoded, &e)
	}
	if err != nil {
		// What doesn't fit has a fault of the schema.
		e = Expect{}
	}
	e.Line, e.Column = v.mark().line, v.mark().column
	return e
}

// completeRequest writes the request with the two members that a step's kind gives, nil where it is no object.
func completeRequest(node any, kind string) json.RawMessage {
	members, ok := node.(object)
	if !ok {
		return nil
	}
	full := object{"contract_version": evidence.ContractVersion, "capability": kind}
	for name, member := range members {
		full[name] = member
	}
	encoded, err := canon.Encode(full)
	if err != nil {
		return nil
	}
	return encoded
}
