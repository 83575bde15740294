package people

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Lists changes and reads lists of authors.
type Lists struct {
	Lists     feed.AuthorLists
	Reader    feed.AuthorListReader
	Directory *Directory
	NewID     func() (feed.PostID, error)
	Clock     feed.Clock
	Policy    feed.Policy
}

// drawIDs is how often an id is drawn until one is free: two are the same once in millions.
const drawIDs = 3

// CreateList stores a list without members for viewer, with an id and a time of its own. A bad name is refused as
// names of accounts are; more than [feed.ListsMax] lists are [feed.CodeConflict].
func (l *Lists) CreateList(ctx context.Context, viewer feed.UserID, list feed.AuthorList) (*feed.AuthorList, error) {
	err := l.Policy.Rules.Name(list.Name)
	for range drawIDs {
		if err != nil {
			return nil, err
		}
		var id feed.PostID
		if id, err = l.NewID(); err != nil {
			return nil, err
		}
		list.ID, list.Owner, list.CreatedAt = feed.ListID(id), viewer, feed.Millis(l.Clock())
		if err = l.Lists.CreateList(ctx, &list); err == nil {
			return &list, nil
		}
		if err == feed.ErrIDTaken { //nolint:errorlint // the port returns it as it is
			err = nil
		}
	}
	return nil, feed.ErrIDTaken
}

// UpdateList changes a list of viewer. Of others it is [feed.CodeNotFound], as in all methods.
func (l *Lists) UpdateList(ctx context.Context, viewer feed.UserID, id feed.ListID, c feed.ListChange) (*feed.AuthorList, error) {
	if c.Name != nil {
		if err := l.Policy.Rules.Name(*c.Name); err != nil {
			return nil, err
		}
	}
	return l.Lists.UpdateList(ctx, viewer, id, c)
}

// DeleteList deletes a list of viewer, if there is one.
func (l *Lists) DeleteList(ctx context.Context, viewer feed.UserID, id feed.ListID) error {
	return l.Lists.DeleteList(ctx, viewer, id)
}

// SetMembers adds users to a list of viewer, or removes them. If viewer may not see one of the users to add,
// it is [feed.CodeNotFound], and none is added.
func (l *Lists) SetMembers(ctx context.Context, viewer feed.UserID, id feed.ListID, users []feed.UserID, on bool) (*feed.AuthorList, error) {
	if !on {
		return l.Lists.RemoveMembers(ctx, viewer, id, users)
	}
	seen, err := l.Directory.Users(ctx, viewer, users)
	if err != nil {
		return nil, err
	}
	if slices.Contains(seen, nil) {
		return nil, feed.Errorf(feed.CodeNotFound, "there is no such user").At("userIds")
	}
	return l.Lists.AddMembers(ctx, viewer, id, users, feed.Millis(l.Clock()))
}

// AuthorLists returns one list per id, nil if there is none that viewer may see: their own, and public lists
// of users whose followers they may see, which are never exclusive to viewer.
func (l *Lists) AuthorLists(ctx context.Context, viewer feed.UserID, ids []feed.ListID) ([]*feed.AuthorList, error) {
	lists, err := l.Reader.AuthorLists(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i, list := range lists {
		if list == nil || list.Owner == viewer {
			continue
		}
		shown := list.Public
		if shown {
			if shown, err = l.Directory.showsPeople(ctx, viewer, list.Owner); err != nil {
				return nil, err
			}
		}
		list.Exclusive = false // it says what the owner's home feed lacks
		if !shown {
			lists[i] = nil
		}
	}
	return lists, nil
}

// AuthorListsOf returns the lists of owner that viewer may see, latest first.
func (l *Lists) AuthorListsOf(ctx context.Context, viewer, owner feed.UserID) ([]*feed.AuthorList, error) {
	if owner != viewer {
		if shown, err := l.Directory.showsPeople(ctx, viewer, owner); !shown || err != nil {
			return nil, err
		}
	}
	lists, err := l.Reader.AuthorListsOf(ctx, owner)
	if err != nil || owner == viewer {
		return lists, err
	}
	for _, list := range lists {
		list.Exclusive = false
	}
	return slices.DeleteFunc(lists, func(list *feed.AuthorList) bool { return !list.Public }), nil
}

// AuthorListsWith returns the lists of viewer that have a member, latest first.
func (l *Lists) AuthorListsWith(ctx context.Context, viewer, member feed.UserID) ([]*feed.AuthorList, error) {
	return l.Reader.AuthorListsWith(ctx, viewer, member)
}

// Members returns one page of the members of a list that viewer may see, latest first, without users in a
// block with viewer. To the owner a member who blocks them is [feed.User.Withheld].
func (l *Lists) Members(ctx context.Context, viewer feed.UserID, list *feed.AuthorList, q feed.PageQuery) (*feed.UserPage, error) {
	lets := unblocked
	if list.Owner == viewer {
		lets = anyEdge
	}
	return l.Directory.list(ctx, viewer, feed.FeedListMembers, func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return l.Reader.ListMembers(ctx, list.ID, r)
	}, lets, q)
}
