package feed

import "context"

// Announcement says that a content has entered the feeds it belongs in.
type Announcement struct {
	Post   PostID
	Author UserID
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
	MarkAnnounced(ctx context.Context, content PostID) (bool, error)
}
