package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// The change log's promises are in feedtest. The tests here are about transactions, which feedtest
// cannot hold open, and about what only PostgreSQL has.

// logged is a store with three users, and a reader of its change log.
type logged struct {
	*sqlstore.Store
	t     *testing.T
	place feed.ChangePlace
}

func newLogged(t *testing.T, url string, options ...sqlstore.Option) *logged {
	t.Helper()
	s := openedWith(t, url, sqlstore.Postgres{}, options...)
	_, err := s.Migrate(t.Context())
	must(t, err)
	for id := feed.UserID(1); id <= 3; id++ {
		_, err := s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "u" + id.String(), CreatedAt: 1})
		must(t, err)
	}
	_, err = s.CheckEpoch(t.Context())
	must(t, err)
	l := &logged{Store: s, t: t}
	l.place = l.number()
	return l
}

// number numbers what has been committed and returns the last place.
func (l *logged) number() feed.ChangePlace {
	l.t.Helper()
	_, last, err := l.NumberChanges(l.t.Context(), 1000)
	must(l.t, err)
	return last
}

// news returns the users of the changes after the place of the last call.
func (l *logged) news() []feed.UserID {
	l.t.Helper()
	l.number()
	list, next, err := l.Changes(l.t.Context(), l.place, 1000)
	must(l.t, err)
	for i, c := range list {
		if c.Number != l.place.Number+int64(i)+1 {
			l.t.Fatalf("after number %d comes %d", l.place.Number+int64(i), c.Number)
		}
	}
	l.place = next
	users := make([]feed.UserID, len(list))
	for i, c := range list {
		users[i] = c.User
	}
	return users
}

func (l *logged) logs(when string, want ...feed.UserID) {
	l.t.Helper()
	if got := l.news(); !slices.Equal(got, want) {
		l.t.Errorf("%s the log has new rows of %v, want %v", when, got, want)
	}
}

// pausing stops the transactions of marked contexts after a statement that contains a text, and so
// before their commit.
type pausing struct {
	text            string
	reached, resume chan struct{}
}

func newPausing(text string) pausing {
	return pausing{text, make(chan struct{}), make(chan struct{})}
}

type pauseKey struct{}

func (p pausing) begin(ctx context.Context, stmt string) (context.Context, func(error)) {
	return ctx, func(error) {
		if ctx.Value(pauseKey{}) != nil && strings.Contains(stmt, p.text) {
			p.reached <- struct{}{}
			<-p.resume
		}
	}
}

// deleteWhile deletes post 6 and calls meanwhile while the deletion is paused.
func (l *logged) deleteWhile(p pausing, meanwhile func() error) {
	l.t.Helper()
	deleted := make(chan error, 1)
	go func() { deleted <- l.Delete(context.WithValue(l.t.Context(), pauseKey{}, true), 6, 2) }()
	<-p.reached
	err := meanwhile()
	close(p.resume)
	must(l.t, errors.Join(err, <-deleted))
}

// A number that the transaction of a change draws itself is lower than those that readers have seen
// by the time it commits.
func TestChanges_LongTransactionComesLast(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "postgres"))
	_, err := l.EnsureUser(t.Context(), &feed.User{ID: 4, Handle: "u4", CreatedAt: 1})
	must(t, err)
	l.place = l.number()
	must(t, l.FollowWhile(t.Context(), 1, 2, func() error {
		must(t, l.Follow(t.Context(), 3, 4, 1, 9, feed.FollowChoice{}))
		l.logs("while the first follow goes on", 3)
		must(t, l.Follow(t.Context(), 4, 3, 1, 9, feed.FollowChoice{}))
		l.logs("while it still goes on", 4)
		return nil
	}))
	l.logs("after its commit", 1)
	l.logs("in the end")
}

