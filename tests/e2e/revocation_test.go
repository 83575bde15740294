package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// signOut revokes a token, as a page does.
func (s *server) signOut(t *testing.T, token string) {
	t.Helper()
	if got := s.send(t, http.MethodDelete, "/session", "", "Cookie: tideline_session="+token); got.StatusCode != http.StatusNoContent {
		t.Fatalf("the response to signing out is %d %s", got.StatusCode, got.body)
	}
}

// deleteAccount deletes the account of a user without a record.
func (s *server) deleteAccount(t *testing.T, handle string, headers ...string) {
	t.Helper()
	if got := s.ask(t, `mutation { deleteAccount(input: {confirmHandle: "`+handle+`"}) { userErrors { message } } }`, headers...); !strings.Contains(got.body, `"userErrors":[]`) {
		t.Fatalf("the response to deleting the account is %s", got.body)
	}
}

// After a token is revoked by one process, its sockets and streams at all processes deliver no later
// post and end, within a second on an idle machine; requests are refused.
func TestRevocation_EndsDeliveryInAllProcesses(t *testing.T) {
	env := shared(t, noDemo)
	servers := []*server{startServer(t, env...), startServer(t, env...)}
	one, other := servers[0], servers[1]
	signedOut, deleted, stays, author := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3), harness.TokenFor(t, 4)
	other.Publish(t, author, "the first")
	open := map[string][]listener{}
	for _, token := range []string{signedOut, deleted, stays} {
		one.Follow(t, token, 4)
		for _, s := range servers {
			open[token] = append(open[token],
				s.listening(t, token, s.overSocket(t, token)), s.listening(t, token, s.overEvents(t, as(token))))
		}
	}
	idle := other.socket(t, signedOut)

	one.signOut(t, signedOut)
	one.deleteAccount(t, "user2", as(deleted))
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
	if _, _, err := idle.Read(eventually.Context(t)); websocket.CloseStatus(err) != 4403 {
		t.Errorf("the idle socket is closed with %v", err)
	}
	for _, l := range open[stays] {
		l.upTo(after[0])
	}
	for token, want := range map[string]int{signedOut: http.StatusUnauthorized, deleted: http.StatusUnauthorized, stays: http.StatusOK} {
		if got := other.ask(t, `{ __typename }`, as(token)); got.StatusCode != want {
			t.Errorf("a request returns %d, want %d", got.StatusCode, want)
		}
	}
}
