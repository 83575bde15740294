package inbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

// rowsPerDay are the rows that become old on a day, for a hundred million users who each read twenty
// pages a day and write as in the mixed load: a post and a like for a hundred pages.
var rowsPerDay = map[string]int64{"plans": 20_000_000, "handles": 1_000_000, "versions": 20_000_000, "changes": 100_000_000}

// What dropping rows costs PostgreSQL: a commit on a slow disk, and as much per row as measured with
// more than ten processes for each processor.
const (
	purgeCommit = 10 * time.Millisecond
	purgedRow   = 80 * time.Microsecond
)

// oldRows pretends that there are the rows of a day at first, and that rows become old at a steady
// pace. Dropping them takes time.
type oldRows struct {
	feed.Cleaner
	feed.ChangeNumberer
	clock   *feedtest.Clock
	began   time.Time
	dropped map[string]int64
	// empty is when the last old row of a kind was dropped for the first time.
	empty map[string]time.Duration
}

func (o *oldRows) drop(kind string, limit int) (more bool, err error) {
	day := rowsPerDay[kind]
	old := day + int64(float64(day)*o.clock.Now().Sub(o.began).Hours()/24) - o.dropped[kind]
	dropped := min(old, int64(limit))
	o.clock.Advance(purgeCommit + time.Duration(dropped)*purgedRow)
	o.dropped[kind] += dropped
	more = dropped == int64(limit)
	if _, before := o.empty[kind]; !more && !before {
		o.empty[kind] = o.clock.Now().Sub(o.began)
	}
	return more, nil
}

func (o *oldRows) Cleanup(_ context.Context, _, _ int64, limit int) (bool, error) {
	return o.drop("plans", limit)
}

func (o *oldRows) DropFreedHandles(_ context.Context, _ int64, limit int) (bool, error) {
	return o.drop("handles", limit)
}

func (o *oldRows) DropEndedVersions(_ context.Context, _ int64, limit int) (bool, error) {
	return o.drop("versions", limit)
}

func (o *oldRows) TrimChanges(_ context.Context, _ int64, limit int) (bool, error) {
	return o.drop("changes", limit)
}

func TestSimulation_PurgesTakeLessThanDay(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.UpkeepBatch = feed.DefaultPolicy().UpkeepBatch })
	old := &oldRows{clock: v.Clock, began: v.Clock.Now(), dropped: map[string]int64{}, empty: map[string]time.Duration{}}
	m := v.Maintenance
	m.Cleaner, m.Changes = old, old
	var longest time.Duration
	for len(old.empty) < len(rowsPerDay) && v.Clock.Now().Sub(old.began) <= 24*time.Hour {
		began := v.Clock.Now()
		v.Must(m.PurgeRows(t.Context()))
		longest = max(longest, v.Clock.Now().Sub(began))
		v.Clock.Advance(inbox.PurgeInterval)
	}
	for kind, rows := range rowsPerDay {
		took, gone := old.empty[kind]
		t.Logf("%d old %s, and those that follow, are gone after %v", rows, kind, took.Round(time.Minute))
		if !gone || took > 24*time.Hour {
			t.Errorf("the purge of %d %s a day takes more than a day", rows, kind)
		}
	}
	if limit := inbox.PurgeInterval; longest > limit {
		t.Errorf("a call takes %v, want less than %v", longest, limit)
	}
}

// failingCleaner fails to clean up plans.
type failingCleaner struct{ feed.Cleaner }

var errCleanup = errors.New("no cleanup")

func (failingCleaner) Cleanup(context.Context, int64, int64, int) (bool, error) {
	return false, errCleanup
}

func TestPurgeRows_FailureStopsNoOtherKind(t *testing.T) {
	v := fixture.New(t)
	last, err := v.Backend.Changes.LastChange(t.Context())
	v.Must(err)
	v.Post(star, 1)
	v.Clock.Advance(v.Policy.ChangesKept + time.Second)
	v.Maintenance.Cleaner = failingCleaner{v.Maintenance.Cleaner}
	if err := v.Maintenance.PurgeRows(t.Context()); !errors.Is(err, errCleanup) {
		t.Errorf("the failure of a kind is returned as %v", err)
	}
	if _, _, err := v.Backend.Changes.Changes(t.Context(), last, 9); !errors.Is(err, feed.ErrChangesGone) {
		t.Errorf("old changes are read with %v after another kind has failed", err)
	}
}

// blockedCleaner waits in each cleanup until the test lets it go on.
type blockedCleaner struct {
	feed.Cleaner
	began, goOn chan struct{}
}

func (b blockedCleaner) Cleanup(ctx context.Context, plans, keys int64, limit int) (bool, error) {
	close(b.began)
	<-b.goOn
	return b.Cleaner.Cleanup(ctx, plans, keys, limit)
}

func TestPurgeRows_DelaysNoTrim(t *testing.T) {
	v := fixture.New(t)
	v.BuildInbox(ann)
	v.EndLeases()
	v.Clock.Advance(v.Policy.DormantFor)
	blocked := blockedCleaner{v.Maintenance.Cleaner, make(chan struct{}), make(chan struct{})}
	v.Maintenance.Cleaner = blocked
	purged, trimmed := make(chan error, 1), make(chan error, 1)
	go func() { purged <- v.Maintenance.PurgeRows(t.Context()) }()
	<-blocked.began
	go func() { trimmed <- v.Maintenance.TrimInboxes(t.Context()) }()
	v.Must(eventually.Receive(t, "a trim during a purge", trimmed))
	if v.Header(ann).State != feed.InboxAbsent {
		t.Error("the inbox of a dormant viewer is still there")
	}
	close(blocked.goOn)
	v.Must(<-purged)
}
