package sqlstore_test

import (
	"database/sql"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestChangeLogKeepsItsPromises(t *testing.T) {
	b := postgresBackend(t)
	feedtest.ChangeLog(t, func(t *testing.T) (feedtest.Stores, feed.ChangeLog) {
		s := b.open(t)
		return feedtest.StoresOf(s), s.ChangeLog()
	})
}

// logged is a store with two users and a change log.
type logged struct {
	*sqlstore.Store
	t        *testing.T
	log      *sqlstore.ChangeLog
	position string
}

func newLogged(t *testing.T, options ...sqlstore.Option) *logged {
	return newLoggedAt(t, testenv.Postgres(t), options...)
}

func newLoggedAt(t *testing.T, url string, options ...sqlstore.Option) *logged {
	s, err := sqlstore.Open(t.Context(), url, options...)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	_, err = s.Migrate(t.Context())
	must(t, err)
	for id := feed.UserID(1); id <= 2; id++ {
		_, err := s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String(), CreatedAt: 1})
		must(t, err)
	}
	l := &logged{Store: s, t: t, log: s.ChangeLog()}
	l.poll()
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (l *logged) poll() feed.Poll {
	l.t.Helper()
	poll, err := l.log.Poll(l.t.Context(), l.position)
	must(l.t, err)
	l.position = poll.Position
	return poll
}

func (l *logged) tells(when string, whole bool, want ...feed.UserID) {
	l.t.Helper()
	poll := l.poll()
	if poll.Whole != whole || !slices.Equal(poll.Changed, want) {
		l.t.Errorf("%s the poll reports %v, whole %v; want %v, %v", when, poll.Changed, poll.Whole, want, whole)
	}
}

// begun begins a transaction that raises a user's version.
func (l *logged) begun(user feed.UserID) *sql.Tx {
	l.t.Helper()
	tx, err := l.Begin(l.t.Context())
	must(l.t, err)
	_, err = tx.ExecContext(l.t.Context(), `UPDATE users SET version = version + 1 WHERE id = $1`, user)
	must(l.t, err)
	return tx
}

// Transactions end in another order than they begin, and long ones after many others.
func TestPoll_ReportsTransactionsWhenTheyEnd(t *testing.T) {
	l := newLogged(t)
	long := l.begun(1)
	short := l.begun(2)
	l.tells("while both go on", true)
	must(t, short.Commit())
	l.tells("when the second has ended", true, 2)
	for range 3 {
		l.tells("while the first goes on", true)
	}
	must(t, long.Commit())
	l.tells("when the first has ended too", true, 1)
	l.tells("when all is told", true)
	undone := l.begun(1)
	must(t, undone.Rollback())
	l.tells("after a change that was undone", true)
}

// Changes by psql, or by an older version of the program, are recorded too.
func TestChangeLog_RecordsForeignWrites(t *testing.T) {
	l := newLogged(t)
	must(t, l.Exec(t.Context(), `INSERT INTO user_counters (user_id, changes) VALUES (2, 1) ON CONFLICT (user_id) DO UPDATE SET changes = user_counters.changes + 1`))
	l.tells("after a change by itself", true, 2)
	must(t, l.Exec(t.Context(), `UPDATE user_counters SET posts = posts + 1`))
	l.tells("after a change of what no version counts", true)
}

func TestPoll_IsNotWholeAfterTooManyChanges(t *testing.T) {
	l := newLogged(t)
	must(t, l.Exec(t.Context(), `INSERT INTO stamp_changes SELECT pg_current_xact_id(), n FROM generate_series(1, 10001) AS n`))
	l.tells("behind 10,001 changes", false)
	l.tells("behind that", true)
}

// A replica that takes over continues with the transaction ids it has received.
func TestPoll_IsNotWholeFromAnotherServerOrTable(t *testing.T) {
	l := newLogged(t)
	snapshot, at, _ := strings.Cut(l.position, "@")
	_, table, _ := strings.Cut(at, "/")
	l.position = snapshot + "@1700000000.5/" + table
	l.tells("from another server", false)
	must(t, l.Exec(t.Context(), `CREATE TABLE restored (LIKE stamp_changes INCLUDING ALL); DROP TABLE stamp_changes; ALTER TABLE restored RENAME TO stamp_changes`))
	l.tells("from before a backup was restored", false)
	l.tells("behind that", true)
}

