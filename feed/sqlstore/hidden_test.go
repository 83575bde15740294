package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// caching is a process with caches that keep everything for an hour. No change log is followed.
type caching struct {
	*sqlstore.Store
	timeline  *timeline.Timeline
	directory *people.Directory
	sessions  *lrucache.Sessions
}

func newCaching(t *testing.T, url string) caching {
	s := opened(t, url)
	hour := lrucache.Options{Size: 100_000, Bytes: 1 << 30, TTL: time.Hour}
	posts, users := lrucache.NewPosts(s, hour, time.Now), lrucache.NewUsers(s, hour, time.Now)
	sessions := lrucache.NewSessions(sqlstore.NewLive(s), hour, time.Now)
	s.EvictHidden(lrucache.Evictor{Posts: posts, Users: users, Sessions: sessions})
	direct := &timeline.Direct{Relations: s, Outboxes: s, Posts: posts, Primary: s}
	return caching{
		Store:     s,
		timeline:  &timeline.Timeline{Viewers: &viewercache.Cache{Direct: direct, Surveyor: s, Local: feedtest.NewLocal()}},
		directory: &people.Directory{UserStore: users, Primary: s, Relations: s},
		sessions:  sessions,
	}
}

// The objects that a change hides: a post, its author and their session.
const (
	hiddenAuthor feed.UserID = 2
	hiddenPost   feed.PostID = 7
	hiddenLive   live.ID     = 1
)

// shows returns which of the objects a viewer is shown.
func (c caching) shows(t *testing.T, viewer feed.UserID) (post, author, session bool) {
	t.Helper()
	posts, err := c.timeline.Posts(t.Context(), viewer, []feed.PostID{hiddenPost})
	must(t, err)
	users, err := c.directory.Users(t.Context(), viewer, []feed.UserID{hiddenAuthor})
	must(t, err)
	sessions, err := c.sessions.Sessions(t.Context(), []live.ID{hiddenLive})
	must(t, err)
	return posts[0] != nil, users[0] != nil, sessions[0] != nil && sessions[0].State != live.Cancelled
}

type hiding struct {
	by func(ctx context.Context, s *sqlstore.Store) error
	// post, author and session are shown afterwards.
	post, author, session bool
}

func hidings() map[string]hiding {
	deleted := []feed.Record{{Version: feed.ObjectVersion{Number: 1}, Post: &feed.Post{
		ID: hiddenPost, Author: hiddenAuthor, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart, DeletedAt: townStart + 1,
	}}}
	forFollowers := []feed.Record{{Version: feed.ObjectVersion{Number: 1}, Post: &feed.Post{
		ID: hiddenPost, Author: hiddenAuthor, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart, Audience: feed.AudienceFollowers,
	}}}
	takenDown := []feed.Record{{Version: feed.ObjectVersion{Number: 1}, Post: &feed.Post{
		ID: hiddenPost, Author: hiddenAuthor, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart, TakenDown: feed.HiddenForRecord,
	}}}
	return map[string]hiding{
		"a deletion": {
			by:     func(ctx context.Context, s *sqlstore.Store) error { return s.Delete(ctx, hiddenPost, townStart+1) },
			author: true, session: true,
		},
		"a deleted account": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				return s.DeleteAccount(ctx, hiddenAuthor, townStart)
			},
		},
		"an absence": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				return s.SetAbsent(ctx, []feed.UserID{hiddenAuthor}, true)
			},
		},
		"a private account": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				_, err := s.UpdateProfile(ctx, hiddenAuthor, feed.ProfileChange{Private: new(true)})
				return err
			},
			author: true, session: true,
		},
		"a narrower audience": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				_, err := s.Edit(ctx, hiddenPost, feed.PostEdit{Audience: new(feed.AudienceFollowers)})
				return err
			},
			author: true, session: true,
		},
		"a takedown": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				return s.Impose(ctx, feed.Sanction{Subject: feed.Subject{Post: hiddenPost}, At: townStart})
			},
			author: true, session: true,
		},
		"a suspension": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				return s.Impose(ctx, feed.Sanction{Subject: feed.Subject{User: hiddenAuthor}, At: townStart})
			},
			author: true, session: true,
		},
		"a record that takes down": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				return ingestBatchesOf(ctx, s, takenDown, 1)
			},
			author: true, session: true,
		},
		"a record for followers": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				return ingestBatchesOf(ctx, s, forFollowers, 1)
			},
			author: true, session: true,
		},
		"a cancelled session": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				_, err := sqlstore.NewLive(s).Change(ctx, hiddenLive, noon, func(l live.Session) (live.Session, error) {
					l.State, l.CancelledAt = live.Cancelled, noon
					return l, nil
				})
				return err
			},
			post: true, author: true,
		},
		"a record": {
			by:     func(ctx context.Context, s *sqlstore.Store) error { return ingestBatchesOf(ctx, s, deleted, 1) },
			author: true, session: true,
		},
		"an import": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				_, err := s.Apply(ctx, feed.Batch{Records: deleted, Update: true})
				return err
			},
			author: true, session: true,
		},
		"a new epoch after lost changes": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				if err := s.Delete(ctx, hiddenPost, townStart+1); err != nil {
					return err
				}
				if err := numberAll(ctx, s); err != nil {
					return err
				}
				if _, err := s.TrimChanges(ctx, 1<<62, 1000); err != nil {
					return err
				}
				return s.NewEpoch(ctx)
			},
			author: true, session: true,
		},
		"a change that was trimmed": {
			by: func(ctx context.Context, s *sqlstore.Store) error {
				if err := s.Delete(ctx, hiddenPost, townStart+1); err != nil {
					return err
				}
				if err := numberAll(ctx, s); err != nil {
					return err
				}
				_, err := s.TrimChanges(ctx, 1<<62, 1000)
				return err
			},
			author: true, session: true,
		},
	}
}

