package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph/pagejson"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// selection is what a client selected of an object: one set of a document for each
// time it did, since a field may stand in several fragments and under several names.
//
// The executor's CollectFields is of no use here. It takes one set at a time, so that
// a document whose fragments select a field under ten names, and again inside each,
// would be walked ten times more with every level; and it remembers its answers by the
// address of the set, so that no set may be put together for it.
type selection struct {
	sets      []ast.SelectionSet
	variables map[string]any
}

// selected returns what was selected of the field at hand.
func selected(ctx context.Context) selection {
	return selection{
		sets:      []ast.SelectionSet{graphql.GetFieldContext(ctx).Field.Selections},
		variables: graphql.GetOperationContext(ctx).Variables,
	}
}

// any says whether anything was selected.
func (s selection) any() bool { return len(s.sets) > 0 }

// and returns both selections as one.
func (s selection) and(other selection) selection {
	return selection{sets: slices.Concat(s.sets, other.sets), variables: s.variables}
}

// fields returns, by name, what was selected of the fields of an object whose type is
// types: its name and those of its interfaces. It follows fragments and obeys @skip
// and @include.
func (s selection) fields(types ...string) fields {
	out := fields{}
	seen := map[ast.Selection]struct{}{}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, sel := range set {
			if _, twice := seen[sel]; twice {
				continue
			}
			seen[sel] = struct{}{}
			switch sel := sel.(type) {
			case *ast.Field:
				if included(sel.Directives, s.variables) {
					below := out[sel.Name]
					out[sel.Name] = selection{append(below.sets, sel.SelectionSet), s.variables}
				}
			case *ast.InlineFragment:
				if included(sel.Directives, s.variables) && applies(sel.TypeCondition, types) {
					walk(sel.SelectionSet)
				}
			case *ast.FragmentSpread:
				if included(sel.Directives, s.variables) && applies(sel.Definition.TypeCondition, types) {
					walk(sel.Definition.SelectionSet)
				}
			}
		}
	}
	for _, set := range s.sets {
		walk(set)
	}
	return out
}

func applies(condition string, types []string) bool {
	return condition == "" || slices.Contains(types, condition)
}

func included(directives ast.DirectiveList, variables map[string]any) bool {
	if d := directives.ForName("skip"); d != nil && d.ArgumentMap(variables)["if"] == true {
		return false
	}
	d := directives.ForName("include")
	return d == nil || d.ArgumentMap(variables)["if"] == true
}

// fields are what was selected of each field of an object, by the field's name.
type fields map[string]selection

// has says whether one of the fields was selected.
func (f fields) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f[name].any() })
}

// pageNeeds is what a page is to be read with, by what was selected of its connection.
type pageNeeds struct {
	// post, user and host are what is to be loaded for its contents, its users, or the hosts
	// of its sessions; nil for nothing.
	post       *loaders.PostWant
	user, host *loaders.UserWant
	// hasNext and hasPrevious say whether the client asked for these flags.
	hasNext, hasPrevious bool
}

// neededOf returns the needs of the connection in the field at hand, whose edges are of the
// type edge. It is walked through once for each document that is kept.
func neededOf(ctx context.Context, edge string) *pageNeeds {
	field := graphql.GetFieldContext(ctx).Field
	var cache *pagejson.FieldCache[*pageNeeds]
	if c := documentCacheFrom(ctx); c != nil {
		cache = &c.needs
	}
	return cache.Get(graphql.GetOperationContext(ctx), field, func() (*pageNeeds, int) {
		n := newPageNeeds(selected(ctx).fields(field.Definition.Type.Name()), edge)
		return n, 1 + n.post.Size()
	})
}

// newPageNeeds reads what was selected of a connection.
func newPageNeeds(f fields, edge string) *pageNeeds {
	info := f["pageInfo"].fields("PageInfo")
	n := &pageNeeds{hasNext: info.has("hasNextPage"), hasPrevious: info.has("hasPreviousPage")}
	nodes := f["nodes"].and(f["edges"].fields(edge)["node"])
	switch edge {
	case "FeedEdge":
		n.post = wantOfPost(nodes)
	case "UserEdge":
		n.user = wantOfUser(nodes)
	case "LiveEdge":
		n.host = wantOfHost(nodes)
	}
	return n
}

// wantOfPost returns which reads a selection on a Post asks for; nil when there is
// none.
func wantOfPost(s selection) *loaders.PostWant {
	if !s.any() {
		return nil
	}
	f := s.fields("Post", "Node")
	return &loaders.PostWant{
		Counters:  f.has("counters"),
		Reactions: f.has("viewerHasLiked", "viewerHasFavorited"),
		Author:    wantOfUser(f["author"]),
		ReplyTo:   wantOfPost(f["replyTo"]),
		RepostOf:  wantOfPost(f["repostOf"]),
	}
}

// wantOfUser does the same for a selection on a User.
func wantOfUser(s selection) *loaders.UserWant {
	if !s.any() {
		return nil
	}
	f := s.fields("User", "Node")
	return &loaders.UserWant{
		Counters: f.has("counters"),
		Edge:     f.has("viewerFollows", "viewerMutes", "viewerHidesFrom", "viewerBlocks"),
	}
}

// wantOfHost does it for the hosts of a selection on a LiveSession.
func wantOfHost(s selection) *loaders.UserWant {
	return wantOfUser(s.fields("LiveSession", "Node")["host"])
}
