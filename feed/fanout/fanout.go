package fanout

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Fanout brings published contents into the inboxes of followers, and the replays of
// live sessions into their replay inboxes. All it must not forget is in Plans; the queue
// only says when to look. Where it speaks of a content, it may be a replay, under the name
// that [feed.ReplayRef] gives it.
type Fanout struct {
	Plans    feed.Plans
	Audience feed.Audience
	// Posts must not answer from a cache.
	Posts   feed.Posts
	Inboxes feed.Inboxes
	// Replays is the target of replays; zero if there are none.
	Replays  Target
	Progress feed.Progress
	Queue    feed.Queue
	// Announcer is told of every content whose fan-out is done, once, which Announced
	// sees to. Nothing is announced when it is nil.
	Announcer feed.Announcer
	Announced feed.AnnouncementLog
	Clock     feed.Clock
	Policy    feed.Policy
	Trace     feed.Trace
}

// Dispatch plans the fan-out of a content, unless that has been done, and enqueues
// the subtasks that are not done. It may run any number of times, also at once:
// the first stored plan wins. Planning again would cut other slices, because
// people have followed and left since, and progress kept by slice would then skip
// somebody; who followed since the plan was stored is served by his build.
func (f *Fanout) Dispatch(ctx context.Context, content feed.PostID) error {
	open, stored, err := f.Plans.PlanOf(ctx, content)
	if err != nil {
		return err
	}
	if stored {
		return f.enqueue(ctx, content, open)
	}
	post, err := f.post(ctx, content)
	if err != nil {
		return err
	}
	if open, err = f.plan(ctx, content, post); err != nil {
		return err
	}
	return f.enqueue(ctx, content, open)
}

// enqueue enqueues the subtasks of a plan that are open. Without any the fan-out is done.
func (f *Fanout) enqueue(ctx context.Context, content feed.PostID, open []feed.SliceRef) error {
	if len(open) == 0 {
		return f.announce(ctx, content)
	}
	tasks := make([]feed.Dispatchable[feed.SliceRef], len(open))
	for i, ref := range open {
		tasks[i].Ref = ref
	}
	return f.Queue.Push(ctx, tasks)
}

// plan cuts the author's followers into slices and stores them. A content that is
// not to be pushed gets a plan without slices. The mark that says whom this leaves out
// is committed before followers are listed, so whoever is left out can see it.
func (f *Fanout) plan(ctx context.Context, content feed.PostID, post *feed.Post) ([]feed.SliceRef, error) {
	plan := feed.Plan{Post: content}
	if _, replay := content.Session(); !replay {
		plan.Author = post.Author
	}
	if post.DeletedAt == 0 {
		mark, err := f.mark(ctx, content, post.Author)
		if err != nil {
			return nil, err
		}
		plan.Selective = mark == feed.FlagSelective
		if mark != feed.FlagUnpushed {
			if plan.Slices, err = f.slices(ctx, content, post.Author, plan.Selective); err != nil {
				return nil, err
			}
		}
	}
	return f.Plans.StorePlan(ctx, plan, f.in(f.Policy.QueuePatience))
}

// mark decides, by the mode and the number of followers, how a content is pushed, and
// returns the mark that its author then has. Who is marked unpushed stays so, and
// pushing to inboxes that never cover him would be for nothing; who is marked
// selective is pushed to active followers for good, since cold inboxes pull him.
//
// A mark that is stored already is set again, which writes nothing.
func (f *Fanout) mark(ctx context.Context, content feed.PostID, author feed.UserID) (feed.CoverageFlag, error) {
	mark, err := f.due(ctx, content, author)
	if err != nil || mark == feed.FlagNone {
		return mark, err
	}
	return mark, f.Audience.RaiseFlag(ctx, author, mark)
}

// due returns the mark that a content gives its author, or the one that he has, if it is higher.
func (f *Fanout) due(ctx context.Context, content feed.PostID, author feed.UserID) (feed.CoverageFlag, error) {
	if f.Policy.Fanout == feed.FanoutPull {
		return feed.FlagUnpushed, nil
	}
	n, mark, err := f.Audience.Reach(ctx, author)
	if err != nil || mark == feed.FlagUnpushed {
		return mark, err
	}
	if n > int64(f.Policy.SubtaskSize) {
		backlog, err := f.Progress.Backlog(ctx, f.Policy.BacklogMax+1)
		if err != nil {
			return feed.FlagNone, err
		}
		if backlog > f.Policy.BacklogMax {
			if f.Trace.Shed != nil {
				f.Trace.Shed(content)
			}
			return feed.FlagUnpushed, nil
		}
	}
	if f.Policy.Fanout == feed.FanoutHybrid && n > int64(f.Policy.PushThreshold) {
		return feed.FlagSelective, nil
	}
	return mark, nil
}

