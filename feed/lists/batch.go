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
	// stranger: the viewer does not follow the author, so what is for the author's followers is not read.
	stranger bool
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
	l := &list{ref: ref, rest: r, want: r.Limit, stranger: b.viewer == 0 && ref.Kind == feed.FeedOutbox, ended: r.Empty()}
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

// round reads the next keys and judges their posts, and the posts that the comments answer.
func (b *batch) round(ctx context.Context, state feed.ViewerState, open []*list) error {
	asked := make([]feed.List, len(open))
	for i, l := range open {
		asked[i] = feed.List{Ref: l.ref, Range: l.rest, Stranger: l.stranger}
	}
	keys, err := b.source.ReadLists(ctx, asked)
	if err != nil {
		return err
	}
	// Lists may share posts.
	judged := map[feed.PostID]feed.Judgement{}
	for i, l := range open {
		if l.keys = keys[i]; l.ref.Kind == feed.FeedComments && len(l.keys) > 0 {
			judged[l.ref.Post] = feed.Judgement{}
		}
		for _, k := range l.keys {
			judged[feed.PostID(k.ID)] = feed.Judgement{}
		}
	}
	ids := slices.Sorted(maps.Keys(judged))
	judgements, err := feed.JudgeEach(ctx, b.viewer, state, ids, feed.ScopePublic)
	if err != nil {
		return err
	}
	for i, id := range ids {
		judged[id] = judgements[i]
	}
	for _, l := range open {
		l.take(judged)
	}
	return nil
}

// take adds the visible posts of a round. Comments on a hidden post are hidden.
func (l *list) take(judged map[feed.PostID]feed.Judgement) {
	hidden := l.ref.Kind == feed.FeedComments && judged[l.ref.Post].Hidden != feed.Visible
	if len(l.keys) < l.rest.Limit || hidden {
		l.ended = true
	} else {
		l.rest = l.rest.After(l.keys[len(l.keys)-1])
		// Reading costs round trips, not keys: a list that is mostly hidden takes few rounds.
		l.rest.Limit = min(max(2*l.rest.Limit, feed.RefillMin), feed.ChunkMax)
		l.ended = l.rest.Empty()
	}
	for _, k := range l.keys {
		switch j := judged[feed.PostID(k.ID)]; {
		case hidden:
		case j.Hidden != feed.Visible:
			l.narrow(j)
		case len(l.posts) < l.want:
			l.posts = append(l.posts, j.Post)
		}
	}
}

// narrow leaves out of an outbox what is hidden for the same reason as one of its posts. Judging every
// post has the same result, but an outbox may be endless.
func (l *list) narrow(j feed.Judgement) {
	if l.ref.Kind != feed.FeedOutbox || j.Post == nil || j.Cause != j.Post.ID {
		return
	}
	switch j.Hidden {
	case feed.HiddenFromViewer, feed.HiddenBlocked, feed.HiddenBlockedBy, feed.HiddenPrivate, feed.HiddenSuspended:
		l.ended = true
	case feed.HiddenForFollowers:
		l.stranger = l.stranger || j.Post.AudienceAuthor == j.Post.Author
	default: // The reason is that of the post alone.
	}
}
