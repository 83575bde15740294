package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.SharedViewerCache = (*Inboxes)(nil)

// ReadCached implements [feed.SharedViewerCache]. The entry comes in the round trip of the inbox,
// or in its own one above [wholeMost]. An unreadable entry counts as none.
func (s *Inboxes) ReadCached(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, []byte, error) {
	return s.read(ctx, viewer, r, s.names.entry(viewer))
}

// PutCached implements [feed.SharedViewerCache]. Concurrent writes share round trips. A server that
// did not answer gets no calls for a moment.
func (s *Inboxes) PutCached(ctx context.Context, viewer feed.UserID, entry []byte, keep time.Duration) error {
	if keep <= 0 {
		return fmt.Errorf("a cache entry is kept for a time above zero, not %v", keep)
	}
	key := s.names.entry(viewer)
	return failed(ctx, s.entries.do(ctx, key, func(context.Context) entryWrite { return entryWrite{key, entry, keep} }))
}

// entryBatches is 1: no request waits for a write, and larger batches cost less.
const entryBatches = 1

type entryWrite struct {
	key   string
	entry []byte
	keep  time.Duration
}

func (s *Inboxes) runEntryWrites(ctx context.Context, writes []entryWrite, done func(i int, err error)) {
	pipe := s.redis.Pipeline()
	results := make([]*redis.StatusCmd, len(writes))
	for i, w := range writes {
		results[i] = pipe.Set(ctx, w.key, w.entry, w.keep)
	}
	_, _ = pipe.Exec(ctx) // the error is the first of those of the commands
	for i, result := range results {
		done(i, result.Err())
	}
}
