package sqlstore_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// exportOf returns all records of an export.
func exportOf(t *testing.T, from feed.Exporter) []feed.Record {
	t.Helper()
	var out []feed.Record
	if err := from.Export(t.Context(), func(r feed.Record) error {
		out = append(out, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// longTown is a batch with more records of every type than two pages hold. Every second post
// replies to one with a larger id on another page, and one chain of replies goes through all pages
// from the last id to the first.
func longTown() []feed.Record {
	const n = 2*sqlstore.DumpPage + 7
	var batch []feed.Record
	for i := 1; i <= n; i++ {
		batch = append(batch, feed.Record{User: townUser(feed.UserID(i))})
	}
	for i := n; i >= 1; i-- {
		id, parent := feed.PostID(i), feed.PostID(0)
		switch {
		case i%100 == 0 && i+100 <= n:
			parent = id + 100
		case i%2 == 1 && i+sqlstore.DumpPage/2 <= n:
			parent = id + sqlstore.DumpPage/2
		}
		p := textBy(feed.UserID(i), id)
		if parent != 0 {
			p.Kind, p.ReplyTo = feed.KindComment, parent
		}
		batch = append(batch, feed.Record{Post: p})
	}
	for i := 2; i <= n; i++ {
		a, b := feed.UserID(i), feed.UserID(i-1)
		batch = append(batch, followOf(a, b), followOf(1, a), likeOf(a, 1), likeOf(1, feed.PostID(i)), muteOf(a, b), muteOf(1, a))
	}
	return batch
}

// longProgramme is more sessions of ann's and bob's than two pages hold. They have one or several
// transitions.
func longProgramme() (batch []feed.Record) {
	for id := int64(2*sqlstore.DumpPage + 7); id > 0; id-- {
		state := id % 4
		if id > 200 { // a host has at most 100 open sessions
			state = 2 + id%2
		}
		times := [][3]int64{{}, {noon + id}, {noon + id, noon + 2*id}, {0, 0, noon + id}}[state]
		batch = append(batch, liveOf(id, []feed.UserID{ann, bob}[id%7/6], times[0], times[1], times[2]))
	}
	return batch
}

// inExportOrder returns likes, mutes and other records as an export orders them: by type and ids, and
// each post after the one that it replies to and with the author at the top of its thread.
func inExportOrder(batch []feed.Record) []feed.Record {
	place := func(r feed.Record) []int64 {
		o := r.Object()
		if r.Reaction != nil {
			o.A, o.B = o.B, o.A
		}
		types := []feed.RecordType{feed.RecordUser, feed.RecordFollow, feed.RecordPost, feed.RecordLike, feed.RecordMute, feed.RecordLive}
		return []int64{int64(slices.Index(types, o.Type)), o.A, o.B}
	}
	sorted := slices.SortedFunc(slices.Values(batch), func(a, b feed.Record) int { return slices.Compare(place(a), place(b)) })
	posts := map[feed.PostID]feed.Record{}
	for _, r := range sorted {
		if r.Post != nil {
			posts[r.Post.ID] = r
		}
	}
	var ordered []feed.Record
	threads := map[feed.PostID]feed.UserID{} // the authors at the top
	var addPost func(id feed.PostID)
	addPost = func(id feed.PostID) {
		r, left := posts[id]
		if !left {
			return
		}
		delete(posts, id)
		post := *r.Post
		threads[id] = post.Author
		if addPost(post.ReplyTo); post.ReplyTo != 0 {
			threads[id] = threads[post.ReplyTo]
		}
		post.AudienceAuthor = threads[id]
		ordered = append(ordered, feed.PostRecord(&post))
	}
	for _, r := range sorted {
		if r.Post != nil {
			addPost(r.Post.ID)
		} else {
			ordered = append(ordered, r)
		}
	}
	return ordered
}

func TestExport_OfManyPagesIsOrdered(t *testing.T) {
	batch := append(longTown(), longProgramme()...)
	want := inExportOrder(batch)
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, batch)
		same(t, exportOf(t, s), want)
		// Sessions of a deleted account are omitted, however far it is purged.
		mustBe(t, "", s.DeleteAccount(t.Context(), bob, noon))
		for more := true; more; {
			for _, r := range exportOf(t, s) {
				if r.Live != nil && r.Live.Host == bob {
					t.Fatalf("the export has session %d of a deleted account", r.Live.ID)
				}
			}
			var err error
			more, err = s.PurgeDeleted(t.Context(), 100)
			mustBe(t, "", err)
		}
	})
}

// The store never creates such posts, but a manually repaired database may contain them. An export
// must end and omit nothing.
func TestExport_SurvivesCyclesAndMissingParents(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		for id := range feed.PostID(6) {
			mustPublish(t, s, textBy(ann, id+1))
		}
		for _, stmt := range []string{
			"UPDATE contents SET repost_of = 3 WHERE id = 2",
			"UPDATE contents SET repost_of = 2 WHERE id = 3",
			"UPDATE contents SET repost_of = 2 WHERE id = 1",
			"UPDATE contents SET repost_of = 4 WHERE id = 4",
			"UPDATE contents SET reply_to = 77 WHERE id = 5",
		} {
			must(t, s.Exec(t.Context(), stmt))
		}
		var ids []feed.PostID
		for _, r := range exportOf(t, s) {
			if r.Post != nil {
				ids = append(ids, r.Post.ID)
			}
		}
		if diff := cmp.Diff([]feed.PostID{3, 2, 1, 4, 5, 6}, ids); diff != "" {
			t.Errorf("the order (-want +got):\n%s", diff)
		}
	})
}

