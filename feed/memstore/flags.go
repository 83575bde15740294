package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

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
