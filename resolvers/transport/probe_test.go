package transport_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// probe is a client without knowledge of the subprotocol: it sends and receives texts.
type probe struct {
	t    *testing.T
	conn *websocket.Conn
}

// connect opens a socket.
func (b *bench) connect() *probe {
	b.t.Helper()
	p, response, err := b.dial(http.Header{}, "graphql-transport-ws")
	if err != nil {
		b.t.Fatalf("no socket: %v, %v", err, response)
	}
	return p
}

// connected opens a socket and signs in.
func (b *bench) connected() *probe {
	b.t.Helper()
	p := b.connect()
	p.send(`{"type":"connection_init"}`)
	p.want(`{"type":"connection_ack"}`)
	return p
}

func (b *bench) dial(header http.Header, subprotocols ...string) (*probe, *http.Response, error) {
	conn, response, err := websocket.Dial(context.Background(), "ws://tideline.test/graphql", &websocket.DialOptions{
		HTTPClient: b.client, HTTPHeader: header, Subprotocols: subprotocols,
	})
	if err != nil {
		return nil, response, err
	}
	b.t.Cleanup(func() { _ = conn.CloseNow() })
	return &probe{b.t, conn}, response, nil
}

// wantNoSocket checks the status of a refused socket.
func (b *bench) wantNoSocket(status int) {
	b.t.Helper()
	if _, response, _ := b.dial(http.Header{}, "graphql-transport-ws"); response == nil || response.StatusCode != status {
		b.t.Errorf("the response to a socket is %v, want %d", response, status)
	}
}

func (p *probe) send(text string) {
	p.t.Helper()
	if err := p.conn.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatalf("send %s: %v", text, err)
	}
}

// want reads the next message and compares it as JSON.
func (p *probe) want(text string) {
	p.t.Helper()
	_, got, err := p.conn.Read(context.Background())
	if err != nil {
		p.t.Fatalf("want %s, but the socket is closed: %v", text, err)
	}
	if !sameJSON(p.t, string(got), text) {
		p.t.Fatalf("got  %s\nwant %s", got, text)
	}
}

// wantClosed checks that the next thing the server sends is a close frame with the code.
func (p *probe) wantClosed(code websocket.StatusCode, reason string) {
	p.t.Helper()
	_, got, err := p.conn.Read(context.Background())
	if err == nil {
		p.t.Fatalf("got %s, want the closing %d", got, code)
	}
	if c := websocket.CloseStatus(err); c != code {
		p.t.Errorf("closed with %v, want %d", err, code)
	}
	if reason != "" && !strings.Contains(err.Error(), reason) {
		p.t.Errorf("closed with %v, want the reason %q", err, reason)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		t.Fatalf("not JSON: %s or %s", a, b)
	}
	return reflect.DeepEqual(x, y)
}

func subscribe(id, document string) string {
	return fmt.Sprintf(`{"type":"subscribe","id":%q,"payload":{"query":%q}}`, id, document)
}
