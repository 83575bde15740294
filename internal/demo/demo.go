// Package demo makes the data of a first start: a small network with a few popular stars, and two
// weeks of posts, comments, reposts, likes and live sessions, the same for a seed and time.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Size is the amount of data.
type Size struct {
	// Stars is the number of users who are stars.
	Users, Stars int
	// Follows is the average number of ordinary users that a user follows.
	Follows int
	// Posts includes comments, about a third.
	Posts int
	// Likes includes favorites.
	Likes int
	// Replays is the number of ended live sessions; a few more are live or upcoming.
	Replays int
	// Span is how long ago the first post was published.
	Span time.Duration
}

// DefaultSize takes about a second to make.
func DefaultSize() Size {
	return Size{Users: 300, Stars: 3, Follows: 25, Posts: 6000, Likes: 12000, Replays: 60, Span: 14 * 24 * time.Hour}
}

// Stores receive the data.
type Stores interface {
	feed.Applier
	feed.Audience
	// MarkDemo records that the database has demo data.
	MarkDemo(ctx context.Context) error
}

// Make stores demo data that ends at now, and marks the stars as selective, so that feeds show push
// and pull although the stars are too small for it. All users are active for activeFor.
func Make(ctx context.Context, to Stores, size Size, now time.Time, activeFor time.Duration, seed uint64) error {
	g := &generator{size: size, now: now, rng: rand.New(rand.NewPCG(seed, 1))}
	for _, batch := range [][]feed.Record{g.users(), g.follows(), g.postRecords(), g.reactions(), g.sessions()} {
		res, err := to.Apply(ctx, feed.Batch{Records: batch, ActiveFor: activeFor})
		if err != nil {
			return fmt.Errorf("store the demo data: %w", err)
		}
		if len(res.Bad) > 0 {
			return fmt.Errorf("store the demo data: a record was refused: %s", res.Bad[0].Reason)
		}
	}
	for star := 1; star <= size.Stars; star++ {
		if err := to.RaiseFlag(ctx, feed.UserID(star), feed.FlagSelective, feed.FlagThreshold); err != nil {
			return fmt.Errorf("mark the demo's big-Vs: %w", err)
		}
	}
	return to.MarkDemo(ctx)
}

// Users returns the demo users for sign-in: one star and a few followers.
func Users(size Size) []feed.UserID {
	out := []feed.UserID{1}
	for id := size.Stars + 1; id <= size.Users && len(out) < 8; id++ {
		out = append(out, feed.UserID(id))
	}
	return out
}

type generator struct {
	size Size
	now  time.Time
	rng  *rand.Rand
	// posts are the posts so far, oldest first.
	posts []*feed.Post
}

func (g *generator) start() time.Time { return g.now.Add(-g.size.Span) }

func (g *generator) users() []feed.Record {
	var out []feed.Record
	for id := 1; id <= g.size.Users; id++ {
		u := feed.User{ID: feed.UserID(id), CreatedAt: feed.Millis(g.start().Add(-time.Duration(g.size.Users-id) * time.Hour))}
		u.Handle, u.Name = g.name(id)
		out = append(out, feed.Record{User: &feed.UserRecord{User: u, LastSeenAt: feed.Millis(g.now)}})
	}
	return out
}

// name returns handle and name of a user; stars are star1, star2 and so on.
func (g *generator) name(id int) (handle, name string) {
	if id <= g.size.Stars {
		return fmt.Sprintf("star%d", id), fmt.Sprintf("%s Daily", topics[id%len(topics)].title)
	}
	a, b := colours[g.rng.IntN(len(colours))], animals[g.rng.IntN(len(animals))]
	return fmt.Sprintf("%s_%s%d", strings.ToLower(a), strings.ToLower(b), id), a + " " + b
}

func (g *generator) follows() []feed.Record {
	var out []feed.Record
	at := feed.Millis(g.start())
	for id := 1; id <= g.size.Users; id++ {
		seen := map[int]bool{id: true}
		add := func(followee int) {
			if !seen[followee] {
				seen[followee] = true
				at++
				out = append(out, feed.Record{Follow: &feed.FollowRecord{Follower: feed.UserID(id), Followee: feed.UserID(followee), CreatedAt: at}})
			}
		}
		for star := 1; star <= g.size.Stars; star++ {
			if g.rng.IntN(10) > 0 {
				add(star)
			}
		}
		for range g.rng.IntN(2*g.size.Follows + 1) {
			add(1 + g.rng.IntN(g.size.Users))
		}
	}
	return out
}

// postRecords returns posts at equal intervals, oldest first, because comments and reposts need
// older posts. Their ids have another order.
func (g *generator) postRecords() []feed.Record {
	var out []feed.Record
	step := g.size.Span / time.Duration(g.size.Posts+1)
	for n, no := range g.rng.Perm(g.size.Posts) {
		p := &feed.Post{
			ID:          feed.PostID(1000 + no),
			Author:      g.author(),
			Kind:        feed.KindPost,
			Text:        g.text(),
			PublishedAt: feed.Millis(g.start().Add(time.Duration(n+1) * step)),
		}
		switch dice := g.rng.IntN(10); {
		case len(g.posts) < 20:
		case dice < 3:
			p.Kind, p.ReplyTo, p.Text = feed.KindComment, g.recent().ID, replies[g.rng.IntN(len(replies))]
		case dice < 4:
			if of := g.recent(); of.Kind == feed.KindPost {
				p.Kind, p.RepostOf, p.Text = feed.KindRepost, of.ID, ""
			}
		}
		g.posts = append(g.posts, p)
		out = append(out, feed.Record{Post: p})
	}
	return out
}

func (g *generator) author() feed.UserID {
	if g.size.Stars > 0 && g.rng.IntN(10) == 0 {
		return feed.UserID(1 + g.rng.IntN(g.size.Stars))
	}
	return feed.UserID(1 + g.rng.IntN(g.size.Users))
}

func (g *generator) recent() *feed.Post {
	n := min(len(g.posts), 200)
	return g.posts[len(g.posts)-1-g.rng.IntN(n)]
}

func (g *generator) reactions() []feed.Record {
	var out []feed.Record
	type reaction struct {
		kind feed.Reaction
		user feed.UserID
		post feed.PostID
	}
	seen := map[reaction]bool{}
	for range g.size.Likes {
		p := g.posts[g.rng.IntN(len(g.posts))]
		r := reaction{feed.ReactionLike, feed.UserID(1 + g.rng.IntN(g.size.Users)), p.ID}
		if g.rng.IntN(5) == 0 {
			r.kind = feed.ReactionFavorite
		}
		if !seen[r] {
			seen[r] = true
			out = append(out, feed.Record{Reaction: &feed.ReactionRecord{Reaction: r.kind, User: r.user, Post: r.post, CreatedAt: p.PublishedAt}})
		}
	}
	return out
}

func (g *generator) text() string {
	t := topics[g.rng.IntN(len(topics))]
	return fmt.Sprintf(openers[g.rng.IntN(len(openers))], t.things[g.rng.IntN(len(t.things))])
}
