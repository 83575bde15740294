package sqlstore_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// village stores users 1 to n with random follows, coverage flags and posts, some of them deleted.
func village(t *testing.T, s *sqlstore.Store, n int, random *rand.Rand) {
	t.Helper()
	var batch []feed.Record
	for id := 1; id <= n; id++ {
		batch = append(batch, feed.Record{User: townUser(feed.UserID(id))})
	}
	for follower := range n {
		for _, followee := range random.Perm(n)[:random.IntN(n)] {
			batch = append(batch, feed.Record{Follow: &feed.FollowRecord{
				Follower: feed.UserID(1 + follower), Followee: feed.UserID(1 + followee), CreatedAt: townStart,
			}})
		}
	}
	for i := range 20 * n {
		p := townPost(i)
		p.Kind, p.RepostOf, p.Author = feed.KindPost, 0, feed.UserID(1+random.IntN(n))
		p.PublishedAt = townStart + int64(random.IntN(n))
		batch = append(batch, feed.Record{Post: p})
	}
	_, err := s.Apply(t.Context(), feed.Batch{Records: slices.DeleteFunc(batch, func(r feed.Record) bool {
		return r.Follow != nil && r.Follow.Follower == r.Follow.Followee
	})})
	must(t, err)
	for _, stmt := range []string{
		`UPDATE users SET mark = id % 3 WHERE id % 4 = 0`, `UPDATE users SET deleted_at = 1 WHERE id % 7 = 0`,
		`UPDATE contents SET deleted_at = 1 WHERE id % 5 = 0`, `UPDATE follows SET active = 0 WHERE follower_id % 3 = followee_id % 5`,
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

// Builds that wait share statements, and each reads what it would read alone.
func TestCovered_BuildsShareStatements(t *testing.T) {
	const viewers = 40
	var o observed
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{}, sqlstore.WithBegin(o.begin))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	village(t, s, viewers, random)
	limits := make([]int, viewers)
	got := make([][]feed.Key, viewers)
	var builds errgroup.Group
	before := o.count()
	for i := range got {
		limits[i] = 1 + random.IntN(300)
		builds.Go(func() (err error) {
			r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: limits[i]}
			got[i], err = s.Covered(t.Context(), feed.UserID(1+i), feed.FolloweeFilter{}, r)
			return err
		})
	}
	must(t, builds.Wait())
	if ran := o.count() - before; ran >= viewers {
		t.Errorf("%d builds ran %d statements", viewers, ran)
	}
	found := 0
	for i, keys := range got {
		// A range with another end is not of a build.
		r := feed.Range{Above: feed.Bottom, Below: feed.Key{TS: feed.Top.TS, ID: feed.Top.ID - 1}, Limit: limits[i]}
		want, err := s.Covered(t.Context(), feed.UserID(1+i), feed.FolloweeFilter{}, r)
		must(t, err)
		if !slices.Equal(keys, want) {
			t.Errorf("the build for viewer %d reads %v with others, %v alone", 1+i, keys, want)
		}
		found += len(keys)
	}
	if found == 0 {
		t.Error("no build reads any post")
	}
}
