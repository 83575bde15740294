package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/share"
)

// Hydrated implements [feed.Hydrator]. All of it goes on one trip.
func (s *Store) Hydrated(ctx context.Context, list []feed.ContentID, authors []feed.UserID) (feed.Hydrated, error) {
	asked, users := s.gathered.counted.Begin(ctx, list), s.gathered.authors.Begin(ctx, authors)
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

// Nothing that is hydrated is kept beyond the pages that it is read for, so what is read at once
// may share its memory: values stand in one piece, and texts in a few.

// askCounted reads contents and counters by a statement each: joined they take PostgreSQL longer.
func (s *Store) askCounted(list share.Keys[feed.ContentID]) reading[*counted] {
	found, args := make([]counted, len(list.List)), []any{ids(s.d, list.List)}
	idOf := func(p feed.Post) feed.ContentID { return p.ID }
	posts := placing(list, scanByID(postScanner[scanner](), idOf), func(place int, p feed.Post) {
		found[place].post, found[place].stored = p, true
	})
	counters := placing(list, scanInto(columnsOfPostCounters), func(place int, c feed.PostCounters) { found[place].counters = c })
	return reading[*counted]{
		statement{text: s.selectPosts(), args: args, row: posts, passing: true, and: &statement{text: s.selectPostCounters(), args: args, row: counters}},
		func() []*counted { return pointers(found) },
	}
}

// askAuthors reads what askUsers does.
func (s *Store) askAuthors(list share.Keys[feed.UserID]) reading[*feed.User] {
	authors := s.findUsers(list, inOnePiece(len(list.List), userScanner[scanner]()))
	authors.passing = true
	return authors
}

// inOnePiece has values that are scanned, up to n of them, stand in one piece of memory, where
// [eachItsOwn] has one for each.
func inOnePiece[Row scanner, T any](n int, scan func(Row) (T, error)) func(Row) (*T, error) {
	values := make([]T, 0, n)
	return func(row Row) (*T, error) {
		v, err := scan(row)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		return &values[len(values)-1], nil
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
