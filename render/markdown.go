package render

import (
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode"
	"unicode/utf8"
)

// plainMarkdown escapes text so that it stands in a line of Markdown as itself: no markup, no link that a reader makes of
// a bare address, no line break.
func plainMarkdown(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	escapeInto(&b, text, true)
	return b.String()
}

// escapeInto writes escaped text; atStart says that the line may begin here, where more characters have a meaning.
func escapeInto(b *strings.Builder, text string, atStart bool) {
	if atStart {
		text = escapeStart(b, text)
	}
	written := 0
	for i := range len(text) {
		switch c := text[i]; c {
		case '\n', '\t':
			b.WriteString(text[written:i])
			b.WriteByte(' ')
			written = i + 1
			continue
		case '\\', '`', '*', '_', '[', ']', '<', '>', '&', '|', '~', '@', '$':
		case ':':
			if !strings.HasPrefix(text[i:], "://") && !endsInScheme(text[:i]) {
				continue
			}
		case '.':
			if i < 3 || !strings.EqualFold(text[i-3:i], "www") {
				continue
			}
		default:
			continue
		}
		b.WriteString(text[written:i])
		b.WriteByte('\\')
		written = i
	}
	b.WriteString(text[written:])
}

// escapeStart escapes what would begin a heading, a list, a rule or an underline, and returns the rest.
func escapeStart(b *strings.Builder, text string) string {
	text = strings.TrimLeft(text, " \t\n")
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits == len(text) {
		b.WriteString(text)
		return ""
	}
	mark, rest := text[digits], text[digits+1:]
	alone := rest == "" || strings.IndexByte(" \t\n", rest[0]) >= 0 || rest[0] == mark
	begins := digits == 0 && (mark == '=' || alone && strings.IndexByte("#+-", mark) >= 0)
	if begins || digits > 0 && alone && (mark == '.' || mark == ')') {
		b.WriteString(text[:digits])
		b.WriteByte('\\')
		b.WriteByte(mark)
		return rest
	}
	return text
}

// endsInScheme says whether a colon behind text would make a link of what follows in readers that link bare addresses.
func endsInScheme(text string) bool {
	for _, scheme := range []string{"mailto", "xmpp"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[len(text)-len(scheme):], scheme) {
			return true
		}
	}
	return false
}

// codeMarkdown puts text into a code span whose marks are longer than any run of them inside.
func codeMarkdown(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	marks := strings.Repeat("`", longestRun(text, '`')+1)
	pad := ""
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' || text[len(text)-1] == ' ' {
		pad = " "
	}
	return marks + pad + text + pad + marks
}

// cellMarkdown is [codeMarkdown] for the cell of a table, which a bar would end even in a code span.
func cellMarkdown(text string) string { return strings.ReplaceAll(codeMarkdown(text), "|", "\\|") }

// fenceMarkdown puts text into a block between fences longer than any run of them inside.
func fenceMarkdown(text string) string {
	marks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	end := "\n"
	if strings.HasSuffix(text, "\n") {
		end = ""
	}
	return marks + "text\n" + text + end + marks
}

