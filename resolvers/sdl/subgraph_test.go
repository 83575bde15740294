package sdl_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/sdl"
)

// federationSpec defines what the schema imports by @link.
const federationSpec = `
scalar federation__FieldSet
scalar link__Import
directive @link(url: String!, import: [link__Import]) repeatable on SCHEMA
directive @key(fields: federation__FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
directive @shareable repeatable on FIELD_DEFINITION | OBJECT
directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
`

func subgraph(t *testing.T, s sdl.Subgraph) *ast.Schema {
	t.Helper()
	text, err := s.Schema()
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "spec", Input: federationSpec}, &ast.Source{Name: "sdl", Input: text})
	if err != nil {
		t.Fatalf("the schema of %+v does not parse: %v", s, err)
	}
	return schema
}

func TestSubgraph_MarksEntitiesAndSharedFields(t *testing.T) {
	s := subgraph(t, sdl.Subgraph{})
	var got []string
	for _, name := range []string{"LiveSession", "PageInfo", "Post", "PostCounters", "User", "UserCounters", "UserConnection"} {
		d := s.Types[name]
		for _, key := range d.Directives.ForNames("key") {
			got = append(got, name+" by "+key.Arguments.ForName("fields").Value.Raw)
		}
		if d.Directives.ForName("shareable") != nil {
			got = append(got, name)
		}
		for _, f := range d.Fields {
			if f.Directives.ForName("shareable") != nil {
				got = append(got, name+"."+f.Name)
			}
		}
	}
	want := []string{
		"LiveSession by id", "LiveSession by databaseId", "PageInfo", "Post by id", "Post by databaseId", "Post.counters", "PostCounters",
		"User by id", "User by databaseId", "User.avatarUrl", "User.counters", "User.createdAt", "User.handle", "User.name", "UserCounters",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the marks differ (-want +got):\n%s", diff)
	}
}

func TestSubgraph_LeavesFieldsOut(t *testing.T) {
	public := graph.LoadSchema()
	for _, c := range []struct {
		subgraph sdl.Subgraph
		missing  []string
	}{
		{sdl.Subgraph{}, []string{"Query.node", "Query.nodes"}},
		{sdl.Subgraph{Omit: []string{"Query.node", "Query.node"}}, []string{"Query.node", "Query.nodes"}},
		{sdl.Subgraph{Node: true}, nil},
		{sdl.Subgraph{Node: true, Omit: []string{"User.name", "FeedConnection.nodes"}}, []string{"FeedConnection.nodes", "User.name"}},
	} {
		s := subgraph(t, c.subgraph)
		var missing []string
		for _, name := range []string{"FeedConnection", "Mutation", "Post", "Query", "Subscription", "User"} {
			for _, f := range public.Types[name].Fields {
				if s.Types[name].Fields.ForName(f.Name) == nil {
					missing = append(missing, name+"."+f.Name)
				}
			}
		}
		if diff := cmp.Diff(c.missing, missing); diff != "" {
			t.Errorf("%+v leaves out others (-want +got):\n%s", c.subgraph, diff)
		}
	}
	posts := subgraph(t, sdl.Subgraph{Omit: []string{"FeedConnection.nodes"}}).Types["User"].Fields.ForName("posts")
	if got := posts.Directives.ForName("listSize").Arguments.ForName("sizedFields").Value.String(); got != `["edges"]` {
		t.Errorf("the sized fields are %s, but nodes is left out", got)
	}
}

func TestSubgraph_RefusesToOmit(t *testing.T) {
	for field, why := range map[string]string{
		"User": "not a field", "User.": "not a field", "User.x": "not a field", "Nobody.name": "not a field", "Node.id": "not a field",
		"UserIdInput.userId": "not a field", "__Type.name": "not a field", "Query.__schema": "not a field", "Query._service": "not a field", "": "not a field",
		"User.id": "a key of User", "Post.databaseId": "a key of Post",
	} {
		_, err := sdl.Subgraph{Omit: []string{field}}.Schema()
		if feed.CodeOf(err) != feed.CodeBadInput || !strings.Contains(err.Error(), why) {
			t.Errorf("without %q: %v, want that it is %s", field, err, why)
		}
	}
	_, err := sdl.Subgraph{Omit: []string{"UserCounters.followers", "UserCounters.following", "UserCounters.posts"}}.Schema()
	if err == nil || !strings.Contains(err.Error(), "last field") {
		t.Errorf("a type without fields: %v", err)
	}
}
