package bench_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The statements that an operation cannot do without, for pgbench: its rows and counters in one
// transaction. They neither check anything nor push.
const (
	publishSQL = `
\set n :n + 1
\set id :base + :n * 64 + :client_id
\set author random(:first, :last)
BEGIN;
INSERT INTO contents (id, author_id, kind, text, published_at) VALUES (:id, :author, 'POST', 'news of the day, number 17604429551111', :now);
INSERT INTO events (content_id, due_at, created_at) VALUES (:id, :now, :now);
UPDATE user_counters SET posts = posts + 1 WHERE user_id = :author;
COMMIT;
`
	likeSQL = `
\set post random(1, :posts)
\set user random(:first, :last)
BEGIN;
INSERT INTO reactions (content_id, kind, user_id, created_at) VALUES (:post, 'like', :user, :now) ON CONFLICT DO NOTHING;
INSERT INTO content_counters (content_id, likes) VALUES (:post, 1) ON CONFLICT (content_id) DO UPDATE SET likes = content_counters.likes + 1;
COMMIT;
`
	followSQL = `
\set follower random(:first, :last)
\set followee random(:first, :last)
BEGIN;
UPDATE users SET version = version + 1 WHERE id = :follower;
INSERT INTO follows (follower_id, followee_id, created_at, version, active) VALUES (:follower, :followee, :now, 1, 1)
ON CONFLICT (follower_id, followee_id) DO UPDATE SET active = 1;
UPDATE user_counters SET following = following + (user_id = :follower)::int, followers = followers + (user_id = :followee)::int
WHERE user_id IN (:follower, :followee);
COMMIT;
`
)

// likedPosts inserts the posts that likeSQL likes. Their ids are consecutive, so that pgbench can
// draw one.
const (
	likedPostCount = 20_000
	likedPosts     = `INSERT INTO contents (id, author_id, kind, text, published_at) SELECT n, $2::bigint, 'POST', 'old news', n FROM generate_series(1, $1::bigint) AS n`
)

// idEpoch and idLowBits are the layout of post ids (package world), so that new ids are the
// greatest.
const (
	idEpoch   = 1_577_836_800_000
	idLowBits = 22
)

// pgbench measures statements alone: the CPU time of PostgreSQL and of pgbench per transaction. For
// one client it also measures the latency.
func (w *writes) pgbench(name, script string, clients, each int) contender {
	w.b.Helper()
	dir := w.b.TempDir()
	file, log := filepath.Join(dir, "script.sql"), filepath.Join(dir, "log")
	must(w.b, os.WriteFile(file, []byte(script), 0o600))
	program := testenv.PostgresProgram(w.b, "pgbench")
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		now := time.Now().UnixMilli()
		args := []string{
			"--no-vacuum", "--protocol=prepared", "--max-tries=3", "--client=" + strconv.Itoa(clients), "--transactions=" + strconv.Itoa(each), "--file=" + file,
			define("n", 0), define("base", (now-idEpoch)<<idLowBits), define("now", now), define("posts", likedPostCount),
			define("first", w.size.Crowd().First), define("last", w.size.Crowd().Last),
		}
		if clients == 1 {
			args = append(args, "--log", "--log-prefix="+log)
		}
		cmd := exec.CommandContext(ctx, program, append(args, w.other.url)...)
		n := float64(clients * each)
		got, err := w.sql.each(ctx, func() (float64, error) { return n, runCommand(cmd) })
		if err != nil {
			return nil, err
		}
		got[" programs"] = commandTime(cmd) / n
		got[""] += got[" programs"]
		if clients == 1 {
			got[" p50"], err = medianOfLogs(log + ".*")
		}
		return got, err
	}}
}

// define returns an argument of pgbench that sets a variable.
func define(name string, value int64) string {
	return "--define=" + name + "=" + strconv.FormatInt(value, 10)
}

// runCommand runs a command. Its error includes the end of the output.
func runCommand(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, tail(out))
	}
	return nil
}

// commandTime returns the CPU time of an ended command in microseconds.
func commandTime(cmd *exec.Cmd) float64 {
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Microseconds())
}

// medianOfLogs returns the median latency from pgbench's logs in microseconds, and removes them.
func medianOfLogs(pattern string) (float64, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return 0, err
	}
	var took []float64
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		list, err := latencies(string(text))
		if err != nil {
			return 0, err
		}
		took = append(took, list...)
		if err := os.Remove(file); err != nil {
			return 0, err
		}
	}
	if len(took) == 0 {
		return 0, fmt.Errorf("pgbench has no log at %s", pattern)
	}
	return bench.Median(took), nil
}

// latencies returns the latencies in a log of pgbench, in microseconds. A line has the client, the
// number of the transaction, its latency, and more.
func latencies(log string) (out []float64, err error) {
	for line := range strings.Lines(log) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			return nil, fmt.Errorf("a line of pgbench's log is %q", line)
		}
		took, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return nil, err
		}
		out = append(out, took)
	}
	return out, nil
}
