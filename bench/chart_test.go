package bench_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/bench"
)

// growth returns an example of three sizes.
func growth() *bench.Growth {
	g := &bench.Growth{}
	for i, users := range []int64{10_000, 100_000, 1_000_000} {
		f := float64(i + 1)
		g.Put(bench.Capacity{
			Commit: "abc1234", Date: "today", Machine: "two cores",
			Users: users, Follows: users * 100, Contents: users * 5, Followers: users, ImportSeconds: 30 * f, RecordsPerSecond: 30_000,
			DatabaseBytes: users * 5000, Inboxes: users, RedisBytes: users * 3000, BytesPerEntry: 40, ReadsPerSecond: 9000 / f,
			ReadP50Millis: f, ReadP99Millis: 3 * f, BuildP50Millis: 9 * f, FanoutPerSecond: 200_000, LastSeconds: 0.05 * f, AloneSeconds: 0.04 * f,
		})
	}
	return g
}

// Texts are escaped.
func TestChart_EscapesText(t *testing.T) {
	var svg strings.Builder
	chart := bench.Chart{Title: "a < b & c", Series: []bench.Series{{Name: "<script>", Users: []float64{10, 100}, Figures: []float64{5, 5}}}}
	check(t, chart.WriteSVG(&svg))
	if strings.Contains(svg.String(), "<script>") || !strings.Contains(svg.String(), "a &lt; b &amp; c") {
		t.Error(svg.String())
	}
}

// A new measurement replaces the stored one of the same size, and sizes stay in ascending order.
func TestGrowth_UpdatesMeasuredRowsOnly(t *testing.T) {
	g := growth()
	g.Put(bench.Capacity{Users: 100_000, Commit: "def5678"})
	g.Put(bench.Capacity{Users: 20_000})
	var got []int64
	for _, c := range g.Sizes {
		got = append(got, c.Users)
	}
	if want := []int64{10_000, 20_000, 100_000, 1_000_000}; !slices.Equal(got, want) || g.Sizes[2].Commit != "def5678" {
		t.Errorf("the sizes are %v, and 100,000 users are of %q", got, g.Sizes[2].Commit)
	}
}

// An unmeasured figure is a dash in the table and no point of a chart.
func TestGrowth_LeavesOutWhatWasNotMeasured(t *testing.T) {
	g := growth()
	g.Sizes[1].RecordsPerSecond, g.Sizes[1].ImportSeconds = 0, 0
	if !strings.Contains(g.Markdown(), "| import, seconds | 30.0 | – | 90.0 |") {
		t.Error(g.Markdown())
	}
	if points := g.Charts()["capacity-rates.svg"].Series[0].Users; !slices.Equal(points, []float64{10_000, 1_000_000}) {
		t.Errorf("the line of imports has points at %v", points)
	}
}
