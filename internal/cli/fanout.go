package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/tasks"
)

// fanoutCommand prints how far the fan-out of a post is, or the slowest ones.
type fanoutCommand struct {
	maintenanceSettings
	Post string `arg:"" optional:"" placeholder:"POST" help:"Id of the post. Without one, list the slowest fan-outs of the last hour."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run prints the progress.
func (c *fanoutCommand) Run(ctx context.Context, o output) error {
	if err := c.check("fanout"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		post, err := c.post(ctx, store)
		if err != nil {
			return err
		}
		m := &fanout.Monitor{Fanouts: store, Audience: store, Posts: store, Waits: c.waits, Clock: time.Now}
		if post == 0 {
			return c.slowest(ctx, o, store, m)
		}
		p, err := m.Progress(ctx, post)
		if err != nil {
			return err
		}
		ids, err := read(ctx, store, p.Named())
		if err != nil {
			return err
		}
		return o.print(c.JSON, jsonOfProgress(p, ids), func(out io.Writer) { printProgress(out, p, ids) })
	})
}

// post returns the post that is asked for; 0 if there is none.
func (c *fanoutCommand) post(ctx context.Context, store *sqlstore.Store) (feed.PostID, error) {
	if c.Post == "" {
		return 0, nil
	}
	post, err := fanout.FindPost(ctx, finderOf(store), c.Post)
	switch {
	case feed.CodeOf(err) == feed.CodeInvalid:
		return 0, app.BadSetting("%.40q is not a post id; ids are whole numbers from 1", c.Post)
	case err == nil && post == 0:
		return 0, app.BadSetting("fanout: no post has the id %.40q", c.Post)
	}
	return post, err
}

// waits asks the task queues, only if a fan-out is open.
func (c *fanoutCommand) waits(ctx context.Context) (waits feed.Waits, err error) {
	err = c.withQueue(ctx, func(q *tasks.Queue) error {
		waits, err = q.Waits(ctx)
		return err
	})
	return waits, err
}

func (c *fanoutCommand) slowest(ctx context.Context, o output, store *sqlstore.Store, m *fanout.Monitor) error {
	list, err := m.Slowest(ctx)
	if err != nil {
		return err
	}
	ids, err := read(ctx, store, fanout.NamedIn(list))
	if err != nil {
		return err
	}
	all := []jsonSlow{}
	for _, f := range list {
		all = append(all, jsonSlow{ids.Content(f.Post), f.BeganAt, f.MovedAt - f.BeganAt, f.Slices, f.Done})
	}
	return o.print(c.JSON, all, func(out io.Writer) {
		if len(list) == 0 {
			_, _ = fmt.Fprintln(out, "no fan-out made progress in the last hour")
		}
		for _, f := range list {
			_, _ = fmt.Fprintf(out, "%s\tbegan %s\ttook %s\t%d of %d slices\n",
				ids.Name(f.Post), timeText(f.BeganAt), millisText(f.MovedAt-f.BeganAt), f.Done, f.Slices)
		}
	})
}

func printProgress(out io.Writer, p *fanout.Progress, ids feed.PublicIDs) {
	_, _ = fmt.Fprintf(out, "the fan-out of %s: %s\n", ids.Name(p.Post), p.State)
	if p.Stored {
		_, _ = fmt.Fprintf(out, "  author:\tuser %s, with %d followers\n  published:\t%s\n", ids.User(p.Author), p.Followers, timeText(p.Published.UnixMilli()))
	}
	if p.Planned {
		_, _ = fmt.Fprintf(out, "  slices:\t%d of %d done (%d %%), %d running\n", p.Done, p.Slices, p.Percent(), p.Running)
		_, _ = fmt.Fprintf(out, "  highest id:\tall followers up to user %s are served, of up to %s\n", ids.User(p.Reached), ids.User(p.Last))
		_, _ = fmt.Fprintf(out, "  attempts:\t%d, and %d repeated dispatches\n", p.Attempts, p.Dispatches)
	}
	if p.Took > 0 {
		_, _ = fmt.Fprintf(out, "  took so far:\t%v\n", p.Took.Round(time.Millisecond))
	}
	if p.Rate > 0 {
		_, _ = fmt.Fprintf(out, "  rate:\t%.1f slices a second\n", p.Rate)
	}
	if p.Left > 0 {
		_, _ = fmt.Fprintf(out, "  time left:\tabout %v\n", p.Left.Round(time.Millisecond))
	}
	for _, s := range p.Open {
		_, _ = fmt.Fprintf(out, "  slice %d:\tusers after %s up to %s, served up to %s, attempt %d: %s\n",
			s.Task, ids.User(s.After()), ids.User(s.Last), ids.User(s.Progress), s.Attempt, p.Why(s))
	}
}

// The output as JSON. Ids are strings, as in the API.
type (
	jsonProgress struct {
		Content    string        `json:"content"`
		Author     feed.PublicID `json:"author,omitzero"`
		Followers  int64         `json:"followers"`
		State      string        `json:"state"`
		Ended      bool          `json:"ended"`
		Slices     int           `json:"slices"`
		Done       int           `json:"done"`
		Running    int           `json:"running"`
		HighestID  feed.PublicID `json:"highestId,omitzero"`
		LastID     feed.PublicID `json:"lastId,omitzero"`
		Attempts   int64         `json:"attempts"`
		Dispatches int64         `json:"dispatches"`
		TookMS     int64         `json:"tookMs"`
		Rate       float64       `json:"slicesPerSecond"`
		LeftMS     int64         `json:"leftMs"`
	}
	jsonSlow struct {
		Content string `json:"content"`
		BeganAt int64  `json:"beganAt"`
		TookMS  int64  `json:"tookMs"`
		Slices  int    `json:"slices"`
		Done    int    `json:"done"`
	}
)

func jsonOfProgress(p *fanout.Progress, ids feed.PublicIDs) jsonProgress {
	return jsonProgress{
		Content: ids.Content(p.Post), Author: ids.User(p.Author), Followers: p.Followers, State: p.State, Ended: p.Ended(),
		Slices: p.Slices, Done: p.Done, Running: p.Running, HighestID: ids.User(p.Reached), LastID: ids.User(p.Last),
		Attempts: p.Attempts, Dispatches: p.Dispatches, TookMS: p.Took.Milliseconds(), Rate: p.Rate, LeftMS: p.Left.Milliseconds(),
	}
}
