package feedtest

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// LiveModel runs random steps on a service with live sessions. It compares every page of live
// feeds, and of the session lists of hosts, with its own record of all transitions.
//
// Sessions are scheduled, rescheduled, started, ended and cancelled. Users follow, mute, hide,
// block, go, return and delete their accounts. Tasks run late, twice, in any order, or between the steps of a
// read, or are lost. Sets, snapshots and replay inboxes are lost. Several scrolls continue
// meanwhile. Every page is exact at any time, even while work is pending.
//
// open opens a backend for each history. It may return the same one again. A failure prints a
// minimal list of steps and the seed that repeats it.
func LiveModel(t *testing.T, open func(t *testing.T, p feed.Policy) Backend, e Effort) {
	setFlag(t, "rapid.checks", e.Histories)
	setFlag(t, "rapid.steps", e.Steps)
	histories := int64(0)
	for _, mode := range played() {
		t.Run(string(mode), func(t *testing.T) {
			p := SmallPolicy(mode)
			p.InboxCap = 2 // fewer than most histories have replays
			if e.Covers && mode == feed.FanoutPull {
				// Without pushes, few histories read replays below an inbox.
				setFlag(t, "rapid.checks", 4*e.Histories)
			}
			read := map[feed.Source]int{}
			rapid.Check(t, func(rt *rapid.T) {
				histories++
				m := newLiveHistory(t.Context(), rt, open(t, p), p, histories)
				m.s.Live.Read = read
				rt.Repeat(m.steps())
				m.finishScrolls(rt)
			})
			t.Logf("%d histories so far; sources of the replays read: %v", histories, read)
			if e.Covers && (read[feed.SourceInbox] == 0 || read[feed.SourceBoth] == 0) {
				t.Errorf("no history read replays from an inbox, or from an inbox and the reference query; the sources are %v", read)
			}
		})
	}
}

// liveHistory is a service and a record of its past steps.
type liveHistory struct {
	ctx   context.Context
	s     *Service
	users []feed.UserID
	// sessions are the current sessions. taken are all ids ever used.
	sessions []*live.Session
	taken    map[live.ID]bool
	// deleted are the users with deleted accounts. The others are those of users who are so.
	deleted                    []feed.UserID
	absent, private, suspended map[feed.UserID]bool
	firstID                    live.ID
	// edges are the follows. Every follow has a new number.
	edges   map[[2]feed.UserID]int
	follows int
	scrolls []*liveScroll
	// processes read feeds. Each has its own cache.
	processes []*live.Feed
}

func newLiveHistory(ctx context.Context, t *rapid.T, b Backend, p feed.Policy, n int64) *liveHistory {
	p.FollowLimit = many
	m := &liveHistory{
		ctx: ctx, s: NewService(b, p), firstID: live.ID(1000 * n), taken: map[live.ID]bool{}, absent: map[feed.UserID]bool{}, edges: map[[2]feed.UserID]int{},
		private: map[feed.UserID]bool{}, suspended: map[feed.UserID]bool{},
	}
	small := m.s.Live.Feed.Policy
	small.SnapshotMax = rapid.IntRange(0, 6).Draw(t, "largest snapshot")
	small.PullMax = rapid.IntRange(1, 4).Draw(t, "entries pulled")
	small.RefillMin = 1
	small.CachedMax = rapid.IntRange(0, 8).Draw(t, "cached entries")
	small.SourcesMax = rapid.IntRange(1, 6).Draw(t, "cached sources")
	small.TrackedMax = rapid.IntRange(0, 4).Draw(t, "tracked hosts")
	small.PollMax = rapid.IntRange(1, 3).Draw(t, "transitions per poll")
	small.PollGap = rapid.Int64Range(0, 9).Draw(t, "largest poll gap")
	m.s.Live.Feed.Policy = small
	m.processes = []*live.Feed{m.s.Live.OtherProcess(small), m.s.Live.OtherProcess(small)}
	for i := range rapid.Int64Range(2, 5).Draw(t, "users") {
		id := feed.UserID(10*n + i)
		must(b.Users.EnsureUser(ctx, newUser(id)))
		m.users = append(m.users, id)
	}
	for _, viewer := range m.users {
		for _, host := range m.users {
			if viewer != host && rapid.Bool().Draw(t, "follows") {
				m.followNow(t, viewer, host)
			}
		}
	}
	return m
}

