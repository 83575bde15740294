package live

import "github.com/tideline-feeds/tideline/feed"

// Change is a session of a live feed as it is now.
type Change struct {
	// Kind is [feed.HomeAdded] for a new session and one that a relation brought, and
	// [feed.HomeChanged] for one that has another state, time or text.
	Kind feed.HomeChangeKind
	// ID is the session, 0 for a reset. PublicID is its id for clients.
	ID       ID
	PublicID PublicID
	// Entry is the session with its cursor, if it is in the feed.
	Entry PageEntry
}

// IsReset reports whether anything may have changed.
func (c Change) IsReset() bool { return c.Kind == feed.HomeReset }

// ChangePage is a page of changes of a live feed.
type ChangePage = feed.ChangePage[Change]

// ChangeQuery asks for the changes of a live feed.
type ChangeQuery struct {
	// Since is a sync token. First is the most changes; nil for Policy.PageDefault.
	Since string
	First *int
}

// EntryAt returns the entry of a session as it is now. Its cursor belongs to a scroll that begins at
// the version.
func EntryAt(v FeedVersion, s *Session) PageEntry {
	c := Cursor{List: ListFeed, Moment: v.Moment, Version: v.Version, At: s.Position()}
	return PageEntry{Cursor: c.String(), Session: s, State: s.State}
}
