package subscribe_test

import (
	"context"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
)

// countedLog counts the reads of a change log.
type countedLog struct {
	feed.ChangeLog
	// all are reads of the whole log, home those for one viewer.
	all, home int
}

func (l *countedLog) Changes(ctx context.Context, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	l.all++
	return l.ChangeLog.Changes(ctx, since, limit)
}

func (l *countedLog) HomeChanges(ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int) ([]feed.Change, feed.ChangePlace, error) {
	l.home++
	return l.ChangeLog.HomeChanges(ctx, viewer, since, limit)
}

type noCache struct{}

func (noCache) Evict([]feed.PostID, []feed.UserID) {}
func (noCache) Purge()                             {}

// brokenAudience fails to list followers while broken is true.
type brokenAudience struct {
	feed.Audience
	broken bool
}

func (b *brokenAudience) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	if b.broken {
		return nil, errors.New("the database is away")
	}
	return b.Audience.FollowersAmong(ctx, author, users)
}

// brokenPlaces cannot read the log.
type brokenPlaces struct{}

func (brokenPlaces) Place(context.Context) (feed.ChangePlace, error) {
	return feed.ChangePlace{}, feed.Unavailable("the database", nil)
}
