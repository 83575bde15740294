package feed

import "context"

// Hydrated are contents and what lists show together with them.
type Hydrated struct {
	// Posts has one content for each that was asked for, nil where none is stored, and Counters
	// those of each.
	Posts    []*Post
	Counters []PostCounters
	// Authors has one user for each that was asked for, nil where none is stored. They need not
	// be the authors of these contents.
	Authors []*User
}

// Hydrator reads contents together with what lists show with them, for where none of it is cached:
// to read it at once costs less than one after the other, and is waited for once.
type Hydrator interface {
	// Hydrated returns what [Posts] and [Counters] say of contents, and what [Users] says of
	// users who are likely to be their authors.
	Hydrated(ctx context.Context, ids []ContentID, authors []UserID) (Hydrated, error)
}

// hydrates says whether contents are read hydrated for a view.
func (f *Filter) hydrates(v *view) bool { return f.Hydrator != nil && v.hydrated != nil }

// find reads contents, hydrated ones together with some authors. What is not read with them is nil.
func (f *Filter) find(ctx context.Context, ids []ContentID, hydrated bool, authors []UserID) (Hydrated, error) {
	if hydrated {
		return f.Hydrator.Hydrated(ctx, ids, authors)
	}
	posts, err := f.Posts.Posts(ctx, ids)
	return Hydrated{Posts: posts}, err
}

// HydrateInTurn is a [Hydrator] that reads one thing after the other, for stores where nothing
// is won by doing otherwise.
type HydrateInTurn struct {
	Posts    Posts
	Counters Counters
	Users    Users
}

// Hydrated implements [Hydrator].
func (in HydrateInTurn) Hydrated(ctx context.Context, ids []ContentID, authors []UserID) (h Hydrated, err error) {
	if h.Posts, err = in.Posts.Posts(ctx, ids); err != nil {
		return Hydrated{}, err
	}
	if h.Counters, err = in.Counters.PostCounters(ctx, ids); err != nil {
		return Hydrated{}, err
	}
	if h.Authors, err = in.Users.Users(ctx, authors); err != nil {
		return Hydrated{}, err
	}
	return h, nil
}
