package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

const (
	upstreamRounds = 9
	upstreamLoad   = 3 * time.Second
)

// BenchmarkUpstream compares the CPU time of a page whose posts, profiles and counters are at
// services with that of Hive Gateway, which stitches the same services, in turns. Both answer the
// same pages. Of Hive Gateway only its own process counts, of Tideline also Redis and PostgreSQL. And it compares
// a page with slots with one for which a service is asked for counters. scripts/bench.sh runs it with
// BENCH=upstream; BENCH_ONLY=slots measures only the latter.
func BenchmarkUpstream(b *testing.B) {
	r := newReport(b, "BENCH=upstream scripts/bench.sh", false)
	s := newSite(b, quickSize, smallThreshold)
	crowd := s.size.Crowd().Users()[:quickTiming.viewers]
	records := s.serviceRecords()
	contenders := s.callers(records, crowd)
	if os.Getenv("BENCH_ONLY") != "slots" {
		contenders = append(contenders, s.stitchers(records, crowd)...)
	}
	s.settle()
	got := figures{}
	must(b, got.measure(b.Context(), upstreamRounds, contenders, tell))
	r.Figures = got
	r.Compare(bench.Upstreams())
	must(b, r.Table(os.Stderr))
}

// stitchers are servers that read all contents from services, and Hive Gateway.
func (s *site) stitchers(records string, crowd []int64) (contenders []contender) {
	s.b.Helper()
	b, settings := s.b, s.services(records)
	cached := s.tideline(settings...)
	asking := s.tidelineAt(cached.place, append(settings, "TIDELINE_ROLE=api", "TIDELINE_UPSTREAM_TTL=0")...)
	gateway := s.gateway(records, cached)
	for _, c := range []struct {
		name string
		v    *server
		of   func(bench.PageCost) float64
	}{
		{"cached", cached, systemOf},
		{"asking", asking, systemOf},
		{"hive", gateway, func(p bench.PageCost) float64 { return p.Server }},
	} {
		requests := s.home(c.v, crowd, 1)
		if c.v != gateway {
			c.v.warm(b, requests)
		}
		must(b, readAll(b.Context(), c.v.Addr, requests))
		contenders = append(contenders, s.spending(c.name, c.v, requests, c.of))
	}
	return contenders
}

// callers are servers that call one service for each page: for counters, or for slots.
func (s *site) callers(records string, crowd []int64) []contender {
	s.b.Helper()
	patient := []string{"TIDELINE_UPSTREAM_PROTOCOL=json", "TIDELINE_UPSTREAM_TIMEOUT=5s", "TIDELINE_UPSTREAM_BUDGET=5s", "TIDELINE_SLOTS_TIMEOUT=5s"}
	counting := s.tideline(append(patient, "TIDELINE_COUNTERS_FROM="+s.service(records), "TIDELINE_UPSTREAM_TTL=0")...)
	one := s.home(counting, crowd, 1)
	counting.warm(s.b, one)
	program := s.start([]string{"node", filepath.Join("..", "deploy", "beside", "slots.mjs"), "127.0.0.1:0"}, []string{"NODE_ENV=production"})
	placing := s.tidelineAt(counting.place, append(patient, "TIDELINE_ROLE=api", "TIDELINE_SLOTS_FROM="+program.WaitLine(`serving on (http://\S+)`)[1])...)
	slotted, err := page.SlottedPages(placing.Server, s.size, crowd)
	must(s.b, err)
	for v, requests := range map[*server]*page.RequestSet{counting: one, placing: slotted} {
		must(s.b, readAll(s.b.Context(), v.Addr, requests))
	}
	return []contender{s.spending("one", counting, one, systemOf), s.spending("slots", placing, slotted, systemOf)}
}

// spending is a contender that measures CPU time per page in microseconds.
func (s *site) spending(name string, v *server, requests *page.RequestSet, of func(bench.PageCost) float64) contender {
	loaded := profiled{what: name, server: v, read: v.loaded(requests, upstreamLoad)}
	measure := func() bench.PageCost { return loaded.measure(s) }
	return contender{name, func(context.Context) (map[string]float64, error) {
		return map[string]float64{" micros": of(measure())}, nil
	}}
}

// serviceRecords writes the records of the network for services, with counters instead of likes.
func (s *site) serviceRecords() string {
	s.b.Helper()
	var all bytes.Buffer
	must(s.b, s.size.Write(&all, time.Now().Add(-time.Hour)))
	for user := int64(1); user <= s.size.Last(); user++ {
		for _, p := range s.size.Outbox(user) {
			fmt.Fprintf(&all, `{"type":"counters","post":"%d","likes":%d}`+"\n", p.ID, world.Likes(p))
		}
	}
	file := filepath.Join(s.b.TempDir(), "records.ndjson")
	must(s.b, os.WriteFile(file, all.Bytes(), 0o600))
	return file
}

// service starts the example of services and returns its URL.
func (s *site) service(records string) string {
	s.b.Helper()
	program := filepath.Join(s.b.TempDir(), "upstream")
	build := exec.CommandContext(s.b.Context(), "go", "build", "-o", program, "./deploy/beside/upstream")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		s.b.Fatalf("go build: %v\n%s", err, out)
	}
	p := s.start([]string{program, "-addr", "127.0.0.1:0", "-after", "1ms", "-records", records}, nil)
	return p.WaitLine(`serving on (http://\S+)`)[1]
}

// services returns the settings of a server that asks the example of services.
func (s *site) services(records string) []string {
	s.b.Helper()
	url := s.service(records)
	return []string{
		"TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_POSTS_FROM=" + url, "TIDELINE_USERS_FROM=" + url, "TIDELINE_COUNTERS_FROM=" + url,
		// A busy machine must not change what is measured.
		"TIDELINE_UPSTREAM_TIMEOUT=5s", "TIDELINE_UPSTREAM_BUDGET=5s",
	}
}

// gateway starts Hive Gateway over the same services as subgraphs. Its Redis is that of another
// server, which does nothing meanwhile.
func (s *site) gateway(records string, other *server) *server {
	s.b.Helper()
	folder := filepath.Join(filepath.Dir(s.peers), "federation")
	services := s.start([]string{"node", filepath.Join(folder, "stitched.mjs"), records}, []string{"NODE_ENV=production"})
	url := services.WaitLine(`serving on (http://\S+)`)[1]
	p := s.start([]string{"node", filepath.Join(folder, "gateway.mjs"), url}, []string{"NODE_ENV=production"})
	return &server{Server: page.Server{Addr: p.WaitLine(`ready at (\S+)`)[1], Secret: secret}, process: p, redis: other.redis}
}
