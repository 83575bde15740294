package bench_test

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tideline-feeds/tideline/bench/capacity"
)

// meter reads what an API process, a worker, their Redis and their PostgreSQL have taken so
// far: statements, commands and processor time.
type meter struct {
	s           *site
	api, worker *server
	// redis and postmaster are the processes of the servers.
	redis, postmaster int
	// idle is what all of them take in a second of nothing.
	idle capacity.Cost
}

// statementsCounted has PostgreSQL count its statements.
const statementsCounted = "shared_preload_libraries=pg_stat_statements"

// observer is the role of the benchmark's own connections, which separates their statements from
// the measured ones.
const observer = "observer"

// observe replaces the site's connections by such of the observer.
func (s *site) observe() {
	s.b.Helper()
	s.exec(`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`)
	s.exec(`DROP ROLE IF EXISTS ` + observer)
	s.exec(`CREATE ROLE ` + observer + ` SUPERUSER LOGIN`)
	s.sql.Close()
	at, err := url.Parse(s.url)
	must(s.b, err)
	at.User = url.User(observer)
	s.sql, err = pgxpool.New(s.b.Context(), at.String())
	must(s.b, err)
}

// idleFor is for how long a meter looks on while nothing happens.
const idleFor = 10 * time.Second

// newMeter makes a meter of a site that is observed, and looks on for a while in which
// nothing must be asked of it.
func newMeter(s *site, api, worker *server) *meter {
	s.b.Helper()
	m := &meter{s: s, api: api, worker: worker}
	m.redis, m.postmaster = api.redisPid(s.b), s.postmaster()
	m.idle = m.of(idleFor.Seconds(), func() { <-time.After(idleFor) })
	return m
}

// redisPid is the process of a server's Redis.
func (v *server) redisPid(b *testing.B) int {
	b.Helper()
	of, err := v.redis.InfoMap(b.Context(), "server").Result()
	must(b, err)
	pid, err := strconv.Atoi(of["Server"]["process_id"])
	must(b, err)
	return pid
}

// postmaster is the process that all others of PostgreSQL are children of.
func (s *site) postmaster() int {
	s.b.Helper()
	return processOf(s.b, int(s.number(`SELECT pg_backend_pid()`))).parent
}

// of returns what one of n takes when do makes all of them, without what would have been
// taken by nothing in the same time.
func (m *meter) of(n float64, do func()) capacity.Cost {
	m.s.b.Helper()
	began, before := time.Now(), m.read()
	do()
	after := m.read()
	nothing := m.idle.Times(time.Since(began).Seconds())
	return after.Plus(before.Times(-1)).Plus(nothing.Times(-1)).Times(1 / n)
}

// read returns the figures so far.
func (m *meter) read() capacity.Cost {
	b := m.s.b
	b.Helper()
	stats, err := m.api.redis.InfoMap(b.Context(), "stats").Result()
	must(b, err)
	commands, err := strconv.ParseFloat(stats["Stats"]["total_commands_processed"], 64)
	must(b, err)
	return capacity.Cost{
		Statements: float64(m.s.number(`SELECT COALESCE(sum(calls), 0) FROM pg_stat_statements 
			WHERE userid <> (SELECT oid FROM pg_roles WHERE rolname = $1)`, observer)),
		Commands: commands,
		API:      processOf(b, m.api.process.Pid()).micros,
		Worker:   processOf(b, m.worker.process.Pid()).micros,
		Redis:    processOf(b, m.redis).micros,
		Postgres: m.postgres(),
	}
}

// postgres returns the CPU time of all processes of PostgreSQL, ended ones included, except those
// of the observer.
func (m *meter) postgres() (micros float64) {
	b := m.s.b
	b.Helper()
	own := map[int]bool{}
	rows, err := m.s.sql.Query(b.Context(), `SELECT pid FROM pg_stat_activity WHERE usename = $1`, observer)
	must(b, err)
	for rows.Next() {
		var pid int
		must(b, rows.Scan(&pid))
		own[pid] = true
	}
	must(b, rows.Err())
	return childrenOf(b, m.postmaster, own)
}

// childrenOf returns the processor time of a process's children, those that have ended among
// them, but for some that still run.
func childrenOf(b *testing.B, parent int, without map[int]bool) (micros float64) {
	b.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	must(b, err)
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		must(b, err)
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		if p := parseProcess(b, raw); p.parent == parent && !without[pid] {
			micros += p.micros
		}
	}
	return micros + processOf(b, parent).ended
}

// process is the kernel's record of a process: its parent, and the CPU time in microseconds of
// itself and of its ended children.
type process struct {
	parent        int
	micros, ended float64
}

func processOf(b *testing.B, pid int) process {
	b.Helper()
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	must(b, err)
	return parseProcess(b, raw)
}

// tick is the unit of the kernel's figures, in microseconds; it is the same on every Linux
// that Go runs on.
const tick = 10_000

// parseProcess reads the line of /proc/PID/stat. Fields are counted from behind the name,
// which may hold anything.
func parseProcess(b *testing.B, raw []byte) process {
	b.Helper()
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	number := func(i int) float64 {
		n, err := strconv.ParseFloat(fields[i], 64)
		must(b, err)
		return n
	}
	return process{parent: int(number(1)), micros: tick * (number(11) + number(12)), ended: tick * (number(13) + number(14))}
}
