package e2e

import (
	"bufio"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A revocation by one process ends sockets, streams and requests of another, also while Redis is
// unreachable.
func TestRevocation_EndsConnectionsInAllProcesses(t *testing.T) {
	for name, outage := range map[string]bool{"with Redis": false, "without Redis": true} {
		t.Run(name, func(t *testing.T) {
			redis := testenv.StartRedis(t, testenv.RedisOptions{})
			env := []string{
				"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + redis.URL(),
				"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ROLE=api",
			}
			one, other := startServer(t, env...), startServer(t, env...)
			signedOut, deleted, stays := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3)
			sockets := map[string]*websocket.Conn{}
			for _, token := range []string{signedOut, deleted, stays} {
				sockets[token] = other.socket(t, token)
			}
			stream := other.subscribed(t, signedOut) //nolint:bodyclose // the end of the test closes it
			if outage {
				redis.Kill()
			}
			if got := one.send(t, http.MethodDelete, "/session", "", "Cookie: tideline_session="+signedOut); got.StatusCode != http.StatusNoContent {
				t.Fatalf("the response to signing out is %d %s", got.StatusCode, got.body)
			}
			gone := `{"query":"mutation { deleteAccount(input: {confirmHandle: \"user2\"}) { userErrors { message } } }"}`
			if got := one.send(t, http.MethodPost, "/graphql", gone, "Authorization: Bearer "+deleted); !strings.Contains(got.body, `"userErrors":[]`) {
				t.Fatalf("the response to deleting the account is %s", got.body)
			}
			for _, token := range []string{signedOut, deleted} {
				if _, _, err := sockets[token].Read(eventually.Context(t)); websocket.CloseStatus(err) != 4403 {
					t.Errorf("the socket is closed with %v", err)
				}
				eventually.True(t, "requests are refused too", func() bool {
					got := other.send(t, http.MethodPost, "/graphql", `{"query":"{ viewer { user { id } } }"}`, "Authorization: Bearer "+token)
					return got.StatusCode == http.StatusUnauthorized
				})
			}
			// Without Redis the subscription ends by itself, possibly earlier.
			if rest, err := bufio.NewReader(stream.Body).ReadString(0); !outage && strings.Contains(rest, "complete") {
				t.Errorf("the stream ended with %q, %v", rest, err)
			}
			say(t, sockets[stays], `{"type":"ping"}`)
			if got := hear(t, sockets[stays]); !strings.Contains(got, "pong") {
				t.Errorf("the socket of another user receives %s", got)
			}
		})
	}
}

// After a token is revoked, its sockets and streams at all processes deliver no later post and end
// within a second.
func TestRevocation_EndsDeliveryInAllProcesses(t *testing.T) {
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false",
	}
	servers := []*server{startServer(t, env...), startServer(t, env...)}
	one, other := servers[0], servers[1]
	signedOut, deleted, stays, author := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3), harness.TokenFor(t, 4)
	other.Publish(t, author, "the first")
	open := map[string][]listener{}
	for _, token := range []string{signedOut, deleted, stays} {
		one.Follow(t, token, 4)
		for _, s := range servers {
			open[token] = append(open[token],
				s.listening(t, token, s.overSocket(t, token)), s.listening(t, token, s.overEvents(t, token)))
		}
	}

	if got := one.send(t, http.MethodDelete, "/session", "", "Cookie: tideline_session="+signedOut); got.StatusCode != http.StatusNoContent {
		t.Fatalf("the response to signing out is %d %s", got.StatusCode, got.body)
	}
	gone := `{"query":"mutation { deleteAccount(input: {confirmHandle: \"user2\"}) { userErrors { message } } }"}`
	if got := one.send(t, http.MethodPost, "/graphql", gone, "Authorization: Bearer "+deleted); !strings.Contains(got.body, `"userErrors":[]`) {
		t.Fatalf("the response to deleting the account is %s", got.body)
	}
	revoked := time.Now()
	var after []string
	for range 3 {
		after = append(after, other.Publish(t, author, "after the revocation"))
	}
	for _, l := range slices.Concat(open[signedOut], open[deleted]) {
		for _, id := range l.upToEnd() {
			if slices.Contains(after, id) {
				t.Errorf("%s, published after the revocation, is delivered", id)
			}
		}
		took := time.Since(revoked)
		t.Logf("a connection has ended %v after the revocation", took.Round(time.Millisecond))
		if took > harness.AtMost(time.Second) {
			t.Errorf("a connection ends %v after the revocation", took)
		}
	}
	for _, l := range open[stays] {
		l.upTo(after[0])
	}
}

// upToEnd returns the events until the subscription ends.
func (l listener) upToEnd() []string {
	l.t.Helper()
	var ids []string
	deadline := time.After(eventually.Limit)
	for {
		select {
		case e, ok := <-l.events:
			if !ok {
				return ids
			}
			ids = append(ids, e.Data.HomeFeedEdges.Node.DatabaseID)
		case <-deadline:
			l.t.Fatal("the subscription does not end")
		}
	}
}

// subscribed begins a stream of events.
func (s *server) subscribed(t *testing.T, token string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Base+"/graphql", strings.NewReader(`{"query":"subscription { homeFeedEdges { cursor } }"}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream", "Authorization": "Bearer " + token} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}
