package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// MigrateTo brings an empty database's schema up to an older version.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	p, err := s.migrator()
	if err == nil {
		_, err = p.UpTo(ctx, version)
	}
	return err
}

// ExplainSearch returns the database's plan for [Store.SearchUsers].
func (s *Store) ExplainSearch(ctx context.Context, words []string, r feed.Range) (string, error) {
	stmt, args := s.searchQuery(words, r)
	return s.explain(ctx, stmt, args)
}

// ExplainRelated returns the database's plan for [Store.Related].
func (s *Store) ExplainRelated(ctx context.Context, user feed.UserID, r feed.Range) (string, error) {
	return s.explain(ctx, relatedQuery(r), append(rangeArgs(user, r), feed.RelationBlock))
}
