package main

import (
	"errors"
	"fmt"
	"strings"
)

// base64Digits are the digits of numbers in a dictd index, most significant first.
const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// cutDictd is dictd/1: the entry of one headword, cut from the dictionary at the offset and length of its index line.
// A headword with several index lines is refused, as the recipe could not say which one it means.
func cutDictd(src source, p pick) (extract, error) {
	if p.Entry == "" || len(src.index) == 0 {
		return extract{}, errors.New("dictd/1: an entry and an index are needed")
	}
	found := ""
	for _, line := range splitLines(src.index) {
		if word, _, ok := strings.Cut(line, "\t"); ok && word == p.Entry {
			if found != "" && found != line {
				return extract{}, fmt.Errorf("dictd/1: entry %q: the index has it more than once", p.Entry)
			}
			found = line
		}
	}
	fields := strings.Split(found, "\t")
	if len(fields) != 3 {
		return extract{}, fmt.Errorf("dictd/1: entry %q: no index line of three fields", p.Entry)
	}
	offset, okOffset := indexNumber(fields[1])
	length, okLength := indexNumber(fields[2])
	if !okOffset || !okLength || offset > len(src.data) || length > len(src.data)-offset {
		return extract{}, fmt.Errorf("dictd/1: entry %q: its place %q is not in the dictionary", p.Entry, fields[1:])
	}
	return extract{text: endOnce(string(src.data[offset : offset+length]))}, nil
}

func indexNumber(text string) (int, bool) {
	// Five digits reach 2^30, more than any dictionary holds, and cannot overflow.
	if text == "" || len(text) > 5 {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		digit := strings.IndexByte(base64Digits, text[i])
		if digit < 0 {
			return 0, false
		}
		n = n*64 + digit
	}
	return n, true
}
