package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

const (
	ann  feed.UserID = 9
	bob  feed.UserID = 10
	noon int64       = 1_700_000_000_000
)

// withUsers opens a store that holds ann and bob.
func withUsers(t *testing.T, b backend) *sqlstore.Store {
	t.Helper()
	s := b.open(t)
	addUsers(t, s)
	return s
}

// addUsers stores ann and bob.
func addUsers(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	for _, id := range []feed.UserID{ann, bob} {
		_, err := s.EnsureUser(t.Context(), &townUser(id).User)
		must(t, err)
	}
}

func textBy(author feed.UserID, id feed.PostID) *feed.Post {
	return &feed.Post{ID: id, Author: author, Kind: feed.KindPost, Text: "a text", PublishedAt: noon}
}

// repostBy is a repost of the post before it.
func repostBy(author feed.UserID, id feed.PostID) *feed.Post {
	return &feed.Post{ID: id, Author: author, Kind: feed.KindRepost, RepostOf: id - 1, PublishedAt: noon}
}

// eventAt makes a publish store an event that is due then.
func eventAt(due int64) feed.FirstDispatch { return feed.FirstDispatch{EventDue: due} }

// smallAudience makes a publish plan the fan-out of an author with a few followers.
func smallAudience() feed.FirstDispatch {
	return feed.FirstDispatch{EventDue: noon, SliceDue: noon, PlanBelow: 10}
}

func mustPublish(t *testing.T, s *sqlstore.Store, p *feed.Post) {
	t.Helper()
	_, err := s.Publish(t.Context(), p, feed.Idempotency{}, eventAt(noon))
	must(t, err)
}

// mustHave checks the number of rows of a table.
func mustHave(t *testing.T, s *sqlstore.Store, table string, want int) {
	t.Helper()
	if n, err := s.Rows(t.Context(), table); err != nil || n != want {
		t.Errorf("%s has %d rows (error %v), want %d", table, n, err, want)
	}
}

// Pages read the counters of all their posts, most of which have no reaction.
func TestCounters_HaveNoRowBeforeAReaction(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		mustPublish(t, s, textBy(ann, 1))
		if r, err := s.Apply(t.Context(), feed.Batch{Records: []feed.Record{{Post: textBy(ann, 2)}, {Post: textBy(ann, 3)}}}); err != nil || r.Stored != 2 {
			t.Fatal(r, err)
		}
		mustHave(t, s, "content_counters", 0)
		repost := repostBy(bob, 4) // of 3
		mustPublish(t, s, repost)
		for _, id := range []feed.PostID{1, 1, 3} {
			must(t, s.React(t.Context(), feed.ReactionLike, bob, id, noon))
		}
		mustHave(t, s, "content_counters", 2)
		got, err := s.PostCounters(t.Context(), []feed.PostID{1, 2, 3, 4})
		want := []feed.PostCounters{{Likes: 1}, {}, {Likes: 1, Reposts: 1}, {}}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("counters are %v (error %v), want %v", got, err, want)
		}
	})
}

// Without its event or its plan a post would be stored and never pushed.
func TestPublish_FailedDispatchStoresNoPost(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for table, first := range map[string]feed.FirstDispatch{
			"events": eventAt(noon), "plans": smallAudience(), "plan_slices": smallAudience(),
		} {
			s := emptyTemplate.open(t, b)
			addUsers(t, s)
			must(t, s.Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO elsewhere"))
			if _, err := s.Publish(t.Context(), textBy(ann, 1), feed.Idempotency{Key: "k"}, first); err == nil {
				t.Errorf("the post was published without %s", table)
			}
			for _, table := range []string{"contents", "content_counters", "idempotency_keys"} {
				mustHave(t, s, table, 0)
			}
		}
	})
}

// A statement is a round trip.
func TestPublish_TakesOneStatement(t *testing.T) {
	s, o := openObserved(t, postgresBackend(t))
	addUsers(t, s)
	reply := textBy(bob, 2)
	reply.Kind, reply.ReplyTo = feed.KindComment, 1
	for _, p := range []*feed.Post{textBy(ann, 1), reply, repostBy(bob, 3)} {
		for _, first := range []feed.FirstDispatch{eventAt(noon), smallAudience()} {
			for _, key := range []string{"", p.ID.String()} {
				before := o.count()
				done, err := s.Publish(t.Context(), p, feed.Idempotency{Key: key}, first)
				if err != nil || done.Planned != (first.PlanBelow > 0) {
					t.Fatal(done, err)
				}
				if n := o.count() - before; n != 1 {
					t.Errorf("publishing a %s with the key %q takes %d statements, want 1", p.Kind, key, n)
				}
				p.ID += 10
			}
		}
	}
}

func TestPush_TakesThreeStatements(t *testing.T) {
	s, o := openObserved(t, postgresBackend(t))
	addUsers(t, s)
	must(t, s.Follow(t.Context(), bob, ann, noon, 9))
	_, err := s.Publish(t.Context(), textBy(ann, 1), feed.Idempotency{}, smallAudience())
	must(t, err)
	f := &fanout.Fanout{
		Plans: s, Audience: s, Posts: s, Progress: s, Announced: s, Announcer: memstore.NewAnnouncements(),
		Inboxes: memstore.NewInboxes(9), Clock: time.Now, Policy: feed.DefaultPolicy(),
	}
	before := o.count()
	must(t, f.Push(t.Context(), feed.SliceRef{Post: 1}))
	if n := o.count() - before; n != 3 {
		t.Errorf("a push takes %d statements, want 3", n)
	}
	if plan, err := s.PlanOf(t.Context(), 1); len(plan.Open) > 0 || !plan.Stored || err != nil {
		t.Errorf("the plan is %+v (error %v), want a stored one without open slices", plan, err)
	}
}

func TestPublish_ReusedKeyNamesTheInputField(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		idem := feed.Idempotency{Key: "k", Fingerprint: "f"}
		_, err := s.Publish(t.Context(), textBy(ann, 1), idem, eventAt(noon))
		must(t, err)
		idem.Fingerprint = "g"
		_, err = s.Publish(t.Context(), textBy(ann, 2), idem, eventAt(noon))
		var e *feed.Error
		if !errors.As(err, &e) || e.Code != feed.CodeConflict || !slices.Equal(e.Field, []string{"idempotencyKey"}) {
			t.Errorf("got error %v, want CONFLICT at idempotencyKey", err)
		}
	})
}

func TestPublish_RemovesOldKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		for day := range int64(5) {
			at := noon + day*24*60*60*1000
			idem := feed.Idempotency{Key: fmt.Sprintf("key of day %d", day), Since: at - 1000}
			_, err := s.Publish(t.Context(), textBy(ann, feed.PostID(day+1)), idem, eventAt(at))
			must(t, err)
		}
		mustHave(t, s, "idempotency_keys", 1)
	})
}
