package bench_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/bench"
)

// A sample counts for the innermost function with a category, and for its longest matching prefix.
func TestShares(t *testing.T) {
	shares := bench.Shares(sampled(map[string]int64{
		"net/http.serve github.com/tideline-feeds/tideline/internal/edge/guard.spend runtime.memmove": 40,
		"net/http.serve github.com/tideline-feeds/tideline/resolvers.page":                            30,
		"net/http.serve syscall.write": 20,
		"main.main":                    10,
	}))
	got := map[string]float64{}
	for _, s := range shares {
		if s.Percent > 0 {
			got[s.What] = s.Percent
		}
	}
	want := map[string]float64{
		"tokens, limits, log, metrics": 40, "rest of GraphQL": 30, "kernel: sending, receiving, waking threads": 20, "other": 10,
	}
	same(t, "the shares", got, want)
}
