package testenv_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// After a kill and a restart, a server has the same address and all acknowledged data.
func TestPostgresServer_KeepsDataAfterKill(t *testing.T) {
	server := testenv.StartPostgres(t)
	url := server.URL()
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE posts (id bigint)"); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("a connection from before the kill continues")
	}
	if _, err := pgx.Connect(t.Context(), url); err == nil {
		t.Error("a killed server takes connections")
	}
	server.Restart()
	if url != server.URL() {
		t.Errorf("the address changed from %s to %s", url, server.URL())
	}
	if n := tables(t, connect(t, url)); n != 1 {
		t.Errorf("the server restarted with %d tables, want 1", n)
	}
}

func TestPostgresServer_RecoversAfterBackendKill(t *testing.T) {
	server := testenv.StartPostgres(t)
	conn := connect(t, server.URL())
	change(t, server, "CREATE TABLE posts (id bigint)")
	started := func() (at string) {
		if err := connect(t, server.URL()).QueryRow(t.Context(), "SELECT pg_postmaster_start_time()::text").Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	before := started()
	if crashes := server.Crashes(); crashes != "" {
		t.Errorf("before the kill the log names crashes:\n%s", crashes)
	}
	server.KillBackend()
	if crashes := server.Crashes(); !strings.Contains(crashes, "signal 9") {
		t.Errorf("the log names the crashes %q, want the killed process", crashes)
	}
	if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("another connection from before the restart continues")
	}
	if after := started(); after != before {
		t.Errorf("the server was started at %s and then at %s", before, after)
	}
	if n := tables(t, connect(t, server.URL())); n != 1 {
		t.Errorf("the restarted server has %d tables, want 1", n)
	}
}
