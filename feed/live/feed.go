package live

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// Feed reads live feeds. Its fields are set once, before the first read.
type Feed struct {
	Sessions  Sessions
	History   History
	Changes   Changes
	Sets      Sets
	Snapshots Snapshots
	Relations feed.Relations
	// Users reads hosts, not through a cache: they may have become private or been suspended.
	Users Users
	// Replays has a Pending of all hosts with pending pushes, and the posts of [ReplayPosts].
	Replays *timeline.Timeline
	// Outboxes lists the replays of single hosts.
	Outboxes feed.Outboxes
	Queue    Queue
	// Places, if not nil, gives first pages their sync tokens.
	Places feed.Places
	// Cache, if set, serves first pages that the viewer's [FeedVersion] proves current.
	Cache   FeedCache
	Tracker *ChangeTracker
	// Async runs a function after the read, or drops it.
	Async func(func(context.Context))
	// NewName returns an unguessable name for a snapshot.
	NewName func() uint64
	Policy  Policy
	Trace   feed.Trace
}

// Query asks for one page.
type Query struct {
	// First is the number of entries; nil for the default.
	First *int
	// After is the cursor that the page follows; empty begins a scroll.
	After string
	// LookBack asks for HasPrevious, which takes an extra read.
	LookBack bool
}

// PageEntry is one entry of a page. Session is as it is now, State as of the scroll's moment.
type PageEntry struct {
	Cursor  string
	Session *Session
	State   State
}

// Page is a page of a live feed.
type Page struct {
	Entries []PageEntry
	// HasNext is exact. HasPrevious is false unless [Query.LookBack] is set.
	HasNext, HasPrevious bool
	// At is the moment that all pages of the scroll show, in milliseconds since the epoch.
	At int64
	// SyncToken is where the changes since a first page of a live feed begin; empty for other pages.
	SyncToken string
}

// Page returns one page of the sessions by viewer and the hosts they follow. It returns
// [feed.CodeUnauthenticated] for the anonymous viewer (0), [feed.CodeBadInput] for a bad size, and
// [feed.CodeBadCursor] for a bad cursor.
func (f *Feed) Page(ctx context.Context, viewer feed.UserID, q Query) (*Page, error) {
	if viewer == 0 {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "sign in to read a live feed")
	}
	token, err := f.syncToken(ctx, viewer, q)
	if err != nil {
		return nil, err
	}
	page, err := f.page(ctx, q, ListFeed, func(ctx context.Context, at *Cursor) (scroll, error) {
		return f.openScroll(ctx, viewer, at)
	})
	if page != nil {
		page.SyncToken = token
	}
	return page, err
}

// syncToken returns the token of a first page. Call it before anything of the page is read: all
// reads, also of cached pages, begin with the source of truth, so they have what the log has.
func (f *Feed) syncToken(ctx context.Context, viewer feed.UserID, q Query) (string, error) {
	if f.Places == nil || q.After != "" {
		return "", nil
	}
	place, err := f.Places.Place(ctx)
	if err != nil {
		return "", err
	}
	return feed.SyncToken{Viewer: viewer, Live: true, Place: place}.String(), nil
}

// OfHost returns one page of a host's sessions in feed order; none if viewer may not see the host.
func (f *Feed) OfHost(ctx context.Context, viewer, host feed.UserID, q Query) (*Page, error) {
	return f.page(ctx, q, ListHost, func(ctx context.Context, at *Cursor) (scroll, error) {
		return f.openHost(ctx, viewer, host, at)
	})
}

// Visible returns one session per id as it is now; nil for a cancelled or invisible one.
func (f *Feed) Visible(ctx context.Context, viewer feed.UserID, ids []ID) ([]*Session, error) {
	found, err := f.Sessions.Sessions(ctx, ids)
	if err != nil {
		return nil, err
	}
	visible, err := visibleHosts(ctx, f.Relations, f.Users, viewer, hostsOf(found))
	if err != nil {
		return nil, err
	}
	for i, s := range found {
		if s != nil && (s.State == Cancelled || !visible[s.Host]) {
			found[i] = nil
		}
	}
	return found, nil
}

