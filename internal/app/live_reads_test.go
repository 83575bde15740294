package app

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
		_, err := v.follower.Follow(t.Context(), viewer, host)
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
