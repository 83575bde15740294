package cli

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/records"
)

// liveSettings say whether an import plays its records instead of storing them.
type liveSettings struct {
	Live bool `help:"Play the records as if they happened now: posts are published under their ids, at the present time, and fanned out by a running server; users follow, react, mute, hide and block; live sessions are planned, begin, end or are cancelled, as far as their records tell. Rules hold as for users, but for the follow limit."`
	Rate int  `placeholder:"N" help:"With --live, play at most N records a second; without it, as many as the database takes."`
}

// maxRate is where pacing ends: beyond some thousand a second no database holds the
// pace, and no timer is as fine.
const maxRate = 100_000

// Check refuses a rate that cannot be kept, and a rate without --live.
func (s liveSettings) Check() error {
	switch {
	case s.Rate != 0 && !s.Live:
		return app.BadSetting("--rate goes with --live; other imports are as fast as they can be")
	case s.Rate < 0 || s.Rate > maxRate:
		return app.BadSetting("--rate must be from 1 to %d records a second, not %d", maxRate, s.Rate)
	}
	return nil
}

// applier returns what the records go into, and a function that ends it.
func (s liveSettings) applier(store *sqlstore.Store) (to feed.Applier, stop func()) {
	if !s.Live {
		return store, func() {}
	}
	wait, stop := pace(s.Rate)
	return records.NewLive(store, sqlstore.NewLive(store), time.Now, wait), stop
}

// grown is what an import calls when it has stored much: played records come one by one,
// and databases look after themselves then.
func (s liveSettings) grown(store *sqlstore.Store) func(context.Context) error {
	if s.Live {
		return nil
	}
	return store.Analyze
}

// batchSize is how many records go into the sink at once: what is live is played as
// soon as it is read, because it may come from a pipe.
func (s liveSettings) batchSize() int {
	if s.Live {
		return 1
	}
	return 0 // the default
}

// done says in a word what became of the records that are neither known nor bad.
func (s liveSettings) done() string {
	if s.Live {
		return "played"
	}
	return "new"
}

// pace returns a function that returns n times a second at most, or at once when n is
// 0, and one that ends it.
func pace(n int) (wait func(context.Context) error, stop func()) {
	if n == 0 {
		return nil, func() {}
	}
	ticker := time.NewTicker(time.Second / time.Duration(n))
	return func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			return nil
		}
	}, ticker.Stop
}
