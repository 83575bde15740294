package bench_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
	"github.com/tideline-feeds/tideline/internal/loadgen/world"
)

// Either program has so many turns, and is loaded so long in each.
const (
	compareRounds = 7
	compareLoad   = 3 * time.Second
)

// BenchmarkCompare has another program of this project, the one at BENCH_BASE, serve the
// pages that this one serves, in turns, and prints for each page what part of the other one's
// processor time this one takes, of all processes together, and how many times as many pages
// it serves meanwhile. scripts/bench.sh runs it with BENCH=compare.
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
	for i, one := range before {
		var cheaper, faster []float64
		for range compareRounds {
			was, is := one.measure(s), after[i].measure(s)
			cheaper = append(cheaper, is.All()/was.All())
			faster = append(faster, float64(is.Read)/float64(was.Read))
			tell(fmt.Sprintf("%s: %.0f µs, and here %.0f (the server %.0f and %.0f); %d pages, and here %d",
				one.what, was.All(), is.All(), was.Server, is.Server, was.Read, is.Read))
		}
		tell(fmt.Sprintf("%s: %.3f of the time, %.3f times the pages", one.what, bench.Median(cheaper), bench.Median(faster)))
	}
}

// compared starts servers that keep inboxes in Redis, and in SQL, and one without caches.
func (s *site) compared() []profiled {
	s.b.Helper()
	crowd := s.size.Crowd().Users()[:fullTiming.viewers]
	var out []profiled
	serve := func(what string, settings ...string) *server {
		v := s.tideline(settings...)
		book := s.home(v, crowd, 1)
		v.warm(s.b, book)
		out = append(out, profiled{what: what, server: v, read: v.loaded(book, compareLoad)})
		return v
	}
	main := serve("warm")
	live, err := page.LivePages(main.Server, s.size, world.Few().Users())
	must(s.b, err)
	out = append(out, profiled{what: "live", server: main, read: main.loaded(live, compareLoad)})
	serve("uncached", "TIDELINE_CACHE_MB=0")
	serve("sql", "TIDELINE_INBOX=sql")
	return out
}
