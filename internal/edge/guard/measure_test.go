package guard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// parsed parses a document.
func parsed(t testing.TB, text string) *ast.QueryDocument {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatalf("%s\ndoes not parse: %v", text, err)
	}
	return doc
}

// variables decodes variables as a transport does.
func variables(t testing.TB, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v map[string]any
	noError(t, d.Decode(&v))
	return v
}

// A list of references costs its length, however long, and what is in it.
func TestCost_CountsReferencesToEntities(t *testing.T) {
	doc := parsed(t, `query($r: [_Any!]!) { _entities(representations: $r) { ... on User { counters { posts } } ... on Post { author { id } } } }`)
	subgraph, list := graph.LoadSubgraph(), make([]any, 100_000)
	for name, c := range map[string]struct {
		value any
		want  int
	}{
		"one":             {map[string]any{}, 3},
		"100,000 of null": {list, 300_000 + 128},
		"nested nonsense": {[]any{[]any{list}}, 3 + 128},
		"a text of 2 MiB": {[]any{map[string]any{"id": strings.Repeat("x", 2<<20)}}, 3 + 4096},
		"nothing":         {nil, 3},
		"a number":        {json.Number("1"), 3},
		"an empty list":   {[]any{}, 0},
	} {
		got := measure(subgraph, doc, "", map[string]any{"r": c.value}).Cost
		wantEqual(t, c.want, got, "the cost of %s", name)
	}
}

