package feedtest

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// changeLogPromises checks the promises of [feed.ChangeLog] and [feed.ChangeNumberer].
func changeLogPromises(s storeSuite) {
	s.promise("each change is logged under the users whose feeds it changes", func(w *world) {
		log := w.logReader()
		for _, step := range []struct {
			what string
			do   func()
			want []feed.Change
		}{
			{"a follow", func() { w.follow(ann, bob) }, []feed.Change{feed.FollowChange(ann, bob, false)}},
			{"an unfollow", func() { w.unfollow(ann, bob) }, []feed.Change{feed.FollowChange(ann, bob, true)}},
			{"a mute", func() { w.relate(feed.RelationMute, ann, bob, true) }, []feed.Change{muteOf(bob)}},
			{"the end of a mute", func() { w.relate(feed.RelationMute, ann, bob, false) }, []feed.Change{muteOf(bob)}},
			{"a hide", func() { w.relate(feed.RelationHide, bob, ann, true) }, []feed.Change{obstacleForAnn(feed.ObstacleHidden)}},
			{"the end of a hide", func() { w.relate(feed.RelationHide, bob, ann, false) }, []feed.Change{obstacleForAnn(-feed.ObstacleHidden)}},
			{"a block", func() { w.relate(feed.RelationBlock, cem, bob, true) }, blockOf(cem, bob, true)},
			{"the end of a block", func() { w.relate(feed.RelationBlock, cem, bob, false) }, blockOf(cem, bob, false)},
			{"a publish", func() { w.post(1, ann, noon) }, []feed.Change{ofPost(feed.ChangePublished, ann, 1)}},
			{"a comment", func() { w.comment(2, bob, noon, 1) }, []feed.Change{ofPost(feed.ChangePublished, bob, 2)}},
			{"an edit", func() { _, err := w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Text: new("other"), At: noon}); check(err) }, []feed.Change{ofPost(feed.ChangeEdited, ann, 1)}},
			{"a deletion", func() { w.delete(1) }, []feed.Change{ofPost(feed.ChangeDeleted, ann, 1)}},
			{"a profile", func() {
				must(w.Profiles.UpdateProfile(w.ctx, dee, feed.ProfileChange{Name: new("Dee")}))
			}, []feed.Change{{Kind: feed.ChangeProfile, User: dee}}},
			{"a deleted account", func() { w.deleteAccounts(dee) }, []feed.Change{feed.DeletionChange(dee, noon+hour, false)}},
		} {
			step.do()
			log.logs(step.what, step.want...)
		}
	})
	s.promise("what changes nothing is not logged", func(w *world) {
		w.follow(ann, bob)
		w.relate(feed.RelationBlock, ann, cem, true)
		w.post(1, ann, noon)
		w.delete(1)
		w.deleteAccounts(dee)
		idem := feed.Idempotency{Key: "k", Fingerprint: "f"}
		must(w.PostWriter.Publish(w.ctx, newPost(2, ann, noon), idem, eventAt(noon)))
		w.completedPlans(1, 3)
		log := w.logReader()

		w.follow(ann, bob)
		w.unfollow(ann, cem)
		w.relate(feed.RelationBlock, ann, cem, true)
		w.relate(feed.RelationMute, ann, cem, false)
		w.delete(1, 99)
		w.deleteAccounts(dee)
		must(w.PostWriter.Publish(w.ctx, newPost(4, ann, noon), idem, eventAt(noon)))
		w.storePlan(planOf(3, 0), noon)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 2, noon))
		w.raiseFlag(feed.FlagSelective, ann)
		log.logs("what changes nothing")
	})
	s.promise("a refused change is not logged", func(w *world) {
		w.post(1, ann, noon)
		log := w.logReader()
		w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, ann, 99, noon, many, feed.FollowChoice{}))
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, bob, noon, 0, feed.FollowChoice{}))
		w.mustHaveCode(feed.CodeNotFound, w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: 99}))
		for _, p := range []*feed.Post{newPost(1, bob, noon), newPost(2, 99, noon)} {
			_, err := w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon))
			w.failIf(err == nil, "post %d of user %d was stored", p.ID, p.Author)
		}
		w.mustHaveCode(feed.CodeNotFound, errorOf(w.PostWriter.Edit(w.ctx, 99, feed.PostEdit{Text: new("text"), At: noon})))
		w.mustHaveCode(feed.CodeConflict, errorOf(w.Profiles.UpdateProfile(w.ctx, ann, feed.ProfileChange{Handle: new(newUser(bob).Handle)})))
		w.mustHaveCode(feed.CodeNotFound, w.Profiles.DeleteAccount(w.ctx, 99, noon))
		log.logs("what was refused")
	})
	s.empty("an arrival is logged when the last slice ends", func(w *world) {
		w.plan(1, 2)
		log := w.logReader()
		first, second := w.claimSlice(ref(1, 0)), w.claimSlice(ref(1, 1))
		w.same("progress is accepted", w.advance(first, 104, false, noon), true)
		w.same("the first end is accepted", w.advance(first, 110, true, noon), true)
		log.logs("the end of one of two slices")
		stale := second
		stale.Attempt--
		w.same("the end under an old attempt is accepted", w.advance(stale, 120, true, noon), false)
		log.logs("the end under an old attempt")
		w.same("the last end is accepted", w.advance(second, 120, true, noon), true)
		log.logs("the end of the last slice", ofPost(feed.ChangeArrived, ann, 1))
		w.same("the last end is accepted again", w.advance(second, 120, true, noon), true)
		log.logs("the same end")
	})
	s.empty("a slice that runs again logs the arrival again", func(w *world) {
		w.plan(1, 2)
		for task := range 2 {
			w.same("an end is accepted", w.advance(w.claimSlice(ref(1, task)), 120, true, noon), true)
		}
		log := w.logReader()
		w.same("the slices that run again", w.rerunSince(longAgo()), 2)
		log.logs("a rerun")
		w.same("an end is accepted", w.advance(w.claimSlice(ref(1, 1)), 120, true, noon), true)
		log.logs("the end of one of two slices")
		w.same("an end is accepted", w.advance(w.claimSlice(ref(1, 0)), 110, true, noon), true)
		log.logs("the end of the last slice", ofPost(feed.ChangeArrived, ann, 1))
	})
	s.promise("a plan without slices is an arrival", func(w *world) {
		w.post(1, ann, noon)
		log := w.logReader()
		w.storePlan(planOf(1, 0), noon)
		log.logs("a plan without slices", ofPost(feed.ChangeArrived, ann, 1))
		w.storePlan(planOf(feed.ReplayRef(7), 0), noon)
		log.logs("the plan of a replay")
	})
	s.promise("a deleted post is logged for its reposts and for theirs", func(w *world) {
		w.post(1, ann, noon)
		w.post(2, ann, noon)
		var want []feed.Change
		// More than a slice.
		for id := feed.PostID(10); id < 18; id++ {
			w.repost(id, bob, noon, 1)
			want = append(want, judgedAgain(bob, id))
		}
		w.repost(30, cem, noon, 10)
		w.repost(31, dee, noon, 30)
		w.repost(40, cem, noon, 2)
		w.repost(41, cem, noon, 1)
		w.repost(42, dee, noon, 41)
		w.delete(41)
		log := w.logReader()
		w.delete(1)
		want = append(want, ofPost(feed.ChangeDeleted, ann, 1), judgedAgain(cem, 30), judgedAgain(dee, 31))
		log.logs("a deletion", want...)
		w.delete(1)
		log.logs("a repeated deletion")
	})
	s.promise("the posts of a deleted account are logged for their reposts", func(w *world) {
		w.post(1, ann, noon)
		w.repost(10, bob, noon, 1)
		w.repost(11, ann, noon, 1)
		w.repost(12, cem, noon, 11)
		log := w.logReader()
		w.deleteAccounts(ann)
		w.purge(1)
		// Reposts by the account itself may have rows, too.
		r := *log
		list := slices.DeleteFunc(r.loggedAfter(r.place), func(c feed.Change) bool { return c.User == ann })
		w.sameChanges("the changes of others", list, []feed.Change{judgedAgain(bob, 10), judgedAgain(cem, 12)})
	})
	s.promise("an import and a new generation reset the log", func(w *world) {
		log := w.logReader()
		check(w.PulseLog.RaiseGeneration(w.ctx))
		log.logs("a generation", feed.Change{Kind: feed.ChangeReset})
		batch := records(
			feed.Record{Post: newPost(1, ann, noon)},
			feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: noon}},
			relationRecord(feed.RelationBlock, cem, bob),
		)
		must(w.Import(w.ctx, batch))
		log.logs("an import", feed.Change{Kind: feed.ChangeReset})
		must(w.Import(w.ctx, batch))
		log.logs("an import of what is stored")
	})
	s.promise("pages have no gaps and continue where they ended", func(w *world) {
		start := w.numberAll()
		w.follow(ann, bob, cem, dee)
		last := w.numberAll()
		w.same("the number of the last change", last.Number, start.Number+3)
		w.same("the last change", must(w.Changes.LastChange(w.ctx)), last)

		list, next := must2(w.Changes.Changes(w.ctx, start, 2))
		w.same("the first page", withoutNumbers(list), []feed.Change{feed.FollowChange(ann, bob, false), feed.FollowChange(ann, cem, false)})
		w.same("its numbers", []int64{list[0].Number, list[1].Number, next.Number}, []int64{start.Number + 1, start.Number + 2, start.Number + 2})
		list, next = must2(w.Changes.Changes(w.ctx, next, 2))
		w.same("the second page", withoutNumbers(list), []feed.Change{feed.FollowChange(ann, dee, false)})
		w.same("where it ends", next, last)
		list, next = must2(w.Changes.Changes(w.ctx, last, 2))
		w.same("the page after the last", list, []feed.Change(nil))
		w.same("where it ends", next, last)
	})
	s.promise("rows that show or hide posts are read since the last reset", func(w *world) {
		sights := func() []feed.Change {
			place := must(w.Changes.LastChange(w.ctx))
			rows := must(w.Changes.SightChanges(w.ctx, ann, []feed.UserID{bob}, []feed.PostID{1, 2, 3}, place))
			return append([]feed.Change{}, withoutNumbers(rows)...)
		}
		w.post(1, bob, noon)
		w.numberAll()
		check(w.PulseLog.RaiseGeneration(w.ctx))
		w.same("the rows before a reset", sights(), []feed.Change{})
		w.numberAll()
		w.same("the rows before a reset with a number", sights(), []feed.Change{})
		w.relate(feed.RelationHide, bob, ann, true)
		w.relate(feed.RelationMute, ann, bob, true)
		w.relate(feed.RelationHide, cem, ann, true)
		w.follow(ann, bob)
		w.post(2, bob, noon)
		w.post(9, bob, noon)
		w.numberAll()
		w.repost(3, ann, noon, 2)
		w.relate(feed.RelationHide, bob, ann, false)
		w.delete(3, 2)
		w.absent(bob)
		want := []feed.Change{
			obstacleForAnn(feed.ObstacleHidden), feed.FollowChange(ann, bob, false), ofPost(feed.ChangePublished, bob, 2), ofPost(feed.ChangePublished, ann, 3),
			obstacleForAnn(-feed.ObstacleHidden), ofPost(feed.ChangeDeleted, ann, 3), ofPost(feed.ChangeDeleted, bob, 2),
			feed.AbsenceChange(bob, true), feed.StillAbsent(bob),
		}
		w.same("the rows", sights(), want)
		w.numberAll()
		w.same("the rows with numbers", sights(), want)
	})
	s.promise("trimming removes the oldest changes, and places before them are gone", func(w *world) {
		start := w.numberAll()
		w.follow(ann, bob, cem, dee)
		old := w.numberAll()
		w.trimAll(feed.Millis(later()))
		w.gone("the start", start)
		w.gone("the place before the last change", feed.ChangePlace{Epoch: old.Epoch, Number: old.Number - 1})
		w.same("the last change after trimming", must(w.Changes.LastChange(w.ctx)), old)
		w.follow(bob, ann)
		w.same("the changes after the trimmed ones", w.loggedAfter(old), []feed.Change{{
			Number: old.Number + 1, Kind: feed.ChangeRelation, User: bob, Other: ann, Post: -feed.PostID(feed.ObstacleNotFollowing),
		}})
		w.trimAll(0)
	})
	s.promise("trimming spares changes that are not old", func(w *world) {
		start := w.numberAll()
		w.follow(ann, bob, cem)
		w.numberAll()
		w.trimAll(longAgo())
		w.same("the changes", withoutNumbers(w.loggedAfter(start)), []feed.Change{feed.FollowChange(ann, bob, false), feed.FollowChange(ann, cem, false)})
		more := must(w.Numberer.TrimChanges(w.ctx, feed.Millis(later()), 1))
		w.same("that there is more to trim", more, true)
		w.gone("the start", start)
		rest := w.loggedAfter(feed.ChangePlace{Epoch: start.Epoch, Number: start.Number + 1})
		w.same("the changes that remain", withoutNumbers(rest), []feed.Change{feed.FollowChange(ann, cem, false)})
	})
	s.promise("a new epoch ends every place; one of another epoch or of the future is gone", func(w *world) {
		last := w.numberAll()
		w.gone("another epoch", feed.ChangePlace{Epoch: last.Epoch + 1, Number: last.Number})
		w.gone("the future", feed.ChangePlace{Epoch: last.Epoch, Number: last.Number + 1})
		w.gone("no place", feed.ChangePlace{Epoch: -1})
		w.follow(ann, bob)
		old := w.numberAll()
		check(w.Numberer.NewEpoch(w.ctx))
		w.gone("the epoch before", old)
		now := must(w.Changes.LastChange(w.ctx))
		w.same("the number", now.Number, old.Number)
		w.failIf(now.Epoch == old.Epoch || now.Epoch <= 0, "the epoch went from %d to %d", old.Epoch, now.Epoch)
		w.follow(ann, cem)
		w.same("the changes of the new epoch", withoutNumbers(w.loggedAfter(now)), []feed.Change{feed.FollowChange(ann, cem, false)})
		if _, err := w.Numberer.CheckEpoch(w.ctx); err != nil {
			w.t.Error(err)
		}
	})
	logHomePromises(s)
	logHistoryPromises(s)
}

