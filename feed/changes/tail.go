package changes

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// Tail has the newest rows of the change log in memory, so that a viewer without changes takes
// no search of the log. It is an [Observer] of the [Follower]. Its exported fields
// are set before the first call. It is safe for concurrent use.
type Tail struct {
	Log       feed.ChangeLog
	Relations feed.Relations
	// Followees caches the followees of viewers.
	Followees FolloweeCache
	// RowsMax is the most rows. A row takes some 150 bytes.
	RowsMax int

	mu sync.RWMutex
	// of has the rows of each user after from, up to upTo, in ascending order. It has no reset,
	// because the follower has lost all rows then.
	of   map[feed.UserID][]feed.Change
	from int64
	upTo feed.ChangePlace
	// order has all rows.
	order []feed.Change
}

// FolloweeCache keeps followees of viewers. It may drop any of them at any time.
type FolloweeCache interface {
	// Get returns the followees of viewer, nil if there are none.
	Get(viewer feed.UserID) *Followees
	// Put replaces the followees of viewer, which must not change afterwards.
	Put(viewer feed.UserID, f *Followees)
}

// Followees are the users that a viewer follows at a place, or later.
type Followees struct {
	users []feed.UserID
	place feed.ChangePlace
}

// Bytes estimates the memory of f.
func (f *Followees) Bytes() int64 { return int64(50 + 8*len(f.users)) }

// HomeChanges is [feed.ChangeLog.HomeChanges]. It returns false if it may lack rows: if since is
// too old, or if the follower has not read all rows by now. All that rows up to next name has been
// evicted from the caches of this process.
func (t *Tail) HomeChanges(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
) (rows []feed.Change, next feed.ChangePlace, ok bool, err error) {
	return t.changes(ctx, viewer, since, limit, feed.Change.ConcernsFollowers)
}

// LiveChanges is [feed.ChangeLog.LiveChanges], like HomeChanges.
func (t *Tail) LiveChanges(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
) (rows []feed.Change, next feed.ChangePlace, ok bool, err error) {
	return t.changes(ctx, viewer, since, limit, feed.Change.ConcernsLiveFeeds)
}

// changes returns rows of the viewer, and those of followees that concern a feed.
func (t *Tail) changes(
	ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int, concerns func(feed.Change) bool,
) (rows []feed.Change, next feed.ChangePlace, ok bool, err error) {
	last, err := t.Log.LastChange(ctx)
	if err != nil {
		return nil, next, false, err
	}
	if next, ok = t.reach(since, last); !ok {
		return nil, next, false, nil
	}
	followees, err := t.followees(ctx, viewer, next)
	if err != nil {
		return nil, next, false, err
	}
	if rows, ok = t.rows(viewer, followees, since, next, concerns); !ok {
		return nil, next, false, nil
	}
	if limit > 0 && len(rows) > limit {
		rows = rows[:limit]
		next.Number = rows[limit-1].Number
	}
	return rows, next, true, nil
}

// reach returns the place up to which rows are in memory. It returns false unless these begin at
// since and end at last, or later.
func (t *Tail) reach(since, last feed.ChangePlace) (feed.ChangePlace, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	sameEpoch := since.Epoch == t.upTo.Epoch && last.Epoch == t.upTo.Epoch
	return t.upTo, sameEpoch && t.from <= since.Number && since.Number <= last.Number && last.Number <= t.upTo.Number
}

// followees returns the followees of viewer at a place that has been read, or later.
func (t *Tail) followees(ctx context.Context, viewer feed.UserID, place feed.ChangePlace) ([]feed.UserID, error) {
	if f := t.Followees.Get(viewer); f != nil && t.follows(viewer, f.place) {
		return f.users, nil
	}
	users, err := t.Relations.Followees(ctx, viewer)
	if err != nil {
		return nil, err
	}
	t.Followees.Put(viewer, &Followees{users, place})
	return users, nil
}

// follows reports whether viewer has followed the same users since a place. Each follow has a row.
func (t *Tail) follows(viewer feed.UserID, since feed.ChangePlace) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if since.Epoch != t.upTo.Epoch || since.Number < t.from {
		return false
	}
	return !slices.ContainsFunc(after(t.of[viewer], since.Number), func(row feed.Change) bool { return row.Kind == feed.ChangeRelation })
}

// rows returns the rows of viewer after since up to upTo, and those of followees that concern a feed.
// It returns false if some were dropped meanwhile.
func (t *Tail) rows(
	viewer feed.UserID, followees []feed.UserID, since, upTo feed.ChangePlace, concerns func(feed.Change) bool,
) (rows []feed.Change, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.upTo.Epoch != upTo.Epoch || t.from > since.Number {
		return nil, false
	}
	rows = slices.Clone(after(t.of[viewer], since.Number))
	for _, user := range followees {
		for _, row := range after(t.of[user], since.Number) {
			if concerns(row) {
				rows = append(rows, row)
			}
		}
	}
	slices.SortFunc(rows, byNumber)
	return rows[:len(rows)-len(after(rows, upTo.Number))], true
}

func byNumber(a, b feed.Change) int { return cmp.Compare(a.Number, b.Number) }

// after returns the rows after a number.
func after(rows []feed.Change, number int64) []feed.Change {
	return rows[sort.Search(len(rows), func(i int) bool { return rows[i].Number > number }):]
}

// Changed implements [Observer].
func (t *Tail) Changed(rows []feed.Change, upTo feed.ChangePlace) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.upTo = upTo
	for _, row := range rows {
		t.of[row.User] = append(t.of[row.User], row)
	}
	t.order = append(t.order, rows...)
	for len(t.order) > t.RowsMax {
		t.dropOldest()
	}
}

// dropOldest drops the oldest row. The caller holds mu.
func (t *Tail) dropOldest() {
	oldest := t.order[0]
	t.from, t.order = oldest.Number, t.order[1:]
	if rest := t.of[oldest.User][1:]; len(rest) > 0 {
		t.of[oldest.User] = rest
	} else {
		delete(t.of, oldest.User)
	}
}

// Lost implements [Observer].
func (t *Tail) Lost(upTo feed.ChangePlace) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.from, t.upTo = upTo.Number, upTo
	t.of, t.order = map[feed.UserID][]feed.Change{}, nil
}