// named returns the names of objects, sorted.
func named(list []feed.Record) []string {
	var names []string
	for i := range list {
		names = append(names, list[i].Object().String())
	}
	slices.Sort(names)
	return names
}

// snapshot calls a function with a snapshot of a store.
func (m mirrorTest) snapshot(do func(objects func(feed.RecordTypes) []feed.Record, s feed.StoredSnapshot)) {
	m.Helper()
	mustBe(m.T, "", m.Snapshot(m.Context(), func(s feed.StoredSnapshot) error {
		do(func(types feed.RecordTypes) (list []feed.Record) {
			mustBe(m.T, "", s.Objects(m.Context(), types, func(r feed.Record) error {
				list = append(list, r)
				return nil
			}))
			return list
		}, s)
		return nil
	}))
}

func TestSnapshot_HasWhatIsThere(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		list := mirrorObjects()
		mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, list...))
		m.snapshot(func(objects func(feed.RecordTypes) []feed.Record, s feed.StoredSnapshot) {
			for _, typ := range allTypes() {
				want := slices.DeleteFunc(mirrorObjects(), func(r feed.Record) bool { return r.Type() != typ })
				got := objects(feed.RecordTypes{typ})
				if diff := cmp.Diff(named(want), named(got)); diff != "" || len(want) < 2 {
					m.Errorf("%s (-want +got):\n%s", typ, diff)
				}
			}
			post := objects(feed.RecordTypes{feed.RecordPost})[0].Post
			if diff := cmp.Diff(mirrorObjects()[2].Post.InAudience(nil), post); diff != "" {
				m.Errorf("a post (-want +got):\n%s", diff)
			}
			// What changes after the first read is not in the snapshot.
			mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, feed.Record{User: townUser(3)}))
			if got := len(objects(feed.RecordTypes{feed.RecordUser})); got != 2 {
				m.Errorf("there are %d users, want 2", got)
			}
		})
		at := townStart
		for _, r := range []feed.Record{
			{User: &feed.UserRecord{User: feed.User{ID: 3}, DeletedAt: at}},
			{Post: &feed.Post{ID: 11, DeletedAt: at}},
			{Follow: list[3].Follow, EndedAt: at},
			{Reaction: list[4].Reaction, EndedAt: at},
			{Relation: list[6].Relation, EndedAt: at},
			{Counters: &feed.CountersRecord{User: 1}, EndedAt: at},
			{Follow: &feed.FollowRecord{Follower: 1, Followee: 77, CreatedAt: at}}, // names a user who has not arrived
		} {
			mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, r))
		}
		m.snapshot(func(objects func(feed.RecordTypes) []feed.Record, s feed.StoredSnapshot) {
			got := named(objects(allTypes()))
			for _, gone := range []string{"user 3", "user 77", "post 11", list[3].Object().String(), list[4].Object().String(), list[6].Object().String(), "counters of user 1"} {
				if slices.Contains(got, gone) {
					m.Errorf("%s is there", gone)
				}
			}
			if len(got) != len(list)-5+1 {
				m.Errorf("there are %d objects: %v", len(got), got)
			}
		})
	})
}

