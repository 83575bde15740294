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
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/bench/capacity"
)

// meter reads the cumulative cost of an API process, a worker, their Redis and their PostgreSQL:
// statements, commands and CPU time.
type meter struct {
	s           *site
	api, worker *server
	// redis and postmaster are the process ids of the servers.
	redis, postmaster int
	// idle is the cost of one idle second of all processes.
	idle capacity.Cost
}

// statementsCounted makes PostgreSQL count statements.
const statementsCounted = "shared_preload_libraries=pg_stat_statements"

// observer is the role of the benchmark's own connections, which separates their statements from
// the measured ones.
const observer = "observer"

// observe reconnects the site as the observer.
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

// idleFor is the duration of the idle measurement.
const idleFor = 10 * time.Second

// newMeter returns a meter of an observed site. It first measures the idle cost, during which the
// site must receive no requests.
func newMeter(s *site, api, worker *server) *meter {
	s.b.Helper()
	m := &meter{s: s, api: api, worker: worker}
	m.redis, m.postmaster = api.redisPid(s.b), s.postmaster()
	m.idle = m.of(idleFor.Seconds(), func() { <-time.After(idleFor) })
	return m
}

// redisPid returns the process id of a server's Redis.
func (v *server) redisPid(b *testing.B) int {
	b.Helper()
	return redisPid(b, v.redis)
}

func redisPid(b *testing.B, client *redis.Client) int {
	b.Helper()
	of, err := client.InfoMap(b.Context(), "server").Result()
	must(b, err)
	pid, err := strconv.Atoi(of["Server"]["process_id"])
	must(b, err)
	return pid
}

// postmaster returns the process id of PostgreSQL's parent process.
func (s *site) postmaster() int {
	s.b.Helper()
	return processOf(s.b, int(s.number(`SELECT pg_backend_pid()`))).parent
}

// of returns the cost per operation while do makes n of them, without the idle cost of the same
// time.
func (m *meter) of(n float64, do func()) capacity.Cost {
	m.s.b.Helper()
	began, before := time.Now(), m.read()
	do()
	after := m.read()
	nothing := m.idle.Times(time.Since(began).Seconds())
	return after.Plus(before.Times(-1)).Plus(nothing.Times(-1)).Times(1 / n)
}

// read returns the cumulative figures.
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

// childrenOf returns the CPU time of a process's children, including ended ones. It omits the
// running children in without.
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

// tick is the unit of the kernel's figures in microseconds. It is the same on every Linux that Go
// supports.
const tick = 10_000

// parseProcess parses a line of /proc/PID/stat. It counts fields from after the name, which may
// contain any character.
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
