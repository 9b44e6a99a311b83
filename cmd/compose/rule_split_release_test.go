package main

import "testing"

func TestSplitRelease(t *testing.T) {
	testRule(t, "split-release/1", "releases.txt", "", []ruleCase{
		{
			"NEWS, empty lines at the end cut", pick{Release: "2a"},
			"Release 2a - 2021-03-04 10:00:00 +0000\n\n  Briefly:\n    Release 1z is still served; this line is no head.\n", []span{{3, 6}},
		},
		{"NEWS, up to another shape", pick{Release: "1z"}, "Release 1z - 2020-01-02 10:00:00 +0000\n\n  First brew.\n", []span{{9, 11}}},
		{"HISTORY", pick{Release: "1.2.0"}, "1.2.0 / 2019-05-06\n==================\n\n  * Add `.cup`\n", []span{{13, 16}}},
		{
			"changelog", pick{Release: "0.1-2"},
			"tea (0.1-2) unstable; urgency=medium\n\n  * Boil.\n\n -- A Cook <cook@example.org>  Mon, 01 Jan 2018 00:00:00 +0000\n", []span{{18, 22}},
		},
		{"Markdown, the last section", pick{Release: "1.99"}, "### Go 1.99\n\nKettles default to hot.\n", []span{{24, 26}}},
		{"a release that is not there", pick{Release: "1"}, "", nil},
		{"no release", pick{}, "", nil},
	})
}
