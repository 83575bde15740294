package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/share"
)

// gathered are the reads by primary key that every page makes. Those that go on at the
// same time, for whomever, share their statements.
type gathered struct {
	// surveys are nil where nothing is won by asking all of one at once.
	surveys      gather[surveyed, feed.Survey]
	stamps       gather[feed.UserID, feed.ViewerVersion]
	edges        gather[between, feed.Edge]
	posts        gather[feed.ContentID, *feed.Post]
	users        gather[feed.UserID, *feed.User]
	postCounters gather[feed.ContentID, feed.PostCounters]
	userCounters gather[feed.UserID, feed.UserCounters]
	reactions    gather[toContent, feed.ViewerReactions]
	standings    gather[feed.UserID, live.Standing]
	transitions  gather[after, []live.HostMark]
	sessions     gather[live.ID, *live.Session]
	followed     gather[following, bool]
	// errands are the other short ones; nil where nothing is won by sharing a round trip.
	errands *share.Errands[*statement]
	// lanes are those of errands.
	lanes *share.Lanes[*statement]
}

// gather joins reads of one kind.
type gather[K comparable, V any] = *share.Gather[K, V, *statement]

// between names what stands between a viewer and another user.
type between struct{ viewer, other feed.UserID }

// toContent names what a viewer did with a content.
type toContent struct {
	viewer  feed.UserID
	content feed.ContentID
}

// reading is a statement, or some, that read one value for each of some keys.
type reading[V any] struct {
	statement
	// values returns them, in the order of the keys, when all rows have been read.
	values func() []V
}

// pageLanes is how many trips to PostgreSQL are under way at once; on SQLite it is how many
// statements of each kind. The fewer there are, the more reads meet in one, and the more there
// are, the less the processors wait for each other: of two to six, two gave most pages, but for a
// hundredth of those with nothing cached (ADR 20).
const pageLanes = 2

// gathering makes a store's reads be gathered. On PostgreSQL all kinds share their lanes,
// in the order in which a page asks for them, so that a trip takes along what others ask for
// at other stages; on SQLite, where a trip would only be longer for it, each has its own.
func (s *Store) gathering() *Store {
	shared := share.New(pageLanes, s.together, away)
	on := func() *share.Lanes[*statement] {
		if s.d.isPostgres() {
			return shared
		}
		return share.New(pageLanes, s.inTurn, away)
	}
	var surveys gather[surveyed, feed.Survey]
	if s.d.isPostgres() {
		surveys = newGather(shared, s.askSurveys)
	}
	s.gathered = &gathered{
		surveys:      surveys,
		stamps:       newGather(on(), s.askStamps),
		posts:        newGather(on(), s.askPosts),
		edges:        newGather(on(), s.askEdges),
		users:        newGather(on(), s.askUsers),
		postCounters: newGather(on(), s.askPostCounters),
		userCounters: newGather(on(), s.askUserCounters),
		reactions:    newGather(on(), s.askReactions),
		standings:    newGather(on(), s.askStandings),
		transitions:  newGather(on(), s.askTransitions),
		sessions:     newGather(on(), s.askSessions),
		followed:     newGather(on(), s.askFollowed),
	}
	if s.d.isPostgres() {
		s.gathered.errands, s.gathered.lanes = share.NewErrands(shared), shared
	}
	return s
}

// away says whether a failure is everybody's whom it meets, and not of what one has asked.
func away(err error) bool { return feed.CodeOf(err) == feed.CodeUnavailable }

func newGather[K comparable, V any](l *share.Lanes[*statement], ask func(keys share.Keys[K]) reading[V]) gather[K, V] {
	return share.NewGather(l, func(ctx context.Context, keys share.Keys[K]) (*statement, func() []V) {
		r := ask(keys)
		r.statement.ctx = ctx
		return &r.statement, r.values
	})
}

// fetch runs a short read of one reader on the lanes and scans every row with scan, which is
// called on another goroutine. Where errands have no lanes it is a read like any other.
func fetch[T any](ctx context.Context, s *Store, text string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	if s.gathered.errands == nil {
		return query(ctx, s, text, args, func(rows *sql.Rows) (T, error) { return scan(rows) })
	}
	var found *[]T
	err := s.gathered.errands.Do(ctx, func(ctx context.Context) *statement {
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
