package feedtest

import (
	"context"
	"fmt"
	"slices"
	"time"

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

// listView consumes the words that select a list: the viewer, and the list's owner if that may be another.
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
	case "followers", "following":
		return c.people(viewer, what, c.user(l))
	case "requests", "sent":
		return c.people(viewer, what, viewer)
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
		page, err := c.views.Feed(c.ctx, viewer, ref, q)
		return page.named(func(id int64) string { return c.names[feed.PostID(id)] }), err
	}}
}

func (c *script) people(viewer feed.UserID, list string, owner feed.UserID) listView {
	return listView{viewer: viewer, label: list + " of " + owner.String(), read: func(q feed.PageQuery) (namedPage, error) {
		page, err := c.views.People(c.ctx, viewer, list, owner, q)
		return page.named(func(id int64) string { return c.userNames[feed.UserID(id)] }), err
	}}
}

func (l Listed) named(name func(id int64) string) namedPage {
	return namedPage{names: each(l.IDs, name), cursors: l.Cursors, hasNext: l.HasNext, hasPrevious: l.HasPrevious}
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
		Filter:   l.kinds(),
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

// session consumes the name of an existing session.
func (c *script) session(l *line) live.ID {
	name := l.word("a session")
	id, known := c.sessions[name]
	if !known {
		l.fail(fmt.Errorf("there is no session %q", name))
	}
	return id
}

// day returns the start of the script's day.
func (c *script) day() time.Time { return c.Clock.Now().Truncate(24 * time.Hour) }

// schedule announces a session at a time of the script's day.
func (c *script) schedule(l *line) func() error {
	host, name := c.user(l), l.word("a name for the session")
	l.keyword("at")
	at := l.time(c.day())
	id := live.ID(len(c.sessions) + 1)
	if text := l.option("id"); text != "" {
		var err error
		if id, err = live.ParseID(text); err != nil {
			l.fail(err)
		}
	}
	return func() error {
		c.Live.LiveIDs = []live.ID{id}
		s, err := c.Live.Hosting.Schedule(c.ctx, host, name, *at)
		if err == nil {
			c.sessions[name], c.sessionNames[s.ID] = s.ID, name
		}
		return err
	}
}

// liveCommands returns the commands of live sessions by their first words. A transition comes one
// second after the previous command.
func (c *script) liveCommands() map[string]command {
	h := c.Live.Hosting
	step := func(do func(ctx context.Context, host feed.UserID, id live.ID) (*live.Session, error)) command {
		return func(l *line) func() error {
			host, id := c.user(l), c.session(l)
			return func() error {
				c.Clock.Advance(time.Second)
				return errorOf(do(c.ctx, host, id))
			}
		}
	}
	return map[string]command{
		"schedule": c.schedule,
		"reschedule": func(l *line) func() error {
			host, id := c.user(l), c.session(l)
			l.keyword("at")
			at := l.time(c.day())
			return func() error { return errorOf(h.Reschedule(c.ctx, host, id, *at)) }
		},
		"start":  step(h.Start),
		"cancel": step(h.Cancel),
		"end": step(func(ctx context.Context, host feed.UserID, id live.ID) (*live.Session, error) {
			return h.End(ctx, host, id, "")
		}),
	}
}

// sessionsList returns a list of sessions in the notation of scripts. An entry is a name and the
// state as of the scroll. If the current state differs, it follows after >.
func (c *script) sessionsList(viewer feed.UserID, label string, read func(q live.Query) (*live.Page, error)) listView {
	return listView{viewer: viewer, label: label, downOnly: true, read: func(q feed.PageQuery) (namedPage, error) {
		page, err := read(live.Query{First: q.First, After: q.After, LookBack: q.LookBack})
		if err != nil {
			return namedPage{}, err
		}
		s := namedPage{hasNext: page.HasNext, hasPrevious: page.HasPrevious}
		for _, e := range page.Entries {
			name := c.sessionNames[e.Session.ID]
			s.names, s.cursors = append(s.names, name), append(s.cursors, e.Cursor)
			s.shown = append(s.shown, name+":"+stateWords(e))
		}
		return s, nil
	}}
}

func stateWords(e live.PageEntry) string {
	words := map[live.State]string{live.Live: "live", live.Upcoming: "upcoming", live.Replay: "replay", live.Cancelled: "cancelled"}
	if e.State == e.Session.State {
		return words[e.State]
	}
	return words[e.State] + ">" + words[e.Session.State]
}
