package feedtest

import "github.com/tideline-feeds/tideline/feed"

// takeDown reads a line such as: take down p1.
func (c *script) takeDown(l *line) func() error {
	l.keyword("down")
	return c.sanction(feed.Subject{Post: c.existingPost(l)}, true)
}

func (c *script) suspend(l *line) func() error {
	return c.sanction(feed.Subject{User: c.user(l)}, true)
}

// restore reads the name of a post or of a user.
func (c *script) restore(l *line) func() error {
	name := l.word("a post or a user")
	if id, is := c.posts[name]; is {
		return c.sanction(feed.Subject{Post: id}, false)
	}
	return c.sanction(feed.Subject{User: c.users[name]}, false)
}

// sanction imposes or lifts a sanction.
func (c *script) sanction(of feed.Subject, on bool) func() error {
	return func() error {
		now := c.Clock.Millis()
		if on {
			return c.Moderation.Impose(c.ctx, feed.Sanction{Subject: of, Reason: moderatorsReason, By: "mod", At: now})
		}
		return c.Moderation.Lift(c.ctx, of, now, "mod")
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
