package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// ReplayPosts presents sessions to reads as posts that their hosts published when they ended.
// Others, and those of absent hosts, are deleted posts without an author.
type ReplayPosts struct{ Sessions Sessions }

var _ feed.Posts = ReplayPosts{}

// Posts implements [feed.Posts].
func (r ReplayPosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	sessions, err := r.Sessions.Sessions(ctx, sessionIDs(ids))
	if err != nil {
		return nil, err
	}
	posts := make([]*feed.Post, len(ids))
	for i, s := range sessions {
		posts[i] = ReplayPost(ids[i], s)
	}
	return posts, nil
}

// ReplayPost returns the post for a session: deleted if it is nil or not a replay, so that its
// fan-out ends.
func ReplayPost(id feed.PostID, s *Session) *feed.Post {
	if s == nil || s.State != Replay {
		return &feed.Post{ID: id, Kind: feed.KindPost, DeletedAt: 1}
	}
	return &feed.Post{ID: id, Author: s.Host, Kind: feed.KindPost, PublishedAt: s.EndedAt, Replay: true}
}

func sessionIDs(ids []feed.PostID) []ID {
	out := make([]ID, len(ids))
	for i, id := range ids {
		out[i] = ID(id)
	}
	return out
}

func replaysBehind(behind Position, want int) feed.Range {
	r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: want}
	if behind.State == Replay {
		r.Below = feed.Key{TS: behind.At, ID: int64(behind.ID)}
	}
	return r
}

type replayFilter struct {
	f *Feed
	// asOf is the scroll's number. sources returns which hosts belong into the scroll.
	asOf    int64
	sources sourcesFunc
	found   map[feed.PostID]*Session
}

// filter selects sessions that were replays at the scroll's moment. A session that has ended since
// is shown, if at all, as the live session it was.
func (k *replayFilter) filter(ctx context.Context, posts []*feed.Post) ([]*feed.Post, error) {
	ids := make([]ID, len(posts))
	for i, p := range posts {
		ids[i] = ID(p.ID)
	}
	sessions, err := k.f.Sessions.Sessions(ctx, ids)
	if err != nil {
		return nil, err
	}
	sources, err := k.sources(ctx, hostsOf(sessions))
	if err != nil {
		return nil, err
	}
	var kept []*feed.Post
	for i, s := range sessions {
		if s != nil && s.State == Replay && s.Number <= k.asOf && sources[s.Host] {
			k.found[posts[i].ID] = s
			kept = append(kept, posts[i])
		}
	}
	return kept, nil
}

func (k *replayFilter) shown(posts []*feed.Post) []shown {
	out := make([]shown, len(posts))
	for i, p := range posts {
		s := k.found[p.ID]
		out[i] = shown{s.Position(), s}
	}
	return out
}
