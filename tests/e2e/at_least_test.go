//go:build nightly

package e2e

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// freshPage reads a page of the home feed of user 1, with further headers. It returns a line for
// each post: id, text and name of the author.
func (s *server) freshPage(t *testing.T, arguments string, headers ...string) (lines, next string) {
	t.Helper()
	got := s.ask(t, `{ viewer { homeFeed(`+arguments+`) { pageInfo { endCursor } nodes { databaseId text author { name } } } } }`, append(headers, actFor(1)...)...)
	var body struct {
		Data struct {
			Viewer struct {
				HomeFeed struct {
					PageInfo struct{ EndCursor string }
					Nodes    []struct {
						DatabaseID, Text string
						Author           struct{ Name string }
					}
				}
			}
		}
	}
	got.decode(t, &body)
	var all []string
	page := body.Data.Viewer.HomeFeed
	for _, n := range page.Nodes {
		all = append(all, strings.Join([]string{n.DatabaseID, n.Text, n.Author.Name}, " "))
	}
	return strings.Join(all, ", "), page.PageInfo.EndCursor
}

// holdNumbering keeps changes from getting numbers, so that no process evicts what others change.
func holdNumbering(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	harness.Check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	_, err = conn.Exec(t.Context(), "BEGIN; SELECT 1 FROM change_state FOR UPDATE")
	harness.Check(t, err)
}

// Records go to one process, and reads to another with old caches. No worker pushes.
func TestAtLeast_ShowsPendingPostsPastCaches(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, sourceOwns, "TIDELINE_CACHE_TTL=1h")
	worker := harness.StartWorker(t, env)
	writer, reader := startServer(t, append(env, "TIDELINE_ROLE=api")...), startServer(t, append(env, "TIDELINE_ROLE=api")...)
	writer.ingests(t, sourceUser(1, 1), sourceUser(2, 1), sourceFollow(1, 2, 1, ""), sourcePost(10, 2, 1, ""))
	inboxes := openInboxes(t, "redis", env)
	eventually.Succeeds(t, "the inbox has the first post", func() error {
		if reader.homeIDs(t, 1) != "10" {
			return errors.New("not yet")
		}
		inbox, err := inboxes.Read(t.Context(), 1, feed.Range{Below: feed.Top, Limit: 1})
		if err == nil && (inbox.State != feed.InboxReady || inbox.Count != 1) {
			err = errors.New("not yet")
		}
		return err
	})
	worker.Kill()
	reader.freshPage(t, "first: 9")
	holdNumbering(t, setting(env, "TIDELINE_DATABASE_URL"))
	edited := strings.Replace(sourcePost(10, 2, 2, ""), `"t"`, `"edited"`, 1)
	renamed := strings.Replace(sourceUser(2, 2), `"N"`, `"New"`, 1)
	var answer struct{ Token string }
	writer.ingests(t, sourcePost(11, 2, 1, ""), sourcePost(12, 2, 1, ""), edited, renamed).decode(t, &answer)

	if got, _ := reader.freshPage(t, "first: 9"); got != "10 t N" {
		t.Errorf("without a position: %s", got)
	}
	atLeast := "Tideline-At-Least: " + answer.Token
	if got, _ := reader.freshPage(t, "first: 9", atLeast); got != "12 t New, 11 t New, 10 edited New" {
		t.Errorf("with the token: %s", got)
	}
	got, next := reader.freshPage(t, "first: 1", atLeast)
	rest, _ := reader.freshPage(t, `first: 9, after: "`+next+`"`)
	if got != "12 t New" || !strings.HasPrefix(rest, "11 t ") || !strings.Contains(rest, ", 10 ") {
		t.Errorf("the first page is %s, and the next without a position %s", got, rest)
	}
	if got, _ := reader.freshPage(t, "first: 1", "Tideline-At-Least: "+feed.CommitPlace{Epoch: 1}.String(), "Tideline-At-Least-Mode: best"); got != "12 t New" {
		t.Errorf("the best: %s", got)
	}
	for _, position := range []string{"orders/0:5", feed.CommitPlace{Epoch: 1}.String()} {
		got := reader.ask(t, `{ viewer { user { name } } }`, as(serviceJWT(t, "content")), "Tideline-Act-For: 1", "Accept: application/graphql-response+json", "Tideline-At-Least: "+position)
		if got.StatusCode != http.StatusPreconditionFailed || !strings.Contains(got.body, `"STALE"`) {
			t.Errorf("at least %s: status %d: %s", position, got.StatusCode, got.body)
		}
	}
}
