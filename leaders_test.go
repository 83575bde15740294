package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// How long it may take until another process leads: the five seconds after which one that
// says nothing is missed, one until the next call, and some more on a busy machine. Nobody
// waits for one that has resigned.
const (
	missedWithin   = 12 * time.Second
	resignedWithin = 4 * time.Second
)

// leads says whether a process leads in everything that is led.
func leads(t *testing.T, db *pgx.Conn, p *testenv.Process) bool {
	t.Helper()
	var n int
	err := db.QueryRow(t.Context(), `
SELECT COUNT(*) FROM leaders WHERE name IN ('heartbeat', 'tidy inboxes', 'clean up rows')
AND holder LIKE $1 AND until > EXTRACT(EPOCH FROM now()) * 1000`, fmt.Sprintf("%%/%d/%%", p.Pid())).Scan(&n)
	check(t, err)
	return n == 3
}

// takesOver waits until a process leads in everything, and says how long that took.
func takesOver(t *testing.T, db *pgx.Conn, p *testenv.Process, within time.Duration, why string) {
	t.Helper()
	began := time.Now()
	eventually(t, "another process leads", func() bool { return leads(t, db, p) })
	took := time.Since(began)
	t.Logf("%s: another leads in everything after %v", why, took.Round(10*time.Millisecond))
	if took > within {
		t.Errorf("%s, it took %v until another leads, want %v at most", why, took, within)
	}
}

// One process leads whatever is led, and the next takes over within seconds, whatever
// becomes of it.
func TestAnotherProcessLeadsWithinSeconds(t *testing.T) {
	t.Parallel() // most of the time goes by in waiting for the leader
	database := testenv.Postgres(t)
	proxy := testenv.StartProxy(t, database)
	db, err := pgx.Connect(t.Context(), database)
	check(t, err)
	t.Cleanup(func() { _ = db.Close(t.Context()) })
	env := []string{"TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_DEMO=false"}
	direct := append(env, "TIDELINE_DATABASE_URL="+database)

	first := startWorker(t, append(env, "TIDELINE_DATABASE_URL="+proxy.URL(database)))
	takesOver(t, db, first, missedWithin, "at the start")
	second := startWorker(t, direct)
	proxy.Cut()
	takesOver(t, db, second, missedWithin, "when the leader is cut off")
	first.Kill()

	third := startWorker(t, direct)
	second.Kill()
	takesOver(t, db, third, missedWithin, "when the leader is killed")

	fourth := startWorker(t, direct)
	third.Interrupt()
	if code := third.Wait(); code != 0 || strings.Contains(third.Output(), "could not be handed over") {
		t.Errorf("the leader that was stopped ended with %d", code)
	}
	takesOver(t, db, fourth, resignedWithin, "when the leader stops")
}
