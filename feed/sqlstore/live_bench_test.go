package sqlstore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
)

// A stage has as many hosts as the Twitch graph has streamers, each with a session that is live or
// upcoming, and a few that have ended.
const (
	stageHosts   = 9_498
	stageReplays = 5
)

// stageViewers are how many hosts some viewers follow; the maximum in that graph is about 1,800.
var stageViewers = []int{10, 100, 1800}

// stageViewer is the viewer who follows that many hosts, which are the first users.
func stageViewer(follows int) feed.UserID { return feed.UserID(stageHosts + follows) }

func buildStage(b *testing.B, db backend) *feedtest.Service {
	b.Helper()
	s, p := db.open(b), feed.DefaultPolicy()
	var batch []feed.Record
	for host := feed.UserID(1); host <= stageHosts; host++ {
		batch = append(batch, feed.Record{User: townUser(host)})
	}
	for _, n := range stageViewers {
		batch = append(batch, feed.Record{User: townUser(stageViewer(n))})
		for i := range n {
			batch = append(batch, followOf(stageViewer(n), feed.UserID(1+i*stageHosts/n)))
		}
	}
	for host := feed.UserID(1); host <= stageHosts; host++ {
		id, startedAt := 10*int64(host), int64(0)
		if host%5 == 0 {
			startedAt = noon + int64(host)
		}
		batch = append(batch, liveOf(id, host, startedAt, 0, 0))
		for i := int64(1); i <= stageReplays; i++ {
			batch = append(batch, liveOf(id+i, host, noon-1000*i, noon-900*i+int64(host), 0))
		}
	}
	importAll(b, s, batch)
	if err := s.Exec(b.Context(), "ANALYZE"); err != nil {
		b.Fatal(err)
	}
	return feedtest.NewService(wholeBackend(s, p), p)
}

// BenchmarkFirstPageOfALiveFeed reads a page with cached sets, and from SQL without them, which is
// the worst case.
func BenchmarkFirstPageOfALiveFeed(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			service := buildStage(b, db)
			for _, away := range []bool{false, true} {
				for _, n := range stageViewers {
					service.Live.SetsDown = away
					b.Run(fmt.Sprintf("hosts=%d/sets=%t", n, !away), func(b *testing.B) { benchLive(b, service, stageViewer(n)) })
				}
			}
		})
	}
}

// noQueue ignores tasks.
type noQueue struct{}

// Refresh implements [live.Queue].
func (noQueue) Refresh(context.Context, []feed.UserID) error { return nil }

// Dispatch implements [live.Queue].
func (noQueue) Dispatch(context.Context, []feed.Dispatchable[feed.PostID]) error { return nil }

func benchLive(b *testing.B, service *feedtest.Service, viewer feed.UserID) {
	// The first page requests what is missing: the inbox and the sets.
	queue := service.Live.Feed.Queue
	defer func() { service.Live.Feed.Queue = queue }()
	for range 2 {
		if _, err := service.Live.Feed.Page(b.Context(), viewer, live.Query{}); err != nil {
			b.Fatal(err)
		}
		if err := service.Work(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	service.Live.Feed.Queue = noQueue{}
	for b.Loop() {
		page, err := service.Live.Feed.Page(b.Context(), viewer, live.Query{})
		if err != nil || len(page.Entries) == 0 {
			b.Fatal(page, err)
		}
	}
}
