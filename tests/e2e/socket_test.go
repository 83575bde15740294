package e2e

import (
	"net/http"
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
	conn := dial(t, http.DefaultClient, s.Base, payload)
	if got := hear(t, conn); !strings.Contains(got, "connection_ack") {
		t.Fatalf("the response to the sign-in is %s", got)
	}
	return conn
}

// dial opens a WebSocket to the server at base, and sends the payload as connection_init.
func dial(t *testing.T, by *http.Client, base, payload string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), base+"/graphql", &websocket.DialOptions{HTTPClient: by, Subprotocols: []string{"graphql-transport-ws"}})
	harness.Check(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	say(t, conn, `{"type":"connection_init","payload":`+payload+`}`)
	return conn
}

func say(t *testing.T, conn *websocket.Conn, text string) {
	t.Helper()
	harness.Check(t, conn.Write(t.Context(), websocket.MessageText, []byte(text)))
}

func hear(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, text, err := conn.Read(t.Context())
	harness.Check(t, err)
	return string(text)
}
