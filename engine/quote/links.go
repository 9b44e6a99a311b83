package quote

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	markup "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// Link is a checked quote of a narrative.
type Link struct {
	Ref          Ref    // zero where Err says what is wrong with the target
	Text         string // the quote: the link's text as rendered, line breaks as blanks
	Line, Column int    // of the link, from 1, Column in code points
	Err          error
}

var errNoText = errors.New("a checked quote needs the quoted words as its text, [the words](evidence:find/1#snippet)")

// Links returns the checked quotes of a CommonMark text with GFM tables, in order. An image counts as a link, since
// pages show it as one. Links with a wrong target, or without a text, carry an error.
func Links(markdown []byte) []Link {
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(markdown))
	return appendLinks(nil, markdown, root)
}

func appendLinks(links []Link, markdown []byte, parent ast.Node) []Link {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Link:
			links = appendLink(links, markdown, n, string(n.Destination))
		case *ast.Image:
			links = appendLink(links, markdown, n, string(n.Destination))
		case *ast.AutoLink:
			if hasScheme(string(n.URL(markdown))) {
				line, column := position(markdown, n.Pos())
				links = append(links, Link{Line: line, Column: column, Err: errNoText})
			}
		}
		links = appendLinks(links, markdown, n)
	}
	return links
}

// hasScheme also takes the scheme in another case, for [Parse] to refuse: browsers take it for the same.
func hasScheme(destination string) bool {
	return len(destination) >= len(Scheme) && strings.EqualFold(destination[:len(Scheme)], Scheme)
}

func appendLink(links []Link, markdown []byte, n ast.Node, destination string) []Link {
	if !hasScheme(destination) {
		return links
	}
	var quoted strings.Builder
	writeText(&quoted, markdown, n)
	link := Link{Text: quoted.String()}
	link.Line, link.Column = position(markdown, n.Pos())
	link.Ref, link.Err = Parse(destination)
	if link.Err == nil && strings.TrimSpace(link.Text) == "" {
		link.Err = errNoText
	}
	return append(links, link)
}

// writeText writes the text below a node as a reader of the page sees it.
func writeText(out *strings.Builder, markdown []byte, parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(markdown)
			if n.IsRaw() || parent.Kind() == ast.KindCodeSpan {
				out.WriteString(strings.ReplaceAll(string(value), "\n", " "))
			} else {
				out.WriteString(resolve(value))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		case *ast.RawHTML:
			out.Write(n.Segments.Value(markdown))
		default:
			writeText(out, markdown, n)
		}
	}
}

// resolve takes backslashes and entities out of a text. The library does so while it writes HTML; so its writer is
// asked, and what it escaped is taken back.
func resolve(value []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	markup.DefaultWriter.Write(w, value)
	if err := w.Flush(); err != nil {
		return string(value)
	}
	return html.UnescapeString(b.String())
}

// position is the line and column of a byte.
func position(source []byte, at int) (line, column int) {
	before := source[:min(max(at, 0), len(source))]
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}
