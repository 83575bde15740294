package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// liveSettings configure whether an import plays its records instead of storing them.
type liveSettings struct {
	Live bool `help:"Play the records as actions that happen now. Posts keep their ids, and a running server fans them out. The rules for users hold, except the follow limit."`
	Rate int  `placeholder:"N" help:"With --live, play at most N records per second; no limit by default."`
}

// maxRate is beyond the speed of databases and the resolution of timers.
const maxRate = 100_000

func (s liveSettings) Check() error {
	switch {
	case s.Rate != 0 && !s.Live:
		return app.BadSetting("--rate needs --live; other imports run at full speed")
	case s.Rate < 0 || s.Rate > maxRate:
		return app.BadSetting("--rate must be from 1 to %d records a second, not %d", maxRate, s.Rate)
	}
	return nil
}

// sink is the destination of an import.
type sink struct {
	feed.Applier
	// owned are the types that sources own.
	owned  feed.RecordTypes
	format records.Format
	// batchSize is how many records it takes at once; 0 for the default.
	batchSize int
	// grown is called after much was stored; nil if the database does not need it.
	grown func(context.Context) error
	// loads ends the bulk load; nil if records are played.
	loads feed.BulkLoads
	// done is the word for records that are neither known nor bad.
	done string
	stop func()
}

// endLoad ends the bulk load, also after an interruption, so that inboxes are used again.
func (s sink) endLoad(ctx context.Context) error {
	if s.loads == nil {
		return nil
	}
	_, err := s.loads.EndLoad(context.WithoutCancel(ctx), 0)
	return err
}

// sink returns the destination. It plays records one by one, because they may come from a pipe.
func (s liveSettings) sink(store *sqlstore.Store, owned feed.RecordTypes) sink {
	if !s.Live {
		return sink{Applier: store, owned: owned, format: formatOf(store), batchSize: store.ImportSize(), grown: store.Analyze, loads: store, done: "new", stop: func() {}}
	}
	wait, stop := pace(s.Rate)
	player := records.NewLive(store, sqlstore.NewLive(store), time.Now, wait)
	return sink{Applier: ownedRefused{player, owned}, format: formatOf(store), batchSize: 1, done: "played", stop: stop}
}

// ownedRefused refuses records of types that a source owns, which users cannot change.
type ownedRefused struct {
	feed.Applier
	owned feed.RecordTypes
}

func (a ownedRefused) Apply(ctx context.Context, b feed.Batch) (feed.Applied, error) {
	for i := range b.Records {
		if t := b.Records[i].Type(); a.owned.Has(t) {
			return feed.Applied{}, fmt.Errorf("--live plays records as actions of users, but a source owns records of type %s; import them without --live", t)
		}
	}
	return a.Applier.Apply(ctx, b)
}

// pace returns wait, which returns at most n times per second, or at once if n is 0, and stop,
// which ends it.
func pace(n int) (wait func(context.Context) error, stop func()) {
	if n == 0 {
		return nil, func() {}
	}
	ticker := time.NewTicker(time.Second / time.Duration(n))
	return func(ctx context.Context) error { return await(ctx, ticker.C) }, ticker.Stop
}

func await(ctx context.Context, tick <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-tick:
		return nil
	}
}
