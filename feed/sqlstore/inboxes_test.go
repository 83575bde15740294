package sqlstore_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestInboxesKeepThePortsPromises(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.Inboxes(t, func(t *testing.T, cap int) feedtest.InboxStore {
			return sqlstore.NewInboxes(b.open(t), cap)
		})
	})
}

func TestReplayInboxesKeepThePortsPromises(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.Inboxes(t, func(t *testing.T, cap int) feedtest.InboxStore {
			return sqlstore.NewReplayInboxes(b.open(t), cap)
		})
	})
}

func TestTheTwoKindsOfInboxesOfOneViewerKnowNothingOfEachOther(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		home, replays := sqlstore.NewInboxes(store, 2), sqlstore.NewReplayInboxes(store, 2)
		readyInbox(t, home, 1, 2)
		readyInbox(t, replays, 1, 2)
		before := readInbox(t, replays, 1)
		a := feed.Amendment{Token: "one", Add: []feed.Key{inboxKey(9)}, Remove: []feed.Key{inboxKey(2)}, NewVersion: 7}
		if done, err := home.Amend(t.Context(), 1, a); !done || err != nil {
			t.Fatal(done, err)
		}
		_, err := home.Push(t.Context(), inboxViewers(1), inboxKey(10))
		must(t, err)
		wantInbox(t, home, 1, inboxKey(1), inboxKey(10), inboxKey(9))
		same(t, readInbox(t, replays, 1), before)

		readyInbox(t, replays, 3, 1)
		viewers, _, err := home.Walk(t.Context(), "", 10)
		must(t, err)
		same(t, viewers, inboxViewers(1))
		must(t, home.Trim(t.Context(), inboxViewers(3), 9))
		if in := readInbox(t, home, 1); in.State != feed.InboxAbsent {
			t.Errorf("a home inbox of an old generation is in state %v", in.State)
		}
		same(t, readInbox(t, replays, 1), before)
		mustBeConsistent(t, home)
		mustBeConsistent(t, replays)
	})
}

// breakCounting makes the database refuse a header that counts more than one entry.
var breakCounting = map[string]string{
	"sqlite": `CREATE TRIGGER broken BEFORE UPDATE ON inbox_headers WHEN new.entry_count > 1
BEGIN SELECT RAISE(ABORT, 'broken'); END`,
	"postgres": `ALTER TABLE inbox_headers ADD CONSTRAINT broken CHECK (entry_count < 2)`,
}

func TestPush_FailureForOneViewerChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		s := sqlstore.NewInboxes(store, 5)
		viewers := inboxViewers(3)
		var before []feed.Inbox
		for i, viewer := range viewers {
			readyInbox(t, s, viewer, i%2)
			before = append(before, readInbox(t, s, viewer))
		}
		must(t, store.Exec(t.Context(), breakCounting[b.name]))
		if n, err := s.Push(t.Context(), viewers, inboxKey(9)); n != 0 || err == nil {
			t.Errorf("the push served %d viewers, %v", n, err)
		}
		for i, viewer := range viewers {
			same(t, readInbox(t, s, viewer), before[i])
		}
	})
}

// Earlier viewers keep their entries, so that progress can be stored.
func TestPush_FailureReportsServedViewers(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		s := sqlstore.NewInboxes(store, 5)
		viewers := inboxViewers(sqlstore.PushMost + 1)
		first, last := viewers[0], viewers[sqlstore.PushMost]
		readyInbox(t, s, first, 0)
		readyInbox(t, s, last, 1)
		before := readInbox(t, s, last)
		must(t, store.Exec(t.Context(), breakCounting[b.name]))
		if n, err := s.Push(t.Context(), viewers, inboxKey(9)); n != sqlstore.PushMost || err == nil {
			t.Errorf("the push served %d viewers, %v", n, err)
		}
		same(t, readInbox(t, s, first).Keys, []feed.Key{inboxKey(9)})
		same(t, readInbox(t, s, last), before)
	})
}

func TestALowerCapHoldsFromTheNextChangeOn(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		before, s := sqlstore.NewInboxes(store, 10), sqlstore.NewInboxes(store, 4)
		readyInbox(t, before, 1, 10)
		readyInbox(t, before, 2, 4)
		readyInbox(t, before, 3, 2)
		_, err := s.Push(t.Context(), inboxViewers(3), inboxKey(99))
		must(t, err)
		wantInbox(t, s, 1, inboxKey(7), inboxKey(99), inboxKey(10), inboxKey(9), inboxKey(8))
		wantInbox(t, s, 2, inboxKey(1), inboxKey(99), inboxKey(4), inboxKey(3), inboxKey(2))
		wantInbox(t, s, 3, feed.Bottom, inboxKey(99), inboxKey(2), inboxKey(1))
	})
}

