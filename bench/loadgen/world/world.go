// Package world generates a social network from a seed: follows, posts with authors and times, and
// live sessions. It stores nothing. Any process with the same seed and size computes any user's
// part independently. The load generator therefore knows every feed without asking the server.
//
// Popularity and the number of follows obey power laws, as in real networks: most users follow a
// few tens and have fewer followers, and a large part of all users follows a handful.
package world

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Size is the size of a network. Equal sizes generate equal networks.
type Size struct {
	// Seed seeds all random numbers.
	Seed uint64
	// Users is the number of users, whose ids are 1 … Users. The first are the cohorts below; all
	// others are the crowd.
	Users int64
	// Follows is the mean number of follows of a user of the crowd.
	Follows int
	// Posts is the number of posts of every user.
	Posts int
	// Followers is the number of followers of the star, the user with the id Users+1. The first
	// users of the crowd follow the star. 0 means a network without a star.
	Followers int64
	// Live is set if all users host live sessions.
	Live bool
}

// Cohort is a group of users with the same number of follows, to measure the cost of a followed
// user. Each has several users, because a single one would soon reach the rate limit.
type Cohort struct {
	First, Last int64
	Follows     int
}

// Few returns the users who follow ten, like new users.
func Few() Cohort { return Cohort{First: 1, Last: 100, Follows: 10} }

// Many returns the users who follow the maximum, or half of all users in small networks.
func Many() Cohort { return Cohort{First: 101, Last: 140, Follows: FollowsMax} }

// Crowd returns the users outside the cohorts.
func (s Size) Crowd() Cohort {
	return Cohort{First: Many().Last + 1, Last: s.Users, Follows: s.Follows}
}

// Users returns the ids of the cohort in ascending order.
func (c Cohort) Users() []int64 {
	out := make([]int64, 0, c.Last-c.First+1)
	for id := c.First; id <= c.Last; id++ {
		out = append(out, id)
	}
	return out
}

// Star returns the id of the user with Followers followers, 0 if there is none.
func (s Size) Star() int64 {
	if s.Followers == 0 {
		return 0
	}
	return s.Users + 1
}

// Last returns the highest id of any user.
func (s Size) Last() int64 { return max(s.Users, s.Star()) }

// The streams of a user's random numbers, one per purpose. Each is independent of how many numbers
// the others use.
const (
	streamFollows = iota + 1
	streamPosts
)

// rand returns a user's source of random numbers for one stream.
func (s Size) rand(user int64, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.Seed<<8|stream, uint64(user)))
}

// skew shifts uniform random numbers towards low ones. Of N users, the first is drawn N^(1-1/skew)
// times as often as in a uniform draw. With 1.6 and a million users, the most popular user has
// nearly one in two hundred follow edges. Published networks have similar shares.
const skew = 1.6

// shape is the exponent of the Pareto law of follows.
const shape = 1.8

// FollowsMax is the server's limit of follows per user.
const FollowsMax = 2000

// degree draws a number of follows for a user of the crowd from a Pareto law with the mean Follows.
// The maximum is FollowsMax, or half of all users in small networks.
func (s Size) degree(r *rand.Rand) int {
	least := float64(s.Follows) * (shape - 1) / shape
	n := int(least / math.Pow(1-r.Float64(), 1/shape))
	return max(1, min(n, FollowsMax, int(s.Users/2)))
}

// wanted returns the number of a user's follows, without the star.
func (s Size) wanted(user int64, r *rand.Rand) int {
	few, many := Few(), Many()
	switch {
	case user <= few.Last:
		return few.Follows
	case user <= many.Last:
		return min(many.Follows, int(s.Users/2))
	}
	return s.degree(r)
}

// Followees returns the users that a user follows, without repetition, in no particular order. A
// user never follows themselves.
func (s Size) Followees(user int64) []int64 {
	if user == s.Star() {
		return nil
	}
	r := s.rand(user, streamFollows)
	wanted := s.wanted(user, r)
	crowd := s.Crowd()
	seen := make(map[int64]bool, wanted)
	out := make([]int64, 0, wanted+1)
	for len(out) < wanted {
		span := float64(crowd.Last - crowd.First + 1)
		id := crowd.First + int64(span*math.Pow(r.Float64(), skew))
		if id != user && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if s.followsStar(user) {
		out = append(out, s.Star())
	}
	return out
}

// followsStar returns whether the user follows the star.
func (s Size) followsStar(user int64) bool {
	crowd := s.Crowd()
	return user >= crowd.First && user < crowd.First+s.Followers && user <= crowd.Last
}

// StarFollowers returns the ids of the star's followers in ascending order.
func (s Size) StarFollowers() []int64 {
	crowd := s.Crowd()
	last := min(crowd.Last, crowd.First+s.Followers-1)
	return Cohort{First: crowd.First, Last: last}.Users()
}

// usersMin is the minimum number of users. It keeps the cohorts a small part of all users.
const usersMin = 1000

// Check returns an error if a size is out of range.
func (s Size) Check() error {
	switch {
	case s.Users < usersMin:
		return fmt.Errorf("a network needs at least %d users, not %d", usersMin, s.Users)
	case s.Last() >= usersMax:
		return fmt.Errorf("a network has fewer than %d users, not %d", usersMax, s.Last())
	case s.Follows < 1 || s.Follows > FollowsMax:
		return fmt.Errorf("users follow from 1 to %d others, not %d", FollowsMax, s.Follows)
	case s.Posts < 0 || s.Posts > slots:
		return fmt.Errorf("users publish from 0 to %d posts, not %d", slots, s.Posts)
	case s.Followers < 0 || s.Followers > s.Crowd().Last-s.Crowd().First+1:
		return fmt.Errorf("%d users cannot follow the star of so small a network", s.Followers)
	}
	return nil
}
