package feedtest

import (
	"math"
	"reflect"
	"slices"
	"strings"

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
	s.promise("a handle that looks like another's is a conflict and changes nothing, until it is freed and released", func(w *world) {
		w.update(ann, feed.ProfileChange{Handle: new("alice")})
		for _, handle := range lookalikes() {
			w.cannotTakeHandle(bob, handle)
		}
		w.same("bob with another handle", w.update(bob, feed.ProfileChange{Handle: new("alicia")}).Handle, "alicia")
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

// profilesPromises checks the promises of [feed.Profiles].
func profilesPromises(s storeSuite) {
	s.group("Update", func(s storeSuite) {
		s.promise("a change sets its fields, keeps the others, and returns the result", func(w *world) {
			want := newUser(ann)
			for _, c := range []struct {
				change feed.ProfileChange
				apply  func()
			}{
				{feed.ProfileChange{}, func() {}},
				{feed.ProfileChange{Name: new("名前 \"quoted\"")}, func() { want.Name = "名前 \"quoted\"" }},
				{feed.ProfileChange{AvatarURL: new("https://example.org/a.png")}, func() { want.AvatarURL = "https://example.org/a.png" }},
				{feed.ProfileChange{Handle: new("Ann_Smith")}, func() { want.Handle = "Ann_Smith" }},
				{feed.ProfileChange{AvatarURL: new("")}, func() { want.AvatarURL = "" }},
				{
					feed.ProfileChange{Handle: new("x"), Name: new("y"), AvatarURL: new("https://example.org/z")},
					func() { want.Handle, want.Name, want.AvatarURL = "x", "y", "https://example.org/z" },
				},
			} {
				c.apply()
				w.same("the user returned", w.update(ann, c.change), want)
				w.same("the users stored", w.usersOf(ann, bob), []*feed.User{want, newUser(bob)})
			}
			check(w.Audience.RaiseFlag(w.ctx, ann, feed.FlagUnpushed, feed.FlagBacklog))
			w.same("the coverage flag", w.update(ann, feed.ProfileChange{Name: new("z")}).Flag, feed.FlagUnpushed)
		})
		// The test changes one text field of a profile after the other.
		s.promise("each text can be changed alone", func(w *world) {
			want := newUser(ann)
			change := reflect.TypeFor[feed.ProfileChange]()
			for i := range change.NumField() {
				name, text := change.Field(i).Name, new("https://example.org/changed")
				if change.Field(i).Type != reflect.TypeOf(text) {
					continue
				}
				if name == "Handle" {
					*text = "changed"
				}
				var c feed.ProfileChange
				reflect.ValueOf(&c).Elem().Field(i).Set(reflect.ValueOf(text))
				reflect.ValueOf(want).Elem().FieldByName(name).SetString(*text)
				w.same("the user with another "+name, w.update(ann, c), want)
				w.same("the user stored", w.usersOf(ann), []*feed.User{want})
			}
		})
		s.promise("a new handle is found whatever its case, and the old one is not; users may change the case", func(w *world) {
			w.same("the handle", w.update(ann, feed.ProfileChange{Handle: new("U9")}).Handle, "U9")
			w.same("the handle again", w.update(ann, feed.ProfileChange{Handle: new("U9"), Name: new("Ann")}).Handle, "U9")
			changed := w.update(ann, feed.ProfileChange{Handle: new("AnnSmith")})
			w.same("the user found", w.byHandle("aNNsMITH"), changed)
			w.same("the user with the old handle", w.byHandle("u9"), (*feed.User)(nil))
		})
		s.empty("another user's handle, in any case, is a conflict and changes nothing; an unknown user is NOT_FOUND", func(w *world) {
			w.user(ann, bob)
			w.mustHaveCode(feed.CodeConflict, errorOf(w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Handle: new("U9"), Name: new("Thief")})), "handle")
			w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), newUser(bob)})
			w.same("the users found", w.found("u10"), []feed.UserID{bob})
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.Profiles.UpdateProfile(w.ctx, cem, feed.ProfileChange{Name: new("Ann")})))
			w.same("the users", w.usersOf(cem), []*feed.User{nil})
		})
		s.empty("only one of concurrent users gets a handle", func(w *world) {
			users := w.makeUsers(8)
			w.oneWins(len(users), func(i int) error {
				return errorOf(w.Profiles.UpdateProfile(w.ctx, users[i], feed.ProfileChange{Handle: new("Prize")}))
			})
			w.same("the number of users found by the handle", len(w.found("prize")), 1)
		})
		handlePromises(s)
	})
	s.group("Search", search)
	s.group("Delete", deleteAccount)
	s.group("Purge", purge)
}

// update changes a profile.
func (w *world) update(id feed.UserID, c feed.ProfileChange) *feed.User {
	return must(w.Profiles.UpdateProfile(w.ctx, id, c))
}

