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

// importedTables are those that an import fills.
func importedTables() []string {
	return []string{"users", "user_counters", "user_words", "contents", "content_counters", "follows", "reactions"}
}

// tables returns how much tables hold, with their indexes.
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

// firstReaders is how many viewers read for the first time when that is measured.
const firstReaders = 2000

// The rate of reads of known viewers: so low that hardly two come at once and share statements, and
// from as many connections as a busy machine needs for it. The rate is constant, because the number
// of counter reads, which the process caches for a second, depends on it.
const (
	againPerSecond = 100
	againConns     = 4
	againFor       = 10 * time.Second
)

// costReads measures reads of viewers new to the process, one after the other, and of known ones.
func (s *site) costReads(p *capacity.Point, m *meter) {
	s.b.Helper()
	// Those whose inboxes were read before stand at the beginnings of the steps.
	few := min(firstReaders, len(s.size.Crowd().Users())/4)
	first := s.home(m.api, s.spread(few, 1), 1)
	p.First = m.of(float64(few), func() { must(s.b, readAll(s.b.Context(), m.api.Addr, first)) })
	again := s.home(m.api, s.spread(growViewers, 0), 1)
	m.api.warm(s.b, again)
	var read drive.Result
	// What a read takes is known once they are counted.
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

// together runs work n times at once and returns all that failed.
func together(n int, work func(i int) error) error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// ordinaryPublishes is how many users publish when that is measured.
const ordinaryPublishes = 1000

// costOrdinary has users from all over the crowd publish, a few at once, and waits until all
// of it is pushed.
func (s *site) costOrdinary(p *capacity.Point, m *meter) {
	s.b.Helper()
	authors := s.spread(ordinaryPublishes, 2)
	// The most followed come first among the ids, so that neighbours would publish at once.
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

// starPublishes is how many posts of the star are published, in networks of all sizes: how
// much room Redis leaves in inboxes depends on how much was appended to them.
const starPublishes = 3

// costStar publishes posts of the star one after the other, each when the last of its
// followers has the one before.
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
