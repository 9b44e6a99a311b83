// Package render makes the pages of the site from evidence packs.
//
// A pack goes in; out come files with their paths from the site's root: a page in HTML and its twin in Markdown for
// each case and language, the index of all cases, the style sheet and the script. What a page shows is settled by the
// views (view_case.go, view_index.go), which hold no markup; the templates add markup and nothing else.
//
// Nothing here sends, reads a clock or writes a file. Text from a pack never becomes markup: HTML comes from
// html/template alone, and Markdown passes one escaper that is put behind every value of a template.
package render
