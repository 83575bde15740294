package memstore

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

var (
	_ feed.Ingester       = (*Store)(nil)
	_ feed.DeadLetters    = (*Store)(nil)
	_ feed.SourceReporter = (*Store)(nil)
)

// sources is what is stored of the systems that own objects. The store's mutex guards it.
type sources struct {
	versions map[feed.Object]feed.ObjectVersion
	// endedAt has the times at which the ends of edges were applied, and ended those edges.
	endedAt map[feed.Object]int64
	ended   map[feed.Object]feed.StoredEdge
	// counters are those of records.
	counters map[feed.Object]feed.CountersRecord
	// awaited has the times at which users who have not arrived were named first.
	awaited map[feed.UserID]int64
	// awaitedPosts has the times at which posts that have not arrived were referred to first; 0 for
	// those that were taken back before.
	awaitedPosts map[feed.PostID]int64
	positions    map[partition]feed.SourcePosition
	letters      []feed.DeadLetter
	// lastLetter is the id of the newest dead letter.
	lastLetter int64
	// counted are the bad lines without a letter, by source.
	counted map[string]int
}

type partition struct{ source, name string }

func newSources() sources {
	return sources{
		versions: map[feed.Object]feed.ObjectVersion{}, endedAt: map[feed.Object]int64{}, ended: map[feed.Object]feed.StoredEdge{}, awaited: map[feed.UserID]int64{}, awaitedPosts: map[feed.PostID]int64{},
		positions: map[partition]feed.SourcePosition{}, counters: map[feed.Object]feed.CountersRecord{}, counted: map[string]int{},
	}
}

// Ingest implements [feed.Ingester].
func (s *Store) Ingest(ctx context.Context, batch feed.SourceBatch) (feed.Ingested, error) {
	if err := s.begin(ctx); err != nil {
		return feed.Ingested{}, err
	}
	defer s.mu.Unlock()
	if !s.canRetry(batch.Retried) {
		return feed.Ingested{}, feed.ErrLetterOvertaken
	}
	if !s.isAt(&batch) {
		return feed.Ingested{}, feed.ErrPositionMoved
	}
	checked := apply.Check(&batch.Batch, s.now())
	changes, applied := checked.Fold(s.objects(checked.Names()))
	if err := batch.CheckStrict(&applied); err != nil {
		return feed.Ingested{}, err
	}
	s.movePosition(&batch)
	result := batch.Ingested(applied, changes.Counts)
	if batch.Bulk {
		s.logStored(&changes)
	} else {
		s.logChanges(&changes)
	}
	s.write(&changes)
	s.see(&changes, &batch.Batch)
	switch {
	case !batch.Bulk:
		s.beginFanouts(&changes, batch.Dispatch, &result)
	case changes.Any():
		s.markLoad()
	}
	s.settleLetters(&batch, &result.Applied)
	for _, c := range changes.Posts {
		result.Posts = append(result.Posts, c.After.ID)
	}
	for _, c := range changes.Users {
		result.Users = append(result.Users, c.After.ID)
	}
	if !batch.Bulk && batch.Snapshot.Number == 0 {
		s.renew(&changes, &result)
	}
	return result, nil
}

// renew logs objects whose content may have changed elsewhere.
func (s *Store) renew(changes *apply.Changes, result *feed.Ingested) {
	for _, c := range changes.Renewals() {
		s.log(c)
		if c.Post != 0 {
			result.Posts = append(result.Posts, c.Post)
		} else {
			result.Users = append(result.Users, c.User)
		}
	}
}

// ObjectVersions implements [feed.ObjectVersions].
func (s *Store) ObjectVersions(ctx context.Context, objects []feed.Object) ([]feed.ObjectVersion, error) {
	return inTx(ctx, s, func() []feed.ObjectVersion {
		versions := make([]feed.ObjectVersion, len(objects))
		for i, o := range objects {
			versions[i] = s.sources.versions[o]
		}
		return versions
	})
}

// isAt reports whether the position is where the batch begins.
func (s *Store) isAt(batch *feed.SourceBatch) bool {
	m := batch.Move
	if m == (feed.PositionMove{}) {
		return true
	}
	have, stored := s.sources.positions[partition{batch.Source, m.Partition}]
	return stored == (m.From != "") && (!stored || have.Position == m.From && have.Identity == m.Identity)
}

func (s *Store) movePosition(batch *feed.SourceBatch) {
	m, now := batch.Move, s.now()
	if m == (feed.PositionMove{}) {
		return
	}
	key, moved := partition{batch.Source, m.Partition}, now
	if m.From == m.To {
		moved = s.sources.positions[key].MovedAt
	}
	s.sources.positions[key] = feed.SourcePosition{
		Source: batch.Source, Partition: m.Partition, Identity: m.Identity, Position: m.To, MovedAt: moved,
		CurrentAt: m.Lag.CurrentAt(now), Waiting: m.Lag.Messages,
	}
}

