package feed

import "context"

// Announcement says that a post has entered the feeds that it belongs in.
type Announcement struct {
	Post   PostID
	Author UserID
}

// Announcer publishes announcements to all processes.
type Announcer interface {
	// Announce sends a to the listeners that are connected now, at most once. A listener that was
	// not connected reads the feed instead.
	Announce(ctx context.Context, a Announcement) error
}

// Listener receives the announcements of all processes.
type Listener interface {
	// Listen calls ready when it is connected, and then heard for each announcement, one at a
	// time. heard must return at once.
	//
	// Listen returns the error of ctx when ctx ends. Otherwise it returns as soon as
	// announcements may have been missed: until it returns, heard has been or will be called for
	// every announcement since ready. If the server of announcements cannot be reached, the error
	// is [CodeUnavailable].
	Listen(ctx context.Context, ready func(), heard func(Announcement)) error
}

// AnnouncementLog records in the source of truth which posts were announced. A fan-out that runs
// again, such as after the loss of inboxes, therefore announces nothing twice.
type AnnouncementLog interface {
	// MarkAnnounced returns true for the first call that finds the post's fan-out done ([Plans]),
	// and false for all others, however many run at once. It also returns false if the end of the
	// last slice has marked the post ([AdvanceLast]). A post without a plan is not done.
	MarkAnnounced(ctx context.Context, post PostID) (bool, error)
	// LogPushed logs a [ChangePushed] of the post for each viewer, unless the post has a plan. It may
	// log again what it has logged.
	LogPushed(ctx context.Context, post *Post, viewers []UserID) error
}
