package sqlstore_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// benchUsers is the number of users to follow and to publish, benchBatch the number of records per
// import.
const (
	benchUsers = 10_000
	benchBatch = 10_000
)

// BenchmarkImport imports batches of new records, so that the store grows with the run, and reports
// records per second.
func BenchmarkImport(b *testing.B) {
	for _, db := range backends(b) {
		b.Run(db.name, func(b *testing.B) {
			for name, record := range map[string]func(i int) feed.Record{
				"users":   benchUser,
				"follows": benchFollow(),
				"posts":   func(i int) feed.Record { return feed.Record{Post: townPost(i)} },
			} {
				b.Run(name, func(b *testing.B) { benchImports(b, db.open(b), record) })
			}
		})
	}
}

func benchImports(b *testing.B, s *sqlstore.Store, record func(i int) feed.Record) {
	users := make([]feed.Record, benchUsers)
	for i := range users {
		users[i] = feed.Record{User: townUser(feed.UserID(i + 1))}
	}
	benchImport(b, s, users)
	batch, n := make([]feed.Record, benchBatch), 0
	for b.Loop() {
		for i := range batch {
			batch[i] = record(n)
			n++
		}
		benchImport(b, s, batch)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
}

func benchImport(b *testing.B, s *sqlstore.Store, batch []feed.Record) {
	b.Helper()
	result, err := s.Apply(b.Context(), feed.Batch{Records: batch})
	if err != nil || len(result.Bad) > 0 {
		b.Fatal(err, result.Bad)
	}
}

// benchUser is the i-th user after those that every store has.
func benchUser(i int) feed.Record {
	return feed.Record{User: townUser(feed.UserID(benchUsers + 1 + i))}
}

// benchFollow draws random edges, the hardest import for a database, because every edge goes to
// another place in every index. The seed is fixed, so every run imports the same graph.
func benchFollow() func(int) feed.Record {
	random := rand.New(rand.NewPCG(1, 2))
	return func(int) feed.Record {
		follower := random.IntN(benchUsers)
		followee := (follower + 1 + random.IntN(benchUsers-1)) % benchUsers
		return followOf(feed.UserID(1+follower), feed.UserID(1+followee))
	}
}
