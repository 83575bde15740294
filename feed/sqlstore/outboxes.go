package sqlstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Outbox implements [feed.Outboxes].
func (s *Store) Outbox(ctx context.Context, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.outbox(ctx, postsTable, authors, r)
}

func (s *Store) outbox(ctx context.Context, table string, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	if len(authors) == 0 {
		return nil, nil
	}
	// An author named twice would yield each post twice.
	once := slices.Compact(slices.Sorted(slices.Values(authors)))
	text, args := s.outboxQuery(table, r), filterArgs(ids(s.d, once), r)
	if len(once) == 1 {
		return fetch(ctx, s, text, args, scanKey)
	}
	return s.keys(ctx, text, args)
}

func (s *Store) outboxQuery(table string, r feed.Range) string {
	present := "(SELECT named.id FROM " + s.d.unnest("named") + " WHERE " + s.d.present("named.id") + ") AS author"
	return s.postsOf(table, present, "TRUE", r)
}
