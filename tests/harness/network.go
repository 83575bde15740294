package harness

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Network is a random network. It computes every feed from the contract alone, without the
// reference query and the inboxes.
type Network struct {
	// Users is the number of users. Their ids begin at 1.
	Users int
	// Follows has pairs of follower and followee.
	Follows map[[2]int]bool
	Posts   []Post
	// Lines has the records of the network for an import.
	Lines []string
}

// Post is a post of a network.
type Post struct {
	ID     int64
	Author int
	// At is the publish time in milliseconds since the epoch.
	At int64
}

// NewNetwork returns a random network. All users follow user 1, and several posts share a
// millisecond.
func NewNetwork(users, posts int, seed uint64) *Network {
	rng := rand.New(rand.NewPCG(seed, 7))
	n := &Network{Users: users, Follows: map[[2]int]bool{}}
	for id := 1; id <= users; id++ {
		n.Lines = append(n.Lines, UserRecord(id))
	}
	for follower := 1; follower <= users; follower++ {
		for followee := 1; followee <= users; followee++ {
			if follower != followee && (followee == 1 || rng.IntN(4) == 0) {
				n.Follows[[2]int{follower, followee}] = true
				n.Lines = append(n.Lines, FollowRecord(follower, followee))
			}
		}
	}
	start := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	for _, no := range rng.Perm(posts) {
		p := Post{ID: int64(no)*1_000_003 + 1, Author: 1 + rng.IntN(users), At: start + int64(rng.IntN(posts/2))}
		n.Posts = append(n.Posts, p)
		n.Lines = append(n.Lines, PostRecord(p, fmt.Sprint("post ", no)))
	}
	return n
}

// Feed returns the ids of a viewer's home feed.
func (n *Network) Feed(viewer int) []string {
	var in []Post
	for _, p := range n.Posts {
		if p.Author == viewer || n.Follows[[2]int{viewer, p.Author}] {
			in = append(in, p)
		}
	}
	return SortedIDs(in)
}

// SortedIDs sorts posts in feed order and returns their ids.
func SortedIDs(in []Post) []string {
	slices.SortFunc(in, func(a, b Post) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID)) })
	var ids []string
	for _, p := range in {
		ids = append(ids, strconv.FormatInt(p.ID, 10))
	}
	return ids
}

// File writes the records of the network to a file and returns its name.
func (n *Network) File(t *testing.T) string {
	t.Helper()
	return RecordsFile(t, n.Lines)
}
