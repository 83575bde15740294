package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Stores are the ports of one source of truth. All of them use the same data.
type Stores struct {
	Posts      feed.Posts
	Users      feed.Users
	Outboxes   feed.Outboxes
	Lists      feed.Lists
	Reference  feed.Reference
	Relations  feed.Relations
	Surveyor   feed.Surveyor
	Follows    feed.Follows
	PostWriter feed.PostWriter
	Counters   feed.Counters
	// SourceCounters has the counters of records.
	SourceCounters feed.Counters
	Audience       feed.Audience
	Plans          feed.Plans
	Applier        feed.Applier
	Loads          feed.BulkLoads
	Undone         feed.UndoneEdges
	Ingester       feed.Ingester
	Versions       feed.ObjectVersions
	DeadLetters    feed.DeadLetters
	Sources        feed.SourceReporter
	Exporter       feed.Exporter
	Presence       feed.Presence
	Relater        feed.Relater
	Profiles       feed.Profiles
	Coverage       feed.Coverage
	Activity       feed.Activity
	Cleaner        feed.Cleaner
	Leaders        feed.Leaders
	PulseLog       feed.PulseLog
	Progress       feed.Progress
	Fanouts        feed.Fanouts
	Pending        feed.PendingAuthors
	Commits        feed.Commits
	Announced      feed.AnnouncementLog
	Changes        feed.ChangeLog
	Numberer       feed.ChangeNumberer
	IDs            feed.IDMap
	Flags          feed.Flags
	// Reported counts the reports of the store that changes have been logged; nil if it has none.
	Reported func() int64
}

// Store is a source of truth that implements all ports.
type Store interface {
	feed.Posts
	feed.Users
	feed.Outboxes
	feed.Lists
	feed.Reference
	feed.Relations
	feed.Surveyor
	feed.Follows
	feed.PostWriter
	feed.Counters
	feed.Audience
	feed.Plans
	feed.Applier
	feed.BulkLoads
	feed.UndoneEdges
	feed.Ingester
	feed.ObjectVersions
	feed.DeadLetters
	feed.SourceReporter
	feed.Exporter
	feed.Presence
	feed.Relater
	feed.Profiles
	feed.Coverage
	feed.Activity
	feed.Cleaner
	feed.Leaders
	feed.PulseLog
	feed.Progress
	feed.Fanouts
	feed.PendingAuthors
	feed.Commits
	feed.AnnouncementLog
	feed.ChangeLog
	feed.ChangeNumberer
	feed.IDMap
	feed.Flags
	SourceCounters() feed.Counters
}

// StoresOf returns the ports of a store.
func StoresOf(s Store) Stores {
	return Stores{
		Posts:      s,
		Users:      s,
		Outboxes:   s,
		Lists:      s,
		Reference:  s,
		Relations:  s,
		Surveyor:   s,
		Follows:    s,
		PostWriter: s,
		Counters:   s,

		SourceCounters: s.SourceCounters(),
		Audience:       s,
		Plans:          s,
		Applier:        s,
		Loads:          s,
		Undone:         s,
		Ingester:       s,
		Versions:       s,
		DeadLetters:    s,
		Sources:        s,
		Exporter:       s,
		Presence:       s,
		Relater:        s,
		Profiles:       s,
		Coverage:       s,
		Activity:       s,
		Cleaner:        s,
		Leaders:        s,
		PulseLog:       s,
		Progress:       s,
		Fanouts:        s,
		Pending:        s,
		Commits:        s,
		Announced:      s,
		Changes:        s,
		Numberer:       s,
		IDs:            s,
		Flags:          s,
	}
}

// Import applies records as an import does.
func (s Stores) Import(ctx context.Context, records []feed.Record) (feed.Applied, error) {
	return s.Applier.Apply(ctx, feed.Batch{Records: records, ActiveFor: feed.DefaultPolicy().ActiveFor})
}

// Load applies records as a batch of a bulk load.
func (s Stores) Load(ctx context.Context, records []feed.Record) (feed.Applied, error) {
	return s.Applier.Apply(ctx, feed.Batch{Records: records, Bulk: true, ActiveFor: feed.DefaultPolicy().ActiveFor})
}

// SetRelation makes r.User mute, hide from or block r.Target. If on is false, it ends the relation.
func (s Stores) SetRelation(ctx context.Context, r feed.RelationRecord, on bool) error {
	if on {
		return s.Relater.Relate(ctx, r)
	}
	return s.Relater.Unrelate(ctx, r.Kind, r.User, r.Target)
}

// Source runs every suite for a source of truth. open returns new, empty stores and closes them in
// t.Cleanup. Each of over a hundred subtests calls it, so it should be cheap: copy a migrated
// database rather than migrate each.
func Source(t *testing.T, open func(t *testing.T) Stores) {
	t.Run("Posts", func(t *testing.T) { Posts(t, open) })
	t.Run("Users", func(t *testing.T) { Users(t, open) })
	t.Run("Outboxes", func(t *testing.T) { Outboxes(t, open) })
	t.Run("Lists", func(t *testing.T) { Lists(t, open) })
	t.Run("Reference", func(t *testing.T) { Reference(t, open) })
	t.Run("Relations", func(t *testing.T) { Relations(t, open) })
	t.Run("Surveyor", func(t *testing.T) { Surveyor(t, open) })
	t.Run("Follows", func(t *testing.T) { Follows(t, open) })
	t.Run("PostWriter", func(t *testing.T) { PostWriter(t, open) })
	t.Run("Counters", func(t *testing.T) { Counters(t, open) })
	t.Run("Audience", func(t *testing.T) { Audience(t, open) })
	t.Run("Plans", func(t *testing.T) { Plans(t, open) })
	t.Run("PlansTogether", func(t *testing.T) { PlansTogether(t, open) })
	t.Run("Applier", func(t *testing.T) { Applier(t, open) })
	t.Run("BulkLoads", func(t *testing.T) { BulkLoads(t, open) })
	t.Run("Ingester", func(t *testing.T) { Ingester(t, open) })
	t.Run("Relater", func(t *testing.T) { Relater(t, open) })
	t.Run("Presence", func(t *testing.T) { Presence(t, open) })
	t.Run("ImplicitUsers", func(t *testing.T) { ImplicitUsers(t, open) })
	t.Run("Profiles", func(t *testing.T) { Profiles(t, open) })
	t.Run("Exporter", func(t *testing.T) { Exporter(t, open) })
	t.Run("Coverage", func(t *testing.T) { Coverage(t, open) })
	t.Run("Activity", func(t *testing.T) { Activity(t, open) })
	t.Run("Cleaner", func(t *testing.T) { Cleaner(t, open) })
	t.Run("Leaders", func(t *testing.T) { Leaders(t, open) })
	t.Run("PulseLog", func(t *testing.T) { PulseLog(t, open) })
	t.Run("Progress", func(t *testing.T) { Progress(t, open) })
	t.Run("Fanouts", func(t *testing.T) { Fanouts(t, open) })
	t.Run("PendingAuthors", func(t *testing.T) { PendingAuthors(t, open) })
	t.Run("Commits", func(t *testing.T) { Commits(t, open) })
	t.Run("AnnouncementLog", func(t *testing.T) { AnnouncementLog(t, open) })
	t.Run("ChangeLog", func(t *testing.T) { ChangeLog(t, open) })
	t.Run("IDMap", func(t *testing.T) { IDMap(t, open) })
	t.Run("Flags", func(t *testing.T) { Flags(t, open) })
	t.Run("EndedContext", func(t *testing.T) { endedContexts(t, open) })
}
