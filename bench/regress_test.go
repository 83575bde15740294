package bench_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/bench"
)

// regressRounds is the number of quick runs of each tree. Each has three rounds, so nine ratios count.
const regressRounds = 3

// BenchmarkRegress runs the quick comparisons of an earlier commit and of this tree in turns, each
// with its own programs and data, and fails for each row that has become worse by a fifth. BENCH_BASE
// is the earlier commit's folder. scripts/bench.sh runs it with BENCH=regress.
func BenchmarkRegress(b *testing.B) {
	base := os.Getenv("BENCH_BASE")
	if base == "" {
		b.Skip("BENCH_BASE names no folder")
	}
	root, err := filepath.Abs("..")
	must(b, err)
	now := filepath.Join(b.TempDir(), "now.json")
	var before, after bench.Report
	for range regressRounds {
		// The name of a stored quick result in commits that ignore the value of BENCH_STORE.
		before.Add(quickRun(b, base, filepath.Join(base, "docs", "benchmarks", "speed-quick.json")))
		after.Add(quickRun(b, root, now))
	}
	before.Compare(bench.Goals())
	after.Compare(bench.Goals())
	must(b, before.Table(os.Stderr))
	must(b, after.Table(os.Stderr))
	for _, line := range bench.Warnings(&before, &after, bench.Tolerance) {
		b.Error(line)
	}
}

// quickRun measures the quick comparisons of a tree, which stores its report in a file.
func quickRun(b *testing.B, tree, file string) *bench.Report {
	b.Helper()
	tell("measuring " + tree)
	run := exec.CommandContext(b.Context(), "go", "test", "-C", "bench", "-count=1", "-timeout=6h", "-run=^$", "-bench=^BenchmarkSpeed$", "-benchtime=1x", ".")
	run.Dir = tree
	run.Env = append(os.Environ(), "BENCH=quick", "BENCH_STORE="+file)
	if out, err := run.CombinedOutput(); err != nil {
		b.Fatal(fmt.Errorf("%s: %w\n%s", tree, err, out))
	}
	raw, err := os.ReadFile(file)
	must(b, err)
	var r bench.Report
	must(b, json.Unmarshal(raw, &r))
	return &r
}
