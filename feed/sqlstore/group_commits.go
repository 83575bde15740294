package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// groupCommits coalesce changes that very many users make to one row: the counters of a popular
// post or author. Alone, each would hold a connection while it waits for the row. In one process
// each row has at most one transaction in flight, which makes all changes that wait.
type groupCommits struct {
	reactions *batch.GroupCommit[reacting, reaction]
	follows   *batch.GroupCommit[feed.UserID, follow]
	unfollows *batch.GroupCommit[feed.UserID, feed.UserID]
	// answers are comments on a post, and reposts of it. Each also writes rows of its own, so
	// they run one after the other.
	answers *batch.KeyedMutex[feed.PostID]
}

// serialize runs do, which counts an answer to a post, when no other answer to that post is being
// counted. With answered 0 it runs do at once.
func (g *groupCommits) serialize(ctx context.Context, answered feed.PostID, do func() error) error {
	if answered == 0 {
		return do()
	}
	return g.answers.Do(ctx, answered, do)
}

// withGroupCommits sets up the store's group commits.
func (s *Store) withGroupCommits() *Store {
	s.groupCommits = &groupCommits{
		reactions: batch.NewGroupCommit(s.react, away),
		follows:   batch.NewGroupCommit(s.follow, away),
		unfollows: batch.NewGroupCommit(s.unfollowAll, away),
		answers:   batch.NewKeyedMutex[feed.PostID](),
	}
	return s
}
