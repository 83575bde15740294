//go:build nightly

package e2e

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A service's streams and sockets end in all processes when its token expires or is revoked, and
// when the account is deleted that it acts for.
func TestService_ActingEndsWithTokenAndAccount(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, "TIDELINE_CLOCK_LEEWAY=10s")
	one, other := startServer(t, env...), startServer(t, env...)
	revoked, kept := serviceJWT(t, "content"), serviceJWT(t, "content")
	open := func(token string, id feed.UserID) []listener {
		user := harness.TokenFor(t, id)
		return []listener{
			other.listening(t, user, other.overEvents(t, as(token), "Tideline-Act-For: "+id.String())),
			other.listening(t, user, subscribedOn(t, other.actingSocket(t, token, id.String()))),
		}
	}
	ends, stay := slices.Concat(open(revoked, 1), open(kept, 2)), open(kept, 1)
	expiring, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(gateway.Claims{Service: "content"}, time.Second)
	harness.Check(t, err)
	ends = append(ends, listener{t, other.overEvents(t, as(expiring), "Tideline-Act-For: 1")})

	if got := one.send(t, http.MethodDelete, "/session", "", as(revoked)); got.StatusCode != http.StatusNoContent {
		t.Fatalf("revoking returns %d %s", got.StatusCode, got.body)
	}
	one.deleteAccount(t, "user2", as(harness.TokenFor(t, 2)))
	one.signOut(t, harness.TokenFor(t, 1))
	for _, l := range ends {
		l.upToEnd()
	}
	for _, l := range stay {
		l.upTo(other.Publish(t, harness.TokenFor(t, 1), "after the revocations"))
	}
	for _, c := range []struct {
		token, user string
		want        int
	}{{revoked, "1", http.StatusUnauthorized}, {kept, "1", http.StatusOK}, {kept, "2", http.StatusForbidden}, {serviceToken, "2", http.StatusForbidden}} {
		for _, s := range []*server{one, other} {
			if got := s.ask(t, `{ __typename }`, as(c.token), "Tideline-Act-For: "+c.user); got.StatusCode != c.want {
				t.Errorf("the next request for user %s returns %d %s, want %d", c.user, got.StatusCode, got.body, c.want)
			}
		}
	}
}
