package tideline

import (
	"maps"
	"slices"
	"strings"
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
		case c.Edge != nil && (e.oldest == nil || c.Edge.SortKey <= e.oldest.SortKey):
			e.byID[c.Edge.Node.Id] = *c.Edge
		case c.PostId != nil && c.Kind == HomeChangeKindRemoved:
			delete(e.byID, *c.PostId)
		}
	}
	return true
}

// List returns the entries in the order of the feed, newest first.
func (e *Entries) List() []ContentEdge {
	return slices.SortedFunc(maps.Values(e.byID), func(a, b ContentEdge) int { return strings.Compare(a.SortKey, b.SortKey) })
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
func (e *LiveEntries) List() []SessionEdge {
	return slices.SortedFunc(maps.Values(e.byID), func(a, b SessionEdge) int { return strings.Compare(a.SortKey, b.SortKey) })
}
