package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// releaseHead matches the first line of a section in the four shapes that release notes come in; exactly one group
// holds the release.
const releaseHead = `^Release (\S+)(?: |$)` + // NEWS of the tz database
	`|^(\d+\.\d+\.\d+\S*) / \d{4}-\d\d-\d\d$` + // HISTORY.md of npm packages
	`|^[a-z0-9][a-z0-9.+-]* \(([^()\s]+)\) [^;]+; urgency=` + // changelog of Debian packages
	`|^### Go (\S+)$` // doc/godebug.md of Go

// cutSplitRelease is split-release/1: the section of one release, from its head to the line before the next head,
// empty lines at its end left out.
func cutSplitRelease(src source, p pick) (extract, error) {
	if p.Release == "" {
		return extract{}, errors.New("split-release/1: no release is picked")
	}
	head := regexp.MustCompile(releaseHead)
	lines := splitLines(src.data)
	first := 0
	for i, line := range lines {
		found := head.FindStringSubmatch(line)
		switch {
		case found == nil:
		case first > 0:
			return section(lines, first, i), nil
		case strings.Join(found[1:], "") == p.Release:
			first = i + 1
		}
	}
	if first == 0 {
		return extract{}, fmt.Errorf("split-release/1: release %q: no section has it", p.Release)
	}
	return section(lines, first, len(lines)), nil
}

func section(lines []string, first, last int) extract {
	for last > first && lines[last-1] == "" {
		last--
	}
	return extract{strings.Join(lines[first-1:last], "\n") + "\n", []span{{first, last}}}
}
