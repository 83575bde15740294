package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// groupCommits coalesce changes that many users make to one row, such as the counters of a popular
// post. A process has at most one transaction per row in flight, with all waiting changes.
type groupCommits struct {
	reactions *batch.GroupCommit[reacting, reaction]
	follows   *batch.GroupCommit[feed.UserID, follow]
	unfollows *batch.GroupCommit[feed.UserID, feed.UserID]
	// replies serializes replies to a post and reposts of it. Each also writes rows of its own, so
	// they cannot share a transaction.
	replies *batch.KeyedMutex[feed.PostID]
}

// serialize runs do, which counts a reply to a post or a repost, when no other one of that post is
// being counted. With parent 0 it runs do at once.
func (g *groupCommits) serialize(ctx context.Context, parent feed.PostID, do func() error) error {
	if parent == 0 {
		return do()
	}
	return g.replies.Do(ctx, parent, do)
}

func (s *Store) withGroupCommits() *Store {
	s.groupCommits = &groupCommits{
		reactions: batch.NewGroupCommit(s.react, away),
		follows:   batch.NewGroupCommit(s.follow, away),
		unfollows: batch.NewGroupCommit(s.unfollowAll, away),
		replies:   batch.NewKeyedMutex[feed.PostID](),
	}
	return s
}
