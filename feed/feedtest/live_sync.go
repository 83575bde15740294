package feedtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// LiveSyncModel runs random histories like those of [LiveModel], with clients as in [SyncModel]. A
// client reads a first page of its live feed, further pages of that scroll, and changes since, or
// receives changes by a subscription. Another system retitles, schedules and moves sessions by
// records. Changes are numbered late, and processes learn of them late. Transitions are committed
// hours late, and processes are killed, as there.
//
// When nothing is pending, what a client holds equals the sessions of its feed, down to where the
// client has read. New clients read whole feeds.
func LiveSyncModel(t *testing.T, open func(t *testing.T, p feed.Policy) Backend, e Effort) {
	setFlag(t, "rapid.checks", e.Histories)
	setFlag(t, "rapid.steps", e.Steps)
	histories, reported := int64(0), map[feed.HomeChangeKind]int{}
	for _, mode := range played() {
		t.Run(string(mode), func(t *testing.T) {
			p := SmallPolicy(mode)
			p.InboxCap, p.PageMax = 2, 1000
			rapid.Check(t, func(rt *rapid.T) {
				histories++
				m := newLiveSyncHistory(t.Context(), rt, open(t, p), p, histories, reported)
				m.fleet.open(rt)
				m.fleet.open(rt)
				rt.Repeat(m.steps())
				m.rest(rt)
			})
			t.Logf("%d histories so far; changes by kind: %v", histories, reported)
		})
	}
	if e.Covers && len(reported) < 4 {
		t.Errorf("no history has reported some kinds of change, only %v", reported)
	}
}

// liveSyncHistory is a live history with clients.
type liveSyncHistory struct {
	*liveHistory
	fleet    *fleet[*liveSyncProcess, *liveClient]
	titles   int
	reported map[feed.HomeChangeKind]int
}

// liveSyncProcess follows the change log when the test says so.
type liveSyncProcess struct {
	logProcess
	feed   *live.Feed
	reader *delta.LiveReader
}

// liveClient holds a part of a live feed, as docs/clients.md describes it.
type liveClient struct {
	clientState
	sessions map[live.ID]heldSession
	// last is the sort key of the last entry.
	last string
}

type heldSession struct{ sortKey, title string }

// heldLive returns what a client keeps of an entry.
func heldLive(e live.PageEntry) heldSession {
	return heldSession{live.SortKey(e.Cursor), e.Session.Title}
}

// shows reports whether the client has read as far as a sort key.
func (c *liveClient) shows(sortKey string) bool { return c.next == "" || sortKey <= c.last }

func newLiveSyncHistory(
	ctx context.Context, t *rapid.T, b Backend, p feed.Policy, n int64, reported map[feed.HomeChangeKind]int,
) *liveSyncHistory {
	m := &liveSyncHistory{liveHistory: newLiveHistory(ctx, t, b, p, n), reported: reported}
	m.fleet = newFleet(ctx, m.s, feedCalls[*liveSyncProcess, *liveClient]{
		start: m.startProcess, users: func() []feed.UserID { return m.users }, newClient: newLiveClient,
		readFirst: m.readFirst, readNext: m.readNext, readSome: m.readSome, compare: m.compare, subscribe: m.subscribe,
		interrupts: m.interrupts,
	})
	return m
}

// startProcess starts a process in place of the i-th one, which other steps then read from.
func (m *liveSyncHistory) startProcess(i int) *liveSyncProcess {
	m.processes[i] = m.s.Live.OtherProcess(m.processes[i].Policy)
	return m.s.liveSyncProcess(m.processes[i])
}

func (s *Service) liveSyncProcess(lists *live.Feed) *liveSyncProcess {
	viewers := &timeline.Direct{Relations: s.paused()}
	cached := &viewercache.Cache{Direct: viewers, Surveyor: s.Cache.Surveyor, Local: NewLocal()}
	sessions := &laggingSessions{sessions: pausedSessions{s.Live.Sessions, s}, kept: map[live.ID]*live.Session{}}
	follower := &changes.Follower{Log: s.Changes, Cache: sessions}
	log := pausedLog{s.Changes, s}
	tail := &changes.Tail{Log: log, Relations: viewers.Relations, Followees: keptFollowees{}, RowsMax: syncTail}
	p := &liveSyncProcess{
		feed: lists,
		reader: &delta.LiveReader{
			Log: log, Recent: tail, Cached: cached, CachedSessions: sessions,
			Sessions: sessions.sessions, Versions: lists.Changes, Viewers: viewers,
			Users: s.Users, Coverage: s.paused(), Policy: s.Policy,
		},
	}
	p.logProcess = logProcess{follower, &subscribe.Subscriptions{
		LiveChanges: p.reader, Viewers: cached, Places: follower, Audience: s.Audience, Policy: s.Policy, Async: func(do func()) { do() },
	}}
	p.feed.Places = follower
	follower.Observe(tail)
	follower.Observe(p.subscriptions)
	return p
}

