package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
)

// mutation says whose requests a mutation refuses before it reads anything but the viewer, and how.
type mutation struct {
	// record is the type of record that it changes; empty for what belongs to Tideline whatever a source owns.
	record  feed.RecordType
	refused func(errors []model.UserError, clientMutationID *string) any
	// moderates is set for mutations of moderators, whenSuspended for those that suspended users keep.
	moderates, whenSuspended bool
}

func (m mutation) forSuspended() mutation {
	m.whenSuspended = true
	return m
}

// mutations has an entry for every mutation.
func mutations() map[string]mutation {
	post := func(r feed.RecordType) mutation {
		return mutation{record: r, refused: func(e []model.UserError, id *string) any {
			return &graph.PostPayload{UserErrors: e, ClientMutationID: id}
		}}
	}
	user := func(r feed.RecordType) mutation {
		return mutation{record: r, refused: func(e []model.UserError, id *string) any {
			return &graph.UserPayload{UserErrors: e, ClientMutationID: id}
		}}
	}
	moderates := func(m mutation) mutation {
		m.moderates = true
		return m
	}
	hosts := mutation{record: feed.RecordLive, refused: func(e []model.UserError, id *string) any {
		return &graph.LivePayload{UserErrors: e, ClientMutationID: id}
	}}
	list := func(r feed.RecordType) mutation {
		return mutation{record: r, refused: func(e []model.UserError, id *string) any {
			return &graph.AuthorListPayload{UserErrors: e, ClientMutationID: id}
		}}
	}
	return map[string]mutation{
		"createList": list(feed.RecordList), "updateList": list(feed.RecordList),
		"addToList": list(feed.RecordListMember), "removeFromList": list(feed.RecordListMember),
		"deleteList": {record: feed.RecordList, refused: func(e []model.UserError, id *string) any {
			return &graph.DeleteListPayload{UserErrors: e, ClientMutationID: id}
		}},
		"publishPost": {record: feed.RecordPost, refused: func(e []model.UserError, id *string) any {
			return &graph.PublishPostPayload{UserErrors: e, ClientMutationID: id}
		}},
		"editPost": {record: feed.RecordPost, refused: func(e []model.UserError, id *string) any {
			return &graph.EditPostPayload{UserErrors: e, ClientMutationID: id}
		}},
		"deletePost": {record: feed.RecordPost, whenSuspended: true, refused: func(e []model.UserError, id *string) any {
			return &graph.DeletePostPayload{UserErrors: e, ClientMutationID: id}
		}},
		"likePost": post(feed.RecordLike), "unlikePost": post(feed.RecordLike),
		"favoritePost": post(feed.RecordFavorite), "unfavoritePost": post(feed.RecordFavorite),
		"followUser": user(feed.RecordFollow), "updateFollow": user(feed.RecordFollow), "unfollowUser": user(feed.RecordFollow).forSuspended(),
		"acceptFollow": user(feed.RecordFollow), "rejectFollow": user(feed.RecordFollow), "removeFollower": user(feed.RecordFollow),
		"muteUser": user(feed.RecordMute), "unmuteUser": user(feed.RecordMute),
		"hideFromUser": user(feed.RecordHide), "unhideFromUser": user(feed.RecordHide),
		"blockUser": user(feed.RecordBlock).forSuspended(), "unblockUser": user(feed.RecordBlock),
		"scheduleLive": hosts, "rescheduleLive": hosts, "startLive": hosts, "endLive": hosts, "cancelLive": hosts,
		"updateProfile": user(feed.RecordUser),
		"deleteAccount": {record: feed.RecordUser, whenSuspended: true, refused: func(e []model.UserError, id *string) any {
			return &graph.DeleteAccountPayload{UserErrors: e, ClientMutationID: id}
		}},
		"markHomeRead": {refused: func(e []model.UserError, id *string) any {
			return &graph.MarkHomeReadPayload{UserErrors: e, ClientMutationID: id}
		}},
		"takeDownPost": moderates(post("")), "restorePost": moderates(post("")),
		"suspendUser": moderates(user("")), "restoreUser": moderates(user("")),
	}
}

// refuseMutations refuses mutations as userErrors, and leaves other fields to inner. It is one middleware with
// inner because the executor allocates a closure for each.
func (r *Resolver) refuseMutations(inner graphql.FieldMiddleware) graphql.FieldMiddleware {
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		field := graphql.GetFieldContext(ctx)
		if field.Object != "Mutation" {
			return inner(ctx, next)
		}
		m, isMutation := r.mutations[field.Field.Name]
		if !isMutation {
			return inner(ctx, next)
		}
		err := r.mayChange(ctx, field.Field.Name, m)
		if err == nil {
			return inner(ctx, next)
		}
		refused, err := userErrors(err)
		if err != nil {
			return nil, err
		}
		return m.refused(refused, clientMutationID(ctx, field)), nil
	}
}

// mayChange refuses what only moderators may do, what a source owns, and changes by suspended viewers, whose row
// it reads from the primary.
func (r *Resolver) mayChange(ctx context.Context, name string, m mutation) error {
	viewer := ViewerFrom(ctx)
	switch {
	case m.moderates:
		if err := mustModerate(ctx, name); err != nil {
			return err
		}
	case r.deps.Owned.Has(m.record):
		return feed.Errorf(feed.CodeForbidden, "a source owns records of type %s; change them there", m.record)
	}
	if m.whenSuspended || viewer == 0 {
		return nil
	}
	suspended, err := r.deps.Moderator.Suspended(ctx, viewer)
	if suspended {
		return feed.Errorf(feed.CodeForbidden, "your account is suspended; you can read, delete posts, unfollow, block, and delete the account")
	}
	return err
}

func clientMutationID(ctx context.Context, field *graphql.FieldContext) *string {
	arguments := field.Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	input, _ := arguments["input"].(map[string]any)
	if id, ok := input["clientMutationId"].(string); ok {
		return &id
	}
	return nil
}
