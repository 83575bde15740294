package fanout

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// announce tells the world of a content whose fan-out may be done by now; replays are not
// announced, because home feeds are what people subscribe to. Whoever ends
// the last slice asks; if he dies before that, his task is delivered again, and
// whoever finds nothing to do in it asks too.
//
// The mark comes first, so nothing is ever announced twice. A process that is killed
// between mark and message leaves the content unannounced, though not out of any feed;
// the other order would announce old contents anew whenever a task comes twice.
func (f *Fanout) announce(ctx context.Context, content feed.PostID) error {
	if _, replay := content.Session(); replay || f.Announcer == nil {
		return nil
	}
	first, err := f.Announced.MarkAnnounced(ctx, content)
	if !first || err != nil {
		return err
	}
	post, err := f.post(ctx, content)
	if err != nil || post.DeletedAt != 0 {
		return err
	}
	if now := feed.Millis(f.Clock()); f.Trace.FannedOut != nil {
		f.Trace.FannedOut(post.ID, time.Duration(now-post.AcceptedAt(now))*time.Millisecond)
	}
	// Without the server of announcements nobody listens: whoever did has lost his
	// connection as well, and has told his subscribers.
	err = f.Announcer.Announce(ctx, feed.Announcement{Post: content, Author: post.Author})
	if f.Trace.Announced != nil {
		f.Trace.Announced(content, err)
	}
	return nil
}