// It pushes to the same viewers in different orders, which would deadlock if locks were not
// ordered, while some of the inboxes are rebuilt and removed.
func TestInboxes_ConcurrentChangesKeepThemConsistent(t *testing.T) {
	const cap, viewers, pushers, keysEach = 4, 12, 4, 25
	onBoth(t, func(t *testing.T, b backend) {
		s := sqlstore.NewInboxes(b.open(t), cap)
		steady, restless := inboxViewers(viewers)[:viewers/2], inboxViewers(viewers)[viewers/2:]
		for _, viewer := range steady {
			readyInbox(t, s, viewer, 0)
		}
		var all errgroup.Group
		for p := range pushers {
			rng := rand.New(rand.NewPCG(1, uint64(p)))
			all.Go(func() error {
				list := inboxViewers(viewers)
				for n := range keysEach {
					rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
					if _, err := s.Push(t.Context(), list, inboxKey(int64(1+p*keysEach+n))); err != nil {
						return err
					}
				}
				return nil
			})
		}
		for p := range 2 {
			rng := rand.New(rand.NewPCG(2, uint64(p)))
			all.Go(func() error { return rebuildAndRemove(t, s, restless, rng) })
		}
		must(t, all.Wait())
		mustBeConsistent(t, s)
		for _, viewer := range steady {
			wantInbox(t, s, viewer, inboxKey(96), inboxKey(100), inboxKey(99), inboxKey(98), inboxKey(97))
		}
	})
}

// rebuildAndRemove changes the inboxes of the viewers in a hundred random ways.
func rebuildAndRemove(t *testing.T, s *sqlstore.Inboxes, viewers []feed.UserID, rng *rand.Rand) error {
	for range 100 {
		viewer := viewers[rng.IntN(len(viewers))]
		var err error
		switch rng.IntN(5) {
		case 0:
			_, err = s.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "one"}, 0)
		case 1:
			_, err = s.FinishBuild(t.Context(), viewer, "one", feed.Build{Keys: []feed.Key{inboxKey(3), inboxKey(90)}})
		case 2:
			_, err = s.Amend(t.Context(), viewer, feed.Amendment{
				Token: "one", Add: []feed.Key{inboxKey(3), inboxKey(91)}, Remove: []feed.Key{inboxKey(90)},
			})
		case 3:
			// Builds begin under the generation 0, so all of the inboxes go.
			err = s.Trim(t.Context(), viewers, 1)
		default:
			err = s.Remove(t.Context(), viewer)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// beginMeanwhile creates the inbox of viewer 1, with one entry, when a removal has read its header.
const beginMeanwhile = `
CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO inbox_headers (user_id, state, token, generation, started_at, entry_count) VALUES (1, 2, 'one', 1, 0, 1);
  INSERT INTO inbox (user_id, publish_time, content_id) VALUES (1, 5, 5);
  RETURN NULL;
END $$;
CREATE TRIGGER meanwhile AFTER DELETE ON inbox_headers FOR EACH STATEMENT EXECUTE FUNCTION meanwhile()`

// On SQLite, which has one writer at a time, nothing can come in between.
func TestRemove_LeavesInboxBegunMeanwhile(t *testing.T) {
	store := postgresBackend(t).open(t)
	s := sqlstore.NewInboxes(store, 5)
	must(t, store.Exec(t.Context(), beginMeanwhile))
	must(t, s.Remove(t.Context(), 1))
	wantInbox(t, s, 1, feed.Bottom, feed.Key{TS: 5, ID: 5})
}

func TestInboxes_WithoutDatabaseAreUnavailable(t *testing.T) {
	address := emptyTemplate.url(t, "postgres")
	s := sqlstore.NewInboxes(opened(t, address), 5)
	readyInbox(t, s, 1, 1)
	takeAway(t, address)
	for range 2 { // once on a connection that was cut, once without any
		_, err := s.Read(t.Context(), 1, firstPage())
		mustBe(t, feed.CodeUnavailable, err)
		_, err = s.Push(t.Context(), inboxViewers(1), inboxKey(9))
		mustBe(t, feed.CodeUnavailable, err)
	}
}

func TestInboxes_NoViewersRunNoStatement(t *testing.T) {
	store := sqliteBackend(t).open(t)
	must(t, store.Close())
	s := sqlstore.NewInboxes(store, 5)
	if n, err := s.Push(t.Context(), nil, inboxKey(1)); n != 0 || err != nil {
		t.Errorf("the push served %d, %v", n, err)
	}
	must(t, s.Trim(t.Context(), nil, 1))
}

func mustBeConsistent(t *testing.T, s *sqlstore.Inboxes) {
	t.Helper()
	if n, err := s.Misfits(t.Context()); n != 0 || err != nil {
		t.Errorf("%d headers or entries are inconsistent, %v", n, err)
	}
}

// readInbox returns the whole inbox.
func readInbox(t *testing.T, s *sqlstore.Inboxes, viewer feed.UserID) feed.Inbox {
	t.Helper()
	in, err := s.Read(t.Context(), viewer, feed.Range{Below: feed.Top, Limit: 1000})
	must(t, err)
	return in
}

// wantInbox checks floor, count and entries, newest first.
func wantInbox(t *testing.T, s *sqlstore.Inboxes, viewer feed.UserID, floor feed.Key, keys ...feed.Key) {
	t.Helper()
	in := readInbox(t, s, viewer)
	if in.Floor != floor || in.Count != len(keys) || !slices.Equal(in.Keys, keys) {
		t.Errorf("viewer %d has %d entries, %v above %v; want %v above %v", viewer, in.Count, in.Keys, in.Floor, keys, floor)
	}
}

// inboxViewers returns the viewers 1 … n.
func inboxViewers(n int) []feed.UserID {
	viewers := make([]feed.UserID, n)
	for i := range viewers {
		viewers[i] = feed.UserID(i + 1)
	}
	return viewers
}

// inboxKey is the n-th oldest entry of the inboxes that readyInbox makes.
func inboxKey(n int64) feed.Key { return feed.Key{TS: 1700000000000 + 1000*n, ID: n} }

// readyInbox gives the viewer an inbox with n entries.
func readyInbox(t testing.TB, s *sqlstore.Inboxes, viewer feed.UserID, n int) {
	t.Helper()
	keys := make([]feed.Key, n)
	for i := range keys {
		keys[i] = inboxKey(int64(i + 1))
	}
	buildInbox(t, s, viewer, feed.Build{Keys: keys})
}

// buildInbox gives the viewer the inbox of a build.
func buildInbox(t testing.TB, s *sqlstore.Inboxes, viewer feed.UserID, build feed.Build) {
	t.Helper()
	if began, err := s.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "one"}, 0); err != nil || !began {
		t.Fatalf("BeginBuild returned %v, %v", began, err)
	}
	if done, err := s.FinishBuild(t.Context(), viewer, "one", build); err != nil || !done {
		t.Fatalf("FinishBuild returned %v, %v", done, err)
	}
}