// Positions implements [feed.Ingester].
func (s *Store) Positions(ctx context.Context, source string) ([]feed.SourcePosition, error) {
	return inTx(ctx, s, func() []feed.SourcePosition {
		var list []feed.SourcePosition
		for key, p := range s.sources.positions {
			if key.source == source {
				list = append(list, p)
			}
		}
		slices.SortFunc(list, comparePositions)
		return list
	})
}

func comparePositions(a, b feed.SourcePosition) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Partition, b.Partition))
}

// ReportSources implements [feed.SourceReporter].
func (s *Store) ReportSources(ctx context.Context) (feed.SourceReport, error) {
	return inTx(ctx, s, func() feed.SourceReport {
		return feed.SourceReport{SourceStates: s.states(), Absent: s.countAbsent(), Posts: s.countAwaitedPosts(), Load: s.load}
	})
}

// SourceStates implements [feed.SourceReporter].
func (s *Store) SourceStates(ctx context.Context) (feed.SourceStates, error) {
	return inTx(ctx, s, s.states)
}

func (s *Store) states() feed.SourceStates {
	return feed.SourceStates{
		Now: s.now(), Positions: slices.SortedFunc(maps.Values(s.sources.positions), comparePositions), DeadLetters: s.countLetters(),
	}
}

// countLetters counts the letters, which are in the order of their times.
func (s *Store) countLetters() []feed.DeadLetterCount {
	counts := map[string]feed.DeadLetterCount{}
	for source, n := range s.sources.counted {
		counts[source] = feed.DeadLetterCount{Source: source, Counted: n}
	}
	for _, l := range s.sources.letters {
		c := counts[l.Source]
		c.Source = l.Source
		c.Letters++
		if l.Overtaken {
			c.Overtaken++
		}
		c.OldestAt = cmp.Or(c.OldestAt, l.CreatedAt)
		counts[l.Source] = c
	}
	return slices.SortedFunc(maps.Values(counts), func(a, b feed.DeadLetterCount) int { return cmp.Compare(a.Source, b.Source) })
}

func (s *Store) countAbsent() (a feed.AbsentUsers) {
	for id := range s.absent {
		if s.sources.awaited[id] == 0 {
			a.TakenBack++
		}
	}
	a.Awaited, a.Oldest = len(s.sources.awaited), oldestAwaited(s.sources.awaited)
	return a
}

func (s *Store) countAwaitedPosts() feed.AwaitedPosts {
	awaited := maps.Clone(s.sources.awaitedPosts)
	maps.DeleteFunc(awaited, func(_ feed.PostID, since int64) bool { return since == 0 })
	return feed.AwaitedPosts{Awaited: len(awaited), Oldest: oldestAwaited(awaited)}
}

// awaitPosts notes since when posts that are not stored have been referred to.
func (s *Store) awaitPosts(changes *apply.Changes) {
	for _, id := range changes.Arrived() {
		delete(s.sources.awaitedPosts, id)
	}
	for _, id := range changes.TakenPosts {
		s.sources.awaitedPosts[id] = 0
	}
	for _, id := range changes.AwaitedPosts {
		if _, known := s.sources.awaitedPosts[id]; !known {
			s.sources.awaitedPosts[id] = s.now()
		}
	}
}

// oldestAwaited returns the objects that have been awaited the longest.
func oldestAwaited[K ~int64](awaited map[K]int64) []feed.Awaited[K] {
	var list []feed.Awaited[K]
	for id, since := range awaited {
		list = append(list, feed.Awaited[K]{ID: id, Since: since})
	}
	slices.SortFunc(list, func(a, b feed.Awaited[K]) int { return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.ID, b.ID)) })
	return list[:min(len(list), feed.OldestAwaited)]
}

// canRetry reports whether no letter is gone or overtaken.
func (s *Store) canRetry(retried []int64) bool {
	n := 0
	for _, l := range s.sources.letters {
		if !l.Overtaken && slices.Contains(retried, l.ID) {
			n++
		}
	}
	return n == len(retried)
}

// logStored logs the changes of users and posts that were stored before, except what write logs
// itself.
func (s *Store) logStored(changes *apply.Changes) {
	stored := apply.Changes{Users: changes.Users}
	for _, c := range changes.Posts {
		if c.Before.Post != nil {
			stored.Posts = append(stored.Posts, c)
		}
	}
	s.logChanges(&stored)
}

