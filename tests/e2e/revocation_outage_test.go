//go:build nightly

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A revocation by one process ends sockets and requests of another while Redis is unreachable.
func TestRevocation_WorksWithoutRedis(t *testing.T) {
	t.Parallel()
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	env := shared(t, "TIDELINE_REDIS_URL="+redis.URL(), "TIDELINE_ROLE=api")
	one, other := startServer(t, env...), startServer(t, env...)
	signedOut, deleted, stays := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3)
	sockets := map[string]*websocket.Conn{}
	for _, token := range []string{signedOut, deleted, stays} {
		sockets[token] = other.socket(t, token)
	}
	redis.Kill()
	one.signOut(t, signedOut)
	one.deleteAccount(t, "user2", as(deleted))
	for _, token := range []string{signedOut, deleted} {
		if _, _, err := sockets[token].Read(eventually.Context(t)); websocket.CloseStatus(err) != 4403 {
			t.Errorf("the socket is closed with %v", err)
		}
		eventually.True(t, "requests are refused too", func() bool {
			return other.ask(t, `{ __typename }`, as(token)).StatusCode == http.StatusUnauthorized
		})
	}
	say(t, sockets[stays], `{"type":"ping"}`)
	if got := hear(t, sockets[stays]); !strings.Contains(got, "pong") {
		t.Errorf("the socket of another user receives %s", got)
	}
}
