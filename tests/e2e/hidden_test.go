package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// tide is a post by user 2, with a comment on it and a repost of it by user 1; all are global ids but
// the decimal id of the post.
type tide struct{ post, decimal, comment, repost string }

// pathsTo are queries that return the text of the post.
func (p tide) pathsTo() map[string]string {
	const page = "edges { node { text } }"
	node := func(id, fields string) string {
		return fmt.Sprintf(`{ node(id: %q) { ... on Post { %s } } }`, id, fields)
	}
	return map[string]string{
		"home":     "{ viewer { homeFeed(first: 50) { " + page + " } } }",
		"outbox":   `{ user(handle: "user2") { posts(first: 50) { ` + page + " } } }",
		"node":     node(p.post, "text"),
		"nodes":    fmt.Sprintf(`{ nodes(ids: [%q]) { ... on Post { text } } }`, p.post),
		"post":     fmt.Sprintf(`{ post(databaseId: %q) { text } }`, p.decimal),
		"posts":    fmt.Sprintf(`{ posts(databaseIds: [%q]) { text } }`, p.decimal),
		"deferred": node(p.post, "id ... @defer { text }"),
		"replyTo":  node(p.comment, "replyTo { text }"),
		"repostOf": node(p.repost, "repostOf { text }"),
		"entities": fmt.Sprintf(`{ _entities(representations: [{__typename: "Post", id: %q}]) { ... on Post { text } } }`, p.post),
	}
}

// A process hides posts while no process numbers changes and Redis is away. Another one that has all in its
// caches shows none of them in the next read, by any path.
func TestHiding_IsSeenByEveryPath(t *testing.T) {
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	env := append(tokens(), "TIDELINE_DATABASE_URL="+harness.Postgres(t), "TIDELINE_REDIS_URL="+redis.URL(), "TIDELINE_CACHE_TTL=1h", "TIDELINE_FEDERATION=true", "TIDELINE_FEDERATION_NODE=true", noDemo)
	writer, reader := startServer(t, env...), startServer(t, env...)
	viewer, author := harness.TokenFor(t, 1), harness.TokenFor(t, 2)
	publish := func(token, input string) (id, decimal string) {
		t.Helper()
		var got struct {
			Data struct {
				PublishPost struct {
					FeedEdge struct {
						Node struct{ ID, DatabaseID string }
					}
				}
			}
		}
		writer.ask(t, fmt.Sprintf(`mutation { publishPost(input: {%s}) { feedEdge { node { id databaseId } } userErrors { message } } }`, input), as(token)).decode(t, &got)
		node := got.Data.PublishPost.FeedEdge.Node
		return node.ID, node.DatabaseID
	}
	writer.ask(t, `{ viewer { user { id } } }`, as(author))
	writer.Follow(t, viewer, 2)
	posts := map[string]tide{}
	for path := range (tide{}).pathsTo() {
		var p tide
		p.post, p.decimal = publish(author, `text: "tide of `+path+`"`)
		p.comment, _ = publish(viewer, fmt.Sprintf(`text: "a wave", replyTo: %q`, p.post))
		p.repost, _ = publish(viewer, fmt.Sprintf(`text: "a drop", repostOf: %q`, p.post))
		posts[path] = p
	}
	stopNumbering(t, setting(env, "TIDELINE_DATABASE_URL"))
	redis.Kill()
	for path, p := range posts {
		query, text := p.pathsTo()[path], "tide of "+path
		for _, headers := range [][]string{{as(viewer)}, nil} {
			if path == "home" && headers == nil {
				continue
			}
			for range 2 {
				if got := reader.ask(t, query, headers...); !strings.Contains(got.body, text) {
					t.Fatalf("%s: before, the response is %s", path, got.body)
				}
			}
		}
		if got := writer.ask(t, fmt.Sprintf(`mutation { deletePost(input: {postId: %q}) { userErrors { message } } }`, p.post), as(author)); !strings.Contains(got.body, `"userErrors":[]`) {
			t.Fatalf("the response to the deletion is %s", got.body)
		}
		for _, headers := range [][]string{nil, {as(viewer)}} {
			if got := reader.ask(t, query, headers...); strings.Contains(got.body, text) {
				t.Errorf("%s: afterwards, the response is %s", path, got.body)
			}
		}
	}
	writer.deleteAccount(t, "user2", as(author))
	for _, headers := range [][]string{nil, {as(viewer)}} {
		if got := reader.ask(t, `{ user(databaseId: "2") { handle } }`, headers...); !strings.Contains(got.body, `"user":null`) {
			t.Errorf("the deleted user is %s", got.body)
		}
	}
}

// stopNumbering makes a process that does not exist number changes, for ever.
func stopNumbering(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	harness.Check(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), `
INSERT INTO leaders (name, holder, until) VALUES ('number changes', 'no process', $1)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until`, int64(1)<<62)
	harness.Check(t, err)
}
