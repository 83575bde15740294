package delta

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// Reader reads changes of home feeds, also concurrently. Its fields are set before the first read.
type Reader struct {
	Log feed.ChangeLog
	// Recent, unless nil, has the newest rows of the log, and Cached reads posts and relations for
	// them.
	Recent Recent
	Cached feed.Viewers
	// Viewers reads all posts from the source of truth: caches may be older than the log.
	Viewers   feed.Viewers
	Relations feed.Relations
	Coverage  feed.Coverage
	Outboxes  feed.Outboxes
	Audiences feed.AudienceLog
	Policy    feed.Policy
}

// Recent has rows of the change log in memory.
type Recent interface {
	// HomeChanges is [feed.ChangeLog.HomeChanges]. It returns false if it may lack rows. What is
	// cached afterwards is as new as next.
	HomeChanges(
		ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
	) (rows []feed.Change, next feed.ChangePlace, ok bool, err error)
}

// rowsMax limits the rows of one read. Most rows name a post of their own, so it seldom ends a page.
const rowsMax = 2000

var errAnonymous = feed.Errorf(feed.CodeUnauthenticated, "sign in to read changes of a home feed")

// Changes returns the next changes of viewer's home feed since a token. The page is a reset if the
// log does not reach back to the token, or if more than Policy.SyncMax posts are named.
//
// It returns [feed.CodeUnauthenticated] for the anonymous viewer (0), [feed.CodeBadCursor] for a
// token of another viewer, of other authors or of another filter, and [feed.CodeBadInput] for a page size out of range.
func (d *Reader) Changes(ctx context.Context, viewer feed.UserID, q feed.HomeChangeQuery) (*feed.HomeChangePage, error) {
	if viewer == 0 {
		return nil, errAnonymous
	}
	size, err := sizeOf(q.First, d.Policy)
	if err != nil {
		return nil, err
	}
	token, err := feed.ParseSyncToken(q.Since, viewer, q.Of, q.Filter)
	if err != nil {
		return nil, err
	}
	above := feed.Bottom
	if q.DownTo != "" {
		oldest, err := feed.ParseCursor(q.DownTo, feed.FeedHome)
		if err != nil {
			return nil, err
		}
		above = oldest.Key.Prev()
	}
	return d.page(ctx, token, request{above: above, size: size, viewers: d.Viewers})
}

// NewCount returns how many posts were added since the token of a query, up to Policy.CountMax. Posts by the
// user except do not count. If the changes are a reset, known is false and n is Policy.CountMax.
func (d *Reader) NewCount(ctx context.Context, viewer feed.UserID, q feed.HomeChangeQuery, except feed.UserID) (n int, known bool, err error) {
	added := map[feed.PostID]bool{}
	for q.First = &d.Policy.CountMax; ; {
		page, err := d.Changes(ctx, viewer, q)
		if err != nil {
			return 0, false, err
		}
		for _, c := range page.Changes {
			if c.Kind == feed.HomeAdded && c.Entry.Post.Author != except {
				added[c.ID] = true
			}
		}
		switch {
		case page.Resets() || len(added) >= d.Policy.CountMax:
			return d.Policy.CountMax, !page.Resets(), nil
		case !page.HasMore:
			return len(added), true, nil
		}
		q.Since = page.Token.String()
	}
}

// After returns the next changes after a token, at most size, like [Reader.Changes].
func (d *Reader) After(ctx context.Context, token feed.SyncToken, scope Scope, size int) (*feed.HomeChangePage, error) {
	return d.page(ctx, token, request{above: feed.Bottom, size: size, scope: scope, viewers: d.Viewers})
}

// Of returns the changes after a token that rows name, at most size. The rows are all that
// [feed.ChangeLog.HomeChanges] returns up to the last of them, at least one. Posts and relations are
// read through viewers, which must be as new as the rows.
func (d *Reader) Of(
	ctx context.Context, viewers feed.Viewers, token feed.SyncToken, rows []feed.Change, scope Scope, size int,
) (*feed.HomeChangePage, error) {
	next := feed.ChangePlace{Epoch: token.Place.Epoch, Number: rows[len(rows)-1].Number}
	return d.report(ctx, token, rows, next, request{above: feed.Bottom, size: size, scope: scope, viewers: viewers})
}

