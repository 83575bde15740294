package bench_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The rows of a mirrored database, and the changes that are streamed. BENCH_ROWS and BENCH_CHANGES
// replace them, and BENCH_ROUNDS the number of rounds.
const (
	mirrorRows = 10_000_000
	// No worker serves the fan-outs of new posts, a quarter of the changes. From 50,000 on, half of the
	// default policy's BacklogMax, a mirror waits for them.
	mirrorChanges = 150_000
	mirrorRounds  = 3
	// mirrorPatience is the limit of a run.
	mirrorPatience = 2 * time.Hour
)

// BenchmarkMirror compares tideline mirror with tools of PostgreSQL, in turns: its snapshot with COPY
// TO piped into COPY FROM, and its streaming with pg_recvlogical to a file. scripts/bench.sh runs it
// with BENCH=mirror.
func BenchmarkMirror(b *testing.B) {
	m := newMirrored(b)
	if millis := m.idle(); millis > idleGoal {
		b.Errorf("an idle mirror on the server of its source takes %s ms of CPU time a second", bench.Number(millis))
	}
	if os.Getenv("BENCH_ONLY") == "idle" {
		return
	}
	ratios := map[string][]float64{}
	for range setting(b, "BENCH_ROUNDS", mirrorRounds) {
		for _, pair := range []struct {
			name         string
			rows         int
			ours, others func() mirrorCost
		}{
			{"snapshot / COPY TO | COPY FROM", m.rows, m.snapshot, m.copied},
			{"streaming / pg_recvlogical", m.changes, m.stream, m.received},
		} {
			others, ours := pair.others(), pair.ours()
			for what, ratio := range map[string]float64{
				", CPU time": ours.micros / others.micros, ", elapsed": ours.elapsed.Seconds() / others.elapsed.Seconds(),
				", rows/s": float64(pair.rows) / ours.elapsed.Seconds(),
			} {
				ratios[pair.name+what] = append(ratios[pair.name+what], ratio)
			}
			tell(fmt.Sprintf("%s: %v and %v; CPU time %s and %s s (target %s, mirror %s, Redis %s)", pair.name, ours.elapsed.Round(time.Millisecond), others.elapsed.Round(time.Millisecond),
				bench.Number(ours.micros/1e6), bench.Number(others.micros/1e6), bench.Number(ours.target/1e6), bench.Number(ours.program/1e6), bench.Number(ours.redis/1e6)))
		}
	}
	for what, list := range ratios {
		tell(fmt.Sprintf("%s: median %s", what, bench.Number(bench.Median(list))))
	}
	lags := m.lags()
	tell(fmt.Sprintf("commit in the source to the page of the last of %d followers: median %s ms, longest %s ms",
		min(starFollowers, m.rows/10), bench.Number(bench.Median(lags)), bench.Number(slices.Max(lags))))
}

// setting returns a number from the environment.
func setting(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	must(b, err)
	return n
}

// mirrored is an application's database on a server of its own, and the server of its mirror.
type mirrored struct {
	b              *testing.B
	source, target *network
	program        string
	mapFile        string
	rows, changes  int
	// posts is the number of articles, changed how often they were changed.
	posts, changed int
	redisURL       string
	// redis is the process id of Redis.
	redis int
}

// mirrorCost is the CPU time of a run in all processes, and in three of them, in microseconds.
type mirrorCost struct {
	micros, target, program, redis float64
	elapsed                        time.Duration
}

const mirrorMap = `
inputs:
  public.people:
    - type: user
      fields: {id: =row.id, handle: =row.username, name: =row.full_name, createdAt: =row.created_at}
  public.articles:
    - type: post
      fields: {id: =row.id, author: =row.author_id, kind: POST, text: =row.body, publishedAt: =row.published_at}
  public.follows:
    - type: follow
      fields: {follower: =row.follower_id, followee: =row.followed_id, createdAt: =row.created_at}
`

const mirrorTables = `
CREATE TABLE people (id bigint PRIMARY KEY, username text NOT NULL UNIQUE, full_name text, created_at timestamptz NOT NULL);
CREATE TABLE articles (id bigint PRIMARY KEY, author_id bigint NOT NULL, body text NOT NULL, published_at timestamptz NOT NULL);
CREATE INDEX ON articles (author_id, published_at);
CREATE TABLE follows (follower_id bigint NOT NULL, followed_id bigint NOT NULL, created_at timestamptz NOT NULL, PRIMARY KEY (follower_id, followed_id));
CREATE INDEX ON follows (followed_id);`

