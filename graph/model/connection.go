package model

import (
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/slots"
)

// FeedConnection is one page of a list of posts. Create one with [NewFeedConnection].
type FeedConnection struct {
	Edges    []FeedEdge
	PageInfo PageInfo
	// Viewer, Feed and Filter identify the list, in which newCount counts.
	Viewer feed.UserID
	Feed   feed.FeedRef
	Filter feed.Filter
	// SyncToken is nil unless the page is the first one of a home feed.
	SyncToken *string

	place sync.Once
	slots feed.Fetched[[]Slot]
}

// Slot is something to show after the edge with a cursor.
type Slot struct {
	ID, After, Source string
	Content           feed.CustomFields
}

// Place returns the slots of the page, by what the first call asks.
func (c *FeedConnection) Place(ask func(page []*feed.Post) feed.Fetched[[]slots.Slot]) *feed.Fetched[[]Slot] {
	c.place.Do(func() {
		f := ask(c.Nodes())
		c.slots.Problem = f.Problem
		for _, s := range f.Value {
			c.slots.Value = append(c.slots.Value, Slot{ID: s.ID, After: c.Edges[s.After-1].Cursor, Source: s.Source, Content: s.Content})
		}
	})
	return &c.slots
}

// FeedEdge is one post with its position.
type FeedEdge struct {
	Cursor string
	Node   *feed.Post
	// SyncToken is nil unless the edge is an event.
	SyncToken *string
}

// SortKey returns [feed.SortKey] of the cursor.
func (e FeedEdge) SortKey() string { return feed.SortKey(e.Cursor) }

// NewEvent returns the edge of an event for an added post.
func NewEvent(added feed.HomeChange) *FeedEdge {
	return &FeedEdge{Cursor: added.Entry.Cursor, Node: added.Entry.Post, SyncToken: new(added.Token.String())}
}

// NewFeedConnection returns the connection for a page of a feed with a filter.
func NewFeedConnection(viewer feed.UserID, ref feed.FeedRef, filter feed.Filter, page *feed.Page) *FeedConnection {
	c := &FeedConnection{
		Edges:  make([]FeedEdge, len(page.Entries)),
		Viewer: viewer,
		Feed:   ref,
		Filter: filter,
	}
	if page.SyncToken != "" {
		c.SyncToken = &page.SyncToken
	}
	for i, e := range page.Entries {
		c.Edges[i] = FeedEdge{Cursor: e.Cursor, Node: e.Post}
	}
	c.PageInfo = newPageInfo(page.HasNext, page.HasPrevious, c.Edges, func(e *FeedEdge) *string { return &e.Cursor })
	return c
}

// Nodes returns the posts of the page, in its order.
func (c *FeedConnection) Nodes() []*feed.Post {
	return nodes(c.Edges, func(e *FeedEdge) *feed.Post { return e.Node })
}

// HomeChangePage is one page of changes of a home feed. Create one with [NewHomeChangePage].
type HomeChangePage struct {
	Changes   []HomeChange
	SyncToken string
	HasMore   bool
}

// HomeChange is one change. PostID is nil for a reset, and Edge if the post is not in the feed.
type HomeChange struct {
	Kind   feed.HomeChangeKind
	PostID *feed.PublicPostID
	Edge   *FeedEdge
}

// NewHomeChangePage returns the page of the API for a page of changes.
func NewHomeChangePage(page *feed.HomeChangePage) *HomeChangePage {
	p := &HomeChangePage{Changes: make([]HomeChange, len(page.Changes)), SyncToken: page.Token.String(), HasMore: page.HasMore}
	for i, c := range page.Changes {
		p.Changes[i].Kind = c.Kind
		if c.ID != 0 {
			p.Changes[i].PostID = &c.PublicID
		}
		if c.Entry.Post != nil {
			p.Changes[i].Edge = &FeedEdge{Cursor: c.Entry.Cursor, Node: c.Entry.Post}
		}
	}
	return p
}

// Posts returns the posts of the changes, as far as they are in the feed.
func (p *HomeChangePage) Posts() []*feed.Post {
	var posts []*feed.Post
	for _, c := range p.Changes {
		if c.Edge != nil {
			posts = append(posts, c.Edge.Node)
		}
	}
	return posts
}

// UserConnection is one page of a list of users. Create one with [NewUserConnection].
type UserConnection struct {
	Edges    []UserEdge
	PageInfo PageInfo
}

// UserEdge is one user with their position.
type UserEdge struct {
	Cursor string
	Node   *feed.User
	// The options are those of the viewer's follow; nil except in the viewer's own followees.
	Special, HideReposts, HideReplies *bool
}

// FollowOptions are the options of a follow. Create them with [NewFollowOptions].
type FollowOptions struct{ Special, HideReposts, HideReplies bool }

// NewFollowOptions returns the options of the API for options of a follow.
func NewFollowOptions(o feed.FollowOptions) *FollowOptions {
	return &FollowOptions{
		Special: o.Has(feed.FollowSpecial), HideReposts: o.Has(feed.FollowHidesReposts), HideReplies: o.Has(feed.FollowHidesReplies),
	}
}

