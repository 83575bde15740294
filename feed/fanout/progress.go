package fanout

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Monitor reads how far fan-outs are, for operators.
type Monitor struct {
	Fanouts  feed.Fanouts
	Audience feed.Audience
	// Posts must not read from a cache.
	Posts feed.Posts
	// Waits returns how long tasks have waited; nil if queues cannot be read.
	Waits func(context.Context) (feed.Waits, error)
	Clock feed.Clock
}

// openShown is how many open slices a [Progress] lists.
const openShown = 20

// Progress is how far the fan-out of one post is.
type Progress struct {
	feed.FanoutState
	// Stored says that the post is stored; Published and Author are those of it.
	Stored    bool
	Author    feed.UserID
	Published time.Time
	// Followers are the author's now. A selective fan-out serves those who are active.
	Followers int64
	At        time.Time
	// Took is from the publish time to the last progress, or until now while slices are open.
	Took time.Duration
	// Rate is slices per second since the plan, and Left the time for the rest at that rate; both 0
	// if unknown.
	Rate float64
	Left time.Duration
	// State says in words what the fan-out waits for, if anything.
	State string
}

// parsePost reads the number of a post, or the negative one of a live session, for its replay.
func parsePost(s string) (feed.PostID, error) {
	session, replay := strings.CutPrefix(s, "-")
	id, err := feed.ParsePostID(session)
	if replay {
		id = -id
	}
	return id, err
}

// FindPost finds the fan-out of a public id: that of a post, or else, after a minus, that of a live
// session for its replay. It returns 0 if no object has the id. If ids is nil, ids are numbers, and a
// malformed one is [feed.CodeInvalid].
func FindPost(ctx context.Context, ids feed.IDFinder, text string) (feed.PostID, error) {
	if ids == nil {
		return parsePost(text)
	}
	found, err := ids.FindIDs(ctx, feed.PostIDs, []feed.ExternalID{feed.ExternalID(text)})
	session, isReplay := strings.CutPrefix(text, "-")
	if err != nil || found[0] != 0 || !isReplay {
		return feed.PostID(first(found)), err
	}
	found, err = ids.FindIDs(ctx, feed.LiveIDs, []feed.ExternalID{feed.ExternalID(session)})
	return feed.ReplayRef(first(found)), err
}

// Progresses returns the progress of a post's fan-out; [Monitor] does.
type Progresses interface {
	Progress(ctx context.Context, post feed.PostID) (*Progress, error)
}

