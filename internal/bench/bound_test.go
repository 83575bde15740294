package bench_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
)

// boundTiming has more rounds than that of the whole table, since there is little to measure.
var boundTiming = timing{rounds: 9, ahead: time.Second, load: 3 * time.Second, viewers: 1000}

// BenchmarkBound measures a page with nothing cached beside Mercurius, and beside a server that
// makes its reads and answers from memory, in turns; scripts/bench.sh runs it with BENCH=bound.
func BenchmarkBound(b *testing.B) {
	r := newReport(b, "BENCH=bound scripts/bench.sh", false)
	s := newSite(b, fullSize, smallThreshold)
	t := boundTiming
	crowd := s.size.Crowd().Users()[:t.viewers]
	ours := s.tideline("TIDELINE_CACHE_MB=0")
	book := s.home(ours, crowd, 1)
	ours.warm(b, book)
	request := book.All()[0].Wire
	body, err := page.Fetch(b.Context(), ours.Addr, request)
	must(b, err)
	same := page.Same(request, body)
	at := s.ownPlace()
	s.fillPeers(redisClient(b, at.redisURL), crowd)
	peer, asked := s.mercurius(at, crowd)
	contenders := []contender{
		s.metered(t, "uncached", ours, book),
		s.metered(t, "reads", s.bound(ours, body, crowd), same),
		s.metered(t, "unjudged", s.bound(ours, body, crowd, "-judged=false"), same),
		t.loaded("mercurius", peer, asked),
	}
	got := figures{}
	must(b, got.measure(b.Context(), t.rounds, contenders, tell))
	r.Figures = got
	r.Compare(bench.Bounds())
	must(b, r.Table(os.Stderr))
	store(b, "bound", r)
}

// metered is a loaded contender whose processor time is taken, that of all processes: how many
// pages a second all processors would serve in it if they never waited.
func (s *site) metered(t timing, name string, v *server, book *page.Book) contender {
	loaded := profiled{what: name, server: v, read: v.loaded(book, t.load)}
	measure := func() bench.Spent { return loaded.measure(s) }
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		if _, err := v.loaded(book, t.ahead)(ctx); err != nil {
			return nil, err
		}
		spent := measure()
		return map[string]float64{"": spent.PerSecond, " most": float64(runtime.NumCPU()) * 1e6 / spent.All()}, nil
	}}
}

// bound starts a server of one body that makes the reads of a page of another server before
// each answer, for a run of viewers.
func (s *site) bound(of *server, body []byte, viewers []int64, flags ...string) *server {
	s.b.Helper()
	file := filepath.Join(s.b.TempDir(), "body.json")
	must(s.b, os.WriteFile(file, body, 0o600))
	args := []string{
		s.loadgen, "bound", "-body", file, "-database", of.place.url, "-redis", of.place.redisURL,
		"-first", strconv.FormatInt(viewers[0], 10), "-last", strconv.FormatInt(viewers[len(viewers)-1], 10),
	}
	// It keeps nothing, so its memory is collected seldom enough when it is ten times what is used.
	p := s.start(append(args, flags...), []string{"GOGC=1000"})
	return &server{Server: page.Server{Addr: p.WaitLine(`ready at (\S+)`)[1], Secret: secret}, process: p, redis: of.redis}
}
