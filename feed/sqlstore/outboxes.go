package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Outbox implements [feed.Outboxes].
func (s *Store) Outbox(ctx context.Context, viewer feed.UserID, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.outbox(ctx, postsTable, viewer, authors, r)
}

func (s *Store) outbox(ctx context.Context, table string, viewer feed.UserID, authors []feed.UserID, r feed.Range) ([]feed.Key, error) {
	if len(authors) == 0 {
		return nil, nil
	}
	// An author named twice would yield each post twice.
	once := slices.Compact(slices.Sorted(slices.Values(authors)))
	args := append(filterArgs(ids(s.d, once), r), viewer)
	text := s.outboxQuery(table, r, len(args))
	if len(once) == 1 {
		return fetch(ctx, s, text, args, scanKey)
	}
	return s.keys(ctx, text, args)
}

// outboxQuery takes the viewer as $n.
func (s *Store) outboxQuery(table string, r feed.Range, n int) string {
	viewer := fmt.Sprintf("$%d", n)
	options := "(SELECT f.options FROM follows AS f WHERE f.follower_id = " + viewer + " AND f.followee_id = named.id AND f.active + 0 = 1)"
	present := "(SELECT named.id, COALESCE(" + options + ", 0) AS options FROM " + s.d.unnest("named") + " WHERE " + s.d.present("named.id") +
		" AND " + s.d.shown("named.id", viewer) + ") AS author"
	return s.postsOf(table, present, optionsShow(), r)
}

// optionsShow returns the condition that the options of the viewer's follow do not hide a post c by an author.
func optionsShow() string {
	return fmt.Sprintf("NOT (c.kind = '%s' AND (author.options & %d) <> 0 OR c.kind = '%s' AND (author.options & %d) <> 0)",
		feed.KindRepost, feed.FollowHidesReposts, feed.KindComment, feed.FollowHidesReplies)
}
