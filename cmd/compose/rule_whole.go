package main

// cutWhole is whole/1: the file as it is, with exactly one LF at its end.
func cutWhole(src source, _ pick) (extract, error) {
	return extract{text: endOnce(string(src.data))}, nil
}
