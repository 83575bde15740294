package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// lookups are the batched reads by primary key of pages, shared by concurrent calls.
type lookups struct {
	// surveys is nil on SQLite, where combining viewers in one statement saves nothing.
	surveys      lookup[surveyed, feed.Survey]
	versions     lookup[feed.UserID, feed.ViewerVersion]
	edges        lookup[between, feed.Edge]
	posts        lookup[feed.PostID, *feed.Post]
	users        lookup[feed.UserID, *feed.User]
	postCounters lookup[feed.PostID, feed.PostCounters]
	userCounters lookup[feed.UserID, feed.UserCounters]
	reactions    lookup[toPost, feed.ViewerReactions]
	feedVersions lookup[feed.UserID, live.FeedVersion]
	transitions  lookup[after, []live.HostTransition]
	sessions     lookup[live.ID, *live.Session]
	followed     lookup[following, bool]
	// Those of sources replace the own counters in a whole deployment.
	sourcePostCounters lookup[feed.PostID, feed.PostCounters]
	sourceUserCounters lookup[feed.UserID, feed.UserCounters]
	// builds has one for each table of posts; none on SQLite.
	builds map[string]lookup[build, []feed.Key]
	// others runs other short reads; nil on SQLite, where sharing a round trip saves nothing.
	others  *batch.Calls[*statement]
	batcher *batch.Batcher[*statement]
}

type lookup[K comparable, V any] = *batch.Lookup[K, V, *statement]

// between identifies the relation of a viewer to another user.
type between struct{ viewer, other feed.UserID }

// toPost identifies a viewer's reactions to a post.
type toPost struct {
	viewer feed.UserID
	post   feed.PostID
}

// reading is a statement that reads one value for each key of a batch.
type reading[V any] struct {
	statement
	// values returns the values in the order of the keys, after all rows have been read.
	values func() []V
}

// pageBatches is how many batches are in flight on PostgreSQL, and on SQLite how many statements of
// each kind. With fewer, batches are larger; with more, processors wait less for each other. Two
// gives the most pages (ADR 20).
const pageBatches = 2

// withLookups sets up the lookups. On PostgreSQL they share a batcher, so that one batch serves
// pages at different stages; their queues are in the order in which a page reads them. On SQLite
// each has its own, because sharing would only make batches longer.
func (s *Store) withLookups() *Store {
	shared := batch.New(pageBatches, s.together, away)
	on := func() *batch.Batcher[*statement] {
		if s.d.isPostgres() {
			return shared
		}
		return batch.New(pageBatches, s.inTurn, away)
	}
	s.lookups = &lookups{
		versions:     newLookup(on(), s.askVersions),
		posts:        newLookup(on(), s.askPosts),
		edges:        newLookup(on(), s.askEdges),
		users:        newLookup(on(), s.askUsers),
		postCounters: newLookup(on(), s.askPostCounters),
		userCounters: newLookup(on(), s.askUserCounters),
		reactions:    newLookup(on(), s.askReactions),
		feedVersions: newLookup(on(), s.askFeedVersions),
		transitions:  newLookup(on(), s.askTransitions),
		sessions:     newLookup(on(), s.askSessions),
		followed:     newLookup(on(), s.askFollowed),

		sourcePostCounters: newLookup(on(), s.askSourcePostCounters),
		sourceUserCounters: newLookup(on(), s.askSourceUserCounters),
	}
	if s.d.isPostgres() {
		s.lookups.builds = map[string]lookup[build, []feed.Key]{}
		for _, table := range []string{postsTable, replaysTable} {
			s.lookups.builds[table] = newLookup(batch.New(buildBatches, s.inTurn, away), s.askBuilds(table))
		}
		s.lookups.surveys, s.lookups.others, s.lookups.batcher = newLookup(shared, s.askSurveys), batch.NewCalls(shared), shared
	}
	return s
}

// away reports whether an error concerns the whole database and not one statement.
func away(err error) bool { return feed.CodeOf(err) == feed.CodeUnavailable }

func newLookup[K comparable, V any](b *batch.Batcher[*statement], ask func(keys batch.Keys[K]) reading[V]) lookup[K, V] {
	return batch.NewLookup(b, func(ctx context.Context, keys batch.Keys[K]) (*statement, func() []V) {
		r := ask(keys)
		r.statement.ctx = ctx
		return &r.statement, r.values
	})
}

// fetch runs a short read, on PostgreSQL in a batch, and scans each row with scan, which runs on
// another goroutine.
func fetch[T any](ctx context.Context, s *Store, text string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	if s.lookups.others == nil {
		return query(ctx, s, text, args, scan)
	}
	var found *[]T
	err := s.lookups.others.Do(ctx, func(ctx context.Context) *statement {
		list := new([]T)
		found = list
		return &statement{ctx: ctx, text: text, args: args, row: func(row scanner) error {
			v, err := scan(row)
			*list = append(*list, v)
			return err
		}}
	})
	if err != nil {
		return nil, err
	}
	return *found, nil
}
