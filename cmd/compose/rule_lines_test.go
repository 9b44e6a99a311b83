package main

import "testing"

func TestLines(t *testing.T) {
	one := func(p linePick) pick { return pick{Lines: []linePick{p}} }
	testRule(t, "lines/1", "lines.txt", "", []ruleCase{
		{"a range", one(linePick{Range: "2-3"}), "R T 1 x\nZ Kettle/Red 1\n", []span{{2, 3}}},
		{"one line", one(linePick{Range: "8"}), "R U 3 z\n", []span{{8, 8}}},
		{"the whole file", one(linePick{Range: "1-8"}), string(read(t, "lines.txt")), []span{{1, 8}}},
		{"a pattern, neighbours in one span", one(linePick{Match: "^R "}), "R T 1 x\nR T 2 y\nR U 3 z\n", []span{{2, 2}, {7, 8}}},
		{"a block ends before", one(linePick{Start: "^Z Kettle/Red ", Before: "^[RZ] "}), "Z Kettle/Red 1\n2 T\n3\n", []span{{3, 5}}},
		{"a block to the end", one(linePick{Start: "^Z Kettle/Blue "}), "Z Kettle/Blue 4\nR T 2 y\nR U 3 z\n", []span{{6, 8}}},
		{"the first block only", one(linePick{Start: "^Z ", Before: "^Z "}), "Z Kettle/Red 1\n2 T\n3\n", []span{{3, 5}}},
		{
			"picks keep the order of the recipe",
			pick{Lines: []linePick{{Range: "6"}, {Match: "^R T "}}},
			"Z Kettle/Blue 4\nR T 1 x\nR T 2 y\n",
			[]span{{6, 6}, {2, 2}, {7, 7}},
		},
		{"nothing picked", pick{}, "", nil},
		{"no way of picking", one(linePick{}), "", nil},
		{"two ways of picking", one(linePick{Range: "1", Match: "R"}), "", nil},
		{"an end without a start", one(linePick{Before: "R"}), "", nil},
		{"a pattern that nothing matches", one(linePick{Match: "^Q "}), "", nil},
		{"a start that nothing matches", one(linePick{Start: "^Q "}), "", nil},
		{"one of two picks gives nothing", pick{Lines: []linePick{{Range: "1"}, {Match: "^Q "}}}, "", nil},
		{"a pattern that does not compile", one(linePick{Match: "("}), "", nil},
		{"an end that does not compile", one(linePick{Start: "Z", Before: "("}), "", nil},
		{"line 0", one(linePick{Range: "0-1"}), "", nil},
		{"past the end", one(linePick{Range: "8-9"}), "", nil},
		{"backwards", one(linePick{Range: "3-2"}), "", nil},
		{"no numbers", one(linePick{Range: "a-b"}), "", nil},
	})
}