func TestAmend_FailureChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		s := sqlstore.NewInboxes(store, 5)
		readyInbox(t, s, 1, 1)
		before := readInbox(t, s, 1)
		must(t, store.Exec(t.Context(), breakCounting[b.name]))
		a := feed.Amendment{Token: "one", Add: []feed.Key{inboxKey(2), inboxKey(3)}, NewVersion: 7, WarmUntil: noon}
		if done, err := s.Amend(t.Context(), 1, a); done || err == nil {
			t.Errorf("the amendment returned %v, %v", done, err)
		}
		same(t, readInbox(t, s, 1), before)
	})
}

func TestInboxes_LowerCapAppliesToAmendAndTrim(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		store := b.open(t)
		before, s := sqlstore.NewInboxes(store, 10), sqlstore.NewInboxes(store, 4)
		for _, viewer := range inboxViewers(3) {
			readyInbox(t, before, viewer, 10)
		}
		// Removed entries make room for older ones.
		a := feed.Amendment{Token: "one", Add: []feed.Key{inboxKey(99)}, Remove: []feed.Key{inboxKey(10), inboxKey(50)}}
		if done, err := s.Amend(t.Context(), 1, a); !done || err != nil {
			t.Fatal(done, err)
		}
		must(t, s.Trim(t.Context(), []feed.UserID{2, 9}, 0))
		wantInbox(t, s, 1, inboxKey(6), inboxKey(99), inboxKey(9), inboxKey(8), inboxKey(7))
		wantInbox(t, s, 2, inboxKey(6), inboxKey(10), inboxKey(9), inboxKey(8), inboxKey(7))
		if in := readInbox(t, s, 3); in.Count != 10 {
			t.Errorf("an unchanged inbox has %d entries, want 10", in.Count)
		}
		mustBeConsistent(t, s)
	})
}
