package bench_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/loadgen/drive"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
)

// BenchmarkProcessors measures for how long processors work for one page, process by process,
// and for what no page can do without. Unlike rates and latencies these figures are about the
// same on a machine that has other things to do. scripts/bench.sh runs it with
// BENCH=processors.
func BenchmarkProcessors(b *testing.B) {
	s := newSite(b, quickSize, smallThreshold)
	main := s.tideline()
	crowd := s.size.Crowd().Users()[:500]
	warm := s.home(main, crowd, 1)
	main.warm(b, warm)
	request := warm.All()[0].Wire
	body, err := page.Fetch(b.Context(), main.Addr, request)
	must(b, err)
	twin := s.prebuilt(body)
	parts := []part{
		{"a warm page", loading(main, warm), []process{{"server", main.process.Pid()}, redisProcess(b, main.redis)}, true, true},
		{"the same bytes by net/http", loading(twin, page.Same(request, body)), []process{{"server", twin.process.Pid()}}, false, true},
		s.oneInbox(main, crowd),
		s.oneStamp(crowd),
	}
	rounds := map[string][]map[string]float64{}
	for range quickTiming.rounds {
		for _, p := range parts {
			rounds[p.name] = append(rounds[p.name], s.processors(p))
		}
	}
	s.storeProcessors(parts, rounds)
}

// part is something of which it is measured who works how long for it.
type part struct {
	name string
	// do does it for a while, by many at once, and returns how often.
	do func(context.Context, time.Duration) (int64, error)
	// others are the processes that take part besides this one, in which the asking is done.
	others []process
	// postgres and generator say whether PostgreSQL takes part, and whether this process is
	// called the generator, or the server since it does what the server does.
	postgres, generator bool
}

type process struct {
	name string
	pid  int
}

// self is this process.
func self() process { return process{pid: os.Getpid()} }

// benchSpell is how long each part is done in a round.
const benchSpell = 3 * time.Second

// loading is 32 connections that read the pages of a book.
func loading(v *server, book *page.Book) func(context.Context, time.Duration) (int64, error) {
	return func(ctx context.Context, spell time.Duration) (int64, error) {
		r, err := drive.Run(ctx, drive.Load{Addr: v.Addr, Conns: 32, For: spell, Seed: 1, Next: book.Next})
		return r.Requests, err
	}
}

// oneInbox reads the inbox of a page, as the server does, and nothing else.
func (s *site) oneInbox(main *server, viewers []int64) part {
	s.b.Helper()
	client, err := redisstore.Open(s.b.Context(), "redis://"+main.redis.Options().Addr)
	must(s.b, err)
	s.b.Cleanup(func() { _ = client.Close() })
	store := redisstore.NewInboxes(client, inboxCap)
	return part{"its inbox alone", many(viewers, func(ctx context.Context, viewer feed.UserID) error {
		inbox, err := store.Read(ctx, viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: pageLimit})
		if err == nil && len(inbox.Keys) != pageLimit {
			err = fmt.Errorf("the inbox of %d has a page of %d", viewer, len(inbox.Keys))
		}
		return err
	}), []process{redisProcess(s.b, main.redis)}, false, false}
}

// oneStamp reads the stamp of a page, as the server does, and nothing else.
func (s *site) oneStamp(viewers []int64) part {
	s.b.Helper()
	store, err := sqlstore.Open(s.b.Context(), s.url)
	must(s.b, err)
	s.b.Cleanup(func() { _ = store.Close() })
	return part{"its stamp alone", many(viewers, func(ctx context.Context, viewer feed.UserID) error {
		stamp, err := store.Stamp(ctx, viewer)
		if err == nil && stamp.Generation == 0 {
			err = errors.New("a stamp has no generation")
		}
		return err
	}), nil, true, false}
}