// A repost that is committed while the deletion of its original goes on may be shown before the
// deletion is committed.
func TestDelete_LogsRepostsMadeMeanwhile(t *testing.T) {
	p := newPausing("repost_changes")
	l := newLogged(t, emptyTemplate.url(t, "postgres"), sqlstore.WithBegin(p.begin)).withHistory()
	l.deleteWhile(p, func() error {
		repost := feed.Post{ID: 9, Author: 2, Kind: feed.KindRepost, RepostOf: 6, AudienceAuthor: 1, PublishedAt: 1}
		_, err := l.Publish(t.Context(), &repost, feed.Idempotency{}, eventAt(1))
		l.logs("during the deletion", 2)
		return err
	})
	got := l.news()
	slices.Sort(got)
	if !slices.Equal(got, []feed.UserID{1, 2}) {
		t.Errorf("the deletion is logged for users %v", got)
	}
}

// The row of the post waits already, so the deletion locks it until its commit.
func TestNumberChanges_GoesOnDuringLongDeletion(t *testing.T) {
	p := newPausing("WITH marked")
	l := newLogged(t, emptyTemplate.url(t, "postgres"), sqlstore.WithBegin(p.begin)).withHistory()
	must(t, l.Exec(t.Context(), "INSERT INTO repost_changes (content_id) VALUES (6)"))
	l.deleteWhile(p, func() error {
		must(t, l.Follow(t.Context(), 2, 3, 1, 9, feed.FollowChoice{}))
		ctx, cancel := context.WithTimeout(t.Context(), eventually.Limit/4)
		defer cancel()
		_, _, err := l.NumberChanges(ctx, 9)
		return err
	})
	l.logs("during and after the deletion", 2, 1)
}

type changeUnderTest struct {
	do func(ctx context.Context, s *sqlstore.Store) error
	// state counts what has changed.
	state string
}

// changesUnderTest are changes of user 1, by name, with the state that each changes.
func changesUnderTest() map[string]changeUnderTest {
	publish := func(ctx context.Context, s *sqlstore.Store, id feed.PostID) error {
		_, err := s.Publish(ctx, &feed.Post{ID: id, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1}, feed.Idempotency{}, eventAt(1))
		return err
	}
	return map[string]changeUnderTest{
		"follow": {
			func(ctx context.Context, s *sqlstore.Store) error {
				return s.Follow(ctx, 1, 2, 1, 9, feed.FollowChoice{})
			},
			"SELECT COUNT(*) FROM follows WHERE active = 1 AND follower_id = 1 AND followee_id = 2",
		},
		"unfollow": {
			func(ctx context.Context, s *sqlstore.Store) error { return s.Unfollow(ctx, 1, 3) },
			"SELECT COUNT(*) FROM follows WHERE active = 0 AND follower_id = 1 AND followee_id = 3",
		},
		"mute": {func(ctx context.Context, s *sqlstore.Store) error {
			return s.Relate(ctx, feed.RelationRecord{Kind: feed.RelationMute, User: 1, Target: 2, CreatedAt: 1})
		}, "SELECT COUNT(*) FROM relations"},
		"publish": {
			func(ctx context.Context, s *sqlstore.Store) error { return publish(ctx, s, 8) },
			"SELECT COUNT(*) FROM contents WHERE id = 8",
		},
		"edit": {func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Edit(ctx, 7, feed.PostEdit{Text: new("y"), At: 2})
			return err
		}, "SELECT COUNT(*) FROM contents WHERE edited_at > 0"},
		"delete": {
			func(ctx context.Context, s *sqlstore.Store) error { return s.Delete(ctx, 6, 2) },
			"SELECT COUNT(*) FROM contents WHERE deleted_at > 0",
		},
		"profile": {func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.UpdateProfile(ctx, 1, feed.ProfileChange{Name: new("Ann")})
			return err
		}, "SELECT COUNT(*) FROM users WHERE name = 'Ann'"},
		"account": {
			func(ctx context.Context, s *sqlstore.Store) error { return s.DeleteAccount(ctx, 1, 2) },
			"SELECT COUNT(*) FROM users WHERE deleted_at > 0",
		},
		"sign-out": {func(ctx context.Context, s *sqlstore.Store) error {
			return s.Revoke(ctx, feed.Revocation{User: 1, Token: "t"}, time.Hour)
		}, "SELECT COUNT(*) FROM revocations"},
		"schedule": {func(ctx context.Context, s *sqlstore.Store) error {
			_, err := sqlstore.NewLive(s).Schedule(ctx, live.Session{ID: 9, Host: 1, Title: "x", ScheduledAt: 1}, 9)
			return err
		}, "SELECT COUNT(*) FROM live_sessions WHERE id = 9"},
		"end of a session": {func(ctx context.Context, s *sqlstore.Store) error {
			_, err := sqlstore.NewLive(s).Change(ctx, 5, 1, func(was live.Session) (live.Session, error) {
				was.State, was.EndedAt = live.Replay, 3
				return was, nil
			})
			return err
		}, "SELECT COUNT(*) FROM live_sessions WHERE ended_at > 0"},
		"generation": {
			func(ctx context.Context, s *sqlstore.Store) error { return s.RaiseGeneration(ctx) },
			"SELECT CASE WHEN generation > 1 THEN 1 ELSE 0 END FROM feed_state",
		},
		"plan without slices": {func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.StorePlan(ctx, feed.Plan{Post: 7}, 1)
			return err
		}, "SELECT COUNT(*) FROM plans WHERE content_id = 7"},
	}
}

