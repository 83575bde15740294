package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// presencePromises checks the promises of [feed.Presence], and those of other ports about absent users.
func presencePromises(s storeSuite) {
	s.promise("reads leave out an absent user and what is theirs, and show all of it after the return", func(w *world) {
		w.storeBobsData()
		w.repost(9, cem, noon+8, 7)
		w.relate(feed.RelationBlock, dee, bob, false)
		before := w.readings()
		w.absent(bob)
		w.same("ann's feed", w.feedOf(ann), []feed.Key{{TS: noon + 4, ID: 5}, {TS: noon + 3, ID: 4}, {TS: noon, ID: 1}})
		w.same("cem's feed", w.feedOf(cem), []feed.Key{{TS: noon + 4, ID: 5}, {TS: noon + 3, ID: 4}, {TS: noon, ID: 1}})
		w.same("the outboxes", w.outbox([]feed.UserID{bob}), []feed.Key(nil))
		lists := must(w.Lists.ReadLists(w.ctx, []feed.List{{Ref: feed.OutboxRef(bob), Range: all()}, {Ref: feed.OutboxRef(cem), Range: all()}}))
		w.same("the number of listed posts", []int{len(lists[0]), len(lists[1])}, []int{0, 3})
		w.same("the comments", w.comments(1), []feed.Key{{TS: noon + 3, ID: 4}})
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(cem)}})
		followers := must(w.Relations.Followers(w.ctx, ann, all()))
		w.same("ann's followers", followers, []feed.Key{{TS: noon, ID: int64(cem)}})
		w.same("the users muted by dee", w.related(feed.RelationMute, dee), []feed.Key{{TS: noon, ID: int64(cem)}})
		w.same("bob", w.usersOf(bob), []*feed.User{nil})
		w.same("the user by bob's handle", w.byHandle(newUser(bob).Handle), (*feed.User)(nil))
		w.same("who is found", w.found("u10"), []feed.UserID{cem})
		for i, p := range w.postsOf(2, 3, 6, 8) {
			w.same("whether bob's post is deleted", p.IsDeleted(), i == 3)
			w.same("whether bob's post is hidden", p.DeletedAt != 0, true)
		}
		w.same("the authors to pull", w.survey(bob, 0, true, 9).Own, []feed.Key(nil))
		w.absent(bob)
		w.present(bob, ann)
		w.present(bob)
		w.same("the readable data after the return", w.readings(), before)
	})
	s.promise("reposts of an absent author's posts are left out, however long the chain", func(w *world) {
		w.follow(ann, cem)
		w.post(1, bob, noon)
		w.repost(2, dee, noon+1, 1)
		direct := w.repost(3, cem, noon+2, 1)
		chain := w.repost(4, cem, noon+3, 2)
		w.absent(dee)
		w.same("the feed without the middle of a chain", w.feedOf(ann), []feed.Key{direct})
		w.absent(bob)
		w.same("the feed without the original", w.feedOf(ann), []feed.Key(nil))
		w.present(bob, dee)
		w.same("the feed after the return", w.feedOf(ann), []feed.Key{chain, direct})
	})
	s.promise("an absent viewer's feed has the posts of others", func(w *world) {
		w.follow(ann, bob)
		own := w.post(1, ann, noon)
		bobs := w.post(2, bob, noon+1)
		w.repost(3, bob, noon+2, 1)
		w.raiseFlag(feed.FlagUnpushed, bob)
		w.absent(ann)
		w.same("the feed", w.feedOf(ann), []feed.Key{bobs})
		w.pulledIs(ann, w.relationsVersion(ann), bob)
		w.surveyIs(w.survey(ann, 0, false, 9), ann, []feed.UserID{bob})
		w.present(ann)
		w.same("the feed after the return", w.feedOf(ann), []feed.Key{{TS: noon + 2, ID: 3}, bobs, own})
		w.surveyIs(w.survey(ann, 0, false, 9), ann, []feed.UserID{bob}, own)
	})
	s.promise("posts of an absent author that were deleted stay deleted", func(w *world) {
		w.follow(ann, bob)
		w.post(1, bob, noon)
		w.absent(bob)
		w.delete(1)
		w.present(bob)
		w.same("ann's feed", w.feedOf(ann), []feed.Key(nil))
		w.same("whether the post is deleted", w.postsOf(1)[0].IsDeleted(), true)
	})
	s.promise("pushes, builds and counters take absent users as there", func(w *world) {
		w.storeBobsData()
		w.raiseFlag(feed.FlagSelective, bob)
		type counted struct {
			Users     []feed.UserCounters
			Post      feed.PostCounters
			Covered   []feed.Key
			Followers []feed.UserID
			Reach     int64
			Flag      feed.CoverageFlag
		}
		count := func() counted {
			users := must(w.Counters.UserCounters(w.ctx, []feed.UserID{ann, bob, cem}))
			c := counted{Users: users, Post: w.postCounters(1), Covered: w.covered(ann), Followers: w.followerIDs(ann)}
			c.Reach, c.Flag = w.reach(bob)
			return c
		}
		before := count()
		w.absent(bob)
		w.same("what is counted", count(), before)
		w.pulledColdIs(ann, w.relationsVersion(ann), bob)
		w.storePlan(planOf(2, 1), noon)
		claimed := w.claimSlice(ref(2, 0))
		w.same("whether a push takes the post as deleted", claimed.Stored.Deleted, false)
	})
	s.promise("changes need present users, and undoing them does not", func(w *world) {
		w.follow(ann, bob)
		w.follow(bob, ann)
		w.post(1, ann, noon)
		w.post(2, bob, noon)
		w.relate(feed.RelationMute, ann, bob, true)
		w.relate(feed.RelationMute, bob, ann, true)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 2, noon))
		w.absent(bob)
		w.allAre(feed.CodeNotFound, map[string]error{
			"a follow of them":           w.Follows.Follow(w.ctx, cem, bob, noon, many, feed.FollowChoice{}),
			"a follow by them":           w.Follows.Follow(w.ctx, bob, cem, noon, many, feed.FollowChoice{}),
			"a mute of them":             w.SetRelation(w.ctx, *relationRecord(feed.RelationMute, cem, bob).Relation, true),
			"a block by them":            w.SetRelation(w.ctx, *relationRecord(feed.RelationBlock, bob, cem).Relation, true),
			"a reaction by them":         w.PostWriter.React(w.ctx, feed.ReactionFavorite, bob, 1, noon),
			"a reaction to theirs":       w.PostWriter.React(w.ctx, feed.ReactionFavorite, ann, 2, noon),
			"an edit":                    errorOf(w.PostWriter.Edit(w.ctx, 2, feed.PostEdit{Text: new("edited"), At: noon})),
			"a profile":                  errorOf(w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Name: new("Bob")})),
			"a post":                     errorOf(w.PostWriter.Publish(w.ctx, newPost(3, bob, noon), feed.Idempotency{}, eventAt(noon))),
			"a post of a small audience": errorOf(w.PostWriter.Publish(w.ctx, newPost(3, bob, noon), feed.Idempotency{}, feed.FirstDispatch{PlanBelow: many})),
		})
		w.unfollow(ann, bob)
		w.unfollow(bob, ann)
		w.relate(feed.RelationMute, ann, bob, false)
		w.relate(feed.RelationMute, bob, ann, false)
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, bob, 1))
		check(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 2))
		w.present(bob)
		w.same("bob's counters", w.userCounters(bob), feed.UserCounters{Posts: 1})
		w.same("the edges", slices.Concat(w.edges(ann, bob), w.edges(bob, ann)), []feed.Edge{{}, {}})
		w.same("the counters of the posts", []feed.PostCounters{w.postCounters(1), w.postCounters(2)}, []feed.PostCounters{{}, {}})
	})
	s.empty("an unknown user becomes a placeholder", func(w *world) {
		w.user(ann)
		w.present(bob)
		w.mustHaveCode(feed.CodeNotFound, w.Profiles.DeleteAccount(w.ctx, bob, noon))
		w.absent(cem, bob, bob)
		w.same("the users", w.usersOf(bob, cem), []*feed.User{nil, nil})
		w.same("the user without a handle", w.byHandle(""), (*feed.User)(nil))
		w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, ann, bob, noon, many, feed.FollowChoice{}))
		check(w.Profiles.DeleteAccount(w.ctx, cem, noon))
	})
	s.empty("a placeholder that arrives is shown", func(w *world) {
		w.user(ann)
		w.absent(bob)
		w.present(bob)
		w.follow(ann, bob)
		k := w.post(1, bob, noon)
		w.same("ann's feed", w.feedOf(ann), []feed.Key{k})
		name := "Bob"
		w.update(bob, feed.ProfileChange{Handle: &name, Name: &name})
		w.same("bob", w.byHandle(name).ID, bob)
	})
	s.empty("an unknown user without a profile becomes a placeholder", func(w *world) {
		placeholder := &feed.User{ID: bob, CreatedAt: noon}
		log := w.logReader()
		w.same("the placeholder", w.ensured(placeholder), placeholder)
		w.same("the placeholder again", w.ensured(&feed.User{ID: bob, CreatedAt: noon + 1}), placeholder)
		log.logs("a placeholder")
		w.same("the users", w.usersOf(bob), []*feed.User{nil})
		w.same("the user without a handle", w.byHandle(""), (*feed.User)(nil))
		w.user(ann)
		w.same("a user who is there", w.ensured(&feed.User{ID: ann}), newUser(ann))
		w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
		w.deleteAccounts(ann)
		w.mustBe(feed.ErrAccountDeleted, errorOf(w.Users.EnsureUser(w.ctx, &feed.User{ID: ann})))
	})
	s.empty("a placeholder that signs in is shown", func(w *world) {
		w.user(ann, dee)
		w.follow(ann, dee)
		w.absent(bob)
		log := w.logReader()
		w.same("the user", w.ensured(newUser(bob)), newUser(bob))
		log.logs("an arrival", feed.Change{Kind: feed.ChangeAccount, User: bob})
		w.same("the user stored", w.usersOf(bob), []*feed.User{newUser(bob)})
		w.same("the user with the handle", w.byHandle(newUser(bob).Handle), newUser(bob))
		w.mustHaveCode(feed.CodeConflict, errorOf(w.Users.EnsureUser(w.ctx, &feed.User{ID: cem, Handle: newUser(bob).Handle, Name: "Cem", CreatedAt: noon})))
		w.follow(ann, bob)
		k := w.post(1, bob, noon)
		w.same("ann's feed", w.feedOf(ann), []feed.Key{k})
		w.same("bob's counters", w.userCounters(bob), feed.UserCounters{Posts: 1, Followers: 1})
	})
	s.empty("a placeholder takes no handle of another user", func(w *world) {
		w.user(ann)
		w.absent(bob)
		taken := newUser(bob)
		taken.Handle = newUser(ann).Handle
		w.mustHaveCode(feed.CodeConflict, errorOf(w.Users.EnsureUser(w.ctx, taken)))
		w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
		w.same("the user", w.ensured(newUser(bob)), newUser(bob))
	})
	s.promise("a user who was taken back stays absent at a sign-in", func(w *world) {
		w.absent(bob)
		again := newUser(bob)
		again.Name = "Again"
		w.same("the user", w.ensured(again), newUser(bob))
		w.same("the users", w.usersOf(bob), []*feed.User{nil})
	})
	s.promise("deleted accounts stay deleted, and absent users can be deleted", func(w *world) {
		w.follow(ann, bob, cem)
		w.post(1, bob, noon)
		w.post(2, cem, noon)
		w.absent(cem)
		w.deleteAccounts(bob, cem)
		log := w.logReader()
		w.absent(bob, cem)
		w.present(bob, cem)
		log.logs("changes of deleted accounts")
		w.same("ann's feed", w.feedOf(ann), []feed.Key(nil))
		w.same("whether the posts are deleted", []bool{w.postsOf(1)[0].IsDeleted(), w.postsOf(2)[0].IsDeleted()}, []bool{true, true})
		w.purge(1)
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{})
	})
	s.promise("each change is logged once and raises the own version, the relations version of none", func(w *world) {
		w.follow(ann, bob)
		log, own, version := w.logReader(), w.viewerVersion(bob).Own, w.relationsVersion(ann)
		changed := func(absent bool) []feed.Change {
			return []feed.Change{feed.AbsenceChange(bob, absent), feed.AbsenceChange(cem, absent)}
		}
		w.absent(cem, bob)
		log.logs("two absent users", changed(true)...)
		w.absent(bob, 7777)
		log.logs("a user who is absent already, and a new placeholder")
		w.same("whether the own version rises", w.viewerVersion(bob).Own > own, true)
		own = w.viewerVersion(bob).Own
		w.present(bob, cem, dee)
		log.logs("their return", changed(false)...)
		w.same("whether the own version rises again", w.viewerVersion(bob).Own > own, true)
		w.same("the follower's version", w.relationsVersion(ann), version)
		w.present(bob)
		check(w.Presence.SetAbsent(w.ctx, nil, true))
		log.logs("nothing")
	})
	s.promise("reposts of an absent author's posts are logged", func(w *world) {
		w.post(1, ann, noon)
		w.post(2, ann, noon)
		w.repost(10, bob, noon, 1)
		w.repost(11, cem, noon, 10)
		w.repost(12, dee, noon, 2)
		log := w.logReader()
		reposts := []feed.Change{judgedAgain(bob, 10), judgedAgain(cem, 11), judgedAgain(dee, 12)}
		w.absent(ann)
		log.logs("an absent author", append(reposts, feed.AbsenceChange(ann, true))...)
		w.present(ann)
		log.logs("the author's return", append(reposts, feed.AbsenceChange(ann, false))...)
	})
	s.promise("an export marks absent users", func(w *world) {
		w.follow(ann, bob)
		w.post(1, bob, noon)
		want := w.exports()
		w.absent(bob, 7777)
		for i, r := range want {
			if r.User != nil && r.User.ID == bob {
				taken := *r.User
				taken.Absent = true
				want[i].User = &taken
			}
		}
		place := slices.IndexFunc(want, func(r feed.Record) bool { return r.User == nil })
		got := w.exports()
		awaited := feed.Record{User: &feed.UserRecord{User: feed.User{ID: 7777}, Absent: true, AwaitedAt: got[place].User.AwaitedAt}}
		w.same("whether the time of the first mention is exported", awaited.User.Awaited(), true)
		w.exportIs(slices.Insert(want, place, awaited)...)
	})
}

// absent makes users absent.
func (w *world) absent(users ...feed.UserID) { check(w.Presence.SetAbsent(w.ctx, users, true)) }

// present makes users present.
func (w *world) present(users ...feed.UserID) { check(w.Presence.SetAbsent(w.ctx, users, false)) }

func (w *world) ensured(u *feed.User) *feed.User { return must(w.Users.EnsureUser(w.ctx, u)) }
