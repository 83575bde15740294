package feedtest

import (
	"fmt"
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

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
		return s.Outboxes.Outbox(m.ctx, authors, r)
	})
	author := rapid.SampledFrom(m.users).Draw(t, "listed author")
	m.compareList(t, fmt.Sprintf("List of %d", author), true, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.readList(m.ctx, feed.OutboxRef(author), r)
	})
	if stored := m.storedPosts(t, anything); len(stored) > 0 {
		post := drawn(t, "parent", stored)
		m.compareList(t, fmt.Sprintf("Comments of %d", post), false, func(s Stores, r feed.Range) ([]feed.Key, error) {
			return s.readList(m.ctx, feed.CommentsRef(post), r)
		})
	}
}

func (m *modelTest) compareFeeds(t *rapid.T, viewer feed.UserID) {
	m.compareList(t, fmt.Sprintf("Feed of %d", viewer), true, func(s Stores, r feed.Range) ([]feed.Key, error) {
		return s.Reference.Feed(m.ctx, viewer, r)
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
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(feed.AllKinds()), 0, 2, rapid.ID)
		r.Kinds = some.Draw(t, "kinds")
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
