package feedtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// SameAsModel runs random steps on a backend and on a model of it. It compares the result of each
// step and, at the end, all readable data. open opens the backend once: every case has its own
// users and posts. openModel opens the model, which is another store, for each case.
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
		m.drain()
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
		m.lastComparable[id] = m.now(id)
		m.history[id] = []versionPair{m.lastComparable[id]}
	}
	first := m.users[:4]
	for _, id := range first {
		m.ensureUser(t, newUser(id))
	}
	for _, id := range first[1:] {
		m.followAt(t, first[0], id, noon)
	}
	m.startLogs()
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
func (m *modelTest) now(user feed.UserID) versionPair {
	backend := must(m.backend.Relations.ViewerVersion(m.ctx, user))
	return versionPair{backend, must(m.model.Relations.ViewerVersion(m.ctx, user)), m.purging}
}

// compareVersions runs after every step. It checks that versions and the generation rose where the
// model's did, and that neither falls. It ignores versions of deleted accounts.
func (m *modelTest) compareVersions(t *rapid.T) {
	stored := m.storedUsers()
	for _, user := range m.users {
		past := m.history[user]
		last, now := past[len(past)-1], m.now(user)
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
func (m *modelTest) storedUsers() []feed.UserID {
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
func (m *modelTest) storedPosts(want func(p *feed.Post) bool) []feed.PostID {
	posts := must(m.model.Posts.Posts(m.ctx, m.posts))
	var ids []feed.PostID
	for _, p := range posts {
		if p != nil && want(p) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// logPlaces are the places up to which the two logs were compared.
type logPlaces struct {
	backend, model feed.ChangePlace
	// purging is the value of modelTest.purging at that time.
	purging bool
}

// compareLogs runs after every step. It checks that both logs have the same new rows for the users of
// this case. While an account is being purged, the two stores may not have ended the same relations.
func (m *modelTest) compareLogs(t *rapid.T) {
	before := m.logged
	var got, want []feed.Change
	got, m.logged.backend = m.newRows(m.backend, before.backend)
	want, m.logged.model = m.newRows(m.model, before.model)
	m.logged.purging = m.purging
	failIf(t, !before.purging && !m.purging && !slices.Equal(got, want), "the step has logged %+v, the model says %+v", got, want)
}

// startLogs makes the present the places from which logs are compared.
func (m *modelTest) startLogs() {
	m.logged = logPlaces{m.lastChange(m.backend), m.lastChange(m.model), m.purging}
}

func (m *modelTest) lastChange(s Stores) feed.ChangePlace {
	for {
		more, last := must2(s.Numberer.NumberChanges(m.ctx, many))
		if !more {
			return last
		}
	}
}

// newRows returns the rows after a place, without their numbers and in an order of its own, and the
// place of the last.
func (m *modelTest) newRows(s Stores, since feed.ChangePlace) ([]feed.Change, feed.ChangePlace) {
	m.lastChange(s)
	list, next := must2(s.Changes.Changes(m.ctx, since, many))
	list = withoutNumbers(slices.DeleteFunc(list, func(c feed.Change) bool { return c.User != 0 && !slices.Contains(m.users, c.User) }))
	slices.SortFunc(list, byContent)
	return list, next
}

// compare compares all readable data of the two stores.
func (m *modelTest) compare(t *rapid.T) {
	m.purge(t)
	m.compareVersions(t)
	m.compareUsers(t)
	m.comparePosts(t)
	m.compareCounters(t)
	for _, viewer := range append(m.users, 0) {
		m.compareFeeds(t, viewer)
		m.compareUserLists(t, viewer)
		m.compareRelations(t, viewer)
		m.compareUnfollowed(t, viewer)
	}
	m.compareDormant(t)
	m.comparePlans(t)
}

func (m *modelTest) compareCounters(t *rapid.T) {
	both(m, t, "UserCounters", func(s Stores) ([]feed.UserCounters, error) { return s.Counters.UserCounters(m.ctx, m.users) })
	both(m, t, "PostCounters", func(s Stores) ([]feed.PostCounters, error) { return s.Counters.PostCounters(m.ctx, m.posts) })
}

func (m *modelTest) compareUsers(t *rapid.T) {
	both(m, t, "Users", func(s Stores) ([]*feed.User, error) { return s.Users.Users(m.ctx, m.users) })
	for _, id := range m.users {
		handle := newUser(id).Handle
		both(m, t, "UserByHandle of "+handle, func(s Stores) (*feed.User, error) { return s.Users.UserByHandle(m.ctx, handle) })
	}
	for _, query := range []string{newUser(m.other(t)).Handle, "tid", "tidal us", "🌊"} {
		both(m, t, "the users found by "+query, func(s Stores) ([]feed.Key, error) { return m.found(s, query) })
	}
}

// found returns the users of this case that a query finds, in order. The query also finds users of
// other cases.
func (m *modelTest) found(s Stores, query string) ([]feed.Key, error) {
	r := all()
	r.Limit = math.MaxInt32
	keys, err := s.Profiles.SearchUsers(m.ctx, feed.QueryWords(query), r)
	return slices.DeleteFunc(keys, func(k feed.Key) bool { return !slices.Contains(m.users, feed.UserID(k.ID)) }), err
}

func (m *modelTest) comparePosts(t *rapid.T) {
	both(m, t, "Posts", func(s Stores) ([]*feed.Post, error) { return s.Posts.Posts(m.ctx, m.posts) })
	authors := rapid.SliceOf(rapid.SampledFrom(m.users)).Draw(t, "authors")
	m.compareList(t, fmt.Sprintf("Outbox of %v", authors), true, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Outboxes.Outbox(m.ctx, 0, authors, r)
	})
	author := rapid.SampledFrom(m.users).Draw(t, "listed author")
	m.compareList(t, fmt.Sprintf("List of %d", author), true, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.readList(m.ctx, feed.OutboxRef(author), r)
	})
	if stored := m.storedPosts(anything); len(stored) > 0 {
		post := drawn(t, "parent", stored)
		m.compareList(t, fmt.Sprintf("Comments of %d", post), false, func(s Stores, r feed.Range) ([]feed.Key, error) {
			return s.readList(m.ctx, feed.CommentsRef(post), r)
		})
	}
}

func (m *modelTest) compareFeeds(t *rapid.T, viewer feed.UserID) {
	m.compareList(t, fmt.Sprintf("Feed of %d", viewer), true, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Reference.Feed(m.ctx, viewer, feed.HomeAuthors, r)
	})
	m.compareCovered(t, viewer)
	both(m, t, fmt.Sprintf("Reactions of %d", viewer), func(s Stores) ([]feed.ViewerReactions, error) {
		return s.Counters.Reactions(m.ctx, viewer, m.posts)
	})
}

func (m *modelTest) compareRelations(t *rapid.T, user feed.UserID) {
	both(m, t, fmt.Sprintf("Edges of %d", user), func(s Stores) ([]feed.Edge, error) { return s.Relations.Edges(m.ctx, user, m.users) })
	r := m.someFollowers(t)
	both(m, t, fmt.Sprintf("FollowerIDs of %d, %+v", user, r), func(s Stores) ([]feed.UserID, error) {
		return s.Audience.FollowerIDs(m.ctx, user, r)
	})
	both(m, t, fmt.Sprintf("FollowerBounds of %d, after %d by %d", user, r.After, r.Limit), func(s Stores) ([]feed.UserID, error) {
		return s.Audience.FollowerBounds(m.ctx, user, r.After, r.Limit, 2)
	})
	m.compareSet(t, fmt.Sprintf("FollowersAmong of %d", user), func(s Stores) ([]feed.UserID, error) {
		return s.Audience.FollowersAmong(m.ctx, user, m.users[1:])
	})
	type reach struct {
		Followers int64
		Flag      feed.CoverageFlag
	}
	both(m, t, fmt.Sprintf("Reach of %d", user), func(s Stores) (reach, error) {
		n, flag, err := s.Audience.Reach(m.ctx, user)
		return reach{n, flag}, err
	})
	m.comparePulled(t, user)
}

func (m *modelTest) compareUserLists(t *rapid.T, user feed.UserID) {
	m.compareList(t, fmt.Sprintf("Followers of %d", user), false, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Relations.Followers(m.ctx, user, r)
	})
	m.compareList(t, fmt.Sprintf("Following of %d", user), false, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Relations.Following(m.ctx, user, r)
	})
	kind := m.relation(t)
	m.compareList(t, fmt.Sprintf("users related to %d by a %s", user, kind), false, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Relater.Related(m.ctx, kind, user, r)
	})
}

