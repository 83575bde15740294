package app

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// A warm page of twenty takes one round trip to Redis, for the inbox, and two to the database,
// for the viewer version and the viewer's reactions. Concurrent readers share them.
func TestHomePage_WarmTakesOneCommandTwoStatements(t *testing.T) {
	v := newHomeReads(t, cacheSettings{CacheMB: 64, CacheTTL: time.Hour}, 40)
	viewers := v.viewers(t, 1, 30)
	v.build(t, viewers)
	viewer := viewers[0]
	v.page(t, viewer)
	least := [2]int64{100, 100}
	// Counters are refreshed every second, and so by some page on a slow machine.
	for range 20 {
		v.statements.Store(0)
		v.commands.Store(0)
		v.page(t, viewer)
		least = [2]int64{min(least[0], v.statements.Load()), min(least[1], v.commands.Load())}
	}
	if least != [2]int64{2, 1} {
		t.Errorf("a warm page takes %d statements and %d commands, want 2 and 1", least[0], least[1])
	}
}

// A follow takes one round trip to the database for each of the followed profile, the edge, and the
// change with its commit. A like takes as many, for the post, the edge to its author, and the change.
func TestChanges_TakeThreeStatements(t *testing.T) {
	v := newHomeReads(t, cacheSettings{}, 40)
	viewer := v.viewers(t, 1, 0)[0]
	for name, change := range map[string]func() error{
		"follow": func() error {
			_, err := v.follower.Follow(t.Context(), viewer, 1, feed.FollowChoice{})
			return err
		},
		"like": func() error {
			_, err := v.publisher.React(t.Context(), viewer, feed.ReactionLike, 10, true)
			return err
		},
	} {
		v.statements.Store(0)
		check(t, change())
		if got := v.statements.Load(); got != 3 {
			t.Errorf("a %s takes %d statements, want 3", name, got)
		}
	}
}

// homeReads is a service that counts statements and commands.
type homeReads struct {
	*services
	st                   *stores
	statements, commands atomic.Int64
	// authors have the ids from 1 on; made is the last user.
	authors, made feed.UserID
}

func newHomeReads(b testing.TB, kept cacheSettings, authors feed.UserID) *homeReads {
	b.Helper()
	return newHomeReadsOn(b, migratedPostgres(b), kept, authors)
}

// postgresTemplate is migrated by the first test. It is package state because unrelated tests share it.
var postgresTemplate = sync.OnceValues(func() (*testenv.PostgresTemplate, error) {
	return testenv.NewPostgresTemplate(context.Background(), func(url string) error {
		return Migrate(context.Background(), DatabaseSettings{DatabaseURL: url}, slog.New(slog.DiscardHandler))
	})
})

// migratedPostgres returns the URL of a new database that is migrated.
func migratedPostgres(b testing.TB) string {
	b.Helper()
	template, err := postgresTemplate()
	check(b, err)
	return template.Copy(b)
}

// newHomeReadsOn is newHomeReads on the given database.
func newHomeReadsOn(b testing.TB, url string, kept cacheSettings, authors feed.UserID) *homeReads {
	b.Helper()
	v := &homeReads{authors: authors, made: authors}
	log := slog.New(slog.DiscardHandler)
	store, err := OpenSQL(b.Context(), DatabaseSettings{DatabaseURL: url}, log,
		sqlstore.WithBegin(func(ctx context.Context, text string) (context.Context, func(error)) {
			// Connections set parameters whenever the pool opens one, and the follower of the change
			// log polls.
			if !strings.HasPrefix(text, "SET ") && !strings.HasPrefix(strings.TrimSpace(text), "SELECT state.epoch") {
				v.statements.Add(1)
			}
			return ctx, func(error) {}
		}))
	check(b, err)
	client, err := redisstore.Open(b.Context(), testenv.Redis(b))
	check(b, err)
	client.Observe(func(ctx context.Context, _ string) (context.Context, func(error)) {
		v.commands.Add(1)
		return ctx, func(error) {}
	})
	v.st = &stores{sql: store, redis: client, queue: client, closers: []func() error{store.Close, client.Close}}
	check(b, v.st.openClock(b.Context()))
	b.Cleanup(func() { check(b, v.st.close()) })
	p := feed.DefaultPolicy()
	v.services = newServices(v.st, v.st.openCaches(kept, nil, true, log), InboxesInRedis(client, p.InboxCap), p, log)
	b.Cleanup(func() { _ = v.queue.Close() })
	v.publish(b)
	return v
}

// publish imports the authors and ten posts of each.
func (v *homeReads) publish(b testing.TB) {
	b.Helper()
	var batch []feed.Record
	for author := feed.UserID(1); author <= v.authors; author++ {
		batch = append(batch, benchUser(author))
		for id := feed.PostID(author) * 10; id < feed.PostID(author)*10+10; id++ {
			batch = append(batch, feed.Record{Post: &feed.Post{
				ID: id, Author: author, Kind: feed.KindPost, Text: "what the author had to say, in about as many words as people use",
				PublishedAt: 1_700_000_000_000 + int64(id)*7919%10_000_000,
			}})
		}
	}
	v.load(b, batch)
}

func benchUser(id feed.UserID) feed.Record {
	return feed.Record{User: &feed.UserRecord{User: feed.User{ID: id, Handle: "user" + id.String(), Name: "User " + id.String()}}}
}

func (v *homeReads) load(b testing.TB, records []feed.Record) {
	b.Helper()
	for batch := range slices.Chunk(records, 5000) {
		_, err := v.st.sql.Apply(b.Context(), feed.Batch{Records: batch})
		check(b, err)
	}
}