func TestSnapshot_ReadsWhatKeepsRecords(t *testing.T) {
	onMirrors(t, func(m mirrorTest) {
		mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, feed.Record{User: townUser(1)}, feed.Record{User: townUser(2)}))
		mustBe(m.T, "", m.ingest(feed.SnapshotPart{}, feed.Record{User: &feed.UserRecord{User: feed.User{ID: 2}, ErasedAt: townStart}}))
		bad := &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 1, Post: 5, CreatedAt: math.MaxInt64}
		for _, source := range []string{mirrored, "other"} {
			_, err := m.Ingest(m.Context(), feed.SourceBatch{
				Batch:  feed.Batch{Records: []feed.Record{{Line: 1, Reaction: bad}}, Owned: allTypes(), Ordered: true},
				Source: source, Rejected: []feed.Rejected{{Line: 2, Text: []byte("x"), Reason: "no record"}},
			})
			mustBe(m.T, "", err)
		}
		m.snapshot(func(_ func(feed.RecordTypes) []feed.Record, s feed.StoredSnapshot) {
			kept, err := s.Kept(m.Context(), feed.KeptQuery{Source: mirrored, Users: []feed.UserID{1, 2, 3}})
			mustBe(m.T, "", err)
			if len(kept.Letters) != 2 || kept.Letters[0].Object != "like 1 5" || string(kept.Letters[1].Text) != "x" || !slices.Equal(kept.Deleted, []feed.UserID{2}) {
				m.Errorf("kept are %+v", kept)
			}
			kept, err = s.Kept(m.Context(), feed.KeptQuery{Source: mirrored, After: kept.Letters[0].ID})
			mustBe(m.T, "", err)
			if len(kept.Letters) != 1 || kept.Letters[0].Reason != "no record" {
				m.Errorf("after the first letter, kept are %+v", kept)
			}
			now, err := s.Now(m.Context())
			if mustBe(m.T, "", err); now < townStart {
				m.Errorf("the time is %d", now)
			}
		})
	})
}

func TestMirror_HoldsEndByThemselves(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		now := time.UnixMilli(townStart)
		m := mirrorTest{t, b.open(t)}
		m.Set(sqlstore.WithClock(func() time.Time { return now }))
		hold := func(h feed.MirrorHold) (bool, error) { return m.Hold(t.Context(), mirrored, h, time.Minute) }
		want := func(seen bool, h feed.MirrorHold) {
			t.Helper()
			got, err := hold(h)
			state, stateErr := m.Mirror(t.Context(), mirrored)
			if err != nil || got != seen || stateErr != nil || state.Hold != h {
				t.Errorf("the hold %+v is seen: %v, and %+v: %v, %v", h, got, state.Hold, err, stateErr)
			}
		}
		first, later, other := feed.MirrorHold{ID: 1}, feed.MirrorHold{ID: 1, Place: 1 << 62, Snapshot: "00000003-1"}, feed.MirrorHold{ID: 2}
		want(false, first)
		mustBe(t, "", m.SeeHold(t.Context(), mirrored, other))
		want(false, first)
		mustBe(t, "", m.SeeHold(t.Context(), mirrored, first))
		want(true, first)
		want(false, later) // at another place
		if _, err := hold(other); feed.CodeOf(err) != feed.CodeConflict {
			t.Errorf("another hold: %v", err)
		}
		mustBe(t, "", m.Release(t.Context(), mirrored, other.ID))
		want(false, later)
		now = now.Add(time.Minute)
		if state, err := m.Mirror(t.Context(), mirrored); err != nil || state.Hold != (feed.MirrorHold{}) {
			t.Errorf("after its time, the hold is %+v, %v", state.Hold, err)
		}
		want(false, other)
		mustBe(t, "", m.Release(t.Context(), mirrored, other.ID))
		want(false, first)
	})
}
