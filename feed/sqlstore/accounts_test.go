package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// A change that reads a user before a concurrent deletion commits must not rely on what it read: a
// purge would miss its rows. SQLite has one writer at a time, so nothing waits there.
func TestDeleteAccount_RefusesChangesThatWaited(t *testing.T) {
	const gone, other feed.UserID = 1, 2
	b := postgresBackend(t)
	for name, change := range map[string]func(ctx context.Context, s *sqlstore.Store) error{
		"a publish": func(ctx context.Context, s *sqlstore.Store) error {
			p := &feed.Post{ID: 5, Author: gone, Kind: feed.KindPost, Text: "tide"}
			_, err := s.Publish(ctx, p, feed.Idempotency{Key: "k"}, eventAt(townStart))
			return err
		},
		"a reaction": func(ctx context.Context, s *sqlstore.Store) error {
			return s.React(ctx, feed.ReactionLike, gone, 7, townStart)
		},
		"a follow by him": func(ctx context.Context, s *sqlstore.Store) error {
			return s.Follow(ctx, gone, other, townStart, 9, feed.FollowChoice{})
		},
		"a follow of him": func(ctx context.Context, s *sqlstore.Store) error {
			return s.Follow(ctx, other, gone, townStart, 9, feed.FollowChoice{})
		},
		"a block by him": func(ctx context.Context, s *sqlstore.Store) error {
			return s.Relate(ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: gone, Target: other})
		},
		"a block of him": func(ctx context.Context, s *sqlstore.Store) error {
			return s.Relate(ctx, feed.RelationRecord{Kind: feed.RelationBlock, User: other, Target: gone})
		},
		"a profile": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.UpdateProfile(ctx, gone, feed.ProfileChange{Name: new("Tide")})
			return err
		},
		"an import": func(ctx context.Context, s *sqlstore.Store) error {
			result, err := s.Apply(ctx, feed.Batch{Records: []feed.Record{followOf(other, gone)}})
			if err == nil && len(result.Bad) == 1 {
				return feed.Errorf(feed.CodeNotFound, "%s", result.Bad[0].Reason)
			}
			return err
		},
		"a new session": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := sqlstore.NewLive(s).Schedule(ctx, live.Session{ID: 2, Host: gone, ScheduledAt: noon}, 10)
			return err
		},
		"the start of a session": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := sqlstore.NewLive(s).Change(ctx, 1, noon, started)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := b.open(t)
			importAll(t, s, []feed.Record{
				{User: townUser(gone)},
				{User: townUser(other)},
				{Post: &feed.Post{ID: 7, Author: other, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart}},
				liveOf(1, gone, 0, 0, 0),
			})
			outcome := make(chan error, 1)
			err := s.DeleteAccountWhile(t.Context(), gone, townStart, func() error {
				go func() { outcome <- change(t.Context(), s) }()
				return waitsForLock(t.Context(), s)
			})
			mustBe(t, "", err)
			mustBe(t, feed.CodeNotFound, <-outcome)
			mustHave(t, s, "live_transitions", 1)
		})
	}
}

// A purge that waits for a user who undoes the same edges must not undo and count them again. The
// deletion of the account does not wait for such changes, so it may commit in between.
func TestPurge_CountsConcurrentUndoOnce(t *testing.T) {
	const gone, other feed.UserID = 1, 2
	b := postgresBackend(t)
	for name, change := range map[string]func(s *sqlstore.Store, meanwhile func() error) error{
		"a follow": func(s *sqlstore.Store, meanwhile func() error) error {
			return s.UnfollowWhile(t.Context(), other, gone, meanwhile)
		},
		"a post": func(s *sqlstore.Store, meanwhile func() error) error { return s.DeleteWhile(t.Context(), 8, meanwhile) },
	} {
		t.Run(name, func(t *testing.T) {
			s := b.open(t)
			importAll(t, s, []feed.Record{
				{User: townUser(gone)},
				{User: townUser(other)},
				followOf(other, gone), followOf(gone, other),
				{Post: &feed.Post{ID: 7, Author: other, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart}},
				{Post: &feed.Post{ID: 8, Author: gone, Kind: feed.KindComment, ReplyTo: 7, Text: "tide", PublishedAt: townStart}},
			})
			outcome := make(chan error, 1)
			err := change(s, func() error {
				if err := s.DeleteAccount(t.Context(), gone, townStart); err != nil {
					return err
				}
				go func() { outcome <- purgeAll(t.Context(), s) }()
				return waitsForLock(t.Context(), s)
			})
			mustBe(t, "", err)
			mustBe(t, "", <-outcome)
			users, err := s.UserCounters(t.Context(), []feed.UserID{gone, other})
			mustBe(t, "", err)
			same(t, users, []feed.UserCounters{{}, {Posts: 1}})
			posts, err := s.PostCounters(t.Context(), []feed.PostID{7})
			mustBe(t, "", err)
			same(t, posts, []feed.PostCounters{{}})
		})
	}
}

func purgeAll(ctx context.Context, s *sqlstore.Store) error {
	for {
		if more, err := s.PurgeDeleted(ctx, 100); err != nil || !more {
			return err
		}
	}
}

