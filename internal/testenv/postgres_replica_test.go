package testenv_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// change runs a statement that must succeed.
func change(t *testing.T, server *testenv.PostgresServer, statement string) {
	t.Helper()
	if _, err := connect(t, server.URL()).Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// mustHave compares the number of tables in a database.
func mustHave(t *testing.T, server *testenv.PostgresServer, want int) {
	t.Helper()
	if n := tables(t, connect(t, server.URL())); n != want {
		t.Errorf("there are %d tables, want %d", n, want)
	}
}

// One test covers all states of a replica, because each replica takes seconds to make.
func TestReplica_FollowsUntilPausedKilledOrPromoted(t *testing.T) {
	primary := testenv.StartPostgres(t)
	change(t, primary, "CREATE TABLE before (id bigint)")
	replica := testenv.StartPostgresReplica(t, primary)
	mustHave(t, replica.PostgresServer, 1)
	if _, err := connect(t, replica.URL()).Exec(t.Context(), "CREATE TABLE here (id bigint)"); err == nil {
		t.Error("a replica takes writes")
	}

	change(t, primary, "CREATE TABLE followed (id bigint)")
	replica.CatchUp(primary)
	mustHave(t, replica.PostgresServer, 2)

	replica.Pause()
	change(t, primary, "CREATE TABLE lagging (id bigint)")
	mustHave(t, primary, 3)
	mustHave(t, replica.PostgresServer, 2)
	replica.Resume()
	replica.CatchUp(primary)
	mustHave(t, replica.PostgresServer, 3)

	replica.Kill()
	if _, err := pgx.Connect(t.Context(), replica.URL()); err == nil {
		t.Error("a killed replica takes connections")
	}
	change(t, primary, "CREATE TABLE missed (id bigint)")
	replica.Restart()
	replica.CatchUp(primary)
	mustHave(t, replica.PostgresServer, 4)

	primary.Kill()
	mustHave(t, replica.PostgresServer, 4)
	replica.Promote()
	change(t, replica.PostgresServer, "CREATE TABLE promoted (id bigint)")
	mustHave(t, replica.PostgresServer, 5)
}
