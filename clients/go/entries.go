package tideline

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
)

// Entries holds the part of a home feed that was read, and keeps it current. Its zero value is
// empty. It is not safe for concurrent use.
type Entries struct {
	byID map[string]ContentEdge
	// oldest is the last entry of the last page while there is a next page.
	oldest *ContentEdge
}

// Add adds a page of the feed. Pages must be added from the first one on.
func (e *Entries) Add(page *ContentPage) {
	if e.byID == nil || page.SyncToken != nil {
		e.byID = map[string]ContentEdge{}
	}
	for _, edge := range page.Edges {
		e.byID[edge.Node.Id] = edge
	}
	e.oldest = nil
	if n := len(page.Edges); n > 0 && page.PageInfo.HasNextPage {
		e.oldest = &page.Edges[n-1]
	}
}

// Apply applies changes. It returns false after a RESET, when nothing is left: begin again with the
// first page.
func (e *Entries) Apply(page *ChangePage) bool {
	if page.resets() {
		*e = Entries{}
		return false
	}
	if e.byID == nil {
		e.byID = map[string]ContentEdge{}
	}
	for _, c := range page.Changes {
		switch {
		case c.Edge != nil && (e.oldest == nil || newestFirst(*c.Edge, *e.oldest) <= 0):
			e.byID[c.Edge.Node.Id] = *c.Edge
		case c.PostId != nil && c.Kind == HomeChangeKindRemoved:
			delete(e.byID, *c.PostId)
		}
	}
	return true
}

// List returns the entries in the order of the feed, newest first.
func (e *Entries) List() []ContentEdge { return slices.SortedFunc(maps.Values(e.byID), newestFirst) }

func newestFirst(a, b ContentEdge) int { return bytes.Compare(place(b), place(a)) }

// place returns bytes 3 to 18 of the cursor, which order the feed. Ids do not, where they are text.
func place(edge ContentEdge) []byte {
	if b := decoded(edge.Cursor); len(b) >= 19 {
		return b[3:19]
	}
	return nil
}

func decoded(cursor string) []byte {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil
	}
	return b
}

// LiveEntries holds the part of a live feed that was read, and keeps it current. Its zero value is
// empty. It is not safe for concurrent use.
type LiveEntries struct{ byID map[string]SessionEdge }

// Add adds a page of the feed. Pages must be added from the first one on.
func (e *LiveEntries) Add(page *SessionPage) {
	if e.byID == nil || page.SyncToken != nil {
		e.byID = map[string]SessionEdge{}
	}
	for _, edge := range page.Edges {
		// Later pages show the moment of the first one, so what is known is newer.
		if _, known := e.byID[edge.Node.Id]; !known {
			e.byID[edge.Node.Id] = edge
		}
	}
}

// Apply applies changes. It returns false after a RESET, when nothing is left: begin again with the
// first page.
func (e *LiveEntries) Apply(page *LiveChangePage) bool {
	if page.resets() {
		*e = LiveEntries{}
		return false
	}
	if e.byID == nil {
		e.byID = map[string]SessionEdge{}
	}
	for _, c := range page.Changes {
		switch {
		case c.Edge != nil:
			e.byID[c.Edge.Node.Id] = *c.Edge
		case c.LiveSessionId != nil && c.Kind == HomeChangeKindRemoved:
			delete(e.byID, *c.LiveSessionId)
		}
	}
	return true
}

// List returns the sessions in the order of the feed: live ones by latest start, upcoming ones by
// earliest start, replays by latest end.
func (e *LiveEntries) List() []SessionEdge { return slices.SortedFunc(maps.Values(e.byID), liveFirst) }

func liveFirst(a, b SessionEdge) int {
	x, y := sessionPlaceOf(a), sessionPlaceOf(b)
	at := cmp.Compare(y.at, x.at)
	if x.state == upcoming {
		at = -at
	}
	return cmp.Or(cmp.Compare(x.state, y.state), at, cmp.Compare(y.id, x.id))
}

// sessionPlace is what the cursor of a session has: the number of the state, its time and the id.
type sessionPlace struct {
	state  byte
	at, id uint64
}

// upcoming is the state in cursors of sessions that have not begun.
const upcoming = 2

func sessionPlaceOf(edge SessionEdge) sessionPlace {
	b := decoded(edge.Cursor)
	if len(b) < 51 {
		return sessionPlace{}
	}
	return sessionPlace{b[2], binary.BigEndian.Uint64(b[35:]), binary.BigEndian.Uint64(b[43:])}
}
