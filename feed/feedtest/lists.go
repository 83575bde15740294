package feedtest

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// outboxesPromises checks the promises of [feed.Outboxes].
func outboxesPromises(s storeSuite) {
	s.promise("an outbox is read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.trickyPosts(ann, bob)
		w.post(77, dee, noon+5)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Outboxes.Outbox(w.ctx, 0, []feed.UserID{ann, bob}, r) })
	})
	s.promise("the outboxes of several authors are merged, each author once; no authors give no keys", func(w *world) {
		a := w.post(1, ann, noon)
		b := w.comment(2, bob, noon+1, 1)
		c := w.repost(3, ann, noon+2, 1)
		w.post(4, cem, noon+3)
		w.same("both outboxes", w.outbox([]feed.UserID{bob, ann, dee}), []feed.Key{c, b, a})
		w.same("one outbox", w.outbox([]feed.UserID{ann}), []feed.Key{c, a})
		w.same("an outbox named twice", w.outbox([]feed.UserID{ann, bob, ann}), []feed.Key{c, b, a})
		w.same("the outbox of no author", w.outbox(nil), []feed.Key(nil))
		w.same("the outbox of an unknown user", w.outbox([]feed.UserID{12345}), []feed.Key(nil))
	})
	s.promise("kinds filter an outbox before the limit applies", func(w *world) {
		post := w.post(1, ann, noon)
		comment := w.comment(2, ann, noon+1, 1)
		repost := w.repost(3, ann, noon+2, 1)
		of := []feed.UserID{ann}
		w.same("posts", w.outbox(of, feed.KindPost), []feed.Key{post})
		w.same("comments", w.outbox(of, feed.KindComment), []feed.Key{comment})
		w.same("reposts and posts", w.outbox(of, feed.KindRepost, feed.KindPost), []feed.Key{repost, post})
		one := feed.Range{Below: feed.Top, Limit: 1, Filter: feed.OfKinds(feed.KindPost)}
		w.same("the newest post", must(w.Outboxes.Outbox(w.ctx, 0, of, one)), []feed.Key{post})
	})
	s.promise("deleted posts are omitted and do not count towards the limit, and their reposts stay", func(w *world) {
		w.post(1, bob, noon)
		repost := w.repost(2, ann, noon, 1)
		w.delete(1)
		w.post(3, ann, noon+1)
		w.delete(3)
		keys := must(w.Outboxes.Outbox(w.ctx, 0, []feed.UserID{ann}, feed.Range{Below: feed.Top, Limit: 1}))
		w.same("the newest post", keys, []feed.Key{repost})
		w.same("the outbox", w.outbox([]feed.UserID{ann, bob}), []feed.Key{repost})
	})
}

// outbox returns all keys of the authors' outboxes with these kinds.
func (w *world) outbox(authors []feed.UserID, kinds ...feed.Kind) []feed.Key {
	r := all()
	r.Filter = feed.OfKinds(kinds...)
	return must(w.Outboxes.Outbox(w.ctx, 0, authors, r))
}

