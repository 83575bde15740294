package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/loadgen/drive"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
	"github.com/tideline-feeds/tideline/internal/loadgen/world"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkProfile measures where the processor time of a page goes: to which process, and
// within the server to which functions, of which it draws pictures. scripts/bench.sh runs it
// with BENCH=profile.
func BenchmarkProfile(b *testing.B) {
	spending := &bench.Spending{
		Commit: commit(b), Command: "BENCH=profile scripts/bench.sh",
		Date: time.Now().UTC().Format(time.DateTime) + " UTC", Machine: machine(b),
	}
	s := newSite(b, fullSize, smallThreshold)
	for _, p := range s.profiled() {
		spending.Pages = append(spending.Pages, p.measure(s))
		tell(fmt.Sprintf("%+v", spending.Pages[len(spending.Pages)-1]))
	}
	storeSpending(b, spending)
}

// storeSpending keeps the table, and shows it on the page.
func storeSpending(b *testing.B, s *bench.Spending) {
	b.Helper()
	text, err := os.ReadFile(speedPage)
	must(b, err)
	filled, err := bench.Fill(string(text), "profile", s.Markdown())
	must(b, err)
	must(b, os.WriteFile(results+"profile.json", marshal(b, s), 0o600))
	must(b, os.WriteFile(speedPage, []byte(filled), 0o600))
}

// profiled is a kind of page whose costs are looked at.
type profiled struct {
	// file is in the name of the picture.
	what, file string
	server     *server
	// admin is where the server gives profiles.
	admin string
	book  *page.Book
}

// profiled starts the servers, and reads until nothing is built any more.
func (s *site) profiled() []profiled {
	s.b.Helper()
	crowd := s.size.Crowd().Users()[:fullTiming.viewers]
	start := func(settings ...string) (*server, string) {
		admin := "127.0.0.1:" + strconv.Itoa(testenv.FreePort(s.b))
		return s.tideline(append(settings, "TIDELINE_ADMIN_ADDR="+admin)...), admin
	}
	main, mainAdmin := start()
	uncached, uncachedAdmin := start("TIDELINE_CACHE_MB=0")
	sql, sqlAdmin := start("TIDELINE_INBOX=sql")
	live, err := page.LivePages(main.Server, s.size, world.Few().Users())
	must(s.b, err)
	out := []profiled{
		{"warm", "warm", main, mainAdmin, s.home(main, crowd, 1)},
		{"nothing cached", "uncached", uncached, uncachedAdmin, s.home(uncached, crowd, 1)},
		{"SQL inbox", "sql", sql, sqlAdmin, s.home(sql, crowd, 1)},
	}
	for _, p := range out {
		p.server.warm(s.b, p.book)
	}
	return append(out, profiled{"live first page", "live", main, mainAdmin, live})
}

// The profile covers the middle of the load, so that all of it is of a server at work.
const (
	profileLoad = 8 * time.Second
	profileFor  = 6
)

// measure loads the server, and takes the times of all processes before and after.
func (p profiled) measure(s *site) bench.Spent {
	s.b.Helper()
	before := s.spent(p.server)
	taken := make(chan error, 1)
	go func() { taken <- p.picture(s.b.Context()) }()
	r, err := drive.Run(s.b.Context(), drive.Load{Addr: p.server.Addr, Conns: 32, For: profileLoad, Seed: 1, Next: p.book.Next})
	must(s.b, err)
	after := s.spent(p.server)
	must(s.b, <-taken)
	each := func(before, after float64) float64 { return (after - before) / float64(r.Requests) }
	return bench.Spent{
		What: p.what, Read: int(r.Requests), Server: each(before.server, after.server), Redis: each(before.redis, after.redis),
		Postgres: each(before.postgres, after.postgres), Generator: each(before.generator, after.generator),
	}
}

// picture profiles the server and draws what it finds.
func (p profiled) picture(ctx context.Context) error {
	wire := fmt.Appendf(nil, "GET /debug/pprof/profile?seconds=%d HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", profileFor, p.admin, adminToken)
	raw, err := page.Fetch(ctx, p.admin, wire)
	if err != nil {
		return err
	}
	parsed, err := profile.ParseData(raw)
	if err != nil {
		return err
	}
	var svg bytes.Buffer
	if err := bench.WriteFlame(&svg, "Processor time of the server: "+p.what, bench.Flame(parsed)); err != nil {
		return err
	}
	return os.WriteFile(results+"flame-"+p.file+".svg", svg.Bytes(), 0o600)
}

// times are the microseconds that processes have taken of processors since they began.
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
