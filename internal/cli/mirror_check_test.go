package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The proposal of init passes the check once its statements have run, and the rows are shown.
func TestMirrorCheck_AcceptsProposals(t *testing.T) {
	source := mirrorSource{Source: testenv.LogicalPostgres(t)}
	conn, err := pgx.Connect(t.Context(), source.Source)
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	exec := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE TABLE users (id uuid PRIMARY KEY, username text NOT NULL, created_at timestamp NOT NULL);
		CREATE TABLE follows (id serial PRIMARY KEY, follower_id uuid NOT NULL REFERENCES users, followed_id uuid NOT NULL REFERENCES users, created_at timestamp NOT NULL, UNIQUE (follower_id, followed_id));
		CREATE TABLE posts (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, body text NOT NULL, created_at timestamp NOT NULL);
		INSERT INTO users VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'ann', '2026-01-01')`)

	var proposal, shown bytes.Buffer
	check(t, (&mirrorInitCommand{source}).Run(t.Context(), output{out: &proposal, err: &proposal}))
	file := filepath.Join(t.TempDir(), "map.yaml")
	check(t, os.WriteFile(file, proposal.Bytes(), 0o600))
	check := mirrorCheckCommand{mirrorName{Name: "mirror"}, source, mirrorMap{Map: file}}
	err = check.Run(t.Context(), output{out: &shown, err: &shown})
	if err == nil || err.Error() != "a mirror of this source cannot run yet; faults: 1" {
		t.Errorf("the error is %v", err)
	}
	const statement = "ALTER TABLE public.follows REPLICA IDENTITY USING INDEX follows_follower_id_followed_id_key;"
	for _, want := range []string{
		`{"type":"user","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","handle":"ann","name":"ann","createdAt":"2026-01-01T00:00:00.000Z"}`,
		"public.follows needs REPLICA IDENTITY USING INDEX", "  " + statement, "TIDELINE_SOURCE_OWNS=user,follow,post TIDELINE_IDS=text",
	} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, shown.String())
		}
	}
	exec(statement)
	if err := check.Run(t.Context(), output{out: &shown, err: &shown}); err != nil {
		t.Errorf("the check fails after its statements: %v", err)
	}
}

func TestMirrorCheck_RefusesFiles(t *testing.T) {
	source := mirrorSource{Source: testenv.LogicalPostgres(t)}
	wrong := filepath.Join(t.TempDir(), "map.yaml")
	check(t, os.WriteFile(wrong, []byte("inputs:\n  public.users: []\n"), 0o600))
	for file, want := range map[string]string{
		filepath.Join(t.TempDir(), "none"): "--map: open",
		wrong:                              ":\nline 2: there is no table public.users",
	} {
		var bad *app.SettingError
		err := (&mirrorCheckCommand{mirrorName{Name: "mirror"}, source, mirrorMap{Map: file}}).Run(t.Context(), output{out: &bytes.Buffer{}})
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	err := (&mirrorInitCommand{mirrorSource{Source: "http://user:secret@host"}}).Run(t.Context(), output{out: &bytes.Buffer{}})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error of a wrong URL is %v", err)
	}
}
