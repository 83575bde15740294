package resolvers

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
)

// listMembersMax is the maximum number of users that a call adds to a list or removes.
const listMembersMax = 100

// listIn returns the list of a global id in an input field.
func (r *Resolver) listIn(ctx context.Context, globalID string) (feed.ListID, error) {
	n, err := r.numberIn(ctx, feed.ListIDs, "list", "listId", globalID)
	return feed.ListID(n), err
}

func listPayload(list *feed.AuthorList, err error, clientMutationID *string) (*graph.AuthorListPayload, error) {
	refused, err := userErrors(err)
	return &graph.AuthorListPayload{List: list, UserErrors: refused, ClientMutationID: clientMutationID}, err
}

// changeList changes a list of the viewer.
func (r *Resolver) changeList(
	ctx context.Context, globalID string, clientMutationID *string,
	change func(ctx context.Context, viewer feed.UserID, id feed.ListID) (*feed.AuthorList, error),
) (*graph.AuthorListPayload, error) {
	var list *feed.AuthorList
	id, err := r.listIn(ctx, globalID)
	if err == nil {
		list, err = change(ctx, ViewerFrom(ctx), id)
	}
	return listPayload(list, err, clientMutationID)
}

// setMembers adds users to a list or removes them. To remove a user who is not there changes nothing.
func (r *Resolver) setMembers(ctx context.Context, in graph.ListMembersInput, on bool) (*graph.AuthorListPayload, error) {
	return r.changeList(ctx, in.ListID, in.ClientMutationID, func(ctx context.Context, viewer feed.UserID, id feed.ListID) (*feed.AuthorList, error) {
		users := make([]feed.ExternalID, 0, len(in.UserIds))
		for _, globalID := range in.UserIds {
			if kind, user, ok := model.ParseGlobalID(globalID); ok && kind == feed.UserIDs {
				users = append(users, user)
			}
		}
		numbers, err := r.numbers(ctx, feed.UserIDs, users)
		if err != nil {
			return nil, err
		}
		if on && (len(users) < len(in.UserIds) || slices.Contains(numbers, 0)) {
			return nil, feed.Errorf(feed.CodeNotFound, "there is no such user").At("userIds")
		}
		return r.deps.ListKeeper.SetMembers(ctx, viewer, id, known[feed.UserID](numbers), on)
	})
}

// listsOf returns the lists of a user that the viewer may see.
func (r *Resolver) listsOf(ctx context.Context, owner feed.UserID) ([]feed.AuthorList, error) {
	found, err := r.deps.Lists.AuthorListsOf(ctx, ViewerFrom(ctx), owner)
	return listValues(found), err
}

// listsWith returns the viewer's lists that have a member: none for an id of no user.
func (r *Resolver) listsWith(ctx context.Context, member string) ([]feed.AuthorList, error) {
	kind, id, ok := model.ParseGlobalID(member)
	if !ok || kind != feed.UserIDs {
		return nil, nil
	}
	user, err := r.number(ctx, feed.UserIDs, id)
	if err != nil {
		return nil, err
	}
	found, err := r.deps.Lists.AuthorListsWith(ctx, ViewerFrom(ctx), feed.UserID(user))
	return listValues(found), err
}

func listValues(found []*feed.AuthorList) []feed.AuthorList {
	lists := make([]feed.AuthorList, len(found))
	for i, l := range found {
		lists[i] = *l
	}
	return lists
}

// listsBy returns one list per public id, nil if the viewer sees none.
func (r *Resolver) listsBy(ctx context.Context, ids []feed.ExternalID) ([]*feed.AuthorList, error) {
	return objectsBy(ctx, r, feed.ListIDs, ids, r.deps.Lists.AuthorLists, func([]*feed.AuthorList) error { return nil })
}
