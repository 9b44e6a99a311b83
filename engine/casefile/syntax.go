package casefile

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// yamlError takes the line out of a message of the YAML reader. That line is often the one of the surrounding block, so
// the place is looked for here.
var yamlError = regexp.MustCompile(`^yaml: (?:line \d+: )?((?s:.*))$`)

// syntax reports an error of the YAML reader where the part begins that it can't read.
func (d *document) syntax(data []byte, err error) {
	message := err.Error()
	if parts := yamlError.FindStringSubmatch(message); parts != nil {
		message = parts[1]
	}
	ends := lineEnds(data)
	line := firstBadLine(data, ends)
	start := 0
	if line > 1 {
		start = ends[line-2]
	}
	text := string(data[start:ends[line-1]])
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		d.add(mark{line: line, column: tab + 1}, "", "a tab as indentation; use blanks")
		return
	}
	d.add(mark{line: line, column: len(indent) + 1}, "", "not YAML: %s", message)
}

// lineEnds are the places right behind each line.
func lineEnds(data []byte) []int {
	var ends []int
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			ends = append(ends, i+1)
		}
	}
	if len(ends) == 0 || ends[len(ends)-1] < len(data) {
		ends = append(ends, len(data))
	}
	return ends
}

// Bounds of the search for a bad line: how much is read again in all, and how many lines a bracket or quote may stay
// open so that a beginning of the file that ends within them isn't taken for the mistake.
const (
	rereadBytes  = 16 << 20
	longestBlock = 40
)

// firstBadLine is the line, from 1, with which the lines from the first on stop being YAML for good.
func firstBadLine(data []byte, ends []int) int {
	budget := rereadBytes
	readable := func(lines int) bool {
		if lines == 0 {
			return true
		}
		budget -= ends[lines-1]
		return budget > 0 && isYAML(data[:ends[lines-1]])
	}
	good, bad := 0, len(ends)
	for good+1 < bad {
		if middle := (good + bad) / 2; readable(middle) {
			good = middle
		} else {
			bad = middle
		}
		if good+1 < bad {
			continue
		}
		for n := bad + 1; n < len(ends) && n <= bad+longestBlock; n++ {
			if readable(n) {
				good, bad = n, len(ends)
				break
			}
		}
	}
	return bad
}

func isYAML(data []byte) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var node yaml.Node
		if err := decoder.Decode(&node); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
