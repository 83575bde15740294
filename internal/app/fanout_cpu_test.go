package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

// cpuMeter measures the CPU time of the three parties in a fan-out. Unlike elapsed time, it
// hardly depends on other work on the machine.
type cpuMeter struct {
	b        *testing.B
	redis    *redis.Client
	postgres *pgx.Conn
	taken    cpuTimes
}

func newCPUMeter(b *testing.B, databaseURL, redisURL string) *cpuMeter {
	b.Helper()
	options, err := redis.ParseURL(redisURL)
	check(b, err)
	m := &cpuMeter{b: b, redis: redis.NewClient(options), taken: cpuTimes{}}
	b.Cleanup(func() { _ = m.redis.Close() })
	m.postgres, err = pgx.Connect(b.Context(), databaseURL)
	check(b, err)
	// The benchmark's context has ended by then.
	b.Cleanup(func() { _ = m.postgres.Close(b.Context()) })
	return m
}

// cpuTimes are CPU times in user and system mode, by party.
type cpuTimes map[string]time.Duration

func (m *cpuMeter) now() cpuTimes {
	m.b.Helper()
	return cpuTimes{"redis": m.ofRedis(), "postgres": m.ofPostgres(), "program": m.ofProgram()}
}

func (m *cpuMeter) ofRedis() time.Duration {
	m.b.Helper()
	stats, err := m.redis.InfoMap(m.b.Context(), "cpu").Result()
	check(m.b, err)
	var system, user float64
	_, err = fmt.Sscan(stats["CPU"]["used_cpu_sys"]+" "+stats["CPU"]["used_cpu_user"], &system, &user)
	check(m.b, err)
	return time.Duration((system + user) * float64(time.Second))
}

func (m *cpuMeter) ofProgram() time.Duration {
	m.b.Helper()
	var usage syscall.Rusage
	check(m.b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// ofPostgres adds up the server's processes, one per connection. Connections are kept, so no
// process ends during the measurement.
func (m *cpuMeter) ofPostgres() (all time.Duration) {
	m.b.Helper()
	rows, err := m.postgres.Query(m.b.Context(), `SELECT pid FROM pg_stat_activity`)
	check(m.b, err)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	check(m.b, err)
	for _, pid := range pids {
		all += m.ofProcess(pid)
	}
	return all
}

// ofProcess returns the CPU time of a process, which Linux counts in hundredths of a second; 0
// after its end.
func (m *cpuMeter) ofProcess(pid int) time.Duration {
	m.b.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "stat"))
	if err != nil {
		return 0
	}
	// The name in parentheses can contain anything. Fields 12 and 13 after it count.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var user, system int64
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	check(m.b, err)
	return time.Duration(user+system) * (time.Second / 100)
}

// add adds the time since, by party with a prefix.
func (m *cpuMeter) add(prefix string, since cpuTimes) {
	m.b.Helper()
	for who, now := range m.now() {
		m.taken[prefix+who] += now - since[who]
	}
}

// report reports microseconds per operation, for n operations.
func (m *cpuMeter) report(n int) {
	m.b.Helper()
	for who, taken := range m.taken {
		m.b.ReportMetric(float64(taken.Nanoseconds())/1000/float64(n), who+"-µs/inbox")
	}
}
