package redisstore_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// walk walks to the end, calls between after every slice, and returns how often each
// viewer was returned.
func walk(t *testing.T, s *redisstore.Inboxes, cursor string, limit int, between func(slice int)) map[feed.UserID]int {
	t.Helper()
	met := map[feed.UserID]int{}
	for slice := range 10_000 {
		viewers, next, err := s.Walk(t.Context(), cursor, limit)
		must(t, err)
		if len(viewers) > 4*limit {
			t.Errorf("a slice of about %d has %d viewers", limit, len(viewers))
		}
		for _, v := range viewers {
			met[v]++
		}
		if next == "" {
			return met
		}
		cursor = next
		between(slice)
	}
	t.Fatal("the walk does not end")
	return nil
}

func nothing(int) {}

// crowd returns the viewers from first to last.
func crowd(first, last feed.UserID) []feed.UserID {
	var all []feed.UserID
	for v := first; v <= last; v++ {
		all = append(all, v)
	}
	return all
}

// missed returns the viewers that the walk did not return.
func missed(viewers []feed.UserID, met map[feed.UserID]int) []feed.UserID {
	return slices.DeleteFunc(slices.Clone(viewers), func(v feed.UserID) bool { return met[v] > 0 })
}

// Redis rehashes its keys into a larger table, and back, during the walk.
func TestWalk_ToleratesConcurrentChanges(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 5)
		all, others := crowd(1, 200), crowd(1001, 2500)
		for _, v := range all {
			ready(t, s, v, 1)
		}
		met := walk(t, s, "", 10, func(slice int) {
			switch slice {
			case 4:
				for _, v := range others {
					ready(t, s, v, 1)
				}
			case 8:
				for _, v := range others {
					must(t, s.Remove(t.Context(), v))
				}
			}
		})
		if m := missed(all, met); len(m) > 0 {
			t.Errorf("the walk missed %v", m)
		}
	})
}

func TestWalk_EmbeddedHonoursLimit(t *testing.T) {
	s := newInboxes(embedded(t).Client(), 5)
	for _, v := range crowd(1, 25) {
		ready(t, s, v, 1)
	}
	var sizes []int
	for cursor := ""; ; {
		viewers, next, err := s.Walk(t.Context(), cursor, 10)
		must(t, err)
		sizes = append(sizes, len(viewers))
		if cursor = next; cursor == "" {
			break
		}
	}
	same(t, "the sizes of slices", sizes, []int{10, 10, 5})
}

func TestWalk_MeetsRemainsOfInboxes(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 5)
		r := raw(t, c)
		ready(t, s, 1, 2)
		ready(t, s, 2, 2)
		ready(t, s, math.MaxInt64, 2)
		for _, name := range []string{
			"tideline:inbox:{1}:other", "tideline:inbox:{3}:other", "tideline:inbox:{4}",
			"asynq:{default}:t:1", "tideline:inbox:{ann}", "tideline:inbox:{07}", "tideline:inbox:{8}:other",
		} {
			must(t, r.Set(t.Context(), name, "other", 0).Err())
		}
		met := walk(t, s, "", 100, nothing)
		same(t, "how often each viewer is met", met, map[feed.UserID]int{1: 1, 2: 1, 4: 1, math.MaxInt64: 1})
	})
}

func TestTrim_DropsRemainsOfBrokenInbox(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 5)
		r := raw(t, c)
		for name, lose := range losses() {
			t.Run(name, func(t *testing.T) {
				ready(t, s, viewer, 3)
				ready(t, s, 5, 3)
				ready(t, s, 6, 0)
				must(t, lose(t.Context(), r))
				must(t, s.Trim(t.Context(), []feed.UserID{5, viewer, 6, 7}, 0))
				if n, err := r.Exists(t.Context(), stored).Result(); err != nil || n != 0 {
					t.Errorf("%d keys are left, %v", n, err)
				}
				if in, err := s.Read(t.Context(), 5, whole()); err != nil || in.Count != 3 {
					t.Errorf("an inbox of three entries is %+v, %v", in, err)
				}
				wantState(t, s, 6, feed.InboxReady)
			})
		}
	})
}

func TestTrim_GenerationsCompareLastDigit(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 4)
		for _, step := range []struct {
			of, least int64
			want      feed.InboxState
		}{
			{9, 10, feed.InboxAbsent},
			{10, 9, feed.InboxReady},
			{math.MaxInt64 - 1, math.MaxInt64, feed.InboxAbsent},
			{math.MaxInt64 - 1, math.MaxInt64 - 1, feed.InboxReady},
			{math.MaxInt64, math.MaxInt64 - 1, feed.InboxReady},
		} {
			build(t, s, step.of, feed.Build{})
			must(t, s.Trim(t.Context(), []feed.UserID{viewer}, step.least))
			wantState(t, s, viewer, step.want)
		}
	})
}

// An inbox within the cap must cost neither replication nor the append-only file.
func TestTrim_WritesOnlyChanges(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s := newInboxes(c, 4)
	ready(t, s, viewer, 4)
	r := raw(t, c)
	before := stat(t, r, "persistence", "rdb_changes_since_last_save")
	must(t, s.Trim(t.Context(), []feed.UserID{viewer, 5}, 0))
	if after := stat(t, r, "persistence", "rdb_changes_since_last_save"); after != before {
		t.Errorf("the trim made %d changes", after-before)
	}
}

func TestTrim_ReloadsForgottenScript(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) { trimForgotten(t, c, flushScripts) })
}

// trimForgotten trims many inboxes, every other one to drop, after Redis has forgotten
// its scripts.
func trimForgotten(t *testing.T, c *redisstore.Client, forget func(*testing.T, *redisstore.Client)) {
	s := newInboxes(c, 5)
	r := raw(t, c)
	all := crowd(1, 30)
	for _, v := range all {
		ready(t, s, v, 2)
		if v%2 == 0 {
			must(t, r.Append(t.Context(), fmt.Sprintf("tideline:inbox:{%d}", v), "some").Err())
		}
	}
	forget(t, c)
	must(t, s.Trim(t.Context(), all, 0))
	for _, v := range all {
		n, err := r.Exists(t.Context(), fmt.Sprintf("tideline:inbox:{%d}", v)).Result()
		if err != nil || n != int64(v%2) {
			t.Errorf("viewer %d has %d inboxes, %v", v, n, err)
		}
	}
}

func TestInboxes_LowerCapAppliesToPushAndTrim(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		for name, change := range map[string]struct {
			do    func(s *redisstore.Inboxes) error
			floor int64
		}{
			"push": {func(s *redisstore.Inboxes) error {
				_, err := s.Push(t.Context(), []feed.UserID{viewer}, feed.Key{TS: 1800000000000, ID: 99})
				return err
			}, 7},
			"trim": {func(s *redisstore.Inboxes) error { return s.Trim(t.Context(), []feed.UserID{viewer}, 0) }, 6},
		} {
			ready(t, newInboxes(c, 10), viewer, 10)
			s := newInboxes(c, 4)
			must(t, change.do(s))
			if in := readAll(t, s); in.Count != 4 || len(in.Keys) != 4 || in.Floor.ID != change.floor {
				t.Errorf("after a %s the inbox has %d entries above %v; want 4 above entry %d", name, in.Count, in.Floor, change.floor)
			}
		}
	})
}
