package feedtest

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// LiveSyncModel runs random histories like those of [LiveModel], with clients as in [SyncModel]. A
// client reads a first page of its live feed, further pages of that scroll, and changes since, or
// receives changes by a subscription. Another system retitles, schedules and moves sessions by
// records. Changes are numbered late, and processes learn of them late.
//
// When nothing is pending, what a client holds equals the sessions of its feed, down to where the
// client has read.
func LiveSyncModel(t *testing.T, open func(t *testing.T, p feed.Policy) Backend, e Effort) {
	setFlag(t, "rapid.checks", e.Histories)
	setFlag(t, "rapid.steps", e.Steps)
	histories, reported := int64(0), map[feed.HomeChangeKind]int{}
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			p := SmallPolicy(mode)
			p.InboxCap, p.PageMax = 2, 1000
			rapid.Check(t, func(rt *rapid.T) {
				histories++
				m := newLiveSyncHistory(t.Context(), rt, open(t, p), p, histories, reported)
				m.openClient(rt)
				m.openClient(rt)
				rt.Repeat(m.steps())
				m.rest(rt)
			})
			t.Logf("%d histories so far; changes by kind: %v", histories, reported)
		})
	}
	if e.Thorough && len(reported) < 4 {
		t.Errorf("no history has reported some kinds of change, only %v", reported)
	}
}

// liveSyncHistory is a live history with clients.
type liveSyncHistory struct {
	*liveHistory
	synced   []*liveSyncProcess
	clients  []*liveClient
	titles   int
	reported map[feed.HomeChangeKind]int
}

// liveSyncProcess follows the change log when the test says so.
type liveSyncProcess struct {
	feed          *live.Feed
	reader        *delta.LiveReader
	follower      *changes.Follower
	subscriptions *subscribe.Subscriptions
}

// liveClient holds a part of a live feed, as docs/clients.md describes it.
type liveClient struct {
	viewer feed.UserID
	size   int
	// open is false until the first page and after a reset.
	open     bool
	sessions map[live.ID]heldSession
	token    string
	// next is the cursor of the last entry while there is a next page, and last its place.
	next string
	last live.Position
	// sub sends changes after the token; nil for a client that reads them.
	sub *subscribe.LiveSubscription
}

type heldSession struct {
	at    live.Position
	title string
}

// heldLive returns what a client keeps of an entry. The cursor has its place.
func heldLive(e live.PageEntry) heldSession { return heldSession{placeOf(e.Cursor), e.Session.Title} }

func placeOf(cursor string) live.Position {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < 51 {
		panic(fmt.Sprintf("the cursor is %q", cursor))
	}
	at, id := binary.BigEndian.Uint64(b[35:]), binary.BigEndian.Uint64(b[43:])
	return live.Position{State: live.State(b[2]), At: int64(at), ID: live.ID(id)}
}

// shows reports whether the client has read as far as a session.
func (c *liveClient) shows(at live.Position) bool { return c.next == "" || at.Compare(c.last) <= 0 }

func newLiveSyncHistory(
	ctx context.Context, t *rapid.T, b Backend, p feed.Policy, n int64, reported map[feed.HomeChangeKind]int,
) *liveSyncHistory {
	m := &liveSyncHistory{liveHistory: newLiveHistory(ctx, t, b, p, n), reported: reported}
	_, err := b.Numberer.CheckEpoch(ctx)
	m.must(t, err)
	for _, lists := range m.processes {
		m.synced = append(m.synced, m.s.liveSyncProcess(lists))
	}
	return m
}

