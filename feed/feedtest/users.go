package feedtest

import (
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

// usersPromises checks the promises of [feed.Users].
func usersPromises(s storeSuite) {
	s.promise("one user per id, in the order of the ids, nil for unknown ids, none for no ids", func(w *world) {
		w.same("the users", w.usersOf(bob, 7, ann, bob),
			[]*feed.User{newUser(bob), nil, newUser(ann), newUser(bob)})
		w.same("the users", w.usersOf(), []*feed.User(nil))
	})
	s.empty("every field is stored", func(w *world) {
		u := newUser(math.MaxInt64)
		u.Handle, u.Name, u.CreatedAt = "Mixed_Case", "名前 \"quoted\"", feed.MaxTime
		w.same("the user returned", must(w.Users.EnsureUser(w.ctx, u)), u)
		w.same("the user stored", w.usersOf(u.ID), []*feed.User{u})
	})
	s.empty("a handle is found in any case, and a free handle is nil", func(w *world) {
		u := newUser(ann)
		u.Handle = "AnnSmith"
		must(w.Users.EnsureUser(w.ctx, u))
		for _, handle := range []string{"AnnSmith", "annsmith", "ANNSMITH"} {
			found := must(w.Users.UserByHandle(w.ctx, handle))
			w.same("the user with the handle "+handle, found, u)
		}
		for _, handle := range []string{"ann", "ann_mith", "ann%", ""} {
			w.same("the user with the handle "+handle, must(w.Users.UserByHandle(w.ctx, handle)), (*feed.User)(nil))
		}
	})
	s.promise("a user whose id is taken does not change", func(w *world) {
		again := newUser(ann)
		again.Handle, again.Name, again.CreatedAt = "other", "Other", noon+1
		w.same("the user returned", must(w.Users.EnsureUser(w.ctx, again)), newUser(ann))
		w.same("the user stored", w.usersOf(ann), []*feed.User{newUser(ann)})
	})
	s.empty("another user's handle, in any case, is a conflict and stores nothing", func(w *world) {
		w.user(ann)
		second := newUser(bob)
		second.Handle = "U9"
		w.mustHaveCode(feed.CodeConflict, errorOf(w.Users.EnsureUser(w.ctx, second)))
		w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
	})
	s.empty("concurrent calls create one user once", func(w *world) {
		made := gather(8, func(i int) (*feed.User, error) { return w.Users.EnsureUser(w.ctx, newUser(ann)) })
		for _, u := range made {
			w.same("the user returned", u, newUser(ann))
		}
	})
}

// usersOf returns the users with the ids.
func (w *world) usersOf(ids ...feed.UserID) []*feed.User { return must(w.Users.Users(w.ctx, ids)) }
