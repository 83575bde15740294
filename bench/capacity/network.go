package capacity

import (
	"fmt"
	"math"
)

// Network is the shape of a social network. All numbers are means over all users.
type Network struct {
	Users int64 `json:"users"`
	// Follows is the mean number of follows of a user, and so the mean number of followers.
	Follows float64 `json:"follows"`
	// Popularity is the exponent of the power law of followers by rank, from 0 for a network of
	// equal users to below 1. The user at the share x of all users, most followed first, has
	// Follows × (1−Popularity) × x^−Popularity followers, but at most all users. The generator's
	// networks have 0.375. A density with the exponent a, as in papers, has the Popularity 1/(a−1):
	// 0.77 for 2.3.
	Popularity float64 `json:"popularity"`
	// Breadth is the shape of the Pareto law of the number of follows, above 1. The smaller it is,
	// the more the numbers vary. The generator's networks have 1.8.
	Breadth float64 `json:"breadth"`
	// Contents is the mean number of posts of a user in SQL. Reactions is the mean number of likes
	// and favorites of a post.
	Contents  float64 `json:"contents"`
	Reactions float64 `json:"reactions"`
}

// Check returns an error if a field is out of range.
func (n Network) Check() error {
	switch {
	case n.Users < 1:
		return fmt.Errorf("a network needs at least one user, not %d", n.Users)
	case n.Follows < 0 || n.Contents < 0 || n.Reactions < 0:
		return fmt.Errorf("means must not be negative: %+v", n)
	case n.Popularity < 0 || n.Popularity >= 1:
		return fmt.Errorf("the popularity must be at least 0 and below 1, not %v", n.Popularity)
	case n.Breadth <= 1:
		return fmt.Errorf("the breadth must be above 1, not %v", n.Breadth)
	}
	return nil
}

// Followers returns the number of followers of the user at a share of all users, most followed
// first: 0 is the first user, 1 the last.
func (n Network) Followers(share float64) float64 {
	// For the first user, use the middle of their share.
	at := max(share, 0.5/float64(n.Users))
	return min(float64(n.Users-1), n.Follows*(1-n.Popularity)*math.Pow(at, -n.Popularity))
}

// Top returns the number of followers of the most followed user.
func (n Network) Top() float64 { return n.Followers(0) }

// Limits are the settings of Tideline that affect the model.
type Limits struct {
	// InboxCap is the maximum number of entries of an inbox. Above PushThreshold followers, posts
	// go to active followers only. A slice serves SliceSize followers, or up to LongSlice
	// times as many while there are FewSlices or more.
	InboxCap, PushThreshold, SliceSize, LongSlice, FewSlices int
	// PlansKept is the retention of events, plans and slices in SQL, in days.
	PlansKept float64
	// Slots is the number of slices that one worker pushes concurrently.
	Slots int
}

// DefaultLimits has Tideline's defaults.
func DefaultLimits() Limits {
	return Limits{InboxCap: 300, PushThreshold: 5000, SliceSize: 1000, LongSlice: 4, FewSlices: 64, PlansKept: 7, Slots: 8}
}

// InboxEntries returns the mean number of entries of an inbox if every followed author has
// published the given number of posts. Each viewer has the posts of followed authors, but at most
// the cap. Over the Pareto law of follows, with the shape a and the least l = Follows (a−1)/a, the
// mean of min(cap, posts × follows) is
//
//	posts × Follows × (1 − (l/t)^(a−1)) + cap × (l/t)^a,  t = cap/posts,
//
// unless all are at the cap.
func (n Network) InboxEntries(l Limits) float64 {
	limit, all := float64(l.InboxCap), n.Contents*n.Follows
	if all == 0 {
		return 0
	}
	least := n.Follows * (n.Breadth - 1) / n.Breadth
	full := limit / n.Contents
	if full <= least {
		return limit
	}
	return all*(1-math.Pow(least/full, n.Breadth-1)) + limit*math.Pow(least/full, n.Breadth)
}

// Pushed is the fan-out of one publish, as the mean over all users as authors.
type Pushed struct {
	// Entries is the number of inboxes that receive the post, and Slices the number of slices.
	Entries, Slices float64
	// Pulled is the share of follow edges to authors above the push threshold. Inactive followers
	// pull the posts of these authors.
	Pulled float64
}

// steps is the number of steps of the sum over all authors. With two thousand, the follower counts
// within a step differ by less than one percent.
const steps = 2000

// PerPublish returns the mean fan-out of one publish if all users publish equally often. active is
// the share of users within the activity lease. It sums over authors by rank, in steps that grow by
// a constant factor. Each step has its exact share of follow edges.
func (n Network) PerPublish(l Limits, active float64) Pushed {
	var p Pushed
	from := 0.0
	for i := range steps + 1 {
		to := math.Pow(float64(n.Users), float64(i)/steps-1)
		share := to - from
		followers := min(float64(n.Users-1), n.edges(from, to)/share)
		entries := l.pushed(followers, active)
		p.Entries += share * entries
		p.Slices += share * math.Ceil(entries/l.SliceFor(entries))
		if followers > float64(l.PushThreshold) && n.Follows > 0 {
			p.Pulled += share * followers / n.Follows
		}
		from = to
	}
	return p
}

// edges returns the number of follow edges, per user of the network, to users between two shares of
// all users.
func (n Network) edges(from, to float64) float64 {
	return n.Follows * (math.Pow(to, 1-n.Popularity) - math.Pow(from, 1-n.Popularity))
}

// pushed returns the number of inboxes that receive a post of an author with the given number of
// followers.
func (l Limits) pushed(followers, active float64) float64 {
	if followers > float64(l.PushThreshold) {
		return followers * active
	}
	return followers
}
