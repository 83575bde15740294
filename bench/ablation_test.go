package bench_test

import (
	"cmp"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench"
)

// variant is the program with one fast path disabled.
type variant struct {
	what string
	// lines is the number of product lines of the fast path. It is an estimate if these are part of
	// a file.
	lines int
	fate  string
	// setting or patch disables the fast path. patch is a file of testdata/ablation without its
	// extension, applied to the source before the build. The released program has no such switches.
	setting, patch string
}

// The fates of fast paths. ADR 39 explains why some remain although they save less than 5 %.
const (
	stays    = "stays"
	staysFor = "stays, see ADR 39"
	gone     = "removed"
)

// variants lists all fast paths. Removed ones keep their stored figures.
func variants() []variant {
	return []variant{
		{what: "all process caches", lines: 567, fate: stays, setting: "TIDELINE_CACHE_MB=0"},
		{what: "whole viewer cache", lines: 506, fate: stays, setting: "TIDELINE_VIEWER_CACHE=off"},
		{what: "read leases", lines: 267, fate: gone},
		{what: "viewer cache in Redis", lines: 254, fate: gone},
		{what: "combined first read of a viewer", lines: 78, fate: staysFor, patch: "survey"},
		{what: "early read of posts", lines: 67, fate: gone},
		{what: "post cache", lines: 32, fate: stays, patch: "posts"},
		{what: "profile cache", lines: 31, fate: staysFor, patch: "users"},
		{what: "counter cache", lines: 83, fate: staysFor, patch: "counters"},
		{what: "refresh of cache entries before they expire", lines: 94, fate: gone},
		{what: "fragment cache of the encoder", lines: 187, fate: gone},
		{what: "encoding by plan", lines: 392, fate: stays, patch: "plan"},
		{what: "reused response buffers", lines: 18, fate: gone},
		{what: "cached request bodies", lines: 49, fate: gone},
		{what: "cached tokens", lines: 40, fate: staysFor, patch: "tokens"},
		{what: "batched statements", lines: 374, fate: stays, patch: "statements"},
		{what: "batched inbox reads", lines: 96, fate: staysFor, patch: "inboxes"},
		{what: "generic plans on separate connections", lines: 20, fate: stays, patch: "plans"},
		{what: "data kept with a parsed document", lines: 12, fate: staysFor, patch: "documents"},
		{what: "one script call for 250 inboxes", lines: 25, fate: staysFor, patch: "push-group"},
		{what: "group commit and keyed mutex", lines: 181, fate: staysFor, patch: "group"},
		{what: "cached activity leases", lines: 68, fate: staysFor, patch: "activity"},
		{what: "ordered slices of one author's posts", lines: 66, fate: gone},
		{what: "posts of one author pushed together", lines: 100, fate: staysFor, setting: "TIDELINE_PUSH_TOGETHER=1"},
	}
}

// The load of one turn, in hundreds of pages. It is first saturated and then at [partialLoad] of
// the throughput of the first turn.
const (
	ablationRounds   = 4
	mainEvery        = 3 // paths are measured between two turns of the program as it is
	saturatedPages   = 60
	partialPages     = 20
	partialLoad      = 0.3
	ablationViewers  = 1000
	ablationStranger = mixedFirst * (saturatedPages + partialPages)
)

// BenchmarkAblation measures the mixed load with each fast path disabled in turn, interleaved with
// the unmodified program. scripts/bench.sh runs it with BENCH=ablation. BENCH_ONLY is a pattern of
// the paths to measure; the others keep their stored figures.
func BenchmarkAblation(b *testing.B) {
	only := regexp.MustCompile(os.Getenv("BENCH_ONLY"))
	a := &ablation{site: newSite(b, fullSize, smallThreshold)}
	a.place = a.ownPlace()
	main := &tried{variant: variant{what: ""}, program: a.program}
	paths := []*tried{}
	for _, v := range variants() {
		if v.fate != gone && only.MatchString(v.what) {
			paths = append(paths, &tried{variant: v, program: a.build(v)})
		}
	}
	a.fill(main)
	tell("filled")
	for round := range ablationRounds {
		awaitQuiet(b)
		a.turn(main, round)
		for group := range slices.Chunk(paths, mainEvery) {
			for _, p := range group {
				a.turn(p, round)
			}
			a.turn(main, round)
			for _, p := range group {
				p.compare(main)
			}
		}
	}
	storeAblation(b, main, paths)
}

