package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
)

// numbers returns the number of each public id, 0 for one that no object has.
func (r *Resolver) numbers(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	if r.deps.IDs == nil {
		return feed.DecimalIDs{}.FindIDs(ctx, kind, ids)
	}
	return r.deps.IDs.FindIDs(ctx, kind, ids)
}

// number returns the number of a public id, 0 if no object has it.
func (r *Resolver) number(ctx context.Context, kind feed.IDKind, id feed.ExternalID) (int64, error) {
	found, err := r.numbers(ctx, kind, []feed.ExternalID{id})
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

// publicID returns the public id of the viewer. It reads the account only where ids are text.
func (r *Resolver) publicID(ctx context.Context, viewer feed.UserID) (feed.PublicUserID, error) {
	if r.deps.IDs == nil {
		return feed.PublicUserID{Number: int64(viewer)}, nil
	}
	u, err := r.account(ctx, viewer)
	if err != nil {
		return feed.PublicUserID{}, err
	}
	return u.PublicID(), nil
}

// numberIn returns the number of a global id in an input field. The error is [feed.CodeNotFound] at
// the field if it is not the id of a what.
func (r *Resolver) numberIn(ctx context.Context, kind feed.IDKind, what, field, globalID string) (int64, error) {
	var number int64
	if of, id, ok := model.ParseGlobalID(globalID); ok && of == kind {
		var err error
		if number, err = r.number(ctx, kind, id); err != nil {
			return 0, err
		}
	}
	if number == 0 {
		return 0, feed.Errorf(feed.CodeNotFound, "there is no such %s", what).At(field)
	}
	return number, nil
}

func (r *Resolver) postIn(ctx context.Context, field, globalID string) (feed.PostID, error) {
	n, err := r.numberIn(ctx, feed.PostIDs, "post", field, globalID)
	return feed.PostID(n), err
}

// optionalPostIn returns 0 if the field is absent.
func (r *Resolver) optionalPostIn(ctx context.Context, field string, globalID *string) (feed.PostID, error) {
	if globalID == nil {
		return 0, nil
	}
	return r.postIn(ctx, field, *globalID)
}

// databaseIDs converts an argument to public ids.
func databaseIDs(texts []string) []feed.ExternalID {
	ids := make([]feed.ExternalID, len(texts))
	for i, text := range texts {
		ids[i] = feed.ExternalID(text)
	}
	return ids
}
