package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Covered implements [feed.Coverage].
func (s *Store) Covered(ctx context.Context, viewer feed.UserID, filter feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		return s.keysWhere(r, func(p *feed.Post) bool { return s.isCovered(viewer, p.Author, filter) })
	})
}

// isCovered reports whether viewer's inbox must hold the author's posts, under the filter.
func (s *Store) isCovered(viewer, author feed.UserID, filter feed.FolloweeFilter) bool {
	f, follows := s.follows[pair{viewer, author}]
	flag := s.flagOf(author)
	return author != viewer && follows && f.version > filter.Since &&
		flag != feed.FlagUnpushed && (!filter.Selective || flag == feed.FlagSelective)
}

// Unfollowed implements [feed.Coverage].
func (s *Store) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var ids []feed.UserID
		for p, version := range s.ended {
			if p.follower == viewer && version > since {
				ids = append(ids, p.followee)
			}
		}
		return ids
	})
}
