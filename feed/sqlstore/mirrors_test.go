package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

const mirrored = "legacy"

// mirrorTest is a store with an object of every type, from a source.
type mirrorTest struct {
	*testing.T
	*sqlstore.Store
}

func onMirrors(t *testing.T, test func(mirrorTest)) {
	onBoth(t, func(t *testing.T, b backend) { test(mirrorTest{t, b.open(t)}) })
}

func allTypes() feed.RecordTypes { return append(feed.OwnedTypes(), feed.RecordCounters) }

// objects are two of each type.
func mirrorObjects() []feed.Record {
	list := []feed.Record{{User: townUser(1)}, {User: townUser(2)}}
	for id := range int64(2) {
		user, other, post := feed.UserID(id+1), feed.UserID(2-id), feed.PostID(id+11)
		list = append(list,
			feed.Record{Post: &feed.Post{ID: post, Author: user, Kind: feed.KindPost, Text: "x", PublishedAt: townStart}},
			feed.Record{Follow: &feed.FollowRecord{Follower: user, Followee: other, CreatedAt: townStart}},
			feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.Reaction(feed.RecordLike), User: user, Post: post, CreatedAt: townStart}},
			feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.Reaction(feed.RecordFavorite), User: user, Post: post, CreatedAt: townStart}},
			feed.Record{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: user, Target: other, CreatedAt: townStart}},
			feed.Record{Relation: &feed.RelationRecord{Kind: feed.RelationHide, User: user, Target: other, CreatedAt: townStart}},
			feed.Record{Relation: &feed.RelationRecord{Kind: feed.RelationBlock, User: user, Target: other, CreatedAt: townStart}},
			feed.Record{Live: &feed.LiveRecord{ID: id + 21, Host: user, Title: "x", ScheduledAt: townStart}},
			feed.Record{List: &feed.AuthorList{ID: feed.ListID(id + 31), Owner: user, Name: "x", CreatedAt: townStart}},
			feed.Record{ListMember: &feed.ListMemberRecord{List: feed.ListID(id + 31), User: other, CreatedAt: townStart}},
			feed.Record{Counters: &feed.CountersRecord{User: user, UserCounters: feed.UserCounters{Posts: 1}}},
			feed.Record{Counters: &feed.CountersRecord{Post: post, PostCounters: feed.PostCounters{Likes: 1}}},
		)
	}
	return list
}

func (m mirrorTest) ingest(part feed.SnapshotPart, list ...feed.Record) error {
	for i := range list {
		list[i].Line = i + 1
	}
	done, err := m.Ingest(m.Context(), feed.SourceBatch{
		Batch: feed.Batch{Records: list, Owned: allTypes(), Ordered: true}, Source: mirrored, Snapshot: part,
	})
	if len(done.Bad) > 0 {
		m.Fatalf("bad records: %+v", done.Bad)
	}
	return err
}

func (m mirrorTest) begin(types feed.RecordTypes) feed.SnapshotPart {
	m.Helper()
	part, err := m.BeginSnapshot(m.Context(), mirrored, "slot", types)
	if err != nil {
		m.Fatal(err)
	}
	return part
}

// unseen returns all unseen objects of a type, which it reads one by one.
func (m mirrorTest) unseen(part feed.SnapshotPart, t feed.RecordType) []feed.Record {
	m.Helper()
	var all []feed.Record
	after := feed.Object{}
	for {
		list, err := m.Unseen(m.Context(), part, t, after, 1)
		if err != nil {
			m.Fatal(err)
		}
		if len(list) == 0 {
			return all
		}
		all, after = append(all, list...), list[0].Object()
	}
}

func TestMirror_EndsWhatSnapshotLacks(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		if part := m.begin(allTypes()); part.Number == 0 || part.Listed {
			m.Fatalf("the first snapshot of an empty database is %+v", part)
		}
		list := mirrorObjects()
		mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, list...))
		cancelled := map[feed.Object]bool{} // a session that was ended does not return
		for _, missing := range list {
			typ, object := missing.Type(), missing.Object()
			part := m.begin(feed.RecordTypes{typ})
			if !part.Listed {
				m.Fatalf("%s: a snapshot over stored objects is not listed", typ)
			}
			seen := slices.DeleteFunc(mirrorObjects(), func(r feed.Record) bool { return r.Object() == object || cancelled[r.Object()] })
			mustBe(m.T, "", m.ingest(part, seen[:7]...))
			mustBe(m.T, "", m.ingest(part, seen[5:]...)) // some twice
			got := m.unseen(part, typ)
			if len(got) != 1 || got[0].Object() != object {
				m.Errorf("%v: the unseen objects are %+v", object, got)
			}
			mustBe(m.T, "", m.ingest(part, got...))
			if got := m.unseen(part, typ); len(got) != 0 {
				m.Errorf("%v: after its end, the unseen objects are %+v", object, got)
			}
			mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, mirrorObjects()[:2]...))
			if cancelled[object] = typ == feed.RecordLive; !cancelled[object] {
				mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, missing))
			}
		}
	})
}

