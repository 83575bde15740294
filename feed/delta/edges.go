package delta

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// edgesOnce reads each edge once, because the authors of a page are judged twice.
type edgesOnce struct {
	feed.ViewerState
	read map[feed.UserID]feed.Edge
}

// Edges implements [feed.ViewerState].
func (e edgesOnce) Edges(ctx context.Context, others []feed.UserID) ([]feed.Edge, error) {
	var missing []feed.UserID
	for _, id := range others {
		if _, read := e.read[id]; !read {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		found, err := e.ViewerState.Edges(ctx, missing)
		if err != nil {
			return nil, err
		}
		for i, edge := range found {
			e.read[missing[i]] = edge
		}
	}
	edges := make([]feed.Edge, len(others))
	for i, id := range others {
		edges[i] = e.read[id]
	}
	return edges, nil
}
