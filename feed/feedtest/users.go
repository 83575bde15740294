package feedtest

import (
	"context"
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Users checks the promises of [feed.Users].
func Users(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"one user per id, in the order of the ids, nil for unknown ids", usersInOrder},
		{"no ids give no users", usersOfNothing},
		{"every field is stored", usersWhole},
		{"a handle is found in any case, and a free handle is nil", usersByHandle},
		{"a user whose id is taken does not change", usersEnsuredTwice},
		{"another user's handle, in any case, is a conflict and stores nothing", usersConflict},
		{"concurrent calls create one user once", usersAtOnce},
		{"an ended context is an error", usersEndedContext},
	})
}

// usersOf returns the users with the ids.
func (w *world) usersOf(ids ...feed.UserID) []*feed.User {
	w.t.Helper()
	users, err := w.Users.Users(w.ctx, ids)
	w.must(err)
	return users
}

func usersInOrder(w *world) {
	w.user(ann, bob)
	w.same("the users", w.usersOf(bob, 7, ann, bob),
		[]*feed.User{newUser(bob), nil, newUser(ann), newUser(bob)})
}

func usersOfNothing(w *world) {
	w.same("the users", w.usersOf(), []*feed.User(nil))
}

func usersWhole(w *world) {
	u := newUser(math.MaxInt64)
	u.Handle, u.Name, u.CreatedAt = "Mixed_Case", "名前 \"quoted\"", feed.MaxTime
	made, err := w.Users.EnsureUser(w.ctx, u)
	w.must(err)
	w.same("the user returned", made, u)
	w.same("the user stored", w.usersOf(u.ID), []*feed.User{u})
}

func usersByHandle(w *world) {
	u := newUser(ann)
	u.Handle = "AnnSmith"
	_, err := w.Users.EnsureUser(w.ctx, u)
	w.must(err)
	for _, handle := range []string{"AnnSmith", "annsmith", "ANNSMITH"} {
		found, err := w.Users.UserByHandle(w.ctx, handle)
		w.must(err)
		w.same("the user with the handle "+handle, found, u)
	}
	for _, handle := range []string{"ann", "ann_mith", "ann%", ""} {
		found, err := w.Users.UserByHandle(w.ctx, handle)
		w.must(err)
		w.same("the user with the handle "+handle, found, (*feed.User)(nil))
	}
}

func usersEnsuredTwice(w *world) {
	w.user(ann)
	again := newUser(ann)
	again.Handle, again.Name, again.CreatedAt = "other", "Other", noon+1
	got, err := w.Users.EnsureUser(w.ctx, again)
	w.must(err)
	w.same("the user returned", got, newUser(ann))
	w.same("the user stored", w.usersOf(ann), []*feed.User{newUser(ann)})
}

func usersConflict(w *world) {
	w.user(ann)
	second := newUser(bob)
	second.Handle = "U9"
	_, err := w.Users.EnsureUser(w.ctx, second)
	w.mustHaveCode(feed.CodeConflict, err)
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), nil})
}

func usersAtOnce(w *world) {
	made := make([]*feed.User, 8)
	for _, err := range concurrently(len(made), func(i int) (err error) {
		made[i], err = w.Users.EnsureUser(w.ctx, newUser(ann))
		return err
	}) {
		w.must(err)
	}
	for _, u := range made {
		w.same("the user returned", u, newUser(ann))
	}
}

func usersEndedContext(w *world) {
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Users": func(ctx context.Context) error {
			_, err := w.Users.Users(ctx, []feed.UserID{1})
			return err
		},
		"UserByHandle": func(ctx context.Context) error {
			_, err := w.Users.UserByHandle(ctx, "u1")
			return err
		},
		"EnsureUser": func(ctx context.Context) error {
			_, err := w.Users.EnsureUser(ctx, newUser(1))
			return err
		},
	})
	w.same("the users", w.usersOf(1), []*feed.User{nil})
}
