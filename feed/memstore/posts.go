package memstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Posts implements [feed.Posts].
func (s *Store) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return readEach(ctx, s, ids, func(id feed.PostID) *feed.Post { return s.markAbsent(s.post(id)) })
}

// post returns a copy of a stored post, or nil.
func (s *Store) post(id feed.PostID) *feed.Post {
	stored := s.posts[id]
	if stored == nil {
		return nil
	}
	return clonePost(stored)
}

// clonePost returns a copy that shares nothing with p.
func clonePost(p *feed.Post) *feed.Post {
	c := *p
	c.Media = slices.Clone(p.Media)
	return &c
}

// undeleted returns the stored post unless it is deleted, or nil.
func (s *Store) undeleted(id feed.PostID) *feed.Post {
	p := s.posts[id]
	if p == nil || p.DeletedAt != 0 {
		return nil
	}
	return p
}

// keysWhere returns the keys in r of the posts that are not deleted and for which want returns
// true.
func (s *Store) keysWhere(r feed.Range, want func(p *feed.Post) bool) []feed.Key {
	var keys []feed.Key
	for _, p := range s.posts {
		if p.DeletedAt == 0 && r.Kinds.Has(p.Kind) && want(p) {
			keys = append(keys, p.Key())
		}
	}
	return page(keys, r)
}

// Outbox implements [feed.Outboxes].
func (s *Store) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return inTx(ctx, s, func() []feed.Key {
		return s.keysWhere(r, func(p *feed.Post) bool { return slices.Contains(authors, p.Author) && !s.absent[p.Author] })
	})
}

// ReadLists implements [feed.Lists].
func (s *Store) ReadLists(ctx context.Context, lists []feed.List) ([][]feed.Key, error) {
	return readEach(ctx, s, lists, func(l feed.List) []feed.Key {
		return s.keysWhere(l.Range, func(p *feed.Post) bool {
			if s.absent[p.Author] {
				return false
			}
			if l.Ref.Kind == feed.FeedOutbox {
				return p.Author == l.Ref.Author
			}
			return p.Kind == feed.KindComment && p.ReplyTo == l.Ref.Post
		})
	})
}