func numberAll(ctx context.Context, s *sqlstore.Store) error {
	for {
		if more, _, err := s.NumberChanges(ctx, 1000); err != nil || !more {
			return err
		}
	}
}

// No process numbers or follows the change log here, and there is no Redis.
func TestHidden_GoneAtOnceInEveryProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for name, h := range hidings() {
			for _, numbered := range []bool{false, true} {
				t.Run(name, func(t *testing.T) {
					url := b.newURL(t)
					writer, reader := opened(t, url), newCaching(t, url)
					importAll(t, writer, []feed.Record{
						{User: townUser(1)},
						{User: townUser(hiddenAuthor)},
						{Post: &feed.Post{ID: hiddenPost, Author: hiddenAuthor, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart}},
						liveOf(int64(hiddenLive), hiddenAuthor, 0, 0, 0),
					})
					must(t, numberAll(t.Context(), writer))
					for range 2 {
						for _, viewer := range []feed.UserID{0, 1} {
							post, author, session := reader.shows(t, viewer)
							same(t, []bool{post, author, session}, []bool{true, true, true})
						}
					}
					must(t, h.by(t.Context(), writer))
					if numbered {
						must(t, numberAll(t.Context(), writer))
					}
					for _, viewer := range []feed.UserID{0, 1, 0} {
						post, author, session := reader.shows(t, viewer)
						same(t, []bool{post, author, session}, []bool{h.post, h.author, h.session})
					}
				})
			}
		}
	})
}

// Each kind of read evicts what is hidden, whatever the process has read before.
func TestHidden_EveryReadEvicts(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		writer, reader := opened(t, url), newCaching(t, url)
		importAll(t, writer, []feed.Record{{User: townUser(1)}})
		author := feed.UserID(1)
		for name, reads := range map[string]func(viewer, author feed.UserID) (shown bool, err error){
			"a post": func(viewer, author feed.UserID) (bool, error) {
				posts, err := reader.timeline.Posts(t.Context(), viewer, []feed.PostID{feed.PostID(author)})
				return err == nil && posts[0] != nil, err
			},
			"a user": func(viewer, author feed.UserID) (bool, error) {
				users, err := reader.directory.Users(t.Context(), viewer, []feed.UserID{author})
				return err == nil && users[0] != nil, err
			},
		} {
			for _, viewer := range []feed.UserID{0, 1} {
				author++
				importAll(t, writer, []feed.Record{
					{User: townUser(author)},
					{Post: &feed.Post{ID: feed.PostID(author), Author: author, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart}},
				})
				for range 2 {
					if shown, err := reads(viewer, author); !shown || err != nil {
						t.Fatalf("%s is not shown to viewer %d: %v", name, viewer, err)
					}
				}
				must(t, writer.DeleteAccount(t.Context(), author, townStart))
				if shown, err := reads(viewer, author); shown || err != nil {
					t.Errorf("%s of a deleted account is shown to viewer %d: %v", name, viewer, err)
				}
			}
		}
	})
}

// Beyond some changes, the caches are emptied.
func TestHidden_ManyChangesPurgeCaches(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		writer, reader := opened(t, url), newCaching(t, url)
		list := []feed.Record{{User: townUser(hiddenAuthor)}}
		for id := feed.PostID(1); id <= 1500; id++ {
			list = append(list, feed.Record{Post: &feed.Post{ID: id, Author: hiddenAuthor, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart}})
		}
		importAll(t, writer, list)
		reader.shows(t, 0)
		for _, r := range list[1:] {
			r.Post.DeletedAt = townStart + 1
		}
		for i := range list {
			list[i].Version.Number = 1
		}
		must(t, ingestBatchesOf(t.Context(), writer, list[1:], 1500))
		if post, _, _ := reader.shows(t, 0); post {
			t.Error("a deleted post is shown")
		}
	})
}

func TestHidden_IsReadFromItsIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.openWith(t)
		want := reads("idx_changes_hiding").neverScanning("changes", "change_queue")
		want.steps["postgres"] = []string{"idx_changes_hiding", "idx_queue_hiding"}
		mustPlan(t, b, s.ExplainPage, s.VersionStatements(), map[string]wantedPlan{"versions": want})
	})
}
