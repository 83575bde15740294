package sqlstore_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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
			if diff := cmp.Diff(mirrorObjects()[2].Post, post); diff != "" {
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
		bad := &feed.Post{ID: 5, Author: 1, Kind: "NONE", PublishedAt: townStart}
		for _, source := range []string{mirrored, "other"} {
			_, err := m.Ingest(m.Context(), feed.SourceBatch{
				Batch:  feed.Batch{Records: []feed.Record{{Line: 1, Post: bad}}, Owned: allTypes(), Ordered: true},
				Source: source, Rejected: []feed.Rejected{{Line: 2, Text: []byte("x"), Reason: "no record"}},
			})
			mustBe(m.T, "", err)
		}
		m.snapshot(func(_ func(feed.RecordTypes) []feed.Record, s feed.StoredSnapshot) {
			kept, err := s.Kept(m.Context(), feed.KeptQuery{Source: mirrored, Users: []feed.UserID{1, 2, 3}})
			mustBe(m.T, "", err)
			if len(kept.Letters) != 2 || kept.Letters[0].Object != "post 5" || string(kept.Letters[1].Text) != "x" || !slices.Equal(kept.Deleted, []feed.UserID{2}) {
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
		first, later, other := feed.MirrorHold{ID: 1}, feed.MirrorHold{ID: 1, Place: 1 << 62}, feed.MirrorHold{ID: 2}
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
