package corpus

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// titleWeight is how many times a word of the title counts.
const titleWeight = 2

// hit is a document that matches, with what its excerpt needs.
type hit struct {
	document int
	score    int64 // millionths
	best     int64 // the largest part of the score that comes from a term in the text; -1 without one
	place    int   // ordinal of that term's first token in the text
}

// posting says how often a term stands in a document.
type posting struct {
	document    int
	title, text int
	first       int // ordinal of the first token in the text
}

// find returns the documents that hold any word of the query: best first, equal scores by the bytes of the path.
func (x *Index) find(query string) ([]hit, error) {
	byDocument := map[int]*hit{}
	for _, term := range terms(query) {
		postings, err := x.lookUp(term)
		if err != nil {
			return nil, err
		}
		rarity := lnNano(uint64(2*len(x.stats)+2), uint64(2*len(postings)+1))
		for _, p := range postings {
			h := byDocument[p.document]
			if h == nil {
				h = &hit{document: p.document, best: -1}
				byDocument[p.document] = h
			}
			part := x.part(p, rarity)
			h.score += part
			if p.text > 0 && part > h.best {
				h.best, h.place = part, p.first
			}
		}
	}
	hits := make([]hit, 0, len(byDocument))
	for _, h := range byDocument {
		hits = append(hits, *h)
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score),
			strings.Compare(x.corpus.Documents[a.document].Path, x.corpus.Documents[b.document].Path))
	})
	return hits, nil
}

func (x *Index) lookUp(term string) ([]posting, error) {
	rows, err := x.postings.Query(term)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []posting
	for rows.Next() {
		var document, count, first int
		var inTitle bool
		if err := rows.Scan(&document, &inTitle, &count, &first); err != nil {
			return nil, err
		}
		// The rows of one document stand together: they are grouped by it first.
		if len(found) == 0 || found[len(found)-1].document != document {
			found = append(found, posting{document: document})
		}
		p := &found[len(found)-1]
		if inTitle {
			p.title = count
		} else {
			p.text, p.first = count, first
		}
	}
	return found, rows.Err()
}

// part is one term's part of the score of a document, in millionths, rounded half up:
//
//	ln((N+1)/(n+½)) · f·2.2 / (f + 1.2·(¼ + ¾·length/mean length))
//
// with f the times that the term stands there, those in the title counted double, and rarity the logarithm in
// billionths. The fraction is widened by 10·total so that it is one of integers.
func (x *Index) part(p posting, rarity uint64) int64 {
	f := int64(titleWeight*p.title + p.text)
	total, documents, length := int64(x.total), int64(len(x.stats)), int64(x.stats[p.document].length)
	above := product(22, f, total, int64(rarity), 2)
	below := new(big.Int).Add(product(10, f, total), product(3, total))
	below.Add(below, product(9, length, documents))
	below.Mul(below, big.NewInt(1000))
	above.Add(above, below)
	return above.Quo(above, below.Lsh(below, 1)).Int64()
}

func product(factors ...int64) *big.Int {
	p := big.NewInt(1)
	for _, f := range factors {
		p.Mul(p, big.NewInt(f))
	}
	return p
}

// lnNano is the natural logarithm of above/below in billionths, for 0 < below <= above < 2^32. The binary logarithm
// is made by squaring: each time the mantissa passes 2, the next binary digit is 1.
func lnNano(above, below uint64) uint64 {
	const digits = 40
	whole := uint64(0)
	for above >= 2*below {
		below *= 2
		whole++
	}
	mantissa, _ := bits.Div64(above>>2, above<<62, below) // 2^62 is 1
	fraction := uint64(0)
	for range digits {
		high, low := bits.Mul64(mantissa, mantissa)
		mantissa = high<<2 | low>>62
		fraction <<= 1
		if mantissa >= 1<<63 {
			fraction |= 1
			mantissa >>= 1
		}
	}
	const ln2 = 693_147_180_559_945 // in 10^-15
	high, low := bits.Mul64(whole<<digits|fraction, ln2)
	return (high<<(64-digits) | low>>digits + 500_000) / 1_000_000
}
