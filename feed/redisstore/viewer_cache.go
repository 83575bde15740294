package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

var _ feed.SharedViewerCache = (*Inboxes)(nil)

// ReadCached implements [feed.SharedViewerCache]. The note comes in the round trip that brings the inbox;
// in one of its own where inboxes are read by a script ([wholeMost]). One that cannot be read
// counts for none.
func (s *Inboxes) ReadCached(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, []byte, error) {
	return s.read(ctx, viewer, r, s.names.note(viewer))
}

// PutCached implements [feed.SharedViewerCache]. Concurrent writes share round trips. As for
// reads, a server that did not answer gets no calls for a moment.
func (s *Inboxes) PutCached(ctx context.Context, viewer feed.UserID, note []byte, keep time.Duration) error {
	if keep <= 0 {
		return fmt.Errorf("a note is kept for a time above zero, not %v", keep)
	}
	return failed(ctx, s.notes.write(ctx, noteWrite{name: s.names.note(viewer), note: note, keep: keep}))
}

// notes writes notes.
type notes struct {
	breaker *breaker
	redis   redis.UniversalClient
	servers *byServer[noteWrite]
}

// noteWrite is a note to be written.
type noteWrite struct {
	name string
	note []byte
	keep time.Duration
}

func newNotes(r redis.UniversalClient, b *breaker) *notes {
	n := &notes{breaker: b, redis: r}
	// One batch at a time: no request waits for a write, and larger batches cost less.
	n.servers = newByServer(func() *batch.Batcher[noteWrite] { return batch.New(1, n.run, always) })
	return n
}

func (n *notes) write(ctx context.Context, w noteWrite) error {
	at := targetOf(ctx, n.redis, w.name)
	return n.breaker.call(ctx, at, func(ctx context.Context) error {
		return n.servers.to(at.server).Do(ctx, func(context.Context) noteWrite { return w })
	})
}

// run writes a batch of notes in one round trip.
func (n *notes) run(ctx context.Context, writes []noteWrite, done func(i int, err error)) {
	ctx, cancel := context.WithTimeout(ctx, n.breaker.within)
	defer cancel()
	pipe := n.redis.Pipeline()
	results := make([]*redis.StatusCmd, len(writes))
	for i, w := range writes {
		results[i] = pipe.Set(ctx, w.name, w.note, w.keep)
	}
	_, _ = pipe.Exec(ctx) // the error is the first of those of the commands
	for i, result := range results {
		done(i, result.Err())
	}
}

// bring has a pipeline bring the notes that reads want.
func bring(ctx context.Context, reads []*inboxRead) beside {
	return func(pipe redis.Pipeliner) {
		for _, r := range reads {
			if r.note != "" {
				r.brought = pipe.Get(ctx, r.note)
			}
		}
	}
}

// noted returns the note that came along; nothing when none was wanted, or it cannot be read.
func (r *inboxRead) noted() []byte {
	if r.brought == nil || r.brought.Err() != nil {
		return nil
	}
	note, _ := r.brought.Bytes() // it has no other error
	return note
}
