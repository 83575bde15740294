package capacity_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/bench/capacity"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// near fails the test if two numbers differ by more than a share of the second.
func near(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, got, want, share float64,
) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s: %v, want %v within %v", what, got, want, share)
	}
}

// anyNetwork draws a valid network.
func anyNetwork(t *rapid.T) capacity.Network {
	return capacity.Network{
		Users:      rapid.Int64Range(1000, 1_000_000_000).Draw(t, "users"),
		Follows:    rapid.Float64Range(1, 500).Draw(t, "follows"),
		Popularity: rapid.Float64Range(0, 0.9).Draw(t, "popularity"),
		Breadth:    rapid.Float64Range(1.1, 5).Draw(t, "breadth"),
		Contents:   rapid.Float64Range(0.1, 1000).Draw(t, "contents"),
		Reactions:  rapid.Float64Range(0, 10).Draw(t, "reactions"),
	}
}

// Without a threshold a publish reaches the mean number of followers, whatever the law. A threshold
// only reduces that number, at most by the share of inactive users.
func TestNetwork_PublishReachesMeanFollowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNetwork(t)
		// The law is truncated if a user would have more followers than there are users.
		if n.Follows*math.Pow(float64(n.Users), n.Popularity) >= float64(n.Users-1) {
			n.Popularity, n.Follows = 0.3, 20
		}
		limits := capacity.DefaultLimits()
		active := rapid.Float64Range(0, 1).Draw(t, "active")
		limits.PushThreshold = math.MaxInt
		all := n.PerPublish(limits, active)
		near(t, "entries of a publish without a threshold", all.Entries, n.Follows, 0.02)
		limits.PushThreshold = rapid.IntRange(1, 1_000_000).Draw(t, "threshold")
		some := n.PerPublish(limits, active)
		if some.Entries > all.Entries*1.000001 || some.Entries < all.Entries*active*0.999999 {
			t.Errorf("%v of %v entries are left with a threshold when the share %v is active", some.Entries, all.Entries, active)
		}
		if some.Slices < some.Entries/float64(limits.SliceSize*limits.LongSlice)*0.999999 {
			t.Errorf("%v slices are too few for %v entries", some.Slices, some.Entries)
		}
	})
}

// The formula for the mean entries of an inbox matches random samples of the law.
func TestNetwork_MeanInboxEntriesFollowTheLaw(t *testing.T) {
	limits := capacity.DefaultLimits()
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []capacity.Network{
		{Follows: 18, Breadth: 1.8, Contents: 2},
		{Follows: 100, Breadth: 1.8, Contents: 3},
		{Follows: 60, Breadth: 3, Contents: 5},
		{Follows: 100, Breadth: 1.5, Contents: 100},
	} {
		const draws = 100_000
		least, sum := n.Follows*(n.Breadth-1)/n.Breadth, 0.0
		for range draws {
			follows := least / math.Pow(1-r.Float64(), 1/n.Breadth)
			sum += min(float64(limits.InboxCap), n.Contents*follows)
		}
		near(t, "entries", n.InboxEntries(limits), sum/draws, 0.02)
	}
	if got := (capacity.Network{Follows: 10, Breadth: 2}).InboxEntries(limits); got != 0 {
		t.Errorf("an inbox of a network without posts has %v entries", got)
	}
}

// The generator, which makes the measured networks, follows the same laws.
func TestNetwork_GeneratorObeysTheLaws(t *testing.T) {
	size := world.Size{Seed: 5, Users: 8_000, Follows: 30}
	followers, edges := map[int64]int{}, 0
	for _, user := range size.Crowd().Users() {
		for _, id := range size.Followees(user) {
			followers[id]++
			edges++
		}
	}
	n := capacity.Network{Users: size.Users, Follows: float64(edges) / float64(size.Users), Popularity: 0.375, Breadth: 1.8}
	// The generator's popular users have low ids. Each span is a range of the crowd by share.
	for _, span := range [][2]float64{{0.001, 0.01}, {0.01, 0.1}, {0.1, 0.3}, {0.5, 1}} {
		crowd := size.Crowd()
		from, to := crowd.First+int64(span[0]*float64(size.Users)), crowd.First+int64(span[1]*float64(size.Users))
		have, want := 0.0, 0.0
		for id := from; id < min(to, crowd.Last); id++ {
			have += float64(followers[id])
			want += n.Followers((float64(id-crowd.First) + 0.5) / float64(size.Users))
		}
		near(t, "followers of a part of all users", have, want, 0.1)
	}
}
