//go:build nightly

package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestActivity_CountsPublishingAndSigningIn(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo)
	s, store := startServer(t, env...), openStore(t, env)
	for id := range feed.UserID(4) {
		_, err := store.EnsureUser(t.Context(), &feed.User{ID: id + 1, Handle: "u" + strconv.Itoa(int(id)), Name: "u"})
		harness.Check(t, err)
	}
	mutate := func(id feed.UserID, mutation string) {
		t.Helper()
		got := s.ask(t, mutation, as(harness.TokenFor(t, id)))
		if got.StatusCode != http.StatusOK || strings.Contains(got.body, `"errors"`) || strings.Contains(got.body, "message") {
			t.Fatalf("the response to %s is %d %s", mutation, got.StatusCode, got.body)
		}
	}
	inAnHour := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	// Users 1 to 3 publish, host a session and sign in by a browser; 5 is created by their first
	// request. 4 does nothing that counts as activity, and 6 signs in but is not stored.
	mutate(1, `mutation { publishPost(input: {text: "text"}) { userErrors { message } } }`)
	mutate(2, `mutation { scheduleLive(input: {title: "title", scheduledAt: "`+inAnHour+`"}) { userErrors { message } } }`)
	mutate(4, `{ viewer { user { id } } }`)
	mutate(5, `{ viewer { user { id } } }`)
	for _, id := range []feed.UserID{3, 6} {
		if got := s.send(t, http.MethodPost, "/session", `{"token":"`+harness.TokenFor(t, id)+`"}`); got.StatusCode != http.StatusOK {
			t.Fatalf("the response to signing in is %d %s", got.StatusCode, got.body)
		}
	}
	eventually.True(t, "users 1, 2, 3 and 5 are active", func() bool {
		dormant, err := store.Dormant(t.Context(), []feed.UserID{1, 2, 3, 4, 5, 6}, 0)
		harness.Check(t, err)
		slices.Sort(dormant)
		return slices.Equal(dormant, []feed.UserID{4, 6})
	})
}
