package people

import (
	"context"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/feed"
)

// Directory reads users and lists of users.
type Directory struct {
	// UserStore may read from a shared cache; Primary, for the viewer's own profile, must not.
	UserStore, Primary feed.Users
	// Fresh says that UserStore uses no cache either.
	Fresh     bool
	Relations feed.Relations
	// Relater, Profiles and Requests are for [Directory.Related], [Directory.Search] and the lists of requests.
	Relater  feed.Relater
	Profiles feed.Profiles
	Requests feed.FollowRequests
	// SearchLimit limits concurrent searches.
	SearchLimit *feed.Semaphore
	Policy      feed.Policy
}

// Users returns one user per id, nil if none is stored or the user blocks viewer.
func (d *Directory) Users(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	return d.judged(ctx, viewer, ids, func(e feed.Edge) bool { return !e.BlockedBy })
}

// UserByHandle finds a user by [feed.FoldHandle], under the rule of [Directory.Users].
func (d *Directory) UserByHandle(ctx context.Context, viewer feed.UserID, handle string) (*feed.User, error) {
	u, err := d.Primary.UserByHandle(ctx, handle)
	if u == nil || err != nil {
		return nil, err
	}
	users, err := d.Users(ctx, viewer, []feed.UserID{u.ID})
	if err != nil {
		return nil, err
	}
	return users[0], nil
}

// Followers returns one page of the followers of user, latest first, without users in a block with
// viewer. It is empty if user blocks viewer, or is private and not followed by viewer. The viewer's own list is complete, to match its
// counter: a user who blocks the viewer is in it as [feed.User.Withheld].
func (d *Directory) Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return d.page(ctx, viewer, user, feed.FeedFollowers, d.Relations.Followers, q)
}

// Following returns the users that user follows, under the rules of [Directory.Followers].
func (d *Directory) Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return d.page(ctx, viewer, user, feed.FeedFollowing, d.Relations.Following, q)
}

// Related returns one page of the users that viewer mutes, hides from or blocks, latest first. The
// list is complete: a user who blocks the viewer is in it as [feed.User.Withheld].
func (d *Directory) Related(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, q feed.PageQuery) (*feed.UserPage, error) {
	list, valid := map[feed.RelationKind]feed.FeedKind{
		feed.RelationMute: feed.FeedMuted, feed.RelationHide: feed.FeedHidden, feed.RelationBlock: feed.FeedBlocked,
	}[kind]
	if !valid {
		return nil, feed.Errorf(feed.CodeBadInput, "%.20q is not a relation", string(kind))
	}
	return d.list(ctx, viewer, list, func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return d.Relater.Related(ctx, kind, viewer, r)
	}, anyEdge, q)
}

// FollowRequests returns one page of the users who have asked to follow viewer, latest first.
func (d *Directory) FollowRequests(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return d.list(ctx, viewer, feed.FeedRequests, func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return d.Requests.FollowRequests(ctx, viewer, r)
	}, anyEdge, q)
}

// FollowRequested reports for each user whether viewer has asked to follow their private account.
func (d *Directory) FollowRequested(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]bool, error) {
	return d.Requests.FollowRequested(ctx, viewer, others)
}

// SentFollowRequests returns one page of the users that viewer has asked to follow, latest first.
func (d *Directory) SentFollowRequests(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	return d.list(ctx, viewer, feed.FeedSentRequests, func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return d.Requests.SentFollowRequests(ctx, viewer, r)
	}, anyEdge, q)
}

// Search returns one page of the users whose handle or name has, for each word of the query, a word
// with that prefix, ignoring case, in alphabetical order, without users in a block with viewer. A
// query that is blank or longer than Policy.QueryMax is [feed.CodeBadInput].
func (d *Directory) Search(ctx context.Context, viewer feed.UserID, query string, q feed.PageQuery) (*feed.UserPage, error) {
	if !feed.IsPlain(query) || utf8.RuneCountInString(query) > d.Policy.QueryMax {
		return nil, feed.Errorf(feed.CodeBadInput, "the query must be valid text of at most %d characters", d.Policy.QueryMax)
	}
	words := feed.QueryWords(query)
	if len(words) == 0 {
		return nil, feed.Errorf(feed.CodeBadInput, "the query must not be empty")
	}
	return d.list(ctx, viewer, feed.FeedSearch, func(ctx context.Context, r feed.Range) (found []feed.Key, err error) {
		err = d.SearchLimit.Do(ctx, func() error {
			found, err = d.Profiles.SearchUsers(ctx, words, r)
			return err
		})
		return found, err
	}, unblocked, q)
}

