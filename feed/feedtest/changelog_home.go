package feedtest

import (
	"errors"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

func logOfHome(w *world) {
	w.fourUsers()
	w.follow(ann, bob, cem)
	w.relate(feed.RelationMute, ann, cem, true)
	w.post(1, bob, noon)
	w.post(2, cem, noon)
	w.post(3, dee, noon)
	start := w.numberAll()
	w.follow(bob, cem)
	w.post(4, bob, noon)
	w.post(5, ann, noon)
	w.must(w.Announced.LogPushed(w.ctx, newPost(1, bob, noon), []feed.UserID{ann, cem}))
	w.storePlan(planOf(1, 0), noon)
	w.storePlan(planOf(2, 0), noon)
	w.storePlan(planOf(3, 0), noon)
	_, err := w.PostWriter.Edit(w.ctx, 1, "other", noon)
	w.must(err)
	w.delete(2)
	w.delete(3)
	_, err = w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Name: new("Bob")})
	w.must(err)
	w.relate(feed.RelationMute, ann, cem, false)
	w.must(w.PulseLog.RaiseGeneration(w.ctx))
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
	list, next, err := w.Changes.HomeChanges(w.ctx, ann, start, 9)
	w.must(err)
	w.same("the changes of ann's home feed", withoutNumbers(list), want)
	w.same("where they end", next, last)
	list, next, err = w.Changes.HomeChanges(w.ctx, ann, start, 2)
	w.must(err)
	w.same("the first of them", withoutNumbers(list), want[:2])
	w.same("where they end", next, feed.ChangePlace{Epoch: start.Epoch, Number: list[1].Number})
	list, next, err = w.Changes.HomeChanges(w.ctx, ann, last, 2)
	w.must(err)
	w.same("what follows the last", list, []feed.Change(nil))
	w.same("where it ends", next, last)
	_, _, err = w.Changes.HomeChanges(w.ctx, ann, feed.ChangePlace{Epoch: last.Epoch + 1}, 2)
	w.same("whether another epoch is gone", errors.Is(err, feed.ErrChangesGone), true)
}

func logFollowees(w *world) {
	w.fourUsers()
	w.follow(ann, bob, cem, dee)
	w.follow(bob, ann)
	w.relate(feed.RelationMute, ann, cem, true)
	w.must(w.Follows.Unfollow(w.ctx, ann, bob))
	w.must(w.Presence.SetAbsent(w.ctx, []feed.UserID{dee}, true))
	list, err := w.Relations.Followees(w.ctx, ann)
	w.must(err)
	slices.Sort(list)
	w.same("the followees of ann", list, []feed.UserID{cem, dee})
	list, err = w.Relations.Followees(w.ctx, cem)
	w.must(err)
	w.same("the followees of cem", len(list), 0)
}

func logsPurgedFollows(w *world) {
	w.fourUsers()
	w.follow(ann, dee)
	w.follow(bob, dee)
	w.follow(dee, cem)
	start := w.numberAll()
	w.deleteAccounts(dee)
	for more := true; more; {
		var err error
		more, err = w.Profiles.PurgeDeleted(w.ctx, 1)
		w.must(err)
	}
	w.numberAll()
	list, _ := w.changesAfter(start)
	got := withoutNumbers(list)
	slices.SortFunc(got, byContent)
	w.same("the changes", got, []feed.Change{relationOf(ann, dee), relationOf(bob, dee), {Kind: feed.ChangeAccount, User: dee}})
}

func logPostsOf(w *world) {
	w.fourUsers()
	w.post(1, ann, noon+2)
	w.post(2, ann, noon+1)
	w.post(3, ann, noon)
	w.comment(4, ann, noon+3, 1)
	w.post(5, bob, noon)
	w.delete(2)
	key := func(id, at int64) feed.Key { return feed.Key{TS: at, ID: id} }
	read := func(r feed.Range) []feed.Key {
		keys, err := w.Changes.PostsOf(w.ctx, ann, r)
		w.must(err)
		return keys
	}
	every := []feed.Key{key(4, noon+3), key(1, noon+2), key(2, noon+1), key(3, noon)}
	w.same("all posts", read(all()), every)
	w.same("the newest", read(feed.Range{Below: feed.Top, Limit: 2}), every[:2])
	w.same("those between two", read(feed.Range{Above: every[3], Below: every[0], Limit: 9}), every[1:3])
	w.same("the comments", read(feed.Range{Below: feed.Top, Limit: 9, Kinds: feed.Kinds{feed.KindComment}}), every[:1])
	w.deleteAccounts(ann)
	w.same("all posts of a deleted account", read(all()), every)
}
