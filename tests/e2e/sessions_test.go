package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// changeLive calls a mutation on live sessions and returns the session's id.
func (s *server) changeLive(t *testing.T, token, mutation, inputType string, input map[string]any) string {
	t.Helper()
	var got struct {
		Change struct {
			LiveSession *struct{ ID string }
			UserErrors  []struct{ Message string }
		}
	}
	s.Query(t, token, `mutation($input: `+inputType+`!) { change: `+mutation+`(input: $input) { liveSession { id } userErrors { message } } }`,
		map[string]any{"input": input}, &got)
	if got.Change.LiveSession == nil {
		t.Fatalf("%s was refused: %v", mutation, got.Change.UserErrors)
	}
	return got.Change.LiveSession.ID
}

// schedule announces a session that begins some hours from now.
func (s *server) schedule(t *testing.T, token, title string, hours int) string {
	t.Helper()
	at := time.Now().Add(time.Duration(hours) * time.Hour).UTC().Format(time.RFC3339Nano)
	return s.changeLive(t, token, "scheduleLive", "ScheduleLiveInput", map[string]any{"title": title, "scheduledAt": at})
}

func (s *server) start(t *testing.T, token, id string) {
	t.Helper()
	s.changeLive(t, token, "startLive", "LiveIdInput", map[string]any{"liveSessionId": id})
}

func (s *server) end(t *testing.T, token, id string) {
	t.Helper()
	s.changeLive(t, token, "endLive", "EndLiveInput", map[string]any{"liveSessionId": id, "replayUrl": "https://replays.example/1"})
}

