package feedtest

import "github.com/tideline-feeds/tideline/feed"

// cannotTakeHandle checks that neither the user nor a new user can take a handle.
func (w *world) cannotTakeHandle(id feed.UserID, handle string) {
	before := w.usersOf(id)
	w.mustHaveCode(feed.CodeConflict, errorOf(w.Profiles.UpdateProfile(w.ctx, id, feed.ProfileChange{Handle: &handle, Name: new("Changed")})))
	w.same("the user", w.usersOf(id), before)
	w.mustHaveCode(feed.CodeConflict, errorOf(w.Users.EnsureUser(w.ctx, &feed.User{ID: 4321, Handle: handle, Name: "New", CreatedAt: noon})))
	w.same("the new user", w.usersOf(4321), []*feed.User{nil})
}

// lookalikes returns handles that look like "alice".
func lookalikes() []string {
	return []string{"\u0430lice", "ali\u0441e", "a1ice", "aIice", "AIice", "\uff41lice", "al\u0131ce", "\u1d00\u029f\u026a\u1d04\u1d07"}
}

// releaseHandles releases reserved handles, at most limit in a call, and returns the number of
// calls.
func (w *world) releaseHandles(limit int) (calls int) {
	for more := true; more; calls++ {
		more = must(w.Cleaner.DropFreedHandles(w.ctx, feed.Millis(later()), limit))
	}
	return calls
}

func handlePromises(s storeSuite) {
	s.empty("only one of concurrent users gets one of several similar handles", func(w *world) {
		handles := lookalikes()
		w.oneWins(2*len(handles), func(i int) error {
			u := feed.User{ID: feed.UserID(5000 + i), Handle: handles[i%len(handles)], Name: "New", CreatedAt: noon}
			return errorOf(w.Users.EnsureUser(w.ctx, &u))
		})
	})
	s.promise("a handle that looks like another's is a conflict and changes nothing", func(w *world) {
		w.update(ann, feed.ProfileChange{Handle: new("alice")})
		for _, handle := range lookalikes() {
			w.cannotTakeHandle(bob, handle)
		}
		w.same("bob with another handle", w.update(bob, feed.ProfileChange{Handle: new("alicia")}).Handle, "alicia")
	})
	s.promise("a freed handle stays reserved until it is released", func(w *world) {
		w.update(ann, feed.ProfileChange{Handle: new("alice")})
		w.update(ann, feed.ProfileChange{Handle: new("bertha")})
		must(w.Cleaner.DropFreedHandles(w.ctx, feed.Millis(earlier()), many))
		for _, handle := range append(lookalikes(), "alice", "U9") {
			w.cannotTakeHandle(bob, handle)
		}
		w.releaseHandles(1)
		w.same("bob with the handle", w.update(bob, feed.ProfileChange{Handle: new("alice")}).Handle, "alice")
		w.cannotTakeHandle(ann, "alice")
		w.cannotTakeHandle(bob, "bertha")
	})
	s.promise("users can take back a handle that they gave up", func(w *world) {
		for range 2 {
			w.update(ann, feed.ProfileChange{Handle: new("alice")})
			w.cannotTakeHandle(bob, "u9")
			w.same("the handle", w.update(ann, feed.ProfileChange{Handle: new("U9")}).Handle, "U9")
			w.cannotTakeHandle(bob, "alice")
		}
		w.releaseHandles(many)
		w.cannotTakeHandle(bob, "u9")
		w.same("bob with the handle", w.update(bob, feed.ProfileChange{Handle: new("alice")}).Handle, "alice")
	})
	s.empty("imported handles may look alike, and users may change their case", func(w *world) {
		w.user(ann)
		w.update(ann, feed.ProfileChange{Handle: new("alice")})
		imported := newUser(bob)
		imported.Handle = "\u0430lice"
		w.imports([]feed.Record{{User: &feed.UserRecord{User: *imported}}})
		w.same("the users stored", w.byHandle("\u0430lice"), imported)
		w.same("another case", w.update(bob, feed.ProfileChange{Handle: new("\u0410lice")}).Handle, "\u0410lice")
		w.same("another case", w.update(ann, feed.ProfileChange{Handle: new("Alice")}).Handle, "Alice")
		w.update(bob, feed.ProfileChange{Handle: new("bob")})
		w.cannotTakeHandle(bob, "\u0430lice")
	})
}
