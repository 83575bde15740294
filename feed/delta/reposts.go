package delta

import (
	"context"
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// reposts are reposts by the viewer and their followees. by has them by the authors of their originals, the
// whole chain of each, and to by the audience authors of these.
type reposts struct{ by, to map[feed.UserID][]repost }

type repost struct {
	key    feed.Key
	author feed.UserID
}

// repostsMax limits the reposts that one change of a relation reads, most of them for nothing.
const repostsMax = 2000

// readReposts reads from the reposts' side, because a user may have a hundred thousand posts.
func (n *names) readReposts(ctx context.Context) (*reposts, error) {
	following, err := n.d.Relations.Following(ctx, n.viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	sources := []feed.UserID{n.viewer}
	for _, k := range following {
		sources = append(sources, feed.UserID(k.ID))
	}
	keys, err := n.d.Outboxes.Outbox(ctx, n.viewer, sources, feed.Range{
		Above: n.above, Below: feed.Top, Limit: repostsMax + 1, Filter: feed.OfKinds(feed.KindRepost),
	})
	if err != nil {
		return nil, err
	}
	if len(keys) > repostsMax {
		return nil, errReset
	}
	return n.chains(ctx, keys)
}

// chains reads the originals of reposts, level by level.
func (n *names) chains(ctx context.Context, keys []feed.Key) (*reposts, error) {
	tops := postIDs(keys)
	posts := map[feed.PostID]*feed.Post{}
	for level := tops; len(level) > 0; {
		found, err := n.state.Posts(ctx, level)
		if err != nil {
			return nil, err
		}
		for i, p := range found {
			posts[level[i]] = p
		}
		level = nil
		for _, p := range found {
			if p == nil || p.RepostOf == 0 {
				continue
			}
			if _, listed := posts[p.RepostOf]; !listed {
				posts[p.RepostOf] = nil
				level = append(level, p.RepostOf)
			}
		}
	}
	found := &reposts{map[feed.UserID][]repost{}, map[feed.UserID][]repost{}}
	for _, id := range tops {
		if top := posts[id]; top != nil {
			found.add(top, posts)
		}
	}
	return found, nil
}

// add adds a repost under each user of its chain. Imported chains may be cycles.
func (r *reposts) add(top *feed.Post, posts map[feed.PostID]*feed.Post) {
	this := repost{top.Key(), top.Author}
	put := func(under map[feed.UserID][]repost, user feed.UserID) {
		if list := under[user]; len(list) == 0 || list[len(list)-1] != this {
			under[user] = append(list, this)
		}
	}
	for p, steps := posts[top.RepostOf], 0; p != nil && steps < len(posts); p, steps = posts[p.RepostOf], steps+1 {
		put(r.by, p.Author)
		put(r.to, p.AudienceAuthor)
	}
}