// many has 32 goroutines do something for one viewer after the other.
func many(viewers []int64, do func(context.Context, feed.UserID) error) func(context.Context, time.Duration) (int64, error) {
	return func(ctx context.Context, spell time.Duration) (int64, error) {
		until := time.Now().Add(spell)
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

// processors returns how many microseconds each process worked for a part, each time it was
// done, and all together under "all".
func (s *site) processors(p part) map[string]float64 {
	s.b.Helper()
	processes := p.others
	if p.postgres {
		processes = append(processes[:len(processes):len(processes)], s.backends()...)
	}
	before := s.worked(processes)
	times, err := p.do(s.b.Context(), benchSpell)
	must(s.b, err)
	out := map[string]float64{}
	for process, after := range s.worked(processes) {
		micros := float64((after - before[process]).Microseconds()) / float64(times)
		name := process.name
		if process == self() {
			name = map[bool]string{true: "generator", false: "server"}[p.generator]
		}
		out[name] += micros
		out["all"] += micros
	}
	return out
}

// backends are the processes of PostgreSQL.
func (s *site) backends() []process {
	s.b.Helper()
	rows, err := s.sql.Query(s.b.Context(), `SELECT pid FROM pg_stat_activity`)
	must(s.b, err)
	defer rows.Close()
	var out []process
	for rows.Next() {
		p := process{name: "PostgreSQL"}
		must(s.b, rows.Scan(&p.pid))
		out = append(out, p)
	}
	must(s.b, rows.Err())
	return out
}

func redisProcess(b *testing.B, c *redis.Client) process {
	b.Helper()
	info, err := c.Info(b.Context(), "server").Result()
	must(b, err)
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(line, "process_id:"); ok {
			pid, err := strconv.Atoi(strings.TrimSpace(value))
			must(b, err)
			return process{"Redis", pid}
		}
	}
	b.Fatal("Redis does not say which process it is")
	return process{}
}

// worked returns how long processes have worked so far, this one too. One that has ended, as
// those of PostgreSQL may, is left out: what it did last is not counted.
func (s *site) worked(processes []process) map[process]time.Duration {
	s.b.Helper()
	var own syscall.Rusage
	must(s.b, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	out := map[process]time.Duration{self(): time.Duration(own.Utime.Nano() + own.Stime.Nano())}
	for _, p := range processes {
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.pid), "stat"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		must(s.b, err)
		out[p] = s.workedOf(string(text))
	}
	return out
}

// tick is the unit in which Linux counts for how long a process has worked.
const tick = 10 * time.Millisecond

// workedOf reads what the system says of a process: user and system time are the 14th and the
// 15th value, and the second is a name in brackets that may hold anything.
func (s *site) workedOf(text string) time.Duration {
	s.b.Helper()
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	user, err := strconv.Atoi(fields[11])
	must(s.b, err)
	system, err := strconv.Atoi(fields[12])
	must(s.b, err)
	return time.Duration(user+system) * tick
}

// storeProcessors writes the table: the median of the rounds.
func (s *site) storeProcessors(parts []part, rounds map[string][]map[string]float64) {
	s.b.Helper()
	r := newReport(s.b, "BENCH=processors scripts/bench.sh", false)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\ncommit %s, %s\n%s\n\nmicroseconds of processors, median of %d rounds\n\n", r.Command, r.Commit, r.Date, r.Machine, quickTiming.rounds)
	columns := []string{"server", "Redis", "PostgreSQL", "generator", "all"}
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "\t"+strings.Join(columns, "\t"))
	for _, p := range parts {
		cells := []string{p.name}
		for _, column := range columns {
			var list []float64
			for _, round := range rounds[p.name] {
				if micros, ok := round[column]; ok {
					list = append(list, micros)
				}
			}
			cells = append(cells, medianCell(list))
		}
		_, _ = fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	must(s.b, t.Flush())
	fmt.Fprintln(os.Stderr, out.String())
	must(s.b, os.WriteFile(results+"processors.txt", []byte(out.String()), 0o600))
}

func medianCell(list []float64) string {
	if len(list) == 0 {
		return "–"
	}
	return bench.Number(bench.Median(list))
}