// waitsForLock returns once a statement waits for a lock.
func waitsForLock(ctx context.Context, s *sqlstore.Store) error {
	ctx, cancel := context.WithTimeout(ctx, eventually.Limit)
	defer cancel()
	for {
		if n, err := s.Waiting(ctx); n > 0 || err != nil {
			return err
		}
	}
}

// SQLite has one writer at a time, so there are no locked rows to skip.
func TestCleanup_SkipsLockedRows(t *testing.T) {
	s := postgresBackend(t).open(t)
	// The plans 1 … 60 are done and old, 61 … 70 old but not done, 71 … 80 done but young.
	must(t, s.Exec(t.Context(), `INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT i, 2, CASE WHEN i BETWEEN 61 AND 70 THEN 1 ELSE 0 END, CASE WHEN i <= 70 THEN 1 ELSE 9 END FROM generate_series(1, 80) AS n (i)`))
	err := s.CleanupWhile(t.Context(), 9, 50, func(taken []feed.PostID) error {
		if len(taken) != 50 {
			t.Errorf("the first took %d plans, want 50", len(taken))
		}
		// Waiting for the locks would never end.
		ctx := eventually.Context(t)
		more, err := s.Cleanup(ctx, 9, 0, 50)
		if more {
			t.Error("ten plans remained, and the second call returned more after 50")
		}
		return err
	})
	must(t, err)
	// Rows that the first call took but did not drop can be taken again.
	mustHave(t, s, "plans", 70)
}

func TestCleanup_BoundsSlicesPerTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		// Five plans with nearly half as many slices as one transaction drops, and one with more. All
		// have an event.
		small, big := sqlstore.SlicesPerCleanup/2-1, sqlstore.SlicesPerCleanup+1
		for content, slices := range []int{small, small, small, big, small, small} {
			for _, stmt := range []string{
				fmt.Sprintf(`INSERT INTO plans (content_id, slices, open_slices, created_at) VALUES (%d, %d, 0, 1)`, content+1, slices),
				fmt.Sprintf(`INSERT INTO events (content_id, state, due_at, created_at) VALUES (%d, 1, 1, 1)`, content+1),
				fmt.Sprintf(`INSERT INTO plan_slices (content_id, task, first_id, last_id, progress, state, due_at)
SELECT %d, n.i, 1, 2, 2, 2, 1 FROM %s`, content+1, numbers(b.name, "n", slices)),
			} {
				must(t, s.Exec(t.Context(), stmt))
			}
		}
		for _, want := range []struct {
			plans, slices int
			more          bool
		}{{3, 2*small + big, true}, {2, 2 * small, true}, {0, 0, false}} {
			more, err := s.Cleanup(t.Context(), 9, 0, 50)
			if err != nil || more != want.more {
				t.Errorf("more is %t (%v), want %t", more, err, want.more)
			}
			mustHave(t, s, "plans", want.plans)
			mustHave(t, s, "events", want.plans)
			mustHave(t, s, "plan_slices", want.slices)
		}
	})
}

// plannedReplay stores a replay by ann with a plan of so many slices, none of them done.
func plannedReplay(t *testing.T, s *sqlstore.Store, id live.ID, slices int) {
	t.Helper()
	mustReplay(t, sqlstore.NewLive(s), id)
	plan := feed.Plan{Post: feed.ReplayRef(int64(id))}
	for i := range slices {
		plan.Slices = append(plan.Slices, feed.Slice{SliceRef: feed.SliceRef{Post: plan.Post, Task: i}, First: bob, Last: bob})
	}
	_, err := s.StorePlan(t.Context(), plan, noon)
	must(t, err)
}

func TestPurge_EmptiesSessionsExceptIDs(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		l := sqlstore.NewLive(s)
		bobs := upcoming(50)
		bobs.Host = bob
		mustSchedule(t, l, bobs)
		mustSchedule(t, l, upcoming(1))
		mustReplay(t, l, 2)
		plannedReplay(t, s, 3, 5)
		mustPublish(t, s, textBy(bob, 3))
		mustBe(t, "", s.DeleteAccount(t.Context(), ann, noon))
		wantGone(t, l, 1, 2, 3)
		for more, left := true, 100; more; left-- {
			var err error
			if more, err = s.PurgeDeleted(t.Context(), 2); err != nil || left == 0 {
				t.Fatalf("the purge does not end (%v)", err)
			}
			wantGone(t, l, 1, 2, 3)
		}
		for table, want := range map[string]int{
			"live_sessions": 4, "live_sessions WHERE number > 0": 1, "live_transitions": 1, "live_hosts": 1,
			"events": 1, "plans": 0, "plan_slices": 0,
		} {
			mustHave(t, s, table, want)
		}
		mine := upcoming(3)
		mine.Host = bob
		if _, err := l.Schedule(t.Context(), mine, 10); err == nil {
			t.Error("the id of a purged session is used again")
		}
	})
}

