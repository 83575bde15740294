package feedtest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Profiles checks the promises of [feed.Profiles].
func Profiles(t *testing.T, open func(t *testing.T) Stores) {
	t.Run("Update", func(t *testing.T) {
		testPromises(t, open, []promise{
			{"a change sets its fields, keeps the others, and returns the result", updateSets},
			{"each text can be changed alone", changeEachText},
			{"a new handle is found whatever its case, and the old one is not", updateHandle},
			{"users may change the case of their handle", updateCase},
			{"another user's handle, in any case, is a conflict and changes nothing", updateConflict},
			{"an unknown user is NOT_FOUND", updateUnknown},
			{"only one of concurrent users gets a handle", updateAtOnce},
			{"only one of concurrent users gets one of several similar handles", updateLookalikesAtOnce},
			{"a handle that looks like another's is a conflict and changes nothing", updateLookalike},
			{"a freed handle stays reserved until it is released", updateReservedHandle},
			{"users can take back a handle that they gave up", updateTakenBack},
			{"imported handles may look alike, and users may change their case", updateImported},
			{"an ended context is an error and changes nothing", updateEndedContext},
		})
	})
	t.Run("Search", func(t *testing.T) { search(t, open) })
	t.Run("Delete", func(t *testing.T) { deleteAccount(t, open) })
	t.Run("Purge", func(t *testing.T) { purge(t, open) })
}

// update changes a profile.
func (w *world) update(id feed.UserID, c feed.ProfileChange) *feed.User {
	w.t.Helper()
	u, err := w.Profiles.UpdateProfile(w.ctx, id, c)
	w.must(err)
	return u
}

func (w *world) byHandle(handle string) *feed.User {
	w.t.Helper()
	u, err := w.Users.UserByHandle(w.ctx, handle)
	w.must(err)
	return u
}

func updateSets(w *world) {
	w.user(ann, bob)
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
	w.must(w.Audience.RaiseFlag(w.ctx, ann, feed.FlagUnpushed, feed.FlagBacklog))
	w.same("the coverage flag", w.update(ann, feed.ProfileChange{Name: new("z")}).Flag, feed.FlagUnpushed)
}

func updateHandle(w *world) {
	w.user(ann, bob)
	changed := w.update(ann, feed.ProfileChange{Handle: new("AnnSmith")})
	w.same("the user found", w.byHandle("aNNsMITH"), changed)
	w.same("the user with the old handle", w.byHandle("u9"), (*feed.User)(nil))
}

func updateCase(w *world) {
	w.user(ann)
	w.same("the handle", w.update(ann, feed.ProfileChange{Handle: new("U9")}).Handle, "U9")
	w.same("the handle again", w.update(ann, feed.ProfileChange{Handle: new("U9"), Name: new("Ann")}).Handle, "U9")
}

func updateConflict(w *world) {
	w.user(ann, bob)
	_, err := w.Profiles.UpdateProfile(w.ctx, bob, feed.ProfileChange{Handle: new("U9"), Name: new("Thief")})
	w.mustHaveCode(feed.CodeConflict, err)
	var refusal *feed.Error
	if errors.As(err, &refusal) {
		w.same("the field", refusal.Field, []string{"handle"})
	}
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), newUser(bob)})
	w.same("the users found", w.found("u10"), []feed.UserID{bob})
}

func updateUnknown(w *world) {
	_, err := w.Profiles.UpdateProfile(w.ctx, ann, feed.ProfileChange{Name: new("Ann")})
	w.mustHaveCode(feed.CodeNotFound, err)
	w.same("the users", w.usersOf(ann), []*feed.User{nil})
}

func updateAtOnce(w *world) {
	users := w.makeUsers(8)
	w.oneWins(len(users), func(i int) error {
		_, err := w.Profiles.UpdateProfile(w.ctx, users[i], feed.ProfileChange{Handle: new("Prize")})
		return err
	})
	w.same("the number of users found by the handle", len(w.found("prize")), 1)
}

func updateEndedContext(w *world) {
	w.user(ann)
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"UpdateProfile": func(ctx context.Context) error {
			_, err := w.Profiles.UpdateProfile(ctx, ann, feed.ProfileChange{Name: new("Other")})
			return err
		},
	})
	w.same("the users", w.usersOf(ann), []*feed.User{newUser(ann)})
}

