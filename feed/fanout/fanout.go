package fanout

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Fanout pushes posts into the inboxes of followers, and replays into their replay inboxes. Its
// state is in Plans and Slices. An id may be that of a post or the [feed.ReplayRef] of a session.
type Fanout struct {
	Plans    feed.Plans
	Slices   feed.Slices
	Audience feed.Audience
	// Posts must not read from a cache.
	Posts   feed.Posts
	Inboxes feed.Inboxes
	// Replays is the target of replays; zero if there are none.
	Replays  Target
	Progress feed.Progress
	Queue    feed.Queue
	// Announcer announces each post once, as Announced records; nil announces nothing.
	Announcer feed.Announcer
	Announced feed.AnnouncementLog
	// Online are the users who get posts first; nil for none. It needs Announced.
	Online feed.OnlineUsers
	Clock  feed.Clock
	Policy feed.Policy
	Trace  feed.Trace
}

// Dispatch stores the plan of a fan-out unless there is one, and enqueues the unfinished slices.
// It is idempotent and safe for concurrent calls: the first stored plan wins, because a second one
// would cut other slices, and the progress by slice would skip followers. Later followers get the
// post from the build of their inbox.
//
// Dispatch leaves the plan of a large fan-out to [Fanout.Plan], through the queue, so that it takes
// no longer for any post and no post waits for the plan of another.
func (f *Fanout) Dispatch(ctx context.Context, id feed.PostID) error {
	_, err := f.DispatchCounted(ctx, id)
	return err
}

// DispatchCounted is [Fanout.Dispatch], and returns what it did.
func (f *Fanout) DispatchCounted(ctx context.Context, id feed.PostID) (d Dispatched, err error) {
	err = f.dispatch(ctx, id, &d, func(post *feed.Post, followers int64) (handedOver bool, err error) {
		if !f.isLarge(followers) {
			return false, nil
		}
		if _, replay := id.Session(); !replay {
			d.Online, d.Notified = f.pushOnline(ctx, post, followers)
		}
		d.HandedOver = true
		return true, f.Queue.Dispatch(ctx, []feed.Dispatchable[feed.PostID]{{Ref: id, Large: true}})
	})
	return d, err
}

// Dispatched is what a dispatch or plan of a post did.
type Dispatched struct {
	// Online followers got the post before the plan; Notified of them have a log row of it.
	Online, Notified int
	// HandedOver says that another task plans the post, and Stored that its plan was stored before.
	HandedOver, Stored bool
	// Slices were enqueued.
	Slices int
}

// Plan does what [Fanout.Dispatch] leaves to it. It is as idempotent, and safe for concurrent calls.
func (f *Fanout) Plan(ctx context.Context, id feed.PostID) error {
	_, err := f.PlanCounted(ctx, id)
	return err
}

// PlanCounted is [Fanout.Plan], and returns what it did.
func (f *Fanout) PlanCounted(ctx context.Context, id feed.PostID) (d Dispatched, err error) {
	err = f.dispatch(ctx, id, &d, func(*feed.Post, int64) (bool, error) {
		// No longer in the queue, the task would be taken for lost.
		return false, f.Plans.PostponeEvent(ctx, id, f.in(f.Policy.EventPatience))
	})
	return d, err
}

// dispatch calls first before it lists the followers of a post that is pushed, unless a plan is
// stored. It ends there if first hands the plan over.
func (f *Fanout) dispatch(
	ctx context.Context, id feed.PostID, d *Dispatched, first func(post *feed.Post, followers int64) (handedOver bool, err error),
) error {
	state, err := f.Plans.PlanOf(ctx, id)
	if err != nil {
		return err
	}
	d.Stored, d.Slices = state.Stored, len(state.Open)
	if state.Stored {
		return f.enqueue(ctx, id, state.Open)
	}
	post, err := f.post(ctx, id)
	if err != nil {
		return err
	}
	plan, pushed, followers, err := f.plan(ctx, id, post)
	if err != nil {
		return err
	}
	if pushed {
		if handedOver, err := first(post, followers); handedOver || err != nil {
			return err
		}
		if plan.Slices, err = f.slices(ctx, id, post.Author, plan.Selective); err != nil {
			return err
		}
	}
	plan.Attempt = state.Attempt
	open, err := f.Plans.StorePlan(ctx, *plan, f.in(f.Policy.QueuePatience))
	if err != nil {
		return err
	}
	d.Slices = len(open)
	return f.enqueue(ctx, id, open)
}

