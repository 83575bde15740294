package resolvers_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
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
	case <-time.After(eventually.Limit):
		return nil, errors.New("nothing else has begun")
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

// countingHydrator notes what is read with contents.
type countingHydrator struct {
	feed.Hydrator
	reads *reads
}

func (h countingHydrator) Hydrated(ctx context.Context, ids []feed.ContentID, authors []feed.UserID) (feed.Hydrated, error) {
	h.reads.note("hydrated")
	return h.Hydrator.Hydrated(ctx, ids, authors)
}

// Where contents are read with their counters, who shows those and authors has them from there.
// Who shows one of the two has it read as elsewhere, since the other would be read for nothing.
func TestCountersThatCameWithContentsAreNotReadAgain(t *testing.T) {
	w := newWorld(t)
	counted := w.deps.Timeline.(countedTimeline)  //nolint:forcetypeassert // newWorld makes it so
	timeline := counted.Timeline.(*feed.Timeline) //nolint:forcetypeassert // and this
	timeline.Filter.Fresh, timeline.Filter.Hydrator = true, countingHydrator{w.store, w.reads}
	w.follow(1, 2)
	w.post(100, 2)
	if err := w.store.React(t.Context(), feed.ReactionLike, 1, 100, epoch); err != nil {
		t.Fatal(err)
	}
	for selected, want := range map[string]map[string]int{
		"author { name } counters { likes }": {"hydrated": 1, "users": 1},
		"counters { likes }":                 {"post counters": 1},
		"author { name }":                    {"users": 1},
	} {
		w.reads.take()
		got := w.must(1, `{ viewer { homeFeed { nodes { `+selected+` } } } }`, nil)
		if diff := cmp.Diff(want, w.reads.take()); diff != "" {
			t.Errorf("%s: reads (-want +got):\n%s", selected, diff)
		}
		if strings.Contains(selected, "likes") && got.at(t, "viewer.homeFeed.nodes.0.counters.likes") != 1.0 {
			t.Errorf("%s: the content is shown as %v", selected, got.at(t, "viewer.homeFeed.nodes.0"))
		}
	}
}
