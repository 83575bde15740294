package feedtest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// SameAsModel runs random steps on a backend and on a model of it. It compares the result of each
// step and, at the end, all readable data. open opens the backend once: every case has its own
// users and posts. openModel opens the model for each case; feed/memstore is one.
//
// cases is the number of cases, unless the flag -rapid.checks overrides it. A failure prints a
// minimal list of steps and the seed that repeats it.
func SameAsModel(t *testing.T, cases int, open, openModel func(t *testing.T) Stores) {
	setFlag(t, "rapid.checks", cases)
	backend, number := started(open)(t), int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		number++
		m := &modelTest{ctx: t.Context(), backend: backend, model: openModel(t), history: map[feed.UserID][]versionPair{}, lastComparable: map[feed.UserID]versionPair{}}
		m.makeIDs(number)
		m.useUsers(rt, feed.UsersExplicit)
		m.drain(rt)
		m.setUp(rt)
		steps := m.steps()
		steps[""] = func(rt *rapid.T) {
			m.compareVersions(rt)
			m.compareLogs(rt)
		}
		rt.Repeat(steps)
		m.compare(rt)
	})
}

// modelTest is a backend and a model after the same steps.
type modelTest struct {
	ctx            context.Context
	backend, model Stores
	// users and posts are all ids of this case, whether stored or not.
	users []feed.UserID
	posts []feed.PostID
	// history has the past versions of every user, oldest first.
	history map[feed.UserID][]versionPair
	// purging means that an account has been deleted, and the two stores may have purged different
	// parts of it. Counters and versions are comparable again when both have finished.
	purging bool
	// lastComparable has, for every user, the last comparable versions.
	lastComparable map[feed.UserID]versionPair
	// planned are the posts with a plan. claimed are the slices as returned by all claims.
	planned []feed.PostID
	claimed []feed.Slice
	logged  logPlaces
}

// versionPair has the versions of both stores at one time. Only the differences between two pairs
// are comparable, because an import may raise a version more than once.
type versionPair struct {
	backend, model feed.ViewerVersion
	// purging is the value of modelTest.purging.
	purging bool
}

// makeIDs creates the ids of the n-th case. They have different lengths, so their numeric order
// differs from their order as text.
func (m *modelTest) makeIDs(n int64) {
	for i := range int64(3) {
		m.users = append(m.users, feed.UserID(10*n+i), feed.UserID(1<<40+10*n+i))
	}
	for i := range int64(10) {
		m.posts = append(m.posts, feed.PostID(100*n+i), feed.PostID(1<<50+100*n+i))
	}
}

// setUp makes the first few users, who follow each other, so that feeds are not empty. Later steps
// make some of the others.
func (m *modelTest) setUp(t *rapid.T) {
	for _, id := range m.users {
		m.lastComparable[id] = m.now(t, id)
		m.history[id] = []versionPair{m.lastComparable[id]}
	}
	first := m.users[:4]
	for _, id := range first {
		m.ensureUser(t, newUser(id))
	}
	for _, id := range first[1:] {
		m.followAt(t, first[0], id, noon)
	}
	m.startLogs(t)
}

// both makes a call on both stores and compares the results, or the codes of the errors. It returns
// the model's result.
func both[T any](m *modelTest, t *rapid.T, what string, call func(s Stores) (T, error), opts ...cmp.Option) T {
	got, gotErr := call(m.backend)
	want, wantErr := call(m.model)
	failIf(t, feed.CodeOf(gotErr) != feed.CodeOf(wantErr) || errors.Is(gotErr, feed.ErrIDTaken) != errors.Is(wantErr, feed.ErrIDTaken),
		"%s: got error %v, the model returned error %v", what, gotErr, wantErr)
	if gotErr == nil {
		diff := cmp.Diff(want, got, append(opts, cmpopts.EquateEmpty())...)
		failIf(t, diff != "", "%s (-model +got):\n%s", what, diff)
	}
	return want
}

// bothDo is [both] for calls without a result.
func bothDo(m *modelTest, t *rapid.T, what string, call func(s Stores) error) {
	both(m, t, what, func(s Stores) (struct{}, error) { return struct{}{}, call(s) })
}

// now returns the user's current versions.
func (m *modelTest) now(t *rapid.T, user feed.UserID) versionPair {
	backend := must(m.backend.Relations.ViewerVersion(m.ctx, user))
	return versionPair{backend, must(m.model.Relations.ViewerVersion(m.ctx, user)), m.purging}
}

// compareVersions runs after every step. It checks that versions and the generation rose where the
// model's did, and that neither falls. It ignores versions of deleted accounts.
func (m *modelTest) compareVersions(t *rapid.T) {
	stored := m.storedUsers(t)
	for _, user := range m.users {
		past := m.history[user]
		last, now := past[len(past)-1], m.now(t, user)
		failIf(t, now.backend.Version < last.backend.Version, "the version of user %d fell from %+v to %+v", user, last, now)
		if !m.purging {
			since := m.lastComparable[user]
			failIf(t, slices.Contains(stored, user) && (now.backend.Version > since.backend.Version) != (now.model.Version > since.model.Version),
				"the version of user %d rose in one store only: %+v became %+v", user, since, now)
			m.lastComparable[user] = now
		}
		if (now.backend.Generation > last.backend.Generation) != (now.model.Generation > last.model.Generation) ||
			now.backend.Generation < last.backend.Generation {
			t.Fatalf("the generation fell, or rose in one store only: %+v became %+v", last, now)
		}
		m.history[user] = append(past, now)
	}
}

// storedUsers returns the users that are stored.
func (m *modelTest) storedUsers(t *rapid.T) []feed.UserID {
	users := must(m.model.Users.Users(m.ctx, m.users))
	var ids []feed.UserID
	for _, u := range users {
		if u != nil {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// storedPosts returns the stored posts that match want.
func (m *modelTest) storedPosts(t *rapid.T, want func(p *feed.Post) bool) []feed.PostID {
	posts := must(m.model.Posts.Posts(m.ctx, m.posts))
	var ids []feed.PostID
	for _, p := range posts {
		if p != nil && want(p) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
