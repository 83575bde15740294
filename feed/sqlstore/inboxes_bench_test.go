package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// BenchmarkInboxRead reads a page of twenty of a full inbox among many, at its top and near its
// end. Both must cost the same.
func BenchmarkInboxRead(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			s := manyInboxes(b, db, inboxKinds()[0])
			size := feed.DefaultPolicy().PageDefault
			for name, below := range map[string]feed.Key{"top": feed.Top, "deep": inboxKey(31)} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						in, err := s.Read(b.Context(), 7, feed.Range{Below: below, Limit: size})
						if err != nil || len(in.Keys) != size {
							b.Fatalf("Read returned %d keys, %v", len(in.Keys), err)
						}
					}
				})
			}
		})
	}
}

// BenchmarkInboxPush pushes one key to a batch of full inboxes, so that every push
// trims.
func BenchmarkInboxPush(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			s := manyInboxes(b, db, inboxKinds()[0])
			viewers := inboxViewers(sqlstore.PushMost)
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
}

// BenchmarkInboxBuild fills an inbox to its cap.
func BenchmarkInboxBuild(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			s := manyInboxes(b, db, inboxKinds()[0])
			for b.Loop() {
				readyInbox(b, s, 7, feed.DefaultPolicy().InboxCap)
			}
		})
	}
}
