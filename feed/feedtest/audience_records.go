package feedtest

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// heard is the audience and audience author of a post.
type heard struct {
	Audience feed.PostAudience
	Author   feed.UserID
}

func (w *world) heardBy(ids ...feed.PostID) []heard {
	return each(w.postsOf(ids...), func(p *feed.Post) heard { return heard{p.Audience, p.AudienceAuthor} })
}

// inThread describes a record that names no audience author.
func inThread(r feed.Record, audience feed.PostAudience) feed.Record {
	r.Post.Audience, r.Post.AudienceAuthor = audience, 0
	return r
}

const (
	forAll       = feed.AudiencePublic
	forFollowers = feed.AudienceFollowers
	unnamed      = feed.AudienceOfParent
)

// audienceRecordPromises checks what records say about audiences.
func audienceRecordPromises(s storeSuite) {
	for way, apply := range map[string]func(w *world, list ...feed.Record){
		"an import": func(w *world, list ...feed.Record) {
			got := w.imports(records(list...))
			w.same("the bad records", got.Bad, []feed.BadRecord(nil))
		},
		"a source": func(w *world, list ...feed.Record) { w.ingest(list...) },
	} {
		s.promise(way+" gives comments and reposts the audience of their parents", func(w *world) {
			for first, audience := range map[feed.PostID]feed.PostAudience{10: forAll, 20: forFollowers} {
				apply(w,
					inThread(postRecord(first, ann), audience), inThread(commentRecord(first+1, bob, first), unnamed),
					inThread(repostRecord(first+2, cem, first+1), unnamed), inThread(commentRecord(first+3, cem, first+2), forAll))
				want := heard{audience, ann}
				w.same("the thread of "+audience.String(), w.heardBy(first, first+1, first+2, first+3), []heard{want, want, want, want})
			}
		})
		s.promise(way+" may narrow what a comment has from its parent, and says it all with an audience author", func(w *world) {
			named := commentRecord(3, bob, 1)
			named.Post.AudienceAuthor = cem
			other := commentRecord(4, bob, 2)
			apply(w, inThread(postRecord(1, ann), forAll), inThread(postRecord(2, ann), forFollowers), named, other,
				inThread(commentRecord(5, bob, 1), forFollowers), inThread(commentRecord(6, bob, 5), forAll))
			w.same("the comments", w.heardBy(3, 4, 5, 6), []heard{{forAll, cem}, {forAll, bob}, {forFollowers, ann}, {forFollowers, ann}})
		})
	}
	s.promise("comments that arrive before their parents get the audience with it, and theirs too", func(w *world) {
		for first, audience := range map[feed.PostID]feed.PostAudience{10: forAll, 20: forFollowers} {
			list := []feed.Record{
				inThread(commentRecord(first+3, cem, first+2), unnamed), inThread(repostRecord(first+2, cem, first+1), forAll),
				inThread(commentRecord(first+1, bob, first), unnamed), inThread(commentRecord(first+4, bob, first), forAll),
				inThread(commentRecord(first+5, bob, first), forFollowers),
			}
			ids := []feed.PostID{first + 3, first + 2, first + 1, first + 4, first + 5}
			for _, r := range list {
				w.ingest(r)
			}
			w.same("the comments before", w.heardBy(ids...), []heard{{forAll, 0}, {forAll, 0}, {unnamed, 0}, {forAll, 0}, {forFollowers, 0}})
			before := w.numberAll()
			got := w.ingest(inThread(postRecord(first, ann), audience))
			want := heard{audience, ann}
			w.same("the comments on a post for "+audience.String(), w.heardBy(ids...), []heard{want, want, want, want, {forFollowers, ann}})
			logged := w.loggedAfter(before)
			for i, id := range ids {
				author := list[i].Post.Author
				w.failIf(!hasChange(withoutNumbers(logged), feed.Change{Kind: feed.ChangeDeleted, User: author, Other: author, Post: id}), "no change of post %d is logged", id)
				hides := hasChange(withoutNumbers(logged), feed.Change{Kind: feed.ChangeEdited, User: author, Other: author, Post: id})
				w.same(fmt.Sprintf("whether post %d may be hidden", id), hides, audience == forFollowers || id == first+5)
			}
			for _, id := range ids {
				w.failIf(!hasPost(got.Posts, id), "post %d is not evicted", id)
			}
		}
	})
	s.promise("a partial record keeps an audience that waits for the parent", func(w *world) {
		w.ingest(inThread(commentRecord(2, bob, 1), unnamed))
		w.ingest(partial(feed.Record{Post: &feed.Post{ID: 2, Author: bob, Text: "edited"}}, "text"))
		w.same("the comment", w.heardBy(2), []heard{{unnamed, 0}})
		w.same("its text", w.postsOf(2)[0].Text, "edited")
	})
	s.promise("a comment that a record has settled settles its own comments", func(w *world) {
		w.ingest(inThread(commentRecord(3, bob, 2), unnamed), inThread(commentRecord(2, cem, 1), unnamed))
		later := inThread(commentRecord(2, cem, 1), forFollowers)
		w.ingest(inThread(postRecord(1, ann), forAll), later)
		w.same("the thread", w.heardBy(1, 2, 3), []heard{{forAll, ann}, {forFollowers, ann}, {forFollowers, ann}})
	})
	s.promise("a record that is sent again changes no audience", func(w *world) {
		v := feed.ObjectVersion{Number: 1}
		comment := inThread(commentRecord(2, bob, 1), forAll)
		w.ingestVersion(v, inThread(postRecord(1, ann), forAll), comment)
		narrower := inThread(postRecord(1, ann), forFollowers)
		before := w.numberAll()
		w.ingestVersion(feed.ObjectVersion{Number: 2}, narrower)
		w.same("the change", withoutNumbers(w.loggedAfter(before)), []feed.Change{{Kind: feed.ChangeEdited, User: ann, Other: ann, Post: 1}})
		w.same("the bad records", w.ingestVersion(v, comment).Bad, []feed.BadRecord(nil))
		w.same("the comment", w.heardBy(1, 2), []heard{{forFollowers, ann}, {forAll, ann}})
		w.ingestVersion(feed.ObjectVersion{Number: 2}, comment)
		w.same("the comment after a later record", w.heardBy(2), []heard{{forFollowers, ann}})
	})
	s.promise("a record makes an account private, and an import keeps it", func(w *world) {
		before := w.numberAll()
		private := userRecord(ann)
		private.User.Private = true
		w.ingest(private)
		w.same("the change", withoutNumbers(w.loggedAfter(before)), []feed.Change{{Kind: feed.ChangeProfile, User: ann, Other: ann}})
		w.same("the account", w.usersOf(ann)[0].Private, true)
		w.same("the exported account", w.exports()[0].User.Private, true)
		w.same("the result of an import", w.imports(records(private)).Unchanged, 1)
		w.ingest(userRecord(ann))
		w.same("the public account", w.usersOf(ann)[0].Private, false)
	})
	s.promise("users without a record are private once a record has said that a user is", func(w *world) {
		w.useUsers(feed.UsersImplicit)
		privacy := func(ids ...feed.UserID) []bool {
			return each(w.usersOf(ids...), func(u *feed.User) bool { return u.Private })
		}
		w.ingest(postRecord(1, 71))
		w.same("a placeholder of a source without private accounts", privacy(71), []bool{false})
		before := w.numberAll()
		secret := userRecord(72)
		secret.User.Private = true
		w.ingest(secret)
		w.failIf(!hasChange(withoutNumbers(w.loggedAfter(before)), feed.Change{Kind: feed.ChangeReset}), "caches keep the placeholder")
		w.ingest(postRecord(2, 73))
		w.same("placeholders then", privacy(71, 72, 73), []bool{true, true, true})
		w.ingest(userRecord(71))
		w.same("a user whose record has arrived", privacy(71, 72, 73), []bool{false, true, true})
		w.ingest(userRecord(72))
		w.ingest(postRecord(3, 74))
		w.same("all, when no account is private any more", privacy(72, 73, 74), []bool{false, true, true})
	})
	s.promise("a POST is for its author's followers", func(w *world) {
		p := postRecord(1, ann)
		p.Post.AudienceAuthor = bob
		w.badToIngest("the audienceAuthor of a POST is its author", p)
	})
}