// steps returns the steps of a live feed, and those of clients and of the log. Steps that reset all
// clients are rare.
func (m *liveSyncHistory) steps() map[string]step {
	steps := m.liveHistory.steps()
	whole := steps["new generation"]
	steps["new generation"] = func(t *rapid.T) {
		if rapid.IntRange(0, 9).Draw(t, "if zero") == 0 {
			whole(t)
		}
	}
	m.fleet.addTo(steps)
	steps["ingest"] = m.ingest
	steps["delete an account"] = m.deleteWithClients
	steps["run a task, killed"] = m.fleet.killed(m.runTask)
	meanwhile := m.fleet.clientSteps()
	meanwhile["follow"], meanwhile["unfollow"], meanwhile["relate"], meanwhile["run a task"] = m.follow, m.unfollow, m.relate, m.runTask
	for name, change := range map[string]step{
		"schedule": m.schedule, "start": m.start, "reschedule": m.reschedule, "end": m.end, "cancel": m.cancel,
	} {
		steps[name+", committed late"] = m.fleet.late(change, meanwhile)
	}
	return steps
}

// interrupts are the steps that may run in the middle of others.
func (m *liveSyncHistory) interrupts() map[string]step {
	return map[string]step{
		"schedule": m.schedule, "start": m.start, "end": m.end, "cancel": m.cancel, "follow": m.follow, "unfollow": m.unfollow,
		"relate": m.relate, "ingest": m.ingest, "run a task": m.runTask,
	}
}

