package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// updateProfile changes a profile, often to the handle of another user.
func (m *modelTest) updateProfile(t *rapid.T) {
	user, like := m.actor(t), newUser(m.other(t))
	var c feed.ProfileChange
	if rapid.Bool().Draw(t, "handle") {
		c.Handle = &like.Handle
	}
	if rapid.Bool().Draw(t, "name") {
		c.Name = new(drawn(t, "names", []string{like.Name, "Tide Line", "tidal user", "🌊"}))
	}
	if rapid.Bool().Draw(t, "avatar") {
		c.AvatarURL = new(drawn(t, "avatars", []string{"", "https://example.org/a.png"}))
	}
	both(m, t, "UpdateProfile", func(s Stores) (*feed.User, error) { return s.Profiles.UpdateProfile(m.ctx, user, c) })
}

// deleteAccount sometimes deletes an account, which may be deleted or unknown already. It keeps at
// least one active user.
func (m *modelTest) deleteAccount(t *rapid.T) {
	user, at := m.other(t), m.time(t)
	stored := m.storedUsers(t)
	if rapid.IntRange(0, 2).Draw(t, "delete if 0, of three") != 0 || len(stored) == 1 && stored[0] == user {
		return
	}
	m.purging = true
	bothDo(m, t, "DeleteAccount", func(s Stores) error { return s.Profiles.DeleteAccount(m.ctx, user, at) })
	m.comparePurging(t)
}

// setAbsent makes some users, who may be deleted or unknown, absent or present. It keeps at least
// one present, because the actors are.
func (m *modelTest) setAbsent(t *rapid.T) {
	users := rapid.SliceOfN(rapid.SampledFrom(m.users[1:]), 0, 3).Draw(t, "users")
	absent := rapid.Bool().Draw(t, "absent")
	if absent && !slices.ContainsFunc(m.storedUsers(t), func(id feed.UserID) bool { return !slices.Contains(users, id) }) {
		return
	}
	bothDo(m, t, "SetAbsent", func(s Stores) error { return s.Presence.SetAbsent(m.ctx, users, absent) })
	m.comparePurging(t)
}

// changeUserMode shows or hides users without a record. It keeps at least one user shown.
func (m *modelTest) changeUserMode(t *rapid.T) {
	m.useUsers(t, drawn(t, "mode of users", []feed.UserMode{feed.UsersExplicit, feed.UsersImplicit, feed.UsersImplicit}))
	if len(m.storedUsers(t)) == 0 {
		m.useUsers(t, feed.UsersImplicit)
	}
	m.comparePurging(t)
}

func (m *modelTest) useUsers(t *rapid.T, mode feed.UserMode) {
	both(m, t, "UseUsers", func(s Stores) (feed.UserMode, error) {
		got, _, err := s.Presence.UseUsers(m.ctx, feed.UserModeChange{Want: mode, Was: feed.UsersImplicit})
		return got, err
	})
}

// purgeSlice purges some of the remaining data in both stores.
func (m *modelTest) purgeSlice(t *rapid.T) {
	limit := rapid.IntRange(1, 3).Draw(t, "rows")
	for _, s := range []Stores{m.backend, m.model} {
		must(s.Profiles.PurgeDeleted(m.ctx, limit))
	}
	if m.purging {
		m.comparePurging(t)
	}
}

// purge purges all remaining data.
func (m *modelTest) purge(t *rapid.T) {
	limit := rapid.IntRange(1, 20).Draw(t, "rows")
	for _, s := range []Stores{m.backend, m.model} {
		whileMore(func() (bool, error) { return s.Profiles.PurgeDeleted(m.ctx, limit) })
	}
	m.purging = false
}

// comparePurging compares a viewer's results that must not depend on the progress of a purge.
func (m *modelTest) comparePurging(t *rapid.T) {
	m.compareUsers(t)
	m.comparePosts(t)
	viewer := m.actor(t)
	m.compareFeeds(t, viewer)
	m.compareUserLists(t, viewer)
	m.comparePulled(t, viewer)
}
