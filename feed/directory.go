package feed

import "context"

// Directory reads users and lists of users.
type Directory struct {
	// UserStore may answer from a cache shared between viewers; Primary must not. A
	// viewer's own profile always comes from Primary.
	UserStore, Primary Users
	Relations          Relations
	Policy             Policy
}

// Users returns one user per id, nil where none is stored or the user blocks
// viewer. Whom the viewer himself blocks he still sees, or he could not undo it.
func (d *Directory) Users(ctx context.Context, viewer UserID, ids []UserID) ([]*User, error) {
	return d.judged(ctx, viewer, ids, func(e Edge) bool { return !e.BlockedBy })
}

// UserByHandle returns the user with the handle under the rule of
// [Directory.Users].
func (d *Directory) UserByHandle(ctx context.Context, viewer UserID, handle string) (*User, error) {
	u, err := d.Primary.UserByHandle(ctx, handle)
	if u == nil || err != nil {
		return nil, err
	}
	users, err := d.Users(ctx, viewer, []UserID{u.ID})
	if err != nil {
		return nil, err
	}
	return users[0], nil
}

// Followers returns one page of the users who follow user, latest first. Users of
// whom one blocks the other are left out, and the list of a user who blocks viewer
// is empty.
func (d *Directory) Followers(ctx context.Context, viewer, user UserID, q PageQuery) (*UserPage, error) {
	return d.page(ctx, viewer, user, FeedFollowers, d.Relations.Followers, q)
}

// Following returns one page of the users whom user follows, under the rules of
// [Directory.Followers].
func (d *Directory) Following(ctx context.Context, viewer, user UserID, q PageQuery) (*UserPage, error) {
	return d.page(ctx, viewer, user, FeedFollowing, d.Relations.Following, q)
}

// userAt is a user with his place in a list.
type userAt struct {
	key  Key
	user *User
}

func (d *Directory) page(ctx context.Context, viewer, owner UserID, kind FeedKind, list func(context.Context, UserID, Range) ([]Key, error), q PageQuery) (*UserPage, error) {
	w, err := d.Policy.window(kind, q)
	if err != nil {
		return nil, err
	}
	owners, err := d.Users(ctx, viewer, []UserID{owner})
	if err != nil {
		return nil, err
	}
	if owners[0] == nil {
		return &UserPage{}, nil
	}
	users, err := paginate(ctx, w, q.Behind, func(ctx context.Context, r Range, want int) ([]userAt, error) {
		r.Limit = want
		s := newListStream(func(ctx context.Context, r Range) ([]Key, error) { return list(ctx, owner, r) }, r)
		return collect(ctx, s, want, func(ctx context.Context, keys []Key) ([]userAt, error) {
			return d.listed(ctx, viewer, keys)
		})
	})
	if err != nil {
		return nil, err
	}
	page := &UserPage{HasNext: users.hasNext, HasPrevious: users.hasPrevious, Entries: make([]UserEntry, len(users.items))}
	for i, u := range users.items {
		page.Entries[i] = UserEntry{Cursor: Cursor{Kind: kind, Key: u.key}.String(), User: u.user}
	}
	return page, nil
}

// listed returns those of the keys' users whom a list may show to viewer.
func (d *Directory) listed(ctx context.Context, viewer UserID, keys []Key) ([]userAt, error) {
	ids := make([]UserID, len(keys))
	for i, k := range keys {
		ids[i] = UserID(k.ID)
	}
	users, err := d.judged(ctx, viewer, ids, func(e Edge) bool { return !e.BlockedBy && !e.Blocks })
	if err != nil {
		return nil, err
	}
	var out []userAt
	for i, u := range users {
		if u != nil {
			out = append(out, userAt{key: keys[i], user: u})
		}
	}
	return out, nil
}

// judged loads users and leaves out those whose edge to viewer is not let through.
func (d *Directory) judged(ctx context.Context, viewer UserID, ids []UserID, lets func(Edge) bool) ([]*User, error) {
	users, err := d.UserStore.Users(ctx, ids)
	if err != nil {
		return nil, err
	}
	edges, err := d.Relations.Edges(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if !lets(edges[i]) {
			users[i] = nil
		}
		if id == viewer && viewer != 0 {
			own, err := d.Primary.Users(ctx, []UserID{id})
			if err != nil {
				return nil, err
			}
			users[i] = own[0]
		}
	}
	return users, nil
}
