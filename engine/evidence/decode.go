package evidence

import (
	"encoding/json"
	"strings"

	"casebook/engine/canon"
	"casebook/schema"
)

// responseSchema is the name of the schema of ResponseV3.
const responseSchema = "response-v3"

// InvalidError lists everything that is wrong with a value of the contract; it holds at least one violation.
type InvalidError struct {
	Violations []Violation
}

// Error lists the violations, one a line.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Violations))
	for i, v := range e.Violations {
		lines[i] = v.String()
	}
	return strings.Join(lines, "\n")
}

// DecodeResponse reads a ResponseV3: strict JSON, the whole schema, no banned name at any depth. An [InvalidError]
// lists all faults at once. What only the rules of contract 2.14 say is left to [Response.Validate].
func DecodeResponse(data []byte) (*Response, error) {
	tree, err := canon.Parse(data)
	if err != nil {
		return nil, err
	}
	faults, err := schema.Check(responseSchema, tree)
	if err != nil {
		return nil, err
	}
	found := CheckBanned(tree)
	for _, fault := range faults {
		found = append(found, shapeViolation(fault))
	}
	if len(found) > 0 {
		return nil, &InvalidError{found}
	}
	// The canonical spelling makes 1.0 and 1e0 the integer that they are.
	canonical, err := canon.Encode(tree)
	if err != nil {
		return nil, err
	}
	response := new(Response)
	if err := json.Unmarshal(canonical, response); err != nil {
		return nil, err
	}
	return response, nil
}

// shapeViolation is a fault of the schema as a violation: an unknown member is rule 20, everything else shape.
func shapeViolation(fault schema.Violation) Violation {
	v := Violation{Pointer: fault.Pointer, Section: "2", Message: fault.Message}
	if fault.Keyword == "additionalProperties" {
		v.Rule, v.Section = 20, "2.14"
	}
	return v
}
