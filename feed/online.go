package feed

import "context"

// OnlineUsers remembers who is online, for a short time and up to a limit. It is a hint for the order
// of work: it may lack users, and have users who have left.
type OnlineUsers interface {
	// SetOnline records users who are online now. It does not remove others.
	SetOnline(ctx context.Context, u Online) error
	// Online returns users who were online recently, the latest first. A user may be in both lists.
	Online(ctx context.Context) (Online, error)
}

// Online has users who are online, each once per list. Connected ones have a subscription to their
// home feed; Seen ones have read it.
type Online struct{ Connected, Seen []UserID }