// With implicit users, a snapshot hides those whose record is gone, and not those who never had one.
func TestMirror_KeepsImplicitUsers(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		if _, changed, err := m.UseUsers(m.Context(), feed.UserModeChange{Want: feed.UsersImplicit}); err != nil || !changed {
			m.Fatal(changed, err)
		}
		follow := feed.Record{Follow: &feed.FollowRecord{Follower: 1, Followee: 3, CreatedAt: townStart}}
		mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, feed.Record{User: townUser(1)}, feed.Record{User: townUser(2)}, follow))
		part := m.begin(feed.RecordTypes{feed.RecordUser, feed.RecordFollow})
		mustBe(m.T, "", m.ingest(part, feed.Record{User: townUser(1)}, follow))
		got := m.unseen(part, feed.RecordUser)
		if len(got) != 1 || got[0].User.ID != 2 {
			m.Fatalf("the unseen users are %+v", got)
		}
		mustBe(m.T, "", m.ingest(part, got...))
		var shown []feed.UserID
		users, err := m.Users(m.Context(), []feed.UserID{1, 2, 3})
		mustBe(m.T, "", err)
		for _, u := range users {
			if u != nil {
				shown = append(shown, u.ID)
			}
		}
		if diff := cmp.Diff([]feed.UserID{1, 3}, shown); diff != "" {
			m.Errorf("the users shown (-want +got): %s", diff)
		}
	})
}

func TestMirror_RefusesOlderSnapshots(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, feed.Record{User: townUser(1)}))
		types := feed.RecordTypes{feed.RecordUser}
		first, second := m.begin(types), m.begin(types)
		if second.Number <= first.Number {
			m.Errorf("snapshot %d is followed by %d", first.Number, second.Number)
		}
		_, unseen := m.Unseen(m.Context(), first, feed.RecordUser, feed.Object{}, 10)
		for what, err := range map[string]error{
			"a batch": m.ingest(first, feed.Record{User: townUser(2)}), "the unseen": unseen, "the end": m.EndSnapshot(m.Context(), first, feed.SnapshotEnd{}),
		} {
			if !errors.Is(err, feed.ErrPositionMoved) {
				m.Errorf("%s of an older snapshot: %v", what, err)
			}
		}
		// A crash empties the list.
		mustBe(m.T, "", m.ingest(second, feed.Record{User: townUser(1)}))
		mustBe(m.T, "", m.Exec(m.Context(), "DELETE FROM mirror_seen"))
		_, unseen = m.Unseen(m.Context(), second, feed.RecordUser, feed.Object{}, 10)
		if err := m.EndSnapshot(m.Context(), second, feed.SnapshotEnd{}); !errors.Is(unseen, feed.ErrPositionMoved) || !errors.Is(err, feed.ErrPositionMoved) {
			m.Errorf("with a lost list: %v, %v", unseen, err)
		}
	})
}

func (m mirrorTest) expect(want feed.Mirror) {
	m.Helper()
	got, err := m.Mirror(m.Context(), mirrored)
	if err != nil {
		m.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		m.Errorf("the state (-want +got):\n%s", diff)
	}
}

func (m mirrorTest) position() (p feed.SourcePosition) {
	m.Helper()
	list, err := m.Positions(m.Context(), mirrored)
	if err != nil {
		m.Fatal(err)
	}
	if len(list) > 0 {
		p = list[0]
	}
	return p
}