// logChanges logs changes, except what write logs itself.
func (s *Store) logChanges(changes *apply.Changes) {
	var rows []feed.Change
	log := func(c ...feed.Change) { rows = append(rows, c...) }
	for _, c := range changes.Users {
		if c.Before != nil && !c.Deleted() {
			log(c.Logged())
		}
	}
	for _, c := range changes.Posts {
		log(c.Logged())
	}
	for _, c := range changes.Sessions {
		log(c.After.Changed(c.Before == nil))
	}
	for _, c := range changes.Follows {
		if c.Made() != 0 {
			log(feed.FollowChange(c.Key.Follower, c.Key.Followee))
		}
	}
	for _, c := range changes.Relations {
		if n := c.Made(); n != 0 {
			log(c.Key.Logged(n > 0)...)
		}
	}
	s.log(feed.HidesFirst(rows)...)
}

// beginFanouts begins the fan-outs of new and restored posts, and of new replays.
func (s *Store) beginFanouts(changes *apply.Changes, d feed.FirstDispatch, result *feed.Ingested) {
	for _, c := range changes.Posts {
		n, id := c.Shown(), c.After.ID
		if n != 0 {
			s.logReposts(id)
		}
		if n <= 0 {
			continue
		}
		attempt := int64(0)
		if c.Before.Post != nil {
			attempt = s.endFanout(id)
		}
		if s.beginFanout(c.After.Post, attempt, d) {
			result.Planned = append(result.Planned, id)
		} else {
			result.Pending = append(result.Pending, id)
		}
	}
	for _, c := range changes.Sessions {
		if c.Ends() {
			id := feed.ReplayRef(int64(c.After.ID))
			s.events[id] = &event{schedule: schedule{due: d.EventDue}}
			result.Pending = append(result.Pending, id)
		}
	}
}

// settleLetters keeps the bad records and lines of a batch.
func (s *Store) settleLetters(batch *feed.SourceBatch, result *feed.Applied) {
	if len(batch.Retried) > 0 {
		s.settleRetried(batch, result)
		return
	}
	bad := map[int]bool{}
	for _, b := range result.Bad {
		bad[b.Line] = true
	}
	for i := range batch.Records {
		if r := &batch.Records[i]; !bad[r.Line] {
			s.overtake(r.Object().String(), math.MaxInt64)
		}
	}
	stored := 0
	for _, l := range s.sources.letters {
		if l.Source == batch.Source {
			stored++
		}
	}
	letters := batch.Letters(result, s.now())
	kept := batch.KeptLetters(len(letters), stored)
	if n := len(letters) - kept; n > 0 {
		s.sources.counted[batch.Source] += n
	}
	for _, l := range letters[:kept] {
		s.sources.lastLetter++
		l.ID = s.sources.lastLetter
		s.sources.letters = append(s.sources.letters, l)
	}
}

// overtake marks the letters of an object with ids below before.
func (s *Store) overtake(object string, before int64) {
	for i := range s.sources.letters {
		l := &s.sources.letters[i]
		l.Overtaken = l.Overtaken || l.Object == object && l.ID < before
	}
}

func (s *Store) settleRetried(batch *feed.SourceBatch, result *feed.Applied) {
	reason, failed := batch.Failure(result)
	if !failed {
		s.dropLetters(batch.Retried)
		for i := range batch.Records {
			s.overtake(batch.Records[i].Object().String(), slices.Max(batch.Retried))
		}
		return
	}
	for i := range s.sources.letters {
		if l := &s.sources.letters[i]; slices.Contains(batch.Retried, l.ID) {
			l.Tries++
			l.TriedAt, l.Reason = s.now(), feed.ShortReason(reason)
		}
	}
}

func (s *Store) dropLetters(list []int64) int {
	before := len(s.sources.letters)
	s.sources.letters = slices.DeleteFunc(s.sources.letters, func(l feed.DeadLetter) bool { return slices.Contains(list, l.ID) })
	return before - len(s.sources.letters)
}

// DeadLetters implements [feed.DeadLetters].
func (s *Store) DeadLetters(ctx context.Context, source string, after int64, limit int) ([]feed.DeadLetter, error) {
	return inTx(ctx, s, func() []feed.DeadLetter {
		var list []feed.DeadLetter
		for _, l := range s.sources.letters {
			if l.ID > after && (source == "" || l.Source == source) && len(list) < limit {
				list = append(list, l)
			}
		}
		return list
	})
}

// DropDeadLetters implements [feed.DeadLetters].
func (s *Store) DropDeadLetters(ctx context.Context, ids []int64) (int, error) {
	return inTx(ctx, s, func() int { return s.dropLetters(ids) })
}

// ForgetCounted implements [feed.DeadLetters].
func (s *Store) ForgetCounted(ctx context.Context, source string) (int, error) {
	return inTx(ctx, s, func() int {
		n := s.sources.counted[source]
		delete(s.sources.counted, source)
		return n
	})
}
