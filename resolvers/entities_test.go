package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers"
)

func asSubgraph(d *resolvers.Deps) { d.Subgraph = "type Query { viewer: Viewer }" }

const askEntities = `query($r: [_Any!]!) { _entities(representations: $r) {
	__typename ... on User { id handle } ... on Post { text author { handle } } ... on LiveSession { title host { handle } }
} }`

func entitiesOf(references ...any) map[string]any { return map[string]any{"r": references} }

type reference = map[string]any

func TestService_ReturnsTheSubgraph(t *testing.T) {
	w := newWorld(t, asSubgraph)
	wantEqual(t, w.deps.Subgraph, w.must(0, `{ _service { sdl } }`, nil).at(t, "_service.sdl"), "the schema")
}

func TestEntities_AreOffByDefault(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	for _, query := range []string{`{ _service { sdl } }`, `{ _entities(representations: []) { __typename } }`} {
		w.wantCode("GRAPHQL_VALIDATION_FAILED", 1, query, nil)
	}
	types := w.must(1, `{ __schema { types { name } } }`, nil)
	for _, name := range texts(t, types.at(t, "__schema.types"), "name") {
		if strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__") {
			t.Errorf("introspection shows %s", name)
		}
	}
}

// No entity can have these keys.
func TestEntities_OfContradictoryKeysAreNull(t *testing.T) {
	w := newWorld(t, asSubgraph)
	w.post(13, 4)
	got := w.must(1, askEntities, entitiesOf(
		reference{"__typename": "Post", "id": postID(13), "databaseId": "13", "text": "another", "more": []any{1}},
		reference{"__typename": "User", "id": postID(13)},
		reference{"__typename": "User", "id": "nonsense"},
		reference{"__typename": "User", "databaseId": ""},
		reference{"__typename": "User", "id": userID(4), "databaseId": "1"},
		reference{"__typename": "User", "id": "", "databaseId": "4"},
	))
	wantEqual(t, value(`[{"__typename":"Post","text":"text 13","author":{"handle":"dan"}},null,null,null,null,null]`), got.at(t, "_entities"), "the entities")
}

// What node shows of an object, an entity shows, and nothing else.
func TestEntities_EqualNodes(t *testing.T) {
	w := newWorld(t, asSubgraph)
	fillFeed(w)
	w.relate(feed.RelationBlock, 2, 1)
	w.relate(feed.RelationHide, 3, 1)
	for viewer := range feed.UserID(6) {
		for id := range feed.UserID(40) {
			for typ, global := range map[string]string{"User": userID(id), "Post": postID(feed.PostID(id))} {
				const selection = `{ ... on User { handle name } ... on Post { text author { handle } counters { likes } } }`
				node := w.ask(viewer, `query($id: ID!) { node(id: $id) `+selection+` }`, map[string]any{"id": global})
				for _, key := range []reference{{"id": global}, {"databaseId": fmt.Sprint(id)}} {
					key["__typename"] = typ
					entity := w.ask(viewer, `query($r: [_Any!]!) { _entities(representations: $r) `+selection+` }`, entitiesOf(key))
					wantEqual(t, node.Data["node"], entity.at(t, "_entities.0"), "viewer %d, %s %d by %v", viewer, typ, id, key)
				}
			}
		}
	}
}

func TestEntities_WithTextIDs(t *testing.T) {
	w, _ := textWorld(t)
	w.deps.Subgraph = "type Query"
	w.handler = signedIn(resolvers.NewHandler(w.deps))
	eve := model.UserGlobalID(feed.PublicUserID{External: "auth0|eve"})
	got := w.must(1, askEntities, entitiesOf(
		reference{"__typename": "User", "databaseId": "auth0|eve", "id": eve},
		reference{"__typename": "User", "databaseId": "501"},
		reference{"__typename": "Post", "databaseId": `b5fd"1b53`},
		reference{"__typename": "LiveSession", "databaseId": "live:1"},
	))
	for path, want := range map[string]any{
		"_entities.0.handle": "eve", "_entities.1": nil, "_entities.2.author.handle": "eve", "_entities.3.title": "tea",
	} {
		wantEqual(t, want, got.at(t, path), "%s", path)
	}
}

