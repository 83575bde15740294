package fanout

import (
	"context"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// heldSlice is a slice that a subtask pushes, and the key that it adds to inboxes.
type heldSlice struct {
	feed.Slice
	key feed.Key
}

// Push runs one subtask: it adds the content to the inboxes of the slice's
// followers above the stored progress, batch by batch. Contents of the same author
// that wait to be pushed to the same followers go along with it, so that an inbox is
// written once for all of them; their own subtasks then find nothing to do. It does
// nothing when the slice is done or somebody else runs it. After a failure the slices
// are given back, with the progress made, so that the next try need not wait for the
// lease to end.
func (f *Fanout) Push(ctx context.Context, ref feed.SliceRef) error {
	claimed, err := f.claim(ctx, ref)
	if err != nil {
		return err
	}
	if len(claimed) == 0 {
		return f.announce(ctx, ref.Post)
	}
	held, author, err := f.hold(ctx, claimed)
	if err != nil {
		f.giveBack(ctx, claimed...)
		return err
	}
	return f.pushHeld(ctx, held, author)
}

// claim claims a slice, and with it those that serve the same followers; none when there is
// nothing to do.
func (f *Fanout) claim(ctx context.Context, ref feed.SliceRef) ([]heldSlice, error) {
	s, err := f.Plans.ClaimSlice(ctx, ref, feed.Millis(f.Clock()), f.in(f.Policy.SliceLease))
	if err != nil || s == nil {
		return nil, err
	}
	claimed := []heldSlice{{Slice: *s}}
	if !s.Others || f.Policy.PushTogether <= 1 {
		return claimed, nil
	}
	others, err := f.Plans.ClaimTogether(ctx, *s, f.in(f.Policy.SliceLease), f.Policy.PushTogether-1)
	if err != nil {
		f.giveBack(ctx, claimed...)
		return nil, err
	}
	for _, other := range others {
		claimed = append(claimed, heldSlice{Slice: other})
	}
	return claimed, nil
}

// hold returns what the slices add to inboxes, and whose it is. One whose content is not
// stored is given back, and an error if it is the first, for which the subtask was enqueued.
func (f *Fanout) hold(ctx context.Context, claimed []heldSlice) ([]heldSlice, feed.UserID, error) {
	names := make([]feed.PostID, len(claimed))
	for i, s := range claimed {
		names[i] = s.Post
	}
	posts, err := f.posts(ctx, names)
	if err != nil {
		return nil, 0, err
	}
	if posts[0] == nil {
		return nil, 0, notStored(names[0])
	}
	var held []heldSlice
	for i, s := range claimed {
		if posts[i] == nil {
			f.giveBack(ctx, s)
			continue
		}
		s.key = posts[i].Key()
		held = append(held, s)
	}
	return held, posts[0].Author, nil
}

// pushHeld pushes slices that serve the same followers, and announces the contents whose
// fan-out that ends.
func (f *Fanout) pushHeld(ctx context.Context, held []heldSlice, author feed.UserID) error {
	var ended []feed.PostID
	served := 0
	for done := false; !done && len(held) > 0; {
		n, whole, err := f.pushBatch(ctx, held, author)
		served += n
		if err == nil {
			var last []feed.PostID
			held, last, err = f.advance(ctx, held, whole)
			ended = append(ended, last...)
		}
		if err != nil {
			f.giveBack(ctx, held...)
			return errors.Join(err, f.announceAll(ctx, ended))
		}
		done = whole
	}
	for _, s := range held {
		if f.Trace.SlicePushed != nil {
			f.Trace.SlicePushed(s.SliceRef, served)
		}
	}
	return f.announceAll(ctx, ended)
}

// pushBatch pushes to the next batch of followers, and returns how many it served and
// whether they were the rest. The progress of each slice follows what is known to have
// succeeded.
func (f *Fanout) pushBatch(ctx context.Context, held []heldSlice, author feed.UserID) (served int, whole bool, err error) {
	s, batch := held[0], f.batch(len(held))
	target, _ := f.target(s.Post)
	// Who is active is looked at now: somebody who became so since the plan reads
	// the author's outbox in his warm-up, and somebody whose lease has ended since
	// has a cold inbox.
	ids, err := f.Audience.FollowerIDs(ctx, author, feed.FollowerRange{
		After: s.Progress, UpTo: s.Last, Limit: batch, Active: s.Selective, Grace: f.Policy.LeaseGrace,
	})
	if err != nil {
		return 0, false, err
	}
	keys := make([]feed.Key, len(held))
	for i, h := range held {
		keys[i] = h.key
	}
	served, err = target.Inboxes.Push(ctx, ids, keys...)
	if served > 0 {
		for i := range held {
			held[i].Progress = ids[served-1]
		}
	}
	return served, len(ids) < batch || held[0].Progress >= s.Last, err
}

// batch returns how many inboxes are written at once when each gets so many keys: fewer where
// they are several, since progress is stored behind each batch and the lease must not end
// before, but no fewer than a slice has where followers are not very many.
func (f *Fanout) batch(keys int) int {
	return max(f.Policy.PushBatch/keys, min(f.Policy.PushBatch, f.Policy.SubtaskSize))
}

// advance stores the progress of the slices, or their end. It returns those that are still
// held, and the contents whose last slice it has ended. After an error, all of which it is
// not known that they are lost are held.
func (f *Fanout) advance(ctx context.Context, held []heldSlice, done bool) (kept []heldSlice, ended []feed.PostID, err error) {
	for i, s := range held {
		hold, err := f.Plans.AdvanceSlice(ctx, s.Slice, done, f.in(f.Policy.SliceLease))
		if err != nil {
			return append(kept, held[i:]...), ended, err
		}
		if hold != feed.AdvanceFenced {
			kept = append(kept, s)
		}
		if hold == feed.AdvanceLast {
			ended = append(ended, s.Post)
		}
	}
	return kept, ended, nil
}

// announceAll announces contents whose last slice was ended here; others need not ask.
// Should it not be called, as when the process is killed now, the task comes again, finds
// the slice done, and asks.
func (f *Fanout) announceAll(ctx context.Context, contents []feed.PostID) error {
	var errs []error
	for _, content := range contents {
		errs = append(errs, f.announce(ctx, content))
	}
	return errors.Join(errs...)
}

// giveBackWithin bounds how long a failed subtask may try to say so, which it does
// even when its own context has ended.
const giveBackWithin = 2 * time.Second

func (f *Fanout) giveBack(ctx context.Context, held ...heldSlice) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackWithin)
	defer cancel()
	for _, s := range held {
		// Should this fail too, the lease runs out.
		_, _ = f.Plans.AdvanceSlice(ctx, s.Slice, false, feed.Millis(f.Clock()))
	}
}
