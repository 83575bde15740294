package app

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers"
)

// nestedLists queries twenty posts, each with two comments and two posts of its author.
const nestedLists = `{ viewer { homeFeed(first: 20) { nodes {
  id author { handle posts(first: 2) { nodes { id text } } }
  comments(first: 2) { nodes { id text author { handle } counters { likes } } }
} } } }`

// aliasedNodes queries two posts and two users by alias, each with a list.
const aliasedNodes = `{
  a: node(id: $a) { ...entry } b: node(id: $b) { ...entry } c: node(id: $c) { ...person } d: node(id: $d) { ...person }
}
fragment entry on Post { id author { handle } counters { likes } comments(first: 2) { nodes { id author { handle } } } }
fragment person on User { id handle counters { posts } posts(first: 2) { nodes { id counters { likes } } } }`

// nestedMax bounds the statements of either query without caches.
const nestedMax = 12

// onBothDatabases runs a test on PostgreSQL and on SQLite.
func onBothDatabases(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	for database, url := range map[string]string{
		"postgres": migratedPostgres(t), "sqlite": "sqlite://" + filepath.Join(t.TempDir(), "lists.db"),
	} {
		t.Run(database, func(t *testing.T) { test(t, url) })
	}
}

func TestNestedLists_TakeOneStatementPerKind(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		v := newHomeReadsOn(t, url, cacheSettings{}, 40)
		v.comment(t)
		viewer := v.viewers(t, 1, 30)[0]
		v.build(t, []feed.UserID{viewer})
		api := v.api()
		for name, query := range map[string]string{"lists in a page": nestedLists, "aliased nodes": namedNodes()} {
			if got := v.leastStatements(func() { v.ask(t, api, viewer, query) }); got > nestedMax {
				t.Errorf("%s take %d statements, want at most %d", name, got, nestedMax)
			} else {
				t.Logf("%s take %d statements", name, got)
			}
		}
	})
}

const askEntities = `query($r: [_Any!]!) { _entities(representations: $r) {
  ... on User { handle counters { posts } viewerFollows }
  ... on Post { text author { handle } counters { likes } viewerHasLiked }
} }`

func TestEntities_TakeOneStatementPerKind(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		v := newHomeReadsOn(t, url, cacheSettings{}, 200)
		v.comment(t)
		viewer := v.viewers(t, 1, 30)[0]
		api := v.subgraph()
		statements := map[int]int64{}
		for _, n := range []int{2, 1000} {
			statements[n] = v.leastStatements(func() { v.askWith(t, api, viewer, askEntities, references(n)) })
		}
		if statements[1000] != statements[2] || statements[2] > nestedMax {
			t.Errorf("1,000 references take %d statements, and 2 take %d, want the same and at most %d", statements[1000], statements[2], nestedMax)
		} else {
			t.Logf("references take %d statements", statements[2])
		}
	})
}

// references has references to users and posts in turn.
func references(n int) map[string]any {
	var list []map[string]string
	for i := range n / 2 {
		list = append(list,
			map[string]string{"__typename": "User", "databaseId": strconv.Itoa(i%200 + 1)},
			map[string]string{"__typename": "Post", "databaseId": strconv.Itoa(10_030 + i)})
	}
	return map[string]any{"r": list}
}

// namedNodes is [aliasedNodes] with ids.
func namedNodes() string {
	quote := func(id string) string { return `"` + id + `"` }
	return strings.NewReplacer(
		"$a", quote(model.PostGlobalID(feed.PublicPostID{Number: 11})), "$b", quote(model.PostGlobalID(feed.PublicPostID{Number: 22})),
		"$c", quote(model.UserGlobalID(feed.PublicUserID{Number: 3})), "$d", quote(model.UserGlobalID(feed.PublicUserID{Number: 4})),
	).Replace(aliasedNodes)
}

// leastStatements returns the fewest statements of several runs, at most of those up to the first within the bound. On a busy machine a batch is
// split if its fields do not arrive within a millisecond.
func (v *homeReads) leastStatements(ask func()) int64 {
	least := int64(1000)
	for runs := 0; runs < 100 && least > nestedMax; runs++ {
		v.statements.Store(0)
		ask()
		least = min(least, v.statements.Load())
		v.cacheWrites.wait()
	}
	return least
}

