package viewercache

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// prefetch is a read of posts that began before it was certain that they are needed.
type prefetch struct {
	ids []feed.ContentID
	// done is closed once posts and err are set.
	done  chan struct{}
	posts []*feed.Post
	err   error
}

// readAhead begins to read the posts of the page that inbox and shared entry make up, if the
// entry still holds. The version, which says whether it does, is read meanwhile, so such a page
// waits for one round trip less. Which of the two is read first does not matter: posts are
// judged as they were at some moment of the read.
func (s *state) readAhead(ctx context.Context, inbox *feed.Inbox, r feed.Range) *prefetch {
	if s.c.Go == nil || s.shared == nil || s.shared.own == nil {
		return nil
	}
	own, known := s.shared.own.within(r)
	if !known {
		return nil
	}
	a := &prefetch{ids: firstIDs(inbox.Keys, own, r), done: make(chan struct{})}
	if len(a.ids) == 0 {
		return nil
	}
	s.c.Go(func() { a.read(ctx, s.c.Direct.Posts) })
	return a
}

// read reads the posts. A panic becomes an error: nothing recovers it on a goroutine that is
// not the request's own.
func (a *prefetch) read(ctx context.Context, posts feed.Posts) {
	defer close(a.done)
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("panic while reading posts: %v\n%s", p, debug.Stack())
		}
	}()
	a.posts, a.err = posts.Posts(ctx, a.ids)
}

// isOf reports whether these posts are being read; a may be nil.
func (a *prefetch) isOf(ids []feed.ContentID) bool { return a != nil && slices.Equal(a.ids, ids) }

// wait returns the posts once they have been read.
func (a *prefetch) wait(ctx context.Context) ([]*feed.Post, error) {
	select {
	case <-a.done:
		return a.posts, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// firstIDs returns the first r.Limit ids of two lists, which are both in r's direction.
func firstIDs(a, b []feed.Key, r feed.Range) []feed.ContentID {
	ids := make([]feed.ContentID, 0, r.Limit)
	for len(ids) < r.Limit && len(a)+len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && r.Before(b[0], a[0]) {
			a, b = b, a
		}
		ids, a = append(ids, feed.ContentID(a[0].ID)), a[1:]
	}
	return ids
}
