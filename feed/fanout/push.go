package fanout

import (
	"context"
	"errors"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

type heldSlice struct {
	feed.Slice
	key feed.Key
}

// Push pushes one slice: it adds a post to the inboxes of the slice's followers above the stored
// progress. Other posts of the author that wait for the same followers are pushed along, so each
// inbox is written once. Push does nothing if the slice is done or another worker runs it. After a
// failure it releases the slices, so that a retry need not wait for the lease.
func (f *Fanout) Push(ctx context.Context, ref feed.SliceRef) error {
	claimed, err := f.claim(ctx, ref)
	if err != nil {
		return err
	}
	if len(claimed) == 0 {
		return f.announce(ctx, ref.Post)
	}
	held, author, err := f.withKeys(ctx, claimed)
	if err != nil {
		f.giveBack(ctx, claimed...)
		return err
	}
	return f.pushHeld(ctx, held, author)
}

// claim claims a slice and those that serve the same followers; none if there is nothing to do.
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

// withKeys returns the author, too. It releases slices whose post is not stored, and fails if the
// first one's is not.
func (f *Fanout) withKeys(ctx context.Context, claimed []heldSlice) ([]heldSlice, feed.UserID, error) {
	ids := make([]feed.PostID, len(claimed))
	for i, s := range claimed {
		ids[i] = s.Post
	}
	posts, err := f.posts(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	if posts[0] == nil {
		return nil, 0, notStored(ids[0])
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

// pushHeld pushes slices that serve the same followers, and announces what that ends.
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

// pushBatch returns how many followers it served, and whether the slice ends with them.
func (f *Fanout) pushBatch(ctx context.Context, held []heldSlice, author feed.UserID) (served int, whole bool, err error) {
	s, batch := held[0], f.batch(len(held))
	target, _ := f.target(s.Post)
	// Activity is read now, not at planning time: a user who became active since then pulls the
	// author in their warm-up, and one whose lease has ended has a cold inbox.
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

// batch returns how many inboxes are written at once, of which each gets some keys. Progress must
// be stored before the lease ends.
func (f *Fanout) batch(keys int) int {
	return max(f.Policy.PushBatch/keys, min(f.Policy.PushBatch, f.Policy.SliceSize))
}

// advance returns the slices still held and the posts whose last slice has ended. After an error it
// returns every slice that is not known to be lost.
func (f *Fanout) advance(ctx context.Context, held []heldSlice, done bool) (kept []heldSlice, ended []feed.PostID, err error) {
	for i, s := range held {
		advanced, err := f.Plans.AdvanceSlice(ctx, s.Slice, done, f.in(f.Policy.SliceLease))
		if err != nil {
			return append(kept, held[i:]...), ended, err
		}
		if advanced != feed.AdvanceFenced {
			kept = append(kept, s)
		}
		if advanced == feed.AdvanceLast {
			ended = append(ended, s.Post)
		}
	}
	return kept, ended, nil
}

// announceAll may miss posts if the process is killed; then the redelivered task announces.
func (f *Fanout) announceAll(ctx context.Context, ids []feed.PostID) error {
	var errs []error
	for _, id := range ids {
		errs = append(errs, f.announce(ctx, id))
	}
	return errors.Join(errs...)
}

// giveBackWithin bounds the release of slices, which also happens after the context has ended.
const giveBackWithin = 2 * time.Second

func (f *Fanout) giveBack(ctx context.Context, held ...heldSlice) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackWithin)
	defer cancel()
	for _, s := range held {
		// If this fails too, the lease runs out.
		_, _ = f.Plans.AdvanceSlice(ctx, s.Slice, false, feed.Millis(f.Clock()))
	}
}
