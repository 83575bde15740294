package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/share"
)

// crowds are the changes that very many people make to one thing at once: a content that
// everybody likes, an author whom everybody follows. Each counts in one row, so all of them
// would wait for that row, one commit after the other, each with a connection that nobody else
// gets meanwhile. Within a process they are made together instead, by one transaction at a
// time for each thing.
type crowds struct {
	reactions *share.Crowd[reacting, reaction]
	followers *share.Crowd[feed.UserID, follow]
	leaving   *share.Crowd[feed.UserID, feed.UserID]
	// answers are comments on a content, and reposts of it. What each of them writes besides
	// is its own, so they are made one after the other.
	answers *share.Turnstile[feed.ContentID]
}

// inTurn does what counts an answer to a content when no other one is being counted; at once
// when it is none.
func (c *crowds) inTurn(ctx context.Context, answered feed.ContentID, do func() error) error {
	if answered == 0 {
		return do()
	}
	return c.answers.Pass(ctx, answered, do)
}

// crowding makes a store's changes be made together.
func (s *Store) crowding() *Store {
	s.crowds = &crowds{
		reactions: share.NewCrowd(s.react, away),
		followers: share.NewCrowd(s.follow, away),
		leaving:   share.NewCrowd(s.unfollowTogether, away),
		answers:   share.NewTurnstile[feed.ContentID](),
	}
	return s
}
