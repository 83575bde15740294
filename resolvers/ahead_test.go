package resolvers_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
)

// heldRelations tells how a viewer stands to authors when something else has begun.
type heldRelations struct {
	feed.Relations
	begun <-chan struct{}
}

func (h heldRelations) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	select {
	case <-h.begun:
		return h.Relations.Edges(ctx, viewer, others)
	case <-time.After(time.Minute):
		return nil, errors.New("nothing else has begun in a minute")
	}
}

// tellingCounters says when counters are read.
type tellingCounters struct {
	feed.Counters
	begin func()
}

func (c tellingCounters) PostCounters(ctx context.Context, ids []feed.ContentID) ([]feed.PostCounters, error) {
	c.begin()
	return c.Counters.PostCounters(ctx, ids)
}

// A page takes as few reads one after the other as it can.
func TestWhatBelongsToContentsIsReadWhileItIsFoundOutWhoMaySeeThem(t *testing.T) {
	begun := make(chan struct{})
	w := newWorld(t, func(d *resolvers.Deps) {
		counted := d.Timeline.(countedTimeline)        //nolint:forcetypeassert // newWorld makes it so
		timeline := *counted.Timeline.(*feed.Timeline) //nolint:forcetypeassert // and this
		timeline.Relations = heldRelations{timeline.Relations, begun}
		d.Timeline = &timeline
		d.Counters = tellingCounters{d.Counters, sync.OnceFunc(func() { close(begun) })}
	})
	w.follow(1, 2)
	w.post(100, 2)
	got := w.must(1, `{ viewer { homeFeed { nodes { counters { likes } } } } }`, nil)
	if n := len(got.at(t, "viewer.homeFeed.nodes").([]any)); n != 1 {
		t.Errorf("the page has %d entries", n)
	}
}