// SetOptions sets the options of the edge.
func (e *UserEdge) SetOptions(o feed.FollowOptions) {
	has := NewFollowOptions(o)
	e.Special, e.HideReposts, e.HideReplies = &has.Special, &has.HideReposts, &has.HideReplies
}

// SortKey returns [feed.SortKey] of the cursor.
func (e UserEdge) SortKey() string { return feed.SortKey(e.Cursor) }

// NewUserConnection returns the connection for a page of users.
func NewUserConnection(page *feed.UserPage) *UserConnection {
	c := &UserConnection{Edges: make([]UserEdge, len(page.Entries))}
	for i, e := range page.Entries {
		c.Edges[i] = UserEdge{Cursor: e.Cursor, Node: e.User}
	}
	c.PageInfo = newPageInfo(page.HasNext, page.HasPrevious, c.Edges, func(e *UserEdge) *string { return &e.Cursor })
	return c
}

// Nodes returns the users of the page, in its order.
func (c *UserConnection) Nodes() []*feed.User {
	return nodes(c.Edges, func(e *UserEdge) *feed.User { return e.Node })
}

// LiveConnection is one page of a list of live sessions. Create one with [NewLiveConnection].
type LiveConnection struct {
	Edges    []LiveEdge
	PageInfo PageInfo
	// SnapshotAt is the moment of the list, in milliseconds since the epoch.
	SnapshotAt int64
	// SyncToken is nil unless the page is the first one of a live feed.
	SyncToken *string
}

// LiveEdge is one session with its position.
type LiveEdge struct {
	Cursor string
	Node   *live.Session
	// State is the state of the session at the list's moment.
	State live.State
}

// SortKey returns [live.SortKey] of the cursor.
func (e LiveEdge) SortKey() string { return live.SortKey(e.Cursor) }

// NewLiveConnection returns the connection for a page of live sessions.
func NewLiveConnection(page *live.Page) *LiveConnection {
	c := &LiveConnection{Edges: make([]LiveEdge, len(page.Entries)), SnapshotAt: page.At}
	if page.SyncToken != "" {
		c.SyncToken = &page.SyncToken
	}
	for i, e := range page.Entries {
		c.Edges[i] = newLiveEdge(e)
	}
	c.PageInfo = newPageInfo(page.HasNext, page.HasPrevious, c.Edges, func(e *LiveEdge) *string { return &e.Cursor })
	return c
}

func newLiveEdge(e live.PageEntry) LiveEdge {
	return LiveEdge{Cursor: e.Cursor, Node: e.Session, State: e.State}
}

// LiveChangePage is one page of changes of a live feed. Create one with [NewLiveChangePage].
type LiveChangePage struct {
	Changes   []LiveChange
	SyncToken string
	HasMore   bool
}

// LiveChange is one change. LiveSessionID is nil for a reset, and Edge if the session is not in the
// feed.
type LiveChange struct {
	Kind          feed.HomeChangeKind
	LiveSessionID *live.PublicID
	Edge          *LiveEdge
}

// NewLiveChangePage returns the page of the API for a page of changes.
func NewLiveChangePage(page *live.ChangePage) *LiveChangePage {
	p := &LiveChangePage{Changes: make([]LiveChange, len(page.Changes)), SyncToken: page.Token.String(), HasMore: page.HasMore}
	for i, c := range page.Changes {
		p.Changes[i].Kind = c.Kind
		if c.ID != 0 {
			p.Changes[i].LiveSessionID = &c.PublicID
		}
		if c.Entry.Session != nil {
			p.Changes[i].Edge = new(newLiveEdge(c.Entry))
		}
	}
	return p
}

// Sessions returns the sessions of the changes, as far as they are in the feed.
func (p *LiveChangePage) Sessions() []*live.Session {
	var sessions []*live.Session
	for _, c := range p.Changes {
		if c.Edge != nil {
			sessions = append(sessions, c.Edge.Node)
		}
	}
	return sessions
}

// Nodes returns the sessions of the page, in its order.
func (c *LiveConnection) Nodes() []*live.Session {
	return nodes(c.Edges, func(e *LiveEdge) *live.Session { return e.Node })
}

// PageInfo is the position of a page in its list. The cursors are nil on an empty page.
type PageInfo struct {
	HasNextPage, HasPreviousPage bool
	StartCursor, EndCursor       *string
}

func newPageInfo[E any](hasNext, hasPrevious bool, edges []E, cursor func(*E) *string) PageInfo {
	p := PageInfo{HasNextPage: hasNext, HasPreviousPage: hasPrevious}
	if n := len(edges); n > 0 {
		p.StartCursor, p.EndCursor = cursor(&edges[0]), cursor(&edges[n-1])
	}
	return p
}

func nodes[E, N any](edges []E, node func(*E) N) []N {
	out := make([]N, len(edges))
	for i := range edges {
		out[i] = node(&edges[i])
	}
	return out
}
