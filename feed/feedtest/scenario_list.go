package feedtest

import (
	"context"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// listView is a list from the perspective of one viewer.
type listView struct {
	viewer feed.UserID
	// label distinguishes the lists of one viewer.
	label string
	read  func(q feed.PageQuery) (namedPage, error)
	// downOnly is set for lists without backward paging.
	downOnly bool
}

// namedPage is a page with names for its entries.
type namedPage struct {
	names   []string
	cursors []string
	// shown has the texts of the entries if they are not names.
	shown                []string
	hasNext, hasPrevious bool
}

// entries returns the page's entries in the notation of scripts.
func (s namedPage) entries() []string {
	if s.shown != nil {
		return s.shown
	}
	return s.names
}

// listView consumes the words that select a list: the viewer for home, otherwise the viewer and the
// list's owner.
func (c *script) listView(l *line, what string) listView {
	viewer := c.user(l)
	switch what {
	case "home":
		return c.home(viewer)
	case "outbox":
		author := c.user(l)
		return c.feed(viewer, "outbox of "+author.String(), feed.OutboxRef(author))
	case "comments":
		post := c.existingPost(l)
		return c.feed(viewer, "comments of "+post.String(), feed.CommentsRef(post))
	case "followers":
		return c.people(viewer, what, c.user(l), c.reader.Followers)
	case "following":
		return c.people(viewer, what, c.user(l), c.reader.Following)
	case "live":
		return c.sessionsList(viewer, what, func(q live.Query) (*live.Page, error) { return c.Live.Feed.Page(c.ctx, viewer, q) })
	case "sessions":
		host := c.user(l)
		return c.sessionsList(viewer, "sessions of "+host.String(), func(q live.Query) (*live.Page, error) {
			return c.Live.Feed.OfHost(c.ctx, viewer, host, q)
		})
	}
	l.fail(fmt.Errorf("%q is not a list", what))
	return listView{}
}

func (c *script) home(viewer feed.UserID) listView { return c.feed(viewer, "home", feed.HomeRef()) }

func (c *script) feed(viewer feed.UserID, label string, ref feed.FeedRef) listView {
	return listView{viewer: viewer, label: label, read: func(q feed.PageQuery) (namedPage, error) {
		page, err := c.reader.Page(c.ctx, viewer, ref, q)
		if err != nil {
			return namedPage{}, err
		}
		s := namedPage{hasNext: page.HasNext, hasPrevious: page.HasPrevious}
		for _, e := range page.Entries {
			s.names, s.cursors = append(s.names, c.names[e.Post.ID]), append(s.cursors, e.Cursor)
		}
		return s, nil
	}}
}

// directory reads a list of users.
type directory func(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)

func (c *script) people(viewer feed.UserID, what string, owner feed.UserID, read directory) listView {
	return listView{viewer: viewer, label: what + " of " + owner.String(), read: func(q feed.PageQuery) (namedPage, error) {
		page, err := read(c.ctx, viewer, owner, q)
		if err != nil {
			return namedPage{}, err
		}
		s := namedPage{hasNext: page.HasNext, hasPrevious: page.HasPrevious}
		for _, e := range page.Entries {
			s.names, s.cursors = append(s.names, c.userNames[e.User.ID]), append(s.cursors, e.Cursor)
		}
		return s, nil
	}}
}

// page reads a page and stores its cursors.
func (c *script) page(v listView, q feed.PageQuery) (namedPage, error) {
	s, err := v.read(q)
	for i, name := range s.names {
		c.cursors[cursorKey{v.viewer, v.label, name}] = s.cursors[i]
	}
	return s, err
}

// query consumes the options of a page.
func (c *script) query(l *line, v listView) feed.PageQuery {
	return feed.PageQuery{
		First:    l.number("first"),
		After:    c.cursor(l, v, l.option("after")),
		Last:     l.number("last"),
		Before:   c.cursor(l, v, l.option("before")),
		Kinds:    l.kinds(),
		LookBack: true,
	}
}

// cursor returns the cursor of an entry, or the empty string for an empty name.
func (c *script) cursor(l *line, v listView, name string) string {
	if name == "" {
		return ""
	}
	if seen, ok := c.cursors[cursorKey{v.viewer, v.label, name}]; ok {
		return seen
	}
	if id, ok := c.posts[name]; ok && v.label == "home" {
		posts, err := c.Posts.Posts(c.ctx, []feed.PostID{id})
		if err == nil {
			return feed.HomeCursor(posts[0])
		}
		l.fail(err)
	}
	l.fail(fmt.Errorf("the viewer has not seen %q in this list", name))
	return ""
}

// wholeBy reads a whole list in pages of n, from the top down, or from the bottom up. It returns
// the names, newest first.
func (c *script) wholeBy(v listView, n int, up bool) ([]string, error) {
	var names []string
	q := feed.PageQuery{First: &n}
	if up {
		q = feed.PageQuery{Last: &n}
	}
	for {
		page, err := c.page(v, q)
		if err != nil {
			return nil, err
		}
		more := page.hasNext
		if up {
			more = page.hasPrevious
			names = slices.Concat(page.entries(), names)
		} else {
			names = append(names, page.entries()...)
		}
		if !more {
			return names, nil
		}
		if len(page.names) != n {
			return nil, fmt.Errorf("got a page of %d entries, want %d, because more follow", len(page.names), n)
		}
		if up {
			q.Before = page.cursors[0]
		} else {
			q.After = page.cursors[n-1]
		}
	}
}
