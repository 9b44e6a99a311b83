package main

import (
	"fmt"
	"strings"
)

// cutJSONKeys is json-keys/1: the value at pick.At (the whole file without one); with pick.Keys an object of the
// values at those places below it, in that order, each under its path with slashes between the names; inside each
// everything in the order of the source. Indent is one blank a level, strings keep their characters, numbers their
// digits. Places are JSON Pointers (RFC 6901).
func cutJSONKeys(src source, p pick) (extract, error) {
	root, err := parseJSON(src.data)
	if err != nil {
		return extract{}, fmt.Errorf("json-keys/1: %w", err)
	}
	base, err := root.at(p.At)
	if err != nil {
		return extract{}, fmt.Errorf("json-keys/1: at %q: %w", p.At, err)
	}
	if len(p.Keys) > 0 {
		if base, err = keep(base, p.Keys); err != nil {
			return extract{}, fmt.Errorf("json-keys/1: %w", err)
		}
	}
	var text strings.Builder
	base.write(&text, 0)
	return extract{text: text.String() + "\n"}, nil
}

func keep(base *jsonValue, keys []string) (*jsonValue, error) {
	kept := &jsonValue{kind: jsonObject}
	for _, key := range keys {
		names, err := pointerNames(key)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		value, err := base.walk(names)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", key, err)
		}
		path := strings.Join(names, "/")
		if path == "" || kept.member(path) != nil {
			return nil, fmt.Errorf("key %q: names the whole value, or a path that is there", key)
		}
		kept.members = append(kept.members, jsonMember{path, value})
	}
	return kept, nil
}
