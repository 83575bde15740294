package model

import "github.com/tideline-feeds/tideline/feed"

// Moderation is the takedown of a post. Both fields are nil if a record alone took the post down.
type Moderation struct {
	Reason *string
	At     *int64
}

// ModerationLogConnection is one page of the moderation log. Create one with [NewModerationLog].
type ModerationLogConnection struct {
	Edges    []ModerationLogEdge
	PageInfo PageInfo
}

// ModerationLogEdge is one entry with its position.
type ModerationLogEdge struct {
	Cursor string
	Node   *ModerationLogEntry
}

// ModerationLogEntry is one sanction. One of PostID and UserID is nil, as are the times and the identity that
// the sanction does not have.
type ModerationLogEntry struct {
	PostID          *feed.PublicPostID
	UserID          *feed.PublicUserID
	Reason, By      string
	At              int64
	Until, LiftedAt *int64
	LiftedBy        *string
}

// NewModerationLog returns the connection for a page of sanctions, whose subjects ids names.
func NewModerationLog(page feed.Run[feed.Sanction], ids feed.PublicIDs) *ModerationLogConnection {
	c := &ModerationLogConnection{Edges: make([]ModerationLogEdge, len(page.Items))}
	for i, s := range page.Items {
		c.Edges[i] = ModerationLogEdge{Cursor: feed.Cursor{Kind: feed.FeedModeration, Key: s.Key()}.String(), Node: newModerationLogEntry(&s, ids)}
	}
	c.PageInfo = newPageInfo(page.HasNext, page.HasPrevious, c.Edges, func(e *ModerationLogEdge) *string { return &e.Cursor })
	return c
}

func newModerationLogEntry(s *feed.Sanction, ids feed.PublicIDs) *ModerationLogEntry {
	e := &ModerationLogEntry{
		Reason: s.Reason, By: s.By, At: s.At, Until: unlessZero(s.Until), LiftedAt: unlessZero(s.LiftedAt), LiftedBy: unlessZero(s.LiftedBy),
	}
	if s.Post != 0 {
		e.PostID = new(feed.PublicPostID(ids.Post(s.Post)))
	} else {
		e.UserID = new(feed.PublicUserID(ids.User(s.User)))
	}
	return e
}

func unlessZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Nodes returns the entries of the page, in its order.
func (c *ModerationLogConnection) Nodes() []*ModerationLogEntry {
	return nodes(c.Edges, func(e *ModerationLogEdge) *ModerationLogEntry { return e.Node })
}
