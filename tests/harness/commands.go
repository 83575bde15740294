package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/cli"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// RunMain runs a command in this process and returns its exit code and output.
func RunMain(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	// None of these commands serves. The context stops a command that serves by mistake.
	var out, err bytes.Buffer
	code = cli.Run(eventually.Context(t), args, &out, &err)
	return code, out.String(), err.String()
}

// Command runs a command of the program with the servers of env, and returns its exit code and
// output.
func Command(t *testing.T, env []string, args ...string) (int, string) {
	t.Helper()
	p := testenv.Program(t, append([]string{testenv.Binary(t)}, args...), env)
	code := p.Wait()
	return code, p.Output()
}

// DoctorSays runs tideline doctor. It fails the test unless the exit code is code and the output
// has all texts.
func DoctorSays(t *testing.T, env []string, args []string, code int, texts ...string) {
	t.Helper()
	got, out := Command(t, env, append([]string{"doctor"}, args...)...)
	if got != code {
		t.Fatalf("the doctor ended with exit code %d, want %d:\n%s", got, code, out)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("the doctor's output lacks %q:\n%s", text, out)
		}
	}
}

// Check ends the test if there is an error.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Full reports whether this is a run of scripts/chaos.sh.
func Full() bool { return os.Getenv("CHAOS") == "full" }

// AtMost returns the limit of a measured time. It is limit in a full run, which has the machine to
// itself. Other runs only look for hangs, so it is [eventually.Limit].
func AtMost(limit time.Duration) time.Duration {
	if Full() {
		return limit
	}
	return eventually.Limit
}

// Postgres returns the URL of a new database that is migrated. It is dropped when the test ends, even
// with open connections. A test of migrations needs [testenv.Postgres], which is empty.
//
// The first test of the test binary migrates a template, and all copy it.
func Postgres(t testing.TB) string {
	t.Helper()
	template, err := migratedPostgres()
	Check(t, err)
	return template.Copy(t)
}

// migratedPostgres makes the template on the first call. It is package state because unrelated tests
// share it nowhere else.
var migratedPostgres = sync.OnceValues(func() (*testenv.PostgresTemplate, error) {
	return testenv.NewPostgresTemplate(context.Background(), func(url string) error {
		store, err := sqlstore.Open(context.Background(), url)
		if err != nil {
			return err
		}
		_, err = store.Migrate(context.Background())
		return errors.Join(err, store.Close())
	})
})

// OpenInboxes opens the servers' inboxes until the test ends. inbox is the servers' value of
// --inbox: database or redis.
func OpenInboxes(t *testing.T, inbox, database, redis string) app.InboxStore {
	t.Helper()
	limit := feed.DefaultPolicy().InboxCap
	if inbox == app.InboxSQL {
		store, err := sqlstore.Open(t.Context(), database)
		Check(t, err)
		t.Cleanup(func() { Check(t, store.Close()) })
		return sqlstore.NewInboxes(store, limit)
	}
	client, err := redisstore.Open(t.Context(), redis)
	Check(t, err)
	t.Cleanup(func() { Check(t, client.Close()) })
	return redisstore.NewInboxes(client, limit)
}

// PeakMemory returns the largest resident memory of a running process so far, in bytes.
func PeakMemory(t *testing.T, p *testenv.Process) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	Check(t, err)
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if peak == nil {
		t.Fatalf("the status of the process has no peak: %s", status)
	}
	n, err := strconv.ParseInt(string(peak[1]), 10, 64)
	Check(t, err)
	return n << 10
}

// Doc returns the text of a file of the repository.
func Doc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Checkout(t), name))
	Check(t, err)
	return string(text)
}

// CodeBlocks returns the code blocks of a text in a language. It fails the test if there is none.
func CodeBlocks(t *testing.T, text, language string) []string {
	t.Helper()
	blocks := submatches("(?s)```"+language+"\n(.*?)```", text)
	if len(blocks) == 0 {
		t.Fatalf("there is no block in %s", language)
	}
	return blocks
}

// SettingsFile runs a block that writes the file .env, and returns its n settings as a shell reads them.
// Running the block again must change none.
func SettingsFile(t *testing.T, block string, n int) []string {
	t.Helper()
	dir := t.TempDir()
	run := func() []string {
		shell := exec.CommandContext(t.Context(), "sh", "-ec", block+"\nset -a; . ./.env; env")
		shell.Dir = dir
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return regexp.MustCompile(`(?m)^TIDELINE_.*$`).FindAllString(string(out), -1)
	}
	settings, again := run(), run()
	slices.Sort(settings)
	slices.Sort(again)
	if len(settings) != n || !slices.Equal(settings, again) {
		t.Fatalf("the block sets %q, and then %q; want %d settings", settings, again, n)
	}
	return settings
}

// submatches returns the first group of each match of a pattern.
func submatches(pattern, text string) (groups []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		groups = append(groups, m[1])
	}
	return groups
}

// ErrorCodes returns the rows of docs/errors.md for codes of errors, by code.
func ErrorCodes(t *testing.T) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `errors`(.*)$").FindAllStringSubmatch(Doc(t, "docs/errors.md"), -1) {
		rows[m[1]] = m[2]
	}
	return rows
}

// Metric describes one metric, as the docs or a server do. Labels are sorted.
type Metric struct {
	Type   string
	Labels []string
}

// DocumentedMetrics returns the table of docs/metrics.md by name.
func DocumentedMetrics(t *testing.T) map[string]Metric {
	t.Helper()
	all := map[string]Metric{}
	row := regexp.MustCompile("(?m)^\\| `(tideline_\\w+)` \\| (\\w+) \\| (.*?) ?\\| .+ \\|$")
	for _, m := range row.FindAllStringSubmatch(Doc(t, "docs/metrics.md"), -1) {
		labels := submatches("`(\\w+)`", m[3])
		slices.Sort(labels)
		all[m[1]] = Metric{m[2], labels}
	}
	return all
}

// Main runs the tests of a package in the root folder of the repository. It returns the exit code.
func Main(m *testing.M) int {
	if err := os.Chdir("../.."); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "harness:", err)
		return 1
	}
	return m.Run()
}
