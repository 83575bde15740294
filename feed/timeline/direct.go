package timeline

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Direct opens viewer states that read the stores. Its fields are set before the first read.
type Direct struct {
	Inboxes   feed.Inboxes
	Relations feed.Relations
	Outboxes  feed.Outboxes
	// Posts may be cached, Primary not. If equal, posts are read once. Both must be comparable.
	Posts, Primary feed.Posts
}

// State implements [feed.Viewers].
func (d *Direct) State(viewer feed.UserID) feed.ViewerState {
	return &directState{d: d, viewer: viewer}
}

// Inbox implements [feed.Viewers].
func (d *Direct) Inbox(ctx context.Context, viewer feed.UserID, r feed.Range, _ feed.Path) (feed.Inbox, feed.ViewerState, error) {
	inbox, err := d.Inboxes.Read(ctx, viewer, r)
	return inbox, d.State(viewer), err
}

type directState struct {
	d      *Direct
	viewer feed.UserID
	// version has been read if versioned is set.
	versioned bool
	version   feed.ViewerVersion
}

func (s *directState) Version(ctx context.Context) (feed.ViewerVersion, error) {
	if s.versioned {
		return s.version, nil
	}
	version, err := s.d.Relations.ViewerVersion(ctx, s.viewer)
	if err == nil {
		s.version, s.versioned = version, true
	}
	return version, err
}

func (s *directState) Edges(ctx context.Context, others []feed.UserID) ([]feed.Edge, error) {
	return s.d.Relations.Edges(ctx, s.viewer, others)
}

func (s *directState) Pulled(ctx context.Context, since int64, cold bool) ([]feed.UserID, error) {
	version, err := s.Version(ctx)
	if err != nil {
		return nil, err
	}
	return s.d.Relations.Pulled(ctx, s.viewer, feed.Completeness{Generation: version.Generation, Version: since, Cold: cold})
}

func (s *directState) Outbox(ctx context.Context, r feed.Range) ([]feed.Key, error) {
	return s.d.Outboxes.Outbox(ctx, s.viewer, []feed.UserID{s.viewer}, r)
}

func (s *directState) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	if s.d.Posts == s.d.Primary {
		return s.d.Primary.Posts(ctx, ids)
	}
	// The version makes the cache evict what has been hidden.
	if _, err := s.Version(ctx); err != nil {
		return nil, err
	}
	posts, err := s.d.Posts.Posts(ctx, ids)
	if err != nil {
		return nil, err
	}
	return feed.WithOwn(ctx, s.viewer, posts, s.d.Primary.Posts)
}
