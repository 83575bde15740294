package examine

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Inbox is a viewer's inbox, and what reads make of its entries.
type Inbox struct {
	feed.Inbox
	Version feed.ViewerVersion
	// Entries explain the newest ones: their keys in the inbox, and the reasons of those that reads
	// leave out.
	Entries []Explanation
}

// Inbox returns the viewer's inbox with at most limit entries.
func (x *Examiner) Inbox(ctx context.Context, viewer feed.UserID, limit int) (Inbox, error) {
	header, state, err := x.Viewers.Inbox(ctx, viewer, feed.Range{Below: feed.Top, Limit: limit}, feed.Path{})
	if err != nil {
		return Inbox{}, err
	}
	in := Inbox{Inbox: header}
	if in.Version, err = state.Version(ctx); err != nil {
		return in, err
	}
	for _, k := range header.Keys {
		e := Explanation{Viewer: viewer, Post: feed.PostID(k.ID)}
		if err := e.judge(ctx, state, feed.Filter{}); err != nil {
			return in, err
		}
		e.Key = k
		in.Entries = append(in.Entries, e)
	}
	return in, nil
}

// Words describes the state of the inbox.
func (in *Inbox) Words() string {
	switch {
	case in.State == feed.InboxAbsent:
		return "absent: the reference query serves reads, and the next read asks for a build"
	case in.State == feed.InboxBuilding:
		return "being built: the reference query serves reads"
	case in.Version.Loading:
		return "unused: the reference query serves reads while a bulk load runs"
	case in.Generation != in.Version.Generation:
		return fmt.Sprintf("dropped: of generation %d, and the current one is %d; the next read asks for a build", in.Generation, in.Version.Generation)
	case !in.Usable(in.Version):
		return "newer than the database, which was restored from a backup; rebuild all inboxes"
	}
	words := "warm: covers followed authors, except those whose posts are not all pushed"
	if !in.Warm(in.Version.Now) {
		words = "cold: reads pull authors whose posts are pushed to active followers only"
	}
	if in.Inbox.Version < in.Version.Version {
		words += "; not updated yet after a follow, mute or block"
	}
	return words
}
