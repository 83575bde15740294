package feedtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// exporterPromises checks the promises of [feed.Exporter].
func exporterPromises(s storeSuite) {
	s.empty("records of every type are exported as they were imported, in the documented order", func(w *world) {
		w.exportIs()
		edited := postRecord(12, cem)
		edited.Post.EditedAt, edited.Post.Media, edited.Post.PublishedAt = noon, []string{"relative/a.png", "https://b.example/"}, 0
		edited.Post.Custom = custom
		w.imports(append(sampleRecords(), records(edited, relationRecord(feed.RelationMute, bob, cem), reactionRecord(feed.ReactionLike, cem, 10))...))
		w.exportIs(
			userRecord(ann), userRecord(bob), userRecord(cem),
			followRecord(ann, bob), followRecord(ann, cem), followRecord(bob, ann),
			// The comment with id 9 is on post 10.
			postRecord(10, bob), commentRecord(9, cem, 10), postRecord(11, cem), edited, repostRecord(100, ann, 10),
			reactionRecord(feed.ReactionFavorite, ann, 9),
			reactionRecord(feed.ReactionLike, ann, 10), reactionRecord(feed.ReactionLike, cem, 10),
			relationRecord(feed.RelationBlock, bob, cem), relationRecord(feed.RelationMute, bob, ann), relationRecord(feed.RelationMute, bob, cem),
			relationRecord(feed.RelationHide, cem, bob),
		)
	})
	s.promise("a post comes after the post that it comments on or reposts, whatever the ids are", func(w *world) {
		w.post(9, ann, noon)
		w.comment(7, ann, noon-1, 9)
		w.repost(8, ann, noon-2, 7)
		w.comment(2, ann, noon-3, 8)
		w.comment(1, ann, noon-4, 7)
		w.repost(10, ann, noon-5, 2)
		w.post(5, ann, noon)
		w.comment(6, ann, noon, 5)
		w.same("the order of exported posts", w.order(), []feed.PostID{9, 7, 1, 8, 2, 5, 6, 10})
	})
	s.empty("a deleted post keeps only its id, author, kind, time and references", func(w *world) {
		w.imports(sampleRecords())
		w.imports(records(followRecord(cem, bob), reactionRecord(feed.ReactionFavorite, bob, 100)))
		must(w.PostWriter.Edit(w.ctx, 10, feed.PostEdit{Text: new("edited"), At: noon + 1}))
		w.delete(10, 100)
		deletedPost, repost := postRecord(10, bob), repostRecord(100, ann, 10)
		for _, p := range []*feed.Post{deletedPost.Post, repost.Post} {
			p.Text, p.Media, p.OtherMedia, p.Language, p.DeletedAt = "", nil, 0, "", noon+hour
		}
		var posts, reactions []feed.Record
		for _, r := range w.exports() {
			switch {
			case r.Post != nil:
				posts = append(posts, r)
			case r.Reaction != nil:
				reactions = append(reactions, r)
			}
		}
		w.same("the posts", posts, []feed.Record{deletedPost, commentRecord(9, cem, 10), postRecord(11, cem), repost})
		w.same("the reactions", reactions, []feed.Record{reactionRecord(feed.ReactionFavorite, ann, 9)})
	})
	s.empty("a deleted account keeps only its id, purged or not", func(w *world) {
		w.imports(sampleRecords())
		w.imports(records(postRecord(12, bob), reactionRecord(feed.ReactionLike, bob, 11), reactionRecord(feed.ReactionLike, ann, 12)))
		check(w.Profiles.DeleteAccount(w.ctx, bob, noon+hour))
		deletedRecord, deletedPost, other := userRecord(bob), postRecord(10, bob), postRecord(12, bob)
		deletedRecord.User = &feed.UserRecord{User: feed.User{ID: bob, CreatedAt: noon}, DeletedAt: noon + hour}
		for _, p := range []*feed.Post{deletedPost.Post, other.Post} {
			p.Text, p.Media, p.OtherMedia, p.Language, p.DeletedAt = "", nil, 0, "", noon+hour
		}
		left := []feed.Record{
			userRecord(ann), deletedRecord, userRecord(cem), followRecord(ann, cem),
			deletedPost, commentRecord(9, cem, 10), postRecord(11, cem), other, repostRecord(100, ann, 10),
			reactionRecord(feed.ReactionFavorite, ann, 9),
		}
		w.exportIs(left...)
		for more := true; more; {
			more = must(w.Profiles.PurgeDeleted(w.ctx, 1))
			w.exportIs(left...)
		}
	})
	s.empty("an edited post has its new text and edit time", func(w *world) {
		w.user(ann)
		w.post(1, ann, noon)
		edited := must(w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Text: new("new"), At: noon + 1}))
		w.exportIs(feed.Record{User: &feed.UserRecord{User: *newUser(ann)}}, feed.Record{Post: edited})
	})
	s.promise("ended relations and reactions, relations to oneself and coverage flags are not exported", func(w *world) {
		w.post(1, bob, noon)
		before := w.exports()
		w.follow(ann, bob)
		w.unfollow(ann, bob)
		w.relate(feed.RelationMute, ann, bob, true)
		w.relate(feed.RelationMute, ann, bob, false)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 1, noon))
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 1))
		w.follow(ann, ann)
		w.relate(feed.RelationBlock, ann, ann, true)
		w.raiseFlag(feed.FlagUnpushed, ann)
		w.exportIs(before...)
	})
	s.empty("a relation or reaction set twice has the time of the first call", func(w *world) {
		w.imports(records(userRecord(ann), userRecord(bob), postRecord(1, ann)))
		for _, at := range []int64{noon, noon + hour} {
			check(w.Follows.Follow(w.ctx, ann, bob, at, many, feed.FollowChoice{}))
			check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, at))
			mute := relationRecord(feed.RelationMute, bob, ann)
			mute.Relation.CreatedAt = at
			check(w.SetRelation(w.ctx, *mute.Relation, true))
		}
		w.exportIs(userRecord(ann), userRecord(bob), followRecord(ann, bob), postRecord(1, ann),
			reactionRecord(feed.ReactionLike, bob, 1), relationRecord(feed.RelationMute, bob, ann))
	})
	s.empty("changes during an export do not appear in it", func(w *world) {
		w.imports(sampleRecords())
		before := w.exports()
		var during []feed.Record
		check(w.Exporter.Export(w.ctx, func(r feed.Record) error {
			if len(during) == 0 {
				w.user(dee)
				w.follow(cem, ann)
				w.post(77, ann, noon)
				w.delete(10)
				check(w.PostWriter.React(w.ctx, feed.ReactionLike, cem, 9, noon))
				w.relate(feed.RelationMute, bob, ann, false)
			}
			during = append(during, r)
			return nil
		}))
		w.same("the export during which the changes happened", during, before)
		after := w.exports()
		w.failIf(len(after) != len(before)+2,
			"%d records are exported afterwards, want %d: three more, two fewer, and one like more", len(after), len(before)+2)
	})
	s.empty("an error of emit ends the export and is returned", func(w *world) {
		w.imports(sampleRecords())
		for stopAt := range len(sampleRecords()) {
			enough, n := errors.New("enough"), 0
			err := w.Exporter.Export(w.ctx, func(feed.Record) error {
				if n++; n > stopAt {
					return enough
				}
				return nil
			})
			w.failIf(!errors.Is(err, enough) || n != stopAt+1,
				"emit failed at record %d: Export returned %v after %d records, want the error of emit and no more records", stopAt, err, n)
		}
	})
	s.empty("counters of a source come last, and an import of them keeps inboxes", func(w *world) {
		list := records(
			userRecord(ann),
			userCountersRecord(ann, feed.UserCounters{Followers: 3}), userCountersRecord(cem, feed.UserCounters{}),
			postCountersRecord(9, feed.PostCounters{Likes: 1}), postCountersRecord(10, feed.PostCounters{Reposts: 2}),
		)
		shuffled := records(list[4], list[2], list[3], list[0], list[1])
		w.ingest(shuffled...)
		w.exportIs(list...)
		before := w.generation()
		b := batchOf([]feed.Record{postCountersRecord(9, feed.PostCounters{Likes: 2})})
		w.same("an import", must(w.Applier.Apply(w.ctx, b.Batch)).Updated[0].Fields, []string{"likes"})
		w.same("the counters", w.sourcePostCounters(9), feed.PostCounters{Likes: 2})
		w.same("the generation after an import of counters", w.generation(), before)
	})
	exportRoundTrips(s)
	absentRoundTrip(s)
}

// exported returns all records of an export.
func exported(ctx context.Context, from feed.Exporter) ([]feed.Record, error) {
	var out []feed.Record
	err := from.Export(ctx, func(r feed.Record) error {
		out = append(out, r)
		return nil
	})
	return out, err
}

func (w *world) exports() []feed.Record { return must(exported(w.ctx, w.Exporter)) }

// exportIs compares an export with records. It ignores their line numbers.
func (w *world) exportIs(want ...feed.Record) { w.same("the export", w.exports(), unnumbered(want)) }

func unnumbered(rs []feed.Record) []feed.Record {
	rs = slices.Clone(rs)
	for i := range rs {
		rs[i].Line = 0
	}
	return rs
}

// order returns the ids of exported posts in order.
func (w *world) order() []feed.PostID {
	var ids []feed.PostID
	for _, r := range w.exports() {
		if r.Post != nil {
			ids = append(ids, r.Post.ID)
		}
	}
	return ids
}

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
	users := upTo(feed.UserID(carriedUsers))
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