// awaitQuiet waits until the file named by BENCH_GO exists, if it is set. This leaves time to stop
// other work on the machine after the build.
func awaitQuiet(b *testing.B) {
	b.Helper()
	if file := os.Getenv("BENCH_GO"); file != "" {
		must(b, until(b.Context(), time.Hour, func() (bool, error) {
			_, err := os.Stat(file)
			return err == nil, nil
		}))
	}
}

// tried is a variant with its figures.
type tried struct {
	variant
	program               string
	turns                 []bench.Mixed
	saves, savesAtPartial []float64
}

// compare compares the last turn with the mean of the unmodified program's turns before and after
// it.
func (t *tried) compare(main *tried) {
	without, n := t.turns[len(t.turns)-1], len(main.turns)
	before, after := main.turns[n-2], main.turns[n-1]
	saved := func(without, before, after float64) float64 { return 100 * (without - (before+after)/2) / without }
	t.saves = append(t.saves, saved(without.Saturated, before.Saturated, after.Saturated))
	t.savesAtPartial = append(t.savesAtPartial, saved(without.Partial, before.Partial, after.Partial))
}

// ablation runs one program at a time in one place.
type ablation struct {
	*site
	place place
	// rate is the throughput of the unmodified program in its first turn, in operations per second.
	rate float64
}

// build builds the program of a variant.
func (a *ablation) build(v variant) string {
	a.b.Helper()
	if v.patch == "" {
		return a.program
	}
	patch, err := filepath.Abs(filepath.Join("testdata", "ablation", v.patch+".patch"))
	must(a.b, err)
	tree := filepath.Join(a.b.TempDir(), "tree")
	run := func(dir, name string, args ...string) {
		cmd := exec.CommandContext(a.b.Context(), name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			a.b.Fatalf("%s: %s %v: %v\n%s", v.what, name, args, err, tail(out))
		}
	}
	run(".", "git", "worktree", "add", "--detach", tree, "HEAD")
	defer run(".", "git", "worktree", "remove", "--force", tree)
	run(tree, "git", "apply", patch)
	program := filepath.Join(a.b.TempDir(), "tideline")
	// With this flag, trees in different folders share the build cache.
	run(tree, "go", "build", "-trimpath", "-o", program, ".")
	return program
}

// viewers returns the viewers of the mixed load. Each stranger is used once per turn.
func (a *ablation) viewers() (known, strangers []int64) {
	crowd := a.size.Crowd().Users()
	return crowd[:ablationViewers], crowd[ablationViewers : ablationViewers+ablationStranger]
}

// fill builds the inboxes of all viewers.
func (a *ablation) fill(main *tried) {
	a.b.Helper()
	v := a.run(main)
	known, strangers := a.viewers()
	v.warm(a.b, a.home(v, slices.Concat(known, strangers), 1))
	a.end(v)
	a.settle()
}

// run starts a variant.
func (a *ablation) run(t *tried, settings ...string) *server {
	a.b.Helper()
	program := a.program
	a.program = t.program
	defer func() { a.program = program }()
	if t.setting != "" {
		settings = append(settings, t.setting)
	}
	return a.tidelineAt(a.place, settings...)
}

// end stops a server and waits until it exits.
func (a *ablation) end(v *server) {
	a.b.Helper()
	v.process.Kill()
	<-v.process.Done()
	_ = v.redis.Close()
}

// turn starts a variant, lets it serve known viewers for a while, and measures it.
func (a *ablation) turn(t *tried, round int) {
	a.b.Helper()
	known, strangers := a.viewers()
	v := a.run(t)
	a.read(v, known)
	a.read(v, known)
	m := &mix{size: a.size, server: v.Server, rand: rand.New(rand.NewPCG(1, uint64(round))), known: known, strangers: strangers, writers: a.size.Crowd().Users(), wires: map[int64][]byte{}}
	saturated, cost := a.measure(v, m, saturatedPages, 0)
	if a.rate == 0 {
		a.rate = float64(len(saturated.took[kindPage])) / saturated.all.Seconds()
	}
	partial, cheap := a.measure(v, m, partialPages, partialLoad*a.rate)
	a.end(v)
	t.turns = append(t.turns, bench.Mixed{
		Saturated: cost, Partial: cheap,
		PageP50: partial.quantile(kindPage, 0.5), PageP99: partial.quantile(kindPage, 0.99),
		PublishP50: partial.quantile(kindPublish, 0.5), PublishP99: partial.quantile(kindPublish, 0.99),
	})
	tell(cmp.Or(t.what, "nothing") + ": " + bench.Number(cost) + " µs, " + bench.Number(cheap) + " µs at 30 %, " +
		saturated.all.Round(time.Millisecond).String() + " " + partial.all.Round(time.Millisecond).String())
}