func TestEntities_JudgeEachReferenceAlone(t *testing.T) {
	w := newWorld(t, asSubgraph)
	deep := any("x")
	for range 1000 {
		deep = []any{map[string]any{"deep": deep}}
	}
	user := reference{"__typename": "User", "id": userID(1)}
	for name, bad := range map[string]any{
		"unknown type":      reference{"__typename": "Viewer", "id": "1"},
		"no type":           reference{"id": userID(1)},
		"type is no text":   reference{"__typename": user, "id": userID(1)},
		"no key":            reference{"__typename": "User", "handle": "ann"},
		"key is null":       reference{"__typename": "User", "id": nil},
		"key is a number":   reference{"__typename": "User", "databaseId": 1},
		"key is an object":  reference{"__typename": "User", "id": user},
		"key is long":       reference{"__typename": "User", "databaseId": strings.Repeat("1", 129)},
		"nested nonsense":   reference{"__typename": "User", "id": deep},
		"reference is text": "User",
		"reference is list": []any{user},
	} {
		got := w.ask(1, askEntities, entitiesOf(user, bad, user))
		ann := map[string]any{"__typename": "User", "id": userID(1), "handle": "ann"}
		wantEqual(t, any([]any{ann, nil, ann}), got.at(t, "_entities"), "%s: the entities", name)
		if !cmp.Equal(got.codes(), []string{"BAD_USER_INPUT"}) || !cmp.Equal(got.Errors[0].Path, []any{"_entities", 1.0}) {
			t.Errorf("%s: the errors are %+v", name, got.Errors)
		}
	}
	got := w.ask(1, askEntities, entitiesOf(user, nil))
	if !cmp.Equal(got.codes(), []string{"GRAPHQL_VALIDATION_FAILED"}) || got.Data != nil {
		t.Errorf("a reference of null: %+v", got)
	}
}

// A router sends the references of a whole response. All of them are read at once.
func TestEntities_ThousandInOneBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no batch splits because the machine is busy
		w := newWorld(t, asSubgraph)
		var references []any
		for id := feed.UserID(1); id <= 500; id++ {
			if id > 4 {
				w.user(id, fmt.Sprint("user", id))
			}
			w.post(feed.PostID(id), id)
			references = append(references, reference{"__typename": "User", "databaseId": id.String()}, reference{"__typename": "Post", "databaseId": id.String()})
		}
		w.reads.take()
		const query = `query($r: [_Any!]!) { _entities(representations: $r) { ... on User { handle } ... on Post { text author { name } } } }`
		list, _ := w.must(1, query, entitiesOf(references...)).at(t, "_entities").([]any)
		if len(list) != 1000 || slices.Contains(list, nil) {
			t.Errorf("%d entities, of which some may be null", len(list))
		}
		wantEqual(t, map[string]int{"profiles": 1, "posts": 1, "users": 1}, w.reads.take(), "reads")
	})
}

// References count as often as there are, whether a variable or a literal has them.
func TestEntities_CostWhatTheyLoad(t *testing.T) {
	w := newWorld(t, asSubgraph)
	const people = `query($r: [_Any!]!) { _entities(representations: $r) { ... on User { handle counters { posts } } } }`
	user := reference{"__typename": "User", "databaseId": "1"}
	for n, code := range map[int]string{1000: "", 1001: "BAD_USER_INPUT", 6000: "QUERY_TOO_COMPLEX"} {
		references := make([]any, n)
		for i := range references {
			references[i] = user
		}
		rec := w.sendBody(1, request(people, entitiesOf(references...)))
		got := decoded(t, rec)
		if codes := got.codes(); code != "" && !cmp.Equal(codes, []string{code}) || code == "" && len(codes) > 0 {
			t.Errorf("%d references return %v, want %q", n, codes, code)
		}
		if code == "" {
			if cost := cost(t, rec)["requested"]; cost < 2*n || cost > 2*n+100 {
				t.Errorf("%d references with counters cost %d", n, cost)
			}
		}
	}
	var aliases strings.Builder
	for i := range 9 {
		fmt.Fprintf(&aliases, "a%d: _entities(representations: $r) { ... on User { handle } } ", i)
	}
	for n, code := range map[int]string{111: "", 112: "QUERY_TOO_COMPLEX", 1000: "QUERY_TOO_COMPLEX"} {
		got := w.ask(1, `query($r: [_Any!]!) { `+aliases.String()+`}`, entitiesOf(slices.Repeat([]any{user}, n)...))
		if codes := got.codes(); strings.Join(codes, " ") != code {
			t.Errorf("nine fields of %d references: %v", n, codes)
		}
	}
	literal := `{ _entities(representations: [` + strings.Repeat(`{__typename:"User",databaseId:"1"}`, 200) + `]) { ... on User { followers(first: 100) { nodes { id } } } } }`
	w.wantCode("QUERY_TOO_COMPLEX", 1, literal, nil)
	heavy := reference{"__typename": "User", "databaseId": "1", "junk": strings.Repeat("x", 200<<10)}
	rec := w.sendBody(1, request(people, entitiesOf(heavy)))
	if cost := cost(t, rec)["requested"]; cost < 200 {
		t.Errorf("a reference of 200 kilobytes costs %d", cost)
	}
}
