package feedtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// SyncModel runs random histories like those of [HomeModel], with clients. A client reads a first
// page, further pages, and changes since, at random moments and from processes whose caches lag
// behind the change log, or receives changes by a subscription. Another system sends posts as records
// with versions: back-dated, in any order, edited, deleted and restored. Changes are numbered late,
// and some are committed hours after others that clients already have. Processes are killed in the
// middle of calls and tasks. Accounts are deleted, the log is trimmed, and restores begin new epochs.
//
// When nothing is pending, what a client holds equals the reference query, down to where the client
// has read. A client that has read all changes finds none when it reads again at once. New clients
// read whole feeds.
func SyncModel(t *testing.T, open func(t *testing.T, p feed.Policy) Backend, e Effort) {
	setFlag(t, "rapid.checks", e.Histories)
	setFlag(t, "rapid.steps", e.Steps)
	histories, reported := int64(0), newReportedChanges()
	for _, setting := range []struct {
		mode feed.FanoutMode
		cap  int
	}{
		{feed.FanoutPush, 4},
		{feed.FanoutPull, 4},
		{feed.FanoutHybrid, 3},
		{feed.FanoutHybrid, 6},
		{feed.FanoutHybrid, 100},
	} {
		t.Run(fmt.Sprintf("%s mode with inboxes of %d", setting.mode, setting.cap), func(t *testing.T) {
			p := SmallPolicy(setting.mode)
			p.InboxCap, p.PageMax = setting.cap, 1000
			rapid.Check(t, func(rt *rapid.T) {
				histories++
				m := newSyncHistory(t, rt, open(t, p), p, histories, reported)
				m.fleet.open(rt)
				m.fleet.open(rt)
				rt.Repeat(m.steps())
				m.rest(rt)
			})
			t.Logf("%d histories so far; changes by kind: %v; of records: %v", histories, reported.all, reported.ofRecords)
		})
	}
	if e.Thorough && (len(reported.all) < 4 || len(reported.ofRecords) < 3) {
		t.Errorf("no history has reported some kinds of change, only %v, and %v of records", reported.all, reported.ofRecords)
	}
}

// reportedChanges counts the changes that clients have received. ofRecords counts those made by
// records of another system.
type reportedChanges struct{ all, ofRecords map[feed.HomeChangeKind]int }

func newReportedChanges() reportedChanges {
	return reportedChanges{all: map[feed.HomeChangeKind]int{}, ofRecords: map[feed.HomeChangeKind]int{}}
}

// syncHistory is a history with clients.
type syncHistory struct {
	*history
	fleet    *fleet[*syncProcess, *syncClient]
	source   *sentPosts
	reported reportedChanges
	// others and the next id are users without relations.
	others feed.UserID
}

// syncProcess is a process with caches that follow the change log when the test says so.
type syncProcess struct {
	logProcess
	timeline *timeline.Timeline
	reader   *delta.Reader
}

func newSyncHistory(
	t *testing.T, rt *rapid.T, b Backend, p feed.Policy, n int64, reported reportedChanges,
) *syncHistory {
	m := &syncHistory{history: newHistory(t, rt, b, p, n), source: newSentPosts(), reported: reported, others: feed.UserID(10*n + 8)}
	for i := range feed.UserID(2) {
		must(b.Users.EnsureUser(m.ctx, newUser(m.others+i)))
	}
	// The log lacks the changes of a load until its end.
	m.noLoads = true
	m.fleet = newFleet(m.ctx, rt, m.s, feedCalls[*syncProcess, *syncClient]{
		start: func(i int) *syncProcess { return m.s.syncProcess([]viewercache.Local{NewLocal(), nil}[i]) },
		users: func() []feed.UserID { return m.users }, newClient: m.newClient,
		readFirst: m.readFirst, readNext: m.readNext, readSome: m.readSome, compare: m.compare, subscribe: m.subscribe,
		interrupts: m.interrupts,
	})
	return m
}

