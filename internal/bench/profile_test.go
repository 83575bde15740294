package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
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
	each := func(before, after time.Duration) float64 {
		return float64((after - before).Nanoseconds()) / 1e3 / float64(r.Requests)
	}
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

// times are what processes have used of processors since they began.
type times struct{ server, redis, postgres, generator time.Duration }

func (s *site) spent(v *server) times {
	s.b.Helper()
	var own syscall.Rusage
	must(s.b, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	return times{
		server: processTime(s.b, v.process.Pid()), redis: redisTime(s.b, v),
		postgres: s.postgresTime(), generator: time.Duration(own.Utime.Nano() + own.Stime.Nano()),
	}
}

// tick is the unit of the times in /proc/PID/stat, which is the same on all of Linux.
const tick = 10 * time.Millisecond

// stat returns the fields of /proc/PID/stat from the third on, which is behind the name of
// the program; nothing when the process is gone.
func stat(pid int) []string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
}

// processTime returns what a process has used, its threads included. In the manual stat's
// fields are counted from one, and utime and stime are the 14th and 15th.
func processTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	fields := stat(pid)
	if fields == nil {
		return 0
	}
	user, err := strconv.Atoi(fields[14-3])
	must(b, err)
	system, err := strconv.Atoi(fields[15-3])
	must(b, err)
	return time.Duration(user+system) * tick
}

// redisTime asks Redis what it has used.
func redisTime(b *testing.B, v *server) (sum time.Duration) {
	b.Helper()
	info, err := v.redis.Info(b.Context(), "cpu").Result()
	must(b, err)
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name != "used_cpu_sys" && name != "used_cpu_user" {
			continue
		}
		seconds, err := strconv.ParseFloat(value, 64)
		must(b, err)
		sum += time.Duration(seconds * float64(time.Second))
	}
	return sum
}

// postgresTime returns what all processes of the database server have used: those of
// connections, and those that write logs and clean up.
func (s *site) postgresTime() (sum time.Duration) {
	s.b.Helper()
	parent := stat(int(s.number(`SELECT pg_backend_pid()`)))[4-3]
	listed, err := os.ReadDir("/proc")
	must(s.b, err)
	for _, entry := range listed {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if fields := stat(pid); fields != nil && fields[4-3] == parent {
			sum += processTime(s.b, pid)
		}
	}
	return sum
}
