package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/graph/pagejson"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// selection is what a client selected of an object: several sets if a field occurs several times.
// The executor's CollectFields takes one set at a time, so it would walk nested aliases
// exponentially often. It also caches by the address of the set, so sets cannot be merged.
type selection struct {
	sets      []ast.SelectionSet
	variables map[string]any
}

func selected(ctx context.Context) selection {
	return selection{
		sets:      []ast.SelectionSet{graphql.GetFieldContext(ctx).Field.Selections},
		variables: graphql.GetOperationContext(ctx).Variables,
	}
}

func (s selection) any() bool { return len(s.sets) > 0 }

func (s selection) and(other selection) selection {
	if !s.any() {
		return other // an empty selection has no variables
	}
	return selection{sets: slices.Concat(s.sets, other.sets), variables: s.variables}
}

// fields returns the selections of fields by name, for the names of an object's type and
// interfaces. It expands fragments and applies @skip and @include. It leaves out deferred fragments,
// which load what they need.
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
				if atOnce(sel.Directives, s.variables) && applies(sel.TypeCondition, types) {
					walk(sel.SelectionSet)
				}
			case *ast.FragmentSpread:
				if atOnce(sel.Directives, s.variables) && applies(sel.Definition.TypeCondition, types) {
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

// atOnce reports whether a fragment is included and not deferred.
func atOnce(directives ast.DirectiveList, variables map[string]any) bool {
	if d := directives.ForName("defer"); d != nil && d.ArgumentMap(variables)["if"] == true {
		return false
	}
	return included(directives, variables)
}

type fields map[string]selection

func (f fields) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return f[name].any() })
}

// pageNeeds is what to read for a page, given the selection of its connection.
type pageNeeds struct {
	// post, user and host are what to load for its posts, its users, or the hosts of its sessions.
	post       *loaders.PostWant
	user, host *loaders.UserWant
	// hasNext and hasPrevious report whether these flags are selected, options whether those of follows are.
	hasNext, hasPrevious, options bool
	// slots reports whether slots are selected.
	slots bool
}

// neededOf returns the needs of the current field, a page with entries of a type. It computes them
// once for each cached document.
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

func newPageNeeds(f fields, edge string) *pageNeeds {
	info := f["pageInfo"].fields("PageInfo")
	n := &pageNeeds{hasNext: info.has("hasNextPage"), hasPrevious: info.has("hasPreviousPage"), slots: f.has("slots")}
	nodes := f["nodes"].and(f["edges"].fields(edge)["node"])
	switch edge {
	case "FeedEdge":
		n.post = wantOfPost(nodes)
	case "HomeChange":
		n.post = wantOfPost(f["changes"].fields(edge)["edge"].fields("FeedEdge")["node"])
	case "UserEdge":
		n.user = wantOfUser(nodes)
		n.options = f["edges"].fields(edge).has("special", "hideReposts", "hideReplies")
	case "LiveEdge":
		n.host = wantOfHost(nodes)
	case "LiveChange":
		n.host = wantOfHost(f["changes"].fields(edge)["edge"].fields("LiveEdge")["node"])
	}
	return n
}

// wantOfPost returns the reads for a selection of a Post; nil for none.
func wantOfPost(s selection) *loaders.PostWant {
	if !s.any() {
		return nil
	}
	f := s.fields("Post", "Node")
	return &loaders.PostWant{
		Content:    f.has("text", "media", "customFields", "editedAt", "unavailable"),
		Counters:   f.has("counters"),
		Reactions:  f.has("viewerHasLiked", "viewerHasFavorited"),
		Moderation: f.has("moderation"),
		Author:     wantOfUser(f["author"]),
		ReplyTo:    wantOfPost(f["replyTo"]),
		RepostOf:   wantOfPost(f["repostOf"]),
	}
}

// wantOfUser returns the reads for a selection of a User; nil for none.
func wantOfUser(s selection) *loaders.UserWant {
	if !s.any() {
		return nil
	}
	f := s.fields("User", "Node")
	return &loaders.UserWant{
		Profile:  f.has("handle", "name", "avatarUrl", "customFields", "unavailable"),
		Counters: f.has("counters"),
		Edge:     f.has("viewerFollows", "viewerFollowOptions", "viewerMutes", "viewerHidesFrom", "viewerBlocks", "viewerCanSeePosts"),
		Request:  f.has("viewerFollowRequested"),
	}
}

// wantOfHost returns the reads for the host in a selection of a LiveSession.
func wantOfHost(s selection) *loaders.UserWant {
	return wantOfUser(s.fields("LiveSession", "Node")["host"])
}