// Clients can compute the cost of their own documents like this.
func TestCost_IsWhatAnOperationLoadsAtMost(t *testing.T) {
	schema := graph.LoadSchema()
	const pageOf = `{ viewer { homeFeed%s { nodes { text author { name } counters { likes } } } } }`
	for _, c := range []struct {
		document, variables string
		want                int
		because             string
	}{
		{`{ __typename }`, "", 0, "nothing is loaded"},
		{`{ a: __typename }`, "", 1, "with aliases it can be had many times"},
		{`{ viewer { user { name handle } } }`, "", 2, "two objects; values come with them"},
		{`{ viewer { user { a: name b: name } } }`, "", 4, "values again, under other names"},
		{fmt.Sprintf(pageOf, ""), "", 62, "viewer, page, and twenty times three"},
		{fmt.Sprintf(pageOf, "(first: 0)"), "", 7, "an empty page is read all the same"},
		{fmt.Sprintf(pageOf, "(first: 1000000)"), "", 302, "no page is longer than a hundred"},
		{fmt.Sprintf(pageOf, "(first: -1)"), "", 7, "a negative number is refused later"},
		{`query($n: Int) ` + fmt.Sprintf(pageOf, "(first: $n)"), `{"n": 3}`, 11, "a variable"},
		{`query($n: Int) ` + fmt.Sprintf(pageOf, "(first: $n)"), `{}`, 62, "a variable that is absent"},
		{`query($n: Int) ` + fmt.Sprintf(pageOf, "(first: $n)"), `{"n": 1e9}`, 302, "a variable that is not a whole number"},
		{`query($n: Int = 7) ` + fmt.Sprintf(pageOf, "(first: $n)"), ``, 23, "a variable's default"},
		{fmt.Sprintf(pageOf, "(first: $n)"), `{}`, 62, "a variable that is not declared is refused later"},
		{`{ viewer { homeFeed { edges { cursor node { text } } pageInfo { hasNextPage } newCount(since: "") } } }`, "", 123, "edges come with the page; pageInfo may look behind it, and newCount counts to a hundred"},
		{`{ viewer { homeChanges(since: "", first: 3) { changes { kind postId edge { cursor node { text } } } syncToken } } }`, "", 56, "changes cost what posts do, and the read of the log"},
		{`{ viewer { liveChanges(since: "", first: 3) { changes { kind edge { state node { host { name } } } } } } }`, "", 57, "and sessions with their hosts"},
		{`{ viewer { homeFeed(first: 3) { nodes { text } slots { id after } } } }`, "", 37, "slots take a call of another service"},
		{
			`{ viewer { homeFeed(first: 100) { nodes { author { name } comments { nodes { author { name } } } } } } }`, "", 4302,
			"pages inside pages multiply",
		},
		{`{ viewer { homeFeed { ...page } } } fragment page on FeedConnection { nodes { ...post } } fragment post on Post { text author { name } }`, "", 42, "fragments change nothing"},
		{
			`{ viewer { a: homeFeed(first: 5) { ...p } b: homeFeed(first: 50) { ...p } } } fragment p on FeedConnection { nodes { text } }`, "", 58,
			"one fragment in pages of different length",
		},
		{`{ viewer { homeFeed(first: 5) { nodes { ... @defer { author { name } } } } } }`, "", 17, "a deferred fragment costs one in each object"},
		{`{ viewer { ...u @defer(if: false) ...u } } fragment u on Viewer { user { name } }`, "", 4, "even if it is not deferred, each time"},
		{`{ nodes(ids: ["a", "b", "c"]) { id } }`, "", 3, "as many as are asked for"},
		{`query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, `{"ids": "a"}`, 1, "one that is no list"},
		{`{ nodes(ids: "a") { ... on Post { author { name } } ... on User { counters { posts } } } }`, "", 3, "of types that exclude each other, both"},
		{`mutation { likePost(input: {postId: "x"}) { post { text } userErrors { code } } }`, "", 21, "ten, a post, and ten reasons"},
		{`{ __schema { types { name fields { name type { name } } } } }`, "", 1000, "the description, and all that is in it"},
		{`query a { viewer { user { name } } } query b { __typename }`, "", 0, "no operation is named"},
		{`{ viewer { nothing { author { name } } } }`, "", 1, "what is not in the schema is refused later"},
		{`{ viewer { ...a } } fragment a on Viewer { user { name } ...b } fragment b on Viewer { ...a }`, "", 2, "and circles"},
		{`subscription { nothing }`, "", 0, "and operations that the schema does not have"},
	} {
		got := measure(schema, parsed(t, c.document), "", variables(t, c.variables)).Cost
		wantEqual(t, c.want, got, "the cost of %s with %s: %s", c.document, c.variables, c.because)
	}
}

// A kilobyte of arguments costs one for each execution of the field.
func TestCost_CountsBytesOfArgumentsTimesExecutions(t *testing.T) {
	schema := graph.LoadSchema()
	const (
		posts  = `query($v: String) { viewer { homeFeed(first: 100) { nodes { comments(first: 20, after: %s) { nodes { id } } } } } }`
		nested = 2 + 100*22
	)
	kilobytes := func(n int) string { return strings.Repeat("x", n<<10) }
	for _, c := range []struct {
		document, variables string
		want                int
		because             string
	}{
		{`{ user(handle: "` + kilobytes(3) + `") { id } }`, "", 1 + 3, "a literal"},
		{`query($h: String!) { user(handle: $h) { id } }`, `{"h":"` + kilobytes(4) + `"}`, 1 + 4, "a variable"},
		{`query($h: String!) { user(handle: $h) { id } }`, `{"h":"` + kilobytes(3) + `"}`, 1 + 4, "rounded up to a power of two"},
		{`query($h: String! = "` + kilobytes(2) + `") { user(handle: $h) { id } }`, ``, 1 + 2, "a default"},
		{fmt.Sprintf(posts, `$v`), `{"v":"` + kilobytes(1) + `"}`, nested + 100, "once for each entry of a page"},
		{fmt.Sprintf(posts, `$v`), `{"v":"` + strings.Repeat("x", 64) + `"}`, nested + 6, "a cursor in a hundred pages"},
		{
			`query($v: String) { viewer { homeFeed(first: 100) { nodes { ...c } } } } fragment c on Post { comments(first: 20, after: $v) { nodes { id } } }`,
			`{"v":"` + kilobytes(1) + `"}`, nested + 100, "through a fragment",
		},
		{`query($k: [PostKind!]) { user(handle: "x") { posts(first: 5, kinds: $k) { nodes { id } } } }`, `{"k":["` + strings.Repeat(`POST","`, 1637) + `POST"]}`, 1 + 1 + 5 + 8, "all items of a list"},
		{`mutation($in: PublishPostInput!) { publishPost(input: $in) { clientMutationId } }`, `{"in":{"text":"` + kilobytes(7) + `"}}`, 10 + 8, "the texts of an object"},
		{`query($id: ID!) { node(id: $id) { id } }`, `{"id":` + strings.Repeat("1", 2048) + `}`, 1 + 2, "the digits of a number"},
	} {
		wantEqual(t, c.want, measure(schema, parsed(t, c.document), "", variables(t, c.variables)).Cost, "the cost of %.200s: %s", c.document, c.because)
	}
}

func TestCost_OfArgumentsSaturates(t *testing.T) {
	query := `query($v: String) { node(id: "x") { ... on Post { ` + strings.Repeat(`comments(first: 100, after: $v) { nodes { `, 6) +
		`id` + strings.Repeat(` } }`, 6) + ` } } }`
	given := map[string]any{"v": strings.Repeat("x", 200_000)}
	wantEqual(t, MaxCount, measure(graph.LoadSchema(), parsed(t, query), "", given).Cost, "the cost")
}

// A page is loaded, and each of its lists is written, whatever is selected.
func TestCost_PageCostsItsEntries(t *testing.T) {
	schema := graph.LoadSchema()
	many := func(n int, field string) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, " x%d: %s", i, field)
		}
		return text.String()
	}
	const page = `{ user(handle: "x") { posts(first: 100) {%s } } }`
	const nested = `{ user(handle: "x") { posts(first: 100) { nodes { comments(first: 100) {%s } } } } }`
	for _, c := range []struct {
		document string
		want     int
		because  string
	}{
		{fmt.Sprintf(page, ` __typename`), 102, "user, page, and the posts that are loaded for it"},
		{fmt.Sprintf(page, ` pageInfo { hasNextPage }`), 103, "and its place"},
		{fmt.Sprintf(page, ` edges { cursor }`), 102, "the posts, not their edges beside"},
		{fmt.Sprintf(page, ` edges { __typename } nodes { id }`), 202, "two lists"},
		{fmt.Sprintf(page, ` edges { a: cursor b: cursor }`), 202, "a value under two names, for each"},
		{fmt.Sprintf(page, many(190, `newCount(since: "")`)), 102 + 190*100, "a hundred posts are counted 190 times"},
		{fmt.Sprintf(page, ` ...e ...e`) + ` fragment e on FeedConnection { edges { ... { cursor } } }`, 202, "fragments change nothing"},
		{fmt.Sprintf(nested, ` pageInfo { hasNextPage }`), 2 + 100*(1+102), "pages in pages"},
		{fmt.Sprintf(nested, many(190, `edges { cursor }`)), 2 + 100*(2+190*100), "and all lists of each"},
		{`{ viewer { liveFeed(first: 100) { snapshotAt } } }`, 102, "and sessions"},
		{`{ viewer {` + many(30, `homeFeed(first: 0) { newCount(since: "") }`) + ` } }`, 1 + 30*106, "an empty page costs five, and the count"},
		{`{ nodes(ids: ["a", "b"]) { ... on User {` + many(20, `posts(first: 0) { __typename }`) + ` } } }`, 2 + 2*20*6, "empty pages of each node"},
		{`mutation { publishPost(input: {text: "x"}) { feedEdge { cursor } } }`, 11, "an edge outside of a page is an object"},
	} {
		wantEqual(t, c.want, measure(schema, parsed(t, c.document), "", nil).Cost, "the cost of %s: %s", c.document, c.because)
	}
}

func TestCost_LengthsAreThoseOfTheDomain(t *testing.T) {
	policy, sessions := feed.DefaultPolicy(), live.DefaultPolicy()
	if pageDefault != policy.PageDefault || pageDefault != sessions.PageDefault || pageMax != policy.PageMax || pageMax != sessions.PageMax {
		t.Errorf("the cost assumes pages of %d, and at most %d", pageDefault, pageMax)
	}
	wantEqual(t, policy.CountMax, countMax, "what newCount and unread count to at most")
	schema := graph.LoadSchema()
	for _, typ := range schema.Types {
		for _, f := range typ.Fields {
			isValue := !schema.Types[f.Type.Name()].IsCompositeType()
			if name := typ.Name + "." + f.Name; isValue && len(f.Arguments) > 0 && !strings.HasPrefix(typ.Name, "__") && name != "FeedConnection.newCount" {
				t.Errorf("%s is a scalar with arguments; decide what it may load", name)
			}
		}
	}
}

// Go programs pass numbers as floats.
func TestCost_IsThatOfTheNamedOperation(t *testing.T) {
	doc := parsed(t, `query a { viewer { user { name } } } query b($n: Int) { viewer { homeFeed(first: $n) { nodes { text } } } }`)
	for name, want := range map[string]int{"a": 2, "b": 7, "c": 0} {
		wantEqual(t, want, measure(graph.LoadSchema(), doc, name, map[string]any{"n": 5.0}).Cost, "the cost of operation %s", name)
	}
}

func TestMeasure_CountsTheWholeDocument(t *testing.T) {
	doc := parsed(t, `
		query one($id: ID! = "x") @a { n: node(id: $id) @include(if: true) { id ...f ... on Post @b { t: text } } }
		mutation two { likePost(input: {postId: "y"}) { post { ...f } } }
		fragment f on Post @c(if: true) { id ...g }
		fragment g on Post { kind }
		fragment notUsed on Post { aFieldWithAVeryLongName }`)
	m := measure(graph.LoadSchema(), doc, "one", nil)
	// Pairs: two fields named id make 1, three spreads 3, and nine selection sets times three
	// fragments 27. All of that counts twice, for two operations. Walking twelve selections from
	// each of five definitions adds 60.
	// Five definitions and a variable count twice as nodes, twelve selections, four directives and
	// six values once.
	want := Measure{
		Name: len("aFieldWithAVeryLongName"), Definitions: 5, Selections: 12, Directives: 4, Aliases: 2,
		Comparisons: 2*(1+3+27) + 12*5, RootFields: 1, Depth: 2, Cost: 2, Nodes: 2*(5+1) + 12 + 4 + 6,
	}
	wantEqual(t, want, m, "the measure")
	pairs := measure(graph.LoadSchema(), parsed(t, `{ a(x: 1, y: [2, 3]) a(x: 1) a }`), "", nil)
	wantEqual(t, 5*2+5*1+2*1+3, pairs.Comparisons, "the comparisons of three fields with arguments")
	if !measure(graph.LoadSchema(), parsed(t, `{ viewer { user { id } } } fragment f on Query { __type(name: "x") { name } }`), "", nil).Introspects {
		t.Error("introspection within a fragment is not detected")
	}
}

// Each fragment is walked once. Walking every path through twelve levels of ten aliases would not
// end.
func TestMeasure_MultiplyingFragmentsSaturate(t *testing.T) {
	var text strings.Builder
	text.WriteString("{ viewer { homeFeed { nodes { ...f0 } } } }")
	for i := range 40 {
		fmt.Fprintf(&text, " fragment f%d on Post {", i)
		for alias := range 10 {
			fmt.Fprintf(&text, " a%d: replyTo { ...f%d }", alias, i+1)
		}
		text.WriteString(" }")
	}
	m := measure(graph.LoadSchema(), parsed(t, text.String()), "", nil)
	wantEqual(t, MaxCount, m.Cost, "the cost")
	if refused := DefaultLimits().check(m); refused == nil || apierror.CodeOf(refused) != apierror.TooComplex {
		t.Errorf("the limits return %v", refused)
	}
}

// Documents have nested pages of random lengths, with and without fragments.
func TestCost_EqualsAWalkOfEveryPath(t *testing.T) {
	schema := graph.LoadSchema()
	rapid.Check(t, func(t *rapid.T) {
		var fragments strings.Builder
		fragment := 0
		var post func(depth int) (text string, cost int)
		post = func(depth int) (string, int) {
			var text strings.Builder
			text.WriteString(" id")
			cost := 1
			for i := range rapid.IntRange(0, 3).Draw(t, "fields") {
				if depth == 0 {
					break
				}
				below, each := post(depth - 1)
				if rapid.Bool().Draw(t, "page") {
					n := rapid.IntRange(0, 9).Draw(t, "first")
					fmt.Fprintf(&text, " a%d: comments(first: %d) { nodes {%s } }", i, n, below)
					cost += 1 + max(pageCost, n*each)
				} else {
					fmt.Fprintf(&text, " a%d: replyTo {%s }", i, below)
					cost += each
				}
			}
			if rapid.Bool().Draw(t, "fragment") {
				fragment++
				fmt.Fprintf(&fragments, " fragment f%d on Post {%s }", fragment, text.String())
				return fmt.Sprintf(" ...f%d", fragment), cost
			}
			return text.String(), cost
		}
		below, cost := post(4)
		text := `{ node(id: "x") { ... on Post {` + below + ` } } }` + fragments.String()
		doc, err := parser.ParseQuery(&ast.Source{Input: text})
		if err != nil {
			t.Fatal(err)
		}
		if got := measure(schema, doc, "", nil).Cost; got != min(cost, MaxCount) {
			t.Errorf("%s costs %d, want %d", text, got, cost)
		}
	})
}

// FuzzGuard searches for a document that makes the guard panic, take long, or count below zero.
func FuzzGuard(f *testing.F) {
	for _, text := range []string{
		`{ viewer { homeFeed(first: 5) { nodes { ...p } } } } fragment p on Post { a: author { name } comments(last: $n) { edges { node { ...p } } } }`,
		`query q($n: Int = 5, $ids: [ID!] = ["x"]) @skip(if: true) { nodes(ids: $ids) { ... on Post { text } ...g } }`,
		`mutation { publishPost(input: {text: "x", media: [["y"], {a: {b: $c}}]}) { userErrors { code } } }`,
		`subscription { a } { __schema { types { fields { type { ofType { name } } } } } }`,
		`fragment a on B { ...a } { ...a ... { ... on Query { ...b } } }`,
	} {
		f.Add(text, "q", `{"n": 5, "ids": ["x", null]}`)
	}
	schema := graph.LoadSchema()
	limits := DefaultLimits()
	f.Fuzz(func(t *testing.T, text, operation, vars string) {
		doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, limits.Tokens)
		if err != nil {
			return
		}
		var given map[string]any
		d := json.NewDecoder(strings.NewReader(vars))
		d.UseNumber()
		if d.Decode(&given) != nil {
			given = nil
		}
		m := measure(schema, doc, operation, given)
		for _, n := range []int{m.Name, m.Definitions, m.Selections, m.Directives, m.Aliases, m.Comparisons, m.RootFields, m.Depth, m.Cost} {
			if n < 0 || n > MaxCount {
				t.Errorf("measured %+v", m)
			}
		}
		wantEqual(t, m, measure(schema, doc, operation, given), "the second measure")
	})
}
