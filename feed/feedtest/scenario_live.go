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
