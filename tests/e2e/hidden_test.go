package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
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
		"home":     "{ viewer { homeFeed(first: 100, filter: {kinds: [POST]}) { " + page + " } } }",
		"outbox":   `{ user(handle: "user2") { posts(first: 100, filter: {kinds: [POST]}) { ` + page + " } } }",
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

// hiding is two processes with caches of an hour, in which user 2 hides posts from users 1 and 3. User 1
// follows user 2.
type hiding struct {
	t              *testing.T
	writer, reader *server
	// readers are the headers of readers; user 2 is the author.
	readers map[string][]string
}

// The moderator is a stranger to the author, and reads as one.
const theAuthor, theFollower, theStranger, theAnonymous, theModerator = "the author", "the follower", "the stranger", "the anonymous reader", "the moderator"

// publish publishes as one of the readers.
func (h *hiding) publish(who, input string) (id, decimal string) {
	h.t.Helper()
	var got struct {
		Data struct {
			PublishPost struct {
				FeedEdge struct {
					Node struct{ ID, DatabaseID string }
				}
			}
		}
	}
	h.writer.ask(h.t, fmt.Sprintf(`mutation { publishPost(input: {%s}) { feedEdge { node { id databaseId } } userErrors { message } } }`, input), h.readers[who]...).decode(h.t, &got)
	node := got.Data.PublishPost.FeedEdge.Node
	return node.ID, node.DatabaseID
}

// tides publishes a post for each path, with a prefix for its text.
func (h *hiding) tides(prefix string) map[string]tide {
	posts := map[string]tide{}
	for path := range (tide{}).pathsTo() {
		var p tide
		p.post, p.decimal = h.publish(theAuthor, fmt.Sprintf("text: %q", prefix+path))
		p.comment, _ = h.publish(theFollower, fmt.Sprintf(`text: "a wave", replyTo: %q`, p.post))
		p.repost, _ = h.publish(theFollower, fmt.Sprintf(`text: "a drop", repostOf: %q`, p.post))
		posts[path] = p
	}
	return posts
}

// change makes a change of the author in the process that writes.
func (h *hiding) change(mutation, input string) {
	h.t.Helper()
	h.changeAs(theAuthor, mutation, input)
}

func (h *hiding) changeAs(who, mutation, input string) {
	h.t.Helper()
	got := h.writer.ask(h.t, fmt.Sprintf(`mutation { %s(input: {%s}) { userErrors { message } } }`, mutation, input), h.readers[who]...)
	if !strings.Contains(got.body, `"userErrors":[]`) {
		h.t.Fatalf("the response to %s is %s", mutation, got.body)
	}
}

// shown checks that the process that reads shows a post by a path to some readers, and to no others.
func (h *hiding) shown(when, path, text string, p tide, to ...string) {
	h.t.Helper()
	for who, headers := range h.readers {
		if path == "home" && who != theFollower && who != theAuthor {
			continue
		}
		got := h.reader.ask(h.t, p.pathsTo()[path], headers...)
		if shows := strings.Contains(got.body, text); shows != slices.Contains(to, who) {
			h.t.Errorf("%s, %s: %s is shown the post: %t, in %s", when, path, who, shows, got.body)
		}
	}
}

// cached fills the caches, and checks that all readers see the posts.
func (h *hiding) cached(prefix string, posts map[string]tide) {
	h.t.Helper()
	for path, p := range posts {
		for range 2 {
			h.shown("at first", path, prefix+path, p, theAuthor, theFollower, theStranger, theAnonymous, theModerator)
		}
	}
}

// A process hides posts while no process numbers changes and Redis is away. Another one that has all in its
// caches shows none of them in the next read, by any path, and the others still.
func TestHiding_IsSeenByEveryPath(t *testing.T) {
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	env := append(tokens(), "TIDELINE_DATABASE_URL="+harness.Postgres(t), "TIDELINE_REDIS_URL="+redis.URL(), "TIDELINE_CACHE_TTL=1h", "TIDELINE_FEDERATION=true", "TIDELINE_FEDERATION_NODE=true", noDemo)
	h := &hiding{t, startServer(t, env...), startServer(t, env...), map[string][]string{theAnonymous: nil}}
	for who, id := range map[string]feed.UserID{theFollower: 1, theAuthor: 2, theStranger: 3} {
		h.readers[who] = []string{as(harness.TokenFor(t, id))}
		h.writer.ask(t, `{ viewer { user { id } } }`, h.readers[who]...)
	}
	h.readers[theModerator] = []string{as(harness.ModeratorToken(t, 4))}
	h.writer.ask(t, `{ viewer { user { id } } }`, h.readers[theModerator]...)
	h.writer.Follow(t, harness.TokenFor(t, 1), 2)
	deleted, narrowed, private := h.tides("deleted "), h.tides("narrowed "), h.tides("private ")
	taken, suspended := h.tides("taken down "), h.tides("suspended ")
	stopNumbering(t, setting(env, "TIDELINE_DATABASE_URL"))
	redis.Kill()

	h.cached("deleted ", deleted)
	for path, p := range deleted {
		h.change("deletePost", fmt.Sprintf("postId: %q", p.post))
		h.shown("after the deletion", path, "deleted "+path, p)
	}
	h.cached("narrowed ", narrowed)
	for path, p := range narrowed {
		h.change("editPost", fmt.Sprintf("postId: %q, audience: FOLLOWERS", p.post))
		h.shown("for followers", path, "narrowed "+path, p, theAuthor, theFollower)
	}
	h.cached("taken down ", taken)
	for path, p := range taken {
		h.changeAs(theModerator, "takeDownPost", fmt.Sprintf(`postId: %q, reason: "spam"`, p.post))
		h.shown("taken down", path, "taken down "+path, p, theAuthor)
	}
	h.cached("suspended ", suspended)
	author := fmt.Sprintf("userId: %q", harness.NodeID("User", "2"))
	h.changeAs(theModerator, "suspendUser", author+`, reason: "spam"`)
	h.shownAll("suspended ", suspended, "by a suspended user", theAuthor)
	h.changeAs(theModerator, "restoreUser", author)
	h.shownAll("taken down ", taken, "after the suspension", theAuthor)
	h.cached("suspended ", suspended)
	h.cached("private ", private)
	h.change("updateProfile", "isPrivate: true")
	h.shownAll("private ", private, "in a private account", theAuthor, theFollower)
	h.change("removeFollower", fmt.Sprintf("userId: %q", harness.NodeID("User", "1")))
	h.shownAll("private ", private, "after the follow", theAuthor)
	h.shownAll("narrowed ", narrowed, "after the follow", theAuthor)

	h.writer.deleteAccount(t, "user2", h.readers[theAuthor]...)
	for _, who := range []string{theFollower, theAnonymous} {
		if got := h.reader.ask(t, `{ user(databaseId: "2") { handle } }`, h.readers[who]...); !strings.Contains(got.body, `"user":null`) {
			t.Errorf("the deleted user is %s", got.body)
		}
	}
}

func (h *hiding) shownAll(prefix string, posts map[string]tide, when string, to ...string) {
	h.t.Helper()
	for path, p := range posts {
		h.shown(when, path, prefix+path, p, to...)
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
