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
		h.Posts[i], h.Counters[i] = c.post, c.counters
	}
	return h, usersErr
}

// counted is a content, nil for one that is not stored, and its counters.
type counted struct {
	post     *feed.Post
	counters feed.PostCounters
}

// askCounted reads contents and counters by a statement each: joined they take PostgreSQL longer.
func (s *Store) askCounted(list share.Keys[feed.ContentID]) reading[counted] {
	found, args := make([]counted, len(list.List)), []any{ids(s.d, list.List)}
	posts := placing(list, scanByID(postScanner[scanner](), idOfPost), func(place int, p *feed.Post) { found[place].post = p })
	counters := placing(list, scanInto(columnsOfPostCounters), func(place int, c feed.PostCounters) { found[place].counters = c })
	return reading[counted]{
		statement{text: s.selectPosts(), args: args, row: posts, and: &statement{text: s.selectPostCounters(), args: args, row: counters}},
		func() []counted { return found },
	}
}
