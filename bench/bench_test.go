package bench_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/bench"
)

// example is a report of two comparisons: more is better in the first, less in the second.
func example() *bench.Report {
	r := &bench.Report{Commit: "abc1234", Command: "make bench", Date: "today", Machine: "two cores", Figures: map[string][]float64{
		"ours": {30, 10, 20}, "theirs": {10, 10, 10}, "seconds": {0.3, 0.1, 0.2}, "half": {1},
	}}
	r.Compare([]bench.Goal{
		{ID: "a", What: "ours / theirs", Over: "ours", Under: "theirs", Goal: 2},
		{ID: "b", What: "seconds", Over: "seconds", Goal: 0.15, AtMost: true},
		{ID: "c", What: "measured in one round only", Over: "ours", Under: "half", Goal: 10},
		{ID: "d", What: "not measured", Over: "nothing", Under: "theirs", Goal: 1},
	})
	return r
}

// Ratios are computed per round, and the median counts.
func TestCompare(t *testing.T) {
	want := []bench.Row{
		{ID: "a", What: "ours / theirs", Goal: 2, Ratios: []float64{3, 1, 2}, Median: 2},
		{ID: "b", What: "seconds", Goal: 0.15, AtMost: true, Ratios: []float64{0.3, 0.1, 0.2}, Median: 0.2},
		{ID: "c", What: "measured in one round only", Goal: 10, Ratios: []float64{30}, Median: 30},
	}
	rows := example().Rows
	same(t, "the rows", rows, want)
	if !rows[0].Met() || rows[1].Met() {
		t.Error("Met must hold for a median at the goal, and not for one above a maximum")
	}
}

// The rounds of several runs count as those of one.
func TestAdd_JoinsRounds(t *testing.T) {
	var sum bench.Report
	for _, seconds := range []float64{3, 1} {
		sum.Add(&bench.Report{Commit: "abc1234", Figures: map[string][]float64{"seconds": {seconds, 2}}})
	}
	want := bench.Report{Commit: "abc1234", Figures: map[string][]float64{"seconds": {3, 2, 1, 2}}}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("the sum differs (-want +got):\n%s", diff)
	}
}

// The table has the command and, for each comparison, goal, median and range.
func TestTable(t *testing.T) {
	var out strings.Builder
	check(t, example().Table(&out))
	want := `make bench
commit abc1234, today
two cores

what                        goal     median  range of rounds  reached
ours / theirs               ≥ 2.00   2.00    1.00 … 3.00      yes
seconds                     ≤ 0.150  0.200   0.100 … 0.300    no
measured in one round only  ≥ 10.0   30.0    30.0 … 30.0      yes
`
	same(t, "the table", out.String(), want)
}

// A warning names each ratio that is worse by more than the tolerance, in either direction of the
// goal, and nothing else.
func TestWarnings(t *testing.T) {
	now := example()
	now.Rows[0].Median, now.Rows[1].Median, now.Rows[2].Median = 1.4, 0.26, 29
	want := []string{
		"ours / theirs: 1.40, was 2.00 at commit abc1234",
		"seconds: 0.260, was 0.200 at commit abc1234",
	}
	same(t, "the warnings", bench.Warnings(example(), now, bench.Tolerance), want)
	better := example()
	better.Rows[0].Median, better.Rows[1].Median = 4, 0.05
	if got := bench.Warnings(example(), better, bench.Tolerance); got != nil {
		t.Errorf("warnings about better ratios: %v", got)
	}
}
