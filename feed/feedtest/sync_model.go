package feedtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

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
// read whole feeds. No client receives the removal of a post that its viewer could never see. Viewers
// mark what they have read on two devices; each has its last position, and what is unread since is what
// the changes add.
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
			// Only steps of the fleet trim the log.
			p.ChangesKept = 100 * 365 * 24 * time.Hour
			rapid.Check(t, func(rt *rapid.T) {
				histories++
				m := newSyncHistory(t, rt, open(t, p), p, histories, reported)
				m.fleet.open(rt)
				m.fleet.open(rt)
				rt.Repeat(m.steps())
				m.rest(rt)
			})
			t.Logf("%d histories so far; changes by kind: %v; of records: %v; numbers of unread posts: %v", histories, reported.all, reported.ofRecords, reported.unread)
		})
	}
	if e.Covers && (len(reported.all) < 4 || len(reported.ofRecords) < 3 || len(reported.unread) < 3) {
		t.Errorf("no history has reported some kinds of change, only %v, and %v of records, or some numbers of unread posts, only %v", reported.all, reported.ofRecords, reported.unread)
	}
}

// reportedChanges counts the changes that clients have received. ofRecords counts those made by
// records of another system. unread counts the numbers of unread posts.
type reportedChanges struct {
	all, ofRecords map[feed.HomeChangeKind]int
	unread         map[int]int
}

func newReportedChanges() reportedChanges {
	return reportedChanges{all: map[feed.HomeChangeKind]int{}, ofRecords: map[feed.HomeChangeKind]int{}, unread: map[int]int{}}
}

// syncHistory is a history with clients.
type syncHistory struct {
	*history
	fleet    *fleet[*syncProcess, *syncClient]
	source   *sentPosts
	reported reportedChanges
	// others and the next id are users without relations.
	others feed.UserID
	// seen has the posts that each viewer could see at some time. alone disregards their originals.
	seen, alone map[sight]bool
	// read has the read position of each device.
	read map[reading]readPlace
}

