package bench_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// The measured networks. All users follow enough to have a full inbox and fifteen full pages.
var (
	fullSize  = world.Size{Seed: 1, Users: 10_200, Follows: 60, Posts: 15, Followers: 10_000, Live: true}
	quickSize = world.Size{Seed: 1, Users: 2_000, Follows: 60, Posts: 15, Followers: 1_000, Live: true}

	fullTiming  = timing{rounds: 5, ofPages: 15, ahead: time.Second, load: 1500 * time.Millisecond, alone: time.Second, publishes: 100, viewers: 1000}
	quickTiming = timing{quick: true, rounds: 3, ofPages: 3, ahead: 200 * time.Millisecond, load: 500 * time.Millisecond, alone: 200 * time.Millisecond, publishes: 10, viewers: 200}
)

// BenchmarkSpeed measures all comparisons of [bench.Goals] in one run; scripts/bench.sh runs it. By
// default it takes a quarter of an hour and stores the result. With BENCH=quick it takes about a
// minute, and stores its report in the file BENCH_STORE, if that is set: networks of another size
// have other ratios.
func BenchmarkSpeed(b *testing.B) {
	size, t := fullSize, fullTiming
	if os.Getenv("BENCH") == "quick" {
		size, t = quickSize, quickTiming
	}
	r := newReport(b, "scripts/bench.sh", t.quick)
	s := newSite(b, size, smallThreshold)
	main := s.tideline()
	got := figures{}
	measure := func(rounds int, contenders []contender) {
		s.settle()
		must(b, got.measure(b.Context(), rounds, contenders, tell))
	}
	measure(t.ofPages, s.readers(t, main))
	s.leave(main)
	measure(t.rounds, append(newInboxes(b).contenders(b, t), s.execution(t)))
	measure(t.rounds, s.fanouts(t, main))
	if !t.quick {
		measure(t.rounds, s.fanoutsApart(t, main))
	}
	r.Figures = got
	r.Compare(bench.Goals())
	must(b, r.Table(os.Stderr))
	switch {
	case !t.quick:
		store(b, "speed", r)
	case os.Getenv("BENCH_STORE") != "":
		must(b, os.WriteFile(os.Getenv("BENCH_STORE"), marshal(b, r), 0o600))
	}
}

// tell prints the progress of a run.
func tell(line string) { fmt.Fprintln(os.Stderr, time.Now().UTC().Format(time.TimeOnly), line) }

// newReport returns a report with the time and place of the measurement.
func newReport(b *testing.B, command string, quick bool) *bench.Report {
	b.Helper()
	return &bench.Report{
		Commit: commit(b), Command: command, Date: time.Now().UTC().Format(time.DateTime) + " UTC",
		Machine: machine(b), Quick: quick,
	}
}

// store writes a result as JSON and as a readable table, and shows it on the page.
func store(b *testing.B, name string, result interface {
	Table(io.Writer) error
	Markdown() string
},
) {
	b.Helper()
	var table strings.Builder
	must(b, result.Table(&table))
	page, err := os.ReadFile(pageOf(name))
	must(b, err)
	filled, err := bench.Fill(string(page), name, result.Markdown())
	must(b, err)
	for file, text := range map[string]string{
		results + name + ".json": string(marshal(b, result)), results + name + ".txt": table.String(), pageOf(name): filled,
	} {
		must(b, os.WriteFile(file, []byte(text), 0o600))
	}
}

// marshal returns a result as indented JSON.
func marshal(b *testing.B, result any) []byte {
	b.Helper()
	raw, err := json.MarshalIndent(result, "", "  ")
	must(b, err)
	return append(raw, '\n')
}

// commit returns the measured commit, with a suffix if files outside docs have changed since.
func commit(b *testing.B) string {
	b.Helper()
	name, err := git(b, "rev-parse", "--short=7", "HEAD")
	if err != nil {
		return "unknown"
	}
	if changed, err := git(b, "status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)docs"); err != nil || changed != "" {
		name += "-dirty"
	}
	return name
}

// git returns the output of a git command.
func git(b *testing.B, args ...string) (string, error) {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), "git", args...).Output()
	return strings.TrimSpace(string(out)), err
}

// machine describes the machine and its load.
func machine(b *testing.B) string {
	b.Helper()
	load, err := os.ReadFile(filepath.Join("/proc", "loadavg"))
	must(b, err)
	before, _, _ := strings.Cut(string(load), " ")
	return fmt.Sprintf("%s %s/%s, %d cores, load average %s before",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), before)
}
