package resolvers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// firstToken returns the sync token of ann's first page.
func firstToken(w *world, kinds string) string {
	w.t.Helper()
	data := w.must(1, `{ viewer { homeFeed`+kinds+` { syncToken } } }`, nil)
	token, ok := data.at(w.t, "viewer.homeFeed.syncToken").(string)
	if !ok {
		w.t.Fatalf("the first page has the token %v", data)
	}
	return token
}

const changesQuery = `query($since: String!, $first: Int, $downTo: String) { viewer {
	homeChanges(since: $since, first: $first, downTo: $downTo) {
		changes { kind postId edge { cursor node { text author { handle } } } } hasMore syncToken
	}
	homeFeed { newCount(since: $since) }
} }`

func TestHomeChanges_CompleteTheFirstPage(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2)
	w.post(2, 2)
	since := firstToken(w, "")
	w.post(3, 1)
	if _, err := w.store.StorePlan(t.Context(), feed.Plan{Post: 2, Author: 2}, 0); err != nil {
		t.Fatal(err)
	}
	w.must(2, `mutation { editPost(input: {postId: "`+postID(1)+`", text: "edited"}) { post { id } } }`, nil)

	first := w.must(1, changesQuery, map[string]any{"since": since, "first": 2})
	change := func(kind string, id int, text, author string) any {
		key := feed.Key{TS: epoch + int64(id)*1000, ID: int64(id)}
		edge := map[string]any{
			"cursor": feed.Cursor{Kind: feed.FeedHome, Key: key}.String(),
			"node":   map[string]any{"text": text, "author": map[string]any{"handle": author}},
		}
		return map[string]any{"kind": kind, "postId": postID(feed.PostID(id)), "edge": edge}
	}
	want := []any{change("ADDED", 3, "text 3", "ann"), change("ADDED", 2, "text 2", "ben")}
	if diff := cmp.Diff(want, first.at(t, "viewer.homeChanges.changes")); diff != "" {
		t.Errorf("the first page (-want +got):\n%s", diff)
	}
	if more, count := first.at(t, "viewer.homeChanges.hasMore"), first.at(t, "viewer.homeFeed.newCount"); more != true || count != 2.0 {
		t.Errorf("more changes: %v, new posts: %v", more, count)
	}
	next := first.at(t, "viewer.homeChanges.syncToken")
	w.must(2, `mutation { deletePost(input: {postId: "`+postID(2)+`"}) { deletedPostId } }`, nil)
	second := w.must(1, changesQuery, map[string]any{"since": next})
	want = []any{change("CHANGED", 1, "edited", "ben"), map[string]any{"kind": "REMOVED", "postId": postID(2), "edge": nil}}
	if diff := cmp.Diff(want, second.at(t, "viewer.homeChanges.changes")); diff != "" {
		t.Errorf("the second page (-want +got):\n%s", diff)
	}
	if more, count := second.at(t, "viewer.homeChanges.hasMore"), second.at(t, "viewer.homeFeed.newCount"); more != false || count != 0.0 {
		t.Errorf("more changes: %v, new posts: %v", more, count)
	}
}

func TestHomeChanges_ResetWhenTheLogIsNew(t *testing.T) {
	w := newWorld(t)
	since := firstToken(w, "")
	if err := w.store.NewEpoch(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := w.must(1, changesQuery, map[string]any{"since": since})
	want := []any{map[string]any{"kind": "RESET", "postId": nil, "edge": nil}}
	if diff := cmp.Diff(want, got.at(t, "viewer.homeChanges.changes")); diff != "" {
		t.Errorf("the changes (-want +got):\n%s", diff)
	}
	if count := got.at(t, "viewer.homeFeed.newCount"); count != 100.0 {
		t.Errorf("%v posts are new, want 100", count)
	}
}

func TestSyncToken_OnlyOnFirstPagesOfHomeFeeds(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	got := w.must(1, `query($c: String!) {
		viewer { after: homeFeed(after: $c) { syncToken } last: homeFeed(last: 1) { syncToken } before: homeFeed(last: 1, before: $c) { syncToken } }
		user(handle: "ann") { posts { syncToken } }
	}`, map[string]any{"c": feed.HomeCursor(&feed.Post{ID: 1, PublishedAt: epoch})})
	for _, path := range []string{"viewer.after.syncToken", "viewer.last.syncToken", "viewer.before.syncToken", "user.posts.syncToken"} {
		if token := got.at(t, path); token != nil {
			t.Errorf("%s is %v", path, token)
		}
	}
}

func TestSyncToken_RefusedForAnotherFeed(t *testing.T) {
	w := newWorld(t)
	since, posts := firstToken(w, ""), firstToken(w, "(kinds: [POST])")
	for name, c := range map[string]struct {
		viewer feed.UserID
		query  string
	}{
		"another viewer":          {2, `{ viewer { homeChanges(since: "` + since + `") { hasMore } } }`},
		"other kinds":             {1, `{ viewer { homeChanges(since: "` + posts + `") { hasMore } } }`},
		"a count for others":      {2, `{ viewer { homeFeed { newCount(since: "` + since + `") } } }`},
		"a count of other kinds":  {1, `{ viewer { homeFeed { newCount(since: "` + posts + `") } } }`},
		"an outbox":               {1, `{ user(handle: "ann") { posts { newCount(since: "` + since + `") } } }`},
		"a cursor in its place":   {1, `{ viewer { homeChanges(since: "` + feed.HomeCursor(&feed.Post{ID: 1}) + `") { hasMore } } }`},
		"a token as a cursor":     {1, `{ viewer { homeFeed(after: "` + since + `") { nodes { id } } } }`},
		"an empty text":           {1, `{ viewer { homeChanges(since: "") { hasMore } } }`},
		"a token as oldest entry": {1, `{ viewer { homeChanges(since: "` + since + `", downTo: "` + since + `") { hasMore } } }`},
	} {
		if codes := w.ask(c.viewer, c.query, nil).codes(); len(codes) != 1 || codes[0] != string(feed.CodeBadCursor) {
			t.Errorf("%s: the codes are %v", name, codes)
		}
	}
	w.must(1, `{ viewer { homeChanges(since: "`+posts+`", kinds: [POST]) { hasMore } } }`, nil)
	codes := w.ask(1, `{ viewer { homeChanges(since: "`+since+`", first: 101) { hasMore } } }`, nil).codes()
	if len(codes) != 1 || codes[0] != string(feed.CodeBadInput) {
		t.Errorf("a page of 101: the codes are %v", codes)
	}
}
