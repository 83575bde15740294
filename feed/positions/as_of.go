package positions

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// AsOf is what the data of a read includes at least.
type AsOf struct {
	Commit feed.CommitPlace
	feed.SourceReport
}

// reportFor is how long a report is used. An older one is still true: positions only rise.
const reportFor = time.Second

// Reports reads the report of all sources at most once a second, since it counts rows. Its fields are
// set before the first use. It is safe for concurrent use.
type Reports struct {
	Commits feed.Commits
	Sources feed.SourceReporter
	Clock   feed.Clock

	mu   sync.Mutex
	at   time.Time
	last feed.SourceReport
}

// Report returns the report of all sources, at most a second old.
func (r *Reports) Report(ctx context.Context) (feed.SourceReport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.Clock(); r.at.IsZero() || now.Sub(r.at) >= reportFor || now.Before(r.at) {
		report, err := r.Sources.ReportSources(ctx)
		if err != nil {
			return feed.SourceReport{}, err
		}
		r.at, r.last = now, report
	}
	return r.last, nil
}

// AsOf returns what every read that begins after the call includes.
func (r *Reports) AsOf(ctx context.Context) (AsOf, error) {
	report, err := r.Report(ctx)
	if err != nil {
		return AsOf{}, err
	}
	place, err := r.Commits.LastCommit(ctx)
	return AsOf{Commit: place, SourceReport: report}, err
}