type sight struct {
	viewer feed.UserID
	post   feed.PostID
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
	m := &syncHistory{history: newHistory(t, rt, b, p, n), source: newSentPosts(), reported: reported, others: feed.UserID(10*n + 8), seen: map[sight]bool{}, alone: map[sight]bool{}, read: map[reading]readPlace{}}
	m.changed = m.look
	for i := range feed.UserID(2) {
		must(b.Users.EnsureUser(m.ctx, newUser(m.others+i)))
	}
	// The log lacks the changes of a load until its end.
	m.noLoads = true
	m.fleet = newFleet(m.ctx, m.s, feedCalls[*syncProcess, *syncClient]{
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
		if local == nil {
			return direct
		}
		return &viewercache.Cache{Direct: direct, Surveyor: s.Cache.Surveyor, Local: local}
	}
	uncached := cached
	uncached.Posts = primary
	follower := &changes.Follower{Log: s.Changes, Cache: posts}
	p := &syncProcess{
		timeline: s.reading(viewers(&cached)),
		reader: &delta.Reader{
			Log: pausedLog{s.Changes, s}, Viewers: viewers(&uncached), Relations: cached.Relations,
			Coverage: s.paused(), Outboxes: cached.Outboxes, Audiences: s.Audiences, Policy: s.Policy,
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
		if slices.Contains(posts, id) || slices.Contains(users, p.Author) || slices.Contains(users, p.AudienceAuthor) {
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

// SyncAfterFailover checks one case of [SyncModel] that is rare there. A process whose caches lag
// behind serves the first page while a push is pending. The inbox server then loses the push, and
// the viewer unfollows an author before the client first asks for changes. The backend has a
// [Server].
func SyncAfterFailover(t *testing.T, open func(t *testing.T, p feed.Policy) Backend) {
	setFlag(t, "rapid.checks", 50)
	histories := int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		histories++
		p := SmallPolicy(drawn(rt, "mode", []feed.FanoutMode{feed.FanoutPush, feed.FanoutHybrid}))
		p.InboxCap, p.PageMax = 100, 1000
		m := newSyncHistory(t, rt, open(t, p), p, histories, newReportedChanges())
		for range 3 {
			m.observed(m.publishMore)(rt)
		}
		check(m.s.Rest(m.ctx))
		m.fleet.settleLog()

		viewer, author := twoOf(rt, m.users)
		for _, p := range m.fleet.processes {
			// It fills the caches.
			must(p.timeline.Page(m.ctx, viewer, feed.PageQuery{}))
		}
		m.edit(rt)
		m.delete(rt)
		check(m.s.Heartbeat.Beat(m.ctx))
		m.s.Server.Save()
		m.observed(m.publishMore)(rt)
		m.fleet.open(rt)
		check(m.s.Work(m.ctx))
		m.fleet.settleLog()
		m.fleet.open(rt)
		m.s.Server.Restore()
		m.fleet.open(rt)
		_, err := m.s.Follower.Unfollow(m.ctx, viewer, author)
		m.allowed(rt, err)
		for _, c := range m.fleet.clients {
			m.fleet.readAll(rt, c)
		}
		m.rest(rt)
	})
}

// sentPosts are posts of another system, which sends records with versions.
type sentPosts struct {
	// rows has the last record of each post, and applied the last one that the store has.
	rows, applied map[feed.PostID]feed.Record
	// waiting are records that have not arrived, overtaken those that change nothing any more.
	waiting, overtaken []feed.Record
	version            feed.ObjectVersion
}

func newSentPosts() *sentPosts {
	return &sentPosts{rows: map[feed.PostID]feed.Record{}, applied: map[feed.PostID]feed.Record{}}
}

// ingest changes posts of another system. It applies some of the records that were sent, in any
// order, and perhaps one that a later record has overtaken. The fan-outs may be left to a sweep.
func (m *syncHistory) ingest(t *rapid.T) {
	for range rapid.IntRange(1, 3).Draw(t, "records") {
		m.sendRecord(t)
	}
	var batch []feed.Record
	for range rapid.IntRange(1, len(m.source.waiting)).Draw(t, "records that arrive") {
		i := rapid.IntRange(0, len(m.source.waiting)-1).Draw(t, "record")
		batch = append(batch, m.source.waiting[i])
		m.source.waiting = slices.Delete(m.source.waiting, i, i+1)
	}
	if n := len(m.source.overtaken); n > 0 && rapid.IntRange(0, 3).Draw(t, "again, if zero") == 0 {
		batch = append(batch, m.source.overtaken[rapid.IntRange(0, n-1).Draw(t, "overtaken")])
	}
	m.applyRecords(t, batch)
}

// ingestAll applies the records that have not arrived.
func (m *syncHistory) ingestAll(t *rapid.T) {
	m.applyRecords(t, m.source.waiting)
	m.source.waiting = nil
}

// sendRecord changes a post of the other system: it is new, edited, deleted or restored.
func (m *syncHistory) sendRecord(t *rapid.T) {
	var r feed.Record
	known := slices.Sorted(maps.Keys(m.source.rows))
	if len(known) == 0 || rapid.IntRange(0, 2).Draw(t, "new, if zero") == 0 {
		r = feed.Record{Post: m.newSentPost(t)}
	} else {
		p := *m.source.rows[drawn(t, "sent post", known)].Post
		p.DeletedAt = 0
		if rapid.IntRange(0, 2).Draw(t, "deleted, if zero") == 0 {
			// In no millisecond in which an account is deleted: the log could be trimmed to both.
			p.DeletedAt = m.source.version.Number + 1
		}
		r = feed.Record{Post: &p}
	}
	m.edits++
	r.Post.Text, r.Post.Language = fmt.Sprint("record ", m.edits), drawnLanguage(t)
	r.Post.Media, r.Post.OtherMedia = nil, drawn(t, "other media", []feed.OtherMedia{feed.NoOtherMedia, feed.SomeOtherMedia})
	m.source.version.Number++
	r.Version = m.source.version
	m.source.rows[r.Post.ID] = r
	m.source.waiting = append(m.source.waiting, r)
}

// newSentPost draws a back-dated post. It may repost or comment on any post, also one that has not
// arrived.
func (m *syncHistory) newSentPost(t *rapid.T) *feed.Post {
	p := newPost(m.newID(t), m.someone(t), m.pastTime(t))
	if len(m.posts) > 0 {
		about := feed.PostID(drawn(t, "about", m.posts).key.ID)
		switch p.Kind = drawn(t, "kind", []feed.Kind{feed.KindPost, feed.KindPost, feed.KindComment, feed.KindRepost}); p.Kind {
		case feed.KindComment:
			p.ReplyTo = about
		case feed.KindRepost:
			p.RepostOf = about
		}
	}
	m.posts = append(m.posts, storedPost{p.Key(), p.Author, p.RepostOf, p.Kind})
	return p
}

// applyRecords ingests a batch as a way without order does. Records of deleted accounts would be bad.
func (m *syncHistory) applyRecords(t *rapid.T, batch []feed.Record) {
	batch = slices.DeleteFunc(batch, func(r feed.Record) bool { return !slices.Contains(m.users, r.Post.Author) })
	b := batchOf(slices.Clone(batch))
	b.Ordered = false
	now := m.s.Clock.Millis()
	b.Dispatch = feed.FirstDispatch{PlanBelow: m.s.Policy.PlanBelow(), EventDue: now, SliceDue: now}
	got := must(m.s.Ingester.Ingest(m.ctx, b))
	failIf(t, len(got.Bad) > 0, "bad records: %+v", got.Bad)
	for _, r := range batch {
		last := m.source.applied[r.Post.ID]
		if last.Version.Number > r.Version.Number {
			last, r = r, last
		}
		m.source.applied[r.Post.ID] = r
		if last.Post != nil {
			m.source.overtaken = append(m.source.overtaken, last)
		}
	}
	m.forgetRequired()
	m.look()
	if rapid.Bool().Draw(t, "fan-outs begin") {
		check(m.s.enqueue(m.ctx, got))
	}
}

// forgetRequired ends the requirements and the open scroll, because posts may have arrived or returned
// whose pushes are pending. Reposts of them may be visible again.
func (m *syncHistory) forgetRequired() {
	m.forgetDisplays()
	for _, viewer := range m.users {
		clear(m.required[viewer])
	}
}

// look notes what viewers can see now.
func (m *syncHistory) look() {
	posts, users := map[feed.PostID]*feed.Post{}, map[feed.UserID]bool{}
	for _, p := range must(m.s.Backend.Posts.Posts(m.ctx, each(m.posts, func(p storedPost) feed.PostID { return feed.PostID(p.key.ID) }))) {
		if p != nil {
			posts[p.ID], users[p.Author], users[p.AudienceAuthor] = p, true, true
		}
	}
	delete(users, 0)
	others := slices.Sorted(maps.Keys(users))
	for _, viewer := range m.users {
		edges := map[feed.UserID]feed.Edge{}
		for i, edge := range must(m.s.Backend.Relations.Edges(m.ctx, viewer, others)) {
			edges[others[i]] = edge
		}
		for id, p := range posts {
			if p.DeletedAt == 0 && mayShowAlone(viewer, p, edges) {
				m.alone[sight{viewer, id}] = true
			}
		}
		for id, p := range posts {
			if p.Author == viewer || m.mayShow(viewer, p, posts, edges) {
				m.seen[sight{viewer, id}] = true
			}
		}
	}
}

// mayShowAlone reports whether a viewer with edges to users may see a post by these, disregarding its
// deletion and its originals.
func mayShowAlone(viewer feed.UserID, p *feed.Post, edges map[feed.UserID]feed.Edge) bool {
	of, a := p.AudienceAuthor, p.Accounts
	inAudience := of == viewer || edges[of].Follows && !a.Has(feed.AudienceAuthorGone)
	switch {
	case !edges[p.Author].Visible(),
		a.Has(feed.AuthorPrivate) && p.Author != viewer && !edges[p.Author].Follows,
		a.Has(feed.AudienceAuthorPrivate) && !inAudience:
		return false
	}
	return p.Audience == feed.AudiencePublic || p.Author == viewer || inAudience && edges[of].Visible()
}

// mayShow reports whether a page may show a post to a viewer now, with originals as they were before.
func (m *syncHistory) mayShow(viewer feed.UserID, p *feed.Post, posts map[feed.PostID]*feed.Post, edges map[feed.UserID]feed.Edge) bool {
	for links := 0; links <= m.s.Policy.RepostDepth && p != nil && m.alone[sight{viewer, p.ID}] && mayShowAlone(viewer, p, edges); links++ {
		if p.RepostOf == 0 {
			return true
		}
		p = posts[p.RepostOf]
	}
	return false
}

// count counts a change that a client has received.
func (m *syncHistory) count(change feed.HomeChange) {
	m.reported.all[change.Kind]++
	if m.source.shows(change) {
		m.reported.ofRecords[change.Kind]++
	}
}

// shows reports whether a change says what the last record of its post says.
func (s *sentPosts) shows(change feed.HomeChange) bool {
	r, sent := s.applied[change.ID]
	switch change.Kind {
	case feed.HomeAdded, feed.HomeChanged:
		return sent && change.Entry.Post.Text == r.Post.Text
	case feed.HomeRemoved:
		return sent && r.Post.DeletedAt > 0
	}
	return false
}
