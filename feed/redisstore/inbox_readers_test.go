package redisstore_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
