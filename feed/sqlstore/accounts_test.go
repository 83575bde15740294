package sqlstore_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
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
		"a follow by him": func(ctx context.Context, s *sqlstore.Store) error { return s.Follow(ctx, gone, other, townStart, 9) },
		"a follow of him": func(ctx context.Context, s *sqlstore.Store) error { return s.Follow(ctx, other, gone, townStart, 9) },
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
