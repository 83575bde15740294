package fleet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// leads returns whether a process holds every lease of leadership.
func leads(t *testing.T, db *pgx.Conn, p *testenv.Process) bool {
	t.Helper()
	var n int
	err := db.QueryRow(t.Context(), `
SELECT COUNT(*) FROM leaders WHERE name IN ('heartbeat', 'tidy inboxes', 'clean up rows')
AND holder LIKE $1 AND until > EXTRACT(EPOCH FROM now()) * 1000`, fmt.Sprintf("%%/%d/%%", p.Pid())).Scan(&n)
	harness.Check(t, err)
	return n == 3
}

// takesOver waits until a process leads in everything, and logs the time.
func takesOver(t *testing.T, db *pgx.Conn, p *testenv.Process, why string) {
	t.Helper()
	began := time.Now()
	eventually.True(t, "another process leads", func() bool { return leads(t, db, p) })
	t.Logf("%s: another process leads in everything after %v", why, time.Since(began).Round(10*time.Millisecond))
}

// holds returns whether a process holds any lease of leadership.
func holds(t *testing.T, db *pgx.Conn, p *testenv.Process) bool {
	t.Helper()
	var n int
	err := db.QueryRow(t.Context(), `
SELECT COUNT(*) FROM leaders WHERE holder LIKE $1 AND until > EXTRACT(EPOCH FROM now()) * 1000`, fmt.Sprintf("%%/%d/%%", p.Pid())).Scan(&n)
	harness.Check(t, err)
	return n > 0
}

// One process leads in everything. Another takes over if the leader is cut off or killed, and at
// once if it stops.
func TestLeadership_MovesToAnotherProcess(t *testing.T) {
	t.Parallel() // it mostly waits for leases to expire
	database := testenv.Postgres(t)
	proxy := testenv.StartProxy(t, database)
	db, err := pgx.Connect(t.Context(), database)
	harness.Check(t, err)
	t.Cleanup(func() { _ = db.Close(t.Context()) })
	env := []string{"TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_DEMO=false"}
	direct := append(env, "TIDELINE_DATABASE_URL="+database)

	first := harness.StartWorker(t, append(env, "TIDELINE_DATABASE_URL="+proxy.URL(database)))
	takesOver(t, db, first, "at the start")
	second := harness.StartWorker(t, direct)
	proxy.Cut()
	takesOver(t, db, second, "when the leader is cut off")
	first.Kill()

	third := harness.StartWorker(t, direct)
	second.Kill()
	takesOver(t, db, third, "when the leader is killed")

	fourth := harness.StartWorker(t, direct)
	third.Interrupt()
	if code := third.Wait(); code != 0 || strings.Contains(third.Output(), "cannot resign leadership") {
		t.Errorf("the stopped leader ended with exit code %d", code)
	}
	if holds(t, db, third) {
		t.Error("the stopped leader keeps its lease until it expires")
	}
	takesOver(t, db, fourth, "when the leader stops")
}
