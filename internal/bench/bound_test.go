package bench_test

import (
	"os"
	"path/filepath"
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
		t.loaded("uncached", ours, book),
		t.loaded("reads", s.bound(ours.place, body, crowd), same),
		t.loaded("unjudged", s.bound(ours.place, body, crowd, "-judged=false"), same),
		t.loaded("mercurius", peer, asked),
	}
	got := figures{}
	must(b, got.measure(b.Context(), t.rounds, contenders, tell))
	r.Figures = got
	r.Compare(bench.Bounds())
	must(b, r.Table(os.Stderr))
	store(b, "bound", r)
}

// bound starts a server of one body that makes the reads of a page before each answer, for a run
// of viewers.
func (s *site) bound(at place, body []byte, viewers []int64, flags ...string) *server {
	s.b.Helper()
	file := filepath.Join(s.b.TempDir(), "body.json")
	must(s.b, os.WriteFile(file, body, 0o600))
	args := []string{
		s.loadgen, "bound", "-body", file, "-database", at.url, "-redis", at.redisURL,
		"-first", strconv.FormatInt(viewers[0], 10), "-last", strconv.FormatInt(viewers[len(viewers)-1], 10),
	}
	// It keeps nothing, so that its memory need hardly ever be collected.
	p := s.start(append(args, flags...), []string{"GOGC=off", "GOMEMLIMIT=1GiB"})
	return &server{Server: page.Server{Addr: p.WaitLine(`ready at (\S+)`)[1], Secret: secret}, process: p}
}
