package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// sanctionPromises checks what [feed.Moderation] promises besides the predicate, which [Audiences] checks.
func sanctionPromises(s storeSuite) {
	s.promise("a takedown and a suspension hide at once, are logged, and end", sanctionsHide)
	s.promise("a sanction is imposed once, and another reason or end replaces it", sanctionsAreReplaced)
	s.promise("a sanction stays when its subject goes and returns", sanctionsStay)
	s.promise("records and moderators lift only their own", recordsAndModerators)
	s.promise("an import restores the sanctions of an export", exportedSanctions)
	s.promise("a suspension ends when its time has come", suspensionsEnd)
	s.promise("the moderation log lists sanctions of a subject or of all", sanctionsAreListed)
	s.promise("subjects that were never stored are not found", func(w *world) {
		for _, of := range []feed.Subject{{Post: 999}, {User: 999}} {
			w.mustHaveCode(feed.CodeNotFound, w.Moderation.Impose(w.ctx, feed.Sanction{Subject: of, Reason: "spam", At: noon}))
			w.mustHaveCode(feed.CodeNotFound, w.Moderation.Lift(w.ctx, of, noon, "mod"))
			w.same("the sanctions in force", w.inForce(of), []feed.Sanction(nil))
		}
		w.same("the user", must(w.Moderation.StoredUser(w.ctx, 999)), (*feed.User)(nil))
	})
	s.promise("any stored user can be read", func(w *world) {
		stored := func(id feed.UserID) feed.UserID { return must(w.Moderation.StoredUser(w.ctx, id)).ID }
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{bob}, true))
		w.deleteAccounts(cem)
		w.same("the users", []feed.UserID{stored(ann), stored(bob), stored(cem)}, []feed.UserID{ann, bob, cem})
	})
	s.promise("a search does not find suspended users", func(w *world) {
		found := func() []feed.Key {
			words := feed.QueryWords(newUser(ann).Handle)
			return must(w.Profiles.SearchUsers(w.ctx, words, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: many}))
		}
		before := found()
		w.failIf(len(before) == 0, "ann is not found")
		w.impose(feed.Subject{User: ann})
		w.same("the users found during the suspension", len(found()), len(before)-1)
		w.lift(feed.Subject{User: ann})
		w.same("the users found after it", found(), before)
	})
	s.promise("outboxes leave out suspended authors, except the viewer", func(w *world) {
		key := w.post(1, ann, noon)
		outbox := func(viewer feed.UserID) []feed.Key {
			return must(w.Outboxes.Outbox(w.ctx, viewer, []feed.UserID{ann, bob}, all()))
		}
		w.impose(feed.Subject{User: ann})
		w.same("bob's view", outbox(bob), []feed.Key(nil))
		w.same("ann's view", outbox(ann), []feed.Key{key})
	})
}

// ModeratorsReason is why suites take down posts and suspend users.
const ModeratorsReason = "it is spam"

func (w *world) impose(of feed.Subject) {
	check(w.Moderation.Impose(w.ctx, feed.Sanction{Subject: of, Reason: ModeratorsReason, By: "mod", At: noon}))
}

func (w *world) lift(of feed.Subject) { check(w.Moderation.Lift(w.ctx, of, noon+1, "other mod")) }

// inForce returns the sanctions in force without their numbers.
func (w *world) inForce(of ...feed.Subject) []feed.Sanction {
	return withoutSanctionNumbers(must(w.Moderation.InForce(w.ctx, of)))
}

func withoutSanctionNumbers(list []feed.Sanction) []feed.Sanction {
	return each(list, func(s feed.Sanction) feed.Sanction {
		s.Number = 0
		return s
	})
}

// takenDown is about post 1.
func (w *world) takenDown() feed.HiddenFor                   { return w.postsOf(1)[0].TakenDown }
func (w *world) suspended(id feed.UserID) feed.HiddenFor     { return w.usersOf(id)[0].Suspended }
func (w *world) accountsOf(id feed.PostID) feed.PostAccounts { return w.postsOf(id)[0].Accounts }

