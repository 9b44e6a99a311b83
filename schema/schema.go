// Package schema holds the JSON Schemas of casebook (Draft 2020-12) and checks documents against them.
//
// The schemas are the source of truth for the shape of every document that people or other software write; the
// documents beside them, CASE.md first, say the rest. [Check] takes a tree of engine/canon and returns every violation
// at once, in words of our own that don't change with the library behind them. The package opens no file and no
// connection: a schema that refers to another finds it among the embedded ones or not at all.
package schema

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

//go:embed *.schema.json
var files embed.FS

const (
	ending = ".schema.json"
	// base makes the names of the embedded files absolute, as the library wants them; nothing is ever fetched from it.
	base = "https://casebook.invalid/schema/"
)

// object is a JSON object of a tree; this alias is the one place that spells the type out.
type object = map[string]any

// library is the table of the embedded schemas. It is built once and read only from then on; each schema in it is
// compiled when it is first asked for, by whoever comes first, so that starting the program compiles nothing.
var library = onceEach()

type entry struct {
	source  []byte
	compile func() (*compiled, error)
}

// compiled is a schema ready to use, with the texts of all schemas that a fault may point into.
type compiled struct {
	root  *jsonschema.Schema
	texts object // URL without fragment to parsed schema
}

func onceEach() func() (map[string]entry, error) {
	return sync.OnceValues(func() (map[string]entry, error) {
		names, err := fs.Glob(files, "*"+ending)
		if err != nil {
			return nil, err
		}
		table := make(map[string]entry, len(names))
		for _, file := range names {
			source, err := files.ReadFile(file)
			if err != nil {
				return nil, err
			}
			table[strings.TrimSuffix(file, ending)] = entry{source, sync.OnceValues(func() (*compiled, error) { return compile(files.ReadFile, file) })}
		}
		return table, nil
	})
}

// Names returns the names of all schemas, sorted: "case", "request-v3" and so on.
func Names() []string {
	table, err := library()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(table))
}

// Source returns the bytes of the named schema. The caller may keep and change them.
func Source(name string) ([]byte, bool) {
	source, err := files.ReadFile(name + ending)
	return source, err == nil
}

// Check holds a tree of engine/canon (nil, bool, string, json.Number, []any, map[string]any) against the named schema.
// It returns all violations, sorted by pointer, none for a document that fits. The error says that there is no such
// schema or that it doesn't compile, or that the tree holds a value of another type.
func Check(name string, tree any) ([]Violation, error) {
	table, err := library()
	if err != nil {
		return nil, err
	}
	found, ok := table[name]
	if !ok {
		return nil, fmt.Errorf("schema %q: there is none of that name", name)
	}
	c, err := found.compile()
	if err != nil {
		return nil, fmt.Errorf("schema %q: %w", name, err)
	}
	violations, err := c.check(tree)
	if err != nil {
		return nil, fmt.Errorf("schema %q: %w", name, err)
	}
	return violations, nil
}

func (c *compiled) check(tree any) ([]Violation, error) {
	err := c.root.Validate(tree)
	if err == nil {
		return nil, nil
	}
	var top *jsonschema.ValidationError
	if !errors.As(err, &top) {
		return nil, err
	}
	return explain(c.texts, tree, top), nil
}

// compile reads a schema, and those it refers to, by read alone.
func compile(read func(name string) ([]byte, error), file string) (*compiled, error) {
	c := &compiled{texts: object{}}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(url string) (io.ReadCloser, error) {
		source, err := read(strings.TrimPrefix(url, base))
		if err != nil {
			return nil, err
		}
		tree, err := parse(source)
		if err != nil {
			return nil, err
		}
		c.texts[url] = tree
		if id, ok := memberText(tree, "$id"); ok {
			c.texts[strings.TrimSuffix(id, "#")] = tree
		}
		return io.NopCloser(bytes.NewReader(source)), nil
	}
	root, err := compiler.Compile(base + file)
	if err != nil {
		return nil, err
	}
	c.root = root
	return c, nil
}

func parse(source []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(source))
	decoder.UseNumber()
	var tree any
	err := decoder.Decode(&tree)
	return tree, err
}

func memberText(tree any, name string) (string, bool) {
	members, ok := tree.(object)
	if !ok {
		return "", false
	}
	text, ok := members[name].(string)
	return text, ok
}
