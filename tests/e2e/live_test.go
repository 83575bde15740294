package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// livePost returns the record of a post from long ago.
func livePost(id, author int) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"live %d","publishedAt":"2010-01-01T00:00:00Z"}`, id, author, id)
}

// TestImport_PlayedPostsReachInboxes plays records while a server runs whose only follower has an
// inbox, and reads them from that inbox.
func TestImport_PlayedPostsReachInboxes(t *testing.T) {
	t.Parallel()
	for name, open := range storesUnderTest() {
		t.Run(name, func(t *testing.T) {
			env := append(open(t), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_DEMO=false")
			before := filepath.Join(t.TempDir(), "before.ndjson")
			harness.WriteLines(t, before, harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(1, 2), livePost(99, 2))
			harness.ImportFile(t, env, before, "4 new, 0 known, 0 bad")
			s, reader := startServer(t, env...), harness.TokenFor(t, 1)
			eventually.True(t, "the inbox is built", func() bool {
				s.Home(t, reader, 1, 1)
				return s.CountLines("source=inbox") > 0
			})

			records := []string{harness.UserRecord(3), harness.FollowRecord(1, 3)}
			var want []string
			for id := 11; id <= 30; id++ { // Posts of one millisecond are ordered by id.
				records = append(records, livePost(id, 2+id%2))
				want = append([]string{fmt.Sprint(id)}, want...)
			}
			want = append(want, "99")
			now := filepath.Join(t.TempDir(), "now.ndjson")
			harness.WriteLines(t, now, append(records, livePost(31, 77))...)
			p := testenv.Program(t, []string{testenv.Binary(t), "import", "--live", "--rate", "200", now}, env)
			if code := p.Wait(); code != 0 || !strings.Contains(p.Output(), "23 lines, 22 played, 0 known, 1 bad") {
				t.Fatalf("the import ended with exit code %d:\n%s", code, p.Output())
			}
			eventually.True(t, "all is pushed and read from the inbox", func() bool {
				read := s.CountLines("home feed read", "source=inbox")
				return slices.Equal(s.Home(t, reader, 100, 100), want) && s.CountLines("slice pushed") >= len(want)-1 &&
					s.CountLines("home feed read", "source=inbox") > read
			})
		})
	}
}

func TestImport_KeepsTheRate(t *testing.T) {
	const n, rate = 20, 200
	file := filepath.Join(t.TempDir(), "users.ndjson")
	var lines []string
	for id := range n {
		lines = append(lines, harness.UserRecord(id+1))
	}
	harness.WriteLines(t, file, lines...)
	began := time.Now()
	code, stdout, stderr := harness.RunMain(t, "import", "--live", "--rate", fmt.Sprint(rate), file, "--data-dir", t.TempDir())
	if code != 0 || !strings.Contains(stdout, "20 lines, 20 played, 0 known, 0 bad") {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	if took, least := time.Since(began), n*time.Second/rate; took < least {
		t.Errorf("%d records took %v; at %d per second it must be at least %v", n, took, rate, least)
	}
}

func TestImport_RefusesImpossibleRate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "none.ndjson")
	harness.WriteLines(t, file, "")
	for want, args := range map[string][]string{
		"--rate needs --live":             {"--rate=5"},
		"--rate must be from 1 to 100000": {"--live", "--rate=-1"},
		"a second, not 100001":            {"--live", "--rate=100001"},
	} {
		code, _, stderr := harness.RunMain(t, append([]string{"import", file, "--data-dir", t.TempDir()}, args...)...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("import %s: exit code %d, %s", args, code, stderr)
		}
	}
}
