package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
)

// ownedMutation is the record type that a mutation changes, and its refusal.
type ownedMutation struct {
	record  feed.RecordType
	refused func(errors []model.UserError, clientMutationID *string) any
}

// ownedMutations has an entry for every mutation.
func ownedMutations() map[string]ownedMutation {
	reacts := func(r feed.RecordType) ownedMutation {
		return ownedMutation{r, func(e []model.UserError, id *string) any {
			return &graph.PostPayload{UserErrors: e, ClientMutationID: id}
		}}
	}
	relates := func(r feed.RecordType) ownedMutation {
		return ownedMutation{r, func(e []model.UserError, id *string) any {
			return &graph.UserPayload{UserErrors: e, ClientMutationID: id}
		}}
	}
	hosts := ownedMutation{feed.RecordLive, func(e []model.UserError, id *string) any {
		return &graph.LivePayload{UserErrors: e, ClientMutationID: id}
	}}
	return map[string]ownedMutation{
		"publishPost": {feed.RecordPost, func(e []model.UserError, id *string) any {
			return &graph.PublishPostPayload{UserErrors: e, ClientMutationID: id}
		}},
		"editPost": {feed.RecordPost, func(e []model.UserError, id *string) any {
			return &graph.EditPostPayload{UserErrors: e, ClientMutationID: id}
		}},
		"deletePost": {feed.RecordPost, func(e []model.UserError, id *string) any {
			return &graph.DeletePostPayload{UserErrors: e, ClientMutationID: id}
		}},
		"likePost": reacts(feed.RecordLike), "unlikePost": reacts(feed.RecordLike),
		"favoritePost": reacts(feed.RecordFavorite), "unfavoritePost": reacts(feed.RecordFavorite),
		"followUser": relates(feed.RecordFollow), "unfollowUser": relates(feed.RecordFollow),
		"acceptFollow": relates(feed.RecordFollow), "rejectFollow": relates(feed.RecordFollow), "removeFollower": relates(feed.RecordFollow),
		"muteUser": relates(feed.RecordMute), "unmuteUser": relates(feed.RecordMute),
		"hideFromUser": relates(feed.RecordHide), "unhideFromUser": relates(feed.RecordHide),
		"blockUser": relates(feed.RecordBlock), "unblockUser": relates(feed.RecordBlock),
		"scheduleLive": hosts, "rescheduleLive": hosts, "startLive": hosts, "endLive": hosts, "cancelLive": hosts,
		"updateProfile": relates(feed.RecordUser),
		"deleteAccount": {feed.RecordUser, func(e []model.UserError, id *string) any {
			return &graph.DeleteAccountPayload{UserErrors: e, ClientMutationID: id}
		}},
	}
}

// refuseOwned refuses mutations of types that a source owns.
func refuseOwned(owned feed.RecordTypes) graphql.FieldMiddleware {
	mutations := ownedMutations()
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		field := graphql.GetFieldContext(ctx)
		if field.Object != "Mutation" {
			return next(ctx)
		}
		m, isMutation := mutations[field.Field.Name]
		if !isMutation || !owned.Has(m.record) {
			return next(ctx)
		}
		refused, err := userErrors(feed.Errorf(feed.CodeForbidden,
			"a source owns records of type %s; change them there", m.record))
		return m.refused(refused, clientMutationID(ctx, field)), err
	}
}

func clientMutationID(ctx context.Context, field *graphql.FieldContext) *string {
	arguments := field.Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	input, _ := arguments["input"].(map[string]any)
	if id, ok := input["clientMutationId"].(string); ok {
		return &id
	}
	return nil
}
