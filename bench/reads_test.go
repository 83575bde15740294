package bench_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// contender is measured in every round.
type contender struct {
	name string
	// measure returns figures by name suffix.
	measure func(context.Context) (map[string]float64, error)
}

// timing sets the durations of the measurements.
type timing struct {
	quick bool
	// rounds is the number of rounds of each phase, and ofPages that of the phase of pages, whose
	// rates vary most with other load. Many short rounds are better than few long ones, because
	// compared figures are then closer in time.
	rounds, ofPages int
	// load is for contenders with many connections, alone for those with one. Contenders under load
	// are warmed up by the same load for ahead.
	ahead, load, alone time.Duration
	// publishes is the number of posts per round of fan-out.
	publishes int
	viewers   int
}

// loaded is a contender with 32 reading connections. It measures requests per second and latencies.
func (t timing) loaded(name string, v *server, requests *page.RequestSet) contender {
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		r, err := t.under(ctx, drive.Load{Addr: v.Addr, Conns: 32, Next: requests.Next})
		return map[string]float64{"": r.PerSecond, " p50": float64(r.P50), " p99": float64(r.P99)}, err
	}}
}

// under measures a load after a warm-up by the same load. A contender's turn comes about once a
// minute, when its caches have expired. Without the warm-up the measurement would include refilling
// them.
func (t timing) under(ctx context.Context, l drive.Load) (drive.Result, error) {
	l.For, l.Seed = t.ahead, 2
	if r, err := drive.Run(ctx, l); err != nil {
		return r, err
	}
	l.For, l.Seed = t.load, 1
	return drive.Run(ctx, l)
}

// offered is a contender at a fixed request rate. It measures latencies from the due times.
func (t timing) offered(name string, v *server, requests *page.RequestSet, rate float64) contender {
	return contender{name + " offered", func(ctx context.Context) (map[string]float64, error) {
		r, err := t.under(ctx, drive.Load{Addr: v.Addr, Conns: 32, Rate: rate, Next: requests.Next})
		return map[string]float64{" p50": float64(r.P50), " p99": float64(r.P99)}, err
	}}
}

// single is a contender with one reading connection. It measures the latency.
func (t timing) single(name string, v *server, requests *page.RequestSet) contender {
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		r, err := drive.Run(ctx, drive.Load{Addr: v.Addr, Conns: 1, For: t.alone, Seed: 1, Next: requests.Next})
		return map[string]float64{" p50": float64(r.P50)}, err
	}}
}

// readers starts all servers that feeds are read from.
func (s *site) readers(t timing, main *server) []contender {
	s.b.Helper()
	cold := s.cold(t)
	crowd := s.size.Crowd().Users()[:t.viewers]
	warm := s.home(main, crowd, 1)
	main.warm(s.b, warm)
	out := []contender{t.loaded("warm", main, warm), s.twin("prebuilt", t, warm, main)}
	out = append(out, s.others(t, main, crowd)...)
	out = append(out, s.liveReaders(t, main)...)
	out = append(out, s.shapes(t, main, crowd)...)
	return append(out, cold()...)
}

// home returns requests for the n-th pages of home feeds.
func (s *site) home(v *server, viewers []int64, n int) *page.RequestSet {
	s.b.Helper()
	requests, err := page.HomePages(s.b.Context(), v.Server, s.size, viewers, n)
	must(s.b, err)
	return requests
}

// twin is a contender that serves a server's response to a request set's first request from memory.
func (s *site) twin(name string, t timing, requests *page.RequestSet, v *server) contender {
	s.b.Helper()
	request := requests.All()[0].Wire
	body, err := page.Fetch(s.b.Context(), v.Addr, request)
	must(s.b, err)
	return t.loaded(name, s.prebuilt(body), page.Same(request, body))
}

// others are Tideline servers without caches and with inboxes in SQL.
func (s *site) others(t timing, main *server, crowd []int64) []contender {
	s.b.Helper()
	uncached := s.tidelineAt(main.place, "TIDELINE_ROLE=api", "TIDELINE_CACHE_MB=0")
	uncachedRequests := s.home(uncached, crowd, 1)
	sql := s.tideline("TIDELINE_INBOX=sql")
	inSQL := s.home(sql, crowd, 1)
	sql.warm(s.b, inSQL)
	out := []contender{t.loaded("uncached", uncached, uncachedRequests), t.loaded("sql", sql, inSQL)}
	if t.quick {
		return out
	}
	return append(out, s.peerReaders(t, sql.place.network, crowd, func(rate float64) contender { return t.offered("uncached", uncached, uncachedRequests, rate) })...)
}

// share is the offered rate for latency comparisons, relative to Mercurius's maximum.
const share = 0.6

