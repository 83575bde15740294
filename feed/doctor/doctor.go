package doctor

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Doctor compares what viewers are shown, and what their inboxes hold, with what the
// source of truth says. It changes nothing and asks for nothing.
//
// Things move on while it looks: a content is published after one read and pushed
// before the next. Therefore what seems wrong is looked at twice more, from the
// beginning, and is called wrong when it has been each time.
type Doctor struct {
	// Home reads home feeds as they are shown, from Inboxes, without asking for their upkeep.
	Home      HomeReader
	Inboxes   feed.Inboxes
	Reference feed.Reference
	Relations feed.Relations
	Policy    feed.Policy
	Coverage  feed.Coverage
	// Posts must not answer from a cache.
	Posts    feed.Posts
	Progress feed.Progress
	// Replays says that the feeds are those of replays: its findings are about sessions then,
	// by the names that [feed.ReplayRef] gives them.
	Replays bool
	// Depth is how many entries of each feed are compared, from the newest on; 0 for
	// all.
	Depth int
	// AtOnce is how many viewers are examined at the same time.
	AtOnce int
	// Pause, when set, is called before each further look. It gives the time in which a
	// system that is well mends what it has just been hit by.
	Pause func(context.Context) error
}

// HomeReader reads home feeds.
type HomeReader interface {
	// Page returns one page of viewer's home feed.
	Page(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.Page, error)
}

// listMax is how many keys are listed, and posts looked up, at once: as many as a read fetches.
const listMax = 400

// looks is how often something must be found to be called wrong.
const looks = 3

// Examine examines viewers, each whether he has an inbox or not. The error says that
// the examination could not be made, not that it found something.
func (d *Doctor) Examine(ctx context.Context, viewers []feed.UserID) (Report, error) {
	exams, err := d.look(ctx, viewers)
	for n := 1; n < looks && err == nil; n++ {
		err = d.lookAgain(ctx, exams)
	}
	var r Report
	if err != nil {
		return r, err
	}
	for _, e := range exams {
		r.note(e)
	}
	return r, nil
}

// look examines every viewer once.
func (d *Doctor) look(ctx context.Context, viewers []feed.UserID) ([]*exam, error) {
	exams := make([]*exam, len(viewers))
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(d.AtOnce, 1))
	for i, viewer := range viewers {
		all.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				exams[i], err = d.examine(ctx, viewer)
			}
			if err != nil {
				return fmt.Errorf("examine user %d: %w", viewer, err)
			}
			return nil
		})
	}
	return exams, all.Wait()
}

// lookAgain examines those again with whom something seems wrong, and of that keeps
// what is found once more.
func (d *Doctor) lookAgain(ctx context.Context, exams []*exam) error {
	var suspects []feed.UserID
	var at []int
	for i, e := range exams {
		if e.suspect() {
			suspects, at = append(suspects, e.viewer), append(at, i)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	if d.Pause != nil {
		if err := d.Pause(ctx); err != nil {
			return err
		}
	}
	again, err := d.look(ctx, suspects)
	if err != nil {
		return err
	}
	for n, i := range at {
		again[n].confirm(exams[i])
		exams[i] = again[n]
	}
	return nil
}

// examine takes one look at one viewer.
func (d *Doctor) examine(ctx context.Context, viewer feed.UserID) (*exam, error) {
	e := &exam{viewer: viewer, replays: d.Replays}
	err := d.examineInbox(ctx, e)
	if err != nil || e.unreadable {
		return e, err
	}
	return e, d.examineFeed(ctx, e)
}

// lacking records the contents that are missing from somewhere: as pending or as wrong.
func (d *Doctor) lacking(ctx context.Context, e *exam, keys []feed.Key, pending, wrong Kind) error {
	for chunk := range slices.Chunk(contentIDs(keys), listMax) {
		refs := make([]feed.PostID, len(chunk))
		for i, id := range chunk {
			refs[i] = e.ref(id)
		}
		waits, err := d.Progress.IsPending(ctx, refs)
		if err != nil {
			return err
		}
		for i, id := range chunk {
			if waits[i] {
				e.find(pending, id)
			} else {
				e.find(wrong, id)
			}
		}
	}
	return nil
}

func contentIDs(keys []feed.Key) []feed.PostID {
	ids := make([]feed.PostID, len(keys))
	for i, k := range keys {
		ids[i] = feed.PostID(k.ID)
	}
	return ids
}
