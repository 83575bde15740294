package bench_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
)

// BenchmarkBound measures an uncached page, in turns with Mercurius and with servers that make the
// necessary reads and respond from memory. scripts/bench.sh runs it with BENCH=bound.
func BenchmarkBound(b *testing.B) {
	r := newReport(b, "BENCH=bound scripts/bench.sh", false)
	s := newSite(b, fullSize, smallThreshold)
	t := fullTiming
	crowd := s.size.Crowd().Users()[:t.viewers]
	ours := s.tideline("TIDELINE_CACHE_MB=0")
	requests := s.home(ours, crowd, 1)
	ours.warm(b, requests)
	request := requests.All()[0].Wire
	body, err := page.Fetch(b.Context(), ours.Addr, request)
	must(b, err)
	same := page.Same(request, body)
	at := s.ownPlace()
	s.fillPeers(redisClient(b, at.redisURL), crowd)
	peer, asked := s.mercurius(at, crowd)
	kept := s.tidelineAt(ours.place, "TIDELINE_ROLE=api")
	warm := s.home(kept, crowd, 1)
	kept.warm(b, warm)
	contenders := []contender{
		s.metered(t, "uncached", ours, requests, allProcessors),
		s.metered(t, "reads", s.bound(ours, body, crowd, "all"), same, allProcessors),
		s.metered(t, "lean", s.bound(ours, body, crowd, "lean"), same, allProcessors),
		s.metered(t, "inbox", s.bound(ours, body, crowd, "inbox"), same, allProcessors),
		s.metered(t, "warm", kept, warm, allProcessors),
		s.metered(t, "mercurius", peer, asked, oneProcess),
	}
	s.settle()
	got := figures{}
	must(b, got.measure(b.Context(), t.ofPages, contenders, tell))
	got.addLeanPage()
	r.Figures = got
	r.Compare(bench.Bounds())
	must(b, r.Table(os.Stderr))
	store(b, "bound", r)
}

// addLeanPage computes, per round, the figures of a page with the fewest possible reads: the cost
// of these reads plus the cost of a warm page in the program and its reader, without reading an
// inbox and sending bytes. It omits the database work that keeps a warm page's caches current, but
// includes cache lookups. The first figure is for processors that never wait, the second for
// processors as busy as with warm pages, which wait for fewer round trips.
func (f figures) addLeanPage() {
	for i, spent := range f["lean spent"] {
		all := bench.PageCost{Server: spent + f["warm program"][i] - f["inbox program"][i]}
		most := allProcessors(all)
		f["lean page most"] = append(f["lean page most"], most)
		f["lean page"] = append(f["lean page"], most*f["warm"][i]/f["warm most"][i])
	}
}

// allProcessors returns the pages per second of all processors if they never wait. oneProcess
// returns the same for a server on one processor.
func allProcessors(each bench.PageCost) float64 { return float64(runtime.NumCPU()) * 1e6 / each.All() }
func oneProcess(each bench.PageCost) float64    { return 1e6 / each.Server }

// metered is a loaded contender with measured CPU time. It reports the time of all processes, that
// of the program and its reader, and the resulting maximum pages per second.
func (s *site) metered(t timing, name string, v *server, requests *page.RequestSet, most func(bench.PageCost) float64) contender {
	loaded := profiled{what: name, server: v, read: v.loaded(requests, t.load)}
	measure := func() bench.PageCost { return loaded.measure(s) }
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		if _, err := v.loaded(requests, t.ahead)(ctx); err != nil {
			return nil, err
		}
		spent := measure()
		return map[string]float64{
			"": spent.PerSecond, " spent": spent.All(), " program": spent.Server + spent.Generator, " most": most(spent),
		}, nil
	}}
}

// bound starts a server that responds with one fixed body, after the given reads of another
// server's page, for a run of viewers.
func (s *site) bound(of *server, body []byte, viewers []int64, reads string) *server {
	s.b.Helper()
	file := filepath.Join(s.b.TempDir(), "body.json")
	must(s.b, os.WriteFile(file, body, 0o600))
	args := []string{
		s.loadgen, "bound", "-reads", reads, "-body", file, "-database", of.place.url, "-redis", of.place.redisURL,
		"-first", strconv.FormatInt(viewers[0], 10), "-last", strconv.FormatInt(viewers[len(viewers)-1], 10),
	}
	// The live heap is small, so collect garbage only when the heap has grown tenfold.
	p := s.start(args, []string{"GOGC=1000"})
	return &server{Server: page.Server{Addr: p.WaitLine(`ready at (\S+)`)[1], Secret: secret}, process: p, redis: of.redis}
}
