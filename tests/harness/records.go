package harness

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// RecordsFile writes records to a file and returns its name.
func RecordsFile(t *testing.T, lines []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.ndjson")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// UserRecord returns the record of a user.
func UserRecord(id int) string {
	return fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"User %d","createdAt":"2026-01-01T00:00:00Z"}`, id, id, id)
}

// FollowRecord returns the record of a follow.
func FollowRecord(follower, followee int) string {
	return fmt.Sprintf(`{"type":"follow","follower":"%d","followee":"%d","createdAt":"2026-01-02T00:00:00Z"}`, follower, followee)
}

// PostRecord returns the record of a post.
func PostRecord(p Post, text string) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"%s","publishedAt":"%s"}`,
		p.ID, p.Author, text, time.UnixMilli(p.At).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// StarFile writes the records of user 1 and of their followers to a file and returns its name. The
// followers' ids begin at 2.
func StarFile(t *testing.T, followers int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.ndjson")
	file, err := os.Create(path)
	Check(t, err)
	out := bufio.NewWriter(file)
	_, _ = fmt.Fprintln(out, UserRecord(1)) // Flush returns its error
	for id := 2; id <= followers+1; id++ {
		_, _ = fmt.Fprintf(out, "%s\n%s\n", UserRecord(id), FollowRecord(id, 1))
	}
	Check(t, errors.Join(out.Flush(), file.Close()))
	return path
}

// WriteLines writes lines to a file.
func WriteLines(t *testing.T, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ImportFile runs tideline import. The command must succeed and print want. A large file may take
// longer than other waits of tests.
func ImportFile(t *testing.T, env []string, file, want string) {
	t.Helper()
	p := testenv.Program(t, []string{testenv.Binary(t), "import", file}, env)
	<-p.Done()
	if code := p.Wait(); code != 0 || !strings.Contains(p.Output(), want) {
		t.Fatalf("the import ended with exit code %d:\n%s", code, p.Output())
	}
}

// ImportLines imports records. All of them must be new.
func ImportLines(t *testing.T, env []string, lines ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "records.ndjson")
	WriteLines(t, file, lines...)
	ImportFile(t, env, file, fmt.Sprintf("%d new, 0 known, 0 bad", len(lines)))
}