// Scope says which changes are reported.
type Scope int

const (
	// AllChanges are all changes of a home feed.
	AllChanges Scope = iota
	// Arrivals are posts that arrive, without those that a relation or an undone deletion brings.
	Arrivals
	// LiveFeed are all changes of a live feed.
	LiveFeed
)

// Has reports whether a row can name changes of the scope.
func (s Scope) Has(row feed.Change) bool {
	switch row.Kind {
	case feed.ChangeReset:
		return true
	case feed.ChangeArrived, feed.ChangePushed, feed.ChangePublished:
		return s != LiveFeed
	case feed.ChangeRelation, feed.ChangeAccount, feed.ChangeSuspended:
		return s != Arrivals
	case feed.ChangeScheduled, feed.ChangeSession:
		return s == LiveFeed
	case feed.ChangeEdited, feed.ChangeDeleted, feed.ChangeNarrowed, feed.ChangeWidened, feed.ChangeTakenDown, feed.ChangeProfile, feed.ChangeRevoked,
		feed.ChangeOptions, feed.ChangeListed:
	}
	return s == AllChanges
}

// request is what a page of changes has.
type request struct {
	// above is the key above which posts are reported.
	above   feed.Key
	size    int
	scope   Scope
	viewers feed.Viewers
}

// page reads the log before anything else. What is read later has all changes up to the place that
// the log has returned.
func (d *Reader) page(ctx context.Context, token feed.SyncToken, r request) (*feed.HomeChangePage, error) {
	rows, next, cached, err := d.rows(ctx, token)
	if cached {
		r.viewers = d.Cached
	}
	if errors.Is(err, feed.ErrChangesGone) {
		return d.reset(ctx, token)
	}
	if err != nil {
		return nil, err
	}
	page, err := d.report(ctx, token, rows, next, r)
	if page != nil && len(rows) == rowsMax && !page.Resets() {
		page.HasMore = true
	}
	return page, err
}

// rows returns the rows after a token, and whether caches are as new as the last.
func (d *Reader) rows(ctx context.Context, token feed.SyncToken) (rows []feed.Change, next feed.ChangePlace, cached bool, err error) {
	if d.Recent != nil {
		rows, next, cached, err = d.Recent.HomeChanges(ctx, token.Viewer, token.Place, rowsMax)
		if cached || err != nil {
			return rows, next, cached, err
		}
	}
	rows, next, err = d.Log.HomeChanges(ctx, token.Viewer, token.Place, rowsMax)
	return rows, next, false, err
}

// report returns the changes that rows name, up to the place next.
func (d *Reader) report(
	ctx context.Context, token feed.SyncToken, rows []feed.Change, next feed.ChangePlace, r request,
) (*feed.HomeChangePage, error) {
	state := edgesOnce{r.viewers.State(token.Viewer), map[feed.UserID]feed.Edge{}}
	n := &names{nameList: newNameList(r.size, d.Policy), d: d, state: state, viewer: token.Viewer, since: token, filter: token.Filter, above: r.above, seen: map[feed.PostID]bool{}}
	err := eachRow(token, rows, r.scope, func(row feed.Change, below feed.Key) error { return n.add(ctx, row, below) })
	page := &feed.HomeChangePage{Token: n.end(token, next), HasMore: n.full}
	if err == nil {
		page.Changes, err = n.judge(ctx, token, page.Token)
	}
	if errors.Is(err, errReset) || errors.Is(err, feed.ErrChangesGone) {
		return d.reset(ctx, token)
	}
	return page, err
}

func (d *Reader) reset(ctx context.Context, token feed.SyncToken) (*feed.HomeChangePage, error) {
	token, err := restart(ctx, d.Log, token)
	if err != nil {
		return nil, err
	}
	return &feed.HomeChangePage{Changes: []feed.HomeChange{{Kind: feed.HomeReset, Token: token}}, Token: token}, nil
}
