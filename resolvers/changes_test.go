package resolvers_test

import (
	"fmt"
	"testing"

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
	_, err := w.store.StorePlan(t.Context(), feed.Plan{Post: 2, Author: 2}, 0)
	noError(t, err)
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
	wantEqual(t, want, first.at(t, "viewer.homeChanges.changes"), "the first page")
	wantEqual(t, []any{true, 2.0}, []any{first.at(t, "viewer.homeChanges.hasMore"), first.at(t, "viewer.homeFeed.newCount")}, "hasMore and newCount")
	next := first.at(t, "viewer.homeChanges.syncToken")
	w.must(2, `mutation { deletePost(input: {postId: "`+postID(2)+`"}) { deletedPostId } }`, nil)
	second := w.must(1, changesQuery, map[string]any{"since": next})
	want = []any{change("CHANGED", 1, "edited", "ben"), map[string]any{"kind": "REMOVED", "postId": postID(2), "edge": nil}}
	wantEqual(t, want, second.at(t, "viewer.homeChanges.changes"), "the second page")
	wantEqual(t, []any{false, 0.0}, []any{second.at(t, "viewer.homeChanges.hasMore"), second.at(t, "viewer.homeFeed.newCount")}, "hasMore and newCount")
}

func TestSyncToken_OnlyOnFirstPagesOfHomeFeeds(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	got := w.must(1, `query($c: String!) {
		viewer { after: homeFeed(after: $c) { syncToken } last: homeFeed(last: 1) { syncToken } before: homeFeed(last: 1, before: $c) { syncToken } }
		user(handle: "ann") { posts { syncToken } }
	}`, map[string]any{"c": feed.HomeCursor(&feed.Post{ID: 1, PublishedAt: epoch})})
	for _, path := range []string{"viewer.after.syncToken", "viewer.last.syncToken", "viewer.before.syncToken", "user.posts.syncToken"} {
		wantEqual(t, nil, got.at(t, path), "%s", path)
	}
}

func TestHomeChangesSubscription_ResumesAfterToken(t *testing.T) {
	const selection = `changes { kind postId edge { node { text } } } syncToken hasMore`
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2)
	w.post(2, 2)
	since := firstToken(w, "")
	w.announce(2, 1)
	s := w.watch(1, `subscription { homeChanges(since: "`+since+`") { `+selection+` } }`)
	edited := func(text string) {
		w.must(2, `mutation { editPost(input: {postId: "`+postID(1)+`", text: "`+text+`"}) { post { id } } }`, nil)
		w.catchUp()
	}
	next := func(s *watch, want any) string {
		t.Helper()
		got, _ := s.next()
		wantEqual(t, []any{want}, got.at(t, "homeChanges.changes"), "the changes")
		return got.at(t, "homeChanges.syncToken").(string)
	}
	change := func(kind, text string) any {
		return map[string]any{"kind": kind, "postId": postID(1), "edge": map[string]any{"node": map[string]any{"text": text}}}
	}
	next(s, change("ADDED", "text 1"))
	edited("one")
	token := next(s, change("CHANGED", "one"))
	s.cancel()
	edited("two")
	s = w.watch(1, `subscription { homeChanges(since: "`+token+`") { `+selection+` } }`)
	next(s, change("CHANGED", "two"))
	noError(t, w.store.NewEpoch(t.Context()))
	w.catchUp()
	next(s, map[string]any{"kind": "RESET", "postId": nil, "edge": nil})
	edited("three")
	next(s, change("CHANGED", "three"))
}

// A token is of one viewer, one feed and its kinds.
func TestSyncTokens_RefusedElsewhere(t *testing.T) {
	w := newWorld(t)
	home, posts, sessions := firstToken(w, ""), firstToken(w, "(kinds: [POST])"), w.liveToken(1)
	for _, c := range []struct {
		viewer                feed.UserID
		document, token, code string
	}{
		{2, `{ viewer { homeChanges(since: %q) { hasMore } } }`, home, badCursor},
		{1, `{ viewer { homeChanges(since: %q) { hasMore } } }`, posts, badCursor},
		{1, `{ viewer { homeChanges(since: %q) { hasMore } } }`, sessions, badCursor},
		{1, `{ viewer { homeChanges(since: "` + home + `", downTo: %q) { hasMore } } }`, home, badCursor},
		{1, `{ viewer { homeChanges(since: %q, first: 101) { hasMore } } }`, home, badInput},
		{1, `{ viewer { homeFeed { newCount(since: %q) } } }`, posts, badCursor},
		{1, `{ user(handle: "ann") { posts { newCount(since: %q) } } }`, home, badCursor},
		{1, `{ viewer { homeFeed(after: %q) { nodes { id } } } }`, home, badCursor},
		{2, `{ viewer { liveChanges(since: %q) { hasMore } } }`, sessions, badCursor},
		{1, `{ viewer { liveChanges(since: %q) { hasMore } } }`, home, badCursor},
		{1, `{ viewer { liveChanges(since: %q, first: 101) { hasMore } } }`, sessions, badInput},
		{1, `{ viewer { liveFeed(after: %q) { nodes { id } } } }`, sessions, badCursor},
		{1, `subscription { homeChanges(since: %q) { hasMore } }`, "", badCursor},
		{2, `subscription { homeChanges(since: %q, kinds: [POST]) { hasMore } }`, posts, badCursor},
		{1, `subscription { homeFeedEdges(since: %q) { cursor } }`, posts, badCursor},
		{1, `subscription { liveChanges(since: %q) { hasMore } }`, home, badCursor},
	} {
		got, _ := w.watch(c.viewer, fmt.Sprintf(c.document, c.token)).next()
		wantEqual(t, []string{c.code}, got.codes(), "the codes for "+c.document, c.token)
	}
	w.must(1, `{ viewer { homeChanges(since: "`+posts+`", kinds: [POST]) { hasMore } } }`, nil)
}