// ProgressOf returns the progress of the fan-out that [FindPost] finds, and the ids that it names. It
// returns [feed.CodeNotFound] if there is none.
func ProgressOf(ctx context.Context, of Progresses, ids feed.IDFinder, text string) (*Progress, feed.PublicIDs, error) {
	post, err := FindPost(ctx, ids, text)
	if err == nil && post == 0 {
		err = feed.Errorf(feed.CodeNotFound, "no post has this id")
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := of.Progress(ctx, post)
	if err != nil {
		return nil, nil, err
	}
	public, err := p.Named().Read(ctx, ids)
	return p, public, err
}

// first returns 0 for an empty list.
func first(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[0]
}

// Named returns what the progress names.
func (p *Progress) Named() feed.Named {
	n := feed.Named{Posts: []feed.PostID{p.Post}, Users: []feed.UserID{p.Author, p.Reached, p.Last}}
	for _, s := range p.Open {
		n.Users = append(n.Users, s.First, s.After(), s.Last, s.Progress)
	}
	return n
}

// NamedIn returns what a list of fan-outs names.
func NamedIn(list []feed.SlowFanout) (n feed.Named) {
	for _, f := range list {
		n.Posts = append(n.Posts, f.Post)
	}
	return n
}

// Ended reports whether there is nothing left to do.
func (p *Progress) Ended() bool { return p.Planned && p.Done == p.Slices }

// Percent is the share of slices that are done.
func (p *Progress) Percent() int {
	if p.Slices == 0 {
		return 100
	}
	return 100 * p.Done / p.Slices
}

// Progress returns the progress of a post's fan-out. It returns [feed.CodeNotFound] if neither the
// post nor a fan-out is stored.
func (m *Monitor) Progress(ctx context.Context, post feed.PostID) (*Progress, error) {
	now := m.Clock()
	p := &Progress{At: now}
	state, err := m.Fanouts.FanoutOf(ctx, post, openShown)
	if err != nil {
		return nil, err
	}
	posts, err := m.Posts.Posts(ctx, []feed.PostID{post})
	if err != nil {
		return nil, err
	}
	if posts[0] != nil {
		p.Stored, p.Author, p.Published = true, posts[0].Author, time.UnixMilli(posts[0].PublishedAt)
		if p.Followers, _, err = m.Audience.Reach(ctx, p.Author); err != nil {
			return nil, err
		}
	}
	if state == nil {
		if !p.Stored {
			return nil, feed.Errorf(feed.CodeNotFound, "the post is not stored")
		}
		p.Post, p.State = post, "nothing is stored: the post was imported, or its fan-out ended over a week ago"
		return p, nil
	}
	p.FanoutState = *state
	p.measure()
	p.State = m.state(ctx, p)
	return p, nil
}

func (p *Progress) measure() {
	end := p.At
	if p.Ended() && p.MovedAt > 0 {
		end = time.UnixMilli(p.MovedAt)
	}
	if p.Stored {
		p.Took = max(0, end.Sub(p.Published))
	}
	if worked := end.Sub(time.UnixMilli(p.PlannedAt)); p.Done > 0 && worked > 0 {
		p.Rate = float64(p.Done) / worked.Seconds()
		p.Left = time.Duration(float64(p.Slices-p.Done) / p.Rate * float64(time.Second))
	}
}

// state says what the fan-out waits for.
func (m *Monitor) state(ctx context.Context, p *Progress) string {
	switch {
	case p.Planned && p.Slices == 0:
		return "done: nothing to push, because reads pull the author or there are no followers"
	case p.Ended():
		return "done"
	case m.Waits == nil:
		return "running"
	}
	waits, err := m.Waits(ctx)
	if err != nil {
		return "running; the task queues cannot be read"
	}
	pushes := waits.Push
	if p.Large {
		pushes = waits.PushLarge
	}
	overdue := func(dueAt int64) bool { return dueAt <= feed.Millis(p.At) }
	switch {
	case !p.Planned && overdue(p.Event.DueAt):
		return "waits for its plan: due, so a worker's sweep dispatches it within a second, if one runs"
	case !p.Planned:
		return fmt.Sprintf("waits for its plan: the oldest dispatch has waited for %v", waits.Dispatch.Round(time.Millisecond))
	case p.Running > 0:
		return fmt.Sprintf("running: slices at workers: %d; the oldest push task has waited for %v", p.Running, pushes.Round(time.Millisecond))
	case pushes > 0:
		return fmt.Sprintf("waits for workers: the oldest push task has waited for %v", pushes.Round(time.Millisecond))
	}
	return "waits for a sweep, which dispatches slices when they are due"
}

// Why says what an open slice waits for.
func (p *Progress) Why(o feed.OpenSlice) string {
	in := time.UnixMilli(o.DueAt).Sub(p.At).Round(time.Millisecond)
	switch {
	case o.Running && in > 0:
		return fmt.Sprintf("a worker has it for %v at least", in)
	case o.Running:
		return "its worker is silent: a sweep dispatches it again"
	case in > 0:
		return fmt.Sprintf("in its queue; a sweep dispatches it in %v if it is lost", in)
	}
	return "due: a sweep dispatches it unless its task may still be queued"
}

// slowest is how many slow fan-outs are listed, and slowSince how far back.
const (
	slowest   = 20
	slowSince = time.Hour
)

// Slowest returns the slowest fan-outs of the last hour.
func (m *Monitor) Slowest(ctx context.Context) ([]feed.SlowFanout, error) {
	return m.Fanouts.SlowestFanouts(ctx, feed.Millis(m.Clock().Add(-slowSince)), slowest)
}
