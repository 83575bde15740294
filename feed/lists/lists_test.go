package lists_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

const (
	noon = 1_700_000_000_000
	// people is how many users there are; the first is the viewer.
	people = 5
	viewer = feed.UserID(1)
)

// town is a store that counts reads, and the feeds on it.
type town struct {
	*sqlstore.Store
	feeds *lists.Feeds
	// rounds, posts and edges are how often each was read.
	rounds, posts, edges int
}

func newTown(t testing.TB) *town {
	w := &town{Store: sqlitetest.Of(t).Empty(time.Now)}
	direct := &timeline.Direct{Relations: w, Outboxes: w, Posts: w, Primary: w}
	w.feeds = &lists.Feeds{Home: &timeline.Timeline{Viewers: direct, Policy: feed.DefaultPolicy()}, Lists: w}
	var users []feed.Record
	for id := feed.UserID(1); id <= people; id++ {
		users = append(users, feed.Record{User: &feed.UserRecord{User: feed.User{ID: id, Handle: "user" + id.String(), Name: "User"}}})
	}
	w.load(t, users...)
	return w
}

func (w *town) load(t testing.TB, records ...feed.Record) {
	t.Helper()
	applied, err := w.Apply(t.Context(), feed.Batch{Records: records})
	if err != nil || len(applied.Bad) > 0 {
		t.Fatalf("load: %v, %v", err, applied.Bad)
	}
}

func (w *town) post(t testing.TB, p feed.Post) {
	t.Helper()
	p.Kind, p.Text = feed.KindPost, "text"
	if p.ReplyTo != 0 {
		p.Kind = feed.KindComment
	}
	if p.RepostOf != 0 {
		p.Kind = feed.KindRepost
	}
	w.load(t, feed.Record{Post: &p})
}

func (w *town) relate(t testing.TB, kind feed.RelationKind, user, target feed.UserID) {
	t.Helper()
	w.load(t, feed.Record{Relation: &feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: noon}})
}

// The counted reads.

func (w *town) ReadLists(ctx context.Context, asked []feed.List) ([][]feed.Key, error) {
	w.rounds++
	return w.Store.ReadLists(ctx, asked)
}

func (w *town) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	w.posts++
	return w.Store.Posts(ctx, ids)
}

func (w *town) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	w.edges++
	return w.Store.Edges(ctx, viewer, others)
}

// oracle returns all posts of a list that the viewer may see, newest first, each judged alone.
func (w *town) oracle(t *rapid.T, ref feed.FeedRef, filter feed.Filter) (visible []*feed.Post) {
	sees := func(id feed.PostID) *feed.Post {
		posts, err := w.feeds.Posts(t.Context(), viewer, []feed.PostID{id})
		if err != nil {
			t.Fatal(err)
		}
		return posts[0]
	}
	if ref.Kind == feed.FeedComments && sees(ref.Post) == nil {
		return nil
	}
	for id := feed.PostID(1); id <= 60; id++ {
		p := sees(id)
		if p == nil || !filter.Match(p) {
			continue
		}
		if ref.Kind == feed.FeedOutbox && p.Author == ref.Author || ref.Kind == feed.FeedComments && p.ReplyTo == ref.Post && p.Kind == feed.KindComment {
			visible = append(visible, p)
		}
	}
	slices.SortFunc(visible, func(a, b *feed.Post) int { return b.Key().Compare(a.Key()) })
	return visible
}

// expected is the page of a query over the visible posts.
func expected(ref feed.FeedRef, q feed.PageQuery, visible []*feed.Post, at int) *feed.Page {
	lo, hi := 0, len(visible)
	page := &feed.Page{Entries: []feed.Entry{}}
	switch {
	case q.First != nil:
		if q.After != "" {
			lo = at + 1
		}
		hi = min(lo+*q.First, hi)
		page.HasNext, page.HasPrevious = hi < len(visible), q.After != "" && lo > 0
	default:
		if q.Before != "" {
			hi = at
		}
		lo = max(0, hi-*q.Last)
		page.HasPrevious, page.HasNext = lo > 0, q.Before != "" && hi < len(visible)
	}
	for _, p := range visible[lo:hi] {
		page.Entries = append(page.Entries, feed.Entry{Cursor: feed.Cursor{Kind: ref.Kind, Key: p.Key()}.String(), Post: p})
	}
	return page
}

func TestPages_AreThoseOfEachListAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newTown(t)
		w.fill(t, rt)
		n := rapid.IntRange(1, 20).Draw(rt, "requests")
		requests, want := make([]feed.PageRequest, n), make([]*feed.Page, n)
		for i := range n {
			requests[i], want[i] = w.request(rt)
		}
		results, err := w.feeds.Pages(rt.Context(), viewer, requests)
		if err != nil {
			rt.Fatal(err)
		}
		for i, r := range results {
			if diff := cmp.Diff(want[i], r.Page); r.Err != nil || diff != "" {
				rt.Fatalf("request %+v: %v (-want +got):\n%s", requests[i], r.Err, diff)
			}
		}
	})
}

