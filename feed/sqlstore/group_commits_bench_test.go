package sqlstore_test

import (
	"sync/atomic"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// BenchmarkGroupCommit measures likes and follows of 64 concurrent users on PostgreSQL, all of one
// row or each of another row.
func BenchmarkGroupCommit(b *testing.B) {
	const users = 50_000
	s := postgresBackend(b).open(b)
	var batch []feed.Record
	for id := range feed.UserID(users) {
		batch = append(batch, feed.Record{User: townUser(id + 1)},
			feed.Record{Post: &feed.Post{ID: feed.PostID(id + 1), Author: id + 1, Kind: feed.KindPost, Text: "hello", PublishedAt: townStart}})
	}
	importAll(b, s, batch)
	if err := s.Exec(b.Context(), "ANALYZE"); err != nil {
		b.Fatal(err)
	}
	var next atomic.Int64
	for _, c := range []struct {
		name string
		do   func(n int64) error
	}{
		{"like one", func(n int64) error {
			return s.React(b.Context(), feed.ReactionLike, feed.UserID(1+n%users), feed.PostID(1+n/users), townStart)
		}},
		{"like many", func(n int64) error {
			return s.React(b.Context(), feed.ReactionFavorite, feed.UserID(1+n%users), feed.PostID(1+(n+n/users)%users), townStart)
		}},
		{"follow one", func(n int64) error {
			return s.Follow(b.Context(), feed.UserID(users/2+n%(users/2)), feed.UserID(1+n/(users/2)), townStart, users)
		}},
		{"follow many", func(n int64) error {
			return s.Follow(b.Context(), feed.UserID(1+n%users), feed.UserID(1+(n*7919+n/users+11)%users), townStart, users)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetParallelism(32)
			next.Store(0)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := c.do(next.Add(1)); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "changes/s")
		})
	}
}
