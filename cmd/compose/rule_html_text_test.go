package main

import "testing"

func TestHTMLText(t *testing.T) {
	const page = "Tea & water\nOne cup,\nof \"green\" tea\na <pot> of it\nsteepdrink\nx -> y\n"
	testRule(t, "html-text/1", "page.html", "", []ruleCase{{"a page", pick{}, page, nil}})
}

func TestHTMLTextBreaks(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"each end that breaks", "<p>a</p><li>b</li><h1>c</h1><h6>d</h6><div>e</div><tr>f</tr><pre>g</pre>h", "a\nb\nc\nd\ne\nf\ng\nh\n"},
		{"ends that do not", "<td>a</td><span>b</span><header>c</header>d", "abcd\n"},
		{"br in its forms", "a<br>b<BR/>c<br />d", "a\nb\nc\nd\n"},
		{"blanks beside a break", "a \t<br>\n\n  b", "a\nb\n"},
		{"a tag over two lines", "a<a\nhref='x'>b</a>", "ab\n"},
		{"an entity is decoded once", "&amp;lt;", "&lt;\n"},
		{"two scripts, what is between stays", "<script>x</script>a<SCRIPT>y</SCRIPT>", "a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := cutHTMLText(source{data: []byte(c.html)}, pick{})
			if err != nil || got.text != c.want {
				t.Errorf("cutHTMLText(%q) = %q, %v; want %q", c.html, got.text, err, c.want)
			}
		})
	}
}
