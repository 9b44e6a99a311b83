// Package corpus reads the documents of a case and answers searches over them in process.
//
// In goes a folder of *.txt and *.md files: front matter with url, title and date, then the text. [Load] reads it
// and reports every fault at once; [Open] indexes what it gave; the [Index] is a transport that the provider local
// sends its requests to. It opens no connection, writes no file, and neither knows observations nor makes any.
//
// # Words
//
// SQLite FTS5 keeps the index, but not the cutting into words. Its trigram tokenizer finds no word of one or two
// characters, which is most of Chinese; its unicode61 tokenizer takes a whole Chinese or Japanese sentence for one
// word. So the text is cut here, and FTS5 is given words with blanks between them:
//
//   - Letters, digits and marks of scripts with blanks between words make words: os.OpenRoot is os and openroot.
//   - Characters of Han, Kana, Hangul, Bopomofo, Thai, Lao, Khmer and Burmese are indexed alone and by pairs. A
//     query of two or more of them side by side is searched by its pairs, a single one alone.
//   - Symbols are indexed by pairs, and alone unless they are punctuation. They are searched where a part of the
//     query has nothing else, such as ->>.
//
// Words are compared in NFKC and in lower case, so full-width letters and half-width Kana equal the ordinary ones.
// Accents of Latin and Greek letters are dropped (café is cafe); marks of other scripts are kept, since they make
// other letters there. Nothing is stemmed, corrected or left out as too common.
//
// # Order
//
// Documents are ranked by BM25 (k1 1.2, b 0.75), the words of the query joined by OR, a word in the title counted
// twice. FTS5 gives the postings. The score is computed here in integers, for the floating-point result of its own
// bm25() may differ in the last digit between processors: each word's part is rounded half up to millionths, the
// sum of these is the score, and equal scores are ordered by the bytes of the documents' paths. The words of a query
// are looked up as bound values, so no syntax of FTS5 can be in them.
package corpus