// steps returns all steps by name. Steps that only move work may also run in the middle of a read.
func (m *liveHistory) steps() map[string]step {
	return map[string]step{
		"schedule":                  m.schedule,
		"schedule another":          m.schedule,
		"reschedule":                m.reschedule,
		"start":                     m.start,
		"start another":             m.start,
		"end":                       m.end,
		"end another":               m.end,
		"cancel":                    m.cancel,
		"run a whole session":       m.runWholeSession,
		"run another whole session": m.runWholeSession,
		"follow":                    m.follow,
		"unfollow":                  m.unfollow,
		"relate":                    m.relate,
		"go or return":              m.goOrReturn,
		"flip":                      m.flip,
		"accept":                    m.accept,
		"moderate":                  m.moderate,
		"time passes":               m.timePasses,
		"run a task":                m.runTask,
		"run everything":            func(t *rapid.T) { check(m.s.Work(m.ctx)) },
		"run a task twice":          m.runTwice,
		"lose a task":               m.loseTask,
		"sweep":                     m.sweep,
		"lose":                      m.lose,
		"begin a scroll":            m.beginScroll,
		"continue the scroll":       m.readNextPage,
		"continue another scroll":   m.readNextPage,
		"read a host":               m.readHost,
		"delete an account":         m.deleteAccount,
		"purge":                     m.purge,
		"new generation":            func(t *rapid.T) { check(m.s.PulseLog.RaiseGeneration(m.ctx)) },
		"maintain":                  func(t *rapid.T) { check(m.s.Live.Maintenance.TrimInboxes(m.ctx)) },
	}
}

func (m *liveHistory) must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func (m *liveHistory) someone(t *rapid.T) feed.UserID { return drawn(t, "user", m.users) }

func (m *liveHistory) schedule(t *rapid.T) {
	host := m.someone(t)
	if m.absent[host] {
		return
	}
	// Few times and random ids make ties common.
	at := m.s.Clock.Millis() + rapid.Int64Range(0, 3).Draw(t, "planned for")
	id := m.firstID + live.ID(rapid.IntRange(1, 900).Draw(t, "id"))
	for m.taken[id] {
		id++
	}
	m.taken[id] = true
	m.s.Live.LiveIDs = []live.ID{id}
	m.sessions = append(m.sessions, must(m.s.Live.Hosting.Schedule(m.ctx, host, "title", at)))
}

// change makes a transition if a session allows it.
func (m *liveHistory) change(t *rapid.T, from live.State, do func(host feed.UserID, id live.ID) (*live.Session, error)) {
	var fit []int
	for i, s := range m.sessions {
		if s.State == from && !m.absent[s.Host] {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return
	}
	i := drawn(t, "session", fit)
	if rapid.Bool().Draw(t, "a moment later") {
		m.s.Clock.Advance(time.Millisecond)
	}
	m.sessions[i] = must(do(m.sessions[i].Host, m.sessions[i].ID))
}

func (m *liveHistory) reschedule(t *rapid.T) {
	at := m.s.Clock.Millis() + rapid.Int64Range(0, 3).Draw(t, "planned for")
	m.change(t, live.Upcoming, func(host feed.UserID, id live.ID) (*live.Session, error) {
		return m.s.Live.Hosting.Reschedule(m.ctx, host, id, at)
	})
}

func (m *liveHistory) start(t *rapid.T) {
	m.change(t, live.Upcoming, func(host feed.UserID, id live.ID) (*live.Session, error) {
		return m.s.Live.Hosting.Start(m.ctx, host, id)
	})
}

func (m *liveHistory) end(t *rapid.T) {
	m.change(t, live.Live, func(host feed.UserID, id live.ID) (*live.Session, error) {
		return m.s.Live.Hosting.End(m.ctx, host, id, "")
	})
}

func (m *liveHistory) cancel(t *rapid.T) {
	m.change(t, live.Upcoming, func(host feed.UserID, id live.ID) (*live.Session, error) {
		return m.s.Live.Hosting.Cancel(m.ctx, host, id)
	})
}

// runWholeSession schedules, starts and ends one to three sessions.
func (m *liveHistory) runWholeSession(t *rapid.T) {
	for range rapid.IntRange(1, 3).Draw(t, "sessions") {
		m.schedule(t)
		m.start(t)
		m.end(t)
	}
}

func (m *liveHistory) followNow(t *rapid.T, viewer, host feed.UserID) {
	_, err := m.s.Follower.Follow(m.ctx, viewer, host, feed.FollowChoice{})
	if err != nil && !feed.CodeOf(err).Refusal() {
		t.Fatal(err)
	}
	if err == nil && !m.private[host] {
		m.followed(viewer, host)
	}
}

func (m *liveHistory) follow(t *rapid.T) {
	viewer, host := twoOf(t, m.users)
	m.followNow(t, viewer, host)
}

func (m *liveHistory) unfollow(t *rapid.T) {
	viewer, host := twoOf(t, m.users)
	_, err := m.s.Follower.Unfollow(m.ctx, viewer, host)
	if err == nil {
		delete(m.edges, [2]feed.UserID{viewer, host})
	} else if !feed.CodeOf(err).Refusal() {
		t.Fatal(err)
	}
}

func (m *liveHistory) relate(t *rapid.T) {
	user, target := twoOf(t, m.users)
	kind := drawn(t, "relation", relationKinds())
	r := feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: m.s.Clock.Millis()}
	if err := m.s.SetRelation(m.ctx, r, rapid.Bool().Draw(t, "on")); !feed.CodeOf(err).Refusal() {
		check(err)
	}
}

