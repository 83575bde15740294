package bench_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/capacity"
	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
)

// importedTables are the tables that an import fills.
func importedTables() []string {
	return []string{"users", "user_counters", "user_words", "contents", "content_counters", "follows", "reactions"}
}

// tables returns the sizes of tables, including their indexes.
func (s *site) tables(names ...string) map[string]capacity.Table {
	s.b.Helper()
	out := map[string]capacity.Table{}
	for _, name := range names {
		out[name] = capacity.Table{
			Rows:  s.number(`SELECT count(*) FROM ` + name),
			Bytes: s.number(`SELECT pg_total_relation_size($1::regclass)`, name),
		}
	}
	return out
}

// firstReaders is the number of viewers whose first read is measured.
const firstReaders = 2000

// The rate and connections of reads of known viewers. The rate is low, so that concurrent reads
// rarely share statements. It is constant, because the process caches counters for a second.
const (
	againPerSecond = 100
	againConns     = 4
	againFor       = 10 * time.Second
)

// costReads measures reads of viewers new to the process, in sequence, and reads of known viewers.
func (s *site) costReads(p *capacity.Point, m *meter) {
	s.b.Helper()
	// The first viewers of the steps have been read before.
	few := min(firstReaders, len(s.size.Crowd().Users())/4)
	first := s.home(m.api, s.spread(few, 1), 1)
	p.First = m.of(float64(few), func() { must(s.b, readAll(s.b.Context(), m.api.Addr, first)) })
	again := s.home(m.api, s.spread(growViewers, 0), 1)
	m.api.warm(s.b, again)
	var read drive.Result
	// The divisor, the number of reads, is known only after the run.
	all := m.of(1, func() {
		var err error
		read, err = drive.Run(s.b.Context(), drive.Load{
			Addr: m.api.Addr, Conns: againConns, Rate: againPerSecond, For: againFor, Next: again.Next,
		})
		must(s.b, err)
	})
	p.Again = all.Times(1 / float64(read.Requests))
	tell(fmt.Sprintf("a first read %+v, again %+v", p.First, p.Again))
}

// together runs work n times concurrently and joins the errors.
func together(n int, work func(i int) error) error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// ordinaryPublishes is the number of users who publish one post each.
const ordinaryPublishes = 1000

// costOrdinary publishes posts of users from the whole crowd, a few concurrently, and waits until
// all are pushed.
func (s *site) costOrdinary(p *capacity.Point, m *meter) {
	s.b.Helper()
	authors := s.spread(ordinaryPublishes, 2)
	// The most followed users have adjacent ids. Shuffle, so that they do not publish at the same
	// time.
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(authors), func(i, j int) { authors[i], authors[j] = authors[j], authors[i] })
	p.Ordinary.Count = ordinaryPublishes
	p.Ordinary.Entries = s.number(`SELECT COALESCE(sum(followers), 0) FROM user_counters WHERE user_id = ANY($1)`, authors)
	p.Ordinary.Each = m.of(ordinaryPublishes, func() {
		must(s.b, together(builders, func(i int) error {
			for n := i; n < len(authors); n += builders {
				if _, err := page.Publish(s.b.Context(), m.api.Server, authors[n], "nothing much"); err != nil {
					return err
				}
			}
			return nil
		}))
		must(s.b, s.settled(s.b.Context()))
	})
	tell(fmt.Sprintf("an ordinary publish to %d followers in the mean %+v", p.Ordinary.Entries/p.Ordinary.Count, p.Ordinary.Each))
}

// starPublishes is the number of posts of the star, equal for all sizes. The memory that Redis
// over-allocates depends on the number of appends.
const starPublishes = 3

// costStar publishes posts of the star in sequence, each after the last follower has the previous
// one.
func (s *site) costStar(p *capacity.Point, m *meter, followers []int64) {
	s.b.Helper()
	last := followers[len(followers)-1]
	var took []float64
	var id int64
	p.Star.Count, p.Star.Entries = starPublishes, int64(starPublishes*len(followers))
	p.Star.Each = m.of(starPublishes, func() {
		for range starPublishes {
			began := time.Now()
			var err error
			id, err = page.Publish(s.b.Context(), m.api.Server, s.size.Star(), "news")
			must(s.b, err)
			must(s.b, s.settledWithin(s.b.Context(), patience*time.Duration(1+len(followers)/100_000)))
			took = append(took, time.Since(began).Seconds())
		}
	})
	must(s.b, s.sees(m.api, last, id))
	tell(fmt.Sprintf("a publish of the star %+v", p.Star.Each))
	p.Star.Seconds = bench.Median(took)
}
