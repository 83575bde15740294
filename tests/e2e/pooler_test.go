package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// With PgBouncer's defaults, which permit 20 connections to a database.
func TestServe_WorksBehindSessionPooler(t *testing.T) {
	t.Parallel()
	env := shared(t)
	pooled := testenv.StartPgBouncer(t, setting(env, "TIDELINE_DATABASE_URL"), "pool_mode = session")
	s := startServer(t, append(env, "TIDELINE_DATABASE_URL="+pooled)...)
	token := harness.TokenFor(t, 7)
	post := s.Publish(t, token, "through a pooler")
	if got := s.Home(t, token, 20, 5); !slices.Equal(got, []string{post}) {
		t.Errorf("the home feed has %v, want %s", got, post)
	}
}

func TestMirrorCheck_WorksBehindSessionPooler(t *testing.T) {
	t.Parallel()
	source := testenv.LogicalPostgres(t)
	conn, err := pgx.Connect(t.Context(), source)
	harness.Check(t, err)
	_, err = conn.Exec(t.Context(), `CREATE TABLE people (id int PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'Ann')`, pgx.QueryExecModeSimpleProtocol)
	harness.Check(t, err)
	harness.Check(t, conn.Close(t.Context()))
	file := filepath.Join(t.TempDir(), "map.yaml")
	mapping := `inputs: {public.people: [{type: user, fields: {id: =row.id, name: =row.name, createdAt: "2026-01-01T00:00:00Z"}}]}`
	harness.Check(t, os.WriteFile(file, []byte(mapping), 0o600))
	code, out := harness.Command(t, []string{"TIDELINE_MIRROR_SOURCE=" + testenv.StartPgBouncer(t, source, "pool_mode = session")}, "mirror", "check", "--map", file)
	if code != 0 || !strings.Contains(out, `"name":"Ann"`) {
		t.Errorf("the check ends with %d: %s", code, out)
	}
}