func sanctionsHide(w *world) {
	w.post(1, ann, noon)
	w.publish(newRepost(2, bob, noon, 1))
	post, user := feed.Subject{Post: 1}, feed.Subject{User: ann}
	for what, c := range map[string]struct {
		of     feed.Subject
		hidden func() bool
	}{
		"a takedown": {post, func() bool { return w.takenDown() == feed.HiddenForModerator }},
		"a suspension": {user, func() bool {
			return w.suspended(ann) == feed.HiddenForModerator && w.accountsOf(1).Has(feed.AuthorSuspended)
		}},
	} {
		repost := feed.Change{Kind: feed.ChangeDeleted, User: bob, Other: bob, Post: 2}
		before, own := w.numberAll(), must(w.Relations.ViewerVersion(w.ctx, ann)).Own
		w.impose(c.of)
		w.same("whether it is hidden by "+what, c.hidden(), true)
		w.logs(what, before, c.of.Moderated(ann, true), repost)
		w.failIf(must(w.Relations.ViewerVersion(w.ctx, ann)).Own <= own, "%s: the author's own version has not risen", what)
		before = w.numberAll()
		w.impose(c.of)
		w.logs(what+" again", before)
		w.lift(c.of)
		w.same("whether it is hidden after "+what, c.hidden(), false)
		w.logs("the end of "+what, before, c.of.Moderated(ann, false), repost)
		w.lift(c.of)
		w.same("the sanctions in force", w.inForce(post, user), []feed.Sanction(nil))
	}
}

// logs compares the changes after a place, in any order.
func (w *world) logs(what string, after feed.ChangePlace, want ...feed.Change) {
	w.numberAll()
	w.sameChanges(what, w.loggedAfter(after), want)
}

func sanctionsAreReplaced(w *world) {
	of := feed.Subject{User: ann}
	first := feed.Sanction{Subject: of, Reason: "spam", By: "mod", At: noon}
	second := feed.Sanction{Subject: of, Reason: "insults", By: "other mod", At: noon + 1}
	third := second
	third.At, third.Until = noon+2, noon+24*hour
	for _, s := range []feed.Sanction{first, first, second, third} {
		check(w.Moderation.Impose(w.ctx, s))
		w.same("the sanction in force", w.inForce(of), []feed.Sanction{s})
	}
	first.LiftedAt, first.LiftedBy = second.At, second.By
	second.LiftedAt, second.LiftedBy = third.At, third.By
	w.same("all sanctions", withoutSanctionNumbers(must(w.Moderation.Sanctions(w.ctx, of, all()))), []feed.Sanction{third, second, first})
}

func sanctionsStay(w *world) {
	w.post(1, ann, noon)
	w.impose(feed.Subject{Post: 1})
	w.impose(feed.Subject{User: ann})
	same := func(what string) {
		w.same("the post "+what, w.takenDown(), feed.HiddenForModerator)
		w.same("its author "+what, w.suspended(ann), feed.HiddenForModerator)
	}
	check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, true))
	check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, false))
	same("after the author's return")
	gone := postRecord(1, ann)
	gone.Post.DeletedAt = noon
	w.ingest(gone)
	w.same("the deleted post", w.takenDown(), feed.HiddenForModerator)
	w.ingest(postRecord(1, ann), userRecord(ann))
	same("after records of both")
	w.ingest(partial(postRecord(1, ann), "text"), partial(userRecord(ann), "name"))
	same("after partial records")
}

func recordsAndModerators(w *world) {
	post, user := postRecord(1, ann), userRecord(ann)
	w.ingest(post, user)
	hiddenPost, hiddenUser := postRecord(1, ann), userRecord(ann)
	hiddenPost.Post.TakenDown, hiddenUser.User.Suspended = feed.HiddenForRecord, feed.HiddenForRecord
	same := func(what string, want feed.HiddenFor) {
		w.same("the post "+what, w.takenDown(), want)
		w.same("its author "+what, w.suspended(ann), want)
	}
	before := w.numberAll()
	w.ingest(hiddenPost, hiddenUser)
	same("by records", feed.HiddenForRecord)
	logged := withoutNumbers(w.loggedAfter(before))
	for _, of := range []feed.Subject{{Post: 1}, {User: ann}} {
		w.failIf(!hasChange(logged, of.Moderated(ann, true)), "the records of %+v are not logged as hiding: %v", of, logged)
		w.impose(of)
	}
	same("by both", feed.HiddenForRecord|feed.HiddenForModerator)
	before = w.numberAll()
	w.ingest(post, user)
	same("by moderators alone", feed.HiddenForModerator)
	logged = withoutNumbers(w.loggedAfter(before))
	for _, of := range []feed.Subject{{Post: 1}, {User: ann}} {
		w.failIf(hasChange(logged, of.Moderated(ann, false)), "%+v is logged as shown, though a moderator hides it: %v", of, logged)
	}
	w.ingest(hiddenPost, hiddenUser)
	w.lift(feed.Subject{Post: 1})
	w.lift(feed.Subject{User: ann})
	same("after the moderators", feed.HiddenForRecord)
	w.ingest(partial(postRecord(1, ann), "text"), partial(userRecord(ann), "name"))
	same("after partial records", feed.HiddenForRecord)
	w.ingest(partial(postRecord(1, ann), "takenDown"), partial(userRecord(ann), "suspended"))
	same("after partial records that say it", 0)
}

