package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

// The cost is at least the number of objects that are read for pages and counts, and of objects and
// aliased values that are written.
func TestCost_BoundsReadsAndWrites(t *testing.T) {
	w := oddWorld(t, without(99))
	loaded := &atomic.Int64{}
	w.deps.Timeline = loadingTimeline{timelineHook{w.deps.Timeline, func(p *feed.Page) { loaded.Add(read(p.Entries, p.HasNext || p.HasPrevious)) }}, loaded}
	w.deps.Directory = directoryHook{w.deps.Directory, func(p *feed.UserPage) { loaded.Add(read(p.Entries, p.HasNext || p.HasPrevious)) }}
	w.deps.Live = loadingLive{w.deps.Live, loaded}
	w.handler = signedIn(resolvers.NewHandler(w.deps))
	rapid.Check(t, func(t *rapid.T) {
		d := documents{t: t, schema: graph.LoadSchema(), arguments: arguments}
		query := d.draw(pages)
		loaded.Store(0)
		rec := w.sendBody(1, request(query, d.variables()))
		var body struct {
			Data       map[string]any
			Errors     []any
			Extensions struct{ Cost struct{ Requested int } }
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || len(body.Errors) > 0 {
			t.Fatalf("%s returns %s", query, rec.Body)
		}
		cost := body.Extensions.Cost.Requested
		if n := int(loaded.Load()); n > cost {
			t.Errorf("%s costs %d and loads %d", query, cost, n)
		}
		n := 0
		for key, value := range body.Data {
			n += written(key, value)
		}
		if n > cost {
			t.Errorf("%s costs %d and writes %d: %s", query, cost, n, rec.Body)
		}
	})
}

// written returns the number of objects in a value, and of values with an alias, which [documents]
// marks. An edge counts as one with its node.
func written(key string, value any) int {
	n := 0
	if strings.TrimPrefix(key, "a_") == "customFields" {
		value = nil // a scalar
	}
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			if _, isObject := v.(map[string]any); isObject {
				n += written(key, v)
			}
		}
	case map[string]any:
		for key, v := range value {
			n += written(key, v)
		}
		if strings.TrimPrefix(key, "a_") == "edges" {
			return max(1, n)
		}
		return 1 + n
	default:
		if strings.HasPrefix(key, "a_") {
			return 1
		}
	}
	return n
}

// read returns the number of entries that were read for a page, which includes the next one.
func read[T any](entries []T, more bool) int64 {
	if more {
		return int64(len(entries) + 1)
	}
	return int64(len(entries))
}

type loadingTimeline struct {
	timelineHook
	loaded *atomic.Int64
}

func (l loadingTimeline) NewCount(ctx context.Context, viewer feed.UserID, f feed.FeedRef, since string, kinds feed.Kinds) (int, error) {
	n, err := l.Timeline.NewCount(ctx, viewer, f, since, kinds)
	l.loaded.Add(int64(n))
	return n, err
}

type loadingLive struct {
	resolvers.Live
	loaded *atomic.Int64
}

func (l loadingLive) note(page *live.Page, err error) (*live.Page, error) {
	if err == nil {
		l.loaded.Add(read(page.Entries, page.HasNext))
	}
	return page, err
}

func (l loadingLive) Page(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error) {
	return l.note(l.Live.Page(ctx, viewer, q))
}

func (l loadingLive) OfHost(ctx context.Context, viewer, host feed.UserID, q live.Query) (*live.Page, error) {
	return l.note(l.Live.OfHost(ctx, viewer, host, q))
}

// Otherwise four kilobytes cause a response of hundreds of megabytes.
func TestCost_RejectsManyAliasedPages(t *testing.T) {
	w := newWorld(t)
	for _, list := range []string{`edges { cursor }`, `nodes { id }`, `edges { node { id } }`} {
		query := `{ user(handle: "ben") { posts(first: 100) { nodes { comments(first: 100) {`
		for i := range 190 {
			query += fmt.Sprintf(" e%d: %s", i, list)
		}
		query += ` } } } } }`
		w.wantCode("QUERY_TOO_COMPLEX", 0, query, nil)
	}
}
