package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// PostCounters implements [feed.Counters].
func (s *Store) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	return readEach(ctx, s, ids, func(id feed.PostID) feed.PostCounters {
		return feed.PostCounters{
			Likes:     s.countReactions(feed.ReactionLike, id),
			Favorites: s.countReactions(feed.ReactionFavorite, id),
			Comments:  s.countPosts(func(p *feed.Post) bool { return id != 0 && p.ReplyTo == id }),
			Reposts:   s.countPosts(func(p *feed.Post) bool { return id != 0 && p.RepostOf == id }),
		}
	})
}

// UserCounters implements [feed.Counters].
func (s *Store) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	return readEach(ctx, s, ids, func(id feed.UserID) feed.UserCounters {
		return feed.UserCounters{
			Followers: s.countFollowers(id),
			Following: s.countFollowing(id),
			Posts:     s.countPosts(func(p *feed.Post) bool { return p.Author == id }),
		}
	})
}

// SourceCounters returns the counters that records have set.
func (s *Store) SourceCounters() feed.Counters { return sourceCounters{s} }

type sourceCounters struct{ *Store }

// PostCounters implements [feed.Counters].
func (s sourceCounters) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	return readEach(ctx, s.Store, ids, func(id feed.PostID) feed.PostCounters {
		return s.sources.counters[feed.Object{Type: feed.RecordCounters, B: int64(id)}].PostCounters
	})
}

// UserCounters implements [feed.Counters].
func (s sourceCounters) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	return readEach(ctx, s.Store, ids, func(id feed.UserID) feed.UserCounters {
		return s.sources.counters[feed.Object{Type: feed.RecordCounters, A: int64(id)}].UserCounters
	})
}

// Reactions implements [feed.Counters].
func (s *Store) Reactions(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	return readEach(ctx, s, ids, func(id feed.PostID) feed.ViewerReactions {
		return feed.ViewerReactions{
			Liked:     s.reacted(reaction{feed.ReactionLike, viewer, id}),
			Favorited: s.reacted(reaction{feed.ReactionFavorite, viewer, id}),
		}
	})
}

// countPosts counts the posts that are not deleted and for which want returns true.
func (s *Store) countPosts(want func(p *feed.Post) bool) (n int64) {
	for _, p := range s.posts {
		if p.DeletedAt == 0 && want(p) {
			n++
		}
	}
	return n
}

func (s *Store) countReactions(kind feed.Reaction, post feed.PostID) (n int64) {
	for r := range s.reactions {
		if r.kind == kind && r.post == post {
			n++
		}
	}
	return n
}

func (s *Store) countFollowers(user feed.UserID) (n int64) {
	for p := range s.follows {
		if p.followee == user {
			n++
		}
	}
	return n
}

func (s *Store) countFollowing(user feed.UserID) (n int64) {
	for p := range s.follows {
		if p.follower == user {
			n++
		}
	}
	return n
}
