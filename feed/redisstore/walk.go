package redisstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.InboxTrimmer = (*Inboxes)(nil)

// Walk implements [feed.InboxWalker] with the SCAN command. On a Cluster it first asks for the
// masters, and scans one after the other. When a master restarts, or slots move, a walk may miss
// some viewers; the next walk finds them.
func (s *Inboxes) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	masters, err := s.masters(ctx)
	if err != nil {
		return nil, "", failed(ctx, err)
	}
	at, i := masters.resume(cursor)
	names, scan, err := masters[i].redis.Scan(ctx, at.scan, s.names.pattern(), int64(limit)).Result()
	if err != nil {
		return nil, "", failed(ctx, err)
	}
	viewers := s.owners(names)
	next := position{master: at.master, scan: scan}
	if at.scan == 0 && scan == 0 {
		viewers, next.after = cut(viewers, at.after, limit)
	}
	return viewers, masters.following(next, i), nil
}

// owners returns the viewers of these keys, without duplicates and in ascending order.
func (s *Inboxes) owners(names []string) []feed.UserID {
	var viewers []feed.UserID
	for _, name := range names {
		if viewer, ok := s.names.parse(name); ok {
			viewers = append(viewers, viewer)
		}
	}
	slices.Sort(viewers)
	return slices.Compact(viewers)
}

// cut divides the viewers of a server that returned all keys at once, as the embedded Redis does.
// It returns the first limit of those above after, and the last of them if there are more, else 0.
func cut(viewers []feed.UserID, after feed.UserID, limit int) ([]feed.UserID, feed.UserID) {
	begin, found := slices.BinarySearch(viewers, after)
	if found {
		begin++
	}
	viewers = viewers[begin:]
	if len(viewers) <= limit {
		return viewers, 0
	}
	return viewers[:limit], viewers[limit-1]
}

// Trim implements [feed.InboxTrimmer] in one round trip, or two if Redis has been restarted.
func (s *Inboxes) Trim(ctx context.Context, viewers []feed.UserID, generation int64) error {
	_, err := s.each(ctx, viewers, s.scripts.trim, s.names.keys, s.cap, digits(generation))
	return err
}