type scroll interface {
	// read returns up to want entries after a position, or the zero one; fewer only at the end.
	read(ctx context.Context, behind Position, want int) ([]shown, error)
	start() Cursor
	// finish is called last, with the position of the page's last entry, if more entries follow.
	finish(last Position)
}

type shown struct {
	Position
	session *Session
}

// page calls open with a nil cursor at the beginning of a scroll.
func (f *Feed) page(ctx context.Context, q Query, l List, open func(context.Context, *Cursor) (scroll, error)) (*Page, error) {
	size, at, err := f.window(q, l)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, at)
	if err != nil {
		return nil, err
	}
	var behind Position
	if at != nil {
		behind = at.At
	}
	found, err := s.read(ctx, behind, size+1)
	if err != nil {
		return nil, err
	}
	page := &Page{HasNext: len(found) > size, At: s.start().Moment.At}
	page.Entries = entriesOf(found[:min(size, len(found))], s.start())
	if at != nil && q.LookBack {
		if page.HasPrevious, err = hasPrevious(ctx, s, at.At); err != nil {
			return nil, err
		}
	}
	if page.HasNext && size > 0 {
		s.finish(found[size-1].Position)
	}
	return page, nil
}

// entriesOf makes all cursors slices of one text, which takes one allocation.
func entriesOf(found []shown, c Cursor) []PageEntry {
	text := make([]byte, 0, len(found)*cursorText)
	for _, e := range found {
		c.At = e.Position
		text = c.appendText(text)
	}
	cursors, entries := string(text), make([]PageEntry, len(found))
	for i, e := range found {
		entries[i] = PageEntry{Cursor: cursors[i*cursorText : (i+1)*cursorText], Session: e.session, State: e.State}
	}
	return entries
}

func hasPrevious(ctx context.Context, s scroll, at Position) (bool, error) {
	top, err := s.read(ctx, Position{}, 1)
	return len(top) > 0 && top[0].Compare(at) <= 0, err
}

func (f *Feed) window(q Query, l List) (size int, at *Cursor, err error) {
	size = f.Policy.PageDefault
	if q.First != nil {
		size = *q.First
	}
	if size < 0 || size > f.Policy.PageMax {
		return 0, nil, feed.Errorf(feed.CodeBadInput, "first must be from 0 to %d, not %d", f.Policy.PageMax, size)
	}
	if q.After == "" {
		return size, nil, nil
	}
	c, err := ParseCursor(q.After, l)
	return size, &c, err
}

func (f *Feed) visible(ctx context.Context, entries []Entry, sources sourcesFunc) ([]shown, error) {
	ids := make([]ID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	sessions, err := f.Sessions.Sessions(ctx, ids)
	if err != nil {
		return nil, err
	}
	belong, err := sources(ctx, hostsOf(sessions))
	if err != nil {
		return nil, err
	}
	var out []shown
	for i, session := range sessions {
		if session != nil && session.State != Cancelled && belong[session.Host] {
			out = append(out, shown{entries[i].Position, session})
		}
	}
	return out, nil
}

type sourcesFunc func(ctx context.Context, hosts []feed.UserID) (map[feed.UserID]bool, error)

// visibleHosts returns which hosts' sessions a viewer may see: those of private accounts only as their
// host or follower, those of suspended ones only as their host.
func visibleHosts(ctx context.Context, relations feed.Relations, users Users, viewer feed.UserID, hosts []feed.UserID) (map[feed.UserID]bool, error) {
	edges, err := relations.Edges(ctx, viewer, hosts)
	if err != nil {
		return nil, err
	}
	found, err := users.Users(ctx, hosts)
	if err != nil {
		return nil, err
	}
	out := make(map[feed.UserID]bool, len(hosts))
	for i, host := range hosts {
		out[host] = host == viewer || found[i] != nil && found[i].ShowsPosts(viewer, edges[i]) && !edges[i].HiddenBy
	}
	return out, nil
}

func hostsOf(sessions []*Session) []feed.UserID {
	seen := map[feed.UserID]bool{}
	var hosts []feed.UserID
	for _, s := range sessions {
		if s != nil && !seen[s.Host] {
			seen[s.Host] = true
			hosts = append(hosts, s.Host)
		}
	}
	return hosts
}
