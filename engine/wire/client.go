package wire

import (
	"context"
	"errors"

	"casebook/engine/evidence"
)

// Client sends requests. It is safe for use by several goroutines if its parts are.
type Client struct {
	Transport Transport
	Now       Clock
}

// Call is one request of one attempt.
type Call struct {
	Endpoint  Endpoint
	AttemptID string
	Folder    string // of the attempt in its recording
	Request   Request
	// Read parses the reply of a successful exchange, after it was recorded, and says what is wrong with it.
	Read func(Reply) *evidence.TryFault
}

// Exchange is what came of a call. Fault is nil if its last try succeeded.
type Exchange struct {
	Tries []evidence.TryRecord
	Fault *evidence.TryFault
}

// Do sends the call's request, records the try, and only then lets the call read the reply. A request that the gate
// refuses makes a failed try without a byte sent. The error is of recording alone; a failed try is no error.
func (c *Client) Do(ctx context.Context, call Call, recorder Recorder) (Exchange, error) {
	started := c.Now()
	try := evidence.TryRecord{
		Format: evidence.TryFormat, AttemptID: call.AttemptID, TryNumber: 1, Origin: call.Endpoint.Origin,
		StartedAt: FormatTime(started), Outcome: evidence.TrySuccess,
	}
	reply, fault := c.send(ctx, call)
	if call.Endpoint.Origin != evidence.OriginLocal {
		try.Request = Sent(call.Request)
	}
	if reply.Status != 0 {
		try.HTTP = &evidence.ReceivedHead{Status: reply.Status, ContentType: reply.ContentType, Headers: reply.Header}
	}
	if reply.Body != nil {
		try.Body = evidence.NewBody(reply.Body)
	}
	if fault != nil {
		try.Outcome, try.Error = evidence.TryError, fault
	}
	try.DurationMS = c.Now().Sub(started).Milliseconds()
	if err := recorder.RecordTry(call.Folder, try); err != nil {
		return Exchange{}, err
	}
	if fault == nil {
		if fault = call.Read(reply); fault != nil {
			if reply.Status != 0 {
				fault.HTTPStatus = &reply.Status
			}
			try.Outcome, try.Error = evidence.TryError, fault
			if err := recorder.RecordOutcome(call.Folder, try); err != nil {
				return Exchange{}, err
			}
		}
	}
	return Exchange{Tries: []evidence.TryRecord{try}, Fault: fault}, nil
}

func (c *Client) send(ctx context.Context, call Call) (Reply, *evidence.TryFault) {
	if err := call.Endpoint.Gate(call.Request); err != nil {
		return Reply{}, &evidence.TryFault{ErrorClass: "unsupported", Code: "wsp.provider.internal"}
	}
	reply, err := c.Transport.Send(ctx, call.Request)
	switch {
	case errors.Is(err, ErrBodyTooLarge):
		return reply, &evidence.TryFault{ErrorClass: "provider_contract", Code: "wsp.provider.contract"}
	case err != nil:
		return reply, &evidence.TryFault{ErrorClass: "transient", Code: "wsp.provider.transient", Retryable: true}
	}
	if reply.Status != 0 && (reply.Status < 200 || reply.Status > 299) {
		return reply, StatusFault(reply.Status)
	}
	return reply, nil
}

// StatusFault classes an HTTP status that is no success (contract section 4.4).
func StatusFault(status int) *evidence.TryFault {
	fault := &evidence.TryFault{HTTPStatus: &status}
	switch {
	case status == 401 || status == 403:
		fault.ErrorClass, fault.Code = "auth", "wsp.provider.auth"
	case status == 402 || status == 432:
		fault.ErrorClass, fault.Code = "quota", "wsp.provider.quota"
	case status == 429:
		fault.ErrorClass, fault.Code, fault.Retryable = "rate_limit", "wsp.provider.rate_limit", true
	case status >= 500:
		fault.ErrorClass, fault.Code, fault.Retryable = "transient", "wsp.provider.transient", true
	default:
		fault.ErrorClass, fault.Code = "internal", "wsp.provider.internal"
	}
	return fault
}

// Sent is a request as a recording keeps it.
func Sent(r Request) *evidence.SentRequest {
	record := &evidence.SentRequest{Method: r.Method, URL: r.URL, Headers: r.Header}
	if r.Body != nil {
		record.Body = evidence.NewBody(r.Body)
	}
	return record
}
