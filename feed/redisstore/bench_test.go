package redisstore_test

import (
	"fmt"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// benchmarkInboxes runs a benchmark on inboxes of the default cap, in a real Redis
// and in the embedded one.
func benchmarkInboxes(b *testing.B, run func(b *testing.B, s feed.Inboxes)) {
	cap := feed.DefaultPolicy().InboxCap
	b.Run("redis", func(b *testing.B) { run(b, newInboxes(open(b, testenv.Redis(b)), cap)) })
	b.Run("embedded", func(b *testing.B) { run(b, newInboxes(embedded(b).Client(), cap)) })
}

// BenchmarkRead reads one page of twenty of a full inbox, at its top and near its
// end. The two must cost the same.
func BenchmarkRead(b *testing.B) {
	policy := feed.DefaultPolicy()
	for name, below := range map[string]feed.Key{
		"top":  feed.Top,
		"deep": {TS: 1700000030000, ID: 31},
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkInboxes(b, func(b *testing.B, s feed.Inboxes) {
				ready(b, s, viewer, policy.InboxCap)
				for b.Loop() {
					in, err := s.Read(b.Context(), viewer, feed.Range{Below: below, Limit: policy.PageDefault})
					if err != nil || len(in.Keys) != policy.PageDefault {
						b.Fatalf("Read returned %d keys, %v", len(in.Keys), err)
					}
				}
			})
		})
	}
}

// BenchmarkPush pushes one key to a batch of full inboxes, so that every push trims.
func BenchmarkPush(b *testing.B) {
	policy := feed.DefaultPolicy()
	benchmarkInboxes(b, func(b *testing.B, s feed.Inboxes) {
		var viewers []feed.UserID
		for v := range policy.PushBatch {
			viewers = append(viewers, feed.UserID(v+1))
			ready(b, s, feed.UserID(v+1), policy.InboxCap)
		}
		k := feed.Key{TS: 1800000000000, ID: 1 << 40}
		for b.Loop() {
			k = k.Next()
			if n, err := s.Push(b.Context(), viewers, k); err != nil || n != len(viewers) {
				b.Fatalf("Push served %d, %v", n, err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(viewers)), "ns/inbox")
	})
}

// BenchmarkSetsRead reads what hosts have upcoming and live, two sessions each, for the
// first page of viewers who follow few and many of them.
func BenchmarkSetsRead(b *testing.B) {
	for _, many := range []int{10, 100, 1800} {
		b.Run(fmt.Sprint(many, " hosts"), func(b *testing.B) {
			b.Run("redis", func(b *testing.B) { benchmarkSetsRead(b, open(b, testenv.Redis(b)), many) })
			b.Run("embedded", func(b *testing.B) { benchmarkSetsRead(b, embedded(b).Client(), many) })
		})
	}
}

func benchmarkSetsRead(b *testing.B, c *redisstore.Client, many int) {
	s := newSets(c)
	hosts := make([]feed.UserID, many)
	for i := range hosts {
		hosts[i] = feed.UserID(i + 1)
		writeSet(b, s, hosts[i], live.Set{Number: 1, Open: programme(1).Open[:2]})
	}
	for b.Loop() {
		if sets, err := s.Read(b.Context(), 1, hosts, 101); err != nil || len(sets[many-1].Open) != 2 {
			b.Fatalf("Read returned %d sets, %v", len(sets), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*many), "ns/host")
}

// BenchmarkAnnounce announces a post without listeners, and to one listening process.
func BenchmarkAnnounce(b *testing.B) {
	url := testenv.Redis(b)
	a := redisstore.NewAnnouncements(open(b, url))
	announce := func(b *testing.B) {
		for b.Loop() {
			if err := a.Announce(b.Context(), feed.Announcement{Post: 1 << 62, Author: 1}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("nobody listens", announce)
	ready := make(chan struct{})
	go func() { _ = a.Listen(b.Context(), func() { close(ready) }, func(feed.Announcement) {}) }()
	<-ready
	b.Run("one listens", announce)
}
