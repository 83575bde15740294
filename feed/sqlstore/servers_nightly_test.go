//go:build nightly

package sqlstore_test

import (
	"database/sql"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Tests that start servers of their own, or take long.

// Reads from a replica succeed but are stale, so no error would show it.
func TestPostgres_UsesReplicasOnlyOnRequest(t *testing.T) {
	ctx := t.Context()
	primary := testenv.StartPostgres(t)
	migrated(t, primary.URL())
	replica := testenv.StartPostgresReplica(t, primary)
	if s, err := sqlstore.Open(ctx, replica.URL()); err == nil {
		_ = s.Close()
		t.Error("a store without Standby accepts a replica")
	}
	follower, err := url.Parse(replica.URL())
	mustBe(t, "", err)
	mustBe(t, "", opened(t, behind(t, follower.Host, primary.URL())).RaiseGeneration(ctx))
	for name, s := range map[string]*sqlstore.Store{
		"the URL":      opened(t, replica.URL()+"&target_session_attrs=any"),
		"the settings": openedWith(t, replica.URL(), sqlstore.Postgres{Standby: true}),
	} {
		if _, err := s.IsDemo(ctx); err != nil {
			t.Errorf("for %s: %v", name, err)
		}
		mustBe(t, feed.CodeUnavailable, s.RaiseGeneration(ctx))
	}
}

// A replica cannot run serializable transactions.
func TestSession_ReadsFromAReplicaOfASerializableDatabase(t *testing.T) {
	primary := testenv.StartPostgres(t)
	migrated(t, primary.URL())
	replica := testenv.StartPostgresReplica(t, primary)
	testenv.SetDefaults(t, primary.URL(), "default_transaction_isolation = 'serializable'")
	replica.CatchUp(primary)
	s, err := sqlstore.Open(t.Context(), replica.URL(), sqlstore.WithPostgres(sqlstore.Postgres{Standby: true}))
	mustBe(t, "", err)
	t.Cleanup(func() { _ = s.Close() })
	if _, err := s.Posts(t.Context(), []feed.PostID{1}); err != nil {
		t.Error(err)
	}
}

func TestFullPostgres_NamesTheCause(t *testing.T) {
	server := testenv.StartPostgresOnDisk(t, 200)
	s := migrated(t, server.URL())
	mustBe(t, "", s.Exec(t.Context(), "CREATE TABLE filler (text TEXT)"))
	mustBe(t, "", s.CheckWrites(t.Context()))
	server.FillDisk()
	const full = "the database has no room left"
	mustSay(t, s.Change(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 20000)")
		return err
	}), full)
	mustSay(t, s.Refused(), full)
	mustSay(t, s.CheckWrites(t.Context()), full)
	server.FreeDisk()
	mustBe(t, "", s.CheckWrites(t.Context()))
}

func TestReadOnlyPostgres_NamesTheCause(t *testing.T) {
	primary := testenv.StartPostgres(t)
	migrated(t, primary.URL())
	replica := testenv.StartPostgresReplica(t, primary)
	replica.CatchUp(primary)
	const readOnly = "the database takes no writes at the moment"
	_, err := sqlstore.Open(t.Context(), replica.URL())
	if err == nil || !errors.Is(err, sqlstore.ErrTakesNoWrites) {
		t.Errorf("Open returned %v", err)
	}
	s, err := sqlstore.Open(t.Context(), replica.URL()+"&target_session_attrs=any")
	mustBe(t, "", err)
	t.Cleanup(func() { _ = s.Close() })
	mustSay(t, s.RaiseGeneration(t.Context()), readOnly)
	mustSay(t, s.CheckWrites(t.Context()), readOnly)
}

// Asynchronous replication loses the last commits, and with them numbers that were read.
func TestChanges_ReplicaThatTakesOverBeginsEpoch(t *testing.T) {
	primary := testenv.StartPostgres(t)
	replica := testenv.StartPostgresReplica(t, primary)
	l := newLogged(t, primary.URL())
	must(t, l.Follow(t.Context(), 1, 2, 1, 9, feed.FollowChoice{}))
	kept := l.number()
	replica.CatchUp(primary)
	replica.Kill()
	must(t, l.Follow(t.Context(), 2, 1, 1, 9, feed.FollowChoice{}))
	lost := l.number()
	primary.Kill()
	replica.Restart()
	replica.Promote()

	now := opened(t, replica.URL())
	gone := func(when string, place feed.ChangePlace) {
		t.Helper()
		if _, _, err := now.Changes(t.Context(), place, 9); !errors.Is(err, feed.ErrChangesGone) {
			t.Errorf("%s place %+v is read with %v", when, place, err)
		}
	}
	gone("after the failover", lost)
	must(t, now.Follow(t.Context(), 3, 1, 1, 9, feed.FollowChoice{}))
	_, _, err := now.NumberChanges(t.Context(), 9)
	must(t, err)
	gone("when its number was drawn again", lost)
	gone("when its number was drawn again", kept)
}

// A restart on the same disk keeps the numbers.
func TestChanges_SurviveRestartAndCrash(t *testing.T) {
	server := testenv.StartPostgres(t)
	l := newLogged(t, server.URL())
	must(t, l.Follow(t.Context(), 1, 2, 1, 9, feed.FollowChoice{}))
	l.logs("before", 1)
	must(t, l.Follow(t.Context(), 2, 1, 1, 9, feed.FollowChoice{}))
	server.KillBackend()
	eventually.Succeeds(t, "the store has new connections", func() error { _, err := l.CheckEpoch(t.Context()); return err })
	l.logs("after the crash of a backend", 2)
}

// On a busy disk it may take longer than the statement timeout.
func TestAnalyze_HasNoTimeLimit(t *testing.T) {
	const within = 500 * time.Millisecond
	url, ctx := emptyTemplate.url(t, "postgres"), t.Context()
	others := opened(t, url)
	for _, stmt := range []string{
		"CREATE FUNCTION slowly(n bigint) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN n; END'",
		"CREATE TABLE slow (n bigint)", "CREATE INDEX ON slow (slowly(n))", "INSERT INTO slow VALUES (1), (2)",
	} {
		mustBe(t, "", others.Exec(ctx, stmt))
	}
	s := openedWith(t, url, sqlstore.Postgres{StatementWithin: within})
	began := time.Now()
	mustBe(t, "", s.Analyze(ctx))
	if known, err := s.KnownRows(ctx, "slow"); err != nil || known != 2 || time.Since(began) < within {
		t.Errorf("after %v the estimate is %d rows (error %v), of 2", time.Since(began), known, err)
	}
}

func TestLeases_CacheIsBounded(t *testing.T) {
	if n := sqlstore.Remembered(1_000_000); n != 1_000_000 {
		t.Errorf("of a million leases %d are cached", n)
	}
	if n := sqlstore.Remembered(1_100_000); n > 100_000 {
		t.Errorf("of 1,100,000 leases %d are cached, want the last ones", n)
	}
}