// slices cuts the author's followers, by ascending id, into what subtasks push to: runs of
// SubtaskSize, or several of these where there are very many followers, or where few are
// active and nobody else is pushed to. Who they are is not read, since each subtask lists its
// own.
func (f *Fanout) slices(ctx context.Context, content feed.PostID, author feed.UserID, selective bool) ([]feed.Slice, error) {
	bounds, err := f.bounds(ctx, content, author)
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
		ref := feed.SliceRef{Post: content, Task: len(out)}
		out = append(out, feed.Slice{SliceRef: ref, First: after + 1, Last: last, Progress: after})
		after = last
	}
	return out, nil
}

// bounds returns the last id of each run of SubtaskSize followers. To walk a hundred million
// of them takes a quarter of a minute, in which the event is put off again and again: nobody else
// is to begin the same.
func (f *Fanout) bounds(ctx context.Context, content feed.PostID, author feed.UserID) ([]feed.UserID, error) {
	var out []feed.UserID
	size := f.Policy.SubtaskSize
	most := max(1, f.Policy.PlanBatch/size)
	put := f.Clock()
	for after := feed.UserID(0); ; after = out[len(out)-1] {
		if now := f.Clock(); now.Sub(put) >= f.Policy.EventPatience/2 {
			if err := f.Plans.PostponeEvent(ctx, content, f.in(f.Policy.EventPatience)); err != nil {
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

// Where followers are very many, slices are longer, so that there are fewer tasks, claims and
// commits of progress: up to manyRuns as long, four of which are pushed to in some ten
// milliseconds. But there are always manySlices or more, so that all workers of a large fleet
// get their share and end at about the same time.
const (
	manyRuns   = 4
	manySlices = 64
)

// runsOfMany returns how many of so many runs of followers go into one slice.
func runsOfMany(runs int) int { return max(1, min(manyRuns, runs/manySlices)) }

// runsMost is how many runs of followers a slice has at most. Should all of them be active,
// against what the first run said, their subtask is still done in a tenth of a second.
const runsMost = 16

// runsOfFew returns how many runs of followers have about SubtaskSize active ones, judged by the
// first run, which ends with last: slices of more or fewer do no harm.
func (f *Fanout) runsOfFew(ctx context.Context, author, last feed.UserID) (int, error) {
	size := f.Policy.SubtaskSize
	active, err := f.Audience.FollowerIDs(ctx, author, feed.FollowerRange{
		UpTo: last, Limit: size, Active: true, Grace: f.Policy.LeaseGrace,
	})
	return size / max(1, len(active)), err
}

// Sweep enqueues whatever is due: events whose plan is not stored, slices that have
// waited too long, and slices whose executor has stopped storing progress. It is
// called again and again, by every worker. What it cannot enqueue becomes due
// again, later each time.
//
// What waits is due when its patience has passed since its task could have been taken
// off the queue: queues are first in, first out, so a task older than the one at the
// head has been taken, or was never there, or was lost. However long a queue is, what
// stands in it is left alone, and what does not is missed within seconds.
func (f *Fanout) Sweep(ctx context.Context) error {
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

// sweepRounds is how many batches one sweep takes: after a rollback tens of thousands of
// subtasks are due at once, and a few thousand a second are more than workers get done.
const sweepRounds = 10

// sweepBatch enqueues a batch of what is due and says whether there may be more.
func (f *Fanout) sweepBatch(ctx context.Context, now int64, by feed.DueBy) (more bool, err error) {
	due, err := f.Plans.Due(ctx, by, f.Policy.SweepBatch, func(dispatches int) int64 {
		return now + f.patience(dispatches).Milliseconds()
	})
	if err != nil {
		return false, err
	}
	for _, e := range due.Events {
		if err := f.Queue.Dispatch(ctx, e); err != nil {
			return false, err
		}
	}
	if f.Trace.Swept != nil {
		f.Trace.Swept(len(due.Events), len(due.Slices))
	}
	more = len(due.Events) == f.Policy.SweepBatch || len(due.Slices) == f.Policy.SweepBatch
	return more, f.Queue.Push(ctx, due.Slices)
}

// patience is QueuePatience, doubled with every dispatch by a sweep but the first, up
// to its maximum.
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

func (f *Fanout) post(ctx context.Context, content feed.PostID) (*feed.Post, error) {
	posts, err := f.posts(ctx, []feed.PostID{content})
	if err != nil {
		return nil, err
	}
	if posts[0] == nil {
		return nil, notStored(content)
	}
	return posts[0], nil
}

// posts returns posts of one target, nil for one that is not stored.
func (f *Fanout) posts(ctx context.Context, contents []feed.PostID) ([]*feed.Post, error) {
	target, _ := f.target(contents[0])
	ids := make([]feed.PostID, len(contents))
	for i, content := range contents {
		_, ids[i] = f.target(content)
	}
	return target.Posts.Posts(ctx, ids)
}

func notStored(content feed.PostID) error {
	return feed.Errorf(feed.CodeNotFound, "content %d is not stored", content)
}

func (f *Fanout) in(d time.Duration) int64 { return feed.Millis(f.Clock().Add(d)) }