// listsPromises checks the promises of [feed.Lists].
func listsPromises(s storeSuite) {
	s.promise("an outbox is read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.trickyPosts(ann, ann)
		w.post(77, dee, noon+5)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.readList(w.ctx, feed.OutboxRef(ann), r) })
	})
	s.promise("comments are read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.post(500, cem, noon)
		for i, k := range trickyKeys() {
			w.comment(feed.PostID(k.ID), []feed.UserID{ann, bob}[i%2], k.TS, 500)
		}
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.readList(w.ctx, feed.CommentsRef(500), r) })
	})
	s.promise("comments are direct and exist: neither comments on comments, nor reposts, nor deleted ones", func(w *world) {
		w.post(1, ann, noon)
		w.same("the comments on a post without comments", w.comments(1), []feed.Key(nil))
		w.same("the comments on an unknown post", w.comments(7), []feed.Key(nil))
		c := w.comment(2, bob, noon+1, 1)
		w.comment(3, ann, noon+2, 2)
		w.repost(4, cem, noon+3, 1)
		w.comment(5, bob, noon+1, 1)
		w.delete(5)
		w.same("the comments", w.comments(1), []feed.Key{c})
	})
	s.promise("lists read together equal lists read alone, and outboxes of one author", func(w *world) {
		w.post(500, cem, noon)
		for i, k := range trickyKeys() {
			id := feed.PostID(k.ID)
			w.comment(id, []feed.UserID{ann, bob}[i%2], k.TS, 500)
			w.post(id+1000, []feed.UserID{bob, ann}[i%2], k.TS)
		}
		var lists []feed.List
		for _, ref := range []feed.FeedRef{feed.OutboxRef(ann), feed.CommentsRef(500), feed.OutboxRef(bob), feed.OutboxRef(12345), feed.CommentsRef(7), feed.OutboxRef(ann)} {
			for i, k := range trickyKeys() {
				r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1 + i, Ascending: i%2 == 0}.After(k)
				if i%3 == 0 {
					r.Filter = feed.OfKinds(feed.KindPost)
				}
				lists = append(lists, feed.List{Ref: ref, Range: r})
			}
		}
		found := must(w.Lists.ReadLists(w.ctx, lists))
		for i, l := range lists {
			alone := must(w.readList(w.ctx, l.Ref, l.Range))
			w.same("a list read with others", found[i], alone)
			if l.Ref.Kind == feed.FeedOutbox {
				w.same("an outbox read as a list", alone, must(w.Outboxes.Outbox(w.ctx, 0, []feed.UserID{l.Ref.Author}, l.Range)))
			}
		}
		w.same("the number of results for no lists", len(must(w.Lists.ReadLists(w.ctx, nil))), 0)
	})
}

