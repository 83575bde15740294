package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
)

var _ graph.SubgraphResolver = (*queryResolver)(nil)

func (r *queryResolver) Entities(ctx context.Context, references []map[string]any) ([]model.Node, error) {
	return r.entities(ctx, references)
}

func (r *queryResolver) Service() model.Service { return model.Service{SDL: r.deps.Subgraph} }

// entitiesMax is the maximum number of references of a router's request. A router collects those of
// a whole response, so there are more than of ids that clients send.
const entitiesMax = 1000

// entityKinds returns the kinds of ids of the types that are entities.
func entityKinds() map[string]feed.IDKind {
	return map[string]feed.IDKind{"Post": feed.PostIDs, "User": feed.UserIDs, "LiveSession": feed.LiveIDs}
}

// entities returns one entity per reference, nil if the viewer sees none. A value that is no reference
// adds an error BAD_USER_INPUT with its place, and leaves the others as they are.
func (r *Resolver) entities(ctx context.Context, references []map[string]any) ([]model.Node, error) {
	if len(references) > entitiesMax {
		return nil, feed.Errorf(feed.CodeBadInput, "there are %d representations; at most %d are allowed", len(references), entitiesMax)
	}
	keys := make([]nodeKey, len(references))
	for i, reference := range references {
		var err error
		if keys[i], err = entityKey(reference); err != nil {
			at := append(slices.Clone(graphql.GetPath(ctx)), ast.PathIndex(i))
			graphql.AddError(ctx, gqlerror.WrapPath(at, feed.Errorf(feed.CodeBadInput, "representation %d: %s", i, feed.Reason(err))))
		}
	}
	return r.nodesBy(ctx, keys)
}

// entityKey returns the key in a reference; the zero key if no entity can have it, such as an id of
// another type, or an id and a databaseId of two entities.
func entityKey(reference map[string]any) (nodeKey, error) {
	typ, _ := reference["__typename"].(string)
	kind, known := entityKinds()[typ]
	if !known {
		return nodeKey{}, feed.Errorf(feed.CodeBadInput, "__typename must be Post, User or LiveSession")
	}
	id, hasID, err := keyText(reference, "id", model.MaxGlobalID)
	if err != nil {
		return nodeKey{}, err
	}
	databaseID, hasDatabaseID, err := keyText(reference, "databaseId", feed.MaxExternalID)
	switch {
	case err != nil:
		return nodeKey{}, err
	case !hasID && !hasDatabaseID:
		return nodeKey{}, feed.Errorf(feed.CodeBadInput, "it needs id or databaseId")
	case !hasID:
		return nodeKey{kind, feed.ExternalID(databaseID)}, nil
	}
	key, ok := globalKey(id)
	if !ok || key.kind != kind || hasDatabaseID && key.id != feed.ExternalID(databaseID) {
		return nodeKey{}, nil
	}
	return key, nil
}

// keyText returns a field of a reference. Longer texts than any object has are not quoted or read.
func keyText(reference map[string]any, name string, longest int) (text string, given bool, err error) {
	value, given := reference[name]
	if !given {
		return "", false, nil
	}
	text, isText := value.(string)
	switch {
	case !isText:
		return "", false, feed.Errorf(feed.CodeBadInput, "%s must be text", name)
	case len(text) > longest:
		return "", false, feed.Errorf(feed.CodeBadInput, "%s has %d bytes; at most %d are allowed", name, len(text), longest)
	}
	return text, true, nil
}
