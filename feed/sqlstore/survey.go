package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Survey implements [feed.Surveyor]. On PostgreSQL it is one errand of three statements, which
// one connection runs one after the other.
func (s *Store) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	if s.gathered.errands == nil {
		return feed.SurveyInTurn{Relations: s, Outboxes: s}.Survey(ctx, viewer, since, cold, own)
	}
	newest := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: own}
	var found *feed.Survey
	var stamp reading[feed.Stamp]
	err := s.gathered.errands.Do(ctx, func(ctx context.Context) *statement {
		out := new(feed.Survey)
		found = out
		stamp = s.askStamps([]feed.UserID{viewer})
		listed := &statement{
			ctx: ctx, text: s.outboxQuery(contentsTable, newest), args: kindArgs(ids(s.d, []feed.UserID{viewer}), newest),
			row: into(&out.Own, scanKey[scanner]),
		}
		pulled := &statement{
			ctx: ctx, text: pulledQuery, args: pulledArgs(viewer, since, cold), row: into(&out.Pulled, scanUserID[scanner]), then: listed,
		}
		stamp.ctx, stamp.then = ctx, pulled
		return &stamp.statement
	})
	if err != nil {
		return feed.Survey{}, err
	}
	found.Stamp = stamp.values()[0]
	return *found, nil
}

// into returns a function that scans a row and appends what it finds.
func into[T any](list *[]T, scan func(scanner) (T, error)) func(scanner) error {
	return func(row scanner) error {
		v, err := scan(row)
		*list = append(*list, v)
		return err
	}
}