// readList reads one list by itself.
func (s Stores) readList(ctx context.Context, ref feed.FeedRef, r feed.Range) ([]feed.Key, error) {
	found, err := s.Lists.ReadLists(ctx, []feed.List{{Ref: ref, Range: r}})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// comments returns all comments on a post.
func (w *world) comments(post feed.PostID) []feed.Key {
	return must(w.readList(w.ctx, feed.CommentsRef(post), all()))
}

// referencePromises checks the promises of [feed.Reference].
func referencePromises(s storeSuite) {
	s.promise("a feed has the posts of the viewer and of followed users only", func(w *world) {
		w.follow(ann, bob, cem)
		w.follow(dee, ann)
		a := w.post(1, ann, noon)
		b := w.post(2, bob, noon+1)
		w.post(3, dee, noon+2)
		c := w.comment(4, cem, noon+3, 3)
		w.same("ann's feed", w.feedOf(ann), []feed.Key{c, b, a})
		w.same("bob's feed", w.feedOf(bob), []feed.Key{b})
	})
	s.promise("the feed of the anonymous viewer, and of a user without posts and follows, is empty", func(w *world) {
		w.post(1, ann, noon)
		w.same("the anonymous viewer's feed", w.feedOf(0), []feed.Key(nil))
		w.same("bob's feed", w.feedOf(bob), []feed.Key(nil))
		w.same("the feed of an unknown user", w.feedOf(12345), []feed.Key(nil))
	})
	s.promise("a feed is read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.follow(ann, bob)
		w.trickyPosts(ann, bob)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Reference.Feed(w.ctx, ann, feed.HomeAuthors, r) })
	})
	s.promise("kinds filter a feed before the limit applies", func(w *world) {
		w.follow(ann, bob)
		post := w.post(1, ann, noon)
		comment := w.comment(2, bob, noon+1, 1)
		repost := w.repost(3, bob, noon+2, 1)
		for _, c := range []struct {
			filter feed.Filter
			limit  int
			want   []feed.Key
		}{
			{feed.Filter{}, 9, []feed.Key{repost, comment, post}},
			{feed.OfKinds(feed.KindPost), 1, []feed.Key{post}},
			{feed.OfKinds(feed.KindComment), 9, []feed.Key{comment}},
			{feed.OfKinds(feed.KindPost, feed.KindRepost), 9, []feed.Key{repost, post}},
		} {
			keys := must(w.Reference.Feed(w.ctx, ann, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: c.limit, Filter: c.filter}))
			w.same("the feed", keys, c.want)
		}
	})
	s.promise("media and languages filter a feed, outboxes and comments", func(w *world) {
		w.follow(ann, bob)
		add := func(id feed.PostID, at int64, media []string, language string) feed.Key {
			p := newComment(id, bob, at, 1)
			p.Media, p.OtherMedia, p.Language = media, 0, language
			return w.publish(p)
		}
		post := w.post(1, ann, noon)
		bare, unknown := add(2, noon+1, nil, "EN-gb"), add(3, noon+2, nil, "")
		english, private := add(4, noon+3, []string{"https://example.org/a"}, "en"), add(5, noon+4, nil, "x-en")
		for _, c := range []struct {
			name     string
			filter   feed.Filter
			of, feed []feed.Key
		}{
			{"with media", feed.Filter{}.WithMedia(true), []feed.Key{english}, []feed.Key{english, post}},
			{"without media", feed.Filter{}.WithMedia(false), []feed.Key{private, unknown, bare}, []feed.Key{private, unknown, bare}},
			{"in English", feed.Filter{}.InLanguages("en-US"), []feed.Key{english, unknown, bare}, []feed.Key{english, unknown, bare}},
			{"in Portuguese or Filipino", feed.Filter{}.InLanguages("fil", "pt"), []feed.Key{unknown}, []feed.Key{unknown, post}},
			{"in English with media", feed.Filter{}.InLanguages("en").WithMedia(true), []feed.Key{english}, []feed.Key{english}},
		} {
			r := feed.Range{Below: feed.Top, Limit: 9, Filter: c.filter}
			w.same("the feed "+c.name, must(w.Reference.Feed(w.ctx, ann, feed.HomeAuthors, r)), c.feed)
			w.same("the outbox "+c.name, must(w.Outboxes.Outbox(w.ctx, 0, []feed.UserID{bob}, r)), c.of)
			read := must(w.Lists.ReadLists(w.ctx, []feed.List{{Ref: feed.CommentsRef(1), Range: r}, {Ref: feed.OutboxRef(bob), Range: r}}))
			w.same("the comments and the outbox "+c.name, read, [][]feed.Key{c.of, c.of})
		}
	})
	s.promise("deleted posts are omitted and do not count towards the limit", func(w *world) {
		w.follow(ann, bob)
		a := w.post(1, ann, noon)
		w.post(2, bob, noon+1)
		w.post(3, ann, noon+2)
		w.delete(2, 3)
		w.same("the top of the feed", must(w.Reference.Feed(w.ctx, ann, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: 1})), []feed.Key{a})
	})
	s.promise("a follow adds an author's earlier posts, and an unfollow removes them", func(w *world) {
		b := w.post(1, bob, noon-hour)
		w.follow(ann, bob)
		w.same("the feed while following", w.feedOf(ann), []feed.Key{b})
		w.unfollow(ann, bob)
		w.same("the feed after unfollowing", w.feedOf(ann), []feed.Key(nil))
		w.follow(ann, bob)
		w.same("the feed after following again", w.feedOf(ann), []feed.Key{b})
	})
	s.promise("relations that hide a followee's posts, and those that do not", func(w *world) {
		w.follow(ann, bob, cem)
		a := w.post(1, ann, noon)
		b := w.post(2, bob, noon+1)
		c := w.post(3, cem, noon+2)
		w.eachRelation([]feed.Key{c, b, a}, []feed.Key{c, a})
	})
	s.promise("a repost is visible if its original is", func(w *world) {
		w.follow(ann, cem)
		w.post(1, bob, noon)
		w.post(2, ann, noon+1)
		own := w.repost(3, ann, noon+2, 1)
		others := w.repost(4, cem, noon+3, 1)
		mine := w.repost(5, cem, noon+4, 2)
		a := feed.Key{TS: noon + 1, ID: 2}
		w.eachRelation([]feed.Key{mine, others, own, a}, []feed.Key{mine, a})
		w.delete(1)
		w.same("the feed after the original is deleted", w.feedOf(ann), []feed.Key{mine, a})
		w.delete(2)
		w.same("the feed after ann's original is deleted", w.feedOf(ann), []feed.Key(nil))
	})
	s.promise("a repost of a repost is visible if the whole chain is", func(w *world) {
		w.follow(ann, cem)
		w.post(1, dee, noon)
		w.repost(2, bob, noon+1, 1)
		chain := w.repost(3, cem, noon+2, 2)
		w.repost(4, dee, noon+3, 3)
		longest := w.repost(5, cem, noon+4, 4)
		w.eachRelation([]feed.Key{longest, chain}, nil)
		w.delete(4)
		w.same("the feed after the upper link is deleted", w.feedOf(ann), []feed.Key{chain})
		w.delete(1)
		w.same("the feed after the root is deleted", w.feedOf(ann), []feed.Key(nil))
	})
	s.promise("a comment stays visible after its post is deleted", func(w *world) {
		w.follow(ann, cem)
		w.post(1, bob, noon)
		c := w.comment(2, cem, noon+1, 1)
		w.eachRelation([]feed.Key{c}, []feed.Key{c})
		w.delete(1)
		w.same("the feed after the parent is deleted", w.feedOf(ann), []feed.Key{c})
	})
}

