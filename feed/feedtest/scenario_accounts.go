package feedtest

import "github.com/tideline-feeds/tideline/feed"

// takeDown reads a line such as: take down p1.
func (c *script) takeDown(l *line) func() error {
	l.keyword("down")
	return c.sanction(func(l *line) feed.Subject { return feed.Subject{Post: c.existingPost(l)} }, true)(l)
}

func (c *script) suspend(l *line) func() error {
	return c.sanction(func(l *line) feed.Subject { return feed.Subject{User: c.user(l)} }, true)(l)
}

// subject reads the name of a post or of a user.
func (c *script) subject(l *line) feed.Subject {
	name := l.word("a post or a user")
	if id, is := c.posts[name]; is {
		return feed.Subject{Post: id}
	}
	return feed.Subject{User: c.users[name]}
}

// sanction imposes or lifts a sanction.
func (c *script) sanction(subject func(l *line) feed.Subject, on bool) command {
	return func(l *line) func() error {
		of := subject(l)
		return func() error {
			now := c.Clock.Millis()
			if on {
				return c.Moderation.Impose(c.ctx, feed.Sanction{Subject: of, Reason: moderatorsReason, By: "mod", At: now})
			}
			return c.Moderation.Lift(c.ctx, of, now, "mod")
		}
	}
}

func (c *script) absent(is bool) command {
	return func(l *line) func() error {
		user := c.user(l)
		return func() error { return c.Presence.SetAbsent(c.ctx, []feed.UserID{user}, is) }
	}
}

func (c *script) private(is bool) command {
	return func(l *line) func() error {
		user := c.user(l)
		return func() error {
			return errorOf(c.Profiles.UpdateProfile(c.ctx, user, feed.ProfileChange{Private: &is}))
		}
	}
}
