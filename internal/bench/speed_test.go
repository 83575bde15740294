package bench_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/loadgen/world"
)

// The networks that are measured. Everybody follows enough to have a full inbox and fifteen
// full pages.
var (
	fullSize  = world.Size{Seed: 1, Users: 10_200, Follows: 60, Posts: 15, Followers: 10_000, Live: true}
	quickSize = world.Size{Seed: 1, Users: 2_000, Follows: 60, Posts: 15, Followers: 1_000, Live: true}

	fullTiming  = timing{rounds: 5, load: 3 * time.Second, alone: time.Second, publishes: 10, viewers: 1000}
	quickTiming = timing{quick: true, rounds: 3, load: 500 * time.Millisecond, alone: 200 * time.Millisecond, publishes: 10, viewers: 200}
)

// BenchmarkSpeed measures all comparisons of [bench.Goals] in one run. It is run once, by
// scripts/bench.sh: with BENCH=quick it takes about a minute and says little, and without
// some ten. BENCH_OUT is the file that the report goes to, as JSON, and BENCH_ONLY may name
// contenders to run alone.
func BenchmarkSpeed(b *testing.B) {
	size, t := fullSize, fullTiming
	if os.Getenv("BENCH") == "quick" {
		size, t = quickSize, quickTiming
	}
	s := newSite(b, size)
	main := s.tideline()
	got := figures{}
	progress := func(line string) { fmt.Fprintln(os.Stderr, time.Now().UTC().Format(time.TimeOnly), line) }
	phases := [][]contender{s.readers(t, main), newInboxes(b).contenders(b, t), s.fanouts(t, main)}
	for _, contenders := range phases {
		must(b, got.measure(b.Context(), t.rounds, contenders, progress))
	}
	report(b, got, t.quick)
}

// report writes what was measured.
func report(b *testing.B, got figures, quick bool) {
	b.Helper()
	r := &bench.Report{
		Commit: commit(b), Command: "make bench", Date: time.Now().UTC().Format(time.DateTime) + " UTC",
		Machine: machine(b), Quick: quick, Figures: got,
	}
	r.Compare(bench.Goals())
	must(b, r.Table(os.Stderr))
	out, err := json.MarshalIndent(r, "", "  ")
	must(b, err)
	if name := os.Getenv("BENCH_OUT"); name != "" {
		must(b, os.WriteFile(name, append(out, '\n'), 0o600))
	}
}

// commit returns what is measured, with a mark when files have been changed since.
func commit(b *testing.B) string {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), "git", "describe", "--always", "--dirty", "--abbrev=7").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// machine tells what it was measured on, and how busy that was.
func machine(b *testing.B) string {
	b.Helper()
	load, err := os.ReadFile(filepath.Join("/proc", "loadavg"))
	must(b, err)
	fields := strings.Fields(string(load))
	return fmt.Sprintf("%s %s/%s, %d cores, load average %s over 15 minutes",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), fields[2])
}