// relationCase is one relation between ann, the viewer, and bob, the author.
type relationCase struct {
	kind         feed.RelationKind
	user, target feed.UserID
	hides        bool
}

func relationCases() []relationCase {
	return []relationCase{
		{feed.RelationMute, ann, bob, true},
		{feed.RelationMute, bob, ann, false},
		{feed.RelationHide, ann, bob, false},
		{feed.RelationHide, bob, ann, true},
		{feed.RelationBlock, ann, bob, true},
		{feed.RelationBlock, bob, ann, true},
	}
}

// eachRelation reads ann's feed while each relation exists and after its end. whole is the feed
// without relations. hidden is the feed without bob's posts.
func (w *world) eachRelation(whole, hidden []feed.Key) {
	w.same("the feed without relations", w.feedOf(ann), whole)
	for _, c := range relationCases() {
		want := whole
		if c.hides {
			want = hidden
		}
		w.relate(c.kind, c.user, c.target, true)
		what := string(c.kind) + " of " + c.target.String() + " by " + c.user.String()
		w.same("the feed during the "+what, w.feedOf(ann), want)
		w.relate(c.kind, c.user, c.target, false)
		w.same("the feed after the "+what, w.feedOf(ann), whole)
	}
}

// coveragePromises checks the promises of [feed.Coverage].
func coveragePromises(s storeSuite) {
	s.promise("an inbox covers followed authors, whatever the other relations, but never the viewer", func(w *world) {
		w.follow(ann, bob, cem)
		w.follow(dee, ann)
		w.post(1, ann, noon)
		b := w.post(2, bob, noon+1)
		w.post(3, dee, noon+2)
		c := w.repost(4, cem, noon+3, 3)
		d := w.comment(5, cem, noon+4, 3)
		for _, r := range relationCases() {
			w.relate(r.kind, r.user, r.target, true)
		}
		w.delete(3)
		w.same("the covered keys", w.covered(ann), []feed.Key{d, c, b})
		w.same("the covered keys of the anonymous viewer", w.covered(0), []feed.Key(nil))
		w.same("the covered keys of an unknown viewer", w.covered(12345), []feed.Key(nil))
		w.follow(ann, ann)
		w.same("the covered keys of a viewer who follows themselves", w.covered(ann), []feed.Key{d, c, b})
		w.unfollow(ann, cem)
		w.same("the covered keys after an unfollow", w.covered(ann), []feed.Key{b})
	})
	s.promise("unpushed authors and deleted posts are omitted and do not count towards the limit", func(w *world) {
		w.follow(ann, bob, cem)
		w.post(1, bob, noon)
		w.post(2, cem, noon)
		c := w.post(3, cem, noon-1)
		w.raiseFlag(feed.FlagUnpushed, bob)
		w.raiseFlag(feed.FlagSelective, cem)
		w.delete(2)
		for _, s := range []feed.FolloweeFilter{{}, {Selective: true}} {
			keys := must(w.Coverage.Covered(w.ctx, ann, s, feed.Range{Below: feed.Top, Limit: 1}))
			w.same("the covered keys", keys, []feed.Key{c})
		}
	})
	s.promise("posts of deleted accounts are omitted, purged or not", func(w *world) {
		w.follow(ann, bob, cem)
		w.raiseFlag(feed.FlagSelective, bob, cem)
		w.post(1, bob, noon+1)
		c := w.post(2, cem, noon)
		w.deleteAccounts(bob)
		for range 2 {
			for _, s := range []feed.FolloweeFilter{{}, {Selective: true}} {
				w.same("the covered keys", w.coveredFrom(ann, s), []feed.Key{c})
			}
			w.purge(1)
		}
	})
	s.promise("the filter Since selects the authors followed after a version", func(w *world) {
		b := w.post(1, bob, noon)
		c := w.post(2, cem, noon+1)
		w.follow(ann, bob)
		first := w.relationsVersion(ann)
		w.follow(ann, cem)
		second := w.relationsVersion(ann)
		w.same("since the beginning", w.coveredFrom(ann, feed.FolloweeFilter{}), []feed.Key{c, b})
		w.same("since the first follow", w.coveredFrom(ann, feed.FolloweeFilter{Since: first}), []feed.Key{c})
		w.same("since the second follow", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
		w.relate(feed.RelationMute, ann, bob, true)
		w.same("since the second follow, after a mute", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
		w.unfollow(ann, bob)
		w.same("since the second follow, after an unfollow", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key(nil))
		w.follow(ann, bob)
		w.same("since the second follow, after following again", w.coveredFrom(ann, feed.FolloweeFilter{Since: second}), []feed.Key{b})
	})
	s.promise("the filter Selective selects the selective authors", func(w *world) {
		w.follow(ann, bob, cem, dee)
		b := w.post(1, bob, noon)
		c := w.post(2, cem, noon+1)
		w.post(3, dee, noon+2)
		w.raiseFlag(feed.FlagSelective, cem)
		w.raiseFlag(feed.FlagUnpushed, dee)
		w.same("the covered keys without a filter", w.coveredFrom(ann, feed.FolloweeFilter{}), []feed.Key{c, b})
		w.same("the covered keys of selective authors", w.coveredFrom(ann, feed.FolloweeFilter{Selective: true}), []feed.Key{c})
		w.raiseFlag(feed.FlagUnpushed, cem)
		w.same("the covered keys of selective authors without cem", w.coveredFrom(ann, feed.FolloweeFilter{Selective: true}), []feed.Key(nil))
	})
	s.promise("both filters select the authors that match both", func(w *world) {
		w.follow(ann, bob)
		since := w.relationsVersion(ann)
		w.follow(ann, cem, dee)
		w.post(1, bob, noon)
		c := w.post(2, cem, noon+1)
		w.post(3, dee, noon+2)
		w.raiseFlag(feed.FlagSelective, bob, cem)
		w.same("the covered keys with both filters", w.coveredFrom(ann, feed.FolloweeFilter{Since: since, Selective: true}), []feed.Key{c})
	})
	s.promise("covered keys are read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.follow(ann, bob, cem)
		w.trickyPosts(cem, bob)
		w.post(77, ann, noon+5)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) {
			return w.Coverage.Covered(w.ctx, ann, feed.FolloweeFilter{}, r)
		})
	})
	s.promise("filtered keys are read in feed order, whatever the bounds, limit and direction", func(w *world) {
		w.user(5)
		w.follow(ann, dee)
		since := w.relationsVersion(ann)
		w.follow(ann, bob, cem, 5)
		w.raiseFlag(feed.FlagSelective, bob, cem, dee)
		for i, k := range trickyKeys() {
			w.post(feed.PostID(k.ID), []feed.UserID{cem, bob}[i%2], k.TS)
			w.post(feed.PostID(k.ID^1<<40), []feed.UserID{dee, 5}[i%2], k.TS)
		}
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) {
			return w.Coverage.Covered(w.ctx, ann, feed.FolloweeFilter{Since: since, Selective: true}, r)
		})
	})
	s.group("Unfollowed", func(s storeSuite) {
		s.promise("returns the users unfollowed since a version", func(w *world) {
			w.follow(ann, bob, cem, dee)
			before := w.relationsVersion(ann)
			w.unfollowedIs(ann, 0)
			w.unfollow(ann, bob)
			between := w.relationsVersion(ann)
			w.unfollow(ann, cem)
			w.unfollowedIs(ann, 0, bob, cem)
			w.unfollowedIs(ann, before, bob, cem)
			w.unfollowedIs(ann, between, cem)
			w.unfollowedIs(ann, w.relationsVersion(ann))
		})
		s.promise("a user followed again is omitted until they are unfollowed again", func(w *world) {
			w.follow(ann, bob)
			before := w.relationsVersion(ann)
			for range 2 {
				w.unfollow(ann, bob)
				ended := w.relationsVersion(ann)
				w.unfollowedIs(ann, before, bob)
				w.follow(ann, bob)
				w.unfollowedIs(ann, before)
				w.unfollow(ann, bob)
				w.unfollowedIs(ann, ended, bob)
				w.unfollow(ann, bob)
				w.unfollowedIs(ann, w.relationsVersion(ann))
				w.follow(ann, bob)
			}
		})
		s.promise("only the viewer's own unfollows count", func(w *world) {
			w.follow(ann, bob)
			w.follow(bob, cem, ann)
			w.unfollow(ann, dee)
			for _, r := range relationCases() {
				w.relate(r.kind, r.user, r.target, true)
				w.relate(r.kind, r.user, r.target, false)
			}
			w.unfollow(bob, cem, ann)
			for _, viewer := range []feed.UserID{0, ann, cem, 12345} {
				w.unfollowedIs(viewer, 0)
			}
			w.unfollowedIs(bob, 0, ann, cem)
		})
		s.promise("a deleted account is returned after its purge", func(w *world) {
			w.follow(ann, bob, cem)
			w.follow(dee, bob)
			w.unfollow(dee, bob)
			before, of := w.relationsVersion(ann), w.relationsVersion(dee)
			w.deleteAccounts(bob)
			w.purge(1)
			w.unfollowedIs(ann, before, bob)
			w.unfollowedIs(ann, w.relationsVersion(ann))
			w.unfollowedIs(dee, 0, bob)
			w.unfollowedIs(dee, of)
		})
		s.promise("an import does not renew the follow, so the user stays", func(w *world) {
			w.follow(ann, bob, cem)
			before := w.relationsVersion(ann)
			w.unfollow(ann, bob, cem)
			w.imports(records(followRecord(ann, bob)))
			w.unfollowedIs(ann, before, bob, cem)
		})
	})
}

// covered returns the keys that the viewer's inbox must have.
func (w *world) covered(viewer feed.UserID) []feed.Key {
	return w.coveredFrom(viewer, feed.FolloweeFilter{})
}

// coveredFrom returns the keys of covered that come from some of the followed authors.
func (w *world) coveredFrom(viewer feed.UserID, s feed.FolloweeFilter) []feed.Key {
	return must(w.Coverage.Covered(w.ctx, viewer, s, all()))
}

// unfollowedIs compares the users unfollowed since a version with want, in any order.
func (w *world) unfollowedIs(viewer feed.UserID, since int64, want ...feed.UserID) {
	w.sameSet(fmt.Sprintf("the users unfollowed since version %d", since), must(w.Coverage.Unfollowed(w.ctx, viewer, since)), want)
}
