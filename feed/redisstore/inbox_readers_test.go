package redisstore_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// fewTimes is how many times and ids there are in the keys of a short inbox: so few that
// ranges often end at an entry, or between two of the same time.
const fewTimes = 8

// fewKeys draws keys of few times and ids.
func fewKeys() *rapid.Generator[feed.Key] {
	return rapid.Custom(func(t *rapid.T) feed.Key {
		return feed.Key{TS: rapid.Int64Range(1, fewTimes).Draw(t, "time"), ID: rapid.Int64Range(1, fewTimes).Draw(t, "id")}
	})
}

// fewRanges draws ranges that end at such keys, or nowhere.
func fewRanges() *rapid.Generator[feed.Range] {
	return rapid.Custom(func(t *rapid.T) feed.Range {
		return feed.Range{
			Above:     rapid.OneOf(rapid.Just(feed.Bottom), fewKeys()).Draw(t, "above"),
			Below:     rapid.OneOf(rapid.Just(feed.Top), fewKeys()).Draw(t, "below"),
			Ascending: rapid.Bool().Draw(t, "ascending"),
			Limit:     rapid.IntRange(1, 2*fewTimes).Draw(t, "limit"),
		}
	})
}

func TestReaders_ReturnSameInbox(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		rdb := raw(t, c)
		rapid.Check(t, func(rt *rapid.T) {
			must(rt, rdb.FlushAll(t.Context()).Err())
			cap := rapid.IntRange(1, fewTimes).Draw(rt, "cap")
			script, whole := redisstore.ByScript(newInboxes(c, cap)), redisstore.Whole(newInboxes(c, cap))
			_, err := script.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "token", Generation: 3}, 0)
			must(rt, err)
			// Pushes leave more entries in an inbox than its cap.
			for _, k := range rapid.SliceOfN(fewKeys(), 0, 3*fewTimes).Draw(rt, "pushes") {
				_, err := script.Push(t.Context(), []feed.UserID{viewer}, k)
				must(rt, err)
			}
			if junk := rapid.SampledFrom([]string{"", "", "", "?"}).Draw(rt, "junk behind it"); junk != "" {
				rdb.Append(t.Context(), stored, junk)
			}
			for range 10 {
				r := fewRanges().Draw(rt, "range")
				want, failure := script.Read(t.Context(), viewer, r)
				got, err := whole.Read(t.Context(), viewer, r)
				if diff := gocmp.Diff(want, got); diff != "" || err != nil || failure != nil {
					rt.Fatalf("%+v: by the script %v, whole %v\n%s", r, failure, err, diff)
				}
			}
		})
	})
}

// Contents that are pushed at the same time overtake each other, most by few, and some are
// pushed twice.
func TestPush_AnyOrderEndsInFeedOrder(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		rapid.Check(t, func(rt *rapid.T) {
			const cap, by = 40, 12
			s := newInboxes(c, cap)
			must(rt, s.Remove(t.Context(), viewer))
			_, err := s.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "token"}, 0)
			must(rt, err)
			var want []feed.Key
			for n := range rapid.Int64Range(1, cap).Draw(rt, "entries") {
				want = append(want, feed.Key{TS: 1700000000000 + n/2, ID: 1 + n})
			}
			late := map[feed.Key]int64{}
			for _, k := range want {
				late[k] = k.ID + rapid.Int64Range(0, by).Draw(rt, "late by")
			}
			order := slices.SortedStableFunc(slices.Values(append(want, want[:len(want)/4]...)), func(a, b feed.Key) int {
				return cmp.Compare(late[a], late[b])
			})
			for _, k := range order {
				if n, err := s.Push(t.Context(), []feed.UserID{viewer}, k); n != 1 || err != nil {
					rt.Fatal(n, err)
				}
			}
			in, err := s.Read(t.Context(), viewer, feed.Range{Above: feed.Bottom, Below: feed.Top, Ascending: true, Limit: 2 * cap})
			if diff := gocmp.Diff(want, in.Keys); diff != "" || err != nil {
				rt.Fatalf("%v\n%s", err, diff)
			}
		})
	})
}

// bothReaders are inboxes read in either way.
func bothReaders(c *redisstore.Client, cap int) map[string]*redisstore.Inboxes {
	return map[string]*redisstore.Inboxes{
		"whole": redisstore.Whole(newInboxes(c, cap)), "script": redisstore.ByScript(newInboxes(c, cap)),
	}
}

func TestReaders_IgnoreMalformedValues(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		rdb := raw(t, c)
		for name, s := range bothReaders(c, 5) {
			for _, length := range []int{0, 1, 113, 114, 127, 129} {
				must(t, rdb.Set(t.Context(), stored, strings.Repeat("x", length), 0).Err())
				if in, err := s.Read(t.Context(), viewer, whole()); err != nil || in.State != feed.InboxAbsent {
					t.Errorf("%s, %d bytes read as %+v, %v", name, length, in, err)
				}
			}
			for what, store := range map[string]func() error{
				"a head that is none": func() error { return rdb.Set(t.Context(), stored, strings.Repeat("x", 128), 0).Err() },
				"a list":              func() error { return rdb.LPush(t.Context(), stored, "x").Err() },
			} {
				must(t, rdb.Del(t.Context(), stored).Err())
				must(t, store())
				if in, err := s.Read(t.Context(), viewer, whole()); err == nil {
					t.Errorf("%s, %s reads as %+v", name, what, in)
				}
			}
		}
	})
}

