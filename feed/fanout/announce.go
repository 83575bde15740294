package fanout

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// announce announces a post if its fan-out is done, at most once. It follows each last slice; a
// redelivered task that finds nothing to push calls it again. Replays are not announced.
//
// The log entry comes first. A process killed before the message leaves the post unannounced, but
// in every feed. The reverse order would announce again with each redelivered task.
func (f *Fanout) announce(ctx context.Context, id feed.PostID) error {
	if _, replay := id.Session(); replay || f.Announcer == nil {
		return nil
	}
	first, err := f.Announced.MarkAnnounced(ctx, id)
	if !first || err != nil {
		return err
	}
	post, err := f.post(ctx, id)
	if err != nil || post.DeletedAt != 0 {
		return err
	}
	if now := feed.Millis(f.Clock()); f.Trace.FannedOut != nil {
		f.Trace.FannedOut(post.ID, time.Duration(now-post.AcceptedAt(now))*time.Millisecond)
	}
	// A failure loses nothing: a listener without the server has lost its connection too.
	err = f.Announcer.Announce(ctx, feed.Announcement{Post: id, Author: post.Author})
	if f.Trace.Announced != nil {
		f.Trace.Announced(id, err)
	}
	return nil
}
