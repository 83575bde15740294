package delta

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// Reader reads changes of home feeds, also concurrently. Its fields are set before the first read.
type Reader struct {
	Log feed.ChangeLog
	// Viewers reads all posts from the source of truth: caches may be older than the log.
	Viewers   feed.Viewers
	Relations feed.Relations
	Coverage  feed.Coverage
	Outboxes  feed.Outboxes
	Policy    feed.Policy
}

// rowsMax limits the rows of one read. Most rows name a post of their own, so it seldom ends a page.
const rowsMax = 2000

var errAnonymous = feed.Errorf(feed.CodeUnauthenticated, "sign in to read changes of a home feed")

// Changes returns the next changes of viewer's home feed since a token. The page is a reset if the
// log does not reach back to the token, or if more than Policy.SyncMax posts are named.
//
// It returns [feed.CodeUnauthenticated] for the anonymous viewer (0), [feed.CodeBadCursor] for a
// token of another viewer or of other kinds, and [feed.CodeBadInput] for a page size out of range.
func (d *Reader) Changes(ctx context.Context, viewer feed.UserID, q feed.HomeChangeQuery) (*feed.HomeChangePage, error) {
	if viewer == 0 {
		return nil, errAnonymous
	}
	size := d.Policy.PageDefault
	if q.First != nil {
		size = *q.First
	}
	if size < 0 || size > d.Policy.PageMax {
		return nil, feed.Errorf(feed.CodeBadInput, "first must be from 0 to %d, not %d", d.Policy.PageMax, size)
	}
	token, err := feed.ParseSyncToken(q.Since, viewer, q.Kinds)
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

// NewCount returns how many posts of the kinds were added since a token, up to Policy.CountMax. It
// returns Policy.CountMax if that cannot be known because the changes are a reset.
func (d *Reader) NewCount(ctx context.Context, viewer feed.UserID, since string, kinds feed.Kinds) (int, error) {
	added := map[feed.PostID]bool{}
	for q := (feed.HomeChangeQuery{Since: since, First: &d.Policy.CountMax, Kinds: kinds}); ; {
		page, err := d.Changes(ctx, viewer, q)
		if err != nil {
			return 0, err
		}
		for _, c := range page.Changes {
			if c.Kind == feed.HomeAdded {
				added[c.ID] = true
			}
		}
		switch {
		case page.Resets() || len(added) >= d.Policy.CountMax:
			return d.Policy.CountMax, nil
		case !page.HasMore:
			return len(added), nil
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
	// AllChanges are all changes.
	AllChanges Scope = iota
	// Arrivals are posts that arrive, without those that a relation or an undone deletion brings.
	Arrivals
)

// Has reports whether a row can name changes of the scope.
func (s Scope) Has(row feed.Change) bool {
	switch row.Kind {
	case feed.ChangeReset, feed.ChangeArrived, feed.ChangePushed, feed.ChangePublished:
		return true
	case feed.ChangeEdited, feed.ChangeDeleted, feed.ChangeRelation, feed.ChangeProfile, feed.ChangeAccount, feed.ChangeRevoked:
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
	rows, next, err := d.Log.HomeChanges(ctx, token.Viewer, token.Place, rowsMax)
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

// report returns the changes that rows name, up to the place next.
func (d *Reader) report(
	ctx context.Context, token feed.SyncToken, rows []feed.Change, next feed.ChangePlace, r request,
) (*feed.HomeChangePage, error) {
	state := edgesOnce{r.viewers.State(token.Viewer), map[feed.UserID]feed.Edge{}}
	defer state.Close(ctx)
	n := &names{d: d, state: state, viewer: token.Viewer, kinds: token.Kinds, above: r.above, size: r.size, at: map[feed.PostID]int{}}
	last := lastRelations(rows)
	for _, row := range rows {
		// A later change of the relation names all posts of the user.
		if r.scope == AllChanges && (row.Number < last[row.User] || row.Kind == feed.ChangeRelation && row.Number < last[row.Other]) {
			continue
		}
		if !r.scope.Has(row) {
			continue
		}
		below := feed.Top
		if row.Number == token.Place.Number+1 && token.Below != (feed.Key{}) {
			below = token.Below
		}
		if err := n.add(ctx, row, below); errors.Is(err, errReset) {
			return d.reset(ctx, token)
		} else if err != nil {
			return nil, err
		}
	}
	page := &feed.HomeChangePage{Token: token}
	page.Token.Place, page.Token.Below = next, feed.Key{}
	if n.full {
		page.HasMore = true
		page.Token = n.cut.from(token)
	}
	var err error
	page.Changes, err = n.judge(ctx, token, page.Token)
	return page, err
}

// lastRelations returns the number of the last change of the relation to each other user.
func lastRelations(rows []feed.Change) map[feed.UserID]int64 {
	last := map[feed.UserID]int64{}
	for _, row := range rows {
		if row.Kind == feed.ChangeRelation {
			last[row.Other] = row.Number
		}
	}
	return last
}

func (d *Reader) reset(ctx context.Context, token feed.SyncToken) (*feed.HomeChangePage, error) {
	last, err := d.Log.LastChange(ctx)
	if err != nil {
		return nil, err
	}
	token.Place, token.Below = last, feed.Key{}
	return &feed.HomeChangePage{Changes: []feed.HomeChange{{Kind: feed.HomeReset, Token: token}}, Token: token}, nil
}
