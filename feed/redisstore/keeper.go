package redisstore

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.InboxKeeper = (*Inboxes)(nil)

// Walk implements [feed.InboxKeeper] with the SCAN command. It asks one master for a
// slice of its names, and then for the headers of those whose entries alone are in
// the slice. On a Cluster it first asks which masters there are, and goes through
// them one after the other.
//
// Redis promises to meet every name while names keep their places. When a master is
// restarted, or slots move to another one, a walk may miss some viewers, whom the
// next walk meets.
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
	viewers, headed := s.owners(names)
	next := position{master: at.master, scan: scan}
	if at.scan == 0 && scan == 0 {
		viewers, next.after = cut(viewers, at.after, limit)
	}
	viewers, err = s.dropMetElsewhere(ctx, viewers, headed)
	if err != nil {
		return nil, "", failed(ctx, err)
	}
	return viewers, masters.following(next, i), nil
}

// owners returns whose names these are, each viewer once and in ascending order, and
// which of them have their header among the names.
func (s *Inboxes) owners(names []string) (viewers []feed.UserID, headed map[feed.UserID]bool) {
	headed = map[feed.UserID]bool{}
	for _, name := range names {
		viewer, header, ok := s.names.parse(name)
		if !ok {
			continue
		}
		viewers = append(viewers, viewer)
		if header {
			headed[viewer] = true
		}
	}
	slices.Sort(viewers)
	return slices.Compact(viewers), headed
}

// cut divides the viewers of a server that returned all names it has at once, as the
// embedded Redis does whatever it is asked for. It returns the first limit of those
// above after, and the last of them when there are more, else 0.
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

// dropMetElsewhere drops the viewers without a header in the slice who have one all
// the same: the walk meets them by that, and most of them would be met twice
// otherwise. Who stays has entries and no header, the rest of a broken inbox.
func (s *Inboxes) dropMetElsewhere(ctx context.Context, viewers []feed.UserID, headed map[feed.UserID]bool) ([]feed.UserID, error) {
	// A client of a Cluster refuses to pipeline EXISTS, because it may name keys of
	// many slots.
	types := map[feed.UserID]*redis.StatusCmd{}
	pipe := s.redis.Pipeline()
	for _, viewer := range viewers {
		if !headed[viewer] {
			types[viewer] = pipe.Type(ctx, s.names.keys(viewer)[0])
		}
	}
	if len(types) == 0 {
		return viewers, nil
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(viewers, func(viewer feed.UserID) bool {
		header := types[viewer]
		return header != nil && header.Val() != "none"
	}), nil
}

// Trim implements [feed.InboxKeeper] in one round trip, and a second one where Redis
// has been restarted and does not know the script.
func (s *Inboxes) Trim(ctx context.Context, viewers []feed.UserID, generation int64) error {
	_, err := s.each(ctx, viewers, s.scripts.trim, s.cap, generation)
	return err
}
