package memstore

import (
	"cmp"
	"context"
	"slices"

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

type raisedFlag struct {
	why             feed.FlagReason
	since, lowSince int64
}

// RaiseFlag implements [feed.Audience].
func (s *Store) RaiseFlag(ctx context.Context, author feed.UserID, f feed.CoverageFlag, why feed.FlagReason) error {
	return s.change(ctx, func() {
		if u := s.users[author]; u != nil && u.Flag < f {
			u.Flag = f
			s.raised[author] = raisedFlag{why: why, since: s.now()}
			s.flags++
		}
	})
}

// FlaggedAuthors implements [feed.Flags].
func (s *Store) FlaggedAuthors(ctx context.Context, after feed.UserID, limit int) ([]feed.FlaggedAuthor, error) {
	return inTx(ctx, s, func() []feed.FlaggedAuthor {
		flagged := s.flagged()
		flagged = slices.DeleteFunc(flagged, func(a feed.FlaggedAuthor) bool { return a.Author <= after })
		return flagged[:min(limit, len(flagged))]
	})
}

// flagged returns all authors with a flag, by id.
func (s *Store) flagged() []feed.FlaggedAuthor {
	var all []feed.FlaggedAuthor
	for id, u := range s.users {
		if u.Flag != feed.FlagNone {
			r := s.raised[id]
			all = append(all, feed.FlaggedAuthor{
				Author: id, Flag: u.Flag, Reason: r.why, Since: r.since, LowSince: r.lowSince, Followers: s.countFollowers(id),
			})
		}
	}
	slices.SortFunc(all, func(a, b feed.FlaggedAuthor) int { return cmp.Compare(a.Author, b.Author) })
	return all
}

// NoteLow implements [feed.Flags].
func (s *Store) NoteLow(ctx context.Context, authors []feed.UserID, low bool) error {
	return s.change(ctx, func() {
		for _, author := range authors {
			r, raised := s.raised[author]
			if !raised || low == (r.lowSince != 0) {
				continue
			}
			if r.lowSince = 0; low {
				r.lowSince = s.now()
			}
			s.raised[author] = r
		}
	})
}

// LowerFlag implements [feed.Flags].
func (s *Store) LowerFlag(ctx context.Context, author feed.UserID, f feed.CoverageFlag) (bool, error) {
	return inTx(ctx, s, func() bool {
		if s.flagOf(author) <= f {
			return false
		}
		c := s.newChange()
		for p, edge := range s.follows {
			if p.followee == author {
				edge.version = c.version(p.follower)
				s.follows[p] = edge
			}
		}
		s.lower(author, f)
		return true
	})
}

func (s *Store) lower(author feed.UserID, f feed.CoverageFlag) {
	s.users[author].Flag = f
	if s.raised[author] = (raisedFlag{why: feed.FlagThreshold, since: s.now()}); f == feed.FlagNone {
		delete(s.raised, author)
	}
}

// LowerFlags implements [feed.Flags].
func (s *Store) LowerFlags(ctx context.Context, threshold int64) (int, error) {
	return inTx(ctx, s, func() int {
		fell := 0
		for _, a := range s.flagged() {
			to := feed.FlagNone
			if a.Followers > threshold {
				to = feed.FlagSelective
			}
			if to < a.Flag {
				s.lower(a.Author, to)
				fell++
			}
		}
		if fell > 0 {
			s.raiseGeneration()
		}
		return fell
	})
}

// CountFlags implements [feed.Flags].
func (s *Store) CountFlags(ctx context.Context) ([]feed.FlagCount, error) {
	return inTx(ctx, s, func() []feed.FlagCount {
		var counts []feed.FlagCount
		for _, a := range s.flagged() {
			i := slices.IndexFunc(counts, func(c feed.FlagCount) bool { return c.Flag == a.Flag && c.Reason == a.Reason })
			if i < 0 {
				i = len(counts)
				counts = append(counts, feed.FlagCount{Flag: a.Flag, Reason: a.Reason, Since: a.Since})
			}
			counts[i].Authors++
			counts[i].Since = min(counts[i].Since, a.Since)
		}
		slices.SortFunc(counts, func(a, b feed.FlagCount) int {
			return cmp.Or(cmp.Compare(a.Flag, b.Flag), cmp.Compare(a.Reason, b.Reason))
		})
		return counts
	})
}
