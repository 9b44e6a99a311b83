package canon

import (
	"strconv"
	"strings"
)

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Pointer joins parts to an RFC 6901 JSON Pointer: "" for none, "/a~1b/0" for "a/b" and "0".
func Pointer(parts ...string) string {
	var out strings.Builder
	for _, part := range parts {
		out.WriteByte('/')
		out.WriteString(pointerEscape.Replace(part))
	}
	return out.String()
}

// SplitPointer is the reverse of [Pointer]; a pointer that is neither empty nor begins with "/" has no parts and is
// reported as not ok.
func SplitPointer(pointer string) (parts []string, ok bool) {
	if pointer == "" {
		return nil, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		parts = append(parts, pointerUnescape.Replace(part))
	}
	return parts, true
}

// Lookup follows an RFC 6901 JSON Pointer through a tree of [Parse].
func Lookup(tree any, pointer string) (any, bool) {
	parts, ok := SplitPointer(pointer)
	if !ok {
		return nil, false
	}
	for _, part := range parts {
		switch node := tree.(type) {
		case map[string]any:
			if tree, ok = node[part]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(node) || part != strconv.Itoa(i) {
				return nil, false
			}
			tree = node[i]
		default:
			return nil, false
		}
	}
	return tree, true
}
