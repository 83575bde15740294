package feedtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/tideline-feeds/tideline/feed"
)

// The size of the random networks.
const (
	carriedUsers = 9
	carriedPosts = 60
)

// exportRoundTrips exports random networks with a history of changes and imports them into other
// stores. It checks that all visible data is the same.
func exportRoundTrips(s storeSuite) {
	for seed := range uint64(4) {
		var want view
		var first []feed.Record
		s.empty(fmt.Sprintf("import the export of network %d", seed), func(w *world) {
			w.network(seed)
			want, first = w.view(), w.exports()
		})
		s.empty(fmt.Sprintf("all feeds, counters and relations of network %d survive", seed), func(w *world) {
			w.same("the result", w.imports(records(first...)), feed.Applied{Stored: len(first)})
			w.same("the visible data", w.view(), want)
			w.exportIs(first...)
		})
	}
}

// absentRoundTrip exports absent users. In the other store they are absent, too.
func absentRoundTrip(s storeSuite) {
	var list []feed.Record
	s.empty("export absent users", func(w *world) {
		w.ingest(profileRecord(ann, "ann", "Ann"), userRecord(bob), followRecord(bob, ann), postRecord(1, ann), followRecord(bob, cem))
		w.ingest(gone(profileRecord(ann, "", "")))
		list = w.exports()
	})
	s.empty("import absent users", func(w *world) {
		again := batchOf(list)
		again.Bulk = true
		w.same("bad records", w.ingests(again).Bad, []feed.BadRecord(nil))
		w.exportIs(list...)
		w.same("the feed of a follower", len(w.feedOf(bob)), 0)
		r := must(w.Sources.ReportSources(w.ctx))
		w.same("the absent users", []any{r.Absent.Awaited, r.Absent.TakenBack, r.Absent.Oldest[0].ID}, []any{1, 1, cem})
		w.same("what changes at the second time", len(w.ingests(again).Posts)+len(w.ingests(again).Users), 0)
		got := w.imports(list)
		w.same("records of absent users where no source owns users", got.Bad, []feed.BadRecord{
			{Line: list[0].Line, Reason: `the field "absent": only where a source owns users can a user be absent`},
			{Line: list[2].Line, Reason: `the field "absent": only where a source owns users can a user be absent`},
		})
		w.ingest(profileRecord(ann, "ann", "Ann"))
		w.same("the feed after a return", len(w.feedOf(bob)), 1)
	})
}

// network makes users with all relations, posts and reactions, and undoes some of each. The ids of
// posts are independent of their order.
func (w *world) network(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 11))
	someone := func() feed.UserID { return feed.UserID(1 + rng.IntN(carriedUsers)) }
	for id := range feed.UserID(carriedUsers) {
		w.imports(records(userRecord(id + 1)))
	}
	var ids []feed.PostID
	for _, n := range rng.Perm(carriedPosts) {
		id, at := feed.PostID(n+1), noon+int64(rng.IntN(carriedPosts/2))
		if len(ids) == 0 {
			w.post(id, someone(), at)
		} else {
			parent := ids[rng.IntN(len(ids))]
			r := []feed.Record{postRecord(id, someone()), commentRecord(id, someone(), parent), repostRecord(id, someone(), parent)}[rng.IntN(3)]
			r.Post.PublishedAt = at
			w.Import(w.ctx, records(r)) //nolint:errcheck // A chain of reposts that is too long is refused.
		}
		ids = append(ids, id)
	}
	for range 6 * carriedUsers {
		a, b, on := someone(), someone(), rng.IntN(3) > 0
		post := ids[rng.IntN(len(ids))]
		if a != b {
			w.follow(a, b)
			w.relate(relationKinds()[rng.IntN(3)], a, b, on && rng.IntN(3) == 0)
		}
		if !on && a != b {
			w.unfollow(a, b)
		}
		// A refused or deleted post accepts no reaction.
		_ = w.PostWriter.React(w.ctx, feed.ReactionLike, a, post, noon)
		_ = w.PostWriter.React(w.ctx, feed.ReactionFavorite, b, post, noon)
		if rng.IntN(4) == 0 {
			w.delete(post)
		}
	}
	check(w.Profiles.DeleteAccount(w.ctx, someone(), noon+hour))
	w.purge(many)
}

// view is all data that any user may see, without deleted posts.
type view struct {
	Users     []*feed.User
	Of        []feed.UserCounters
	Feeds     map[feed.UserID][]feed.Key
	Outboxes  map[feed.UserID][]feed.Key
	Following map[feed.UserID][]feed.Key
	Edges     map[feed.UserID][]feed.Edge
	Posts     map[feed.PostID]seen
}

// seen is the visible data of one post.
type seen struct {
	Post      *feed.Post
	Counters  feed.PostCounters
	Comments  []feed.Key
	Reactions map[feed.UserID]feed.ViewerReactions
}

func (w *world) view() view {
	var users []feed.UserID
	for id := range feed.UserID(carriedUsers) {
		users = append(users, id+1)
	}
	v := view{
		Users: w.usersOf(users...), Feeds: map[feed.UserID][]feed.Key{}, Outboxes: map[feed.UserID][]feed.Key{},
		Following: map[feed.UserID][]feed.Key{}, Edges: map[feed.UserID][]feed.Edge{}, Posts: map[feed.PostID]seen{},
	}
	for _, id := range users {
		v.Of = append(v.Of, w.userCounters(id))
		v.Feeds[id], v.Outboxes[id] = w.feedOf(id), w.outbox([]feed.UserID{id})
		v.Following[id], v.Edges[id] = w.following(id), w.edges(id, users...)
	}
	for id := range feed.PostID(carriedPosts) {
		if p := w.postsOf(id + 1)[0]; p != nil && p.DeletedAt == 0 {
			s := seen{Post: p, Counters: w.postCounters(p.ID), Comments: w.comments(p.ID), Reactions: map[feed.UserID]feed.ViewerReactions{}}
			for _, viewer := range users {
				s.Reactions[viewer] = w.reactionsOf(viewer, p.ID)
			}
			v.Posts[p.ID] = s
		}
	}
	return v
}
