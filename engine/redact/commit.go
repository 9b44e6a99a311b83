package redact

import (
	"crypto"
	"crypto/hmac"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// KeyLength is the length of a redaction key in bytes.
const KeyLength = 32

// Domains of the three keyed digests, pack format section 6.4.
const (
	saltDomain   = "casebook.redaction.salt.v1\x00"
	valueDomain  = "casebook.redaction.value.v1\x00"
	targetDomain = "casebook.redaction.target.v1\x00"
)

// Key is the secret behind the commitments of one live run or import. It prints as a placeholder.
type Key []byte

// String hides the key.
func (Key) String() string { return "[redaction key]" }

// GoString hides the key.
func (Key) GoString() string { return "[redaction key]" }

// MarshalJSON hides the key.
func (Key) MarshalJSON() ([]byte, error) { return []byte(`"[redaction key]"`), nil }

// Format hides the key from every verb, %x included.
func (k Key) Format(state fmt.State, _ rune) { writeState(state, k.String()) }

func (k Key) check() error {
	if len(k) != 0 && len(k) != KeyLength {
		return fmt.Errorf("redaction key: %d bytes, want %d", len(k), KeyLength)
	}
	return nil
}

// Salt opens the commitments of one id and of no other; whoever holds it can test guesses of that value.
func Salt(key Key, id string) []byte { return keyed(key, saltDomain, id) }

// CommitValue commits to the value that an entry removed, as 64 hex digits.
func CommitValue(key Key, id, value string) string {
	return hex.EncodeToString(keyed(Salt(key, id), valueDomain, length(value), value))
}

// CommitTarget commits to the whole string that a target's entries were removed from, as 64 hex digits.
func CommitTarget(key Key, id, text string) string {
	return hex.EncodeToString(keyed(Salt(key, id), targetDomain, length(text), text))
}

// keyed is HMAC-SHA256; the hash is linked in by engine/evidence.
func keyed(key []byte, parts ...string) []byte {
	mac := hmac.New(crypto.SHA256.New, key)
	for _, part := range parts {
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

func length(s string) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
}
