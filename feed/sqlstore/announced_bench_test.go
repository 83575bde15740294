package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// BenchmarkMarkAnnounced measures what an announcement adds to a publish in SQL, with or without
// subscribers: setting the flag, and a check that finds an open slice.
func BenchmarkMarkAnnounced(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			s := db.open(b)
			id := feed.PostID(0)
			b.Run("done", func(b *testing.B) {
				for b.Loop() {
					id++
					b.StopTimer()
					_, err := s.StorePlan(b.Context(), feed.Plan{Post: id}, 0)
					must(b, err)
					b.StartTimer()
					if first, err := s.MarkAnnounced(b.Context(), id); !first || err != nil {
						b.Fatal(first, err)
					}
				}
			})
			b.Run("not done", func(b *testing.B) {
				for b.Loop() {
					if first, err := s.MarkAnnounced(b.Context(), -1); first || err != nil {
						b.Fatal(first, err)
					}
				}
			})
		})
	}
}

// BenchmarkFollowersAmong asks which of a thousand subscribers follow an author; one in three does.
// It is the cost of an announcement by a popular author per thousand subscribers.
func BenchmarkFollowersAmong(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			s := db.open(b)
			var batch []feed.Record
			users := make([]feed.UserID, 1000)
			for i := range users {
				users[i] = feed.UserID(i + 1)
				batch = append(batch, feed.Record{User: townUser(users[i])})
			}
			for i := 2; i < len(users); i += 3 {
				batch = append(batch, feed.Record{Follow: &feed.FollowRecord{Follower: users[i], Followee: 1, CreatedAt: 1}})
			}
			_, err := s.Apply(b.Context(), feed.Batch{Records: batch})
			must(b, err)
			for b.Loop() {
				if ids, err := s.FollowersAmong(b.Context(), 1, users); len(ids) != 333 || err != nil {
					b.Fatal(len(ids), err)
				}
			}
		})
	}
}
