package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// subprotocol is the only supported one.
const subprotocol = "graphql-transport-ws"

// Codes with which a socket closes. The subprotocol defines those from 4400 on.
const (
	closeGoingAway       = websocket.StatusGoingAway
	closeTooManyMessages = websocket.StatusPolicyViolation
	closeInvalidText     = websocket.StatusInvalidFramePayloadData
	closeBadRequest      = websocket.StatusCode(4400)
	closeUnauthorized    = websocket.StatusCode(4401)
	closeForbidden       = websocket.StatusCode(4403)
	closeSubprotocol     = websocket.StatusCode(4406)
	closeInitTimeout     = websocket.StatusCode(4408)
	closeDuplicateID     = websocket.StatusCode(4409)
	closeTooManyInits    = websocket.StatusCode(4429)
	closeInternalFailure = websocket.StatusCode(4500)
)

const (
	typeInit      = "connection_init"
	typeAck       = "connection_ack"
	typePing      = "ping"
	typePong      = "pong"
	typeSubscribe = "subscribe"
	typeNext      = "next"
	typeError     = "error"
	typeComplete  = "complete"
)

// closeError ends a socket with a code and a reason of at most 123 bytes.
type closeError struct {
	code   websocket.StatusCode
	reason string
}

func (c closeError) Error() string { return c.reason }

func badRequest(reason string) error { return closeError{closeBadRequest, reason} }

// idMax is in bytes, because the reason of a close frame may quote an id. A UUID has 36.
const idMax = 64

type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
	// malformed is why the payload of a subscribe cannot be decoded unchanged; nil if it can.
	malformed error
}

// readMessage decodes and checks a message: its type, its id if it needs one, and that the payload
// is an object or absent. Its errors close the socket.
func readMessage(text []byte) (message, error) {
	var m message
	if !utf8.Valid(text) {
		return m, closeError{closeInvalidText, "a text message must be UTF-8"}
	}
	if err := decode(bytes.NewReader(text), &m); err != nil {
		return m, badRequest("a message must be a JSON object with a type")
	}
	if err := m.checkEscapes(text); err != nil {
		return m, badRequest("a message has " + err.Error())
	}
	switch m.Type {
	case typeInit, typePing, typePong:
	case typeSubscribe, typeComplete:
		if m.ID == "" || len(m.ID) > idMax {
			return m, badRequest("the id of an operation must have 1 to 64 bytes")
		}
	default:
		return m, badRequest("the type of the message is unknown")
	}
	if bytes.Equal(m.Payload, []byte("null")) {
		m.Payload = nil
	}
	if m.Payload != nil && m.Payload[0] != '{' {
		return m, badRequest("the payload of a message must be a JSON object")
	}
	return m, nil
}

// checkEscapes checks for escapes that decoding would alter. In a subscribe, they fail that
// operation only; elsewhere, checkEscapes returns an error.
func (m *message) checkEscapes(text []byte) error {
	err := wellformed.JSON(text)
	if err == nil || m.Type != typeSubscribe || strings.ContainsRune(m.ID, unicode.ReplacementChar) {
		return err
	}
	m.malformed = wellformed.JSON(m.Payload)
	if m.malformed == nil {
		return err
	}
	return nil
}

func (m message) credentials() (map[string]any, error) {
	if m.Payload == nil {
		return nil, nil
	}
	var payload map[string]any
	err := decode(bytes.NewReader(m.Payload), &payload)
	return payload, err
}

func (m message) params(header http.Header) (*graphql.RawParams, error) {
	var b requestBody
	if m.Payload == nil || decode(bytes.NewReader(m.Payload), &b) != nil {
		return nil, errors.New("the payload of subscribe must be a GraphQL request")
	}
	b.bytes = len(m.Payload)
	return b.params(header)
}