func TestMirror_KeepsItsState(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		request := func(tables ...string) { mustBe(m.T, "", m.RequestSnapshot(m.Context(), mirrored, tables)) }
		m.expect(feed.Mirror{})
		part := m.begin(nil)
		m.expect(feed.Mirror{Slot: "slot"})
		request()
		end := feed.SnapshotEnd{
			Tables: []feed.MirrorTable{
				{Name: "public.a", From: 7, Digest: "d", State: "id 23", Types: feed.RecordTypes{"user", "seen"}},
				{Name: "public.b", From: 1 << 62, Digest: "e"},
			},
			Partition: "0", Identity: "one", Position: "7-0",
		}
		mustBe(m.T, "", m.EndSnapshot(m.Context(), part, end))
		m.expect(feed.Mirror{Slot: "slot", Complete: true, Tables: end.Tables, Requested: []string{""}})
		if p := m.position(); p.Position != "7-0" || p.Identity != "one" || p.Partition != "0" {
			m.Errorf("the position is %+v", p)
		}
		request("public.b", "public.a")
		part = m.begin(nil)
		request("public.b") // asked for again while the snapshot is read
		if p := m.position(); p.Position != fmt.Sprint("7-0-", part.Number) {
			m.Errorf("during a snapshot, the position is %+v", p)
		}
		end.Tables, end.Position, end.Identity = end.Tables[:1], "", "two"
		mustBe(m.T, "", m.EndSnapshot(m.Context(), part, end))
		m.expect(feed.Mirror{Slot: "slot", Complete: true, Tables: end.Tables, Requested: []string{"public.b"}})
		if p := m.position(); p.Position != fmt.Sprint("7-0-", part.Number) || p.Identity != "one" {
			m.Errorf("the position is %+v", p)
		}
		_, err := m.Ingest(m.Context(), feed.SourceBatch{Source: mirrored, Move: feed.PositionMove{Partition: "0", Identity: "one", From: "7-0", To: "8-0"}})
		if !errors.Is(err, feed.ErrPositionMoved) {
			m.Errorf("a batch from before the snapshot: %v", err)
		}
		kept := feed.SourceBatch{Source: mirrored, Move: feed.PositionMove{Partition: "0", Identity: "one", From: m.position().Position, To: "9-0"}}
		kept.Tables = []feed.MirrorTable{{Name: "public.a", State: "id 20"}}
		_, err = m.Ingest(m.Context(), kept)
		mustBe(m.T, "", err)
		end.Tables[0].State = "id 20"
		m.expect(feed.Mirror{Slot: "slot", Complete: true, Tables: end.Tables, Requested: []string{"public.b"}})
		part = m.begin(nil)
		end.Position = "3-0"
		mustBe(m.T, "", m.EndSnapshot(m.Context(), part, end))
		if p := m.position(); p.Position != "3-0" || p.Identity != "two" {
			m.Errorf("the position is %+v", p)
		}
		mustBe(m.T, "", m.DropMirror(m.Context(), mirrored))
		m.expect(feed.Mirror{})
		if p := m.position(); p.Position != "" {
			m.Errorf("the position is %+v", p)
		}
	})
}

func TestMirrors_WholeSnapshotCompletesSource(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		bad := func(part feed.SnapshotPart) {
			_, err := m.Ingest(t.Context(), feed.SourceBatch{Source: mirrored, Snapshot: part, LettersMax: -1, Rejected: []feed.Rejected{{Line: 1, Reason: "bad"}}})
			must(t, err)
		}
		counted := func() int {
			states, err := m.SourceStates(t.Context())
			must(t, err)
			if len(states.DeadLetters) == 0 {
				return 0
			}
			return states.DeadLetters[0].Counted
		}
		bad(feed.SnapshotPart{})
		bad(feed.SnapshotPart{})
		must(t, m.EndSnapshot(t.Context(), m.begin(allTypes()), feed.SnapshotEnd{}))
		same(t, counted(), 2) // some tables were not read
		part := m.begin(allTypes())
		bad(part)
		same(t, counted(), 3)
		must(t, m.EndSnapshot(t.Context(), part, feed.SnapshotEnd{Partition: "0", Identity: "x", Position: "1-0"}))
		same(t, counted(), 1) // what the snapshot has counted itself
		must(t, m.EndSnapshot(t.Context(), m.begin(allTypes()), feed.SnapshotEnd{Partition: "0", Identity: "x", Position: "2-0"}))
		same(t, counted(), 0)
	})
}

