package subscribe_test

import (
	"runtime"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// idle is the number of subscribers of one process.
const idle = 10_000

// subscribers returns subscriptions of different viewers.
func subscribers(b *testing.B) []*subscribe.Subscription {
	b.Helper()
	store := memstore.New(nil)
	follower := &changes.Follower{Log: store, Cache: noCache{}}
	s := &subscribe.Subscriptions{
		Places: follower, Audience: store, Policy: feed.DefaultPolicy(),
		Viewers: &timeline.Direct{Posts: store, Primary: store, Relations: store},
	}
	follower.Observe(s)
	subs := make([]*subscribe.Subscription, idle)
	for i := range subs {
		sub, err := s.Subscribe(b.Context(), feed.UserID(i+1), subscribe.Query{})
		if err != nil {
			b.Fatal(err)
		}
		subs[i] = sub
	}
	return subs
}

// BenchmarkIdleSubscribers measures the memory of an idle subscriber without its connection.
func BenchmarkIdleSubscribers(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		subs := subscribers(b)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc+after.StackInuse-before.HeapAlloc-before.StackInuse)/idle, "B/subscriber")
		for _, sub := range subs {
			sub.Close()
		}
	}
}