// viewers creates viewers who each follow n authors.
func (v *homeReads) viewers(b testing.TB, some, n int) (viewers []feed.UserID) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, uint64(n)))
	var batch []feed.Record
	for range some {
		v.made++
		viewers = append(viewers, v.made)
		batch = append(batch, benchUser(v.made))
		for _, author := range random.Perm(int(v.authors))[:n] {
			batch = append(batch, feed.Record{Follow: &feed.FollowRecord{Follower: v.made, Followee: feed.UserID(author + 1), CreatedAt: 1}})
		}
	}
	v.load(b, batch)
	return viewers
}

// build builds the viewers' inboxes. Do not import afterwards.
func (v *homeReads) build(b testing.TB, viewers []feed.UserID) {
	b.Helper()
	for _, viewer := range viewers {
		check(b, v.builder.Build(b.Context(), viewer))
	}
}

// page reads a page as the resolver of home feeds does.
func (v *homeReads) page(b testing.TB, viewer feed.UserID) {
	b.Helper()
	size := 20
	page, err := v.timeline.Page(b.Context(), viewer, feed.PageQuery{First: &size})
	if err != nil || len(page.Entries) != size {
		b.Errorf("a page of %+v, %v", page, err)
		return
	}
	posts := make([]*feed.Post, size)
	for i, e := range page.Entries {
		posts[i] = e.Post
	}
	l := loaders.New(b.Context(), &loaders.Deps{
		Posts: v.feeds, Users: v.directory, Counters: v.counters, Relations: v.st.sql,
	}, viewer)
	want := &loaders.PostWant{Counters: true, Reactions: true, Author: &loaders.UserWant{}}
	if err := l.HydratePosts(b.Context(), posts, want); err != nil {
		b.Error(err)
	}
}

// Concurrent readers share the statement. Another host's transition costs the next reader one
// more.
func TestLivePage_CachedTakesOneStatement(t *testing.T) {
	v := newHomeReads(t, cacheSettings{CacheMB: 64, CacheTTL: time.Hour}, 40)
	viewer, hosts := v.viewers(t, 1, 10)[0], v.viewers(t, 3, 0)
	for _, host := range hosts[:2] {
		v.plan(t, viewer, host)
	}
	check(t, v.live.builder.Build(t.Context(), viewer))
	v.livePage(t, viewer)
	v.live.pool.wait()
	v.costs(t, viewer, "when nothing has happened", 1)
	v.plan(t, hosts[2], hosts[2])
	v.costs(t, viewer, "after another host's transition", 2)
	v.costs(t, viewer, "when that is known", 1)
}

// plan lets a host announce a session, which viewer follows unless they are the host.
func (v *homeReads) plan(t *testing.T, viewer, host feed.UserID) {
	t.Helper()
	if viewer != host {
		_, err := v.follower.Follow(t.Context(), viewer, host, feed.FollowChoice{})
		check(t, err)
	}
	_, err := v.live.hosting.Schedule(t.Context(), host, "a session", feed.Millis(time.Now().Add(time.Hour)))
	check(t, err)
	v.activityWrites.wait() // for the warm-up that is asked for after it
}

// costs fails the test unless a page takes at most this many statements and no command.
func (v *homeReads) costs(t *testing.T, viewer feed.UserID, when string, statements int64) {
	t.Helper()
	v.statements.Store(0)
	v.commands.Store(0)
	v.livePage(t, viewer)
	if s, c := v.statements.Load(), v.commands.Load(); s > statements || c > 0 {
		t.Errorf("%s a page takes %d statements and %d commands, want %d and none", when, s, c, statements)
	}
}

// livePage reads a first page.
func (v *homeReads) livePage(t testing.TB, viewer feed.UserID) {
	t.Helper()
	size := 20
	page, err := v.live.feed.Page(t.Context(), viewer, live.Query{First: &size})
	if err != nil || len(page.Entries) != 2 {
		t.Errorf("a page of %+v, %v", page, err)
	}
}

// No worker pushes slices here, so only followers who are online get the post: one with a
// subscription, and one who has read their feed.
func TestOnlineFirst_NotifiesBeforeAnySlice(t *testing.T) {
	v := newHomeReads(t, cacheSettings{}, 1)
	v.fanout.Policy.LargeAbove, v.fanout.Policy.OnlineShare = 0, 1
	viewers := v.viewers(t, 3, 1)
	v.build(t, viewers)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	follower, _ := v.timeline.Places.(*changes.Follower)
	catchUp := func() {
		_, _, err := v.st.sql.NumberChanges(ctx, 10_000)
		check(t, err)
		check(t, follower.CatchUp(ctx))
	}
	catchUp()
	sub, err := v.subscribe.Subscribe(ctx, viewers[0], subscribe.Query{})
	check(t, err)
	defer sub.Close()
	_, err = v.timeline.Page(ctx, viewers[1], feed.PageQuery{})
	check(t, err)
	check(t, v.online.Write(ctx))

	v.publisher.Policy.Fanout = feed.FanoutPull // the publish plans nothing
	post, err := v.publisher.Publish(ctx, 1, publish.Draft{Text: "news"})
	check(t, err)
	check(t, v.fanout.Dispatch(ctx, post.ID))
	catchUp()
	added, err := feedtest.NextEdge(ctx, sub)
	check(t, err)
	if added.ID != post.ID {
		t.Errorf("the subscriber received post %d, want %d", added.ID, post.ID)
	}
	for i, want := range []bool{true, true, false} {
		in, err := v.fanout.Inboxes.Read(ctx, viewers[i], feed.Range{Below: feed.Top, Limit: 100})
		check(t, err)
		if has := slices.Contains(in.Keys, post.Key()); has != want {
			t.Errorf("the inbox of follower %d has the post: %t, want %t", i, has, want)
		}
	}
}