func (s *Service) liveSyncProcess(lists *live.Feed) *liveSyncProcess {
	viewers := &timeline.Direct{Relations: pausedRelations{s.Backend.Relations, s}}
	p := &liveSyncProcess{
		feed: lists, follower: &changes.Follower{Log: s.Changes, Cache: &laggingPosts{}},
		reader: &delta.LiveReader{
			Log: pausedLog{s.Changes, s}, Sessions: pausedSessions{s.Live.Sessions, s}, Versions: lists.Changes, Viewers: viewers,
			Coverage: pausedCoverage{s.Backend.Coverage, s}, Policy: s.Policy,
		},
	}
	p.feed.Places = p.follower
	p.subscriptions = &subscribe.Subscriptions{
		LiveChanges: p.reader, Viewers: viewers, Places: p.follower, Audience: s.Audience, Policy: s.Policy, Async: func(do func()) { do() },
	}
	p.follower.Observe(p.subscriptions)
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
	for name, s := range map[string]step{
		"open a client":              m.openClient,
		"open a client, interrupted": m.interrupted(m.openClient),
		"read on":                    m.readOn,
		"read on, interrupted":       m.interrupted(m.readOn),
		"read changes":               m.readChanges,
		"read changes again":         m.readChanges,
		"read changes, interrupted":  m.interrupted(m.readChanges),
		"ingest":                     m.ingest,
		"number changes":             m.numberSome,
		"a process catches up":       func(t *rapid.T) { m.must(t, m.synced[rapid.IntRange(0, 1).Draw(t, "process")].follower.CatchUp(m.ctx)) },
		"trim or restore":            m.endTokens,
		"subscribe":                  m.subscribe,
		"receive":                    m.receive,
		"receive, interrupted":       m.interrupted(m.receive),
		"disconnect":                 m.disconnect,
		"delete an account":          m.deleteWithClients,
	} {
		steps[name] = s
	}
	return steps
}

// interrupted returns a step during which another step runs, and all processes may then see it.
func (m *liveSyncHistory) interrupted(s step) step {
	return func(t *rapid.T) {
		others := map[string]step{
			"schedule": m.schedule, "start": m.start, "end": m.end, "cancel": m.cancel, "follow": m.follow, "unfollow": m.unfollow,
			"relate": m.relate, "ingest": m.ingest, "run a task": m.runTask,
		}
		names := []string{"start", "schedule", "end", "cancel", "follow", "unfollow", "relate", "ingest", "run a task"}
		m.s.interrupt(t, s, others[drawn(t, "concurrent step", names)], m.settleLog)
	}
}

// settleLog numbers all changes, and lets all processes see them.
func (m *liveSyncHistory) settleLog(t *rapid.T) {
	m.must(t, m.s.numberAll(m.ctx))
	for _, p := range m.synced {
		m.must(t, p.follower.CatchUp(m.ctx))
	}
}

func (m *liveSyncHistory) numberSome(t *rapid.T) {
	m.must(t, m.s.numberSome(m.ctx, t))
}

// endTokens makes tokens invalid.
func (m *liveSyncHistory) endTokens(t *rapid.T) {
	m.must(t, m.s.endTokens(m.ctx, t))
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
	got, err := m.s.Ingester.Ingest(m.ctx, batchOf([]feed.Record{{Live: &r}}))
	m.must(t, err)
	if len(got.Bad) > 0 {
		t.Fatalf("bad records: %+v", got.Bad)
	}
	found, err := m.s.Live.Sessions.Sessions(m.ctx, []live.ID{m.sessions[i].ID})
	m.must(t, err)
	m.sessions[i] = found[0]
}

func (m *liveSyncHistory) deleteWithClients(t *rapid.T) {
	m.deleteAccount(t)
	m.clients = slices.DeleteFunc(m.clients, func(c *liveClient) bool {
		gone := slices.Contains(m.deleted, c.viewer)
		if gone {
			c.unsubscribe()
		}
		return gone
	})
}

// rest completes all pending work, and compares what clients hold with the sessions.
func (m *liveSyncHistory) rest(t *rapid.T) {
	m.must(t, m.s.Work(m.ctx))
	for more := true; more; {
		var err error
		more, err = m.s.Profiles.PurgeDeleted(m.ctx, many)
		m.must(t, err)
	}
	m.settleLog(t)
	for _, c := range m.clients {
		m.readAll(t, c)
		if !c.open {
			m.readFirst(t, c)
			m.readAll(t, c)
		}
		m.compare(t, c)
	}
}

func (m *liveSyncHistory) compare(t *rapid.T, c *liveClient) {
	byPlace := func(a, b heldSession) int { return a.at.Compare(b.at) }
	var got, want []heldSession
	for _, s := range c.sessions {
		if c.shows(s.at) {
			got = append(got, s)
		}
	}
	slices.SortFunc(got, byPlace)
	scroll := &liveScroll{viewer: c.viewer}
	for _, r := range m.rowsOf(c.viewer, 0) {
		if c.shows(r.Position) && m.shows(t, scroll, r) {
			want = append(want, heldSession{r.Position, m.now(r.ID).Title})
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the client of user %d holds\n%v, down to %v (more: %t), want\n%v", c.viewer, got, c.last, c.next != "", want)
	}
}
