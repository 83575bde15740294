package ingest

import (
	"context"
	"log/slog"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// load is the bulk load of a consumer: the batches of each partition until it is at its end for the
// first time. It ends with the last partition that this process reads. A nil load is none.
type load struct {
	loads  feed.BulkLoads
	source string
	log    *slog.Logger

	mu sync.Mutex
	// loading are the partitions that this process loads, done those that were at their end.
	loading, done map[string]bool
}

// newLoad returns nil without loads.
func newLoad(loads feed.BulkLoads, source string, log *slog.Logger) *load {
	if loads == nil {
		return nil
	}
	return &load{loads: loads, source: source, log: log, loading: map[string]bool{}, done: map[string]bool{}}
}

// begin loads a partition, unless it was at its end before.
func (l *load) begin(partition string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done[partition] {
		l.loading[partition] = true
	}
}

// runs reports whether a batch of a partition is part of the load.
func (l *load) runs(partition string) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loading[partition]
}

// leave ends the load of a partition, so no batch of it may be under way. If reached, the partition
// is at its end. Otherwise a later begin goes on.
func (l *load) leave(ctx context.Context, partition string, reached bool) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.loading[partition] {
		return nil
	}
	if len(l.loading) == 1 {
		if _, err := l.loads.EndLoad(context.WithoutCancel(ctx), 0); err != nil {
			return err
		}
		if reached {
			l.log.InfoContext(ctx, "bulk load complete; inboxes are used again", "source", l.source)
		} else {
			l.log.WarnContext(ctx, "bulk load interrupted; inboxes are used until it goes on", "source", l.source)
		}
	}
	delete(l.loading, partition)
	l.done[partition] = reached
	return nil
}