func (f *Fanout) enqueue(ctx context.Context, id feed.PostID, open []feed.Dispatchable[feed.SliceRef]) error {
	if len(open) == 0 {
		return f.announceUnmarked(ctx, id)
	}
	return f.Queue.Push(ctx, open)
}

// plan returns a plan that lacks its slices, whether the post is pushed, and to how many followers. It
// commits the author's flag before anyone lists followers, so followers who are left out can see it.
func (f *Fanout) plan(ctx context.Context, id feed.PostID, post *feed.Post) (plan *feed.Plan, pushed bool, followers int64, err error) {
	plan = &feed.Plan{Post: id}
	if _, replay := id.Session(); !replay {
		plan.Author = post.Author
	}
	if post.IsDeleted() {
		return plan, false, 0, nil
	}
	flag, followers, err := f.raiseFlag(ctx, id, post.Author)
	plan.Selective = flag == feed.FlagSelective
	plan.Large = f.isLarge(followers)
	return plan, flag != feed.FlagUnpushed, followers, err
}

func (f *Fanout) isLarge(followers int64) bool { return followers > int64(f.Policy.LargeAbove) }

// raiseFlag returns the flag under which to push a post, and the number of the author's followers
// unless they are unpushed. An unpushed author stays unpushed: no inbox covers them any more. A
// selective author is pushed to active followers only: cold inboxes pull them. A flag that is as
// high already is left alone. If it falls meanwhile, that is safe: the post was committed before, so
// every inbox that covers the author from then on has read it.
func (f *Fanout) raiseFlag(ctx context.Context, id feed.PostID, author feed.UserID) (feed.CoverageFlag, int64, error) {
	if f.Policy.Fanout == feed.FanoutPull {
		return feed.FlagUnpushed, 0, f.Audience.RaiseFlag(ctx, author, feed.FlagUnpushed, feed.FlagMode)
	}
	followers, flag, err := f.Audience.Reach(ctx, author)
	if err != nil || flag == feed.FlagUnpushed {
		return flag, 0, err
	}
	due, why, err := f.due(ctx, id, followers, flag)
	if err == nil && why != feed.FlagUnknown {
		err = f.Audience.RaiseFlag(ctx, author, due, why)
	}
	return due, followers, err
}

// due returns the flag that a post gives its author and why, or, for no reason, the author's flag
// if that is as high.
func (f *Fanout) due(ctx context.Context, id feed.PostID, followers int64, flag feed.CoverageFlag) (feed.CoverageFlag, feed.FlagReason, error) {
	if followers > int64(f.Policy.SliceSize) {
		backlog, err := f.Progress.Backlog(ctx, f.Policy.BacklogMax+1)
		if err != nil {
			return feed.FlagNone, feed.FlagUnknown, err
		}
		if backlog > f.Policy.BacklogMax {
			if f.Trace.Shed != nil {
				f.Trace.Shed(id)
			}
			return feed.FlagUnpushed, feed.FlagBacklog, nil
		}
	}
	if flag == feed.FlagNone && followers > f.Policy.KeepsFlagAbove() {
		return feed.FlagSelective, feed.FlagThreshold, nil
	}
	return flag, feed.FlagUnknown, nil
}

// slices cuts the author's followers, by ascending id, into slices of SliceSize
// followers, or of more if the author has very many followers or few active ones.
func (f *Fanout) slices(ctx context.Context, id feed.PostID, author feed.UserID, selective bool) ([]feed.Slice, error) {
	bounds, err := f.bounds(ctx, id, author)
	if err != nil {
		return nil, err
	}
	runs := runsOfMany(len(bounds))
	if selective && len(bounds) > 1 {
		few, err := f.runsOfFew(ctx, author, bounds[0])
		if err != nil {
			return nil, err
		}
		runs = min(runsMost, runs*few)
	}
	var out []feed.Slice
	after := feed.UserID(0)
	for together := range slices.Chunk(bounds, runs) {
		last := together[len(together)-1]
		ref := feed.SliceRef{Post: id, Task: len(out)}
		out = append(out, feed.Slice{SliceRef: ref, First: after + 1, Last: last, Progress: after})
		after = last
	}
	return out, nil
}

