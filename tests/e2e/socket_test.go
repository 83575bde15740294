package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// socket opens a WebSocket to the server and signs in with the token if there is one.
func (s *server) socket(t *testing.T, token string) *websocket.Conn {
	t.Helper()
	payload := "{}"
	if token != "" {
		payload = `{"Authorization":"Bearer ` + token + `"}`
	}
	conn := s.dial(t, payload)
	if got := hear(t, conn); !strings.Contains(got, "connection_ack") {
		t.Fatalf("the response to the sign-in is %s", got)
	}
	return conn
}

// dial opens a WebSocket to the server, and sends the payload as connection_init.
func (s *server) dial(t *testing.T, payload string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(s.Base, "http", "ws", 1)+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	say(t, conn, `{"type":"connection_init","payload":`+payload+`}`)
	return conn
}

func say(t *testing.T, conn *websocket.Conn, text string) {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func hear(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, text, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A stopping server closes sockets, which would never end. Clients reconnect to the next server.
func TestServe_ClosesSocketsWhenStopping(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret)
	conn := s.socket(t, harness.TokenFor(t, 10))
	say(t, conn, `{"type":"subscribe","id":"1","payload":{"query":"{ viewer { user { databaseId } } }"}}`)
	if got := hear(t, conn); !strings.Contains(got, `"databaseId":"10"`) {
		t.Errorf("the viewer is %s", got)
	}
	if got := hear(t, conn); !strings.Contains(got, "complete") {
		t.Errorf("the message after the response is %s", got)
	}
	s.Process.Interrupt()
	_, _, err := conn.Read(context.Background())
	if websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the socket is closed with %v", err)
	}
	if code := s.Process.Wait(); code != 0 {
		t.Errorf("the exit code is %d, want 0", code)
	}
}