// fill stores random posts, some deleted, and random relations.
func (w *town) fill(t testing.TB, rt *rapid.T) {
	user := rapid.Custom(func(rt *rapid.T) feed.UserID { return feed.UserID(rapid.IntRange(1, people).Draw(rt, "user")) })
	for id := feed.PostID(1); id <= feed.PostID(rapid.IntRange(1, 60).Draw(rt, "posts")); id++ {
		p := feed.Post{ID: id, Author: user.Draw(rt, "author"), PublishedAt: noon + int64(rapid.IntRange(0, 30).Draw(rt, "at"))}
		if id > 1 {
			other := feed.PostID(rapid.IntRange(1, min(int(id)-1, 8)).Draw(rt, "other"))
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0:
				p.RepostOf = other
			case 1, 2:
				p.ReplyTo = other
			}
		}
		if rapid.IntRange(0, 4).Draw(rt, "deleted") == 0 {
			p.DeletedAt = noon + 100
		}
		w.post(t, p)
	}
	for range rapid.IntRange(0, 4).Draw(rt, "relations") {
		a, b := user.Draw(rt, "from"), user.Draw(rt, "to")
		if a != b {
			w.relate(t, rapid.SampledFrom([]feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}).Draw(rt, "relation"), a, b)
		}
	}
}

// request returns a random request for a page, and that page.
func (w *town) request(rt *rapid.T) (feed.PageRequest, *feed.Page) {
	ref := feed.OutboxRef(feed.UserID(rapid.IntRange(1, people+1).Draw(rt, "outbox")))
	if rapid.Bool().Draw(rt, "comments") {
		ref = feed.CommentsRef(feed.PostID(rapid.IntRange(1, 9).Draw(rt, "commented")))
	}
	q := feed.PageQuery{LookBack: true}
	if rapid.Bool().Draw(rt, "narrowed") {
		q.Filter = feed.OfKinds(feed.KindPost, feed.KindRepost)
	}
	visible := w.oracle(rt, ref, q.Filter)
	at, cursor := 0, ""
	if len(visible) > 0 && rapid.Bool().Draw(rt, "from a cursor") {
		at = rapid.IntRange(0, len(visible)-1).Draw(rt, "at")
		cursor = feed.Cursor{Kind: ref.Kind, Key: visible[at].Key()}.String()
	}
	size := rapid.IntRange(0, 5).Draw(rt, "size")
	if rapid.Bool().Draw(rt, "backward") {
		q.Last, q.Before = &size, cursor
	} else {
		q.First, q.After = &size, cursor
	}
	return feed.PageRequest{Ref: ref, Query: q}, expected(ref, q, visible, at)
}

func TestPages_TakeAsManyReadsAsOne(t *testing.T) {
	w := newTown(t)
	var requests []feed.PageRequest
	first := 2
	for id := feed.PostID(1); id <= 20; id++ {
		w.post(t, feed.Post{ID: id, Author: feed.UserID(id%people + 1), PublishedAt: noon})
		for n := feed.PostID(1); n <= 3; n++ {
			w.post(t, feed.Post{ID: 100*n + id, Author: feed.UserID((id+n)%people + 1), ReplyTo: id, PublishedAt: noon + int64(n)})
		}
		requests = append(requests,
			feed.PageRequest{Ref: feed.CommentsRef(id), Query: feed.PageQuery{First: &first}},
			feed.PageRequest{Ref: feed.OutboxRef(feed.UserID(id%people + 1)), Query: feed.PageQuery{First: &first}})
	}
	// Many lists, the first among them, are short after the first round.
	w.relate(t, feed.RelationBlock, viewer, 3)
	const rounds = 2
	for _, n := range []int{1, len(requests)} {
		w.rounds, w.posts, w.edges = 0, 0, 0
		fixture.Got(w.feeds.Pages(t.Context(), viewer, requests[:n])).Must(t)
		// The edges to the authors of open outboxes are read before a further round.
		if w.rounds > rounds || w.posts > rounds || w.edges > 2*rounds-1 {
			t.Errorf("%d pages take %d rounds, %d reads of posts and %d of edges, want %d rounds", n, w.rounds, w.posts, w.edges, rounds)
		}
	}
}

func TestPages_DoNotSearchHiddenOutboxes(t *testing.T) {
	w := newTown(t)
	for id := feed.PostID(1); id <= 200; id++ {
		w.post(t, feed.Post{ID: id, Author: 2, PublishedAt: noon})
	}
	w.relate(t, feed.RelationHide, 2, viewer)
	page, err := w.feeds.Page(t.Context(), viewer, feed.OutboxRef(2), feed.PageQuery{First: new(int)})
	if err != nil || len(page.Entries) > 0 || page.HasNext || w.rounds > 1 {
		t.Errorf("%+v, %v after %d rounds", page, err, w.rounds)
	}
}

func TestPages_RefuseEachRequestAlone(t *testing.T) {
	w := newTown(t)
	w.post(t, feed.Post{ID: 1, Author: 2, PublishedAt: noon})
	results, err := w.feeds.Pages(t.Context(), viewer, []feed.PageRequest{
		{Ref: feed.OutboxRef(2), Query: feed.PageQuery{First: new(int), Last: new(int)}},
		{Ref: feed.OutboxRef(2), Query: feed.PageQuery{After: "nonsense"}},
		{Ref: feed.OutboxRef(2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(feed.CodeOf(results[0].Err), feed.CodeOf(results[1].Err), len(results[2].Page.Entries))
	if want := fmt.Sprint(feed.CodeBadInput, feed.CodeBadCursor, 1); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
