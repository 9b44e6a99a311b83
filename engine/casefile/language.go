package casefile

import (
	"strconv"

	"golang.org/x/text/language"
)

// checkTag says what is wrong with a language tag, "" if it is well-formed BCP 47, made of registered parts and written
// as the standard writes it.
func checkTag(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil || tag == "" {
		return strconv.Quote(tag) + ` is no language tag (BCP 47), such as "en" or "zh-CN"`
	}
	if right := parsed.String(); right != tag {
		return "language tag " + strconv.Quote(tag) + " must be written " + strconv.Quote(right)
	}
	return ""
}

// checkLanguages holds the member names of a translated text against BCP 47.
func checkLanguages(v value) {
	for _, m := range v.members() {
		if fault := checkTag(m.name); fault != "" {
			v.d.add(mark{line: m.mark().nameLine, column: m.mark().nameColumn}, v.d.paths[v.pointer], "%s", fault)
		}
	}
}