// wantGone checks that no read returns anything of ann's.
func wantGone(t *testing.T, l *sqlstore.Live, ids ...live.ID) {
	t.Helper()
	sessions, err := l.Sessions(t.Context(), ids)
	mustBe(t, "", err)
	same(t, sessions, make([]*live.Session, len(ids)))
	for asOf := range int64(10) {
		open, err := l.Open(t.Context(), []feed.UserID{ann}, asOf, live.Position{}, 9)
		mustBe(t, "", err)
		same(t, open, []live.Entry(nil))
	}
	sets, err := l.Sets(t.Context(), []feed.UserID{ann})
	mustBe(t, "", err)
	same(t, sets, []live.Set{{}})
	_, marks, err := l.Hosts(t.Context(), ann, 10, 0)
	mustBe(t, "", err)
	same(t, marks, []live.HostTransition(nil))
}

// A plan has many more slices than a purge otherwise removes at once, so they have a limit of their
// own.
func TestPurge_BoundsSlicesPerTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		for id := range live.ID(3) {
			plannedReplay(t, s, id+1, sqlstore.SlicesPerCleanup)
		}
		mustBe(t, "", s.DeleteAccount(t.Context(), ann, noon))
		for left := 2; left >= 0; left-- {
			_, err := s.PurgeDeleted(t.Context(), 1000)
			must(t, err)
			mustHave(t, s, "plan_slices", left*sqlstore.SlicesPerCleanup)
		}
		mustHave(t, s, "plans", 0)
	})
}

// liveOf is a record of a session that has gone through all transitions with a time.
func liveOf(id int64, host feed.UserID, startedAt, endedAt, cancelledAt int64) feed.Record {
	return feed.Record{Live: &feed.LiveRecord{
		ID: id, Host: host, Title: "The tide", ScheduledAt: noon, StartedAt: startedAt, EndedAt: endedAt, CancelledAt: cancelledAt,
	}}
}

// A database folds less than Unicode does.
func TestUserByHandle_FoldsUnicode(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: handleRecord(1, "Straße")}, {User: handleRecord(2, "Аня")}})
		for handle, want := range map[string]feed.UserID{"STRASSE": 1, "ｓｔｒａßｅ": 1, "аНЯ": 2} {
			if u, err := s.UserByHandle(t.Context(), handle); err != nil || u == nil || u.ID != want {
				t.Errorf("%+q is the handle of %+v (error %v), want user %d", handle, u, err, want)
			}
		}
	})
}

// Handles that look alike are listed by group, up to a number of groups.
func TestLookalikes_ListsCollisions(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for i, handle := range []string{"alice", "аlice", "a1ice", "Straße", "Straꮪe", "bob", "B0b"} {
			importAll(t, s, []feed.Record{{User: handleRecord(feed.UserID(i+1), handle)}})
		}
		groups, more, err := s.Lookalikes(t.Context(), 9)
		mustBe(t, "", err)
		var got [][]feed.UserID
		for _, group := range groups {
			var ids []feed.UserID
			for _, o := range group {
				ids = append(ids, o.User)
			}
			got = append(got, ids)
		}
		if diff := cmp.Diff([][]feed.UserID{{1, 2, 3}, {6, 7}}, got); diff != "" || more {
			t.Errorf("the groups differ (-want +got), and there are more: %v\n%s", more, diff)
		}
		if groups, more, err = s.Lookalikes(t.Context(), 1); len(groups) != 1 || !more || err != nil {
			t.Errorf("with limit 1 got %v, and more: %v (error %v)", groups, more, err)
		}
		mustBe(t, "", s.DeleteAccount(t.Context(), 7, 5))
		if groups, _, _ = s.Lookalikes(t.Context(), 9); slices.ContainsFunc(groups, func(g []sqlstore.HandleOwner) bool { return g[0].User == 6 }) {
			t.Errorf("after a deletion the groups are %v, want none of user 6", groups)
		}
	})
}

func handleRecord(id feed.UserID, handle string) *feed.UserRecord {
	return &feed.UserRecord{User: feed.User{ID: id, Handle: handle, Name: "X", CreatedAt: 1}}
}

// Each store stands for a process. The lists overlap and are in different orders.
func TestDrawIDs_ProcessesAgree(t *testing.T) {
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := emptyTemplate.url(t, name)
			stores := []*sqlstore.Store{opened(t, url), opened(t, url), opened(t, url), opened(t, url)}
			ids := func(i int) []feed.NumberedID {
				list := make([]feed.NumberedID, 500)
				for n := range list {
					list[n].ID = feed.ExternalID(fmt.Sprintf("b5fd1b53-6a3c-4f0e-8b1a-%012d", n*7%500+i))
				}
				if i%2 == 1 {
					slices.Reverse(list)
				}
				return list
			}
			drawn, errs := atOnce(len(stores), func(i int) ([]int64, error) {
				return stores[i].DrawIDs(t.Context(), feed.UserIDs, ids(i))
			})
			for i, err := range errs {
				must(t, err)
				again, err := stores[(i+1)%len(stores)].DrawIDs(t.Context(), feed.UserIDs, ids(i))
				if err != nil || !slices.Equal(again, drawn[i]) || slices.Contains(again, 0) {
					t.Errorf("process %d has other numbers than the next (error %v)", i, err)
				}
			}
		})
	}
}