// goOrReturn makes a user absent or present. A return ends all scrolls: whether a scroll that began
// before shows the host depends on its snapshot.
func (m *liveHistory) goOrReturn(t *rapid.T) {
	user, absent := m.someone(t), rapid.Bool().Draw(t, "absent")
	check(m.s.Presence.SetAbsent(m.ctx, []feed.UserID{user}, absent))
	if m.absent[user] && !absent {
		m.scrolls = nil
	}
	m.absent[user] = absent
}

// deleteAccount deletes an account and its sessions. It keeps the last two accounts.
func (m *liveHistory) deleteAccount(t *rapid.T) {
	if len(m.users) <= 2 {
		return
	}
	user := m.someone(t)
	check(m.s.Profiles.DeleteAccount(m.ctx, user, m.s.Clock.Millis()))
	m.deleted = append(m.deleted, user)
	m.users = slices.DeleteFunc(m.users, func(u feed.UserID) bool { return u == user })
	m.sessions = slices.DeleteFunc(m.sessions, func(s *live.Session) bool { return s.Host == user })
	m.scrolls = slices.DeleteFunc(m.scrolls, func(s *liveScroll) bool { return s.viewer == user })
}

func (m *liveHistory) purge(t *rapid.T) {
	must(m.s.Profiles.PurgeDeleted(m.ctx, rapid.IntRange(1, 3).Draw(t, "rows purged")))
}

func (m *liveHistory) timePasses(t *rapid.T) {
	p := m.s.Policy
	m.s.Clock.Advance(drawn(t, "time passed", []time.Duration{
		time.Second, m.s.Live.Feed.Policy.SnapshotFor, p.RenewAfter, p.ActiveFor + p.LeaseGrace, p.ActiveFor + p.DormantFor,
	}))
}

func (m *liveHistory) runTask(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		task := m.s.Queue.Take(i)
		t.Log(task)
		check(m.s.Run(m.ctx, task))
	}
}

func (m *liveHistory) runTwice(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		check(m.s.Run(m.ctx, m.s.Queue.Tasks()[i]))
	}
}

func (m *liveHistory) loseTask(t *rapid.T) {
	if i, ok := drawTask(t, m.s.Queue); ok {
		m.s.Queue.Take(i)
	}
}

func (m *liveHistory) sweep(t *rapid.T) {
	m.s.Clock.Advance(drawn(t, "after", []time.Duration{0, time.Second, time.Hour}))
	check(m.s.Fanout.Sweep(m.ctx))
}

// lose loses a replay inbox, or takes the sets or snapshots down or up again.
func (m *liveHistory) lose(t *rapid.T) {
	switch drawn(t, "lost", []string{"an inbox", "sets", "snapshots"}) {
	case "an inbox":
		check(m.s.Live.Inboxes.Remove(m.ctx, m.someone(t)))
	case "sets":
		m.s.Live.SetsDown = !m.s.Live.SetsDown
	case "snapshots":
		m.s.Live.SnapshotsLost = !m.s.Live.SnapshotsLost
	}
}

// liveScroll is an unfinished scroll. Other steps run between its pages.
type liveScroll struct {
	viewer feed.UserID
	size   int
	// host is set for the list of one host.
	host feed.UserID
	// rows are the rows when the scroll began.
	rows []liveRow
	// next is the cursor of the next page and at is its entry. They are empty and nil before the
	// first page.
	next string
	at   *liveRow
}

// liveRow is a session as of the start of a scroll.
type liveRow struct {
	live.Position
	host feed.UserID
	// edge is the number of the viewer's follow of the host.
	edge int
}

// shownLive is the part of a page's entry that the test compares.
type shownLive struct {
	id         live.ID
	state, now live.State
}

// rowsOf returns the rows of a scroll that begins now.
func (m *liveHistory) rowsOf(viewer, host feed.UserID) []liveRow {
	var rows []liveRow
	for _, s := range m.sessions {
		edge := m.edges[[2]feed.UserID{viewer, s.Host}]
		isIn := host == s.Host
		if host == 0 {
			isIn = s.Host == viewer || edge != 0
		}
		if isIn && s.State != live.Cancelled {
			rows = append(rows, liveRow{s.Position(), s.Host, edge})
		}
	}
	slices.SortFunc(rows, func(a, b liveRow) int { return a.Compare(b.Position) })
	return rows
}

