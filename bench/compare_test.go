package bench_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// The turns of each program, and the load time of each turn.
const (
	compareRounds = 7
	compareLoad   = 3 * time.Second
)

// BenchmarkCompare compares this program with another version of it, the one at BENCH_BASE, in
// interleaved turns. For each page it prints the ratios of total CPU time and of throughput, and
// for a fan-out the same per entry. scripts/bench.sh runs it with BENCH=compare.
func BenchmarkCompare(b *testing.B) {
	base := os.Getenv("BENCH_BASE")
	if base == "" {
		b.Skip("BENCH_BASE names no program")
	}
	s := newSite(b, fullSize, smallThreshold)
	ours := s.program
	s.program = base
	before := s.compared()
	s.program = ours
	after := s.compared()
	s.settle()
	for i, one := range before {
		var cheaper, faster []float64
		for range compareRounds {
			was, is := one.measure(s), after[i].measure(s)
			cheaper = append(cheaper, is.All()/was.All())
			faster = append(faster, is.PerSecond/was.PerSecond)
			tell(fmt.Sprintf("%s: %s µs, and here %s (the server %s and %s, PostgreSQL %s and %s, Redis %s and %s); %s times as many",
				one.what, bench.Number(was.All()), bench.Number(is.All()), bench.Number(was.Server), bench.Number(is.Server),
				bench.Number(was.Postgres), bench.Number(is.Postgres), bench.Number(was.Redis), bench.Number(is.Redis),
				bench.Number(faster[len(faster)-1])))
		}
		tell(fmt.Sprintf("%s: %.3f of the processors, %.3f times as many", one.what, bench.Median(cheaper), bench.Median(faster)))
	}
}

// compared starts three servers: with inboxes in Redis, with inboxes in SQL, and without caches.
func (s *site) compared() []profiled {
	s.b.Helper()
	crowd := s.size.Crowd().Users()[:fullTiming.viewers]
	var out []profiled
	serve := func(what string, settings ...string) *server {
		v := s.tideline(settings...)
		requests := s.home(v, crowd, 1)
		v.warm(s.b, requests)
		out = append(out, profiled{what: what, server: v, read: v.loaded(requests, compareLoad)})
		return v
	}
	main := serve("warm")
	live, err := page.LivePages(main.Server, s.size, world.Few().Users())
	must(s.b, err)
	out = append(out, profiled{what: "live", server: main, read: main.loaded(live, compareLoad)})
	serve("uncached", "TIDELINE_CACHE_MB=0")
	serve("sql", "TIDELINE_INBOX=sql")
	// Measure this last, because the pushed posts change the pages.
	main.warm(s.b, s.home(main, s.size.StarFollowers(), 1))
	return append(out, profiled{what: "entry of a fan-out", server: main, read: func(ctx context.Context) (int64, error) {
		_, err := s.fanout(ctx, fullTiming, main)
		return int64(fullTiming.publishes) * s.size.Followers, err
	}})
}
