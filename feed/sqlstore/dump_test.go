package sqlstore_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
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

func TestExport_OfManyPagesEqualsModel(t *testing.T) {
	batch, model := append(longTown(), longProgramme()...), memstore.New(time.Now)
	_, err := model.Apply(t.Context(), feed.Batch{Records: batch})
	must(t, err)
	want := exportOf(t, model)
	if len(want) != len(batch) {
		t.Fatalf("the model exports %d records of %d", len(want), len(batch))
	}
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