// started opens stores as the start of a process does.
func started(open func(t *testing.T) Stores) func(t *testing.T) Stores {
	return func(t *testing.T) Stores {
		s := open(t)
		must(s.Numberer.CheckEpoch(t.Context()))
		return s
	}
}

// numberAll numbers all committed changes and returns the place of the last.
func (w *world) numberAll() feed.ChangePlace {
	for {
		more, last := must2(w.Numberer.NumberChanges(w.ctx, 3))
		if !more {
			return last
		}
	}
}

// changesAfter returns all changes after a place, in pages, and the place of the last.
func (w *world) changesAfter(place feed.ChangePlace) ([]feed.Change, feed.ChangePlace) {
	const page = 3
	var all []feed.Change
	for {
		list, next := must2(w.Changes.Changes(w.ctx, place, page))
		all, place = append(all, list...), next
		if len(list) < page {
			return all, place
		}
	}
}

// withoutNumbers returns changes without their numbers.
func withoutNumbers(list []feed.Change) []feed.Change {
	list = slices.Clone(list)
	for i := range list {
		list[i].Number = 0
	}
	return list
}

// byContent compares changes by everything except their numbers.
func byContent(a, b feed.Change) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.User, b.User), cmp.Compare(a.Other, b.Other), cmp.Compare(a.Post, b.Post))
}

