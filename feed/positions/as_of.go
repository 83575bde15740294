package positions

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// AsOf is what the data of a read includes at least.
type AsOf struct {
	Commit feed.CommitPlace
	feed.SourceStates
}

const (
	// statesFor is how long states are used. Older ones are still true: positions only rise.
	statesFor = time.Second
	// statesWithin bounds a read of the states: a few rows.
	statesWithin = 2 * time.Second
)

// Reports reads the states of all sources at most once a second. It is safe for concurrent use.
type Reports struct {
	commits feed.Commits
	states  batch.Recent[feed.SourceStates]
}

// NewReports returns reports of what is stored.
func NewReports(commits feed.Commits, sources feed.SourceReporter, clock feed.Clock) *Reports {
	return &Reports{commits, batch.Recent[feed.SourceStates]{Read: sources.SourceStates, Clock: clock, For: statesFor, Within: statesWithin}}
}

// RefreshInterval is how often to call [Reports.Refresh], and so how long a new source is unknown.
const RefreshInterval = 5 * time.Second

// Refresh reads which sources there are.
func (r *Reports) Refresh(ctx context.Context) error {
	_, err := r.states.Get(ctx)
	return err
}

// StatesWith returns states, at most a second old, that have a source. known is false for a source
// that no call of Refresh has found. It then reads nothing, since anyone may ask for any name.
func (r *Reports) StatesWith(ctx context.Context, source string) (s feed.SourceStates, known bool, err error) {
	s, _ = r.states.Last()
	if list, _ := s.Of(source); len(list) == 0 {
		return s, false, nil
	}
	s, err = r.states.Get(ctx)
	return s, true, err
}

// AsOf returns what every read that begins after the call includes.
func (r *Reports) AsOf(ctx context.Context) (AsOf, error) {
	states, err := r.states.Get(ctx)
	if err != nil {
		return AsOf{}, err
	}
	place, err := r.commits.LastCommit(ctx)
	return AsOf{Commit: place, SourceStates: states}, err
}
