package render

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	mdhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/width"
)

// evidenceScheme begins the target of a checked quote.
const evidenceScheme = "evidence:"

// node is a piece of an author's text, free of markup: templates and [nodesMarkdown] add that of their form.
type node struct {
	Kind     string // text, break, hardbreak, code, em, strong, link, quote, p, h3…h6, ul, ol, li, blockquote, pre, hr, table, tr, th, td
	Text     string
	Target   string // of a link or quote, "" where it may not be followed
	External bool   // a link that leaves the site
	Start    int    // of an ordered list
	Children []*node
}

// linker gives the address of the highlighted place that a checked quote points to.
type linker func(target, quoted string) (string, error)

// authorParser reads CommonMark with the tables of GFM.
func authorParser() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
}

// reader turns one author's text into nodes.
type reader struct {
	source []byte
	link   linker
}

// readNarrative parses Markdown into nodes. A checked quote that its pack lacks is an error.
func readNarrative(p parser.Parser, markdown []byte, link linker) ([]*node, error) {
	r := reader{source: markdown, link: link}
	return r.children(p.Parse(text.NewReader(markdown)))
}

func (r *reader) children(parent ast.Node) ([]*node, error) {
	var nodes []*node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		made, err := r.node(n)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, made...)
	}
	return joinLines(nodes), nil
}

// joinLines removes the line breaks between two characters of Chinese or Japanese, which go on without a blank.
func joinLines(nodes []*node) []*node {
	joined := nodes[:0]
	for i, n := range nodes {
		if n.Kind == "break" && i > 0 && i+1 < len(nodes) {
			before, _ := utf8.DecodeLastRuneInString(plainNodes(nodes[i-1 : i]))
			after, _ := utf8.DecodeRuneInString(plainNodes(nodes[i+1 : i+2]))
			if isWide(before) && isWide(after) {
				continue
			}
		}
		joined = append(joined, n)
	}
	return joined
}

// isWide says whether a character takes a square of its own. Korean is left out, which sets its words apart by blanks.
func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return (kind == width.EastAsianWide || kind == width.EastAsianFullwidth) && !unicode.Is(unicode.Hangul, r)
}

// node converts one node of the syntax tree; text with a line break behind it gives two.
func (r *reader) node(n ast.Node) ([]*node, error) {
	switch n := n.(type) {
	case *ast.Text:
		return r.textNode(n), nil
	case *ast.String:
		return []*node{{Kind: "text", Text: string(n.Value)}}, nil
	case *ast.CodeSpan:
		return []*node{{Kind: "code", Text: strings.ReplaceAll(r.rawText(n), "\n", " ")}}, nil
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return []*node{{Kind: "pre", Text: string(n.Lines().Value(r.source))}}, nil
	case *ast.HTMLBlock:
		return []*node{{Kind: "pre", Text: r.htmlBlock(n)}}, nil
	case *ast.RawHTML:
		return []*node{{Kind: "text", Text: string(n.Segments.Value(r.source))}}, nil
	case *ast.AutoLink:
		return r.autoLink(n), nil
	case *ast.ThematicBreak:
		return []*node{{Kind: "hr"}}, nil
	}
	made := &node{}
	children, err := r.children(n)
	if err != nil {
		return nil, err
	}
	made.Children = children
	if err := r.container(n, made); err != nil {
		return nil, err
	}
	return []*node{made}, nil
}

