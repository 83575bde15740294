package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// guide has the code blocks of docs/mirror.md by language.
func guide(t *testing.T) map[string][]string {
	t.Helper()
	page := harness.Doc(t, "docs/mirror.md")
	blocks := map[string][]string{}
	for _, m := range regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```").FindAllStringSubmatch(page, -1) {
		blocks[m[1]] = append(blocks[m[1]], m[2])
	}
	return blocks
}

// The tutorial shows what a person sees who does what it says, with other hosts.
func TestMirrorGuide_ShowsWhatHappens(t *testing.T) {
	t.Parallel()
	blocks := guide(t)
	source := testenv.LogicalPostgres(t)
	conn, err := pgx.Connect(t.Context(), source)
	harness.Check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	exec := func(sql string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		harness.Check(t, err)
	}
	exec(blocks["sql"][0])
	readme := harness.Doc(t, "README.md")
	for i, command := range []string{"tideline mirror init > map.yaml\n", "tideline mirror check --map map.yaml", "tideline mirror --map map.yaml"} {
		if !strings.Contains(readme, "./"+strings.TrimSpace(command)) || !strings.Contains(blocks["sh"][1+i], command) {
			t.Errorf("the README and the guide do not both say %q", command)
		}
	}

	folder := t.TempDir()
	harness.Check(t, os.Symlink(testenv.Binary(t), filepath.Join(folder, "tideline")))
	hosts := strings.NewReplacer("postgres://app:secret@appdb/app", "'"+source+"'", "postgres://tideline:secret@db/tideline", "'"+harness.Postgres(t)+"'", "redis://cache:6379", testenv.Redis(t))
	env := append(harness.SettingsFile(t, hosts.Replace(blocks["sh"][0]), 5), "TIDELINE_DEMO=false")
	shell := func(script string) (string, error) {
		program := shellFor(t, folder, strings.TrimPrefix(script, "set -a; . ./.env\n"), env...)
		out, err := program.CombinedOutput()
		return string(out), err
	}
	if out, err := shell(blocks["sh"][1]); err != nil || out != "" {
		t.Fatalf("init: %v %s", err, out)
	}
	proposal, err := os.ReadFile(filepath.Join(folder, "map.yaml"))
	harness.Check(t, err)
	if diff := cmp.Diff(blocks["yaml"][0], string(proposal)); diff != "" {
		t.Error(diff)
	}
	out, err := shell(blocks["sh"][2])
	if err == nil || !strings.HasPrefix(out, blocks["text"][0]) {
		t.Errorf("check: %v\n%s", err, cmp.Diff(blocks["text"][0], out))
	}
	for _, statement := range regexp.MustCompile(`(?m)^  (ALTER TABLE .*)$`).FindAllStringSubmatch(out, -1) {
		exec(statement[1])
	}
	if out, err := shell(blocks["sh"][2]); err != nil {
		t.Errorf("the check after the statements: %v\n%s", err, out)
	}

	mirror := testenv.Program(t, []string{testenv.Binary(t), "mirror", "--map", filepath.Join(folder, "map.yaml")}, env)
	mirror.WaitReady()
	web := harness.StartServer(t, append(env, "TIDELINE_JWT_SECRET="+harness.Secret)...)
	home := func() string {
		var page json.RawMessage
		web.Query(t, harness.TokenFor(t, 1), `{ viewer { homeFeed { nodes { databaseId text } } } }`, nil, &page)
		return `{"data":` + string(page) + "}\n"
	}
	eventually.True(t, "the feed has the snapshot", func() bool { return home() == blocks["json"][0] })
	exec("UPDATE articles SET status = 'published'")
	eventually.True(t, "the feed has the other article", func() bool { return strings.Contains(home(), `"text":"Not yet"`) })
}

// shellFor returns a shell that finds the program first.
func shellFor(t *testing.T, folder, script string, env ...string) *exec.Cmd {
	t.Helper()
	program := exec.CommandContext(t.Context(), "sh", "-c", script)
	program.Dir = folder
	program.Env = append(append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH")), env...)
	return program
}

// A post that is inserted while its community is hidden is hidden, too.
func TestMirrorGuide_TriggersMissNoPost(t *testing.T) {
	t.Parallel()
	s := &system{t: t, url: testenv.Postgres(t)}
	s.connect()
	s.exec(`CREATE TABLE communities (id int PRIMARY KEY, hidden boolean NOT NULL); CREATE TABLE posts (id int PRIMARY KEY, community_id int NOT NULL REFERENCES communities); INSERT INTO communities VALUES (1, false)`)
	s.exec(guide(t)["sql"][1])
	moderator := s.other()
	s.exec(`BEGIN; INSERT INTO posts VALUES (10, 1)`)
	done := make(chan error, 1)
	go func() {
		_, err := moderator.conn.Exec(t.Context(), `UPDATE communities SET hidden = true`)
		done <- err
	}()
	waiting := fmt.Sprintf(`SELECT 'waits' FROM pg_locks WHERE pid = %d AND NOT granted`, moderator.conn.PgConn().PID())
	eventually.True(t, "the change of the community waits", func() bool { return len(s.texts(waiting)) > 0 })
	s.exec(`COMMIT`)
	harness.Check(t, <-done)
	if shown := s.texts(`SELECT id::text FROM posts WHERE NOT community_hidden`); len(shown) > 0 {
		t.Errorf("posts %q of a hidden community are shown", shown)
	}
}

// The statements for what another table says keep their columns right while an application writes, before, during
// and after they run.
func TestMirrorGuide_StatementsFillColumns(t *testing.T) {
	t.Parallel()
	source := testenv.LogicalPostgres(t)
	connect := func() func(sql string, args ...any) error {
		conn, err := pgx.Connect(t.Context(), source)
		harness.Check(t, err)
		t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
		return func(sql string, args ...any) error {
			_, err := conn.Exec(t.Context(), sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
			return err
		}
	}
	exec := connect()
	harness.Check(t, exec(`
		CREATE TABLE communities (id int PRIMARY KEY, hidden boolean NOT NULL);
		CREATE TABLE posts (id serial PRIMARY KEY, community_id int REFERENCES communities);
		CREATE TABLE media (id serial PRIMARY KEY, post_id int REFERENCES posts, url text NOT NULL);
		CREATE TABLE follows (follower_id int, followee_id int, PRIMARY KEY (follower_id, followee_id));
		CREATE TABLE repost_mutes (muter_id int, mutee_id int, PRIMARY KEY (muter_id, mutee_id));
		INSERT INTO follows SELECT n % 40, n FROM generate_series(1, 1000) n;
		INSERT INTO repost_mutes SELECT n % 40, n FROM generate_series(1, 1000, 3) n;
		INSERT INTO communities SELECT n, n % 2 = 0 FROM generate_series(1, 5) n;
		INSERT INTO posts (community_id) SELECT 1 + n % 5 FROM generate_series(1, 2000) n;
		INSERT INTO media (post_id, url) SELECT 1 + n % 50, 'old ' || n FROM generate_series(1, 2000) n`))
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	for range 4 {
		write, seed := connect(), rand.Uint64()
		t.Logf("a seed is %d", seed)
		writers.Go(func() {
			random := rand.New(rand.NewPCG(seed, 1))
			for ctx.Err() == nil {
				statement := []string{
					"UPDATE communities SET hidden = NOT hidden WHERE id = $1 % 5 + 1", "INSERT INTO posts (community_id) VALUES ($1 % 5 + 1)",
					"UPDATE posts SET community_id = $1 % 3 + 1 WHERE id = $1", "INSERT INTO media (post_id, url) VALUES ($1, 'new')",
					"UPDATE media SET post_id = $1 % 7 + 1 WHERE id = $1", "DELETE FROM media WHERE id = $1", "UPDATE media SET url = 'newer' WHERE id = $1",
					"INSERT INTO follows VALUES ($1 % 40, $1) ON CONFLICT DO NOTHING", "DELETE FROM follows WHERE followee_id = $1",
					"INSERT INTO repost_mutes VALUES ($1 % 40, $1) ON CONFLICT DO NOTHING", "DELETE FROM repost_mutes WHERE mutee_id = $1",
				}[random.IntN(11)]
				if err := write(statement, 1+random.IntN(50)); err != nil && !strings.Contains(err.Error(), "deadlock") {
					t.Errorf("%s: %v", statement, err)
					return
				}
			}
		})
	}
	for _, block := range guide(t)["sql"] {
		if !strings.HasPrefix(block, "-- ") {
			continue
		}
		last := strings.LastIndex(block, "\nUPDATE ")
		for _, statements := range []string{block[:last], block[last:]} {
			eventually.Succeeds(t, "the statements", func() error { return exec(statements) })
		}
	}
	stop()
	writers.Wait()
	for name, query := range map[string]string{
		"visibility": `SELECT count(*) FROM posts JOIN communities c ON c.id = community_id WHERE community_hidden IS DISTINCT FROM hidden`,
		"muted":      `SELECT count(*) FROM follows WHERE reposts_muted IS DISTINCT FROM EXISTS (SELECT FROM repost_mutes WHERE muter_id = follower_id AND mutee_id = followee_id)`,
		"media":      `SELECT count(*) FROM posts WHERE media_urls IS DISTINCT FROM (SELECT array_agg(url ORDER BY id) FROM media WHERE post_id = posts.id)`,
	} {
		var wrong int
		conn, err := pgx.Connect(t.Context(), source)
		harness.Check(t, err)
		harness.Check(t, conn.QueryRow(t.Context(), query).Scan(&wrong))
		harness.Check(t, conn.Close(t.Context()))
		if wrong > 0 {
			t.Errorf("%d rows have the wrong %s", wrong, name)
		}
	}
}