func TestUseOwners_ChangesOnPurposeOnly(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		types := func(list ...feed.RecordType) feed.RecordTypes { return append(feed.RecordTypes{}, list...) }
		for i, step := range []struct {
			want, was, owned feed.RecordTypes
			changed, refused bool
		}{
			{owned: types()},
			{want: types(), owned: types()},
			{want: types("user", "post"), owned: types("user", "post"), changed: true},
			{owned: types("user", "post")},
			{want: types("post", "user"), owned: types("user", "post")},
			{want: types("user"), refused: true},
			{want: types(), refused: true},
			{want: types("user"), was: types("post"), refused: true},
			{want: types("user"), was: types("post", "user"), owned: types("user"), changed: true},
			{want: types("user"), was: types("post", "user"), owned: types("user")},
			{want: types(), was: types("user"), owned: types(), changed: true},
			{want: types("live"), owned: types("live"), changed: true},
		} {
			owned, changed, err := s.UseOwners(t.Context(), sqlstore.Owners{Want: step.want, Was: step.was})
			var refusal *sqlstore.ErrOwners
			mustBeStep(t, i, step.refused, errors.As(err, &refusal), err, owned.Same(step.owned) && changed == step.changed)
		}
	})
}

// mustBeStep checks that a change was refused if wanted, and else has the wanted result.
func mustBeStep(t *testing.T, i int, want, refused bool, err error, asWanted bool) {
	t.Helper()
	if refused != want || err != nil && !refused || !refused && !asWanted {
		t.Fatalf("step %d: refused: %t, as wanted: %t, %v", i, refused, asWanted, err)
	}
}

func TestUseCounters_ChangesOnPurposeOnly(t *testing.T) {
	const own, source = feed.CountersOwn, feed.CountersSource
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for i, step := range []struct {
			want, was, mode  feed.CounterMode
			changed, refused bool
		}{
			{mode: own},
			{want: own, mode: own},
			{want: source, mode: source, changed: true},
			{mode: source},
			{want: source, was: own, mode: source},
			{want: own, refused: true},
			{want: own, was: own, refused: true},
			{want: own, was: source, mode: own, changed: true},
			{want: own, was: source, mode: own},
		} {
			mode, changed, err := s.UseCounters(t.Context(), sqlstore.CounterOwner{Want: step.want, Was: step.was})
			var refusal *sqlstore.ErrCounters
			mustBeStep(t, i, step.refused, errors.As(err, &refusal), err, mode == step.mode && changed == step.changed)
		}
	})
}

func TestUseCounters_OwnForgetsTheSource(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		record := feed.Record{
			Counters: &feed.CountersRecord{User: 7, UserCounters: feed.UserCounters{Posts: 3}}, Version: feed.ObjectVersion{Number: 5},
		}
		ingest := func() feed.Ingested {
			t.Helper()
			got, err := s.Ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{record}, Owned: feed.RecordTypes{feed.RecordCounters}}})
			must(t, err)
			return got
		}
		ingest()
		for _, want := range []feed.CounterMode{feed.CountersSource, feed.CountersOwn, feed.CountersSource} {
			_, _, err := s.UseCounters(t.Context(), sqlstore.CounterOwner{Want: want, Was: feed.CountersSource})
			must(t, err)
		}
		if got, err := s.SourceCounters().UserCounters(t.Context(), []feed.UserID{7}); err != nil || got[0] != (feed.UserCounters{}) {
			t.Errorf("the counters are %+v: %v", got, err)
		}
		if got := ingest(); got.Stored != 1 {
			t.Errorf("the same record afterwards: %+v", got)
		}
	})
}

// addLetters stores n letters of each of the sources a and b; those of b are overtaken.
func addLetters(t *testing.T, s *sqlstore.Store, n int) {
	t.Helper()
	for _, stmt := range []string{
		"INSERT INTO dead_letters (source, part, position, object, line, reason, created_at, tried_at, overtaken) " +
			"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + feed.PostID(n).String() + ") " +
			"SELECT s.text, '', '', '', '', 'bad', 100 + i, 0, CASE WHEN s.text = 'b' THEN 1 ELSE 0 END FROM n, (SELECT 'a' AS text UNION ALL SELECT 'b') AS s",
		"ANALYZE",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

var counted = []feed.DeadLetterCount{{Source: "a", Letters: 3000, OldestAt: 101}, {Source: "b", Letters: 3000, Overtaken: 3000, OldestAt: 101}}

func TestMigrate_CountsStoredLetters(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		before := opened(t, url)
		addLetters(t, before, 3000)
		for _, stmt := range append(undoAudiences(), // undo all later migrations
			"DROP INDEX idx_changes_hiding", "DROP INDEX IF EXISTS idx_queue_hiding", "DROP INDEX idx_live_of_host", "DROP INDEX idx_outbox_media", "ALTER TABLE contents DROP COLUMN has_media", "DROP TABLE dead_letter_counts", "DROP INDEX idx_dead_letters_source", "DELETE FROM schema_versions WHERE version_id > 1",
			"ALTER TABLE contents DROP COLUMN language", "ALTER TABLE dead_letters DROP COLUMN cut", "ALTER TABLE mirrors DROP COLUMN counted",
			"ALTER TABLE mirror_holds DROP COLUMN snapshot", "ALTER TABLE dead_letters DROP COLUMN message_key", "ALTER TABLE dead_letters DROP COLUMN element",
		) {
			must(t, before.Exec(t.Context(), stmt))
		}
		s := opened(t, url)
		_, err := s.Migrate(t.Context())
		must(t, err)
		got, err := s.SourceStates(t.Context())
		must(t, err)
		same(t, got.DeadLetters, counted)
	})
}