// Each nested list is compared with a query of its own, for a viewer who cannot see some of the
// posts.
func TestNestedLists_EqualSingleQueries(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, url string) {
		v := newHomeReadsOn(t, url, cacheSettings{}, 40)
		v.comment(t)
		viewer := v.viewers(t, 1, 30)[0]
		v.hide(t, viewer)
		api := v.api()
		var page struct {
			Viewer struct{ HomeFeed struct{ Nodes []nestedPost } }
		}
		check(t, json.Unmarshal(v.ask(t, api, viewer, nestedLists), &page))
		hidden := 0
		for _, post := range page.Viewer.HomeFeed.Nodes {
			var alone struct{ Node nestedPost }
			query := strings.Replace(singlePost, "$id", `"`+post.ID+`"`, 1)
			check(t, json.Unmarshal(v.ask(t, api, viewer, query), &alone))
			if diff := cmp.Diff(alone.Node, post); diff != "" {
				t.Errorf("post %s (-alone +nested):\n%s", post.ID, diff)
			}
			if len(post.Comments.Nodes) < 2 {
				hidden++
			}
		}
		if n := len(page.Viewer.HomeFeed.Nodes); n != 20 || hidden == 0 || hidden == n {
			t.Errorf("%d of %d posts have hidden comments: nothing to compare", hidden, n)
		}
	})
}

// singlePost queries one post of [nestedLists].
const singlePost = `{ node(id: $id) { ... on Post {
  id author { handle posts(first: 2) { nodes { id text } } }
  comments(first: 2) { nodes { id text author { handle } counters { likes } } }
} } }`

type nestedPost struct {
	ID     string
	Author struct {
		Handle string
		Posts  struct{ Nodes []struct{ ID, Text string } }
	}
	Comments struct {
		Nodes []struct {
			ID, Text string
			Author   struct{ Handle string }
			Counters struct{ Likes int }
		}
	}
}

// hide hides a third of the authors from the viewer, in various ways, and deletes some comments.
func (v *homeReads) hide(t *testing.T, viewer feed.UserID) {
	t.Helper()
	var batch []feed.Record
	for author := feed.UserID(1); author <= v.authors; author += 3 {
		r := feed.RelationRecord{Kind: feed.RelationBlock, User: author, Target: viewer, CreatedAt: 1}
		switch author % 4 {
		case 0:
			r.Kind = feed.RelationHide
		case 1:
			r.User, r.Target = r.Target, r.User
		case 2:
			r.Kind, r.User, r.Target = feed.RelationMute, r.Target, r.User
		}
		batch = append(batch, feed.Record{Relation: &r})
	}
	v.load(t, batch)
	for id := feed.PostID(10_030); id < 11_000; id += 5 {
		check(t, v.st.sql.Delete(t.Context(), id, 1_700_000_100_000))
	}
}

// comment imports three comments on each post by other authors.
func (v *homeReads) comment(t *testing.T) {
	t.Helper()
	var batch []feed.Record
	for post := feed.PostID(10); post < feed.PostID(v.authors)*10+10; post++ {
		for n := range feed.PostID(3) {
			id := 10_000 + post*3 + n
			batch = append(batch, feed.Record{Post: &feed.Post{
				ID: id, Author: feed.UserID(id%feed.PostID(v.authors)) + 1, Kind: feed.KindComment, ReplyTo: post, Text: "a comment",
				PublishedAt: 1_600_000_000_000 + int64(id),
			}})
		}
	}
	v.load(t, batch)
}

// api is the GraphQL endpoint over the services. The request context has the viewer.
func (v *homeReads) api() http.Handler { return resolvers.NewHandler(v.deps()) }

// subgraph is the endpoint for routers.
func (v *homeReads) subgraph() http.Handler {
	d := v.deps()
	d.Subgraph = "type Query"
	return resolvers.NewHandler(d)
}

func (v *homeReads) deps() resolvers.Deps {
	return resolvers.Deps{
		Timeline: v.feeds, Directory: v.directory, Publisher: v.publisher, Follower: v.follower,
		Moderator: v.moderator, Accounts: v.accounts, Live: v.live.feed, LiveChanges: v.liveChanges, Hosting: v.live.hosting, Subscriptions: v.subscribe,
		Users: v.directory, Counters: v.counters, Relations: v.st.sql,
	}
}

// ask runs a query and returns its data.
func (v *homeReads) ask(t *testing.T, api http.Handler, viewer feed.UserID, query string) json.RawMessage {
	t.Helper()
	return v.askWith(t, api, viewer, query, nil)
}

func (v *homeReads) askWith(t *testing.T, api http.Handler, viewer feed.UserID, query string, variables map[string]any) json.RawMessage {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	check(t, err)
	r := httptest.NewRequestWithContext(resolvers.WithViewer(t.Context(), viewer), http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	var got struct {
		Data   json.RawMessage
		Errors []any
	}
	check(t, json.Unmarshal(w.Body.Bytes(), &got))
	if len(got.Errors) > 0 {
		t.Fatalf("%s returned %v", query, got.Errors)
	}
	return got.Data
}