// compareList compares a whole list and a part of it.
func (m *modelTest) compareList(t *rapid.T, what string, kinds bool, read func(s Stores, r feed.Range) ([]feed.Key, error)) {
	for _, r := range []feed.Range{all(), m.someRange(t, kinds)} {
		both(m, t, what+", "+describe(r), func(s Stores) ([]feed.Key, error) { return read(s, r) })
	}
}

// someRange draws a range. Its bounds are often keys of the list.
func (m *modelTest) someRange(t *rapid.T, kinds bool) feed.Range {
	r := feed.Range{
		Above:     m.someBound(t, feed.Bottom),
		Below:     m.someBound(t, feed.Top),
		Limit:     rapid.IntRange(1, 6).Draw(t, "limit"),
		Ascending: rapid.Bool().Draw(t, "ascending"),
	}
	if kinds {
		r.Filter = drawnFilter(t)
	}
	return r
}

// someBound draws the open end, or a key with the id of a user or post.
func (m *modelTest) someBound(t *rapid.T, end feed.Key) feed.Key {
	if rapid.Bool().Draw(t, "open") {
		return end
	}
	ids := []int64{0, math.MaxInt64}
	for _, id := range m.users {
		ids = append(ids, int64(id))
	}
	for _, id := range m.posts {
		ids = append(ids, int64(id))
	}
	return feed.Key{TS: m.time(t), ID: drawn(t, "id", ids)}
}

