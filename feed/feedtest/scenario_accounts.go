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
func (c *script) sanction(of feed.Subject, hidden bool) func() error {
	return func() error { return c.actions.Moderate(c.ctx, of, hidden) }
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
		return func() error { return c.actions.SetPrivate(c.ctx, user, is) }
	}
}
