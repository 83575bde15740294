package tideline

import (
	"bytes"
	"encoding/base64"
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
	for _, c := range page.Changes {
		switch {
		case c.Kind == HomeChangeKindReset:
			*e = Entries{}
			return false
		case c.Edge != nil && (e.oldest == nil || newestFirst(*c.Edge, *e.oldest) <= 0):
			if e.byID == nil {
				e.byID = map[string]ContentEdge{}
			}
			e.byID[c.Edge.Node.Id] = *c.Edge
		case c.PostId != nil && c.Kind == HomeChangeKindRemoved:
			delete(e.byID, *c.PostId)
		}
	}
	return true
}

// List returns the entries in the order of the feed, newest first.
func (e *Entries) List() []ContentEdge {
	list := make([]ContentEdge, 0, len(e.byID))
	for _, edge := range e.byID {
		list = append(list, edge)
	}
	slices.SortFunc(list, newestFirst)
	return list
}

func newestFirst(a, b ContentEdge) int { return bytes.Compare(place(b), place(a)) }

// place returns bytes 3 to 18 of the cursor, which order the feed. Ids do not, where they are text.
func place(edge ContentEdge) []byte {
	b, err := base64.RawURLEncoding.DecodeString(edge.Cursor)
	if err != nil || len(b) < 19 {
		return nil
	}
	return b[3:19]
}
