package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

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
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Reference.Feed(w.ctx, ann, r) })
	})
	s.promise("kinds filter a feed before the limit applies", func(w *world) {
		w.follow(ann, bob)
		post := w.post(1, ann, noon)
		comment := w.comment(2, bob, noon+1, 1)
		repost := w.repost(3, bob, noon+2, 1)
		for _, c := range []struct {
			kinds feed.Kinds
			limit int
			want  []feed.Key
		}{
			{nil, 9, []feed.Key{repost, comment, post}},
			{feed.Kinds{feed.KindPost}, 1, []feed.Key{post}},
			{feed.Kinds{feed.KindComment}, 9, []feed.Key{comment}},
			{feed.Kinds{feed.KindPost, feed.KindRepost}, 9, []feed.Key{repost, post}},
		} {
			keys := must(w.Reference.Feed(w.ctx, ann, feed.Range{Below: feed.Top, Limit: c.limit, Kinds: c.kinds}))
			w.same("the feed", keys, c.want)
		}
	})
	s.promise("deleted posts are omitted and do not count towards the limit", func(w *world) {
		w.follow(ann, bob)
		a := w.post(1, ann, noon)
		w.post(2, bob, noon+1)
		w.post(3, ann, noon+2)
		w.delete(2)
		w.delete(3)
		w.same("the top of the feed", must(w.Reference.Feed(w.ctx, ann, feed.Range{Below: feed.Top, Limit: 1})), []feed.Key{a})
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