func (w *world) byHandle(handle string) *feed.User { return must(w.Users.UserByHandle(w.ctx, handle)) }

// search checks [feed.Profiles.SearchUsers].
func search(s storeSuite) {
	s.empty("a search finds prefixes of words of handles and names, in any case", func(w *world) {
		w.userNamed(ann, "Ann_Smith", "Zoë O'Neill-Åberg")
		w.userNamed(bob, "bob", "Robert Smithers 3rd")
		w.userNamed(cem, "名前", "山田 太郎")
		w.finds(findings{
			"ann": {ann}, "ANN_": {ann}, "nn": nil, "sMiTh": {ann, bob}, "smithe": {bob}, "smithersx": nil,
			"zoë": {ann}, "ZOË": {ann}, "zoe": nil, "neill": {ann}, "o'n": {ann}, "å": {ann}, "Å": {ann}, "rob": {bob}, "bob": {bob}, "3": {bob},
			"名": {cem}, "太郎": {cem}, "郎": nil, "dave": nil,
		})
	})
	s.empty("every word of a query must begin one of the user's words", func(w *world) {
		w.userNamed(ann, "ann", "Ann Marie Smith")
		w.userNamed(bob, "bob", "Bob Smith")
		w.userNamed(cem, "annsmith", "Cem")
		w.finds(findings{
			"smith ann": {ann}, "ann smith": {ann}, "a s m": {ann}, "b s": {bob}, "smith smith": {bob, ann}, "smith bob ann": nil,
			"ann annsmith": {cem},
		})
	})
	s.empty("special characters have no meaning in a query", func(w *world) {
		w.userNamed(ann, "per%cent", `a "quoted\name"`)
		w.userNamed(bob, "under_score", "100%")
		w.userNamed(cem, "🌊", "🌊")
		w.finds(findings{
			"%": nil, "_": nil, "p%t": nil, "p_r": nil, "pe": {ann}, "100": {bob}, `"quoted`: {ann}, "quoted\\": {ann}, "name": {ann},
			"🌊": {cem}, "@per": {ann}, "'": nil, "[\"pe\"]": {ann},
		})
	})
	s.empty("users are ordered by their first matching word, whatever the bounds, limit and direction", func(w *world) {
		words := map[feed.UserID]string{
			9: "tide", 10: "tides", 1001: "tidewater", 100: "tideway", 7: "tidal", 2: "Tide",
			1 << 62: "tidew", 3: "tidd", 4: "tie", 5: "other", 6: "tidewaters", 8: "tidé",
		}
		var whole []feed.Key
		for id, word := range words {
			// Neither later words nor unsearched words change the order.
			w.userNamed(id, "h"+id.String(), word+" tidez "+word)
			first := "tidez"
			if word = strings.ToLower(word); strings.HasPrefix(word, "tid") {
				first = min(first, word)
			}
			whole = append(whole, feed.Key{TS: feed.WordPlace(first), ID: int64(id)})
		}
		w.everyRange(whole, func(r feed.Range) ([]feed.Key, error) { return w.Profiles.SearchUsers(w.ctx, []string{"tid"}, r) })
		slices.SortFunc(whole, func(a, b feed.Key) int { return b.Compare(a) })
		w.same("the order of exported posts", w.found("tid"), []feed.UserID{7, 3, 9, 2, 10, 1 << 62, 1001, 6, 100, 8, 5, 4})
	})
	s.empty("a search finds current names only, also of imported users", func(w *world) {
		w.userNamed(ann, "ann", "Old Name")
		w.update(ann, feed.ProfileChange{Name: new("New Name")})
		w.finds(findings{"old": nil, "new": {ann}, "name": {ann}, "ann": {ann}})
		w.update(ann, feed.ProfileChange{Handle: new("smith")})
		w.finds(findings{"ann": nil, "smith": {ann}, "new": {ann}})
		imported := userRecord(bob)
		imported.User.Name = "Imported Person"
		w.imports(records(imported))
		w.finds(findings{"person": {bob}, "u10": {bob}})
	})
}

// found returns the users that a query finds, in order.
func (w *world) found(query string) []feed.UserID {
	keys := must(w.Profiles.SearchUsers(w.ctx, feed.QueryWords(query), all()))
	return each(keys, func(k feed.Key) feed.UserID { return feed.UserID(k.ID) })
}

// userNamed makes a user with a handle and a name.
func (w *world) userNamed(id feed.UserID, handle, name string) {
	must(w.Users.EnsureUser(w.ctx, &feed.User{ID: id, Handle: handle, Name: name, CreatedAt: noon}))
}

// findings maps queries to the users that they find.
type findings map[string][]feed.UserID

func (w *world) finds(want findings) {
	for query, ids := range want {
		w.same("the users found by "+query, w.found(query), ids)
	}
}
