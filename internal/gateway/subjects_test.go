package gateway

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func TestSubjects_ReadTextIDs(t *testing.T) {
	down := false
	subjects := Subjects(func(_ context.Context, id feed.ExternalID) (feed.UserID, error) {
		if down {
			return 0, feed.Unavailable("the database", nil)
		}
		return map[feed.ExternalID]feed.UserID{"auth0|7": 70, "7": 71}[id], id.Check()
	})
	tokens := NewTokens(testSecret, atNoon).WithSubjects(subjects)
	sign := func(c Claims) string {
		token, err := tokens.Sign(c, time.Hour)
		noError(t, err)
		return token
	}
	for _, c := range []Claims{{User: 70, Subject: "auth0|7"}, {User: 71, Subject: "7"}} {
		if id, err := tokens.Verify(t.Context(), sign(c)); err != nil || id.User != c.User || id.Subject != c.Subject || id.publicUser() != string(c.Subject) {
			t.Errorf("the token of %s is that of %d, %q (error %v)", c.Subject, id.User, id.Subject, err)
		}
	}
	if _, err := tokens.Verify(t.Context(), sign(Claims{Subject: "a\nb"})); feed.CodeOf(err) != feed.CodeUnauthenticated {
		t.Errorf("a malformed subject gets error %v, want %s", err, feed.CodeUnauthenticated)
	}
	var log bytes.Buffer
	act := func() (viewer feed.UserID, status int) {
		a := Authenticator{
			Verifier: Verifiers{Secret: tokens}, Subjects: subjects, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Attach: func(ctx context.Context, id Identity) (context.Context, error) { viewer = id.User; return ctx, nil },
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+sign(Claims{Service: "sync"}))
		r.Header.Set(ActForHeader, "auth0|7")
		w := httptest.NewRecorder()
		LogAccess(a.Log, atNoon, Identify(a, http.NotFoundHandler())).ServeHTTP(w, r)
		return viewer, w.Code
	}
	viewer, _ := act()
	wantEqual(t, 70, viewer, "whom the service acts for")
	if !strings.Contains(log.String(), "viewer=auth0|7 service=sync") {
		t.Errorf("the log does not name the user by the external id: %s", log.String())
	}
	down = true
	_, status := act()
	wantEqual(t, http.StatusServiceUnavailable, status, "the status without a database")
	if _, err := tokens.Verify(t.Context(), sign(Claims{Subject: "new"})); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("without a database a new subject gets error %v, want %s", err, feed.CodeUnavailable)
	}
}
