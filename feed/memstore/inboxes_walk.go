package memstore

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.InboxTrimmer = (*Inboxes)(nil)

// Walk implements [feed.InboxWalker]. The order is that of the ids, and the cursor is the last id.
func (s *Inboxes) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	after, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil {
		after = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Sorted(maps.Keys(s.viewers))
	all = slices.DeleteFunc(all, func(id feed.UserID) bool { return int64(id) <= after })
	if len(all) <= limit {
		return all, "", nil
	}
	return all[:limit], all[limit-1].String(), nil
}

// Trim implements [feed.InboxTrimmer].
func (s *Inboxes) Trim(ctx context.Context, viewers []feed.UserID, generation int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, viewer := range viewers {
		switch in := s.viewers[viewer]; {
		case in == nil:
		case in.header.Generation < generation:
			delete(s.viewers, viewer)
		default:
			in.trim(s.cap)
		}
	}
	return nil
}
