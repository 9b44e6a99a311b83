package evidence

import (
	"encoding/base64"
	"fmt"
	"unicode/utf8"
)

// Encodings of a stored body.
const (
	EncodingUTF8   = "utf8"
	EncodingBase64 = "base64"
)

// NewBody stores data as text where it is UTF-8, else as base64.
func NewBody(data []byte) *Body {
	body := &Body{Encoding: EncodingUTF8, Text: string(data)}
	if !utf8.Valid(data) {
		body.Encoding, body.Text = EncodingBase64, base64.StdEncoding.EncodeToString(data)
	}
	body.measure(data)
	return body
}

// WithText returns the body with another stored text in UTF-8, measured anew and marked redacted.
func (b Body) WithText(text string) *Body {
	b.Encoding, b.Text, b.Redacted = EncodingUTF8, text, true
	b.measure([]byte(text))
	return &b
}

func (b *Body) measure(data []byte) {
	b.Bytes, b.BodySHA256 = len(data), BodyDigest(data)
}

// Data returns the decoded stored body.
func (b *Body) Data() ([]byte, error) {
	switch b.Encoding {
	case EncodingUTF8:
		return []byte(b.Text), nil
	case EncodingBase64:
		return base64.StdEncoding.Strict().DecodeString(b.Text)
	}
	return nil, fmt.Errorf("body encoding %q: want utf8 or base64", b.Encoding)
}

// Check says whether length and digest are those of the stored text.
func (b *Body) Check() error {
	data, err := b.Data()
	if err != nil {
		return err
	}
	if len(data) != b.Bytes {
		return fmt.Errorf("body has %d bytes, recorded are %d", len(data), b.Bytes)
	}
	if got := BodyDigest(data); got != b.BodySHA256 {
		return fmt.Errorf("body has SHA-256 %s, recorded is %s", got, b.BodySHA256)
	}
	return nil
}