// BenchmarkWholeOrScript reads pages of twenty by sixteen goroutines, from inboxes of
// several caps, in both ways.
func BenchmarkWholeOrScript(b *testing.B) {
	c := open(b, testenv.Redis(b))
	for _, cap := range []int{100, 300, 1000, 3000, 10_000} {
		by := bothReaders(c, cap)
		ready(b, by["whole"], viewer, cap)
		for name, s := range by {
			b.Run(fmt.Sprintf("%s/%d", name, cap), func(b *testing.B) {
				b.SetParallelism(8)
				b.RunParallel(func(p *testing.PB) {
					for p.Next() {
						in, err := s.Read(b.Context(), viewer, feed.Range{Below: feed.Top, Limit: 20})
						if err != nil || len(in.Keys) != 20 {
							b.Errorf("%d keys, %v", len(in.Keys), err)
							return
						}
					}
				})
			})
		}
		must(b, by["whole"].Remove(b.Context(), viewer))
	}
}

// Concurrent reads share round trips, even if Redis does not know the script, and each gets its
// own inbox.
func TestRead_ConcurrentCallsGetTheirInbox(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 100)
		const viewers = 50
		for v := range viewers {
			ready(t, s, feed.UserID(1+v), 1+v)
		}
		for range 5 {
			flushScripts(t, c)
			var readers sync.WaitGroup
			for v := range 2 * viewers {
				readers.Go(func() {
					in, err := s.Read(t.Context(), feed.UserID(1+v), whole())
					if err != nil {
						t.Error(err)
					}
					want := 1 + v
					if v >= viewers {
						want = 0
					}
					if in.Count != want || len(in.Keys) != want {
						t.Errorf("the inbox of viewer %d has %d entries, of which %d are read", 1+v, in.Count, len(in.Keys))
					}
				})
			}
			readers.Wait()
		}
	})
}

// A process that keeps more in each inbox may share them with one that keeps less.
func TestRead_InboxOfLargerCap(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		ready(t, newInboxes(c, 100), viewer, 100)
		small := newInboxes(c, 5)
		ready(t, small, viewer+1, 5)
		for range 3 {
			var readers sync.WaitGroup
			for v, newest := range map[feed.UserID]int64{viewer: 100, viewer + 1: 5} {
				readers.Go(func() {
					in, err := small.Read(t.Context(), v, whole())
					if err != nil || in.Count != 5 || len(in.Keys) != 5 || in.Keys[0].ID != newest {
						t.Errorf("of viewer %d %d entries are read, %+v, %v", v, in.Count, in.Keys, err)
					}
				})
			}
			readers.Wait()
		}
	})
}

// What was read stays as it was while others read.
func TestRead_ResultIsNotReused(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s := newInboxes(c, 10)
	ready(t, s, viewer, 10)
	first, err := s.Read(t.Context(), viewer, whole())
	must(t, err)
	for v := range feed.UserID(20) {
		_, err := s.Push(t.Context(), []feed.UserID{viewer}, feed.Key{TS: 1800000000000, ID: 1000 + int64(v)})
		must(t, err)
		_, err = s.Read(t.Context(), viewer, whole())
		must(t, err)
	}
	for i, k := range first.Keys {
		if k.ID != int64(10-i) {
			t.Fatalf("what was read first is now %+v", first.Keys)
		}
	}
	if first.Token != "one" {
		t.Errorf("its token is now %q", first.Token)
	}
}

// The sizes of a full inbox, and of the last part of it, which was pushed.
const (
	fullInbox   = 300
	pushedInbox = 100
)

// inboxBytes returns the memory of a full inbox in Redis, with its header and key.
func inboxBytes(t *testing.T, viewer feed.UserID, posts []int64) int64 {
	t.Helper()
	url := testenv.Redis(t)
	inboxes := newInboxes(open(t, url), fullInbox)
	keys := make([]feed.Key, len(posts))
	for i, id := range posts {
		keys[i] = feed.Key{TS: 1_790_000_000_000 + int64(i)*61_000, ID: id}
	}
	built := len(keys) - pushedInbox
	buildOf(t, inboxes, viewer, 0, feed.Build{Keys: keys[:built]})
	for _, k := range keys[built:] {
		if served, err := inboxes.Push(t.Context(), []feed.UserID{viewer}, k); err != nil || served != 1 {
			t.Fatalf("Push: %d, %v", served, err)
		}
	}
	return memoryOf(t, url)
}

