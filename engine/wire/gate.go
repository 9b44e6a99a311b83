package wire

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"casebook/engine/canon"
)

// RefusedError says why a request may not leave.
type RefusedError struct {
	Place  string // JSON Pointer into the body, or what else was looked at
	Reason string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("outbound request: %s: %s", e.Place, e.Reason)
}

// CheckSourceOnly refuses a request that asks for more than sources: members for chats and answers, instructions
// where an option stands, addresses of chat and answer services (contract section 7.2). It judges the bytes that
// would be sent, whoever built them. What the user asks for, a query or a URL, is not searched for instructions.
func CheckSourceOnly(r Request) error {
	address, err := url.Parse(r.URL)
	if err != nil {
		// The cause holds the URL, and a URL may hold a key.
		return &RefusedError{"url", "can't be taken apart"}
	}
	trail := strings.ToLower(strings.TrimRight(address.Path, "/"))
	if strings.HasSuffix(trail, "/chat/completions") || strings.HasSuffix(trail, "/answer") {
		return &RefusedError{"url", "is that of a service for answers"}
	}
	parameters, err := url.ParseQuery(address.RawQuery)
	if err != nil {
		return &RefusedError{"url", "has a query that can't be read"}
	}
	if err := checkParameters(parameters); err != nil {
		return err
	}
	if len(r.Body) == 0 {
		return nil
	}
	// Strictly read, so that no member hides behind another of its name.
	if _, err := canon.Parse(r.Body); err != nil {
		return &RefusedError{"body", err.Error()}
	}
	return checkValue("", r.Body, false)
}

func checkParameters(parameters url.Values) error {
	names := make([]string, 0, len(parameters))
	for name := range parameters {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if isForbidden(name) {
			return &RefusedError{"url", fmt.Sprintf("parameter %q is forbidden", name)}
		}
		if isAsked(name) {
			continue
		}
		for _, value := range parameters[name] {
			if isInstruction(value) {
				return &RefusedError{"url", fmt.Sprintf("parameter %q holds an instruction", name)}
			}
		}
	}
	return nil
}

// checkValue looks at one value of the body and at all inside it; asked says that the user's own words stand here.
func checkValue(pointer string, value json.RawMessage, asked bool) error {
	switch value[0] {
	case '{':
		var object map[string]json.RawMessage
		if err := json.Unmarshal(value, &object); err != nil {
			return &RefusedError{place(pointer), err.Error()}
		}
		return checkMembers(pointer, object)
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil {
			return &RefusedError{place(pointer), err.Error()}
		}
		for i, item := range list {
			if err := checkValue(fmt.Sprintf("%s/%d", pointer, i), item, asked && item[0] == '"'); err != nil {
				return err
			}
		}
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return &RefusedError{place(pointer), err.Error()}
		}
		if !asked && isInstruction(text) {
			return &RefusedError{place(pointer), "an instruction where an option is expected"}
		}
	}
	return nil
}

func checkMembers(pointer string, object map[string]json.RawMessage) error {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := object[name]
		switchedOff := strings.EqualFold(name, "include_answer") && string(value) == "false"
		if isForbidden(name) && !switchedOff {
			return &RefusedError{place(pointer + canon.Pointer(name)), "a forbidden member"}
		}
		// Only at the top: deeper down a member of this name is an option.
		asked := pointer == "" && isAsked(name)
		if err := checkValue(pointer+canon.Pointer(name), value, asked); err != nil {
			return err
		}
	}
	return nil
}

func place(pointer string) string { return "body " + pointer }

// isForbidden says whether a member or parameter asks for a chat or an answer.
func isForbidden(name string) bool {
	switch strings.ToLower(name) {
	case "messages", "system", "system_prompt", "answer", "include_answer", "synthesis", "reasoning", "claim", "verification":
		return true
	}
	return false
}

// isAsked says whether a member or parameter carries what the user asks for.
func isAsked(name string) bool {
	switch name {
	case "q", "query", "objective", "search_queries", "url", "urls":
		return true
	}
	return false
}

func isInstruction(text string) bool {
	text = strings.ToLower(text)
	for _, fragment := range []string{
		"answer the user", "provide an answer", "synthesize", "reason step by step", "verify the claim",
	} {
		if strings.Contains(text, fragment) {
			return true
		}
	}
	return false
}

// SaysAnswer says whether a label promises more than sources.
func SaysAnswer(label string) bool {
	label = strings.ToLower(label)
	for _, word := range []string{"answer", "synthesis", "reasoning", "claim", "verification"} {
		if strings.Contains(label, word) {
			return true
		}
	}
	return false
}