// search checks [feed.Profiles.SearchUsers].
func search(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"a search finds prefixes of words of handles and names, in any case", searchWords},
		{"every word of a query must begin one of the user's words", searchAll},
		{"special characters have no meaning in a query", searchSigns},
		{"users are ordered by their first matching word, whatever the bounds, limit and direction", searchRanges},
		{"a search finds current names only, also of imported users", searchNow},
		{"an ended context is an error", searchEndedContext},
	})
}

// found returns the users that a query finds, in order.
func (w *world) found(query string) []feed.UserID {
	w.t.Helper()
	keys, err := w.Profiles.SearchUsers(w.ctx, feed.QueryWords(query), all())
	w.must(err)
	var ids []feed.UserID
	for _, k := range keys {
		ids = append(ids, feed.UserID(k.ID))
	}
	return ids
}

// userNamed makes a user with a handle and a name.
func (w *world) userNamed(id feed.UserID, handle, name string) {
	w.t.Helper()
	_, err := w.Users.EnsureUser(w.ctx, &feed.User{ID: id, Handle: handle, Name: name, CreatedAt: noon})
	w.must(err)
}

// findings maps queries to the users that they find.
type findings map[string][]feed.UserID

func (w *world) finds(want findings) {
	w.t.Helper()
	for query, ids := range want {
		w.same("the users found by "+query, w.found(query), ids)
	}
}

func searchWords(w *world) {
	w.userNamed(ann, "Ann_Smith", "Zoë O'Neill-Åberg")
	w.userNamed(bob, "bob", "Robert Smithers 3rd")
	w.userNamed(cem, "名前", "山田 太郎")
	w.finds(findings{
		"ann": {ann}, "ANN_": {ann}, "nn": nil, "sMiTh": {ann, bob}, "smithe": {bob}, "smithersx": nil,
		"zoë": {ann}, "ZOË": {ann}, "zoe": nil, "neill": {ann}, "o'n": {ann}, "å": {ann}, "Å": {ann}, "rob": {bob}, "bob": {bob}, "3": {bob},
		"名": {cem}, "太郎": {cem}, "郎": nil, "dave": nil,
	})
}

func searchAll(w *world) {
	w.userNamed(ann, "ann", "Ann Marie Smith")
	w.userNamed(bob, "bob", "Bob Smith")
	w.userNamed(cem, "annsmith", "Cem")
	w.finds(findings{
		"smith ann": {ann}, "ann smith": {ann}, "a s m": {ann}, "b s": {bob}, "smith smith": {bob, ann}, "smith bob ann": nil,
		"ann annsmith": {cem},
	})
}

func searchSigns(w *world) {
	w.userNamed(ann, "per%cent", `a "quoted\name"`)
	w.userNamed(bob, "under_score", "100%")
	w.userNamed(cem, "🌊", "🌊")
	w.finds(findings{
		"%": nil, "_": nil, "p%t": nil, "p_r": nil, "pe": {ann}, "100": {bob}, `"quoted`: {ann}, "quoted\\": {ann}, "name": {ann},
		"🌊": {cem}, "@per": {ann}, "'": nil, "[\"pe\"]": {ann},
	})
}

func searchRanges(w *world) {
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
	w.everyRange(whole, func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Profiles.SearchUsers(ctx, []string{"tid"}, r)
	})
	slices.SortFunc(whole, func(a, b feed.Key) int { return b.Compare(a) })
	w.same("the order of exported posts", w.found("tid"), []feed.UserID{7, 3, 9, 2, 10, 1 << 62, 1001, 6, 100, 8, 5, 4})
}

func searchNow(w *world) {
	w.userNamed(ann, "ann", "Old Name")
	w.update(ann, feed.ProfileChange{Name: new("New Name")})
	w.finds(findings{"old": nil, "new": {ann}, "name": {ann}, "ann": {ann}})
	w.update(ann, feed.ProfileChange{Handle: new("smith")})
	w.finds(findings{"ann": nil, "smith": {ann}, "new": {ann}})
	imported := userRecord(bob)
	imported.User.Name = "Imported Person"
	w.imports(records(imported))
	w.finds(findings{"person": {bob}, "u10": {bob}})
}

func searchEndedContext(w *world) {
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"SearchUsers": func(ctx context.Context) error {
			_, err := w.Profiles.SearchUsers(ctx, []string{"a"}, all())
			return err
		},
	})
}
