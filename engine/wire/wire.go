// Package wire holds what goes out to a provider and what comes back, as values, and the one way between them.
//
// A [Client] sends one request of one endpoint: gate, send, record. A try is handed to the [Recorder] before its
// bytes are given to anyone who could parse them. The package opens no connection itself: a [Transport] does, over
// the network or, for a corpus, in process.
package wire

import (
	"context"
	"errors"
	"time"

	"casebook/engine/evidence"
)

// Request is an outbound request; header names are in lower case.
type Request struct {
	Method string
	URL    string
	Header map[string]string
	Body   []byte
}

// Reply is what came back; Header holds the names of the allow-list only, in lower case. A reply that was made in
// process has Status 0.
type Reply struct {
	Status      int
	ContentType string
	Header      map[string]string
	Body        []byte
}

// Transport carries one request to its endpoint. An error means that no usable reply came.
type Transport interface {
	Send(ctx context.Context, request Request) (Reply, error)
}

// Endpoint is one operation of one provider.
type Endpoint struct {
	ID     string              // provider:capability
	Gate   func(Request) error // refuses what may not leave
	Origin string              // of its tries: recorded, authored or local
}

// Recorder stores a try when its bytes have come, and once more what reading them found wrong. Each call returns
// once the record is on the disk.
type Recorder interface {
	RecordTry(folder string, try evidence.TryRecord) error
	RecordOutcome(folder string, try evidence.TryRecord) error
}

// Clock gives the time of an execution.
type Clock func() time.Time

// TimeFormat is the form of every recorded time: UTC, at most milliseconds, no trailing zeros.
const TimeFormat = "2006-01-02T15:04:05.999Z07:00"

// FormatTime writes t as recordings do.
func FormatTime(t time.Time) string { return t.UTC().Truncate(time.Millisecond).Format(TimeFormat) }

// MaxBodyBytes bounds the body of a reply: over it the try fails, since a body is kept whole or refused.
const MaxBodyBytes = 10 << 20

// ErrBodyTooLarge says that a reply's body is over [MaxBodyBytes].
var ErrBodyTooLarge = errors.New("body over the limit of 10 MiB")
