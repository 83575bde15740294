package transport

import (
	"encoding/json"
	"net/http"
)

// What [graphql.RawParams.Extensions] may have. Nothing else of a request gets there.
const (
	// DocumentID names the id of a known document, a string.
	DocumentID = "documentId"
	// PersistedQuery names the version, a [json.Number], and the sha256Hash of a document.
	PersistedQuery = "persistedQuery"
	// RequestBytes names the size of the request in bytes, an int: query string, header and body, or
	// the message.
	RequestBytes = "requestBytes"
	// KeptBytes names how many of these a stream keeps, an int: query string and header.
	KeptBytes = "keptBytes"
)

// Headers that operations read. An operation keeps no others.
const (
	// AtLeastHeader has the positions that the response must reflect.
	AtLeastHeader = "Tideline-At-Least"
	// AtLeastModeHeader says what an operation does if the data does not reflect them in time.
	AtLeastModeHeader = "Tideline-At-Least-Mode"
	// AsOfHeader asks for what the response reflects.
	AsOfHeader = "Tideline-As-Of"
)

func onlyRead(h http.Header) http.Header {
	var read http.Header
	for _, name := range []string{AtLeastHeader, AtLeastModeHeader, AsOfHeader} {
		if values := h[name]; values != nil {
			if read == nil {
				read = http.Header{}
			}
			read[name] = values
		}
	}
	return read
}

// extensions are the extensions that the server reads. Decoding drops all others: decoded, they take
// twenty times as much memory as the request, for as long as the operation.
type extensions struct {
	PersistedQuery member[persistedQuery]    `json:"persistedQuery"`
	OperationID    member[string]            `json:"operationId"`
	Callback       member[callbackExtension] `json:"subscription"`
}

type persistedQuery struct {
	Version json.Number `json:"version"`
	Hash    string      `json:"sha256Hash"`
}

// callbackExtension asks for the events of a subscription at a URL.
type callbackExtension struct {
	URL       string      `json:"callbackUrl"`
	ID        string      `json:"subscriptionId"`
	Verifier  string      `json:"verifier"`
	Heartbeat json.Number `json:"heartbeatIntervalMs"`
}

// member is a member of the extensions. One of another type than the server reads, which another
// server may define, is the zero value.
type member[T any] struct {
	given bool
	value T
}

// UnmarshalJSON implements [json.Unmarshaler]. It never fails.
func (m *member[T]) UnmarshalJSON(text []byte) error {
	*m = member[T]{given: string(text) != "null"}
	if json.Unmarshal(text, &m.value) != nil {
		m.value = *new(T)
	}
	return nil
}

// known returns the given extensions by name.
func (e *extensions) known() map[string]any {
	known := map[string]any{}
	if q := e.PersistedQuery; q.given {
		known[PersistedQuery] = map[string]any{"version": q.value.Version, "sha256Hash": q.value.Hash}
	}
	if e.OperationID.given {
		known[operationID] = e.OperationID.value
	}
	if e.Callback.given {
		known[callbackName] = e.Callback.value
	}
	return known
}
