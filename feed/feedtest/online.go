package feedtest

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Online is a [feed.OnlineUsers] whose users a test sets.
type Online struct {
	Users feed.Online
	// Err, if set, is the error of every call.
	Err error
}

// SetOnline implements [feed.OnlineUsers].
func (o *Online) SetOnline(_ context.Context, u feed.Online) error {
	if o.Err == nil {
		o.Users = feed.Online{Connected: append(u.Connected, o.Users.Connected...), Seen: append(u.Seen, o.Users.Seen...)}
	}
	return o.Err
}

// Online implements [feed.OnlineUsers].
func (o *Online) Online(context.Context) (feed.Online, error) { return o.Users, o.Err }