// unknownAudiencePromises checks that a record which does not say who its post is for hides the post.
func unknownAudiencePromises(s storeSuite) {
	hidden := []feed.BadRecord{{Line: 1, Reason: feed.UnknownAudience, Hides: true}}
	at := func(n int64) feed.ObjectVersion { return feed.ObjectVersion{Number: n} }
	kinds := func() []feed.Record {
		return []feed.Record{postRecord(1, ann), commentRecord(2, bob, 9), repostRecord(3, bob, 9)}
	}
	unknown := func(r feed.Record) feed.Record {
		post := *r.Post
		post.Audience = feed.AudienceUnknown
		return feed.Record{Post: &post}
	}
	shown := func(w *world, id feed.PostID) bool { return w.postsOf(id)[0].DeletedAt == 0 }
	s.promise("a record with an unknown audience hides its post until a record knows it", func(w *world) {
		w.ingestVersion(at(1), inThread(postRecord(9, cem), forAll))
		for _, r := range kinds() {
			id := r.Post.ID
			w.ingestVersion(at(1), r)
			before := w.numberAll()
			w.same("what is bad", w.ingestVersion(at(3), unknown(r)).Bad, hidden)
			w.failIf(shown(w, id), "post %d stays", id)
			w.failIf(!hasChange(withoutNumbers(w.loggedAfter(before)), feed.Change{Kind: feed.ChangeDeleted, User: r.Post.Author, Post: id}), "caches keep post %d", id)
			w.same("an older record", w.ingestVersion(at(2), r).Outdated, 1)
			w.failIf(shown(w, id), "an older record shows post %d", id)
			w.same("the record again", w.ingestVersion(at(3), unknown(r)).Bad, hidden)
			w.same("the corrected record", w.ingestVersion(at(3), r).Bad, []feed.BadRecord(nil))
			w.failIf(!shown(w, id), "post %d stays hidden", id)
			w.same("other content of the same version", len(w.ingestVersion(at(3), unknown(r)).Bad), 1)
			w.failIf(!shown(w, id), "post %d is hidden by the version that showed it", id)
		}
	})
	s.promise("a first record with an unknown audience hides its post", func(w *world) {
		w.ingestVersion(at(1), inThread(postRecord(9, cem), forAll))
		for _, r := range kinds() {
			id := r.Post.ID
			w.same("what is bad", w.ingestVersion(at(3), unknown(r)).Bad, hidden)
			w.failIf(shown(w, id), "post %d is shown", id)
			w.ingestVersion(at(2), r)
			w.failIf(shown(w, id), "an older record shows post %d", id)
			got := w.ingestVersion(at(4), r)
			w.failIf(!shown(w, id) || len(got.Planned)+len(got.Pending) == 0, "post %d is not published", id)
		}
	})
	s.promise("a partial record with an unknown audience hides, and with a known one shows", func(w *world) {
		w.ingest(postRecord(1, ann))
		names := func(a feed.PostAudience) feed.Record {
			return partial(feed.Record{Post: &feed.Post{ID: 1, Author: ann, Audience: a}}, "audience")
		}
		w.same("what is bad", w.ingests(batchOf([]feed.Record{names(feed.AudienceUnknown)})).Bad, hidden)
		w.failIf(shown(w, 1), "the post stays")
		w.ingest(partial(feed.Record{Post: &feed.Post{ID: 1, Author: ann, Text: "edited"}}, "text"))
		w.failIf(shown(w, 1), "another field shows the post")
		w.ingest(names(forFollowers))
		w.same("the post", w.heardBy(1), []heard{{forFollowers, ann}})
		w.failIf(!shown(w, 1), "the post stays hidden")
	})
	s.promise("the dead letter of an unknown audience is tried again", func(w *world) {
		w.ingest(postRecord(1, ann))
		w.ingests(batchOf([]feed.Record{unknown(postRecord(1, ann))}))
		letters := w.letters()
		w.failIf(len(letters) != 1 || letters[0].Overtaken || letters[0].Object == "", "the letters are %+v", letters)
		b := batchOf([]feed.Record{postRecord(1, ann)})
		b.Retried = []int64{letters[0].ID}
		w.ingests(b)
		w.failIf(!shown(w, 1) || len(w.letters()) != 0, "the post stays hidden, or the letter stays")
	})
	s.promise("an unclear record hides its object until a clear one", func(w *world) {
		why := []feed.BadRecord{{Line: 1, Reason: "which?", Hides: true}}
		for _, of := range []struct {
			clear feed.Record
			shown func() bool
		}{
			{userRecord(ann), func() bool { return w.usersOf(ann)[0] != nil }},
			{followRecord(cem, bob), func() bool { return w.edges(cem, bob)[0].Follows }},
			{requestRecord(), func() bool { return len(w.requests()) == 1 }},
			{postRecord(1, bob), func() bool { return shown(w, 1) }},
		} {
			of.clear.Version = feed.ObjectVersion{}
			unclear := of.clear
			unclear.Unclear = "which?"
			name := of.clear.Object().String()
			w.ingestVersion(at(1), of.clear)
			w.failIf(!of.shown(), "%s is not shown", name)
			w.same("what is bad about "+name, w.ingestVersion(at(3), unclear).Bad, why)
			w.failIf(of.shown(), "%s stays", name)
			w.ingestVersion(at(2), of.clear)
			w.failIf(of.shown(), "an older record shows %s", name)
			w.same("the clear record", w.ingestVersion(at(4), of.clear).Bad, []feed.BadRecord(nil))
			w.failIf(!of.shown(), "%s stays hidden", name)
			w.same("without an order of versions", w.ingests(batchOf([]feed.Record{unclear})).Bad, why)
			w.failIf(of.shown(), "%s stays after all", name)
			w.ingest(of.clear)
			w.failIf(!of.shown(), "%s stays hidden after all", name)
		}
	})
	s.promise("a comment that loses its reference to the post keeps the audience of that post", func(w *world) {
		w.ingest(inThread(postRecord(1, ann), forFollowers), inThread(commentRecord(2, bob, 1), unnamed))
		w.ingest(postRecord(2, bob))
		w.same("the comment", w.heardBy(2), []heard{{forFollowers, ann}})
	})
	s.promise("a comment on a post that was deleted before it arrived is for the audience of that post", func(w *world) {
		for i, audience := range []feed.PostAudience{forAll, forFollowers} {
			parent := postRecord(feed.PostID(10+i), ann)
			parent.Post.Audience, parent.Post.DeletedAt = audience, noon
			w.ingest(parent)
			w.ingest(inThread(commentRecord(feed.PostID(20+i), bob, parent.Post.ID), unnamed))
			w.same("the comment", w.heardBy(feed.PostID(20+i)), []heard{{audience, ann}})
		}
	})
	s.promise("an unclear record of what was never stored shows nothing", func(w *world) {
		unclear := feed.Record{Post: &feed.Post{ID: 7}, Unclear: "which?"}
		w.same("what is bad", w.ingestVersion(at(3), unclear).Bad, []feed.BadRecord{{Line: 1, Reason: "which?", Hides: true}})
		w.ingestVersion(at(2), postRecord(7, ann))
		w.failIf(w.postsOf(7)[0] != nil && shown(w, 7), "an older record shows the post")
		w.ingestVersion(at(4), postRecord(7, ann))
		w.failIf(!shown(w, 7), "a clear record does not show it")
	})
	s.promise("Tideline refuses what is unclear where it owns the type", func(w *world) {
		follow := followRecord(ann, bob)
		follow.Unclear = "which?"
		w.same("the bad records", w.imports(records(follow)).Bad, []feed.BadRecord{{Line: 1, Reason: "which?"}})
	})
	s.promise("Tideline refuses an unknown audience where it owns posts", func(w *world) {
		w.same("the bad records", w.imports(records(unknown(postRecord(1, ann)))).Bad, []feed.BadRecord{{Line: 1, Reason: feed.UnknownAudience}})
	})
}

func hasPost(list []feed.PostID, id feed.PostID) bool {
	for _, p := range list {
		if p == id {
			return true
		}
	}
	return false
}
