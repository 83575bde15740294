package feedtest

import (
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
func (c *script) schedule(l *line) error {
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
	if err := l.done(); err != nil {
		return err
	}
	c.Live.LiveIDs = []live.ID{id}
	s, err := c.Live.Hosting.Schedule(c.ctx, host, name, *at)
	if err == nil {
		c.sessions[name], c.sessionNames[s.ID] = s.ID, name
	}
	return err
}

func (c *script) reschedule(l *line) error {
	host, id := c.user(l), c.session(l)
	l.keyword("at")
	at := l.time(c.day())
	if err := l.done(); err != nil {
		return err
	}
	return errorOf(c.Live.Hosting.Reschedule(c.ctx, host, id, *at))
}

// step returns a command for a transition, one second after the previous command.
func (c *script) step(do func(ctx context.Context, host feed.UserID, id live.ID) (*live.Session, error)) func(l *line) error {
	return func(l *line) error {
		host, id := c.user(l), c.session(l)
		if err := l.done(); err != nil {
			return err
		}
		c.Clock.Advance(time.Second)
		return errorOf(do(c.ctx, host, id))
	}
}

// liveCommands returns the commands of live sessions by their first words.
func (c *script) liveCommands() map[string]func(l *line) error {
	h := c.Live.Hosting
	return map[string]func(l *line) error{
		"schedule":   c.schedule,
		"reschedule": c.reschedule,
		"start":      c.step(h.Start),
		"cancel":     c.step(h.Cancel),
		"end": c.step(func(ctx context.Context, host feed.UserID, id live.ID) (*live.Session, error) {
			return h.End(ctx, host, id, "")
		}),
	}
}

// liveList reads a list of sessions.
type liveList func(q live.Query) (*live.Page, error)

// sessionsList returns a list of sessions in the notation of scripts. An entry is a name and the
// state as of the scroll. If the current state differs, it follows after >.
func (c *script) sessionsList(viewer feed.UserID, label string, read liveList) listView {
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

func (c *script) liveFeed(viewer feed.UserID) listView {
	return c.sessionsList(viewer, "live", func(q live.Query) (*live.Page, error) {
		return c.Live.Feed.Page(c.ctx, viewer, q)
	})
}

func (c *script) hostSessions(viewer, host feed.UserID) listView {
	return c.sessionsList(viewer, "sessions of "+host.String(), func(q live.Query) (*live.Page, error) {
		return c.Live.Feed.OfHost(c.ctx, viewer, host, q)
	})
}