// sameChanges compares changes without their numbers, in any order.
func (w *world) sameChanges(what string, got, want []feed.Change) {
	got, want = withoutNumbers(got), withoutNumbers(want)
	slices.SortFunc(got, byContent)
	slices.SortFunc(want, byContent)
	w.same(what, got, want)
}

// logReader reads a log from where its last read ended.
type logReader struct {
	*world
	place    feed.ChangePlace
	reported int64
}

func (w *world) logReader() *logReader { return &logReader{w, w.numberAll(), w.reported()} }

func (w *world) reported() int64 {
	if w.Reported == nil {
		return 0
	}
	return w.Reported()
}

// logs fails the test unless the log has exactly these changes since the last call. The rows of one
// change may be in any order.
func (r *logReader) logs(after string, want ...feed.Change) {
	before := r.reported
	r.reported = r.world.reported()
	if r.Reported != nil && len(want) > 0 && r.reported == before {
		r.t.Errorf("%s is not reported as a change", after)
	}
	r.numberAll()
	list, next := r.changesAfter(r.place)
	r.place = next
	r.sameChanges("changes logged by "+after, list, want)
}

// muteOf is the row of a mute by ann, or of its end.
func muteOf(other feed.UserID) feed.Change {
	return feed.Change{Kind: feed.ChangeRelation, User: ann, Other: other}
}

