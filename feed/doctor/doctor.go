package doctor

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Doctor compares the feeds and inboxes of viewers with the source of truth. It changes nothing
// and enqueues nothing.
//
// The system changes meanwhile: a post may be published after one read and pushed before the
// next. So Doctor examines a viewer with a suspicious finding twice more, and reports the finding
// only if it was there each time.
type Doctor struct {
	// Home reads home feeds as viewers see them, from Inboxes, without asking for upkeep.
	Home      HomeReader
	Inboxes   feed.Inboxes
	Reference feed.Reference
	Relations feed.Relations
	Policy    feed.Policy
	Coverage  feed.Coverage
	// Posts must not read from a cache.
	Posts    feed.Posts
	Progress feed.Progress
	// Replays says that the feeds are those of replays. Findings then name sessions by their
	// [feed.ReplayRef].
	Replays bool
	// Depth is how many entries of each feed are compared, from the newest on; 0 for all.
	Depth int
	// AtOnce is how many viewers are examined concurrently.
	AtOnce int
	// Pause, unless nil, is called before each further round, to give a healthy system time to
	// repair itself.
	Pause func(context.Context) error
}

// HomeReader reads home feeds.
type HomeReader interface {
	// Page returns one page of viewer's home feed.
	Page(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.Page, error)
}

// listMax is how many keys are listed, and posts loaded, at once: as many as a read loads.
const listMax = 400

// rounds is how often a finding must be made to be reported.
const rounds = 3

// Examine examines viewers, with or without inboxes. An error means that the examination failed,
// not that it found something.
func (d *Doctor) Examine(ctx context.Context, viewers []feed.UserID) (Report, error) {
	exams, err := d.examineAll(ctx, viewers)
	for n := 1; n < rounds && err == nil; n++ {
		err = d.examineSuspects(ctx, exams)
	}
	var r Report
	if err != nil {
		return r, err
	}
	for _, e := range exams {
		r.add(e)
	}
	return r, nil
}

func (d *Doctor) examineAll(ctx context.Context, viewers []feed.UserID) ([]*exam, error) {
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

// examineSuspects examines suspicious viewers again and keeps the findings that are made again.
func (d *Doctor) examineSuspects(ctx context.Context, exams []*exam) error {
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
	again, err := d.examineAll(ctx, suspects)
	if err != nil {
		return err
	}
	for n, i := range at {
		again[n].confirm(exams[i])
		exams[i] = again[n]
	}
	return nil
}

func (d *Doctor) examine(ctx context.Context, viewer feed.UserID) (*exam, error) {
	e := &exam{viewer: viewer, replays: d.Replays}
	err := d.examineInbox(ctx, e)
	if err != nil || e.unreadable {
		return e, err
	}
	return e, d.examineFeed(ctx, e)
}

// lacking records posts that are missing somewhere: as pending or as wrong.
func (d *Doctor) lacking(ctx context.Context, e *exam, keys []feed.Key, pending, wrong Kind) error {
	for chunk := range slices.Chunk(postIDs(keys), listMax) {
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

func postIDs(keys []feed.Key) []feed.PostID {
	ids := make([]feed.PostID, len(keys))
	for i, k := range keys {
		ids[i] = feed.PostID(k.ID)
	}
	return ids
}
