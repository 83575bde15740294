package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/graph"
)

func (r *Resolver) draft(ctx context.Context, in graph.PublishPostInput) (publish.Draft, error) {
	d := publish.Draft{
		Text:           in.Text,
		Media:          in.Media,
		Language:       value(in.Language),
		Audience:       in.Audience,
		PublishedAt:    in.PublishedAt,
		IdempotencyKey: value(in.IdempotencyKey),
	}
	var err error
	if d.ReplyTo, err = r.optionalPostIn(ctx, "replyTo", in.ReplyTo); err != nil {
		return d, err
	}
	d.RepostOf, err = r.optionalPostIn(ctx, "repostOf", in.RepostOf)
	return d, err
}

func (r *Resolver) publish(ctx context.Context, in graph.PublishPostInput) (*feed.Post, error) {
	d, err := r.draft(ctx, in)
	if err != nil {
		return nil, err
	}
	return r.deps.Publisher.Publish(ctx, ViewerFrom(ctx), d)
}

func (r *Resolver) edit(ctx context.Context, in graph.EditPostInput) (*feed.Post, error) {
	id, err := r.postIn(ctx, "postId", in.PostID)
	if err != nil {
		return nil, err
	}
	return r.deps.Publisher.Edit(ctx, ViewerFrom(ctx), id, feed.PostEdit{Text: in.Text, Audience: in.Audience})
}

func (r *Resolver) remove(ctx context.Context, in graph.PostIDInput) error {
	id, err := r.postIn(ctx, "postId", in.PostID)
	if err != nil {
		return err
	}
	return r.deps.Publisher.Delete(ctx, ViewerFrom(ctx), id)
}

func (r *Resolver) react(ctx context.Context, in graph.PostIDInput, what feed.Reaction, on bool) (*graph.PostPayload, error) {
	id, err := r.postIn(ctx, "postId", in.PostID)
	var post *feed.Post
	if err == nil {
		post, err = r.deps.Publisher.React(ctx, ViewerFrom(ctx), what, id, on)
	}
	refused, err := userErrors(err)
	return &graph.PostPayload{Post: post, UserErrors: refused, ClientMutationID: in.ClientMutationID}, err
}

// relate changes a relation of the viewer to a user.
func (r *Resolver) relate(
	ctx context.Context,
	in graph.UserIDInput,
	change func(ctx context.Context, viewer, target feed.UserID) (*feed.User, error),
) (*graph.UserPayload, error) {
	var user *feed.User
	id, err := r.numberIn(ctx, feed.UserIDs, "user", "userId", in.UserID)
	if err == nil {
		user, err = change(ctx, ViewerFrom(ctx), feed.UserID(id))
	}
	return userPayload(user, err, in.ClientMutationID)
}

// follow changes a follow of the viewer with its options.
func (r *Resolver) follow(
	ctx context.Context,
	in graph.UserIDInput,
	change func(ctx context.Context, viewer, target feed.UserID, choice feed.FollowChoice) (*feed.User, error),
	special, hideReposts, hideReplies *bool,
) (*graph.UserPayload, error) {
	var choice feed.FollowChoice
	choice.Choose(feed.FollowSpecial, special)
	choice.Choose(feed.FollowHidesReposts, hideReposts)
	choice.Choose(feed.FollowHidesReplies, hideReplies)
	return r.relate(ctx, in, func(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
		return change(ctx, viewer, target, choice)
	})
}

func userPayload(user *feed.User, err error, clientMutationID *string) (*graph.UserPayload, error) {
	refused, err := userErrors(err)
	return &graph.UserPayload{User: user, UserErrors: refused, ClientMutationID: clientMutationID}, err
}

func (r *Resolver) setRelation(ctx context.Context, in graph.UserIDInput, kind feed.RelationKind, on bool) (*graph.UserPayload, error) {
	return r.relate(ctx, in, func(ctx context.Context, viewer, target feed.UserID) (*feed.User, error) {
		return r.deps.Relater.Relate(ctx, viewer, kind, target, on)
	})
}
