package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"casebook/engine/canon"
	"casebook/engine/evidence"
)

// Codes of the faults of a try, and what they say (contract section 2.2).
const (
	codeTransient = "wsp.provider.transient"
	codeContract  = "wsp.provider.contract"
	codeInternal  = "wsp.provider.internal"
)

// FaultMessage gives the fixed words for a code. Words of a provider are never copied.
func FaultMessage(code string) string {
	switch code {
	case "wsp.provider.auth":
		return "authentication failed"
	case "wsp.provider.quota":
		return "quota exhausted"
	case "wsp.provider.rate_limit":
		return "rate limited"
	case codeTransient:
		return "temporarily unavailable"
	case "wsp.provider.timeout":
		return "timed out"
	case codeContract:
		return "unusable response shape"
	case "wsp.config.provider_invalid":
		return "provider configuration invalid"
	case "wsp.config.missing_credentials":
		return "no usable credential for the planned provider"
	case "wsp.security.request_blocked":
		return "URL safety rule"
	}
	return "execution failed"
}

// ReplyError says what is wrong with a reply whose HTTP status says success. Reason holds nothing of the reply.
type ReplyError struct {
	Class     string
	Code      string
	Retryable bool
	Reason    string
}

// Error says what is wrong, in words of ours.
func (e *ReplyError) Error() string { return fmt.Sprintf("reply: %s: %s", e.Code, e.Reason) }

// unreadable is a body that is no JSON: cut off on the way, most likely, so asking again may help.
func unreadable(reason string) error {
	return &ReplyError{"transient", codeTransient, true, reason}
}

// unusable is a body whose shape is not the provider's.
func unusable(format string, args ...any) error {
	return &ReplyError{"provider_contract", codeContract, false, fmt.Sprintf(format, args...)}
}

// object is one object of a reply. A nil object stands for something else where an object was expected; it has no
// members. A member of another type than asked for counts as absent (contract section 6.0).
type object map[string]json.RawMessage

var byteOrderMark = []byte("\uFEFF")

// readObject reads a body that must be one object.
func readObject(body []byte) (object, error) {
	body = bytes.TrimPrefix(body, byteOrderMark)
	if !utf8.Valid(body) {
		return nil, unreadable("not UTF-8")
	}
	if !json.Valid(body) {
		return nil, unreadable("not JSON")
	}
	var o object
	if err := json.Unmarshal(body, &o); err != nil || o == nil {
		return nil, unusable("no object")
	}
	return o, nil
}

// has says whether a member is there and not null.
func (o object) has(name string) bool {
	raw, ok := o[name]
	return ok && string(raw) != "null"
}

// list reads the result array at the end of a path of members. Nothing or null on the way is an empty list; something
// else is unusable. An entry that is no object, or one that was generated and not found, is nil.
func (o object) list(path ...string) ([]object, error) {
	for i, name := range path {
		if !o.has(name) {
			return nil, nil
		}
		if i < len(path)-1 {
			if o = asObject(o[name]); o == nil {
				return nil, unusable("%s is no object", name)
			}
			continue
		}
		var entries []json.RawMessage
		if json.Unmarshal(o[name], &entries) != nil {
			return nil, unusable("%s is no list", name)
		}
		items := make([]object, len(entries))
		for i, entry := range entries {
			items[i] = asObject(entry)
		}
		return items, nil
	}
	return nil, nil
}

// asObject is nil for everything else, and for an object of type synthesis, which is never read.
func asObject(raw json.RawMessage) object {
	var o object
	if json.Unmarshal(raw, &o) != nil || o.text("type") == "synthesis" {
		return nil
	}
	return o
}

// text is the first of the named members that holds a text which is not empty, else "".
func (o object) text(names ...string) string {
	for _, name := range names {
		if s := o.stringAt(name); s != nil && *s != "" {
			return *s
		}
	}
	return ""
}

// stringAt is nil where the member is absent, null or no string.
func (o object) stringAt(name string) *string {
	var s *string
	if o[name] == nil || json.Unmarshal(o[name], &s) != nil {
		return nil
	}
	return s
}

// score is a number with all its digits, nil where there is none that can be written.
func (o object) score(name string) *json.Number {
	tree, err := canon.Parse(o[name])
	if number, ok := tree.(json.Number); ok && err == nil {
		return &number
	}
	return nil
}

// fields are the allow-listed members that are scalars or lists of strings.
func (o object) fields(allowed []string) []Field {
	var fields []Field
	for _, name := range allowed {
		tree, err := canon.Parse(o[name])
		if err != nil || !isFieldValue(tree) {
			continue
		}
		if value, err := canon.Encode(tree); err == nil {
			fields = append(fields, Field{name, value})
		}
	}
	return fields
}

func isFieldValue(tree any) bool {
	switch v := tree.(type) {
	case string, bool, json.Number:
		return true
	case []any:
		for _, entry := range v {
			if _, ok := entry.(string); !ok {
				return false
			}
		}
		return true
	}
	return false
}

// fault is what a try records of an error of a decoder.
func fault(err error) *evidence.TryFault {
	var reply *ReplyError
	if errors.As(err, &reply) {
		return &evidence.TryFault{ErrorClass: reply.Class, Code: reply.Code, Retryable: reply.Retryable}
	}
	return &evidence.TryFault{ErrorClass: "internal", Code: codeInternal}
}