// Ids of transactions that had not reached the disk are used again, and an old position has seen
// them.
func TestPoll_IsNotWholeAfterRecovery(t *testing.T) {
	server := testenv.StartPostgres(t)
	l := newLoggedAt(t, server.URL())
	l.tells("before", true)
	server.KillBackend()
	eventually.True(t, "the store has new connections", func() bool {
		_, err := l.log.Poll(t.Context(), "")
		return err == nil
	})
	l.tells("behind the death of a backend", false)
	l.tells("behind that", true)
}

// A backup of another server contains transaction ids from the future, and a horizon that makes no
// change here old.
func TestChangeLog_DropsRowsFromForeignBackups(t *testing.T) {
	l := newLogged(t)
	must(t, l.Exec(t.Context(), `INSERT INTO stamp_changes VALUES ('9000000000', 1)`))
	must(t, l.Exec(t.Context(), `UPDATE stamp_holds SET horizon = '9000000001'`))
	l.tells("with a change of a transaction that is still to come", true)
	must(t, l.Follow(t.Context(), 2, 1, 1, 9))
	_, err := l.Cleanup(t.Context(), 0, 0, 9)
	must(t, err)
	l.tells("when changes were dropped that are old", true, 2)
	if n, err := l.Rows(t.Context(), "stamp_changes"); n != 1 || err != nil {
		t.Errorf("%d changes remain (%v), want the last one", n, err)
	}
}

func TestPoll_ReportsTransitionsAndDeletedAccounts(t *testing.T) {
	l := newLogged(t)
	before := l.poll()
	if before.Leaving {
		t.Error("Leaving is set before an account was deleted")
	}
	_, err := sqlstore.NewLive(l.Store).Schedule(t.Context(), live.Session{ID: 7, Host: 1, Title: "x", ScheduledAt: 5}, 9)
	must(t, err)
	must(t, l.DeleteAccount(t.Context(), 2, 5))
	after := l.poll()
	feedVersion, err := sqlstore.NewLive(l.Store).FeedVersion(t.Context(), 1)
	must(t, err)
	if after.Transitions != before.Transitions+1 || after.Transitions != feedVersion.Number || !after.Leaving {
		t.Errorf("the poll has %+v, before %+v, and the live feed version is %+v", after.CommonVersion, before.CommonVersion, feedVersion)
	}
}

// An import raises the generation instead.
func TestImport_SkipsTheChangeLog(t *testing.T) {
	l := newLogged(t)
	result, err := l.Apply(t.Context(), feed.Batch{Records: []feed.Record{
		{Post: newTextPost(1)},
		{Follow: &feed.FollowRecord{Follower: 1, Followee: 2, CreatedAt: 1}},
	}})
	must(t, err)
	if result.Stored != 2 {
		t.Fatalf("the import stored %+v", result)
	}
	l.tells("after an import", true)
	must(t, l.Follow(t.Context(), 2, 1, 1, 9))
	l.tells("after a follow on the same connections", true, 2)
}

func newTextPost(id feed.PostID) *feed.Post {
	return &feed.Post{ID: id, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1}
}

func TestCleanup_DropsUnneededChanges(t *testing.T) {
	var ahead atomic.Int64
	l := newLogged(t, sqlstore.WithClock(func() time.Time { return time.UnixMilli(1_700_000_000_000 + ahead.Load()) }))
	cleanUp := func(when string, want int) {
		t.Helper()
		for more := true; more; {
			var err error
			more, err = l.Cleanup(t.Context(), 0, 0, 2)
			must(t, err)
		}
		if n, err := l.Rows(t.Context(), "stamp_changes"); n != want || err != nil {
			t.Errorf("%s there are %d changes (%v), want %d", when, n, err, want)
		}
	}
	follow := func(n int) {
		for range n {
			must(t, l.Follow(t.Context(), 1, 2, 1, 9))
			must(t, l.Unfollow(t.Context(), 1, 2))
		}
	}
	follow(3)
	cleanUp("at once", 6)
	ahead.Add(feed.ChangesKeptFor.Milliseconds() - 1)
	follow(1)
	cleanUp("before a minute is over", 8)
	long := l.begun(2)
	ahead.Add(1)
	cleanUp("when a minute is over for the first", 2)
	ahead.Add(feed.ChangesKeptFor.Milliseconds())
	must(t, long.Commit())
	cleanUp("when a long transaction has just ended", 1)
	l.tells("for the long transaction, and all before it, which no poll reported", true, 2)
	ahead.Add(feed.ChangesKeptFor.Milliseconds())
	cleanUp("in the end", 0)
}