// syncProcess wires another process to the stores of the service.
func (s *Service) syncProcess(local viewercache.Local) *syncProcess {
	primary := pausedPosts{s.Backend.Posts, s}
	posts := &laggingPosts{posts: primary, kept: map[feed.PostID]*feed.Post{}}
	cached := *s.Cache.Direct
	cached.Posts, cached.Primary = posts, primary
	viewers := func(direct *timeline.Direct) feed.Viewers {
		if local == nil && s.Shared == nil {
			return direct
		}
		return &viewercache.Cache{Direct: direct, Surveyor: s.Cache.Surveyor, Local: local, Shared: s.Shared}
	}
	uncached := cached
	uncached.Posts = primary
	follower := &changes.Follower{Log: s.Changes, Cache: posts}
	p := &syncProcess{
		timeline: s.reading(viewers(&cached)),
		reader: &delta.Reader{
			Log: pausedLog{s.Changes, s}, Viewers: viewers(&uncached), Relations: cached.Relations,
			Coverage: s.paused(), Outboxes: cached.Outboxes, Policy: s.Policy,
		},
	}
	tail := &changes.Tail{Log: p.reader.Log, Relations: p.reader.Relations, Followees: keptFollowees{}, RowsMax: syncTail}
	p.reader.Recent, p.reader.Cached = tail, viewers(&cached)
	p.timeline.Places = follower
	p.logProcess = logProcess{follower, &subscribe.Subscriptions{
		Changes: p.reader, Viewers: viewers(&cached), Places: follower, Audience: s.Audience, Policy: s.Policy,
		Async: func(do func()) { do() },
	}}
	follower.Observe(tail)
	follower.Observe(p.subscriptions)
	return p
}

// syncTail is the number of rows in memory, few enough for tokens that are older.
const syncTail = 30

// keptFollowees are followees that are never dropped.
type keptFollowees map[feed.UserID]*changes.Followees

// Get implements [changes.FolloweeCache].
func (k keptFollowees) Get(viewer feed.UserID) *changes.Followees { return k[viewer] }

// Put implements [changes.FolloweeCache].
func (k keptFollowees) Put(viewer feed.UserID, f *changes.Followees) { k[viewer] = f }

// laggingPosts caches posts until they are evicted.
type laggingPosts struct {
	posts     feed.Posts
	kept      map[feed.PostID]*feed.Post
	evictions int
}

func (c *laggingPosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	before := c.evictions
	return viaCache(ids, c.kept, func(missing []feed.PostID) ([]*feed.Post, bool, error) {
		found, err := c.posts.Posts(ctx, missing)
		return found, c.evictions == before, err
	})
}

// viaCache returns kept values, and others from read, which says whether to keep them.
func viaCache[K comparable, V any](ids []K, kept map[K]*V, read func([]K) ([]*V, bool, error)) ([]*V, error) {
	out := make([]*V, len(ids))
	var missing []K
	var at []int
	for i, id := range ids {
		if out[i] = kept[id]; out[i] == nil {
			missing, at = append(missing, id), append(at, i)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	found, keep, err := read(missing)
	if err != nil {
		return nil, err
	}
	for n, v := range found {
		out[at[n]] = v
		if keep && v != nil {
			kept[missing[n]] = v
		}
	}
	return out, nil
}

// Evict implements [feed.Evictor].
func (c *laggingPosts) Evict(posts []feed.PostID, users []feed.UserID) {
	c.evictions++
	for id, p := range c.kept {
		if slices.Contains(posts, id) || slices.Contains(users, p.Author) {
			delete(c.kept, id)
		}
	}
}

// Purge implements [changes.Cache].
func (c *laggingPosts) Purge() {
	c.evictions++
	clear(c.kept)
}

// pausedLog pauses before each read of a change log.
type pausedLog struct {
	feed.ChangeLog
	s *Service
}

func (p pausedLog) LastChange(ctx context.Context) (feed.ChangePlace, error) {
	return afterPause(p.s, p.ChangeLog).LastChange(ctx)
}

func (p pausedLog) HomeChanges(ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	return afterPause(p.s, p.ChangeLog).HomeChanges(ctx, viewer, since, limit)
}

func (p pausedLog) LiveChanges(ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	return afterPause(p.s, p.ChangeLog).LiveChanges(ctx, viewer, since, limit)
}

func (p pausedLog) PostsOf(ctx context.Context, author feed.UserID, r feed.Range) ([]feed.Key, error) {
	return afterPause(p.s, p.ChangeLog).PostsOf(ctx, author, r)
}