// memoryOf returns the memory of all keys.
func memoryOf(t *testing.T, url string) (total int64) {
	t.Helper()
	client := raw(t, open(t, url))
	all := client.Scan(t.Context(), 0, "*", 1000).Iterator()
	for all.Next(t.Context()) {
		n, err := client.MemoryUsage(t.Context(), all.Val(), 0).Result()
		must(t, err)
		total += n
	}
	if err := all.Err(); err != nil || total == 0 {
		t.Fatalf("%d bytes, %v", total, err)
	}
	return total
}

// An entry has the number of an id, and a number has one size. A toy stores the text of external ids.
// Databases draw numbers with as many digits as these.
func TestInboxes_EntriesOfTextIDsTake21Bytes(t *testing.T) {
	const first = 7_300_000_000_000_000_000
	small, large := make([]int64, fullInbox), make([]int64, fullInbox)
	for i := range small {
		small[i], large[i] = int64(i+1), first+int64(i)*7919
	}
	bytes := inboxBytes(t, first, large)
	if each := float64(bytes) / fullInbox; each > 21 {
		t.Errorf("an entry takes %.1f bytes", each)
	}
	if want := inboxBytes(t, first+1, small); bytes != want {
		t.Errorf("the inbox takes %d bytes, and one of small numbers %d", bytes, want)
	}
}

// readAll returns the whole of viewer's inbox.
func readAll(t *testing.T, s feed.Inboxes) feed.Inbox {
	t.Helper()
	in, err := s.Read(t.Context(), viewer, whole())
	must(t, err)
	return in
}

// build gives viewer an inbox under the token "one" and a generation.
func build(t *testing.T, s feed.Inboxes, generation int64, b feed.Build) {
	t.Helper()
	buildOf(t, s, viewer, generation, b)
}

// buildOf is build for any viewer.
func buildOf(t testing.TB, s feed.Inboxes, viewer feed.UserID, generation int64, b feed.Build) {
	t.Helper()
	if began, err := s.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "one", Generation: generation}, 0); err != nil || !began {
		t.Fatalf("BeginBuild: %v, %v", began, err)
	}
	if done, err := s.FinishBuild(t.Context(), viewer, "one", b); err != nil || !done {
		t.Fatalf("FinishBuild: %v, %v", done, err)
	}
}

// amend amends viewer's inbox, and fails the test unless that is accepted or refused
// as wanted.
func amend(t *testing.T, s feed.Inboxes, a feed.Amendment, want bool) {
	t.Helper()
	if done, err := s.Amend(t.Context(), viewer, a); err != nil || done != want {
		t.Fatalf("Amend returned %v, %v", done, err)
	}
}

// highest returns the n highest content ids there are, in keys of one millisecond,
// newest first. As doubles all of them are one number.
func highest(n int64) []feed.Key {
	var keys []feed.Key
	for i := range n {
		keys = append(keys, feed.Key{TS: 1700000000000, ID: math.MaxInt64 - i})
	}
	return keys
}

func TestAmend_FloorComparesLastDigit(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 10)
		keys := highest(6)
		build(t, s, 0, feed.Build{Keys: []feed.Key{keys[0], keys[2], keys[4]}})
		amend(t, s, feed.Amendment{Token: "one", Add: []feed.Key{keys[1], keys[3], keys[5]}, Floor: keys[2]}, true)
		in := readAll(t, s)
		if diff := gocmp.Diff(keys[:2], in.Keys); diff != "" || in.Floor != keys[2] {
			t.Errorf("above %v the inbox holds (-want +got):\n%s", in.Floor, diff)
		}
	})
}

func TestAmend_VersionsCompareLastDigit(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 10)
		build(t, s, 0, feed.Build{Version: math.MaxInt64, WarmUntil: math.MaxInt64 - 1})
		amend(t, s, feed.Amendment{Token: "one", Version: math.MaxInt64 - 1, NewVersion: math.MaxInt64}, false)
		for _, step := range []struct{ given, want int64 }{
			{math.MaxInt64 - 2, math.MaxInt64 - 1},
			{999, math.MaxInt64 - 1},
			{math.MaxInt64, math.MaxInt64},
		} {
			amend(t, s, feed.Amendment{Token: "one", Version: math.MaxInt64, NewVersion: math.MaxInt64, WarmUntil: step.given}, true)
			if in := readAll(t, s); in.WarmUntil != step.want || in.Version != math.MaxInt64 {
				t.Errorf("after an amendment until %d the inbox is of version %d, warm until %d", step.given, in.Version, in.WarmUntil)
			}
		}
	})
}

func TestAmend_RefusesBrokenInbox(t *testing.T) {
	c := embedded(t).Client()
	s := newInboxes(c, 5)
	ready(t, s, viewer, 3)
	must(t, raw(t, c).Append(t.Context(), stored, "some").Err())
	amend(t, s, feed.Amendment{Token: "one", Add: []feed.Key{{TS: 1800000000000, ID: 9}}}, false)
	wantState(t, s, viewer, feed.InboxAbsent)
}