// shows reports whether the scroll may still show a row.
func (m *liveHistory) shows(s *liveScroll, r liveRow) bool {
	if slices.Contains(m.deleted, r.host) || m.absent[r.host] {
		return false
	}
	edges := must(m.s.Backend.Relations.Edges(m.ctx, s.viewer, []feed.UserID{r.host}))
	switch {
	case m.now(r.ID).State == live.Cancelled:
		return false
	case r.host == s.viewer:
		return true
	case m.suspended[r.host]:
		return false
	case s.host != 0:
		return edges[0].Visible() && (!m.private[r.host] || edges[0].Follows)
	}
	return m.edges[[2]feed.UserID{s.viewer, r.host}] == r.edge && edges[0].Visible() && !edges[0].Mutes
}

func (m *liveHistory) now(id live.ID) *live.Session {
	i := slices.IndexFunc(m.sessions, func(s *live.Session) bool { return s.ID == id })
	return m.sessions[i]
}

// expected returns the rows and the two flags of the scroll's next page.
func (m *liveHistory) expected(s *liveScroll) (rows []liveRow, hasNext, hasPrevious bool) {
	for _, r := range s.rows {
		switch {
		case !m.shows(s, r):
		case s.at != nil && r.Compare(s.at.Position) <= 0:
			hasPrevious = true
		case len(rows) == s.size:
			return rows, true, hasPrevious
		default:
			rows = append(rows, r)
		}
	}
	return rows, false, hasPrevious
}

func (m *liveHistory) beginScroll(t *rapid.T) {
	s := &liveScroll{viewer: m.someone(t), size: rapid.IntRange(1, 4).Draw(t, "page size")}
	s.rows = m.rowsOf(s.viewer, 0)
	m.scrolls = append(m.scrolls, s)
	m.read(t, s)
}

// readHost begins a scroll through the sessions of one host.
func (m *liveHistory) readHost(t *rapid.T) {
	s := &liveScroll{viewer: m.someone(t), host: m.someone(t), size: rapid.IntRange(1, 4).Draw(t, "page size")}
	s.rows = m.rowsOf(s.viewer, s.host)
	m.scrolls = append(m.scrolls, s)
	m.read(t, s)
}

func (m *liveHistory) readNextPage(t *rapid.T) {
	if len(m.scrolls) > 0 {
		m.read(t, drawn(t, "scroll", m.scrolls))
	}
}

// finishScrolls reads every open scroll to its end.
func (m *liveHistory) finishScrolls(t *rapid.T) {
	for len(m.scrolls) > 0 {
		m.read(t, m.scrolls[0])
	}
}

// read reads the next page of a scroll and checks it. A task may run between the read's steps.
func (m *liveHistory) read(t *rapid.T, s *liveScroll) {
	want, hasNext, hasPrevious := m.expected(s)
	over := m.s.At(rapid.IntRange(0, 12).Draw(t, "a task before call"), func() { m.runTask(t) })
	page := m.page(t, s)
	over()
	got := each(page.Entries, func(e live.PageEntry) shownLive { return shownLive{e.Session.ID, e.State, e.Session.State} })
	wanted := each(want, func(r liveRow) shownLive { return shownLive{r.ID, r.State, m.now(r.ID).State} })
	failIf(t, !slices.Equal(got, wanted), "viewer %d (host %d) got page %v, want %v", s.viewer, s.host, got, wanted)
	failIf(t, page.HasNext != hasNext || page.HasPrevious != hasPrevious,
		"page flags: next %t, previous %t; want next %t, previous %t", page.HasNext, page.HasPrevious, hasNext, hasPrevious)
	m.advanceScroll(s, page, want)
}

// advanceScroll moves the scroll to the following page or ends it.
func (m *liveHistory) advanceScroll(s *liveScroll, page *live.Page, rows []liveRow) {
	if !page.HasNext {
		m.scrolls = slices.DeleteFunc(m.scrolls, func(other *liveScroll) bool { return other == s })
		return
	}
	s.next, s.at = page.Entries[len(rows)-1].Cursor, &rows[len(rows)-1]
}

func (m *liveHistory) page(t *rapid.T, s *liveScroll) *live.Page {
	q := live.Query{First: &s.size, After: s.next, LookBack: true}
	lists := drawn(t, "process", m.processes)
	read := lists.Page
	if s.host != 0 {
		read = func(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error) {
			return lists.OfHost(ctx, viewer, s.host, q)
		}
	}
	return must(read(m.ctx, s.viewer, q))
}
