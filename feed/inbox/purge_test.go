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
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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
	v := fixture.New(t, largeBatches)
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

// planned says whether the plan of a post is stored.
func planned(v fixture.Service, id feed.PostID) bool {
	v.Helper()
	return fixture.Got(v.Backend.Plans.PlanOf(v.Context(), id)).Must(v).Stored
}

// followVersion ingests a follow that ended as of a version. It says whether a later one was known.
func followVersion(v fixture.Service, number int64) (outdated bool) {
	v.Helper()
	r := feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: 1}, Version: feed.ObjectVersion{Number: number}, EndedAt: 1}
	batch := feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{r}, Owned: feed.OwnedTypes()}}
	return fixture.Got(v.Backend.Ingester.Ingest(v.Context(), batch)).Must(v).Outdated == 1
}

// oldChanges makes a change, and returns whether it has left the log.
func oldChanges(v fixture.Service) (gone func() bool) {
	v.Helper()
	last := fixture.Got(v.Backend.Changes.LastChange(v.Context())).Must(v)
	v.Post(star, 1)
	return func() bool {
		_, _, err := v.Backend.Changes.Changes(v.Context(), last, 9)
		return errors.Is(err, feed.ErrChangesGone)
	}
}

func TestPurgeRows_DropsOldRows(t *testing.T) {
	p := feedtest.SmallPolicy(feed.FanoutPush)
	for name, c := range map[string]struct {
		kept time.Duration
		// store stores a row, and returns whether it is gone.
		store func(v fixture.Service) (gone func() bool)
	}{
		"plans": {p.PlansKept, func(v fixture.Service) func() bool {
			v.Deliver(star, 1, 2, 3, 4, 5)
			return func() bool { return !planned(v, 1) && !planned(v, 5) }
		}},
		"ended versions": {p.ReorderWindow, func(v fixture.Service) func() bool {
			followVersion(v, 2)
			return func() bool { return !followVersion(v, 1) }
		}},
		"changes": {p.ChangesKept, oldChanges},
	} {
		v := fixture.New(t)
		gone := c.store(v)
		v.Clock.Advance(c.kept - time.Second)
		v.Must(v.Maintenance.PurgeRows(t.Context()))
		before := gone()
		v.Clock.Advance(2 * time.Second)
		v.Must(v.Maintenance.PurgeRows(t.Context()))
		if before || !gone() {
			t.Errorf("%s: dropped before their time: %t, or not after it", name, before)
		}
	}
}

func TestPurgeRows_KeepsUnfinishedPlans(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1)
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	v.Clock.Advance(v.Policy.PlansKept + time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	if !planned(v, 1) {
		t.Error("a plan that is not done was dropped")
	}
	v.Must(v.Rest(t.Context()))
	fixture.Same(t, "the feed", v.Home(ann), 1)
}

// failingCleaner fails to clean up plans.
type failingCleaner struct{ feed.Cleaner }

var errCleanup = errors.New("no cleanup")

func (failingCleaner) Cleanup(context.Context, int64, int64, int) (bool, error) {
	return false, errCleanup
}

func TestPurgeRows_FailureStopsNoOtherKind(t *testing.T) {
	v := fixture.New(t)
	gone := oldChanges(v)
	v.Clock.Advance(v.Policy.ChangesKept + time.Second)
	v.Maintenance.Cleaner = failingCleaner{v.Maintenance.Cleaner}
	fixture.Fails(t, v.Maintenance.PurgeRows(t.Context()), errCleanup)
	if !gone() {
		t.Error("old changes are kept after another kind has failed")
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
	fixture.Is(t, "the inbox of a dormant viewer", v.Header(ann).State, feed.InboxAbsent)
	close(blocked.goOn)
	v.Must(<-purged)
}
