// Package templates holds what the pages are made from: one template per page and form, the interface's words in each
// language, the style sheet and the script. It gives out bytes and decides nothing.
//
// A further language is one more file, messages.<language in lower case>.yaml, with the same keys.
package templates

import (
	"embed"
	"io/fs"
)

//go:embed *.tmpl *.yaml
var files embed.FS

//go:embed site.css
var style string

//go:embed site.js
var script string

// Files returns the templates and the files of words, all in one folder.
func Files() fs.FS { return files }

// Style returns the style sheet, site.css.
func Style() string { return style }

// Script returns the script, site.js.
func Script() string { return script }