// The states of sources are read for anyone, so their cost must not grow with the letters.
func TestSourceStates_ReadNoLetters(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		addLetters(t, s, 3000)
		must(t, s.Exec(t.Context(), "INSERT INTO dead_letter_counts (source, letters, overtaken) VALUES ('a', 1, 0)"))
		mustPlan(t, b, s.Explain, sqlstore.LetterStatements(), map[string]wantedPlan{
			"counts":  reads("idx_dead_letters_source").neverScanning("dead_letters"),
			"letters": reads("idx_dead_letters_source").neverScanning("dead_letters"),
		})
		got, err := s.SourceStates(t.Context())
		must(t, err)
		same(t, got.DeadLetters, []feed.DeadLetterCount{{Source: "a", Letters: 1, OldestAt: 101}})
	})
}

// addAwaited adds users and posts that have been awaited since time 1.
func addAwaited(t *testing.T, s *sqlstore.Store, n int) {
	t.Helper()
	numbers := fmt.Sprintf("WITH RECURSIVE n (id) AS (SELECT 1000000 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000 + %d - 1)", n)
	for _, stmt := range []string{
		"INSERT INTO users (id, handle, handle_fold, name, created_at, absent, awaited_at) " + numbers +
			" SELECT id, '', 'none/' || id, '', 0, 1, 1 FROM n",
		"INSERT INTO awaited_posts (id, awaited_at) " + numbers + " SELECT id, 1 FROM n",
		"VACUUM",
		"ANALYZE",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

// A report must not sort or hold a million placeholders.
func TestReportSources_ReadsOldestFromIndex(t *testing.T) {
	const n = 3000
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		addAwaited(t, s, n)
		mustPlan(t, b, s.Explain, sqlstore.AwaitedStatements(), map[string]wantedPlan{
			"users": reads("idx_users_awaited").scanning("users"), "posts": reads("idx_awaited_posts").scanning("awaited_posts"),
		})
		r, err := s.ReportSources(t.Context())
		must(t, err)
		if r.Absent.Awaited != n || r.Posts.Awaited != n {
			t.Errorf("got %d users and %d posts, want %d of each", r.Absent.Awaited, r.Posts.Awaited, n)
		}
		if len(r.Absent.Oldest) != feed.OldestAwaited || r.Posts.Oldest[9] != (feed.Awaited[feed.PostID]{ID: 1_000_009, Since: 1}) {
			t.Errorf("the oldest are %v and %v", r.Absent.Oldest, r.Posts.Oldest)
		}
	})
}

// Two batches may overlap: one refers to a post that the other stores.
func TestCleanup_DropsAwaitedPostsThatAreStored(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		batch := feed.SourceBatch{Source: "shop", Batch: feed.Batch{Owned: feed.OwnedTypes(), Ordered: true, Records: []feed.Record{
			{Post: &feed.Post{ID: 1, Author: 2, Kind: feed.KindPost, Text: "a", PublishedAt: 1}},
			{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 2, Post: 3, CreatedAt: 1}},
		}}}
		_, err := s.Ingest(t.Context(), batch)
		must(t, err)
		must(t, s.Exec(t.Context(), "INSERT INTO awaited_posts (id, awaited_at) SELECT 1, awaited_at FROM awaited_posts"))
		_, err = s.Cleanup(t.Context(), 0, 0, 10)
		must(t, err)
		r, err := s.ReportSources(t.Context())
		must(t, err)
		if r.Posts.Awaited != 1 || r.Posts.Oldest[0].ID != 3 {
			t.Errorf("the awaited posts are %+v, want post 3", r.Posts)
		}
	})
}
