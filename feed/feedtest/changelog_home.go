package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

func logHomePromises(s storeSuite) {
	s.promise("a home feed has the changes of its viewer, of who they follow, and all resets", func(w *world) {
		w.follow(ann, bob, cem)
		w.relate(feed.RelationMute, ann, cem, true)
		w.post(1, bob, noon)
		w.post(2, cem, noon)
		w.post(3, dee, noon)
		start := w.numberAll()
		w.follow(bob, cem)
		w.post(4, bob, noon)
		w.post(5, ann, noon)
		check(w.Announced.LogPushed(w.ctx, newPost(1, bob, noon), []feed.UserID{ann, cem}))
		w.storePlan(planOf(1, 0), noon)
		w.storePlan(planOf(2, 0), noon)
		w.storePlan(planOf(3, 0), noon)
		must(w.PostWriter.Edit(w.ctx, 1, "other", noon))
		w.delete(2)
		w.delete(3)
		must(w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Name: new("Bob")}))
		w.relate(feed.RelationMute, ann, cem, false)
		check(w.PulseLog.RaiseGeneration(w.ctx))
		last := w.numberAll()
		want := []feed.Change{
			ofPost(feed.ChangePublished, ann, 5),
			{Kind: feed.ChangePushed, User: ann, Other: bob, Post: 1},
			ofPost(feed.ChangeArrived, bob, 1),
			ofPost(feed.ChangeArrived, cem, 2),
			ofPost(feed.ChangeEdited, bob, 1),
			ofPost(feed.ChangeDeleted, cem, 2),
			relationOf(ann, cem),
			{Kind: feed.ChangeReset},
		}
		list, next := must2(w.Changes.HomeChanges(w.ctx, ann, start, 9))
		w.same("the changes of ann's home feed", withoutNumbers(list), want)
		w.same("where they end", next, last)
		list, next = must2(w.Changes.HomeChanges(w.ctx, ann, start, 2))
		w.same("the first of them", withoutNumbers(list), want[:2])
		w.same("where they end", next, feed.ChangePlace{Epoch: start.Epoch, Number: list[1].Number})
		list, next = must2(w.Changes.HomeChanges(w.ctx, ann, last, 2))
		w.same("what follows the last", list, []feed.Change(nil))
		w.same("where it ends", next, last)
		w.mustBe(feed.ErrChangesGone, errorOf2(w.Changes.HomeChanges(w.ctx, ann, feed.ChangePlace{Epoch: last.Epoch + 1}, 2)))
	})
	s.promise("followees include muted and absent users", func(w *world) {
		w.follow(ann, bob, cem, dee)
		w.follow(bob, ann)
		w.relate(feed.RelationMute, ann, cem, true)
		check(w.Follows.Unfollow(w.ctx, ann, bob))
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{dee}, true))
		list := must(w.Relations.Followees(w.ctx, ann))
		slices.Sort(list)
		w.same("the followees of ann", list, []feed.UserID{cem, dee})
		list = must(w.Relations.Followees(w.ctx, cem))
		w.same("the followees of cem", len(list), 0)
	})
	s.promise("the followers of a deleted account have a row when it is purged", func(w *world) {
		w.follow(ann, dee)
		w.follow(bob, dee)
		w.follow(dee, cem)
		start := w.numberAll()
		w.deleteAccounts(dee)
		w.purge(1)
		w.numberAll()
		list, _ := w.changesAfter(start)
		got := withoutNumbers(list)
		slices.SortFunc(got, byContent)
		w.same("the changes", got, []feed.Change{relationOf(ann, dee), relationOf(bob, dee), {Kind: feed.ChangeAccount, User: dee}})
	})
	s.promise("the posts of an author include deleted ones", func(w *world) {
		w.post(1, ann, noon+2)
		w.post(2, ann, noon+1)
		w.post(3, ann, noon)
		w.comment(4, ann, noon+3, 1)
		w.post(5, bob, noon)
		w.delete(2)
		key := func(id, at int64) feed.Key { return feed.Key{TS: at, ID: id} }
		read := func(r feed.Range) []feed.Key { return must(w.Changes.PostsOf(w.ctx, ann, r)) }
		every := []feed.Key{key(4, noon+3), key(1, noon+2), key(2, noon+1), key(3, noon)}
		w.same("all posts", read(all()), every)
		w.same("the newest", read(feed.Range{Below: feed.Top, Limit: 2}), every[:2])
		w.same("those between two", read(feed.Range{Above: every[3], Below: every[0], Limit: 9}), every[1:3])
		w.same("the comments", read(feed.Range{Below: feed.Top, Limit: 9, Kinds: feed.Kinds{feed.KindComment}}), every[:1])
		w.deleteAccounts(ann)
		w.same("all posts of a deleted account", read(all()), every)
	})
}