func newMirrored(b *testing.B) *mirrored {
	b.Helper()
	b.Setenv("TMPDIR", os.TempDir()) // on a disk, and not in memory
	start := func(settings ...string) *network {
		return openNetwork(b, testenv.StartPostgres(b, append(append(settings, "shared_buffers=512MB"), durable...)...).URL())
	}
	m := &mirrored{
		b: b, source: start("wal_level=logical"), target: start(), program: testenv.Binary(b), mapFile: filepath.Join(b.TempDir(), "map.yaml"),
		rows: setting(b, "BENCH_ROWS", mirrorRows), changes: setting(b, "BENCH_CHANGES", mirrorChanges), redisURL: testenv.Redis(b),
	}
	m.redis = redisPid(b, redisClient(b, m.redisURL))
	must(b, os.WriteFile(m.mapFile, []byte(mirrorMap), 0o600))
	m.posts = m.rows * 3 / 10
	people, follows := m.rows/10, m.rows*6/10
	m.source.exec(mirrorTables)
	m.source.exec(`INSERT INTO people SELECT i, 'user' || i, 'User ' || i, '2026-01-01Z' FROM generate_series(1, $1::bigint) AS i`, people)
	m.source.exec(`INSERT INTO articles SELECT i, 1 + i * 7919 % $2, repeat(md5(i::text), 3), '2026-01-01Z'::timestamptz + i * '1 s'::interval FROM generate_series(1, $1::bigint) AS i`, m.posts, people)
	m.source.exec(`INSERT INTO follows SELECT 1 + i % $2, 1 + (i % $2 + 1 + i / $2 * 7) % $2, '2026-01-01Z' FROM generate_series(0, $1::bigint - 1) AS i`, follows, people)
	m.source.exec(`VACUUM ANALYZE`)
	return m
}

// measure returns the cost of do, which returns the CPU time of its programs.
func (m *mirrored) measure(do func() float64) mirrorCost {
	m.b.Helper()
	source, target := m.source.master(), m.target.master()
	redisBefore := threadTime(m.b, m.redis)
	sourceBefore, targetBefore, began := postgresTime(m.b, source), postgresTime(m.b, target), time.Now()
	c := mirrorCost{program: do()}
	c.elapsed = time.Since(began)
	c.target = postgresTime(m.b, target) - targetBefore
	c.redis = threadTime(m.b, m.redis) - redisBefore
	c.micros = c.program + c.target + c.redis + postgresTime(m.b, source) - sourceBefore
	return c
}

// master returns the process id of the server.
func (n *network) master() int {
	n.b.Helper()
	return processOf(n.b, int(n.number(`SELECT pg_backend_pid()`))).parent
}

const mirrorDatabase = "bench_mirror"

// copied copies the tables into new ones of the other server.
func (m *mirrored) copied() mirrorCost {
	m.b.Helper()
	ctx := m.b.Context()
	m.target.execOutside(ctx, `DROP DATABASE IF EXISTS `+mirrorDatabase+` WITH (FORCE)`)
	m.target.execOutside(ctx, `CREATE DATABASE `+mirrorDatabase)
	from, err := pgx.Connect(ctx, m.source.url)
	must(m.b, err)
	to, err := pgx.Connect(ctx, m.target.databaseURL(mirrorDatabase))
	must(m.b, err)
	defer func() { _, _ = from.Close(ctx), to.Close(ctx) }()
	_, err = to.Exec(ctx, mirrorTables)
	must(m.b, err)
	return m.measure(func() float64 {
		before := threadTime(m.b, os.Getpid())
		for _, table := range []string{"people", "articles", "follows"} {
			r, w := io.Pipe()
			go func() {
				_, err := from.PgConn().CopyTo(ctx, w, `COPY `+table+` TO STDOUT`)
				w.CloseWithError(err)
			}()
			_, err := to.PgConn().CopyFrom(ctx, r, `COPY `+table+` FROM STDIN`)
			must(m.b, err)
		}
		return threadTime(m.b, os.Getpid()) - before
	})
}

