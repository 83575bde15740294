package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/live"
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
	return &feed.Post{ID: id, Author: author, Kind: feed.KindRepost, RepostOf: id - 1, AudienceAuthor: ann, PublishedAt: noon}
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
	reply.Kind, reply.ReplyTo, reply.AudienceAuthor = feed.KindComment, 1, ann
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

// noInboxes and noAnnouncer do nothing.
type (
	noInboxes   struct{ feed.Inboxes }
	noAnnouncer struct{}
)

func (noAnnouncer) Announce(context.Context, feed.Announcement) error { return nil }

func (noInboxes) Push(_ context.Context, viewers []feed.UserID, _ ...feed.Key) (int, error) {
	return len(viewers), nil
}

func TestPush_TakesThreeStatements(t *testing.T) {
	s, o := openObserved(t, postgresBackend(t))
	addUsers(t, s)
	must(t, s.Follow(t.Context(), bob, ann, noon, 9, feed.FollowChoice{}))
	_, err := s.Publish(t.Context(), textBy(ann, 1), feed.Idempotency{}, smallAudience())
	must(t, err)
	f := &fanout.Fanout{
		Plans: s, Slices: s, Audience: s, Posts: s, Progress: s, Announced: s, Announcer: noAnnouncer{},
		Inboxes: noInboxes{}, Clock: time.Now, Policy: feed.DefaultPolicy(),
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

// upcoming is a session of ann's that is not stored yet.
func upcoming(id live.ID) live.Session {
	return live.Session{ID: id, Host: ann, Title: "The tide", ScheduledAt: noon}
}

func mustSchedule(t *testing.T, l *sqlstore.Live, s live.Session) {
	t.Helper()
	_, err := l.Schedule(t.Context(), s, 1000)
	must(t, err)
}

// started and ended make a session live, and a replay, a second later each.
func started(s live.Session) (live.Session, error) {
	s.State, s.StartedAt = live.Live, noon+1000
	return s, nil
}

func ended(s live.Session) (live.Session, error) {
	if s.State == live.Live {
		s.State, s.EndedAt, s.ReplayURL = live.Replay, noon+2000, "https://example.org/replay"
	}
	return s, nil
}

func mustChange(t *testing.T, l *sqlstore.Live, id live.ID, steps ...func(live.Session) (live.Session, error)) {
	t.Helper()
	for _, next := range steps {
		_, err := l.Change(t.Context(), id, noon, next)
		must(t, err)
	}
}

// mustReplay stores a replay of ann's.
func mustReplay(t *testing.T, l *sqlstore.Live, id live.ID) {
	t.Helper()
	mustSchedule(t, l, upcoming(id))
	mustChange(t, l, id, started, ended)
}

// atOnce runs a change several times concurrently and returns the results.
func atOnce[T any](n int, change func(i int) (T, error)) (results []T, errs []error) {
	results, errs = make([]T, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { results[i], errs[i] = change(i) })
	}
	all.Wait()
	return results, errs
}

func TestSchedule_StoresOneSessionPerID(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		l := sqlstore.NewLive(withUsers(t, b))
		_, errs := atOnce(6, func(int) (*live.Session, error) { return l.Schedule(t.Context(), upcoming(1), 10) })
		taken := 0
		for _, err := range errs {
			if errors.Is(err, live.ErrIDTaken) {
				taken++
				continue
			}
			mustBe(t, "", err)
		}
		if taken != 5 {
			t.Errorf("%d of 6 calls failed because the id exists, want 5", taken)
		}
	})
}

// Without its event a replay would never be pushed.
func TestChange_FailedEventKeepsSessionLive(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		l := sqlstore.NewLive(s)
		mustSchedule(t, l, upcoming(1))
		mustChange(t, l, 1, started)
		// An event of this id exists already, so that the new one fails.
		must(t, s.Exec(t.Context(), "INSERT INTO events (content_id, due_at, created_at) VALUES (-1, 1, 1)"))
		if _, err := l.Change(t.Context(), 1, noon, ended); err == nil {
			t.Error("the session ended without its event")
		}
		sessions, err := l.Sessions(t.Context(), []live.ID{1})
		mustBe(t, "", err)
		if sessions[0].State != live.Live || sessions[0].Number != 2 {
			t.Errorf("got %+v, want it live as of the second transition", sessions[0])
		}
		mustHave(t, s, "live_transitions", 2)
	})
}

// Readers at different positions share a statement, and each gets the result of a single read.
func TestSince_SharedStatementReturnsOwnResults(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(ann)}})
		l := sqlstore.NewLive(s)
		for id := range live.ID(12) {
			mustSchedule(t, l, upcoming(id+1))
		}
		asked := [][2]int{{11, 3}, {0, 2}, {7, 2}, {3, 100}, {12, 5}, {2, 1}}
		got, err := l.SinceAtOnce(t.Context(), asked)
		must(t, err)
		for i, a := range asked {
			alone, err := l.Since(t.Context(), int64(a[0]), a[1])
			must(t, err)
			if want := min(a[1], 12-a[0]); len(alone) != want || len(got[i]) != want || want > 0 && cmp.Diff(alone, got[i]) != "" {
				t.Errorf("of %d transitions after %d a shared read returns %v, and a single one %v", a[1], a[0], got[i], alone)
			}
		}
	})
}

// So do readers who ask about the same host.
func TestFollowed_SharedStatementReturnsOwnResults(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}, {User: townUser(3)}})
		must(t, s.Follow(t.Context(), 1, 3, noon, 10, feed.FollowChoice{}))
		version, err := s.ViewerVersion(t.Context(), 1)
		must(t, err)
		l := sqlstore.NewLive(s)
		got, err := l.FollowedAtOnce(t.Context(), 3, [][2]int64{{1, version.Version}, {1, version.Version - 1}, {2, 9}, {3, 0}})
		if want := []bool{true, false, false, true}; err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("Followed returned %v, %v, want %v", got, err, want)
		}
	})
}
