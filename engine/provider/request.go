package provider

import (
	"maps"

	"casebook/engine/canon"
	"casebook/engine/wire"
)

// userAgent has no version, so that a newer casebook rebuilds the same request.
const userAgent = "casebook"

// post is a POST of one JSON value, which must come from a closed struct.
func post(url string, header map[string]string, body any) (wire.Request, error) {
	data, err := canon.Encode(body)
	if err != nil {
		return wire.Request{}, err
	}
	all := map[string]string{"content-type": "application/json", "user-agent": userAgent}
	maps.Copy(all, header)
	return wire.Request{Method: "POST", URL: url, Header: all, Body: data}, nil
}
