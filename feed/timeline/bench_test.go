package timeline_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// warm has the stores and caches of a viewer with a warm inbox. It takes almost no time itself,
// so the benchmark measures the domain.
type warm struct {
	feed.Relations
	inbox feed.Inbox
	posts map[feed.PostID]*feed.Post
	entry *viewercache.Entry
}

const warmAuthors, warmPage = 15, 20

func newWarm() *warm {
	w := &warm{
		inbox: feed.Inbox{State: feed.InboxReady, Token: "token", Generation: 1, WarmUntil: 1 << 50, Count: 300},
		posts: map[feed.PostID]*feed.Post{},
	}
	for i := range int64(warmPage + 1) {
		k := feed.Key{TS: 1_800_000_000_000 - 1000*i, ID: 1000 + i}
		w.inbox.Keys = append(w.inbox.Keys, k)
		w.posts[feed.PostID(k.ID)] = &feed.Post{
			ID: feed.PostID(k.ID), Author: feed.UserID(100 + i%warmAuthors), Kind: feed.KindPost, PublishedAt: k.TS,
		}
	}
	return w
}

func (w *warm) Get(feed.UserID) *viewercache.Entry      { return w.entry }
func (w *warm) Put(_ feed.UserID, e *viewercache.Entry) { w.entry = e }

func (w *warm) ViewerVersion(context.Context, feed.UserID) (feed.ViewerVersion, error) {
	return feed.ViewerVersion{Generation: 1, Now: 1_800_000_000_000}, nil
}

func (w *warm) Edges(_ context.Context, _ feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	edges := make([]feed.Edge, len(others))
	for i := range edges {
		edges[i].Follows = true
	}
	return edges, nil
}

func (w *warm) Pulled(context.Context, feed.UserID, feed.Completeness) ([]feed.UserID, error) {
	return nil, nil
}

func (w *warm) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	out := make([]*feed.Post, len(ids))
	for i, id := range ids {
		out[i] = w.posts[id]
	}
	return out, nil
}

// warmInbox is the inbox alone.
type warmInbox struct {
	feed.Inboxes
	*warm
}

func (w warmInbox) Read(context.Context, feed.UserID, feed.Range) (feed.Inbox, error) {
	in := w.inbox
	in.Keys = append([]feed.Key(nil), in.Keys...)
	return in, nil
}

// warmOutbox has nothing of the viewer's own.
type warmOutbox struct{ feed.Outboxes }

func (warmOutbox) Outbox(context.Context, []feed.UserID, feed.Range) ([]feed.Key, error) {
	return nil, nil
}

// BenchmarkWarmPage reads the first page of a warm viewer whose state is cached.
func BenchmarkWarmPage(b *testing.B) {
	w := newWarm()
	inboxes := warmInbox{warm: w}
	direct := &timeline.Direct{Inboxes: inboxes, Outboxes: warmOutbox{}, Relations: w, Posts: w, Primary: w}
	t := &timeline.Timeline{
		Viewers: &viewercache.Cache{Direct: direct, Surveyor: feed.SurveyInTurn{Relations: w, Outboxes: warmOutbox{}}, Local: w},
		Inboxes: inboxes, Outboxes: warmOutbox{}, Queue: feed.NoUpkeep{}, Policy: feed.DefaultPolicy(),
	}
	b.ReportAllocs()
	for b.Loop() {
		page, err := t.Page(b.Context(), 1, feed.PageQuery{})
		if err != nil || len(page.Entries) != warmPage || !page.HasNext {
			b.Fatal(len(page.Entries), err)
		}
	}
}
