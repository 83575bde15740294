package feedtest

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

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
	if !slices.Contains(m.storedUsers(t), viewer) {
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