// factsMarkdown is a list of facts, one item each.
func factsMarkdown(all pairs, page string, phrases *words) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString("- ")
		escapeInto(&b, p.Name, true)
		b.WriteString(phrases.text("word.colon"))
		switch {
		case p.Href != "":
			b.WriteString(linkMarkdown(p.Value, p.Href, page))
		case p.Value != "":
			escapeInto(&b, p.Value, false)
		}
		if code := codeMarkdown(p.Code); code != "" {
			if p.Value != "" {
				b.WriteByte(' ')
			}
			b.WriteString(code)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// textMarkdown is one text of a result or an observation, in a block of its own or in a line that says why there is none.
func textMarkdown(f fieldView, page string, phrases *words) string {
	var b strings.Builder
	b.WriteString("\n**")
	escapeInto(&b, f.Name, true)
	if f.Empty != "" {
		b.WriteString("**: " + plainMarkdown(f.Empty) + "\n")
	} else {
		b.WriteString("**\n\n" + fenceMarkdown(f.Whole()) + "\n")
	}
	if f.More != "" {
		b.WriteString("\n" + linkMarkdown(phrases.text("field.whole"), f.More, page) + "\n")
	}
	if f.SHA256 != "" {
		b.WriteString("\n" + plainMarkdown(phrases.text("digest.text")) + " " + codeMarkdown(f.SHA256) + "\n")
	}
	return b.String()
}

// rowMarkdown is a row of a table, the last cell in the type of code.
func rowMarkdown(cells ...string) string {
	var b strings.Builder
	for _, cell := range cells[:len(cells)-1] {
		b.WriteString("| ")
		escapeInto(&b, cell, false)
		b.WriteByte(' ')
	}
	return b.String() + "| " + cellMarkdown(cells[len(cells)-1]) + " |"
}

// linkMarkdown is a link to a place on the web or on the site, or the text alone where there is no target. A fragment
// leads to the page, the twin in HTML, which alone has the places that fragments name.
func linkMarkdown(text, target, page string) string {
	if target == "" {
		return plainMarkdown(text)
	}
	if target[0] == '#' {
		target = page + target
	}
	var b strings.Builder
	b.Grow(len(text) + len(target) + 24)
	b.WriteByte('[')
	escapeInto(&b, text, true)
	b.WriteString("](<")
	escapeTarget(&b, target)
	b.WriteString(">)")
	return b.String()
}

// placeMarkdown is a link to a place of the page, or the text alone where there is none.
func placeMarkdown(text, target, page string) string {
	if target == "" {
		return plainMarkdown(text)
	}
	return linkMarkdown(text, "#"+target, page)
}

// lineMarkdown is text and behind it links to places of the page, given as words and place by turns; a link without a
// place is left out.
func lineMarkdown(page, text string, links ...string) string {
	line := plainMarkdown(text)
	for i := 0; i+1 < len(links); i += 2 {
		if links[i+1] != "" {
			line += " " + placeMarkdown(links[i], links[i+1], page)
		}
	}
	return line
}

// webMarkdown is an address, with a link where it may be followed.
func webMarkdown(address, target string) string {
	if target == "" {
		return codeMarkdown(address)
	}
	return linkMarkdown(address, target, "")
}

// escapeTarget percent-encodes what could end a link's target early.
func escapeTarget(b *strings.Builder, target string) {
	for i := range len(target) {
		c := target[i]
		if c <= ' ' || c >= utf8.RuneSelf || strings.IndexByte("<>\\`*_[]()|\"'{}^~", c) >= 0 && c != '_' && c != '~' {
			fmt.Fprintf(b, "%%%02X", c)
			continue
		}
		if c == '&' {
			b.WriteString("&amp;")
			continue
		}
		b.WriteByte(c)
	}
}

func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// visible copies a page and writes characters that can't be seen, or that turn the direction of what follows, as their
// code point in brackets. Line breaks and tabs stay. It runs over whole pages, behind every escaper, so that none is
// missed; what it puts in has no meaning in HTML or Markdown.
func visible(page []byte) []byte {
	out := make([]byte, 0, len(page))
	begin := 0
	for i := 0; i < len(page); {
		if c := page[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(page[i:])
		bad := r == utf8.RuneError && size == 1
		if bad || hidden(r) {
			out = append(out, page[begin:i]...)
			if bad {
				out = utf8.AppendRune(out, r)
			} else {
				out = fmt.Appendf(out, "⟦U+%04X⟧", r)
			}
			begin = i + size
		}
		i += size
	}
	return append(out, page[begin:]...)
}

func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\u200c' || r == '\u200d': // the joiners shape words and emoji
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
		return true
	}
	if r < 0xad || r >= 0x3000 && r < 0xfe00 { // none are between the marks of general punctuation and the variation selectors
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

// markdownFuncs are the functions of the templates of Markdown. Behind every value that comes from none of those that
// [makesMarkdown] names, [escapeValues] puts md. page is the twin in HTML.
func markdownFuncs(page string, phrases *words) template.FuncMap {
	return template.FuncMap{
		"md": func(v any) string {
			if s, ok := v.(string); ok {
				return plainMarkdown(s)
			}
			return plainMarkdown(fmt.Sprint(v))
		},
		"code": codeMarkdown, "cell": cellMarkdown, "fence": fenceMarkdown,
		"link":   func(text, target string) string { return linkMarkdown(text, target, page) },
		"place":  func(text, target string) string { return placeMarkdown(text, target, page) },
		"line":   func(text string, links ...string) string { return lineMarkdown(page, text, links...) },
		"web":    webMarkdown,
		"nodes":  func(nodes []*node) string { return nodesMarkdown(nodes, page) },
		"facts":  func(all pairs) string { return factsMarkdown(all, page, phrases) },
		"text":   func(f fieldView) string { return textMarkdown(f, page, phrases) },
		"row":    rowMarkdown,
		"inline": func(nodes []*node) string { return inlineMarkdown(nodes, page) },
	}
}

// makesMarkdown says whether a function's value is Markdown already.
func makesMarkdown(name string) bool {
	switch name {
	case "md", "code", "cell", "fence", "link", "place", "line", "web", "nodes", "inline", "facts", "text", "row":
		return true
	}
	return false
}

// escapeValues puts the escaper behind every value that a template of Markdown writes, unless the last function makes
// Markdown itself. So a template's author can't forget it.
func escapeValues(t *template.Template) {
	for _, one := range t.Templates() {
		if one.Tree != nil {
			escapeList(one.Tree.Root)
		}
	}
}

func escapeList(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			escapePipe(n.Pipe)
		case *parse.IfNode:
			escapeList(n.List)
			escapeList(n.ElseList)
		case *parse.RangeNode:
			escapeList(n.List)
			escapeList(n.ElseList)
		case *parse.WithNode:
			escapeList(n.List)
			escapeList(n.ElseList)
		}
	}
}

func escapePipe(pipe *parse.PipeNode) {
	if len(pipe.Decl) > 0 {
		return
	}
	last := pipe.Cmds[len(pipe.Cmds)-1]
	if name, ok := last.Args[0].(*parse.IdentifierNode); ok && makesMarkdown(name.Ident) {
		return
	}
	md := parse.NewIdentifier("md").SetTree(nil).SetPos(pipe.Pos)
	pipe.Cmds = append(pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pipe.Pos, Args: []parse.Node{md}})
}