// bounds returns the last id of each run of SliceSize followers. A hundred million take 15
// seconds, so it postpones the event; otherwise another process would start the same plan.
func (f *Fanout) bounds(ctx context.Context, id feed.PostID, author feed.UserID) ([]feed.UserID, error) {
	var out []feed.UserID
	size := f.Policy.SliceSize
	most := max(1, f.Policy.PlanBatch/size)
	put := f.Clock()
	for after := feed.UserID(0); ; after = out[len(out)-1] {
		if now := f.Clock(); now.Sub(put) >= f.Policy.EventPatience/2 {
			if err := f.Plans.PostponeEvent(ctx, id, f.in(f.Policy.EventPatience)); err != nil {
				return nil, err
			}
			put = now
		}
		more, err := f.Audience.FollowerBounds(ctx, author, after, size, most)
		out = append(out, more...)
		if err != nil || len(more) < most {
			return out, err
		}
	}
}

// Longer slices save tasks and commits: a push to manyRuns takes some ten milliseconds. With
// manySlices all workers of a large fleet get their share.
const (
	manyRuns   = 4
	manySlices = 64
)

func runsOfMany(runs int) int { return max(1, min(manyRuns, runs/manySlices)) }

// runsMost runs are pushed within a tenth of a second, even if all their followers are active.
const runsMost = 16

// runsOfFew estimates, by the first run, how many runs have SliceSize active followers.
func (f *Fanout) runsOfFew(ctx context.Context, author, last feed.UserID) (int, error) {
	size := f.Policy.SliceSize
	active, err := f.Audience.FollowerIDs(ctx, author, feed.FollowerRange{
		UpTo: last, Limit: size, Active: true, Grace: f.Policy.LeaseGrace,
	})
	return size / max(1, len(active)), err
}

// Sweep enqueues due work again: events without a plan, and slices that have waited too long or
// whose worker is silent. What it cannot enqueue becomes due again, later each time.
//
// A waiting task is due when its patience has passed since the queue could have delivered it.
// Queues are first in, first out, so a task older than the head of the queue was taken, lost or
// never enqueued. Sweep therefore leaves a long queue alone and finds lost tasks within seconds.
//
// If nothing is due, Sweep takes one statement and does not ask the queue.
func (f *Fanout) Sweep(ctx context.Context) error {
	// Waits never make anything due earlier.
	due, err := f.Progress.IsAnyDue(ctx, feed.Millis(f.Clock()))
	if !due || err != nil {
		return err
	}
	waits, err := f.Queue.Waits(ctx)
	if err != nil {
		return err
	}
	now := feed.Millis(f.Clock())
	for range sweepRounds {
		more, err := f.sweepBatch(ctx, now, waits.DueBy(now))
		if !more || err != nil {
			return err
		}
	}
	return nil
}

// sweepRounds limits the batches of one sweep. Workers finish a few thousand tasks a second.
const sweepRounds = 10

// sweepBatch enqueues one batch and reports whether there may be more.
func (f *Fanout) sweepBatch(ctx context.Context, now int64, by feed.DueBy) (more bool, err error) {
	due, err := f.Plans.Due(ctx, by, f.Policy.SweepBatch, func(dispatches int) int64 {
		return now + f.patience(dispatches).Milliseconds()
	})
	if err != nil {
		return false, err
	}
	if err := f.Queue.Dispatch(ctx, due.Events); err != nil {
		return false, err
	}
	if f.Trace.Swept != nil {
		f.Trace.Swept(len(due.Events), len(due.Slices))
	}
	more = len(due.Events) == f.Policy.SweepBatch || len(due.Slices) == f.Policy.SweepBatch
	return more, f.Queue.Push(ctx, due.Slices)
}

// patience doubles with every dispatch by a sweep after the first.
func (f *Fanout) patience(dispatches int) time.Duration {
	p := f.Policy.QueuePatience
	for range dispatches - 1 {
		if p >= f.Policy.QueuePatienceMax {
			break
		}
		p *= 2
	}
	return min(p, f.Policy.QueuePatienceMax)
}

func (f *Fanout) post(ctx context.Context, id feed.PostID) (*feed.Post, error) {
	target, own := f.target(id)
	posts, err := target.Posts.Posts(ctx, []feed.PostID{own})
	if err != nil {
		return nil, err
	}
	if posts[0] == nil {
		return nil, notStored(id)
	}
	return posts[0], nil
}

func notStored(id feed.PostID) error {
	return feed.Errorf(feed.CodeNotFound, "post %d is not stored", id)
}

func (f *Fanout) in(d time.Duration) int64 { return feed.Millis(f.Clock().Add(d)) }
