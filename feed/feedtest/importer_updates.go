package feedtest

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// importUpdates checks what [feed.Applier] does in a batch with [feed.Batch.Update].
func importUpdates(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a user gets the content of the record", updateUsers},
		{"each text of a user and of a post is compared and updated by itself", importEachText},
		{"users may swap handles, in pairs and in rings", updateSwaps},
		{"a handle that its owner keeps is refused, and so is what counted on it", updateTaken},
		{"a new user may take a handle that is given up or deleted", updateFreed},
		{"a handle that was given up is held back from new users", updateHoldsBack},
		{"an account is deleted by its record, and stays deleted", updateDeletes},
		{"a post is edited, deleted and restored, and counted", updatePosts},
		{"a post keeps author, kind, place and references", updateKeeps},
		{"edges that were undone are made again, and counted", updateUndone},
		{"an edge gets the time of the record", updateDates},
		{"the last record of an object wins", updateLast},
		{"what an update changes, it raises stamps for, and a second time nothing", updateStamps},
	})
}

// updates imports records with [feed.Batch.Update].
func (w *world) updates(rs ...feed.Record) feed.Applied {
	w.t.Helper()
	result, err := w.Applier.Apply(w.ctx, feed.Batch{Records: rs, Update: true, ActiveFor: feed.DefaultPolicy().ActiveFor})
	w.must(err)
	return result
}

// updated imports one record and checks that it changed exactly these fields of its object.
func (w *world) updated(r feed.Record, fields ...string) {
	w.t.Helper()
	r.Line = 5
	w.same("the result", w.updates(r), feed.Applied{Updated: []feed.Difference{{Line: 5, Object: r.Object(), Fields: fields}}})
	w.same("the result of the same record", w.updates(r), feed.Applied{Unchanged: 1})
}

// named returns the record of a user with another handle.
func named(id feed.UserID, handle string) feed.Record {
	r := userRecord(id)
	r.User.Handle = handle
	return r
}

// handlesAre compares users' handles and looks the users up by them.
func (w *world) handlesAre(handles map[feed.UserID]string) {
	w.t.Helper()
	for id, handle := range handles {
		w.same("the handle", w.usersOf(id)[0].Handle, handle)
		found, err := w.Users.UserByHandle(w.ctx, handle)
		w.must(err)
		if found == nil || found.ID != id {
			w.t.Errorf("%s is the handle of %+v, not of %d", handle, found, id)
		}
	}
}

func updateUsers(w *world) {
	w.four()
	r := named(bob, "other")
	r.User.Name, r.User.AvatarURL, r.User.CreatedAt = "Other Name", "https://tideline.example/other.png", noon-5
	w.updated(r, "handle", "name", "avatarUrl", "createdAt")
	w.same("bob", w.usersOf(bob), []*feed.User{&r.User.User})
	w.handlesAre(map[feed.UserID]string{bob: "other"})
	keys, err := w.Profiles.SearchUsers(w.ctx, []string{"other"}, all())
	w.must(err)
	w.same("how many are found", len(keys), 1)
	w.updated(named(bob, "OTHER"), "handle", "name", "avatarUrl", "createdAt")
}

func updateSwaps(w *world) {
	w.four()
	a, b, c, d := newUser(ann).Handle, newUser(bob).Handle, newUser(cem).Handle, newUser(dee).Handle
	w.same("how many are swapped", len(w.updates(records(named(ann, b), named(bob, a))...).Updated), 2)
	w.handlesAre(map[feed.UserID]string{ann: b, bob: a})
	w.same("how many go round", len(w.updates(records(named(ann, c), named(bob, b), named(cem, d), named(dee, a))...).Updated), 4)
	w.handlesAre(map[feed.UserID]string{ann: c, bob: b, cem: d, dee: a})
}

func updateTaken(w *world) {
	w.four()
	a, b, c := newUser(ann).Handle, newUser(bob).Handle, newUser(cem).Handle
	result := w.updates(records(named(ann, strings.ToUpper(b)), named(bob, c), named(dee, "free"), named(50, "FREE"), named(51, a))...)
	w.same("the lines refused", lines(result.Bad), []int{1, 2, 4, 5})
	w.same("how many are updated", len(result.Updated), 1)
	w.handlesAre(map[feed.UserID]string{ann: a, bob: b, cem: c, dee: "free"})
	w.same("the new users", w.usersOf(50, 51), []*feed.User{nil, nil})
}

func updateFreed(w *world) {
	w.four()
	gone := userRecord(bob)
	gone.User.DeletedAt = noon + 1
	result := w.updates(records(named(50, newUser(ann).Handle), named(51, newUser(bob).Handle), named(ann, "free"), gone)...)
	w.same("how many are stored", result.Stored, 2)
	w.same("how many are updated", len(result.Updated), 2)
	w.handlesAre(map[feed.UserID]string{50: newUser(ann).Handle, 51: newUser(bob).Handle, ann: "free"})
}

func updateHoldsBack(w *world) {
	w.four()
	handle := newUser(ann).Handle
	w.updated(named(ann, "other"), "handle")
	take := func() error {
		_, err := w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Handle: &handle})
		return err
	}
	w.mustBe(feed.CodeConflict, take())
	w.updated(named(ann, handle), "handle")
	w.mustBe(feed.CodeConflict, take())
}