// failing makes the n-th statement from arm on fail. It runs in a context that is over.
type failing struct{ left atomic.Int64 }

// arm returns what is left of the last n, which is 0 or less if that statement has failed.
func (f *failing) arm(n int) int64 { return f.left.Swap(int64(n)) }

func (f *failing) begin(ctx context.Context, _ string) (context.Context, func(error)) {
	if f.left.Add(-1) == 0 {
		over, cancel := context.WithCancel(ctx)
		cancel()
		ctx = over
	}
	return ctx, func(error) {}
}

// withHistory makes what the changes under test change.
func (l *logged) withHistory() *logged {
	l.t.Helper()
	must(l.t, l.Follow(l.t.Context(), 1, 3, 1, 9, feed.FollowChoice{}))
	_, err := sqlstore.NewLive(l.Store).Schedule(l.t.Context(), live.Session{ID: 5, Host: 1, Title: "x", ScheduledAt: 1}, 9)
	must(l.t, err)
	for id := feed.PostID(6); id <= 7; id++ {
		_, err := l.Publish(l.t.Context(), &feed.Post{ID: id, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1}, feed.Idempotency{}, eventAt(1))
		must(l.t, err)
	}
	must(l.t, l.Exec(l.t.Context(), "UPDATE feed_state SET generation = 1"))
	l.news()
	return l
}

// Each statement of each change fails in turn, the commit too. A row that another transaction logs
// would remain without its change, or be missing with it.
func TestChanges_LoggedIfAndOnlyIfCommitted(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for name, c := range changesUnderTest() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var f failing
				l := newLogged(t, emptyTemplate.url(t, b.name), sqlstore.WithBegin(f.begin)).withHistory()
				failures := 0
				for {
					f.arm(failures + 1)
					err := c.do(t.Context(), l.Store)
					repeated := f.arm(0) <= 0
					changed, rows := l.count(c.state), len(l.news())
					switch {
					case changed != rows:
						t.Fatalf("when statement %d fails (%v) there are %d changes and %d rows of the log", failures+1, err, changed, rows)
					case err == nil && !repeated && failures > 0, err == nil && repeated && name == "publish":
						// A publish on PostgreSQL is one statement and no other transaction.
						return
					case err == nil && repeated:
						// Statements are repeated outside of transactions only.
						t.Fatalf("statement %d runs outside of the transaction", failures+1)
					case err == nil, changed > 0, failures > 50:
						t.Fatalf("when statement %d fails: %v, %d changes", failures+1, err, changed)
					}
					failures++
				}
			})
		}
	})
}

func (l *logged) count(stmt string) (n int) {
	l.t.Helper()
	tx, err := l.Begin(l.t.Context())
	must(l.t, err)
	defer func() { _ = tx.Rollback() }()
	must(l.t, tx.QueryRowContext(l.t.Context(), stmt).Scan(&n))
	return n
}

// origin sets what the log takes for the database that drew its last number.
func (l *logged) origin(text string) {
	l.t.Helper()
	must(l.t, l.Exec(l.t.Context(), "UPDATE change_state SET origin = '"+text+"'"))
}