// obstacleForAnn is the row of an obstacle between ann and bob's posts, or of its end if negative.
func obstacleForAnn(o feed.Obstacle) feed.Change {
	return feed.Change{Kind: feed.ChangeRelation, User: ann, Other: bob, Post: feed.PostID(o)}
}

func blockOf(user, target feed.UserID, on bool) []feed.Change {
	return feed.RelationRecord{Kind: feed.RelationBlock, User: user, Target: target}.Logged(on)
}

// judgedAgain is the row of a repost whose original has gone or returned.
func judgedAgain(author feed.UserID, id feed.PostID) feed.Change {
	return feed.Change{Kind: feed.ChangeDeleted, User: author, Other: author, Post: id}
}

func ofPost(kind feed.ChangeKind, author feed.UserID, id feed.PostID) feed.Change {
	return feed.Change{Kind: kind, User: author, Post: id}
}

// gone fails the test unless no read can continue from a place.
func (w *world) gone(what string, place feed.ChangePlace) {
	_, _, err := w.Changes.Changes(w.ctx, place, 9)
	_, errOf := w.Changes.SightChanges(w.ctx, ann, nil, nil, place)
	w.failIf(!errors.Is(err, feed.ErrChangesGone) || !errors.Is(errOf, feed.ErrChangesGone), "from %s: got errors %v and %v", what, err, errOf)
}

// trimAll trims changes that were numbered before the time, a few at a time.
func (w *world) trimAll(before int64) {
	whileMore(func() (bool, error) { return w.Numberer.TrimChanges(w.ctx, before, 2) })
}

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
		must(w.PostWriter.Edit(w.ctx, 1, feed.PostEdit{Text: new("other"), At: noon}))
		w.delete(2, 3)
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
			muteOf(cem),
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
		w.followedBy(dee, ann, bob)
		w.follow(dee, cem)
		start := w.numberAll()
		w.deleteAccounts(dee)
		w.purge(1)
		w.sameChanges("the changes", w.loggedAfter(start), []feed.Change{feed.FollowChange(ann, dee, true), feed.FollowChange(bob, dee, true), feed.DeletionChange(dee, noon+hour, false)})
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
		w.same("the comments", read(feed.Range{Below: feed.Top, Limit: 9, Filter: feed.OfKinds(feed.KindComment)}), every[:1])
		w.deleteAccounts(ann)
		w.same("all posts of a deleted account", read(all()), every)
	})
}
