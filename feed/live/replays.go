package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// ReplayPosts shows sessions to the machinery of package feed, as contents that their
// hosts published when they ended. Ids are those of sessions. One that has not ended, or is
// not stored, or no more since the account of its host is deleted, is a content that nobody
// wrote and that was deleted: its fan-out ends, instead of waiting for what never comes.
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
		posts[i] = &feed.Post{ID: ids[i], Kind: feed.KindPost, DeletedAt: 1}
		if s != nil && s.State == Replay {
			*posts[i] = feed.Post{ID: ids[i], Author: s.Host, Kind: feed.KindPost, PublishedAt: s.EndedAt}
		}
	}
	return posts, nil
}

func sessionIDs(ids []feed.PostID) []ID {
	out := make([]ID, len(ids))
	for i, id := range ids {
		out[i] = ID(id)
	}
	return out
}

// replaysBehind is the interval of want replays behind a position.
func replaysBehind(behind Position, want int) feed.Range {
	r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: want}
	if behind.State == Replay {
		r.Below = feed.Key{TS: behind.At, ID: int64(behind.ID)}
	}
	return r
}

// keeper lets the replays of one scroll through.
type keeper struct {
	f *Feed
	// asOf is the scroll's number, and sources says which hosts belong into it.
	asOf    int64
	sources sourcesFunc
	// found are the sessions of what was let through.
	found map[feed.PostID]*Session
}

// keep is a [feed.Keep]: a replay is shown when it was one at the scroll's moment. What
// has ended since is shown, if at all, as the live session that it was.
func (k *keeper) keep(ctx context.Context, posts []*feed.Post) ([]*feed.Post, error) {
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

// shown returns the entries of contents that were let through.
func (k *keeper) shown(posts []*feed.Post) []shown {
	out := make([]shown, len(posts))
	for i, p := range posts {
		s := k.found[p.ID]
		out[i] = shown{s.Position(), s}
	}
	return out
}