// read reads the first page of viewers once.
func (a *ablation) read(v *server, viewers []int64) {
	a.b.Helper()
	m := &mix{server: v.Server, wires: map[int64][]byte{}}
	pages, err := m.pages(viewers)
	must(a.b, err)
	_, err = driveMixed(a.b.Context(), v.Addr, pages, 0)
	must(a.b, err)
}

// measure sends the mixed load. It returns the times and the CPU time per operation in
// microseconds, including background work.
func (a *ablation) measure(v *server, m *mix, hundreds int, rate float64) (driven, float64) {
	a.b.Helper()
	operations, err := m.operations(hundreds)
	must(a.b, err)
	before := a.spent(v)
	out, err := driveMixed(a.b.Context(), v.Addr, operations, rate)
	must(a.b, err)
	must(a.b, a.doneWith(a.b.Context()))
	after := a.spent(v)
	all := func(t times) float64 { return t.server + t.redis + t.postgres }
	return out, (all(after) - all(before)) / float64(len(operations))
}

// doneWith waits until all pushes are done. It polls rarely, because polling is part of the
// measurement.
func (a *ablation) doneWith(ctx context.Context) error {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		var open int
		const query = `SELECT (SELECT count(*) FROM events WHERE state = 0) + (SELECT count(*) FROM plans WHERE open_slices > 0)`
		if err := a.place.sql.QueryRow(ctx, query).Scan(&open); err != nil {
			return err
		}
		if open == 0 {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// median returns the median of each figure.
func (t *tried) median() bench.Mixed {
	of := func(figure func(bench.Mixed) float64) float64 {
		list := make([]float64, len(t.turns))
		for i, turn := range t.turns {
			list[i] = figure(turn)
		}
		return bench.Median(list)
	}
	return bench.Mixed{
		Saturated: of(func(m bench.Mixed) float64 { return m.Saturated }), Partial: of(func(m bench.Mixed) float64 { return m.Partial }),
		PageP50: of(func(m bench.Mixed) float64 { return m.PageP50 }), PageP99: of(func(m bench.Mixed) float64 { return m.PageP99 }),
		PublishP50: of(func(m bench.Mixed) float64 { return m.PublishP50 }), PublishP99: of(func(m bench.Mixed) float64 { return m.PublishP99 }),
	}
}

// storeAblation stores the figures. Paths that were not measured keep their stored figures.
func storeAblation(b *testing.B, main *tried, paths []*tried) {
	b.Helper()
	const name = "ablation"
	var before bench.Ablation
	if raw, err := os.ReadFile(results + name + ".json"); err == nil {
		must(b, json.Unmarshal(raw, &before))
	}
	after := &bench.Ablation{
		Commit: commit(b), Command: "BENCH=ablation scripts/bench.sh",
		Date: time.Now().UTC().Format(time.DateTime) + " UTC", Machine: machine(b), Default: main.median(),
	}
	for _, v := range variants() {
		one := bench.Ablated{}
		if i := slices.IndexFunc(before.Paths, func(p bench.Ablated) bool { return p.What == v.what }); i >= 0 {
			one = before.Paths[i]
		}
		if i := slices.IndexFunc(paths, func(p *tried) bool { return p.what == v.what }); i >= 0 {
			p := paths[i]
			one = bench.Ablated{Without: p.median(), Rounds: p.saves, Saves: bench.Median(p.saves), SavesPartial: bench.Median(p.savesAtPartial)}
		}
		one.What, one.Lines, one.Fate = v.what, v.lines, v.fate
		if len(one.Rounds) > 0 {
			after.Paths = append(after.Paths, one)
		}
	}
	must(b, os.WriteFile(results+name+".json", marshal(b, after), 0o600))
	page, err := os.ReadFile(pageOf(name))
	must(b, err)
	filled, err := bench.Fill(string(page), name, after.Markdown())
	must(b, err)
	must(b, os.WriteFile(pageOf(name), []byte(filled), 0o600))
}
