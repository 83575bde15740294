package bench_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkProfile measures the CPU time of a page per process, and draws flame graphs of the
// server's functions. It also measures the work that no page can avoid. scripts/bench.sh runs it
// with BENCH=profile.
func BenchmarkProfile(b *testing.B) {
	cpuTimes := &bench.CPUTimes{
		Commit: commit(b), Command: "BENCH=profile scripts/bench.sh",
		Date: time.Now().UTC().Format(time.DateTime) + " UTC", Machine: machine(b),
	}
	for _, bytes := range []int{256 << 10, 8 << 20, 64 << 20} {
		cpuTimes.Loads = append(cpuTimes.Loads, bench.MeasureLoad(bytes, loadSteps, rand.New(rand.NewPCG(1, 2))))
	}
	cpuTimes.Together = bench.MeasureTogether(computeSteps)
	s := newSite(b, fullSize, smallThreshold)
	pages := s.profiled()
	s.settle()
	for _, p := range pages {
		cpuTimes.Pages = append(cpuTimes.Pages, p.measure(s))
		tell(fmt.Sprintf("%+v", cpuTimes.Pages[len(cpuTimes.Pages)-1]))
	}
	storeCPUTimes(b, cpuTimes)
}

// loadSteps is the number of memory loads of a measurement, and computeSteps the number of
// computations. Each takes about half a second.
const (
	loadSteps    = 5_000_000
	computeSteps = 200_000_000
)

// storeCPUTimes stores the table and shows it on the page.
func storeCPUTimes(b *testing.B, s *bench.CPUTimes) {
	b.Helper()
	const name = "profile"
	text, err := os.ReadFile(pageOf(name))
	must(b, err)
	filled, err := bench.Fill(string(text), name, s.Markdown())
	must(b, err)
	must(b, os.WriteFile(results+name+".json", marshal(b, s), 0o600))
	must(b, os.WriteFile(pageOf(name), []byte(filled), 0o600))
}

// profiled is a server or function whose cost is measured.
type profiled struct {
	what   string
	server *server
	// read runs 32 readers for a while and returns the number of reads.
	read func(context.Context) (int64, error)
	// inside is set if this process does the work of the server.
	inside bool
	// file is part of the flame graph's file name, and admin the address that serves profiles.
	// Without them there is no flame graph.
	file, admin string
}

// profiled starts the servers and reads until no builds are pending.
func (s *site) profiled() []profiled {
	s.b.Helper()
	crowd := s.size.Crowd().Users()[:fullTiming.viewers]
	start := func(settings ...string) (*server, string) {
		admin := "127.0.0.1:" + strconv.Itoa(testenv.FreePort(s.b))
		return s.tideline(append(settings, "TIDELINE_ADMIN_ADDR="+admin)...), admin
	}
	var out []profiled
	for _, kind := range []struct {
		what, file, setting string
		viewers             int
	}{
		{"warm", "warm", "", len(crowd)},
		{"nothing cached", "uncached", "TIDELINE_CACHE_MB=0", len(crowd)},
		{"SQL inbox", "sql", "TIDELINE_INBOX=sql", len(crowd)},
		// Ten viewers would exceed the rate limit.
		{"warm, ten viewers", "", "TIDELINE_RATE_LIMIT=0", fewViewers},
	} {
		v, admin := start(strings.Fields(kind.setting)...)
		requests := s.home(v, crowd[:kind.viewers], 1)
		v.warm(s.b, requests)
		out = append(out, profiled{kind.what, v, v.loaded(requests, profileLoad), false, kind.file, admin})
	}
	main := out[0]
	live, err := page.LivePages(main.server.Server, s.size, world.Few().Users())
	must(s.b, err)
	out = append(out, profiled{"live feed", main.server, main.server.loaded(live, profileLoad), false, "live", main.admin})
	return append(out, s.bounds(main.server, crowd)...)
}

// fewViewers is small enough that all data of these viewers fits into the CPU caches. The
// difference to many viewers is the time spent waiting for memory.
const fewViewers = 10

// loaded returns a function that reads the pages of a request set over 32 connections.
func (v *server) loaded(requests *page.RequestSet, long time.Duration) func(context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) {
		r, err := drive.Run(ctx, drive.Load{Addr: v.Addr, Conns: 32, For: long, Seed: 1, Next: requests.Next})
		return r.Requests, err
	}
}

// bounds measure the minimum work of a warm page: its bytes, its inbox and the viewer's version.
// They also measure reading the rows of an uncached page.
func (s *site) bounds(main *server, viewers []int64) []profiled {
	s.b.Helper()
	request := s.home(main, viewers[:1], 1).All()[0].Wire
	body, err := page.Fetch(s.b.Context(), main.Addr, request)
	must(s.b, err)
	twin := s.prebuilt(body)
	twin.redis = main.redis
	client, err := redisstore.Open(s.b.Context(), "redis://"+main.redis.Options().Addr)
	must(s.b, err)
	s.b.Cleanup(func() { _ = client.Close() })
	inboxes := redisstore.NewInboxes(client, inboxCap)
	store, err := sqlstore.Open(s.b.Context(), s.url)
	must(s.b, err)
	s.b.Cleanup(func() { _ = store.Close() })
	return []profiled{
		{"prebuilt", twin, twin.loaded(page.Same(request, body), profileLoad), false, "", ""},
		{"inbox only", main, byMany(viewers, func(ctx context.Context, viewer feed.UserID) error {
			inbox, err := inboxes.Read(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: pageLimit})
			if err == nil && len(inbox.Keys) != pageLimit {
				err = fmt.Errorf("the inbox of %d has a page of %d", viewer, len(inbox.Keys))
			}
			return err
		}), true, "", ""},
		{"viewer version only", main, byMany(viewers, func(ctx context.Context, viewer feed.UserID) error {
			version, err := store.ViewerVersion(ctx, viewer)
			if err == nil && version.Generation == 0 {
				err = errors.New("the viewer version has no generation")
			}
			return err
		}), true, "", ""},
		{"rows only", main, byMany(viewers, s.rows(inboxes, store, viewers)), true, "", ""},
	}
}

