package fanout

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Push pushes one slice: it adds a post to the inboxes of the slice's followers above the stored
// progress. Other posts of the author that wait for the same followers are pushed along, so each
// inbox is written once. Push does nothing if the slice is done or another worker runs it. After a
// failure it releases the slices, so that a retry need not wait for the lease.
func (f *Fanout) Push(ctx context.Context, ref feed.SliceRef) error {
	_, err := f.PushCounted(ctx, ref)
	return err
}

// Pushed is what one run of a slice did. It has no posts if there was nothing to do.
type Pushed struct {
	// Served of Listed followers got Posts posts.
	Served, Listed, Posts int
	// Late followers are those of Served who got the post later than lateAfter after its publish.
	Late int
}

// lateAfter is well above the lag of a fan-out without a backlog.
const lateAfter = 5 * time.Second

// PushCounted is [Fanout.Push], and returns what it did, also before an error.
func (f *Fanout) PushCounted(ctx context.Context, ref feed.SliceRef) (Pushed, error) {
	held, err := f.claim(ctx, ref)
	if err != nil {
		return Pushed{}, err
	}
	if len(held) == 0 {
		return Pushed{}, f.announceUnmarked(ctx, ref.Post)
	}
	return f.pushHeld(ctx, held)
}

// claim claims a slice and those that serve the same followers; none if there is nothing to do. It
// releases further slices whose post is not stored.
func (f *Fanout) claim(ctx context.Context, ref feed.SliceRef) ([]feed.Slice, error) {
	s, err := f.Slices.ClaimSlice(ctx, ref, feed.Millis(f.Clock()), f.in(f.Policy.SliceLease))
	if err != nil || s == nil {
		return nil, err
	}
	held := []feed.Slice{*s}
	if err := f.complete(ctx, &held[0]); err != nil {
		f.giveBack(ctx, held...)
		return nil, err
	}
	// Other slices, claimed later, might not be dropped.
	if s.Dropped || !s.Others || f.Policy.PushTogether <= 1 {
		return held, nil
	}
	others, err := f.Slices.ClaimTogether(ctx, *s, f.in(f.Policy.SliceLease), f.Policy.PushTogether-1)
	if err != nil {
		f.giveBack(ctx, held...)
		return nil, err
	}
	for _, other := range others {
		if other.Stored.Author == 0 {
			f.giveBack(ctx, other)
			continue
		}
		held = append(held, other)
	}
	return held, nil
}

// complete reads what a claim does not return of a replay. It fails if the post is not stored.
func (f *Fanout) complete(ctx context.Context, s *feed.Slice) error {
	if s.Stored.Author != 0 {
		return nil
	}
	if _, replay := s.Post.Session(); !replay {
		return notStored(s.Post)
	}
	replay, err := f.post(ctx, s.Post)
	if err != nil {
		return err
	}
	s.Stored = feed.SlicePost{Key: replay.Key(), Author: replay.Author}
	return nil
}

// pushHeld pushes slices that serve the same followers.
func (f *Fanout) pushHeld(ctx context.Context, held []feed.Slice) (Pushed, error) {
	p := Pushed{Posts: len(held)}
	for done := false; !done && len(held) > 0; {
		whole, err := f.pushBatch(ctx, held, &p)
		if err == nil {
			held, err = f.advance(ctx, held, whole)
		}
		if err != nil {
			f.giveBack(ctx, held...)
			return p, err
		}
		done = whole
	}
	for _, s := range held {
		if f.Trace.SlicePushed != nil {
			f.Trace.SlicePushed(s.SliceRef, p.Served)
		}
	}
	return p, nil
}

// pushBatch adds the followers of a batch to p, and reports whether the slice ends with them.
func (f *Fanout) pushBatch(ctx context.Context, held []feed.Slice, p *Pushed) (whole bool, err error) {
	s, batch := held[0], f.batch(len(held))
	if s.Dropped {
		return true, nil
	}
	target, _ := f.target(s.Post)
	// Activity is read now, not at planning time: a user who became active since then pulls the
	// author in their warm-up, and one whose lease has ended has a cold inbox.
	ids, err := f.Audience.FollowerIDs(ctx, s.Stored.Author, feed.FollowerRange{
		After: s.Progress, UpTo: s.Last, Limit: batch, Active: s.Selective, Grace: f.Policy.LeaseGrace,
	})
	if err != nil {
		return false, err
	}
	keys := make([]feed.Key, len(held))
	for i, h := range held {
		keys[i] = h.Stored.Key
	}
	served, err := target.Inboxes.Push(ctx, ids, keys...)
	if served > 0 {
		for i := range held {
			held[i].Progress = ids[served-1]
		}
	}
	p.count(len(ids), served, keys[0], feed.Millis(f.Clock()))
	return len(ids) < batch || held[0].Progress >= s.Last, err
}

func (p *Pushed) count(listed, served int, post feed.Key, now int64) {
	p.Listed += listed
	p.Served += served
	if now-post.AcceptedAt(now) > lateAfter.Milliseconds() {
		p.Late += served
	}
}

// batch returns how many inboxes are written at once, of which each gets some keys. Progress must
// be stored before the lease ends.
func (f *Fanout) batch(keys int) int {
	return max(f.Policy.PushBatch/keys, min(f.Policy.PushBatch, f.Policy.SliceSize))
}

// advance announces the posts whose last slice has ended, and returns the slices still held. After
// an error it returns every slice that is not known to be lost.
func (f *Fanout) advance(ctx context.Context, held []feed.Slice, done bool) (kept []feed.Slice, err error) {
	for i, s := range held {
		advanced, err := f.Slices.AdvanceSlice(ctx, s, done, f.in(f.Policy.SliceLease))
		if err != nil {
			return append(kept, held[i:]...), err
		}
		if advanced != feed.AdvanceFenced {
			kept = append(kept, s)
		}
		if advanced == feed.AdvanceLast && f.announces(s.Post) {
			f.announce(ctx, s.Stored)
		}
	}
	return kept, nil
}

// finishWithin limits what happens even after the context has ended.
const finishWithin = 2 * time.Second

func (f *Fanout) giveBack(ctx context.Context, held ...feed.Slice) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	for _, s := range held {
		// If this fails too, the lease runs out.
		_, _ = f.Slices.AdvanceSlice(ctx, s, false, feed.Millis(f.Clock()))
	}
}
