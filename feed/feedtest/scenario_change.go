package feedtest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// user reads a name and returns the user's id. It creates unknown users.
func (c *script) user(l *line) feed.UserID {
	name := l.word("a user")
	if id, known := c.users[name]; known || name == "" {
		return id
	}
	id := feed.UserID(len(c.users) + 1)
	u := feed.User{ID: id, Handle: name, Name: name, CreatedAt: c.Clock.Millis()}
	if _, err := c.Users.EnsureUser(c.ctx, &u); err != nil {
		l.fail(err)
	}
	c.users[name], c.userNames[id] = id, name
	return id
}

// existingPost reads the name of an existing post.
func (c *script) existingPost(l *line) feed.PostID {
	name := l.word("a post")
	id, known := c.posts[name]
	if !known {
		l.fail(fmt.Errorf("there is no post %q", name))
	}
	return id
}

// namePost gives a post a name.
func (c *script) namePost(name string, id feed.PostID) { c.posts[name], c.names[id] = id, name }

// newPostLine is a new post that a line describes.
type newPostLine struct {
	author feed.UserID
	name   string
	// target is the post that it comments on or reposts.
	target feed.PostID
	// at is nil for now. id is zero for a generated id.
	at *int64
	id feed.PostID
}

// parseNewPost reads a line that creates a post, a second after the last change. link is the word
// before the target post, empty if there is no target.
func (c *script) parseNewPost(l *line, link string) newPostLine {
	a := newPostLine{author: c.user(l), name: l.word("a name for the post")}
	if _, taken := c.posts[a.name]; taken {
		l.fail(fmt.Errorf("there is already a post %q", a.name))
	}
	if link != "" {
		l.keyword(link)
		a.target = c.existingPost(l)
	}
	if l.flag("at") {
		a.at = l.time(c.day())
	}
	if id := l.option("id"); id != "" {
		var err error
		if a.id, err = feed.ParsePostID(id); err != nil {
			l.fail(err)
		}
	}
	c.Clock.Advance(time.Second)
	return a
}

// publish reads a line with parseNewPost and publishes the post. kind sets the kind and target of
// the draft.
func (c *script) publish(l *line, link string, kind func(d *publish.Draft, target feed.PostID)) func() error {
	a := c.parseNewPost(l, link)
	return func() error {
		draft := publish.Draft{Text: a.name, PublishedAt: a.at}
		kind(&draft, a.target)
		if a.id != 0 {
			c.IDs = []feed.PostID{a.id}
		}
		post, err := c.Publisher.Publish(c.ctx, a.author, draft)
		c.IDs = nil
		if err == nil {
			c.namePost(a.name, post.ID)
		}
		return err
	}
}

func (c *script) importPost(l *line) func() error {
	a := c.parseNewPost(l, "")
	return func() (err error) {
		post := feed.Post{ID: a.id, Author: a.author, Kind: feed.KindPost, Text: a.name, PublishedAt: c.Clock.Millis()}
		if a.at != nil {
			post.PublishedAt = *a.at
		}
		if post.ID == 0 {
			if post.ID, err = c.newID(); err != nil {
				return err
			}
		}
		result, err := c.Import(c.ctx, []feed.Record{{Line: 1, Post: &post}})
		if err == nil && result.Stored != 1 {
			err = fmt.Errorf("the import refused the post: %v", result.Bad)
		}
		c.namePost(a.name, post.ID)
		return err
	}
}

func (c *script) edit(l *line) func() error {
	author, id, text := c.user(l), c.existingPost(l), l.word("a text")
	return func() error { return errorOf(c.Publisher.Edit(c.ctx, author, id, text)) }
}

func (c *script) work(l *line) func() error {
	doubled, seed, first := l.flag("doubled"), l.number("shuffled"), l.number("first")
	return func() error {
		if doubled {
			c.Queue.Double()
		}
		if seed != nil {
			c.Queue.Shuffle(uint64(*seed))
		}
		if first == nil {
			return c.Work(c.ctx)
		}
		for range *first {
			if err := c.WorkOne(c.ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *script) sweep(l *line) func() error {
	l.keyword("after")
	d, err := time.ParseDuration(l.word("a duration"))
	if err != nil {
		l.fail(err)
	}
	return func() error {
		c.Clock.Advance(d)
		err := c.Fanout.Sweep(c.ctx)
		if c.Queue.Err != nil && errors.Is(err, c.Queue.Err) {
			// The sweeper dispatches again what the queue refused.
			return nil
		}
		return err
	}
}

func (c *script) outage(l *line, down bool) func() error {
	what := l.word("queue, inboxes or sets")
	if !slices.Contains([]string{"queue", "inboxes", "sets"}, what) {
		l.fail(fmt.Errorf("%q cannot be taken down; want queue, inboxes or sets", what))
	}
	return func() error {
		switch what {
		case "queue":
			c.Queue.Err = nil
			if down {
				c.Queue.Err = errDown()
			}
		case "inboxes":
			c.Flaky.Down = down
		case "sets":
			c.Live.SetsDown = down
		}
		return nil
	}
}

func (c *script) forget(l *line) func() error {
	var inboxes feed.Inboxes = c.Inboxes
	if l.flag("replays") {
		inboxes = c.Live.Inboxes
	} else {
		l.keyword("inbox")
	}
	viewer := c.user(l)
	return func() error { return inboxes.Remove(c.ctx, viewer) }
}

// maintain visits every inbox at least once: each call visits at least one of them.
func (c *script) maintain() error {
	for range len(c.users) + 1 {
		if err := c.Maintenance.TrimInboxes(c.ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *script) read(l *line) func() error {
	viewer := c.user(l)
	return func() error { return errorOf(c.home(viewer).read(feed.PageQuery{})) }
}
