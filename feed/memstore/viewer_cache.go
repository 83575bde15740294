package memstore

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.SharedViewerCache = (*Inboxes)(nil)

// ReadCached implements [feed.SharedViewerCache].
func (s *Inboxes) ReadCached(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, []byte, error) {
	in, err := s.Read(ctx, viewer, r)
	if err != nil {
		return feed.Inbox{}, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return in, s.viewerStates[viewer], nil
}

// PutCached implements [feed.SharedViewerCache]. State never expires, so readers must check its
// version.
func (s *Inboxes) PutCached(ctx context.Context, viewer feed.UserID, state []byte, _ time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.viewerStates[viewer] = slices.Clone(state)
	return nil
}