// pastVersions returns random past versions of the viewer.
func (m *modelTest) pastVersions(t *rapid.T, viewer feed.UserID) versionPair {
	if len(m.history[viewer]) == 0 {
		return versionPair{}
	}
	return drawn(t, "moment", m.history[viewer])
}

// sinceIn returns the version that a store had at a time.
func (m *modelTest) sinceIn(s Stores, at versionPair) int64 {
	if s.Relations == m.backend.Relations {
		return at.backend.Version
	}
	return at.model.Version
}

// compareCovered compares one share of the keys that the viewer's inbox must have.
func (m *modelTest) compareCovered(t *rapid.T, viewer feed.UserID) {
	var at versionPair
	if rapid.Bool().Draw(t, "since") {
		at = m.pastVersions(t, viewer)
	}
	selective := rapid.Bool().Draw(t, "selective")
	what := fmt.Sprintf("Covered of %d since %+v, selective: %t", viewer, at, selective)
	m.compareList(t, what, false, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Coverage.Covered(m.ctx, viewer, feed.FolloweeFilter{Since: m.sinceIn(s, at), Selective: selective}, r)
	})
}

// comparePulled compares the authors that an inbox of each past version does not cover.
func (m *modelTest) comparePulled(t *rapid.T, viewer feed.UserID) {
	for i, at := range m.history[viewer] {
		if i > 0 && at.model.Version == m.history[viewer][i-1].model.Version {
			continue
		}
		cold := rapid.Bool().Draw(t, "cold")
		m.compareSet(t, fmt.Sprintf("Pulled of %d since %+v, cold: %t", viewer, at, cold), func(s Stores) ([]feed.UserID, error) {
			now, err := s.Relations.ViewerVersion(m.ctx, viewer)
			if err != nil {
				return nil, err
			}
			return s.Relations.Pulled(m.ctx, viewer, feed.Completeness{Generation: now.Generation, Version: m.sinceIn(s, at), Cold: cold})
		})
	}
}

// compareUnfollowed compares the users unfollowed since each past version. It skips deleted
// viewers, and versions within a purge, because a purge also unfollows.
func (m *modelTest) compareUnfollowed(t *rapid.T, viewer feed.UserID) {
	if !slices.Contains(m.storedUsers(), viewer) {
		return
	}
	for i, at := range m.history[viewer] {
		if at.purging || i > 0 && at.model.Version == m.history[viewer][i-1].model.Version {
			continue
		}
		m.compareSet(t, fmt.Sprintf("Unfollowed of %d since %+v", viewer, at), func(s Stores) ([]feed.UserID, error) {
			return s.Coverage.Unfollowed(m.ctx, viewer, m.sinceIn(s, at))
		})
	}
}

func (m *modelTest) compareDormant(t *rapid.T) {
	d := m.halfHours(t)
	m.compareSet(t, fmt.Sprintf("the users dormant for %v", d), func(s Stores) ([]feed.UserID, error) {
		return s.Activity.Dormant(m.ctx, m.users, d)
	})
}

func (m *modelTest) comparePlans(t *rapid.T) {
	for _, id := range m.posts {
		both(m, t, fmt.Sprintf("PlanOf %d", id), func(s Stores) (feed.PlanState, error) { return s.Plans.PlanOf(m.ctx, id) })
	}
	m.compareProgress(t)
}

// compareProgress compares the pending work. It includes events of other cases.
func (m *modelTest) compareProgress(t *rapid.T) {
	both(m, t, "IsPending", func(s Stores) ([]bool, error) { return s.Progress.IsPending(m.ctx, m.posts) })
	limit := drawn(t, "limit", []int{1, 3, many})
	both(m, t, fmt.Sprintf("Backlog up to %d", limit), func(s Stores) (int, error) { return s.Progress.Backlog(m.ctx, limit) })
	both(m, t, "Pending", func(s Stores) (feed.Pending, error) {
		p, err := s.Progress.Pending(m.ctx, noon, by(noon))
		return feed.Pending{Slices: p.Slices, Running: p.Running}, err
	})
}

// compareSet compares two lists of users and ignores their order.
func (m *modelTest) compareSet(t *rapid.T, what string, read func(s Stores) ([]feed.UserID, error)) {
	both(m, t, what, func(s Stores) ([]feed.UserID, error) {
		users, err := read(s)
		slices.Sort(users)
		return users, err
	})
}