// container names a node that holds others.
func (r *reader) container(n ast.Node, made *node) error {
	switch n := n.(type) {
	case *ast.Heading:
		made.Kind = fmt.Sprintf("h%d", min(max(n.Level+1, 3), 6))
	case *ast.Blockquote:
		made.Kind = "blockquote"
	case *ast.List:
		made.Kind = "ul"
		if n.IsOrdered() {
			made.Kind, made.Start = "ol", n.Start
		}
	case *ast.ListItem:
		made.Kind = "li"
	case *ast.TextBlock:
		made.Kind = "line"
	case *ast.Emphasis:
		made.Kind = "em"
		if n.Level == 2 {
			made.Kind = "strong"
		}
	case *ast.Link:
		return r.linkNode(string(n.Destination), made)
	case *ast.Image:
		return r.linkNode(string(n.Destination), made)
	case *extast.Table:
		made.Kind = "table"
	case *extast.TableHeader:
		made.Kind = "tr"
		for _, cell := range made.Children {
			cell.Kind = "th"
		}
	case *extast.TableRow:
		made.Kind = "tr"
	case *extast.TableCell:
		made.Kind = "td"
	default:
		made.Kind = "p"
	}
	return nil
}

// linkNode settles where a link leads. An image becomes a link: pages load nothing.
func (r *reader) linkNode(destination string, made *node) error {
	made.Kind = "link"
	if strings.HasPrefix(destination, evidenceScheme) {
		made.Kind = "quote"
		target, err := r.link(destination, plainNodes(made.Children))
		made.Target = target
		return err
	}
	made.Target = webAddress(destination)
	made.External = made.Target != ""
	if !made.External {
		made.Target = siteAddress(destination)
	}
	return nil
}

func (r *reader) textNode(n *ast.Text) []*node {
	value := n.Segment.Value(r.source)
	var made []*node
	switch {
	case len(value) == 0: // a line break behind emphasis or a link
	case n.IsRaw():
		made = append(made, &node{Kind: "text", Text: string(value)})
	default:
		made = append(made, &node{Kind: "text", Text: plainText(value)})
	}
	if n.HardLineBreak() {
		return append(made, &node{Kind: "hardbreak"})
	}
	if n.SoftLineBreak() {
		return append(made, &node{Kind: "break"})
	}
	return made
}

func (r *reader) autoLink(n *ast.AutoLink) []*node {
	label := string(n.Label(r.source))
	target := webAddress(string(n.URL(r.source)))
	return []*node{{Kind: "link", Target: target, External: target != "", Children: []*node{{Kind: "text", Text: label}}}}
}

func (r *reader) htmlBlock(n *ast.HTMLBlock) string {
	block := string(n.Lines().Value(r.source))
	if n.HasClosure() {
		block += string(n.ClosureLine.Value(r.source))
	}
	return block
}

// rawText joins the text below a node as it stands in the source.
func (r *reader) rawText(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			b.Write(t.Segment.Value(r.source))
		}
	}
	return b.String()
}

// plainText resolves the backslashes and entities of Markdown. The library resolves them while it writes HTML, so its
// writer is asked and its HTML escapes are taken back.
func plainText(value []byte) string {
	if bytes.IndexByte(value, '\\') < 0 && bytes.IndexByte(value, '&') < 0 {
		return string(value)
	}
	var out bytes.Buffer
	w := buffered{&out}
	mdhtml.DefaultWriter.Write(w, value)
	return html.UnescapeString(out.String())
}

// buffered makes a bytes.Buffer the writer that the library asks for.
type buffered struct{ *bytes.Buffer }

func (buffered) Flush() error     { return nil }
func (buffered) Buffered() int    { return 0 }
func (b buffered) Available() int { return b.Buffer.Available() }

// plainNodes is the text of nodes without any markup.
func plainNodes(nodes []*node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n.Kind {
		case "break", "hardbreak":
			b.WriteByte(' ')
		}
		b.WriteString(n.Text)
		b.WriteString(plainNodes(n.Children))
	}
	return b.String()
}

// webAddress returns address if it is one of the web and "" for every other scheme.
func webAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || strings.IndexFunc(address, hidden) >= 0 {
		return ""
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return address
}

// siteAddress returns address if it stays below the page's own folder or in the page, else "".
func siteAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.ContainsAny(address, "\\:") || strings.HasPrefix(address, "/") {
		return ""
	}
	return address
}
