package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"casebook/engine/canon"
)

// Digest is a SHA-256 as 64 lower-case hex digits. What it was taken over is said by the name of the function that
// made it (pack format, section 7).
type Digest string

// shortText is the length up to which a text is hashed without a copy on the heap; most are shorter.
const shortText = 1024

// FileDigest is the file SHA-256: over the exact bytes of one file.
func FileDigest(data []byte) Digest { return digest(data) }

// TextDigest is the text SHA-256: over the UTF-8 of one text.
func TextDigest(text string) Digest {
	var short [shortText]byte
	if len(text) <= len(short) {
		return digest(short[:copy(short[:], text)])
	}
	return digest([]byte(text))
}

// BodyDigest is the body SHA-256: over the decoded stored body of one try.
func BodyDigest(body []byte) Digest { return digest(body) }

// RecordDigest is the record SHA-256: over the canonical JSON of one value, without LF.
func RecordDigest(v any) (Digest, error) {
	b, err := canon.Encode(v)
	if err != nil {
		return "", err
	}
	return digest(b), nil
}

// ReadDigest is the file SHA-256 of what r gives, and its length.
func ReadDigest(r io.Reader) (Digest, int64, error) {
	h := sha256.New()
	n, err := io.Copy(h, r)
	return Digest(hex.EncodeToString(h.Sum(nil))), n, err
}

// isTextDigest says whether digits is the text SHA-256 of text.
func isTextDigest(text, digits string) bool {
	var short [shortText]byte
	if len(text) > len(short) {
		return string(TextDigest(text)) == digits
	}
	got := hexDigits(short[:copy(short[:], text)])
	return string(got[:]) == digits
}

func digest(data []byte) Digest {
	digits := hexDigits(data)
	return Digest(digits[:])
}

func hexDigits(data []byte) (digits [2 * sha256.Size]byte) {
	sum := sha256.Sum256(data)
	hex.Encode(digits[:], sum[:])
	return digits
}