// liveFeed scrolls through a viewer's live feed by pages of size and calls between after the first
// page. It returns the title of each entry, its state as of the scroll and its state now.
func (s *server) liveFeed(t *testing.T, token string, size int, between func()) []string {
	t.Helper()
	seen := []string{}
	var after *string
	for {
		var got struct {
			Viewer struct {
				LiveFeed struct {
					Edges []struct {
						State string
						Node  struct{ Title, State string }
					}
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		s.Query(t, token, `query($n: Int, $after: String) { viewer { liveFeed(first: $n, after: $after) {
			edges { state node { title state } } pageInfo { hasNextPage endCursor } } } }`, map[string]any{"n": size, "after": after}, &got)
		page := got.Viewer.LiveFeed
		for _, e := range page.Edges {
			seen = append(seen, e.Node.Title+" "+e.State+" "+e.Node.State)
		}
		if !page.PageInfo.HasNextPage {
			return seen
		}
		if after == nil {
			between()
		}
		after = page.PageInfo.EndCursor
	}
}

func nothing() {}

// A scroll ignores changes that a new one shows. Once the replays are pushed, they come from the
// follower's replay inbox.
func TestLiveFeed_ShowsOneMomentUntilReloaded(t *testing.T) {
	t.Parallel()
	for name, open := range storesUnderTest() {
		t.Run(name, func(t *testing.T) {
			env := append(open(t), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_LOG_LEVEL=debug", "TIDELINE_DEMO=false")
			harness.ImportLines(t, env, harness.UserRecord(1), harness.UserRecord(2), harness.UserRecord(3), harness.FollowRecord(1, 2), harness.FollowRecord(1, 3))
			s := startServer(t, env...)
			reader, host, other := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3)
			first := s.schedule(t, host, "one", 1)
			s.start(t, host, first)
			s.schedule(t, host, "four", 4)
			next := s.schedule(t, host, "three", 3)
			s.start(t, other, s.schedule(t, other, "two", 2))
			replay := s.schedule(t, other, "five", 1)
			s.start(t, other, replay)
			s.end(t, other, replay)
			got := s.liveFeed(t, reader, 1, func() {
				s.end(t, host, first)
				s.start(t, host, next)
				s.schedule(t, other, "six", 5)
			})
			want := []string{"two LIVE LIVE", "one LIVE REPLAY", "three UPCOMING LIVE", "four UPCOMING UPCOMING", "five REPLAY REPLAY"}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("the scroll (-want +got):\n%s", diff)
			}
			want = []string{
				"three LIVE LIVE", "two LIVE LIVE", "four UPCOMING UPCOMING", "six UPCOMING UPCOMING", "one REPLAY REPLAY", "five REPLAY REPLAY",
			}
			if diff := gocmp.Diff(want, s.liveFeed(t, reader, 2, nothing)); diff != "" {
				t.Errorf("the next scroll (-want +got):\n%s", diff)
			}
			eventually.True(t, "the replays are pushed, and read from the inbox", func() bool {
				if diff := gocmp.Diff(want, s.liveFeed(t, reader, 4, nothing)); diff != "" {
					t.Fatalf("while they are pushed (-want +got):\n%s", diff)
				}
				return s.CountLines("slice pushed", "post=-") == 2 && s.CountLines("replays read", "source=inbox") > 0
			})
			if code, out := harness.Command(t, env, "rebuild"); code != 0 || !strings.Contains(out, "1 replay inboxes rebuilt") {
				t.Errorf("rebuild ended with exit code %d:\n%s", code, out)
			}
			if diff := gocmp.Diff(want, s.liveFeed(t, reader, 3, nothing)); diff != "" {
				t.Errorf("after a rebuild (-want +got):\n%s", diff)
			}
		})
	}
}

// sessionRecord is an import record.
func sessionRecord(id, host int, fields string) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"s%d","scheduledAt":"2026-03-01T12:00:%02d.000Z"%s}`, id, host, id, id, fields)
}

func TestExport_KeepsLiveSessions(t *testing.T) {
	t.Parallel()
	const started = `,"startedAt":"2026-03-01T12:01:00.000Z"`
	records := []string{
		harness.UserRecord(1), harness.UserRecord(2), harness.FollowRecord(1, 2),
		sessionRecord(1, 2, ``), sessionRecord(2, 2, ``), sessionRecord(3, 2, started), sessionRecord(4, 1, started),
		sessionRecord(5, 2, started+`,"endedAt":"2026-03-01T12:02:00.000Z","replayUrl":"https://replays.example/5"`),
		sessionRecord(6, 2, `,"cancelledAt":"2026-03-01T12:02:00.000Z"`),
	}
	want := []string{"s4 LIVE LIVE", "s3 LIVE LIVE", "s1 UPCOMING UPCOMING", "s2 UPCOMING UPCOMING", "s5 REPLAY REPLAY"}
	settings := func() []string {
		return []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false"}
	}
	env := settings()
	harness.ImportLines(t, env, records...)
	file := filepath.Join(t.TempDir(), "export.ndjson")
	if code, out := harness.Command(t, env, "export", file); code != 0 || !strings.Contains(out, "9 lines: 2 users, 1 follows") || !strings.Contains(out, "6 live sessions") {
		t.Fatalf("the export ended with exit code %d:\n%s", code, out)
	}
	copied := settings()
	harness.ImportFile(t, copied, file, "9 new, 0 known, 0 bad")
	harness.ImportFile(t, copied, file, "0 new, 9 known, 0 bad")
	for _, env := range [][]string{env, copied} {
		if diff := gocmp.Diff(want, startServer(t, env...).liveFeed(t, harness.TokenFor(t, 1), 2, nothing)); diff != "" {
			t.Errorf("the live feed (-want +got):\n%s", diff)
		}
	}

	// If the import plays the sessions, they are planned, begin and end now. Those of one
	// millisecond are ordered by id.
	played := settings()
	s := startServer(t, played...)
	p := testenv.Program(t, []string{testenv.Binary(t), "import", "--live", file}, played)
	if code := p.Wait(); code != 0 || !strings.Contains(p.Output(), "9 played, 0 known, 0 bad") {
		t.Fatalf("the import ended with exit code %d:\n%s", code, p.Output())
	}
	got := s.liveFeed(t, harness.TokenFor(t, 1), 2, nothing)
	slices.Sort(want)
	slices.Sort(got)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the live feed of the played sessions (-want +got):\n%s", diff)
	}
}

// Sessions of the demo data begin and end over time, also after a restart.
func TestDemo_SessionsBeginAndEnd(t *testing.T) {
	t.Parallel() // it mostly waits until a session is due
	// The test reads more often than any budget allows.
	env := []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_RATE_LIMIT=0"}
	for start := range 2 {
		s := startServer(t, env...)
		token := harness.TokenFor(t, feed.UserID(5))
		before := s.liveFeed(t, token, 100, nothing)
		states := strings.Join(before, "\n")
		for _, state := range []string{" LIVE ", " UPCOMING ", " REPLAY "} {
			if start == 0 && !strings.Contains(states, state) {
				t.Errorf("no session is%sin\n%s", strings.ToLower(state), states)
			}
		}
		eventually.True(t, "a session changes", func() bool { return !gocmp.Equal(before, s.liveFeed(t, token, 100, nothing)) })
		s.Process.Interrupt()
		s.Process.Wait()
	}
}