func updateDeletes(w *world) {
	w.imports(town())
	gone := userRecord(bob)
	gone.User.DeletedAt = noon + 1
	w.updated(gone, "deletedAt")
	w.purge(1)
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
	w.same("when the post was deleted", w.postsOf(10)[0].DeletedAt, noon+1)
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Following: 1, Posts: 1})
	result := w.updates(records(userRecord(bob), followRecord(ann, bob), postRecord(10, bob))...)
	w.same("the lines refused", lines(result.Bad), []int{1, 2, 3})
	same := userRecord(cem)
	same.User.DeletedAt = noon + 1
	result = w.updates(records(postRecord(11, cem), same, postRecord(11, cem), relationRecord(feed.RelationHide, cem, bob))...)
	w.same("the lines refused after the deletion", lines(result.Bad), []int{3, 4})
}

func updatePosts(w *world) {
	w.imports(town())
	edited := postRecord(10, bob)
	edited.Post.Text, edited.Post.EditedAt, edited.Post.Media = "other", noon+1, []string{"https://tideline.example/o.png"}
	w.updated(edited, "text", "media", "editedAt")
	w.same("the post", w.postsOf(10), []*feed.Post{edited.Post})
	comment := commentRecord(9, cem, 10)
	comment.Post.DeletedAt = noon + 1
	w.updated(comment, "deletedAt")
	w.same("the comment", w.postsOf(9), []*feed.Post{comment.Post})
	w.same("the post's counters", w.postCounters(10), feed.PostCounters{Likes: 1, Reposts: 1})
	w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Posts: 1})
	w.updated(commentRecord(9, cem, 10), "deletedAt")
	w.updated(postRecord(10, bob), "text", "media", "editedAt")
	w.townStands()
}

func updateKeeps(w *world) {
	w.imports(town())
	moved, other, answer := postRecord(10, bob), postRecord(10, ann), commentRecord(9, cem, 11)
	moved.Post.PublishedAt++
	kind := commentRecord(10, bob, 11)
	for field, r := range map[string]feed.Record{"publishedAt": moved, "by user": other, "replyTo": answer, "kind": kind} {
		result := w.updates(r)
		if len(result.Bad) != 1 || !strings.Contains(result.Bad[0].Reason, field) {
			w.t.Errorf("another %s: %+v", field, result)
		}
	}
	w.townStands()
}

func updateUndone(w *world) {
	w.imports(town())
	before := w.version(ann)
	w.unfollow(ann, bob)
	w.must(w.PostWriter.Unreact(w.ctx, feed.ReactionLike, ann, 10))
	w.must(w.Relater.Unrelate(w.ctx, feed.RelationMute, bob, ann))
	w.must(w.Relater.Unrelate(w.ctx, feed.RelationHide, cem, bob))
	w.must(w.Relater.Unrelate(w.ctx, feed.RelationBlock, bob, cem))
	undone := records(followRecord(ann, bob), reactionRecord(feed.ReactionLike, ann, 10),
		relationRecord(feed.RelationMute, bob, ann), relationRecord(feed.RelationHide, cem, bob), relationRecord(feed.RelationBlock, bob, cem))
	var want feed.Applied
	for _, r := range undone {
		want.AddUpdated(&r, feed.Difference{Undone: true})
	}
	w.same("the result", w.updates(undone...), want)
	w.townStands()
	w.pulledIs(ann, before, bob)
	w.same("the result of the same records", w.updates(undone...), feed.Applied{Unchanged: len(undone)})
}

func updateDates(w *world) {
	w.imports(town())
	follow, like, mute := followRecord(ann, bob), reactionRecord(feed.ReactionLike, ann, 10), relationRecord(feed.RelationMute, bob, ann)
	follow.Follow.CreatedAt, like.Reaction.CreatedAt, mute.Relation.CreatedAt = noon+1, noon+1, noon+1
	for _, r := range []feed.Record{follow, like, mute} {
		w.updated(r, "createdAt")
	}
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}, {TS: noon, ID: int64(cem)}})
	w.same("bob's mutes", w.related(feed.RelationMute, bob), []feed.Key{{TS: noon + 1, ID: int64(ann)}})
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 2, Posts: 1})
	w.same("the post's counters", w.postCounters(10), feed.PostCounters{Likes: 1, Comments: 1, Reposts: 1})
}

func updateLast(w *world) {
	w.imports(town())
	gone := postRecord(11, cem)
	gone.Post.DeletedAt = noon + 1
	late := named(ann, "third")
	result := w.updates(records(named(ann, "first"), gone, named(ann, "second"), postRecord(11, cem), late, named(60, "new"), named(60, "newer"))...)
	w.same("how many are updated", len(result.Updated), 6)
	w.same("how many are stored", result.Stored, 1)
	w.handlesAre(map[feed.UserID]string{ann: "third", 60: "newer"})
	w.same("cem's counters", w.userCounters(cem), feed.UserCounters{Followers: 1, Posts: 2})
}

func updateStamps(w *world) {
	w.imports(town())
	edited, renamed := postRecord(10, bob), named(bob, "other")
	edited.Post.Text = "other"
	for _, r := range []feed.Record{edited, renamed} {
		before := w.stamp(bob)
		w.updates(r)
		after := w.stamp(bob)
		if after.Own <= before.Own || after.Generation <= before.Generation {
			w.t.Errorf("the stamp was %+v and is %+v", before, after)
		}
		w.updates(r)
		w.same("the stamp after the same record", w.stamp(bob), after)
	}
}
