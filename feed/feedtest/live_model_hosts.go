package feedtest

import (
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// followed notes that viewer follows host.
func (m *liveHistory) followed(viewer, host feed.UserID) {
	if edge := [2]feed.UserID{viewer, host}; m.edges[edge] == 0 {
		m.follows++
		m.edges[edge] = m.follows
	}
}

// flip makes an account private or public.
func (m *liveHistory) flip(t *rapid.T) {
	user := m.someone(t)
	private := !m.private[user]
	_, err := m.s.Profiles.UpdateProfile(m.ctx, user, feed.ProfileChange{Private: &private})
	switch {
	case err == nil:
		m.private[user] = private
	case !feed.CodeOf(err).Refusal():
		t.Fatal(err)
	}
}

// accept accepts the requests to follow a user.
func (m *liveHistory) accept(t *rapid.T) {
	host := m.someone(t)
	for _, k := range must(m.s.Requests.FollowRequests(m.ctx, host, all())) {
		_, err := m.s.Follower.Accept(m.ctx, host, feed.UserID(k.ID))
		switch {
		case err == nil:
			m.followed(feed.UserID(k.ID), host)
		case !feed.CodeOf(err).Refusal():
			t.Fatal(err)
		}
	}
}

// moderate suspends or restores a user. A restoration ends all scrolls, as a return does.
func (m *liveHistory) moderate(t *rapid.T) {
	user := m.someone(t)
	of := feed.Subject{User: user}
	if m.suspended[user] {
		check(m.s.Moderation.Lift(m.ctx, of, m.s.Clock.Millis(), "mod"))
		m.scrolls = nil
	} else {
		check(m.s.Moderation.Impose(m.ctx, feed.Sanction{Subject: of, Reason: "spam", At: m.s.Clock.Millis()}))
	}
	m.suspended[user] = !m.suspended[user]
}