// snapshot has a mirror read all rows into an empty database that has all tables.
func (m *mirrored) snapshot() mirrorCost {
	m.b.Helper()
	ctx := m.b.Context()
	m.drop()
	m.target.execOutside(ctx, `DROP DATABASE IF EXISTS `+mirrorDatabase+` WITH (FORCE)`)
	m.target.execOutside(ctx, `CREATE DATABASE `+mirrorDatabase)
	store, err := sqlstore.Open(ctx, m.target.databaseURL(mirrorDatabase))
	must(m.b, err)
	_, err = store.Migrate(ctx)
	must(m.b, err)
	must(m.b, store.Close())
	return m.measure(func() float64 {
		return m.mirror(func(p *testenv.Process) bool { return strings.Contains(p.Output(), "the snapshot is complete") })
	})
}

// drop removes the slot and the publication of an earlier snapshot.
func (m *mirrored) drop() {
	m.source.exec(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots`)
	m.source.exec(`DROP PUBLICATION IF EXISTS tideline_mirror`)
}

// mirror runs a mirror until it is done, and returns the CPU time of its process.
func (m *mirrored) mirror(done func(*testenv.Process) bool) float64 {
	m.b.Helper()
	p := m.start(m.source.url, m.target.databaseURL(mirrorDatabase))
	must(m.b, pollUntil(m.b.Context(), 50*time.Millisecond, mirrorPatience, func() (bool, error) {
		select {
		case <-p.Done():
			return false, fmt.Errorf("the mirror has ended: %s", p.Output())
		default:
			return done(p), nil
		}
	}))
	micros := threadTime(m.b, p.Pid())
	p.Interrupt()
	p.Wait()
	return micros
}

// received has pg_recvlogical write changes to a file, as the mirror gets them.
func (m *mirrored) received() mirrorCost {
	m.b.Helper()
	m.source.exec(`SELECT pg_create_logical_replication_slot('bench', 'pgoutput')`)
	m.change()
	var end string
	must(m.b, m.source.sql.QueryRow(m.b.Context(), `SELECT pg_current_wal_lsn()::text`).Scan(&end))
	cost := m.measure(func() float64 {
		cmd := exec.CommandContext(m.b.Context(), "pg_recvlogical", "-d", m.source.url, "--slot=bench", "--start", "-f", filepath.Join(m.b.TempDir(), "changes"),
			"--endpos="+end, "-o", "proto_version=1", "-o", "publication_names=tideline_mirror")
		must(m.b, runCommand(cmd))
		return commandTime(cmd)
	})
	m.source.exec(`SELECT pg_drop_replication_slot('bench')`)
	return cost
}

// change changes rows in transactions of a hundred: half are updates of posts, a quarter new posts,
// and a quarter new follows.
func (m *mirrored) change() {
	m.b.Helper()
	const each = 100
	conn, err := pgx.Connect(m.b.Context(), m.source.url)
	must(m.b, err)
	defer func() { _ = conn.Close(context.Background()) }()
	for n := range m.changes / each {
		first := m.posts + 1
		m.posts += each / 4
		m.changed += each / 2
		statements := []string{
			fmt.Sprintf(`UPDATE articles SET body = md5(random()::text) WHERE id BETWEEN %d AND %d`, 1+m.changed%(first/2), m.changed%(first/2)+each/2),
			fmt.Sprintf(`INSERT INTO articles SELECT i, 1 + i * 7919 %% %d, repeat(md5(i::text), 3), now() FROM generate_series(%d::bigint, %d) AS i`, m.rows/10, first, m.posts),
			fmt.Sprintf(`INSERT INTO follows SELECT i, 1000000000 + %d, now() FROM generate_series(1, %d) AS i`, first, each/4),
		}
		_, err := conn.Exec(m.b.Context(), "BEGIN; "+strings.Join(statements, "; ")+"; COMMIT")
		if err != nil {
			m.b.Fatalf("transaction %d: %v", n, err)
		}
	}
}

// stream has the mirror apply the changes that pg_recvlogical received before.
func (m *mirrored) stream() mirrorCost {
	m.b.Helper()
	end := m.source.number(`SELECT (pg_current_wal_lsn() - '0/0')::bigint`)
	at := openNetwork(m.b, m.target.databaseURL(mirrorDatabase))
	defer at.sql.Close()
	return m.measure(func() float64 {
		return m.mirror(func(*testenv.Process) bool {
			return at.number(`SELECT split_part(position, '-', 1)::bigint FROM source_positions`) >= end
		})
	})
}
