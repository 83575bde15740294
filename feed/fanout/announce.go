package fanout

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// The mark comes before the message, for a last slice in the transaction that ends it. A process
// killed between the two leaves the post unannounced, but in every feed. The reverse order would
// announce again with each redelivered task. Replays are not announced.

// announceUnmarked announces a post if its fan-out is done and no slice has marked it: its plan has
// no slices.
func (f *Fanout) announceUnmarked(ctx context.Context, id feed.PostID) error {
	if !f.announces(id) {
		return nil
	}
	first, err := f.Announced.MarkAnnounced(ctx, id)
	if !first || err != nil {
		return err
	}
	post, err := f.post(ctx, id)
	if err != nil {
		return err
	}
	f.announce(ctx, feed.SlicePost{Key: post.Key(), Author: post.Author, Deleted: post.IsDeleted()})
	return nil
}

func (f *Fanout) announces(id feed.PostID) bool {
	_, replay := id.Session()
	return !replay && f.Announcer != nil
}

// announce announces a post that this process has marked as announced, even after the context has
// ended: no other call will.
func (f *Fanout) announce(ctx context.Context, p feed.SlicePost) {
	if p.Deleted {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	if now := feed.Millis(f.Clock()); f.Trace.FannedOut != nil {
		f.Trace.FannedOut(feed.PostID(p.Key.ID), time.Duration(now-p.Key.AcceptedAt(now))*time.Millisecond)
	}
	// A failure loses nothing: a listener without the server has lost its connection too.
	err := f.Announcer.Announce(ctx, feed.Announcement{Post: feed.PostID(p.Key.ID), Author: p.Author})
	if f.Trace.Announced != nil {
		f.Trace.Announced(feed.PostID(p.Key.ID), err)
	}
}
