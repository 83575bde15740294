package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// With PgBouncer's defaults and a session pool. It refuses most settings when a connection starts.
func TestOpen_WorksBehindSessionPooler(t *testing.T) {
	s := openedWith(t, testenv.StartPgBouncer(t, testenv.Postgres(t), "pool_mode = session"), sqlstore.DefaultPostgres())
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	importAll(t, s, []feed.Record{{User: townUser(1)}})
	if u, err := s.UserByHandle(t.Context(), "u1"); u == nil || err != nil {
		t.Errorf("the user is %v, %v", u, err)
	}
	for name, want := range reliedOn() {
		if got, err := s.Setting(t.Context(), name); got != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
}
