package memstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Feed implements [feed.Reference].
func (s *Store) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.keysWhere(r, func(p *feed.Post) bool {
		return s.isSource(viewer, p.Author) && s.showsOriginals(viewer, p)
	}), nil
}

// isSource reports whether the author's posts belong in the viewer's feed.
func (s *Store) isSource(viewer, author feed.UserID) bool {
	if viewer == 0 {
		return false
	}
	if s.absent[author] {
		return false
	}
	return author == viewer || s.isFollowing(viewer, author) && !s.isHidden(viewer, author)
}

// isHidden reports whether a relation hides the author's posts from the viewer's home feed.
func (s *Store) isHidden(viewer, author feed.UserID) bool {
	e := s.edge(viewer, author)
	return e.Mutes || e.Blocks || e.BlockedBy || e.HiddenBy
}

// showsOriginals reports whether the viewer may see every post that p reposts, directly or
// indirectly. Follows do not matter. A chain that is too long, or a cycle, is not visible.
func (s *Store) showsOriginals(viewer feed.UserID, p *feed.Post) bool {
	links := 0
	for id := p.RepostOf; id != 0; links++ {
		original := s.shown(id)
		if links == s.repostDepth || original == nil || s.isHidden(viewer, original.Author) {
			return false
		}
		id = original.RepostOf
	}
	return true
}
