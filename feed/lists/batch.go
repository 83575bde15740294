package lists

import (
	"context"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// batch reads lists for one viewer, on one goroutine.
type batch struct {
	source  feed.Lists
	viewers feed.Viewers
	viewer  feed.UserID
	lists   []*list
}

type list struct {
	ref feed.FeedRef
	// rest is the interval that has not been read; its Limit is for the next round.
	rest feed.Range
	// want is how many visible posts are enough; posts are those found.
	want  int
	posts []*feed.Post
	// keys are those of the round.
	keys []feed.Key
	// ended: the list has no more keys, or the viewer may see nothing of it.
	ended bool
}

func (l *list) visible() []*feed.Post {
	if l == nil {
		return nil
	}
	return l.posts
}

func (f *Feeds) batch(viewer feed.UserID) *batch {
	return &batch{source: f.Lists, viewers: f.Home.Viewers, viewer: viewer}
}

func (b *batch) add(ref feed.FeedRef, r feed.Range) *list {
	l := &list{ref: ref, rest: r, want: r.Limit, ended: r.Empty()}
	b.lists = append(b.lists, l)
	return l
}

// read reads keys before what judges them, so that the judgement is as current as the read.
func (b *batch) read(ctx context.Context) error {
	open := b.open()
	if len(open) == 0 {
		return nil
	}
	state := b.viewers.State(b.viewer)
	for ; len(open) > 0; open = b.open() {
		if err := b.round(ctx, state, open); err != nil {
			return err
		}
		if err := b.endHidden(ctx, state); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) open() (open []*list) {
	for _, l := range b.lists {
		if !l.ended && len(l.posts) < l.want {
			open = append(open, l)
		}
	}
	return open
}

// endHidden ends the outboxes of authors that the viewer may not see. Judging every post has the
// same result, but the outboxes may be endless.
func (b *batch) endHidden(ctx context.Context, state feed.ViewerState) error {
	var authors []feed.UserID
	var outboxes []*list
	for _, l := range b.open() {
		if l.ref.Kind == feed.FeedOutbox {
			authors, outboxes = append(authors, l.ref.Author), append(outboxes, l)
		}
	}
	if len(authors) == 0 {
		return nil
	}
	edges, err := state.Edges(ctx, authors)
	for i := range edges {
		outboxes[i].ended = !edges[i].Visible()
	}
	return err
}

// round reads the next keys and judges their posts, and the posts that the comments answer.
func (b *batch) round(ctx context.Context, state feed.ViewerState, open []*list) error {
	asked := make([]feed.List, len(open))
	for i, l := range open {
		asked[i] = feed.List{Ref: l.ref, Range: l.rest}
	}
	keys, err := b.source.ReadLists(ctx, asked)
	if err != nil {
		return err
	}
	// Lists may share posts.
	posts := map[feed.PostID]*feed.Post{}
	for i, l := range open {
		if l.keys = keys[i]; l.ref.Kind == feed.FeedComments && len(l.keys) > 0 {
			posts[l.ref.Post] = nil
		}
		for _, k := range l.keys {
			posts[feed.PostID(k.ID)] = nil
		}
	}
	ids := slices.Sorted(maps.Keys(posts))
	judged, err := feed.Judge(ctx, b.viewer, state, ids, feed.ScopePublic)
	if err != nil {
		return err
	}
	for i, id := range ids {
		posts[id] = judged[i]
	}
	for _, l := range open {
		l.take(posts)
	}
	return nil
}

// take adds the visible posts of a round. Comments on a hidden post are hidden.
func (l *list) take(posts map[feed.PostID]*feed.Post) {
	hidden := l.ref.Kind == feed.FeedComments && posts[l.ref.Post] == nil
	if len(l.keys) < l.rest.Limit || hidden {
		l.ended = true
	} else {
		l.rest = l.rest.After(l.keys[len(l.keys)-1])
		// Reading costs round trips, not keys: a list that is mostly hidden takes few rounds.
		l.rest.Limit = min(max(2*l.rest.Limit, feed.RefillMin), feed.ChunkMax)
		l.ended = l.rest.Empty()
	}
	for _, k := range l.keys {
		if p := posts[feed.PostID(k.ID)]; p != nil && !hidden && len(l.posts) < l.want {
			l.posts = append(l.posts, p)
		}
	}
}
