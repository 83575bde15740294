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

	"github.com/tideline-feeds/tideline/internal/wellformed"
)

// subprotocol is the only one spoken on sockets.
const subprotocol = "graphql-transport-ws"

// The codes with which a socket is closed. Those from 4400 on are the subprotocol's.
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

// The types of messages.
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

// closing is the error of what ends a socket: its code and its reason, in at most 123
// bytes.
type closing struct {
	code   websocket.StatusCode
	reason string
}

func (c closing) Error() string { return c.reason }

func badRequest(reason string) error { return closing{closeBadRequest, reason} }

// idMax is the number of bytes the id of an operation may have: a UUID has 36, and the
// reason of a closing must hold it.
const idMax = 64

// message is one message on a socket, either way.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
	// malformed is why the payload of a subscribe cannot be read as it stands; nil if it can.
	malformed error
}

// readMessage returns a message whose id is one where there must be one, and whose
// payload is an object or absent. Its errors close the socket.
func readMessage(text []byte) (message, error) {
	var m message
	if !utf8.Valid(text) {
		return m, closing{closeInvalidText, "a text message is UTF-8"}
	}
	if err := decode(bytes.NewReader(text), &m); err != nil {
		return m, badRequest("a message is a JSON object with a type")
	}
	if err := m.checkEscapes(text); err != nil {
		return m, badRequest("a message has " + err.Error())
	}
	switch m.Type {
	case typeInit, typePing, typePong:
	case typeSubscribe, typeComplete:
		if m.ID == "" || len(m.ID) > idMax {
			return m, badRequest("the id of an operation has from 1 to 64 bytes")
		}
	default:
		return m, badRequest("there is no such type of message from a client")
	}
	if bytes.Equal(m.Payload, []byte("null")) {
		m.Payload = nil
	}
	if m.Payload != nil && m.Payload[0] != '{' {
		return m, badRequest("the payload of a message is a JSON object")
	}
	return m, nil
}

// checkEscapes looks for escapes that decoding has altered. In the request of a subscribe they
// are the fault of that operation alone, which is then answered with an error; anywhere else
// they are returned.
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

// credentials returns the payload of connection_init; nil when it has none.
func (m message) credentials() (map[string]any, error) {
	if m.Payload == nil {
		return nil, nil
	}
	var payload map[string]any
	err := decode(bytes.NewReader(m.Payload), &payload)
	return payload, err
}

// params returns the request in the payload of subscribe.
func (m message) params(header http.Header) (*graphql.RawParams, error) {
	var b requestBody
	if m.Payload == nil || decode(bytes.NewReader(m.Payload), &b) != nil {
		return nil, errors.New("the payload of subscribe is a request of GraphQL")
	}
	return b.params(header)
}