// rows returns a function that reads the rows of a viewer's page in parallel: posts, authors and
// counters.
func (s *site) rows(inboxes *redisstore.Inboxes, store *sqlstore.Store, viewers []int64) func(context.Context, feed.UserID) error {
	s.b.Helper()
	pages, authors := map[feed.UserID][]feed.PostID{}, map[feed.UserID][]feed.UserID{}
	for _, viewer := range viewers {
		inbox, err := inboxes.Read(s.b.Context(), feed.UserID(viewer), feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: pageLimit})
		must(s.b, err)
		for _, k := range inbox.Keys[:pageLimit-1] {
			pages[feed.UserID(viewer)] = append(pages[feed.UserID(viewer)], feed.PostID(k.ID))
		}
		posts, err := store.Posts(s.b.Context(), pages[feed.UserID(viewer)])
		must(s.b, err)
		for _, p := range posts {
			authors[feed.UserID(viewer)] = append(authors[feed.UserID(viewer)], p.Author)
		}
	}
	return func(ctx context.Context, viewer feed.UserID) error {
		var group sync.WaitGroup
		var countersErr, usersErr error
		group.Go(func() { _, countersErr = store.PostCounters(ctx, pages[viewer]) })
		group.Go(func() { _, usersErr = store.Users(ctx, authors[viewer]) })
		_, err := store.Posts(ctx, pages[viewer])
		group.Wait()
		return errors.Join(err, countersErr, usersErr)
	}
}

// byMany runs do for the viewers in turn, in 32 goroutines.
func byMany(viewers []int64, do func(context.Context, feed.UserID) error) func(context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) {
		until := time.Now().Add(profileLoad)
		var done atomic.Int64
		errs := make([]error, 32)
		var group sync.WaitGroup
		for worker := range errs {
			group.Go(func() {
				for i := worker; errs[worker] == nil && time.Now().Before(until); i++ {
					errs[worker] = do(ctx, feed.UserID(viewers[i%len(viewers)]))
					done.Add(1)
				}
			})
		}
		group.Wait()
		return done.Load(), errors.Join(errs...)
	}
}

// The profile covers the middle of the load, without its start and end.
const (
	profileLoad = 8 * time.Second
	profileFor  = 6
)

// measure loads the server and returns the CPU time per page of all processes.
func (p profiled) measure(s *site) bench.PageCost {
	s.b.Helper()
	before := s.spent(p.server)
	var shares []bench.Share
	taken := make(chan error, 1)
	go func() {
		var err error
		shares, err = p.picture(s.b.Context())
		taken <- err
	}()
	began := time.Now()
	n, err := p.read(s.b.Context())
	must(s.b, err)
	took := time.Since(began)
	after := s.spent(p.server)
	must(s.b, <-taken)
	each := func(before, after float64) float64 { return (after - before) / float64(n) }
	out := bench.PageCost{
		What: p.what, Read: int(n), PerSecond: float64(n) / took.Seconds(), Server: each(before.server, after.server), Redis: each(before.redis, after.redis),
		Postgres: each(before.postgres, after.postgres), Generator: each(before.generator, after.generator),
		Shares: shares,
	}
	if p.inside {
		out.Server, out.Generator = out.Generator, 0
	}
	return out
}

// picture profiles the server, draws a flame graph, and logs where the CPU time goes.
func (p profiled) picture(ctx context.Context) ([]bench.Share, error) {
	if p.file == "" {
		return nil, nil
	}
	wire := fmt.Appendf(nil, "GET /debug/pprof/profile?seconds=%d HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", profileFor, p.admin, adminToken)
	raw, err := page.Fetch(ctx, p.admin, wire)
	if err != nil {
		return nil, err
	}
	parsed, err := profile.ParseData(raw)
	if err != nil {
		return nil, err
	}
	var svg bytes.Buffer
	if err := bench.WriteFlame(&svg, "Processor time of the server: "+p.what, bench.Flame(parsed)); err != nil {
		return nil, err
	}
	return bench.Shares(parsed), os.WriteFile(results+"flame-"+p.file+".svg", svg.Bytes(), 0o600)
}

// times are the cumulative CPU times of processes in microseconds.
type times struct{ server, redis, postgres, generator float64 }

func (s *site) spent(v *server) times {
	s.b.Helper()
	return times{
		server:    processOf(s.b, v.process.Pid()).micros,
		redis:     processOf(s.b, v.redisPid(s.b)).micros,
		postgres:  childrenOf(s.b, s.postmaster(), nil),
		generator: processOf(s.b, os.Getpid()).micros,
	}
}
