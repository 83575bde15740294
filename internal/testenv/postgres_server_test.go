package testenv_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// A server of a test's own comes back after a kill at the same address, with everything
// it had acknowledged.
func TestAPostgresServerRemembersThroughAKill(t *testing.T) {
	server := testenv.StartPostgres(t)
	url := server.URL()
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE posts (id bigint)"); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("a connection from before the kill goes on")
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
