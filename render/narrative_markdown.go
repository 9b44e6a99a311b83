package render

import (
	"fmt"
	"strings"
)

// nodesMarkdown writes an author's text as Markdown anew, so that what it can't express (raw HTML, images, other schemes)
// is not there. page is the twin in HTML, which alone has the places that fragments name.
func nodesMarkdown(nodes []*node, page string) string {
	w := nodeWriter{page: page}
	w.blocks(nodes, "")
	return strings.TrimRight(w.String(), "\n")
}

// inlineMarkdown writes the content of one paragraph.
func inlineMarkdown(nodes []*node, page string) string {
	w := nodeWriter{page: page}
	w.inline(nodes)
	return w.String()
}

type nodeWriter struct {
	strings.Builder
	page string
}

// writeBlocks writes blocks with a prefix before each line but the first, which the caller has begun.
func (b *nodeWriter) blocks(nodes []*node, prefix string) {
	for i, n := range nodes {
		if i > 0 {
			b.WriteString(prefix)
		}
		b.block(n, prefix)
		b.WriteByte('\n')
		if i+1 < len(nodes) && n.Kind != "line" {
			b.WriteString(strings.TrimRight(prefix, " ") + "\n")
		}
	}
}

func (b *nodeWriter) block(n *node, prefix string) {
	switch n.Kind {
	case "h3", "h4", "h5", "h6":
		b.WriteString(strings.Repeat("#", int(n.Kind[1]-'0')) + " ")
		b.inline(n.Children)
	case "ul", "ol":
		b.list(n, prefix)
	case "blockquote":
		b.WriteString("> ")
		inner := nodeWriter{page: b.page}
		inner.blocks(n.Children, prefix+"> ")
		b.WriteString(strings.TrimRight(inner.String(), "\n"))
	case "pre":
		b.WriteString(strings.ReplaceAll(fenceMarkdown(n.Text), "\n", "\n"+prefix))
	case "hr":
		b.WriteString("* * *")
	case "table":
		b.table(n, prefix)
	default:
		b.inline(n.Children)
	}
}

func (b *nodeWriter) list(list *node, prefix string) {
	for i, item := range list.Children {
		if i > 0 {
			b.WriteString("\n" + prefix)
		}
		marker := "- "
		if list.Kind == "ol" {
			marker = fmt.Sprintf("%d. ", list.Start+i)
		}
		b.WriteString(marker)
		inner := nodeWriter{page: b.page}
		inner.blocks(item.Children, prefix+strings.Repeat(" ", len(marker)))
		b.WriteString(strings.TrimRight(inner.String(), "\n"))
	}
}

func (b *nodeWriter) table(table *node, prefix string) {
	for i, row := range table.Children {
		if i > 0 {
			b.WriteString("\n" + prefix)
		}
		b.WriteByte('|')
		for _, cell := range row.Children {
			b.WriteString(" " + barless(inlineMarkdown(cell.Children, b.page)) + " |")
		}
		if i == 0 {
			b.WriteString("\n" + prefix + "|" + strings.Repeat(" --- |", len(row.Children)))
		}
	}
}

func (b *nodeWriter) inline(nodes []*node) {
	for i, n := range nodes {
		switch n.Kind {
		case "text":
			escapeInto(&b.Builder, n.Text, i == 0 || nodes[i-1].Kind == "break")
		case "break":
			b.WriteByte(' ')
		case "hardbreak":
			b.WriteString(" / ")
		case "code":
			b.WriteString(codeMarkdown(n.Text))
		case "em", "strong":
			marks := map[string]string{"em": "*", "strong": "**"}[n.Kind]
			b.WriteString(marks)
			b.inline(n.Children)
			b.WriteString(marks)
		case "link", "quote":
			b.link(n)
		default:
			b.inline(n.Children)
		}
	}
}

func (b *nodeWriter) link(n *node) {
	if n.Target == "" {
		b.inline(n.Children)
		return
	}
	b.WriteByte('[')
	b.inline(n.Children)
	target := n.Target
	if strings.HasPrefix(target, "#") {
		target = b.page + target
	}
	b.WriteString("](<")
	escapeTarget(&b.Builder, target)
	b.WriteString(">)")
}

// barless escapes the bars that would end a cell; those in text are escaped already, those in code aren't.
func barless(cell string) string {
	var b strings.Builder
	for i := range len(cell) {
		if cell[i] == '|' && (i == 0 || cell[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(cell[i])
	}
	return b.String()
}
