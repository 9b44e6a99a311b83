package casefile

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"casebook/engine/canon"
)

// The forms of the core schema of YAML 1.2.2, section 10.3.2. What fits none of them is a string.
var (
	coreDecimal = regexp.MustCompile(`^[-+]?[0-9]+$`)
	coreOctal   = regexp.MustCompile(`^0o[0-7]+$`)
	coreHex     = regexp.MustCompile(`^0x[0-9a-fA-F]+$`)
	coreFloat   = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	coreNoJSON  = regexp.MustCompile(`^([-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN)$`)
)

// scalar resolves a scalar node to null, a boolean, a number or a string.
func scalar(n *yaml.Node) (any, error) {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Style&yaml.TaggedStyle != 0 {
		return tagged(n)
	}
	if n.Style&quoted != 0 {
		return n.Value, nil
	}
	return plain(n.Value)
}

// tagged resolves a scalar with a tag of the core schema, which may only say what the text allows.
func tagged(n *yaml.Node) (any, error) {
	if n.Tag == "!!str" {
		return n.Value, nil
	}
	value, err := plain(n.Value)
	if err != nil {
		return nil, err
	}
	fits := false
	switch value := value.(type) {
	case nil:
		fits = n.Tag == "!!null"
	case bool:
		fits = n.Tag == "!!bool"
	case json.Number:
		fits = n.Tag == "!!float" || n.Tag == "!!int" && !strings.ContainsAny(value.String(), ".e")
	}
	if !fits {
		return nil, fmt.Errorf("tag %s is not allowed here", n.Tag)
	}
	return value, nil
}

func plain(text string) (any, error) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, nil
	case "true", "True", "TRUE":
		return true, nil
	case "false", "False", "FALSE":
		return false, nil
	}
	switch {
	case coreDecimal.MatchString(text):
		return integer(text, strings.TrimPrefix(text, "+"), 10)
	case coreOctal.MatchString(text):
		return integer(text, text[2:], 8)
	case coreHex.MatchString(text):
		return integer(text, text[2:], 16)
	case coreFloat.MatchString(text):
		return float(text)
	case coreNoJSON.MatchString(text):
		return nil, fmt.Errorf("%s is no number that JSON can hold; put it in quotes", text)
	}
	return text, nil
}

func integer(text, digits string, base int) (any, error) {
	n, err := strconv.ParseInt(digits, base, 64)
	if err != nil || n > canon.MaxInteger || n < -canon.MaxInteger {
		return nil, fmt.Errorf("%.40s is an integer beyond ±(2^53-1); put it in quotes", text)
	}
	return json.Number(strconv.FormatInt(n, 10)), nil
}

func float(text string) (any, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%.40s is beyond a double; put it in quotes", text)
	}
	if whole := math.Trunc(f); whole == f && math.Abs(f) > canon.MaxInteger {
		return nil, fmt.Errorf("%.40s is an integer beyond ±(2^53-1); put it in quotes", text)
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), nil
}
