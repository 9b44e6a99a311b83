package render

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"gopkg.in/yaml.v3"
)

// words holds the interface's words of one language.
type words struct {
	tag     string             // as authors write it: zh-CN
	name    string             // of the language in itself
	plain   map[string]string  // messages, a plural one in its form "other"
	phrases map[string]*phrase // the same, cut for [words.format]
	spoken  language.Tag
	numbers *message.Printer
	ascii   bool // the language writes numbers below 1,000 as Go does
}

// readWords reads messages.<language>.yaml. Members nest; their names are joined by dots. A mapping whose names are
// plural forms is one message that varies with its first argument.
func readWords(files fs.FS, name string) (*words, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(root.Content) != 1 {
		return nil, fmt.Errorf("%s: no messages", name)
	}
	w := &words{plain: map[string]string{}, phrases: map[string]*phrase{}}
	if err := w.flatten("", root.Content[0]); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w.tag, w.name = w.plain["language.tag"], w.plain["language.name"]
	if w.spoken, err = language.Parse(w.tag); err != nil {
		return nil, fmt.Errorf("%s: language.tag %q: %w", name, w.tag, err)
	}
	w.numbers = message.NewPrinter(w.spoken)
	w.ascii = w.numbers.Sprintf("%d", 987) == "987"
	return w, nil
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

func (w *words) flatten(prefix string, node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want a mapping", node.Line)
	}
	if forms := pluralForms(node); forms != nil {
		return w.add(strings.TrimSuffix(prefix, "."), node, forms)
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := prefix+node.Content[i].Value, node.Content[i+1]
		if _, twice := w.plain[name]; twice {
			return fmt.Errorf("line %d: %s stands twice", value.Line, name)
		}
		var err error
		if value.Kind == yaml.ScalarNode {
			err = w.add(name, value, map[string]string{"other": value.Value})
		} else {
			err = w.flatten(name+".", value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *words) add(key string, node *yaml.Node, forms map[string]string) error {
	made, err := newPhrase(forms)
	if err != nil {
		return fmt.Errorf("line %d: %s: %w", node.Line, key, err)
	}
	w.plain[key], w.phrases[key] = forms["other"], made
	return nil
}

// pluralForms returns the messages by their plural forms, and nil where node is no plural message.
func pluralForms(node *yaml.Node) map[string]string {
	forms := map[string]string{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		form := node.Content[i].Value
		if form != "other" && !slices.Contains(pluralNames(), form) {
			return nil
		}
		forms[form] = node.Content[i+1].Value
	}
	if forms["other"] == "" {
		return nil
	}
	return forms
}

// text is the message under a key that has no argument. A key that isn't there shows itself; a test finds it.
func (w *words) text(key string) string {
	if s, ok := w.plain[key]; ok {
		return s
	}
	return key
}

// label is a code of a closed list in words; a code that the list lacks stands for itself.
func (w *words) label(list, code string) labelView {
	if s, ok := w.plain["enum."+list+"."+code]; ok {
		return labelView{Text: s, Code: code}
	}
	return labelView{Text: code}
}

// sentences joins what is said one after the other; empty ones are left out.
func (w *words) sentences(said ...string) string {
	joined := ""
	for _, one := range said {
		switch {
		case joined == "":
			joined = one
		case one != "":
			joined = w.format("word.sentences", joined, one)
		}
	}
	return joined
}

// list joins the items of a list.
func (w *words) list(items []string) string { return strings.Join(items, w.plain["word.comma"]) }
