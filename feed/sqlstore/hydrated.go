package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/share"
)

// Hydrated implements [feed.Hydrator]. All of it goes on one trip.
func (s *Store) Hydrated(ctx context.Context, list []feed.ContentID, authors []feed.UserID) (feed.Hydrated, error) {
	asked, users := s.gathered.counted.Begin(ctx, list), s.gathered.users.Begin(ctx, authors)
	contents, err := asked.Wait(ctx)
	found, usersErr := users.Wait(ctx)
	if err != nil {
		return feed.Hydrated{}, err
	}
	h := feed.Hydrated{
		Posts: make([]*feed.Post, len(contents)), Counters: make([]feed.PostCounters, len(contents)), Authors: found,
	}
	for i, c := range contents {
		h.Counters[i] = c.counters
		if c.stored {
			h.Posts[i] = &c.post
		}
	}
	return h, usersErr
}

// counted is a content, if it is stored, and its counters.
type counted struct {
	post     feed.Post
	stored   bool
	counters feed.PostCounters
}

// askCounted reads contents and counters by a statement each: joined they take PostgreSQL longer.
// Nothing of it is kept beyond the pages that it is read for, so all of it is one piece of memory.
func (s *Store) askCounted(list share.Keys[feed.ContentID]) reading[*counted] {
	found, args := make([]counted, len(list.List)), []any{ids(s.d, list.List)}
	idOf := func(p feed.Post) feed.ContentID { return p.ID }
	posts := placing(list, scanByID(postScanner[scanner](), idOf), func(place int, p feed.Post) {
		found[place].post, found[place].stored = p, true
	})
	counters := placing(list, scanInto(columnsOfPostCounters), func(place int, c feed.PostCounters) { found[place].counters = c })
	return reading[*counted]{
		statement{text: s.selectPosts(), args: args, row: posts, and: &statement{text: s.selectPostCounters(), args: args, row: counters}},
		func() []*counted { return pointers(found) },
	}
}

// pointers returns where the values of a list stand.
func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}
