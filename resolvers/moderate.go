package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// mustModerate refuses requests that are not of moderators, before anything is read.
func mustModerate(ctx context.Context, field string) error {
	switch v := viewerFrom(ctx); {
	case v.moderates():
		return nil
	case v.user == 0:
		return feed.Errorf(feed.CodeUnauthenticated, "sign in as a moderator")
	}
	return feed.Errorf(feed.CodeForbidden, "%s is for moderators", field)
}

// moderation changes a subject on behalf of the identity by.
type moderation func(ctx context.Context, of feed.Subject, by string) error

func (r *Resolver) impose(reason string, until *int64) moderation {
	s := feed.Sanction{Reason: reason, Until: ending(until)}
	return func(ctx context.Context, of feed.Subject, by string) error {
		s.Subject, s.By = of, by
		return r.deps.Moderator.Impose(ctx, s)
	}
}

// ending returns the end of what may end by itself; 0 for never.
func ending(until *int64) int64 {
	if until == nil {
		return 0
	}
	return max(*until, 1) // 0 would be no end
}

func (r *Resolver) moderate(ctx context.Context, of feed.Subject, change moderation) error {
	by, err := r.identity(ctx)
	if err != nil {
		return err
	}
	return change(ctx, of, by)
}

// identity returns the identity behind the token of a moderator, as the moderation log has it.
func (r *Resolver) identity(ctx context.Context) (string, error) {
	v := viewerFrom(ctx)
	if v.service != "" {
		return "service:" + v.service, nil
	}
	id, err := r.publicID(ctx, v.user)
	return string(feed.PublicID(id).Text()), err
}

func (r *Resolver) moderatePost(ctx context.Context, globalID string, clientMutationID *string, change moderation) (*graph.PostPayload, error) {
	var post *feed.Post
	id, err := r.postIn(ctx, "postId", globalID)
	if err == nil {
		err = r.moderate(ctx, feed.Subject{Post: id}, change)
	}
	if err == nil {
		post, err = r.storedPost(ctx, id)
	}
	refused, err := userErrors(err)
	return &graph.PostPayload{Post: post, UserErrors: refused, ClientMutationID: clientMutationID}, err
}

func (r *Resolver) moderateUser(ctx context.Context, globalID string, clientMutationID *string, change moderation) (*graph.UserPayload, error) {
	var user *feed.User
	id, err := r.numberIn(ctx, feed.UserIDs, "user", "userId", globalID)
	if err == nil {
		err = r.moderate(ctx, feed.Subject{User: feed.UserID(id)}, change)
	}
	if err == nil {
		user, err = r.deps.Moderator.StoredUser(ctx, feed.UserID(id))
	}
	return userPayload(user, err, clientMutationID)
}

// storedBy returns the object with a public id regardless of the viewer, who must be a moderator; nil if none is
// stored.
func storedBy[ID ~int64, T any](
	ctx context.Context, r *Resolver, field string, kind feed.IDKind, databaseID string, read func(context.Context, ID) (*T, error),
) (*T, error) {
	if err := mustModerate(ctx, field); err != nil {
		return nil, err
	}
	number, err := r.number(ctx, kind, feed.ExternalID(databaseID))
	if number == 0 || err != nil {
		return nil, err
	}
	return read(ctx, ID(number))
}

// storedPost keeps the post out of the loaders, which return what the viewer may see. Its author is judged, and
// withheld where the viewer may not see them.
func (r *Resolver) storedPost(ctx context.Context, id feed.PostID) (*feed.Post, error) {
	post, err := r.deps.Moderator.StoredPost(ctx, id)
	if post == nil || err != nil {
		return nil, err
	}
	author, err := loaders.From(ctx).Profile(ctx, post.Author)
	if err == nil && author == nil {
		if author, err = r.deps.Moderator.StoredUser(ctx, post.Author); author != nil {
			author = author.Withheld()
		}
	}
	if author != nil {
		loaders.From(ctx).PutUser(author)
	}
	return post, err
}

func (r *Resolver) moderationLog(ctx context.Context, in *graph.ModerationSubject, args pageArgs) (*model.ModerationLogConnection, error) {
	if err := mustModerate(ctx, "moderationLog"); err != nil {
		return nil, err
	}
	of, err := r.subject(ctx, in)
	if err != nil {
		return nil, err
	}
	page, err := r.deps.Moderator.Log(ctx, of, args.query(neededOf(ctx, "ModerationLogEdge")))
	if err != nil {
		return nil, err
	}
	var named feed.Named
	for _, s := range page.Items {
		if s.Post != 0 {
			named.Posts = append(named.Posts, s.Post)
		} else {
			named.Users = append(named.Users, s.User)
		}
	}
	ids, err := named.Read(ctx, r.deps.IDs)
	return model.NewModerationLog(page, ids), err
}

// subject returns the zero subject if none is given.
func (r *Resolver) subject(ctx context.Context, in *graph.ModerationSubject) (feed.Subject, error) {
	switch {
	case in == nil:
		return feed.Subject{}, nil
	case (in.PostID == nil) == (in.UserID == nil):
		return feed.Subject{}, feed.Errorf(feed.CodeBadInput, "a subject needs exactly one of postId and userId")
	case in.PostID != nil:
		id, err := r.postIn(ctx, "postId", *in.PostID)
		return feed.Subject{Post: id}, err
	}
	id, err := r.numberIn(ctx, feed.UserIDs, "user", "userId", *in.UserID)
	return feed.Subject{User: feed.UserID(id)}, err
}