func suspensionsEnd(w *world) {
	for user, until := range map[feed.UserID]int64{ann: noon + 10, bob: noon + 20, cem: 0} {
		check(w.Moderation.Impose(w.ctx, feed.Sanction{Subject: feed.Subject{User: user}, Reason: "spam", At: noon, Until: until}))
	}
	ended := func(now int64, want int) {
		n := 0
		for more := true; more; {
			more = must(w.Moderation.LiftDue(w.ctx, now, 1))
		}
		for _, user := range []feed.UserID{ann, bob, cem} {
			if w.suspended(user) == 0 {
				n++
			}
		}
		w.same("the ended suspensions", n, want)
	}
	ended(noon+9, 0)
	ended(noon+10, 1)
	w.same("how it ended", must(w.Moderation.Sanctions(w.ctx, feed.Subject{User: ann}, all()))[0].LiftedBy, "")
	ended(noon+100, 2)
}

func sanctionsAreListed(w *world) {
	w.post(1, ann, noon)
	var keys []feed.Key
	for i, of := range []feed.Subject{{Post: 1}, {User: ann}, {User: bob}} {
		check(w.Moderation.Impose(w.ctx, feed.Sanction{Subject: of, Reason: "spam", At: noon + int64(i/2)}))
	}
	for _, s := range must(w.Moderation.Sanctions(w.ctx, feed.Subject{}, all())) {
		keys = append(keys, s.Key())
	}
	w.same("the sanctions", len(keys), 3)
	w.everyRange(keys, func(r feed.Range) ([]feed.Key, error) {
		list, err := w.Moderation.Sanctions(w.ctx, feed.Subject{}, r)
		return each(list, func(s feed.Sanction) feed.Key { return s.Key() }), err
	})
	w.same("those of bob", len(must(w.Moderation.Sanctions(w.ctx, feed.Subject{User: bob}, all()))), 1)
	w.same("those of the post", len(must(w.Moderation.Sanctions(w.ctx, feed.Subject{Post: 1}, all()))), 1)
}

// exportedSanctions checks that an import restores what moderators have hidden, and lifts nothing.
func exportedSanctions(w *world) {
	w.post(1, ann, noon)
	w.post(2, ann, noon+1)
	until := feed.Sanction{Subject: feed.Subject{User: ann}, Reason: ModeratorsReason, By: "mod", At: noon, Until: noon + hour}
	check(w.Moderation.Impose(w.ctx, until))
	w.impose(feed.Subject{Post: 1})
	all := w.exports()
	moderated := map[string]feed.Moderated{}
	for _, r := range all {
		if r.Moderated != (feed.Moderated{}) {
			moderated[r.Name()] = r.Moderated
		}
	}
	want := feed.Moderated{Reason: ModeratorsReason, At: noon}
	w.same("the exported sanctions", moderated, map[string]feed.Moderated{"user " + ann.String(): want, "post 1": want})
	w.lift(feed.Subject{Post: 1})
	w.lift(feed.Subject{User: ann})
	for what, apply := range map[string]func(){
		"an import": func() { w.imports(records(all...)) },
		"records":   func() { w.ingest(all...) },
	} {
		before := w.numberAll()
		apply()
		w.same("the post after "+what, w.takenDown(), feed.HiddenForModerator)
		w.same("its author after "+what, w.suspended(ann), feed.HiddenForModerator)
		w.same("the sanctions after "+what, len(w.inForce(feed.Subject{Post: 1}, feed.Subject{User: ann}, feed.Subject{Post: 2})), 2)
		w.failIf(what == "records" && !hasChange(withoutNumbers(w.loggedAfter(before)), feed.Subject{Post: 1}.Moderated(ann, true)), "%s do not log the takedown", what)
		w.imports(records(postRecord(1, ann), userRecord(ann)))
		w.same("the post after records without sanctions", w.takenDown(), feed.HiddenForModerator)
		w.lift(feed.Subject{Post: 1})
		w.lift(feed.Subject{User: ann})
	}
	forged := postRecord(8, ann)
	forged.Post.TakenDown = feed.HiddenForModerator | feed.HiddenForRecord
	w.imports(records(forged))
	w.same("a post whose record says that a moderator has hidden it", w.postsOf(8)[0].TakenDown, feed.HiddenForRecord)
	bad := postRecord(7, ann)
	bad.Moderated.At = noon
	w.same("the bad records", len(w.imports(records(bad)).Bad), 1)
}
