package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// linePick names lines of a source in one of three ways: by number ("586-661"), by a pattern that each line matches,
// or as the block that begins with the first line matching Start and ends before the next line matching Before (or at
// the end of the file).
type linePick struct {
	Range  string `yaml:"range" json:"range,omitempty"`   // absent: lines are picked by pattern
	Match  string `yaml:"match" json:"match,omitempty"`   // absent: lines are picked otherwise
	Start  string `yaml:"start" json:"start,omitempty"`   // absent: no block is picked
	Before string `yaml:"before" json:"before,omitempty"` // absent: the block has no end pattern
}

// cutLines is lines/1: whole lines, pick by pick in the order of the recipe, inside a pick in the order of the source.
func cutLines(src source, p pick) (extract, error) {
	if len(p.Lines) == 0 {
		return extract{}, errors.New("lines/1: no lines are picked")
	}
	lines := splitLines(src.data)
	var out extract
	var text strings.Builder
	for i, one := range p.Lines {
		spans, err := one.find(lines)
		if err != nil {
			return extract{}, fmt.Errorf("lines/1: pick %d: %w", i+1, err)
		}
		for _, s := range spans {
			for _, line := range lines[s.first-1 : s.last] {
				text.WriteString(line)
				text.WriteByte('\n')
			}
		}
		out.spans = append(out.spans, spans...)
	}
	out.text = endOnce(text.String())
	return out, nil
}

func (p linePick) find(lines []string) ([]span, error) {
	var spans []span
	var err error
	switch {
	case p.Range != "" && p.Match == "" && p.Start == "" && p.Before == "":
		spans, err = numbered(p.Range, len(lines))
	case p.Match != "" && p.Range == "" && p.Start == "" && p.Before == "":
		spans, err = matching(p.Match, lines)
	case p.Start != "" && p.Range == "" && p.Match == "":
		spans, err = block(p.Start, p.Before, lines)
	default:
		return nil, errors.New("exactly one of range, match and start is needed")
	}
	if err == nil && len(spans) == 0 {
		return nil, errors.New("no line is there")
	}
	return spans, err
}

func numbered(text string, count int) ([]span, error) {
	var s span
	first, last, ok := strings.Cut(text, "-")
	if !ok {
		last = first
	}
	for _, end := range []struct {
		text string
		line *int
	}{{first, &s.first}, {last, &s.last}} {
		var err error
		if *end.line, err = strconv.Atoi(end.text); err != nil {
			return nil, fmt.Errorf("range %q: not of the form 586-661", text)
		}
	}
	if s.first < 1 || s.last < s.first || s.last > count {
		return nil, fmt.Errorf("range %q: the source has %d lines", text, count)
	}
	return []span{s}, nil
}

// String gives a span as first-last, or as its one line.
func (s span) String() string {
	if s.first == s.last {
		return strconv.Itoa(s.first)
	}
	return fmt.Sprintf("%d-%d", s.first, s.last)
}

func matching(pattern string, lines []string) ([]span, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	var spans []span
	for i, line := range lines {
		if !re.MatchString(line) {
			continue
		}
		if n := len(spans); n > 0 && spans[n-1].last == i {
			spans[n-1].last = i + 1
		} else {
			spans = append(spans, span{i + 1, i + 1})
		}
	}
	return spans, nil
}

func block(start, before string, lines []string) ([]span, error) {
	begin, err := regexp.Compile(start)
	if err != nil {
		return nil, err
	}
	end, err := regexp.Compile(before)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		if !begin.MatchString(line) {
			continue
		}
		last := i + 1
		for last < len(lines) && (before == "" || !end.MatchString(lines[last])) {
			last++
		}
		return []span{{i + 1, last}}, nil
	}
	return nil, nil
}
