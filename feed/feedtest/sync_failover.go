package feedtest

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

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
			m.publishMore(rt)
		}
		check(m.s.Rest(m.ctx))
		m.fleet.settleLog(rt)

		viewer, author := m.two(rt)
		for _, p := range m.fleet.processes {
			// It fills the caches.
			must(p.timeline.Page(m.ctx, viewer, feed.PageQuery{}))
		}
		m.edit(rt)
		m.delete(rt)
		check(m.s.Heartbeat.Beat(m.ctx))
		m.s.Server.Save()
		m.publishMore(rt)
		m.fleet.open(rt)
		check(m.s.Work(m.ctx))
		m.fleet.settleLog(rt)
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
