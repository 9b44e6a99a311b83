package render

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
	"gopkg.in/yaml.v3"
)

// words holds the interface's words of one language.
type words struct {
	tag     string            // as authors write it: zh-CN
	name    string            // of the language in itself
	plain   map[string]string // messages, a plural one in its form "other"
	printer *message.Printer
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
	w := &words{plain: map[string]string{}}
	plurals := map[string][]any{}
	if err := w.flatten("", root.Content[0], plurals); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w.tag, w.name = w.plain["language.tag"], w.plain["language.name"]
	tag, err := language.Parse(w.tag)
	if err != nil {
		return nil, fmt.Errorf("%s: language.tag %q: %w", name, w.tag, err)
	}
	book := catalog.NewBuilder(catalog.Fallback(tag))
	for _, key := range slices.Sorted(keysOf(w.plain)) {
		if cases := plurals[key]; cases != nil {
			err = book.Set(tag, key, plural.Selectf(1, "%d", cases...))
		} else {
			err = book.SetString(tag, key, w.plain[key])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, key, err)
		}
	}
	w.printer = message.NewPrinter(tag, message.Catalog(book))
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

func (w *words) flatten(prefix string, node *yaml.Node, plurals map[string][]any) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: want a mapping", node.Line)
	}
	if forms := pluralForms(node); forms != nil {
		key := strings.TrimSuffix(prefix, ".")
		plurals[key], w.plain[key] = forms, forms[len(forms)-1].(string)
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := prefix+node.Content[i].Value, node.Content[i+1]
		if _, twice := w.plain[name]; twice {
			return fmt.Errorf("line %d: %s stands twice", value.Line, name)
		}
		if value.Kind == yaml.ScalarNode {
			w.plain[name] = value.Value
			continue
		}
		if err := w.flatten(name+".", value, plurals); err != nil {
			return err
		}
	}
	return nil
}

// pluralForms returns selector and message by turns, "other" last, and nil where node is no plural message.
func pluralForms(node *yaml.Node) []any {
	var cases []any
	other := ""
	for i := 0; i+1 < len(node.Content); i += 2 {
		form, text := node.Content[i].Value, node.Content[i+1].Value
		switch form {
		case "other":
			other = text
		case "zero", "one", "two", "few", "many":
			cases = append(cases, form, text)
		default:
			return nil
		}
	}
	if other == "" {
		return nil
	}
	return append(cases, "other", other)
}

// text is the message under a key that has no argument. A key that isn't there shows itself; a test finds it.
func (w *words) text(key string) string {
	if s, ok := w.plain[key]; ok {
		return s
	}
	return key
}

// format is the message under a key with its arguments in place, numbers written as the language does.
func (w *words) format(key string, args ...any) string { return w.printer.Sprintf(key, args...) }

// label is a code of a closed list in words; a code that the list lacks stands for itself.
func (w *words) label(list, code string) labelView {
	if s, ok := w.plain["enum."+list+"."+code]; ok {
		return labelView{Text: s, Code: code}
	}
	return labelView{Text: code}
}

// number is n as the language writes it.
func (w *words) number(n int64) string { return w.printer.Sprintf("%d", n) }