// peerReaders are Mercurius servers: with inboxes in Redis and a cache, without a cache, and with
// inboxes in SQL or none. They use our database with inboxes in SQL, the source of their inboxes.
// offered is the contender at the highest rate of the second one.
func (s *site) peerReaders(t timing, inSQL *network, crowd []int64, offered func(rate float64) contender) []contender {
	s.b.Helper()
	at := place{testenv.Redis(s.b), inSQL}
	s.fillPeers(redisClient(s.b, at.redisURL), crowd)
	inSQL.copyInboxes(crowd)
	var out []contender
	for _, p := range []struct {
		name     string
		settings []string
	}{
		{"mercurius", nil},
		{"mercurius-lru", []string{"PEER_LRU=100000", "PEER_PROCESSES=2"}},
		{"mercurius-sql", []string{"PEER_INBOX=sql"}},
		{"mercurius-pull", []string{"PEER_INBOX=pull"}},
	} {
		v, requests := s.mercurius(at, crowd, p.settings...)
		out = append(out, t.loaded(p.name, v, requests))
		if p.name == "mercurius" {
			can, err := t.under(s.b.Context(), drive.Load{Addr: v.Addr, Conns: 32, Next: requests.Next})
			must(s.b, err)
			out = append(out, offered(share*can.PerSecond), t.offered(p.name, v, requests, share*can.PerSecond))
		}
	}
	return out
}

// mercurius starts Mercurius and reads each page once.
func (s *site) mercurius(at place, crowd []int64, settings ...string) (*server, *page.RequestSet) {
	s.b.Helper()
	v := s.peer("mercurius.mjs", at, settings...)
	requests := s.home(v, crowd, 1)
	must(s.b, readAll(s.b.Context(), v.Addr, requests))
	return v, requests
}

// liveReaders read live feeds of viewers with ten hosts.
func (s *site) liveReaders(t timing, main *server) []contender {
	s.b.Helper()
	requests, err := page.LivePages(main.Server, s.size, world.Few().Users())
	must(s.b, err)
	for range 3 {
		must(s.b, readAll(s.b.Context(), main.Addr, requests))
	}
	return []contender{t.loaded("live", main, requests), s.twin("prebuilt-live", t, requests, main)}
}

// shapes compare pages of about equal cost over one connection.
func (s *site) shapes(t timing, main *server, crowd []int64) []contender {
	s.b.Helper()
	crowd = crowd[:min(100, len(crowd))]
	few, many := s.home(main, world.Few().Users(), 1), s.home(main, world.Many().Users(), 1)
	main.warm(s.b, few)
	main.warm(s.b, many)
	bare, err := page.BarePages(main.Server, s.size, crowd)
	must(s.b, err)
	return []contender{
		t.single("bare", main, bare),
		t.single("few", main, few),
		t.single("many", main, many),
		t.single("page1", main, s.home(main, crowd, 1)),
		t.single("page15", main, s.home(main, crowd, 15)),
	}
}

// cold is a server for cold viewers with many follows. A worker that has ended built their inboxes
// with the shortest lease, which has expired, and no process warms them up. The returned function
// waits for the expiry, for which a quick run has no time.
func (s *site) cold(t timing) func() []contender {
	s.b.Helper()
	if t.quick {
		return func() []contender { return nil }
	}
	const lease = time.Minute
	builder := s.tideline("TIDELINE_ACTIVE_FOR=" + lease.String())
	// Existing leases are longer, and this lease would not shorten them.
	builder.place.exec(`UPDATE users SET active_until = 0`)
	builder.warm(s.b, s.home(builder, world.Many().Users(), 1))
	builder.process.Interrupt()
	if code := builder.process.Wait(); code != 0 {
		s.b.Fatalf("the worker that built the inboxes ended with exit code %d", code)
	}
	over := time.After(lease)
	return func() []contender {
		<-over
		cold := s.tidelineAt(builder.place, "TIDELINE_ROLE=api")
		requests := s.home(cold, world.Many().Users(), 1)
		must(s.b, readAll(s.b.Context(), cold.Addr, requests))
		if all, others := len(requests.All()), cold.reads(s.b, byCold, false); cold.reads(s.b, byCold, true) != float64(all) || others != 0 {
			s.b.Fatalf("%d pages were read, and %v of them not from cold inboxes", all, others)
		}
		return []contender{t.single("cold", cold, requests)}
	}
}

// figures collects the contenders' results by round.
type figures map[string][]float64

// measure runs the contenders in turn.
func (f figures) measure(ctx context.Context, rounds int, contenders []contender, progress func(string)) error {
	for round := range rounds {
		for _, c := range contenders {
			got, err := c.measure(ctx)
			if err != nil {
				return fmt.Errorf("round %d, %s: %w", round+1, c.name, err)
			}
			for suffix, figure := range got {
				f[c.name+suffix] = append(f[c.name+suffix], figure)
			}
			progress(fmt.Sprintf("round %d: %s %v", round+1, c.name, got))
		}
	}
	return nil
}
