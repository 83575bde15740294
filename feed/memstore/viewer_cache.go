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
	return in, s.notes[viewer], nil
}

// PutCached implements [feed.SharedViewerCache]. It has no clock and keeps notes for longer than they are of
// use, which only their readers can tell then.
func (s *Inboxes) PutCached(ctx context.Context, viewer feed.UserID, note []byte, _ time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes[viewer] = slices.Clone(note)
	return nil
}
