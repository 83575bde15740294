package feedtest

import (
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// accept accepts the requests to follow a user.
func (m *history) accept(t *rapid.T) {
	owner := m.someone(t)
	for _, k := range must(m.s.Requests.FollowRequests(m.ctx, owner, all())) {
		follower := feed.UserID(k.ID)
		_, err := m.s.Follower.Accept(m.ctx, owner, follower)
		if m.allowed(t, err) {
			m.facts.follows[pair{follower, owner}] = true
		}
	}
}

// flip makes an account private or public.
func (m *history) flip(t *rapid.T) {
	m.flipOf(t, m.someone(t))
}

func (m *history) flipOf(t *rapid.T, user feed.UserID) {
	private := !m.facts.private[user]
	_, err := m.s.Profiles.UpdateProfile(m.ctx, user, feed.ProfileChange{Private: &private})
	if m.allowed(t, err) {
		m.facts.private[user] = private
	}
}

// editAudience gives a post another audience.
func (m *history) editAudience(t *rapid.T) {
	if len(m.posts) > 0 {
		p, audience := drawn(t, "post", m.posts), drawn(t, "audience", []feed.PostAudience{feed.AudiencePublic, feed.AudienceFollowers})
		_, err := m.s.Publisher.Edit(m.ctx, p.author, feed.PostID(p.key.ID), feed.PostEdit{Audience: &audience})
		m.allowed(t, err)
	}
}

// moderate takes down a post or suspends a user, or lifts that.
func (m *history) moderate(t *rapid.T) {
	of := feed.Subject{User: m.someone(t)}
	if len(m.posts) > 0 && rapid.Bool().Draw(t, "a post") {
		of = feed.Subject{Post: feed.PostID(drawn(t, "post", m.posts).key.ID)}
	}
	on, err := !m.facts.sanctioned[of], error(nil)
	if on {
		err = m.s.Moderation.Impose(m.ctx, feed.Sanction{Subject: of, Reason: "spam", At: m.s.Clock.Millis()})
	} else {
		err = m.s.Moderation.Lift(m.ctx, of, m.s.Clock.Millis(), "mod")
	}
	if m.allowed(t, err) {
		m.facts.sanctioned[of] = on
	}
}

// audienceHides returns which reasons hold because of the privacy of accounts and the audience of a post.
func (f facts) audienceHides(viewer feed.UserID, p *feed.Post) map[feed.Hidden]bool {
	if p == nil {
		return nil
	}
	of := p.AudienceAuthor
	isOrFollows := func(user feed.UserID) bool {
		return user != 0 && (user == viewer || f.follows[pair{viewer, user}])
	}
	inAudience := of == viewer || isOrFollows(of) && !f.absent[of]
	clear := of == viewer || !f.relations[feed.RelationHide][pair{of, viewer}] && !f.relations[feed.RelationBlock][pair{of, viewer}] &&
		!f.relations[feed.RelationBlock][pair{viewer, of}]
	return map[feed.Hidden]bool{
		feed.HiddenPrivate:       f.private[p.Author] && !isOrFollows(p.Author),
		feed.HiddenPrivateThread: of != p.Author && f.private[of] && !inAudience,
		feed.HiddenForFollowers:  p.Audience != feed.AudiencePublic && p.Author != viewer && !(inAudience && clear),
	}
}
