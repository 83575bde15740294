package feedtest

import (
	"context"
	"reflect"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Stores are the ports of one source of truth. All of them use the same data.
type Stores struct {
	Posts     feed.Posts
	Users     feed.Users
	Outboxes  feed.Outboxes
	Lists     feed.Lists
	Reference feed.Reference
	Specials  feed.SpecialFollows
	// AuthorLists and ListReader are of lists of authors.
	AuthorLists feed.AuthorLists
	ListReader  feed.AuthorListReader
	Relations   feed.Relations
	Surveyor    feed.Surveyor
	Follows     feed.Follows
	Requests    feed.FollowRequests
	PostWriter  feed.PostWriter
	Counters    feed.Counters
	// SourceCounters has the counters of records.
	SourceCounters feed.Counters
	Audience       feed.Audience
	Plans          feed.Plans
	Slices         feed.Slices
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
	Audiences      feed.AudienceLog
	Moderation     feed.Moderation
	Numberer       feed.ChangeNumberer
	IDs            feed.IDMap
	ReadPositions  feed.ReadPositions
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
	feed.SpecialFollows
	feed.AuthorLists
	feed.AuthorListReader
	feed.Relations
	feed.Surveyor
	feed.Follows
	feed.FollowRequests
	feed.PostWriter
	feed.Counters
	feed.Audience
	feed.Plans
	feed.Slices
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
	feed.AudienceLog
	feed.ChangeNumberer
	feed.IDMap
	feed.ReadPositions
	feed.Flags
	SourceCounters() feed.Counters
}

// StoresOf returns the ports of a store, which are all the store itself but the counters of records.
func StoresOf(s Store) (stores Stores) {
	ports := reflect.ValueOf(&stores).Elem()
	for i := range ports.NumField() {
		if ports.Field(i).Kind() == reflect.Interface {
			ports.Field(i).Set(reflect.ValueOf(s))
		}
	}
	stores.SourceCounters = s.SourceCounters()
	return stores
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
	s, running := storeSuite{t, in(open)}, storeSuite{t, in(started(open))}
	s.group("Posts", postsPromises)
	s.group("Users", usersPromises)
	s.group("Outboxes", outboxesPromises)
	s.group("Lists", listsPromises)
	s.group("Reference", referencePromises)
	s.group("Relations", relationsPromises)
	s.group("Surveyor", surveyorPromises)
	s.group("Follows", followsPromises)
	s.group("FollowRequests", followRequestsPromises)
	s.group("FollowOptions", followOptionsPromises)
	running.group("AuthorLists", authorListPromises)
	s.group("FollowRequestRecords", followRequestRecordPromises)
	running.group("ListRecords", listRecordPromises)
	s.group("PostWriter", postWriterPromises)
	s.group("Counters", countersPromises)
	s.group("Audience", audiencePromises)
	s.group("Plans", plansPromises)
	s.group("PlansTogether", plansTogetherPromises)
	s.group("Applier", applierPromises)
	running.group("BulkLoads", bulkLoadsPromises)
	running.group("Ingester", ingesterPromises)
	running.group("Sanctions", sanctionPromises)
	s.group("Relater", relaterPromises)
	s.group("Mutes", mutePromises)
	s.group("Presence", presencePromises)
	s.group("ImplicitUsers", implicitUsersPromises)
	s.group("Profiles", profilesPromises)
	s.group("Exporter", exporterPromises)
	s.group("Coverage", coveragePromises)
	s.group("Activity", activityPromises)
	s.group("Cleaner", cleanerPromises)
	s.group("Leaders", leadersPromises)
	s.group("PulseLog", pulseLogPromises)
	s.group("Progress", progressPromises)
	s.group("Fanouts", fanoutsPromises)
	s.group("PendingAuthors", pendingAuthorsPromises)
	s.group("Commits", commitsPromises)
	s.group("AnnouncementLog", announcementLogPromises)
	running.group("ChangeLog", changeLogPromises)
	s.group("IDMap", idMapPromises)
	s.group("Flags", flagsPromises)
	s.group("ReadPositions", readPositionsPromises)
	running.group("EndedContext", endedContexts)
}