// ingest changes a session by a record of another system: its title, or its planned time too.
func (m *liveSyncHistory) ingest(t *rapid.T) {
	var fit []int
	for i, s := range m.sessions {
		if !m.absent[s.Host] {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		m.schedule(t)
		return
	}
	i := drawn(t, "session", fit)
	r := live.Record(*m.sessions[i])
	m.titles++
	r.Title = fmt.Sprint("title ", m.titles)
	if m.sessions[i].State == live.Upcoming && rapid.Bool().Draw(t, "moved") {
		r.ScheduledAt++
	}
	got := must(m.s.Ingester.Ingest(m.ctx, batchOf([]feed.Record{{Live: &r}})))
	failIf(t, len(got.Bad) > 0, "bad records: %+v", got.Bad)
	m.sessions[i] = must(m.s.Live.Sessions.Sessions(m.ctx, []live.ID{m.sessions[i].ID}))[0]
}

func (m *liveSyncHistory) deleteWithClients(t *rapid.T) {
	m.deleteAccount(t)
	m.fleet.forget(func(viewer feed.UserID) bool { return slices.Contains(m.deleted, viewer) })
}

// rest completes all pending work, and compares what clients hold with the sessions.
func (m *liveSyncHistory) rest(t *rapid.T) {
	check(m.s.Work(m.ctx))
	whileMore(func() (bool, error) { return m.s.Profiles.PurgeDeleted(m.ctx, many) })
	m.fleet.rest(t)
}

func (m *liveSyncHistory) compare(t *rapid.T, c *liveClient) {
	byPlace := func(a, b heldSession) int { return strings.Compare(a.sortKey, b.sortKey) }
	var got, want []heldSession
	for _, s := range c.sessions {
		if c.shows(s.sortKey) {
			got = append(got, s)
		}
	}
	slices.SortFunc(got, byPlace)
	scroll := &liveScroll{viewer: c.viewer}
	for _, r := range m.rowsOf(c.viewer, 0) {
		if c.shows(r.SortKey()) && m.shows(scroll, r) {
			want = append(want, heldSession{r.SortKey(), m.now(r.ID).Title})
		}
	}
	failIf(t, !slices.Equal(got, want), "the client of user %d holds\n%v, down to %v (more: %t), want\n%v", c.viewer, got, c.last, c.next != "", want)
}

func newLiveClient(t *rapid.T, viewer feed.UserID) *liveClient {
	return &liveClient{clientState: clientState{viewer: viewer, size: rapid.IntRange(1, 6).Draw(t, "page size")}}
}

func (m *liveSyncHistory) readFirst(t *rapid.T, c *liveClient) {
	page := must(m.fleet.process(t).feed.Page(m.ctx, c.viewer, live.Query{First: &c.size}))
	c.open, c.token, c.sessions = true, page.SyncToken, map[live.ID]heldSession{}
	c.take(page)
}

// take puts the entries of a page that the client does not hold.
func (c *liveClient) take(page *live.Page) {
	c.next = ""
	for _, e := range page.Entries {
		s := heldLive(e)
		if _, held := c.sessions[e.Session.ID]; !held {
			c.sessions[e.Session.ID] = s
		}
		c.last = s.sortKey
		if page.HasNext {
			c.next = e.Cursor
		}
	}
}

// readNext reads the next page, from any process.
func (m *liveSyncHistory) readNext(t *rapid.T, c *liveClient) {
	page := must(m.fleet.process(t).feed.Page(m.ctx, c.viewer, live.Query{First: &c.size, After: c.next}))
	if page.SyncToken != "" {
		t.Fatal("a later page has a sync token")
	}
	c.take(page)
}

func (m *liveSyncHistory) readSome(t *rapid.T, c *liveClient) (more bool) {
	q := live.ChangeQuery{Since: c.token}
	n := rapid.IntRange(0, 4).Draw(t, "first")
	if n > 0 {
		q.First = &n
	}
	page := must(m.fleet.process(t).reader.Changes(m.ctx, c.viewer, q))
	failIf(t, n > 0 && len(page.Changes) > n, "got %d changes, asked for %d", len(page.Changes), n)
	m.apply(c, page)
	return page.HasMore && c.open
}

func (m *liveSyncHistory) apply(c *liveClient, page *live.ChangePage) {
	applied(page, c, func(change live.Change) {
		m.reported[change.Kind]++
		switch change.Kind {
		case feed.HomeReset:
		case feed.HomeRemoved:
			delete(c.sessions, change.ID)
		case feed.HomeAdded, feed.HomeChanged:
			c.sessions[change.ID] = heldLive(change.Entry)
		}
	})
}

func (m *liveSyncHistory) subscribe(t *rapid.T, p *liveSyncProcess, c *liveClient) *clientSubscription {
	sub := must(p.subscriptions.SubscribeLive(m.ctx, c.viewer, c.token))
	return clientSubscriptionOf(m.ctx, m.must, sub, func(_ *rapid.T, page *live.ChangePage) { m.apply(c, page) })
}

// laggingSessions caches sessions until they are evicted.
type laggingSessions struct {
	sessions  pausedSessions
	kept      map[live.ID]*live.Session
	evictions int
}

// Sessions implements [live.SessionReader].
func (c *laggingSessions) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	before := c.evictions
	return viaCache(ids, c.kept, func(missing []live.ID) ([]*live.Session, bool, error) {
		found, err := c.sessions.Sessions(ctx, missing)
		return found, c.evictions == before, err
	})
}

// Evict implements [feed.Evictor].
func (c *laggingSessions) Evict(posts []feed.PostID, users []feed.UserID) {
	c.evictions++
	for id, s := range c.kept {
		if slices.Contains(posts, feed.ReplayRef(int64(id))) || slices.Contains(users, s.Host) {
			delete(c.kept, id)
		}
	}
}

// Purge implements [changes.Cache].
func (c *laggingSessions) Purge() {
	c.evictions++
	clear(c.kept)
}

// pausedSessions calls [Service.BeforeCall] before every read.
type pausedSessions struct {
	allSessions
	s *Service
}

type allSessions = live.Sessions

func (p pausedSessions) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	return afterPause(p.s, p.allSessions).Sessions(ctx, ids)
}

func (p pausedSessions) OfHost(ctx context.Context, host feed.UserID, below live.ID, limit int) ([]live.PublicID, error) {
	return afterPause(p.s, p.allSessions).OfHost(ctx, host, below, limit)
}