// A replica that takes over may lack the last numbers and would draw them again.
func TestNumberChanges_OtherDatabaseBeginsEpoch(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "postgres"))
	before := l.number()
	if changed, err := l.CheckEpoch(t.Context()); changed || err != nil {
		t.Fatalf("the same database: a new epoch %v, %v", changed, err)
	}
	l.origin("1/00000001")
	must(t, l.Follow(t.Context(), 1, 2, 1, 9, feed.FollowChoice{}))
	after := l.number()
	if after.Epoch == before.Epoch || after.Epoch <= 0 || after.Number != before.Number+1 {
		t.Errorf("the place went from %+v to %+v", before, after)
	}
	if _, _, err := l.Changes(t.Context(), before, 9); !errors.Is(err, feed.ErrChangesGone) {
		t.Errorf("the old place is read with %v", err)
	}
	l.origin("1/00000001")
	if changed, err := l.CheckEpoch(t.Context()); !changed || err != nil {
		t.Errorf("another database: a new epoch %v, %v", changed, err)
	}
}

// On some servers only superusers may ask for the identifier of the system.
func TestChangeOrigin_RoleWithoutRights(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "postgres"))
	tx, err := l.Begin(t.Context())
	must(t, err)
	defer func() { _ = tx.Rollback() }()
	var all, timeline string
	must(t, tx.QueryRowContext(t.Context(), "SELECT change_origin()").Scan(&all))
	for _, stmt := range []string{
		"CREATE ROLE without_rights", "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", "SET LOCAL ROLE without_rights",
	} {
		_, err := tx.ExecContext(t.Context(), stmt)
		must(t, err)
	}
	must(t, tx.QueryRowContext(t.Context(), "SELECT change_origin()").Scan(&timeline))
	if system, line, _ := strings.Cut(all, "/"); system == "" || timeline != "/"+line {
		t.Errorf("the origin is %q, and %q without rights", all, timeline)
	}
}

// A poll of an empty queue must not write: it runs ten times a second.
func TestNumberChanges_EmptyQueueReadsOnly(t *testing.T) {
	var o observed
	l := newLogged(t, emptyTemplate.url(t, "postgres"), sqlstore.WithBegin(o.begin))
	o.statements = nil
	if more, _, err := l.NumberChanges(t.Context(), 9); more || err != nil {
		t.Fatal(more, err)
	}
	for _, stmt := range o.statements {
		if !strings.HasPrefix(strings.TrimSpace(stmt), "SELECT") || strings.Contains(stmt, "FOR ") {
			t.Errorf("an idle poll runs %q", stmt)
		}
	}
	if n := o.count(); n > 1 {
		t.Errorf("an idle poll takes %d statements", n)
	}
}

// Numbers that were read must not be drawn again by the process after a power failure.
func TestCheckEpoch_EachStartOnSQLite(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "sqlite"))
	before := l.number()
	changed, err := l.CheckEpoch(t.Context())
	if after := l.number(); !changed || err != nil || after.Epoch == before.Epoch {
		t.Errorf("a start: changed %v, %v, from %+v to %+v", changed, err, before, after)
	}
}

// Statements that log a change along with another save the round trip.
func TestChanges_TakeNoStatementsOfTheirOwn(t *testing.T) {
	var o observed
	l := newLogged(t, emptyTemplate.url(t, "postgres"), sqlstore.WithBegin(o.begin)).withHistory()
	for name, c := range changesUnderTest() {
		if name == "account" || name == "sign-out" {
			continue // the end of the user; a row of its own, because a sign-out is rare
		}
		o.statements = nil
		must(t, c.do(t.Context(), l.Store))
		logs := 0
		for _, stmt := range o.statements {
			logs += strings.Count(stmt, "change_queue")
			if strings.HasPrefix(strings.TrimSpace(stmt), "INSERT INTO change_queue") {
				t.Errorf("%s logs by a statement of its own: %s", name, stmt)
			}
		}
		if logs != 1 {
			t.Errorf("%s logs %d times: %s", name, logs, fmt.Sprint(o.statements))
		}
	}
}
