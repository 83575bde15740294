package resolvers_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
)

// longWorld has a hundred posts by Ben, and Ann follows Ben. They take three megabytes in a response:
// the longest text takes thirty kilobytes if all its characters are escaped. One post has as many
// such comments.
func longWorld(t *testing.T, changes ...func(*resolvers.Deps)) *world {
	w := newWorld(t, changes...)
	w.follow(1, 2)
	long := func(p *feed.Post) { p.Text = strings.Repeat("x", 30_000) }
	for id := feed.PostID(1); id <= 100; id++ {
		w.post(id, 2, long)
		w.post(id+100, 3, long, replyTo(1))
	}
	return w
}

// named repeats a field under n names.
func named(n int, field string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, " n%d: %s", i, field)
	}
	return text.String()
}

// largeQueries are documents for each way in which a response is written. %s is replaced by fields that
// take three megabytes each.
func largeQueries() map[string]struct{ query, field string } {
	const like = `likePost(input: {postId: $id})`
	return map[string]struct{ query, field string }{
		"a page":                     {`{ viewer { homeFeed(first: 100) {%s } } }`, `nodes { text }`},
		"a page of values":           {`{ viewer { homeFeed(first: 100) { nodes {%s } } } }`, `text`},
		"lists in a page":            {`{ viewer { homeFeed(first: 100) { newCount(since: "") %s } } }`, `edges { node { text } }`},
		"pages":                      {`{ viewer {%s } }`, `homeFeed(first: 100) { nodes { text } }`},
		"pages of several objects":   {`{ user(handle: "ben") { name %s } }`, `posts(first: 100) { nodes { text } }`},
		"pages in another object":    {`query($id: ID!) { node(id: $id) { ... on Post {%s } } }`, `comments(first: 100) { nodes { text } }`},
		"objects field by field":     {`query($ids: [ID!]!) {%s }`, `nodes(ids: $ids) { ... on Post { text } }`},
		"values field by field":      {`query($ids: [ID!]!) { nodes(ids: $ids) { ... on Post {%s } } }`, `text`},
		"a mutation":                 {`mutation($id: ID!) { ` + like + ` { post { author {%s } } } }`, `posts(first: 100) { nodes { text } }`},
		"lists in a mutation":        {`mutation($id: ID!) { ` + like + ` { post { comments(first: 100) { newCount(since: "") %s } } } }`, `nodes { text }`},
		"one mutation after another": {`mutation($id: ID!) {%s }`, like + ` { post { comments(first: 100) { nodes { text } } } }`},
	}
}

// A response is either complete or has no data, and the server does not produce more than it may
// send.
func TestResponse_HasASizeLimit(t *testing.T) {
	w := longWorld(t)
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = postID(feed.PostID(i + 1))
	}
	variables := map[string]any{"id": ids[0], "ids": ids}
	for name, a := range largeQueries() {
		if got := w.ask(1, fmt.Sprintf(a.query, named(1, a.field)), variables); len(got.Errors) > 0 {
			t.Errorf("%s: a response of 3 MB has the errors %+v", name, got.Errors)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := w.ask(1, fmt.Sprintf(a.query, named(29, a.field)), variables)
		runtime.ReadMemStats(&after)
		if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
			t.Errorf("%s: instead of 87 MB the response is %.300s", name, fmt.Sprint(got))
		}
		// A slice that grows to its end is allocated about five times over.
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 50 {
			t.Errorf("%s: the refused response allocated %d MB", name, made)
		}
	}
}

const likeByID = `mutation($id: ID!, $text: String) { likePost(input: {postId: $id, clientMutationId: $text}) {%s } }`

func TestMutation_CommitsDespiteLongResponse(t *testing.T) {
	w := longWorld(t)
	query := fmt.Sprintf(likeByID, ` post { author {`+named(2, `posts(first: 100) { nodes { text } }`)+` } }`)
	got := w.ask(1, query, map[string]any{"id": postID(1)})
	if !cmp.Equal(got.codes(), []string{"QUERY_TOO_COMPLEX"}) || got.Data != nil {
		t.Errorf("instead of 6 MB the response is %.300s", fmt.Sprint(got))
	}
	if liked := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { viewerHasLiked } } }`, map[string]any{"id": postID(1)}).at(t, "node.viewerHasLiked"); liked != true {
		t.Error("the like is undone because the response is too long")
	}
}

// A payload may repeat a text under as many aliases as allowed, so texts are bounded before
// execution.
func TestMutation_RefusesLongTextsItWouldRepeat(t *testing.T) {
	w := longWorld(t)
	query := fmt.Sprintf(likeByID, named(90, `clientMutationId`))
	got := w.ask(1, query, map[string]any{"id": postID(1), "text": strings.Repeat("x", 200_000)})
	if !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) || got.Data != nil {
		t.Errorf("the response to 90 aliases of a text of 200 KB is %.300s", fmt.Sprint(got))
	}
	if liked := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { viewerHasLiked } } }`, map[string]any{"id": postID(1)}).at(t, "node.viewerHasLiked"); liked != false {
		t.Error("the mutation ran")
	}
}

// The response shows that the operation ran: it has data, which is null, and status 200.
func TestResponse_TooLongIsStillAResponse(t *testing.T) {
	w := longWorld(t)
	rec := w.sendBody(1, `{"query":"{ viewer { homeFeed(first: 100) {`+named(2, `nodes { text }`)+` } } }"}`, "Accept", mediaResponse)
	if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), `"data":null`) {
		t.Errorf("the response is %d %.300s", rec.Code, rec.Body)
	}
}

func TestResponse_CountsRewrittenPagesOnce(t *testing.T) {
	missing := feed.UserID(0)
	w := longWorld(t, func(d *resolvers.Deps) {
		same := &shelf{posts: map[feed.PostID]*feed.Post{}, users: map[feed.UserID]*feed.User{}}
		d.Users = faulty{d.Users.(countedUsers), same, func(ids []feed.UserID, users []*feed.User) error { return without(missing)(ids, users) }}
	})
	missing = 2
	got := w.ask(1, `{ viewer { homeFeed(first: 100) {`+named(1, `nodes { text }`)+` last: nodes { author { name } } } } }`, nil)
	for _, code := range got.codes() {
		if code != "INTERNAL" {
			t.Errorf("with an author missing the codes are %v", got.codes())
		}
	}
	if len(got.codes()) == 0 {
		t.Error("a missing author causes no error")
	}
}