func (d *Directory) page(
	ctx context.Context, viewer, owner feed.UserID, kind feed.FeedKind, list func(context.Context, feed.UserID, feed.Range) ([]feed.Key, error), q feed.PageQuery,
) (*feed.UserPage, error) {
	// A bad query is an error even if the owner cannot be seen.
	if _, err := d.Policy.Window(kind, q); err != nil {
		return nil, err
	}
	if shown, err := d.showsPeople(ctx, viewer, owner); !shown || err != nil {
		return &feed.UserPage{}, err
	}
	lets := unblocked
	if owner == viewer {
		lets = anyEdge
	}
	return d.list(ctx, viewer, kind, func(ctx context.Context, r feed.Range) ([]feed.Key, error) { return list(ctx, owner, r) }, lets, q)
}

// showsPeople reports whether viewer may see who owner's followers are.
func (d *Directory) showsPeople(ctx context.Context, viewer, owner feed.UserID) (bool, error) {
	owners, err := d.Users(ctx, viewer, []feed.UserID{owner})
	if err != nil || owners[0] == nil {
		return false, err
	}
	if !owners[0].Private || owner == viewer {
		return true, nil
	}
	edges, err := d.Relations.Edges(ctx, viewer, []feed.UserID{owner})
	if err != nil {
		return false, err
	}
	return edges[0].Follows, nil
}

func anyEdge(feed.Edge) bool { return true }

func unblocked(e feed.Edge) bool { return !e.BlockedBy && !e.Blocks }

type userAt struct {
	key  feed.Key
	user *feed.User
}

// list reads one page of a list of users whose edge to viewer is let through.
func (d *Directory) list(ctx context.Context, viewer feed.UserID, kind feed.FeedKind, list feed.Lister, lets func(feed.Edge) bool, q feed.PageQuery) (*feed.UserPage, error) {
	w, err := d.Policy.Window(kind, q)
	if err != nil {
		return nil, err
	}
	users, err := feed.Paginate(ctx, w, func(ctx context.Context, r feed.Range) ([]userAt, error) {
		return feed.Collect(ctx, feed.NewListStream(list, r), r.Limit, func(ctx context.Context, keys []feed.Key) ([]userAt, error) {
			return d.listed(ctx, viewer, keys, lets)
		})
	})
	if err != nil {
		return nil, err
	}
	page := &feed.UserPage{HasNext: users.HasNext, HasPrevious: users.HasPrevious, Entries: make([]feed.UserEntry, len(users.Items))}
	for i, u := range users.Items {
		page.Entries[i] = feed.UserEntry{Cursor: feed.Cursor{Kind: kind, Key: u.key}.String(), User: u.user}
	}
	return page, nil
}

func (d *Directory) listed(ctx context.Context, viewer feed.UserID, keys []feed.Key, lets func(feed.Edge) bool) ([]userAt, error) {
	ids := make([]feed.UserID, len(keys))
	for i, k := range keys {
		ids[i] = feed.UserID(k.ID)
	}
	users, err := d.judged(ctx, viewer, ids, lets)
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

// Authors returns one user per id, nil if none is stored: for authors of posts that viewer may see.
// The viewer's own profile comes from Primary.
func (d *Directory) Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	users, err := d.UserStore.Users(ctx, ids)
	if err != nil || viewer == 0 || d.Fresh {
		return users, err
	}
	for i, id := range ids {
		if id != viewer {
			continue
		}
		own, err := d.Primary.Users(ctx, []feed.UserID{id})
		if err != nil {
			return nil, err
		}
		users[i] = own[0]
	}
	return users, nil
}

// target returns [feed.CodeNotFound] if the user does not exist or is not let through.
func (d *Directory) target(ctx context.Context, viewer, user feed.UserID, lets func(feed.Edge) bool) (*feed.User, error) {
	users, err := d.judged(ctx, viewer, []feed.UserID{user}, lets)
	if err != nil {
		return nil, err
	}
	if users[0] == nil {
		return nil, feed.Errorf(feed.CodeNotFound, "there is no such user").At("userId")
	}
	return users[0], nil
}

// judged loads the users whose edge is let through, [feed.User.Withheld] if they block viewer.
func (d *Directory) judged(ctx context.Context, viewer feed.UserID, ids []feed.UserID, lets func(feed.Edge) bool) ([]*feed.User, error) {
	if !d.Fresh {
		// The version makes the cache evict users who have gone.
		if _, err := d.Relations.ViewerVersion(ctx, viewer); err != nil {
			return nil, err
		}
	}
	users, err := d.Authors(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	edges, err := d.Relations.Edges(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	for i, u := range users {
		switch {
		case u == nil || !lets(edges[i]):
			users[i] = nil
		case edges[i].BlockedBy:
			users[i] = u.Withheld()
		}
	}
	return users, nil
}
