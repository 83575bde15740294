package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestActivity_CountsPublishingAndSigningIn(t *testing.T) {
	database := testenv.Postgres(t)
	s := startServer(t, "TIDELINE_DATABASE_URL="+database, "TIDELINE_REDIS_URL="+testenv.Redis(t),
		"TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_DEMO=false")
	store, err := sqlstore.Open(t.Context(), database)
	harness.Check(t, err)
	t.Cleanup(func() { harness.Check(t, store.Close()) })
	for id := range feed.UserID(4) {
		_, err := store.EnsureUser(t.Context(), &feed.User{ID: id + 1, Handle: "u" + strconv.Itoa(int(id)), Name: "u"})
		harness.Check(t, err)
	}
	mutate := func(id feed.UserID, mutation string) {
		t.Helper()
		got := s.send(t, http.MethodPost, "/graphql", `{"query":"`+mutation+`"}`, "Authorization: Bearer "+harness.TokenFor(t, id))
		if got.StatusCode != http.StatusOK || strings.Contains(got.body, `"errors"`) || strings.Contains(got.body, "message") {
			t.Fatalf("the response to %s is %d %s", mutation, got.StatusCode, got.body)
		}
	}
	inAnHour := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	// Users 1 to 3 publish, host a session and sign in by a browser; 5 is created by their first
	// request. 4 does nothing that counts as activity, and 6 signs in but is not stored.
	mutate(1, `mutation { publishPost(input: {text: \"text\"}) { userErrors { message } } }`)
	mutate(2, `mutation { scheduleLive(input: {title: \"title\", scheduledAt: \"`+inAnHour+`\"}) { userErrors { message } } }`)
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
