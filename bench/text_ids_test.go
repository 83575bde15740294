package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/bench"
)

// textIDsRounds is the number of turns of each mode.
const textIDsRounds = 9

// BenchmarkTextIDs compares the CPU time of pages where ids are text with that where they are
// numbers, in turns. Both networks have the same ids, so the pages have the same bytes.
// scripts/bench.sh runs it with BENCH=textids.
func BenchmarkTextIDs(b *testing.B) {
	first := newSite(b, quickSize, smallThreshold)
	numbers := first.pagesByIDs()
	b.Setenv("TIDELINE_IDS", "text")
	second := newSite(b, quickSize, smallThreshold)
	texts := second.pagesByIDs()
	first.settle()
	second.settle()
	ratios := make([][]float64, len(texts))
	for round := range textIDsRounds {
		for i := range texts {
			pair := []pageOfSite{numbers[i], texts[i]}
			var costs [2]bench.PageCost
			for turn := range pair {
				mode := (turn + round) % 2 // each mode begins in half of the rounds
				costs[mode] = pair[mode].measure(pair[mode].site)
			}
			number, text := costs[0], costs[1]
			ratios[i] = append(ratios[i], systemOf(text)/systemOf(number))
			tell(fmt.Sprintf("%s: %s µs with texts, %s with numbers (servers %s and %s, PostgreSQL %s and %s): %.3f", text.What,
				bench.Number(systemOf(text)), bench.Number(systemOf(number)), bench.Number(text.Server), bench.Number(number.Server),
				bench.Number(text.Postgres), bench.Number(number.Postgres), ratios[i][round]))
		}
	}
	for i, p := range texts {
		tell(fmt.Sprintf("%s: texts / numbers, median of %d: %.3f", p.what, textIDsRounds, bench.Median(ratios[i])))
	}
}

// systemOf returns the CPU time of a page without that of the load generator.
func systemOf(p bench.PageCost) float64 { return p.All() - p.Generator }

// pageOfSite is a kind of page of a network.
type pageOfSite struct {
	profiled
	site *site
}

// pagesByIDs starts a server with inboxes in Redis, and one without caches.
func (s *site) pagesByIDs() []pageOfSite {
	s.b.Helper()
	crowd := s.size.Crowd().Users()[:quickTiming.viewers]
	var out []pageOfSite
	for _, kind := range []struct{ what, setting string }{{"warm page", ""}, {"page without caches", "TIDELINE_CACHE_MB=0"}} {
		v := s.tideline(strings.Fields(kind.setting)...)
		requests := s.home(v, crowd, 1)
		v.warm(s.b, requests)
		out = append(out, pageOfSite{profiled{what: kind.what, server: v, read: v.loaded(requests, compareLoad)}, s})
	}
	return out
}
