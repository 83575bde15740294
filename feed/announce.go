package feed

import "context"

// Announcement says that a content has entered the feeds it belongs in.
type Announcement struct {
	Content ContentID
	Author  UserID
}

// Announcer tells every process that a content has entered feeds.
type Announcer interface {
	// Announce tells whoever listens now. It is told at most once and to nobody later:
	// who was not listening, or loses his connection, looks at the feed instead.
	Announce(ctx context.Context, a Announcement) error
}

// Listener hears what the announcers of all processes tell.
type Listener interface {
	// Listen calls ready once it listens, and from then on heard for every announcement,
	// one after the other. It returns when ctx ends, with its error, and otherwise as
	// soon as announcements may have been missed: as long as it has not returned, heard
	// has been, or is about to be, called for every announcement made since ready. A
	// server of announcements that cannot be reached is [CodeUnavailable]. heard must
	// return at once.
	Listen(ctx context.Context, ready func(), heard func(Announcement)) error
}

// AnnouncementLog remembers, in the source of truth, which contents were announced, so
// that a fan-out that runs again, as after the loss of inboxes, announces nothing again.
type AnnouncementLog interface {
	// MarkAnnounced returns true for the first call that finds the content's fan-out
	// done, as [Plans] has it, and false for all others, however many run at once. A
	// content without a plan is not done.
	MarkAnnounced(ctx context.Context, content ContentID) (bool, error)
}

// announce tells the world of a content whose fan-out may be done by now; replays are not
// announced, because home feeds are what people subscribe to. Whoever ends
// the last slice asks; if he dies before that, his task is delivered again, and
// whoever finds nothing to do in it asks too.
//
// The mark comes first, so nothing is ever announced twice. A process that is killed
// between mark and message leaves the content unannounced, though not out of any feed;
// the other order would announce old contents anew whenever a task comes twice.
func (f *Fanout) announce(ctx context.Context, content ContentID) error {
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
	f.Trace.fannedOut(post, Millis(f.Clock()))
	// Without the server of announcements nobody listens: whoever did has lost his
	// connection as well, and has told his subscribers.
	f.Trace.announced(content, f.Announcer.Announce(ctx, Announcement{Content: content, Author: post.Author}))
	return nil
}
